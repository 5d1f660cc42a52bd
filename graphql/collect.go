package graphql

import (
	"github.com/vektah/gqlparser/v2/ast"
)

// document is a request that was let through: everything in it is defined, fits and is
// within the limits. It is not changed while it is executed.
type document struct {
	schema *ast.Schema
	// doc has the definitions of fields filled in.
	doc       *ast.QueryDocument
	operation *ast.OperationDefinition
	// variables are the values of the operation's variables, coerced (GraphQL
	// specification, section 6.1.2). One that was not given and has no default is missing.
	// gate_variables.go says what the values are.
	variables map[string]any
	// nulls says that a variable may be null where its place must not be: it has a default,
	// and was given as null.
	nulls bool
	// meta are the answers to the fields __schema and __type of Query, as JSON. The key is
	// the first selection under a key of the answer.
	meta map[*ast.Field][]byte
}

// collected is one key of an answer.
type collected struct {
	key string
	// field is the first selection under the key, fields are all of them: they have the
	// same name and arguments, and what is asked below them is merged.
	field  *ast.Field
	fields []*ast.Field
}

// fewKeys is how many keys are looked through one by one.
const fewKeys = 12

// collect finds what selection sets ask of an object, in the order of the answer
// (GraphQL specification, section 6.3.2, CollectFields and CollectSubfields). Its work
// grows with the selections, each fragment counted once.
func (d *document) collect(sets []ast.SelectionSet, object *ast.Definition) []collected {
	c := collector{d: d, object: object}
	for _, set := range sets {
		c.add(set)
	}
	return c.out
}

// collector is one run of collect.
type collector struct {
	d      *document
	object *ast.Definition
	out    []collected
	at     map[string]int // key → index in out; nil while there are few
	met    map[string]bool
}

func (c *collector) add(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if c.d.included(s.Directives) {
				c.field(s)
			}
		case *ast.InlineFragment:
			if c.d.included(s.Directives) && c.d.applies(s.TypeCondition, c.object) {
				c.add(s.SelectionSet)
			}
		case *ast.FragmentSpread:
			if !c.d.included(s.Directives) || c.met[s.Name] {
				continue
			}
			if c.met == nil {
				c.met = map[string]bool{}
			}
			c.met[s.Name] = true
			f := s.Definition
			if f == nil {
				f = c.d.doc.Fragments.ForName(s.Name)
			}
			if f != nil && c.d.applies(f.TypeCondition, c.object) {
				c.add(f.SelectionSet)
			}
		}
	}
}

func (c *collector) field(f *ast.Field) {
	if i := c.find(f.Alias); i >= 0 {
		c.out[i].fields = append(c.out[i].fields, f)
		return
	}
	if c.at != nil {
		c.at[f.Alias] = len(c.out)
	}
	c.out = append(c.out, collected{key: f.Alias, field: f, fields: []*ast.Field{f}})
}

// find is the index of a key; -1 when it was not met.
func (c *collector) find(key string) int {
	if c.at == nil && len(c.out) > fewKeys {
		c.at = make(map[string]int, 2*len(c.out))
		for i := range c.out {
			c.at[c.out[i].key] = i
		}
	}
	if c.at != nil {
		if i, ok := c.at[key]; ok {
			return i
		}
		return -1
	}
	for i := range c.out {
		if c.out[i].key == key {
			return i
		}
	}
	return -1
}

// subsets are the selection sets of merged fields.
func (c collected) subsets() []ast.SelectionSet {
	sets := make([]ast.SelectionSet, 0, len(c.fields))
	for _, f := range c.fields {
		sets = append(sets, f.SelectionSet)
	}
	return sets
}

// included reports whether @skip and @include leave a selection in.
func (d *document) included(list ast.DirectiveList) bool {
	for _, dir := range list {
		switch dir.Name {
		case "skip":
			if d.condition(dir) {
				return false
			}
		case "include":
			if !d.condition(dir) {
				return false
			}
		}
	}
	return true
}

// condition is the argument "if" of a directive. A variable that it names is not null,
// see nullConditions.
func (d *document) condition(dir *ast.Directive) bool {
	a := dir.Arguments.ForName("if")
	if a == nil || a.Value == nil {
		return false
	}
	if a.Value.Kind == ast.Variable {
		is, _ := d.variables[a.Value.Raw].(bool)
		return is
	}
	return a.Value.Raw == "true"
}

// applies reports whether a fragment on a type is about an object.
func (d *document) applies(condition string, object *ast.Definition) bool {
	if condition == "" || condition == object.Name {
		return true
	}
	for _, of := range d.schema.Implements[object.Name] {
		if of.Name == condition {
			return true
		}
	}
	return false
}
