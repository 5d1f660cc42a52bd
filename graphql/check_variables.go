package graphql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// variables checks what is given for the variables of the operation that runs.
func (c *checker) variables(r Request) {
	given, fault := decodeVariables(r.Variables)
	if fault != "" {
		c.add(nil, "%s", fault)
		return
	}
	o := c.chosen(r.Operation)
	if o == nil {
		return
	}
	for _, v := range o.VariableDefinitions {
		value, there := given[v.Variable]
		what := "The variable $" + shorten(v.Variable)
		switch {
		case there:
			c.given(what, v.Type, value, v.Position)
		case isRequired(v.Type, v.DefaultValue):
			c.add(v.Position, "%s (%s) is not given: pass it in variables, as in %s.", what, v.Type, member(v.Variable, orDots(c.schema.placeholder(v.Type))))
		}
		if c.schema.types[v.Type.Name()] == nil && built[v.Type.Name()] == "" {
			_, near, _ := c.schema.Named(v.Type.Name())
			c.add(v.Position, "There is no type '%s'. %s", shorten(v.Type.Name()), didYouMean(near))
		}
		if !c.used[v.Variable] {
			c.add(v.Position, "%s is not used: remove it, or use it as $%s.", what, shorten(v.Variable))
		}
	}
}

// member is an object of JSON with one member.
func member(name, value string) string {
	if value[0] >= 'A' && value[0] <= 'Z' {
		value = text(value) // a value of an enum
	}
	return fmt.Sprintf("{%s: %s}", text(shorten(name)), value)
}

// chosen is the operation that runs.
func (c *checker) chosen(name string) *ast.OperationDefinition {
	if name == "" {
		return c.doc.Operations[0]
	}
	o := c.doc.Operations.ForName(name)
	if o == nil {
		var names []string
		for _, o := range c.doc.Operations {
			names = append(names, o.Name)
		}
		c.add(nil, "The query has no operation '%s'. %s", shorten(name), instead(name, names, "Its operations"))
	}
	return o
}
