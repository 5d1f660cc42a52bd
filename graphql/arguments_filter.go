package graphql

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// Limits of where.
const (
	mostConditions = 1000 // conditions of one argument
	mostInList     = 1000 // values of one list
	mostInAll      = 5000 // values of all lists of one argument
)

// filter turns the arguments where and orderBy of one field into what Columns know.
type filter struct {
	x *execution
	g *group
	c *cell
	// parts counts conditions.
	parts int
	// listed counts values of lists: a variable may stand for many, again and again.
	listed int
	// named are the conditions on ids whose nodes are not known yet.
	named []idTest
}

// idTest is a condition on ids: nodes has the place for what each id means.
type idTest struct {
	typ   *Type // nil for any
	ids   []string
	nodes []domains.Node
}

// wrong is the failure for what an argument says.
type wrong string

func (w wrong) Error() string { return string(w) }

// where is the argument of that name as a condition; nil when there is none. ok is false
// when it can't be used: the cell then says why.
func (f *filter) where(t *Type) (c *domains.Condition, ok bool) {
	object, given := f.x.doc.given(f.c.field, "where").(map[string]any)
	if !given {
		return nil, true
	}
	condition, err := f.entity("where", t, object)
	if err != nil {
		f.c.fail = &failure{message: err.Error()}
		return nil, false
	}
	if !f.resolve() {
		return nil, false
	}
	known(&condition)
	return &condition, true
}

// all is the condition that all parts hold.
func all(parts []domains.Condition) domains.Condition {
	if len(parts) == 1 {
		return parts[0]
	}
	return domains.Condition{Op: domains.OpAnd, Parts: parts}
}

func not(c domains.Condition) domains.Condition {
	return domains.Condition{Op: domains.OpNot, Parts: []domains.Condition{c}}
}

// none is the condition that holds of nobody.
var none = domains.Condition{Op: domains.OpOr}

// entity is the condition of a filter on entities. t is nil for those of any type.
func (f *filter) entity(path string, t *Type, object map[string]any) (domains.Condition, error) {
	return f.each(path, object, func(at, name string, v any) (part domains.Condition, err error) {
		switch name {
		case "and", "or":
			return f.several(at, name, t, asList(v))
		case "not":
			part, err = f.entity(at, t, members(v))
			return not(part), err
		case "exists":
			if v == true {
				return domains.Condition{Op: domains.OpAnd}, nil
			}
			return none, nil
		case "id":
			return f.ids(t, members(v))
		case "label":
			return f.values(at, &Column{Scalar: String}, members(v))
		}
		return f.column(at, t, name, members(v))
	})
}

// each is the condition that what read makes of each member of an object holds. Members
// that are null are absent.
func (f *filter) each(path string, object map[string]any, read func(at, name string, v any) (domains.Condition, error)) (domains.Condition, error) {
	var parts []domains.Condition
	for _, name := range sortedKeys(object) {
		if object[name] == nil {
			continue
		}
		if err := f.count(1); err != nil {
			return domains.Condition{}, err
		}
		part, err := read(path+"."+name, name, object[name])
		if err != nil {
			return domains.Condition{}, err
		}
		parts = append(parts, part)
	}
	return all(parts), nil
}

// count counts conditions. The error says that they are too many.
func (f *filter) count(n int) error {
	if f.parts += n; f.parts > mostConditions {
		return wrong(fmt.Sprintf("where has more than %s conditions, ids among them: ask for less at once, with in for lists of values.", domains.Number(mostConditions)))
	}
	return nil
}

// members are those of an object; a value that is none has none.
func members(v any) map[string]any {
	object, _ := v.(map[string]any)
	return object
}

// several is a list of filters of which all have to hold, or one.
func (f *filter) several(path, name string, t *Type, list []any) (domains.Condition, error) {
	out := domains.Condition{Op: domains.OpAnd}
	if name == "or" {
		out.Op = domains.OpOr
	}
	for i, item := range list {
		part, err := f.entity(fmt.Sprintf("%s[%d]", path, i), t, members(item))
		if err != nil {
			return out, err
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

// column is the condition on a field of a type.
func (f *filter) column(path string, t *Type, name string, object map[string]any) (out domains.Condition, err error) {
	var c *Column
	if t != nil {
		c = t.Column(name)
	}
	switch {
	case c == nil:
		return out, wrong(path + " is no field that can be compared.")
	case c.Scalar != None:
		return f.values(path, c, object)
	}
	if object["exists"] == false {
		for _, other := range sortedKeys(object) {
			if other != "exists" && object[other] != nil {
				return out, wrong(fmt.Sprintf("%s has exists: false and %s: who has none has none that fits. Leave one of them out.", path, other))
			}
		}
		return not(domains.Condition{Op: domains.OpSome, Steps: c.Steps, Parts: []domains.Condition{{Op: domains.OpAnd}}}), nil
	}
	var target *Type
	if c.Target != entityType {
		target = f.x.s.config.Model.Type(c.Target)
	}
	some, err := f.entity(path, target, object)
	return domains.Condition{Op: domains.OpSome, Steps: c.Steps, Parts: []domains.Condition{some}}, err
}

// tests are the members of filters on values that are a Test.
var tests = map[string]domains.Test{"eq": domains.TestEqual, "lt": domains.TestLess, "le": domains.TestAtMost, "gt": domains.TestGreater,
	"ge": domains.TestAtLeast, "contains": domains.TestContains, "startsWith": domains.TestStarts}

// values is the condition of a filter on values: of a column, or of labels when it has no
// steps.
func (f *filter) values(path string, c *Column, object map[string]any) (domains.Condition, error) {
	test := func(t domains.Test, values ...xsd.Value) domains.Condition {
		if len(c.Steps) == 0 {
			return domains.Condition{Op: domains.OpLabel, Test: t, Values: values}
		}
		return domains.Condition{Op: domains.OpValue, Steps: c.Steps, Test: t, Values: values}
	}
	return f.each(path, object, func(at, name string, v any) (domains.Condition, error) {
		switch name {
		case "exists":
			some := domains.Condition{Op: domains.OpExists, Steps: c.Steps}
			if len(c.Steps) == 0 {
				some = test(domains.TestContains, xsd.Value{}) // every text holds the empty one
			}
			if v == false {
				return not(some), nil
			}
			return some, nil
		case "in":
			values, err := f.list(at, c.Scalar, asList(v))
			if len(values) == 0 {
				return none, err
			}
			return test(domains.TestEqual, values...), nil
		}
		value, err := valueOf(at, c.Scalar, v)
		if name == "ne" {
			return not(test(domains.TestEqual, value)), err
		}
		return test(tests[name], value), err
	})
}

// order is the argument orderBy. ok is false when it can't be used: the cell then says
// why.
func (f *filter) order(t *Type) (out []domains.Order, ok bool) {
	for _, item := range asList(f.x.doc.given(f.c.field, "orderBy")) {
		var one []string // such as {label: ASC}
		for _, name := range sortedKeys(members(item)) {
			direction, given := members(item)[name].(string)
			if !given {
				continue
			}
			one = append(one, "{"+name+": "+direction+"}")
			o := domains.Order{Descending: direction != "ASC"}
			if c := t.Column(name); c != nil {
				o.Steps, o.Kind = c.Steps, scalarKinds[c.Scalar]
			}
			out = append(out, o)
		}
		if len(one) > 1 {
			f.c.fail = &failure{message: "Each object of orderBy has one field, so that it is clear which comes first: write a list such as [" +
				strings.Join(one, ", ") + "]."}
			return nil, false
		}
	}
	return out, true
}
