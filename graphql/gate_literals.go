package graphql

import "github.com/vektah/gqlparser/v2/ast"

// literals checks the values of a document against their types. The libraries' own rules
// are not enough for that: graph-gophers lets lists and objects pass where a scalar is
// wanted and knows no defaults of places, gqlparser lets integers of more than 32 bits pass
// and refuses those of more than 64 where a scalar of the schema's own takes them. The
// definitions must have been filled in.
func (g *gate) literals(doc *ast.QueryDocument) []Error {
	c := coercion{schema: g.schema}
	for _, o := range doc.Operations {
		w := literalWalk{c: &c, operation: o}
		for _, v := range o.VariableDefinitions {
			if v.DefaultValue != nil {
				w.value("The variable $"+shorten(v.Variable), v.Type, v.DefaultValue, false)
			}
			w.directives(v.Directives)
		}
		w.directives(o.Directives)
		visit(o.SelectionSet, map[*ast.FragmentDefinition]bool{}, func(f *ast.Field, list ast.DirectiveList) {
			w.directives(list)
			if f != nil && f.Definition != nil {
				w.arguments(f.Definition.Arguments, f.Arguments)
			}
		})
	}
	return c.errs
}

// visit calls each for all fields of selections and all directives on them, on fragments
// (field is nil) and where these are used; each fragment once, unless it was met before.
func visit(set ast.SelectionSet, met map[*ast.FragmentDefinition]bool, each func(field *ast.Field, list ast.DirectiveList)) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			each(s, s.Directives)
			visit(s.SelectionSet, met, each)
		case *ast.InlineFragment:
			each(nil, s.Directives)
			visit(s.SelectionSet, met, each)
		case *ast.FragmentSpread:
			each(nil, s.Directives)
			if f := s.Definition; f != nil && !met[f] {
				met[f] = true
				each(nil, f.Directives)
				visit(f.SelectionSet, met, each)
			}
		}
	}
}

// literalWalk looks at the values in an operation.
type literalWalk struct {
	c         *coercion
	operation *ast.OperationDefinition
}

func (w *literalWalk) directives(list ast.DirectiveList) {
	for _, d := range list {
		if d.Definition != nil {
			w.arguments(d.Definition.Arguments, d.Arguments)
		}
	}
}

func (w *literalWalk) arguments(defs ast.ArgumentDefinitionList, list ast.ArgumentList) {
	for _, a := range list {
		if def := defs.ForName(a.Name); def != nil {
			w.value(a.Name, def.Type, a.Value, def.DefaultValue != nil)
		}
	}
}

// value checks a value against the type of its place, which may have a default.
func (w *literalWalk) value(what string, t *ast.Type, v *ast.Value, hasDefault bool) {
	switch {
	case v.Kind == ast.Variable:
		w.variable(what, t, v, hasDefault)
		return
	case v.Kind == ast.NullValue:
		if t.NonNull {
			w.c.add(v.Position, "%s is %s and must not be null: give a value, or leave it out if it has a default.", what, t)
		}
		return
	case t.Elem != nil && v.Kind == ast.ListValue:
		for _, child := range v.Children {
			w.value(what, t.Elem, child.Value, false)
		}
		return
	case t.Elem != nil:
		w.value(what, t.Elem, v, false)
		return
	}
	d := w.c.schema.Types[t.NamedType]
	if d == nil {
		return
	}
	must := built[d.Name]
	switch {
	case d.Kind == ast.InputObject && v.Kind == ast.ObjectValue:
		w.object(d, v)
	case d.Kind == ast.InputObject:
		w.c.add(v.Position, "%s is %s: it must be an object such as %s.", what, t, sample(d))
	case d.Kind == ast.Enum && (v.Kind != ast.EnumValue || d.EnumValues.ForName(v.Raw) == nil):
		w.c.add(v.Position, "%s is %s: it must be one of %s, not %s.", what, t, listed(enumNames(d)), shorten(written(v)))
	case must != "" && !fits(d.Name, v):
		w.c.add(v.Position, "%s is %s: it must be %s, not %s.", what, t, must, shorten(written(v)))
	}
}

// object checks the members of an input object.
func (w *literalWalk) object(d *ast.Definition, v *ast.Value) {
	given := make(map[string]bool, len(v.Children))
	for _, child := range v.Children {
		given[child.Name] = true
		f := d.Fields.ForName(child.Name)
		if f == nil {
			w.c.add(child.Position, "%s has no field '%s'. %s", d.Name, shorten(child.Name), instead(child.Name, fieldNames(d.Fields), "Its fields"))
			continue
		}
		w.value(d.Name+"."+f.Name, f.Type, child.Value, f.DefaultValue != nil)
	}
	for _, f := range d.Fields {
		if isRequired(f.Type, f.DefaultValue) && !given[f.Name] {
			w.c.add(v.Position, "%s needs the field %s: %s.", d.Name, f.Name, f.Type)
		}
	}
}

// variable checks a variable's type against that of its place (GraphQL specification,
// section 5.8.5).
func (w *literalWalk) variable(what string, t *ast.Type, v *ast.Value, hasDefault bool) {
	def := w.operation.VariableDefinitions.ForName(v.Raw)
	if def == nil {
		return // both libraries look at it
	}
	has, want := *def.Type, *t
	if want.NonNull && !has.NonNull {
		if !hasDefault && (def.DefaultValue == nil || def.DefaultValue.Kind == ast.NullValue) {
			w.misfit(what, t, def, v)
			return
		}
		want.NonNull = false
	}
	if !has.IsCompatible(&want) {
		w.misfit(what, t, def, v)
	}
}

func (w *literalWalk) misfit(what string, t *ast.Type, def *ast.VariableDefinition, v *ast.Value) {
	w.c.add(v.Position, "%s is %s, and the variable $%s is %s: define it as $%s: %s.", what, t, shorten(v.Raw), def.Type, shorten(v.Raw), t)
}
