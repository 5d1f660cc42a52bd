package graphql

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// Request is a request to a GraphQL service.
type Request struct {
	Query string
	// Variables is a JSON object; empty when there are none.
	Variables json.RawMessage
	// Operation is the name of the operation to run; empty for the only one.
	Operation string
}

// mostFaults is how many faults are told at most.
const mostFaults = 5

// Check says what is wrong with a request, at most five faults, those of syntax alone
// when there are any. It is there to explain why a service refused a request whose own
// words do not: the service decides, and this knows less than a full validation, so
// that no fault proves nothing. Without a schema it looks at the syntax alone.
func Check(s *Schema, r Request) []Fault {
	doc, fault := parse(r.Query)
	if fault != nil {
		return []Fault{*fault}
	}
	if s == nil {
		return nil
	}
	c := &checker{schema: s, doc: doc, used: map[string]bool{}, spread: map[string]bool{}}
	c.operations()
	c.fragments()
	c.variables(r)
	return c.faults
}

// checker walks a document. Each operation and fragment is walked once, so that its
// work grows with the text and not with what fragments stand for.
type checker struct {
	schema *Schema
	doc    *ast.QueryDocument
	faults []Fault
	// used are the variables that stand somewhere, spread the fragments that do.
	used, spread map[string]bool
	// defined are the variables that can stand where the walk is.
	defined ast.VariableDefinitionList
}

func (c *checker) full() bool { return len(c.faults) >= mostFaults }

func (c *checker) add(pos *ast.Position, format string, args ...any) {
	if !c.full() {
		c.faults = append(c.faults, faultAt(pos, format, args...))
	}
}

func (c *checker) operations() {
	names := map[string]bool{}
	for _, o := range c.doc.Operations {
		switch {
		case o.Name == "" && len(c.doc.Operations) > 1:
			c.add(o.Position, "With several operations each needs a name.")
		case names[o.Name]:
			c.add(o.Position, "Two operations are called '%s'.", shorten(o.Name))
		}
		names[o.Name] = true
		root := c.schema.roots[Kind(o.Operation)]
		if root == "" {
			c.add(o.Position, "The service has no %ss: send a query.", o.Operation)
			continue
		}
		c.defined = o.VariableDefinitions
		c.directives(o.Directives)
		c.selections(root, o.SelectionSet)
	}
}

func (c *checker) fragments() {
	c.defined = nil
	for _, o := range c.doc.Operations {
		c.defined = append(c.defined, o.VariableDefinitions...)
	}
	for _, f := range c.doc.Fragments {
		if !c.condition(f.Position, f.TypeCondition) {
			continue
		}
		c.selections(f.TypeCondition, f.SelectionSet)
		if !c.spread[f.Name] && !c.spreadIn(f.Name) {
			c.add(f.Position, "The fragment '%s' is not used: remove it, or write ...%s where its fields are wanted.", shorten(f.Name), shorten(f.Name))
		}
	}
}

// spreadIn reports whether a fragment that was not met yet stands in a later one.
func (c *checker) spreadIn(name string) bool {
	for _, f := range c.doc.Fragments {
		if f.Name != name && hasSpread(f.SelectionSet, name) {
			return true
		}
	}
	return false
}

func hasSpread(set ast.SelectionSet, name string) bool {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if hasSpread(s.SelectionSet, name) {
				return true
			}
		case *ast.InlineFragment:
			if hasSpread(s.SelectionSet, name) {
				return true
			}
		case *ast.FragmentSpread:
			if s.Name == name {
				return true
			}
		}
	}
	return false
}

// condition checks the type after "on".
func (c *checker) condition(pos *ast.Position, name string) bool {
	d := c.schema.types[name]
	switch {
	case name == "":
		return true
	case d == nil:
		_, near, _ := c.schema.Named(name)
		c.add(pos, "There is no type '%s'. %s", shorten(name), didYouMean(near))
		return false
	case !d.IsCompositeType():
		c.add(pos, "'%s' has no fields, and so no fragment can be on it.", name)
		return false
	}
	return true
}

func didYouMean(near []string) string {
	if len(near) == 0 {
		return "The schema shows the types there are."
	}
	return "Did you mean " + oneOf(near) + "?"
}

// selections walks what is asked of a type.
func (c *checker) selections(typ string, set ast.SelectionSet) {
	for _, s := range set {
		if c.full() {
			return
		}
		switch s := s.(type) {
		case *ast.Field:
			c.directives(s.Directives)
			c.field(typ, s)
		case *ast.InlineFragment:
			c.directives(s.Directives)
			if c.condition(s.Position, s.TypeCondition) {
				on := s.TypeCondition
				if on == "" {
					on = typ
				}
				c.selections(on, s.SelectionSet)
			}
		case *ast.FragmentSpread:
			c.directives(s.Directives)
			c.spread[s.Name] = true
			if c.doc.Fragments.ForName(s.Name) == nil {
				var names []string
				for _, f := range c.doc.Fragments {
					names = append(names, f.Name)
				}
				c.add(s.Position, "The query defines no fragment '%s'. %s", shorten(s.Name), instead(s.Name, names, "Its fragments"))
			}
		}
	}
}

// field checks one field and what is asked below it.
func (c *checker) field(typ string, f *ast.Field) {
	d := c.schema.types[typ]
	if d == nil || f.Name == "__typename" {
		return
	}
	if typ == c.schema.Root() && (f.Name == "__schema" || f.Name == "__type") {
		c.unchecked(f) // introspection is the service's own
		return
	}
	def := d.Fields.ForName(f.Name)
	if def == nil {
		c.noField(d, f)
		c.unchecked(f)
		return
	}
	c.arguments(d, def, f)
	target := c.schema.types[def.Type.Name()]
	composite := target != nil && target.IsCompositeType()
	switch {
	case composite && len(f.SelectionSet) == 0:
		c.add(f.Position, "'%s' is %s: say which of its fields to read, such as %s %s.", f.Name, def.Type, f.Name, c.some(target))
	case !composite && len(f.SelectionSet) > 0:
		c.add(f.Position, "'%s' is %s and has no fields: write %s without { }.", f.Name, def.Type, f.Name)
	case composite:
		c.selections(target.Name, f.SelectionSet)
	}
}

// unchecked notes the variables and fragments in a field that is not checked: they are
// used all the same. Its own directives are looked at already.
func (c *checker) unchecked(f *ast.Field) {
	for _, a := range f.Arguments {
		c.uses(a.Value)
	}
	for _, s := range f.SelectionSet {
		c.uncheckedSelection(s)
	}
}

func (c *checker) uncheckedSelection(s ast.Selection) {
	switch s := s.(type) {
	case *ast.Field:
		c.directives(s.Directives)
		c.unchecked(s)
	case *ast.InlineFragment:
		c.directives(s.Directives)
		for _, s := range s.SelectionSet {
			c.uncheckedSelection(s)
		}
	case *ast.FragmentSpread:
		c.directives(s.Directives)
		c.spread[s.Name] = true
	}
}

// noField says what a type has instead of a field.
func (c *checker) noField(d *ast.Definition, f *ast.Field) {
	help := instead(f.Name, fieldNames(d.Fields), "Its fields")
	if d.Name == c.schema.Root() {
		help = c.insteadOfRoot(d, f.Name)
	}
	if on := c.schema.below(d, f.Name); len(on) > 0 {
		read := f.Name
		if to := c.schema.types[c.schema.types[on[0]].Fields.ForName(f.Name).Type.Name()]; to != nil && to.IsCompositeType() {
			read += " { … }"
		}
		help = "It is a field of " + listed(on) + ": write ... on " + on[0] + " { " + read + " }."
	}
	if d.Kind == ast.Union && len(d.Types) > 0 {
		help = "It is one of " + listed(d.Types) + ": write ... on " + d.Types[0] + " { … }."
	}
	c.add(f.Position, "%s has no field '%s'. %s", d.Name, shorten(f.Name), help)
}

// below are the types of an interface that have a field which it has not: those with
// fewest fields first, which tend to be above the others.
func (s *Schema) below(d *ast.Definition, field string) []string {
	if d.Kind != ast.Interface {
		return nil
	}
	var out []string
	for _, name := range s.names {
		if t := s.types[name]; slices.Contains(t.Interfaces, d.Name) && t.Fields.ForName(field) != nil {
			out = append(out, name)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(s.types[a].Fields), len(s.types[b].Fields)) })
	return out
}

// insteadOfRoot says which fields a root has instead of one: the nearest, and the others
// that give what the nearest gives.
func (c *checker) insteadOfRoot(root *ast.Definition, name string) string {
	names := fieldNames(root.Fields)
	near := domains.Nearest(shorten(name), names, mostNear)
	if len(near) == 0 {
		return instead(name, names, "Root fields")
	}
	of := root.Fields.ForName(near[0]).Type.Name()
	for _, f := range root.Fields {
		if f.Type.Name() == of && len(near) < mostNear && !slices.Contains(near, f.Name) {
			near = append(near, f.Name)
		}
	}
	return didYouMean(near)
}

// some is a selection of the first fields of a type that need no more.
func (c *checker) some(d *ast.Definition) string {
	names := telling(c.schema.leaves(d))
	if len(names) == 0 {
		return "{ __typename }"
	}
	return "{ " + strings.Join(names[:min(len(names), 3)], " ") + " }"
}

// arguments checks the arguments of a field.
func (c *checker) arguments(d *ast.Definition, def *ast.FieldDefinition, f *ast.Field) {
	names := []string{}
	for _, a := range def.Arguments {
		names = append(names, a.Name)
	}
	for _, a := range f.Arguments {
		want := def.Arguments.ForName(a.Name)
		if want == nil {
			c.add(a.Position, "%s.%s has no argument '%s'. %s", d.Name, def.Name, shorten(a.Name), instead(a.Name, names, "Its arguments"))
			c.uses(a.Value)
			continue
		}
		location := *want.Type
		if want.DefaultValue != nil && a.Value.Kind == ast.Variable {
			location.NonNull = false // the default stands in for a variable that is not given
		}
		c.value(a.Name, &location, a.Value)
	}
	for _, a := range def.Arguments {
		if isRequired(a.Type, a.DefaultValue) && f.Arguments.ForName(a.Name) == nil {
			c.add(f.Position, "%s.%s needs the argument %s: %s, such as %s(%s: %s).", d.Name, def.Name, a.Name, a.Type,
				def.Name, a.Name, orDots(c.schema.placeholder(a.Type)))
		}
	}
}

// directives checks the names of directives.
func (c *checker) directives(list ast.DirectiveList) {
	for _, d := range list {
		if !c.schema.directives[d.Name] && !slices.Contains([]string{"skip", "include", "defer", "stream"}, d.Name) {
			c.add(d.Position, "There is no directive @%s.", shorten(d.Name))
		}
		for _, a := range d.Arguments {
			c.uses(a.Value)
		}
	}
}

// uses notes the variables in a value that is not checked.
func (c *checker) uses(v *ast.Value) {
	if v == nil {
		return
	}
	if v.Kind == ast.Variable {
		c.used[v.Raw] = true
		if c.defined.ForName(v.Raw) == nil {
			c.notDefined(v)
		}
	}
	for _, child := range v.Children {
		c.uses(child.Value)
	}
}

func (c *checker) notDefined(v *ast.Value) {
	c.add(v.Position, "The variable $%s is not defined: name it with its type, as in query($%s: String) { … }.", shorten(v.Raw), shorten(v.Raw))
}

// variableFits checks a variable against the type that its place wants.
func (c *checker) variableFits(what string, t *ast.Type, v *ast.Value) {
	c.used[v.Raw] = true
	def := c.defined.ForName(v.Raw)
	if def == nil {
		c.notDefined(v)
		return
	}
	has, want := *def.Type, *t
	if def.DefaultValue != nil && def.DefaultValue.Kind != ast.NullValue {
		has.NonNull = true
	}
	if !has.IsCompatible(&want) {
		c.add(v.Position, "%s is %s, and the variable $%s is %s: define it as $%s: %s.", what, t, shorten(v.Raw), def.Type, shorten(v.Raw), t)
	}
}
