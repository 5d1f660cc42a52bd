package graphql

import (
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// hasNulls reports whether a variable that has a default was given as null.
func hasNulls(o *ast.OperationDefinition, variables map[string]any) bool {
	return slices.ContainsFunc(o.VariableDefinitions, func(v *ast.VariableDefinition) bool {
		value, given := variables[v.Variable]
		return given && value == nil && v.DefaultValue != nil
	})
}

// nullArgument is the failure of a field for which a variable is null where there must be
// a value; nil for none. Such a variable has a default and was given as null (GraphQL
// specification, section 6.4.1).
func (d *document) nullArgument(f *ast.Field) *failure {
	if !d.nulls {
		return nil
	}
	for _, a := range f.Arguments {
		if def := f.Definition.Arguments.ForName(a.Name); def != nil {
			if variable := d.nullIn(def.Type, a.Value); variable != "" {
				return &failure{message: nullVariable(a.Name, variable)}
			}
		}
	}
	return nil
}

func nullVariable(argument, variable string) string {
	return fmt.Sprintf("The variable $%s is null, and %s needs a value there: give it one, or leave it out of the variables so that its default is used.",
		shorten(variable), argument)
}

// nullIn is the first variable that is null where a value of a type must not be.
func (d *document) nullIn(t *ast.Type, v *ast.Value) (variable string) {
	if v.Kind == ast.Variable {
		if value, given := d.variables[v.Raw]; given && value == nil && t.NonNull {
			return v.Raw
		}
		return ""
	}
	if t.Elem != nil && v.Kind != ast.ListValue {
		return d.nullIn(t.Elem, v)
	}
	for _, child := range v.Children {
		of := t.Elem
		if of == nil {
			field := (*ast.FieldDefinition)(nil)
			if object := d.schema.Types[t.NamedType]; object != nil {
				field = object.Fields.ForName(child.Name)
			}
			if field == nil {
				continue // a scalar of the schema's own takes what it likes
			}
			of = field.Type
		}
		if variable = d.nullIn(of, child.Value); variable != "" {
			return variable
		}
	}
	return ""
}

// nullConditions is the fault of a document for which a variable of @skip or @include is
// null.
func (d *document) nullConditions() (fault *Fault) {
	if !d.nulls {
		return nil
	}
	condition := ast.NonNullNamedType("Boolean", nil)
	visit(d.operation.SelectionSet, map[*ast.FragmentDefinition]bool{}, func(_ *ast.Field, list ast.DirectiveList) {
		for _, dir := range list {
			a := dir.Arguments.ForName("if")
			if a == nil || fault != nil {
				continue
			}
			if variable := d.nullIn(condition, a.Value); variable != "" {
				f := faultAt(a.Position, "%s", nullVariable("@"+dir.Name, variable))
				fault = &f
			}
		}
	})
	return fault
}
