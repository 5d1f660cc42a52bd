package rdfgraph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// test is a domains.Condition in the terms of a graph.
type test struct {
	op      domains.Op
	parts   []test
	steps   []step
	compare domains.Test
	values  []xsd.Value
	folded  string // of the value of TestContains and TestStarts
	ids     []store.ID
	// known says of entities that were looked at whether the only part holds.
	known map[store.ID]bool
}

// compile prepares a condition. The error is one of the caller's.
func (c *column) compile(from domains.Condition) (test, error) {
	t := test{op: from.Op, steps: c.steps(from.Steps), compare: from.Test, values: from.Values}
	for _, p := range from.Parts {
		part, err := c.compile(p)
		if err != nil {
			return t, err
		}
		t.parts = append(t.parts, part)
	}
	switch from.Op {
	case domains.OpAnd, domains.OpOr, domains.OpExists:
	case domains.OpNot, domains.OpSome:
		if len(t.parts) != 1 {
			return t, domains.Invalid("A condition that something does not hold, or holds of something related, has one part.")
		}
		t.known = map[store.ID]bool{}
	case domains.OpValue, domains.OpLabel:
		if from.Test < domains.TestEqual || from.Test > domains.TestStarts || from.Test != domains.TestEqual && len(t.values) != 1 {
			return t, domains.Invalid("A comparison has one value, unless it is for being equal to one of several.")
		}
		if from.Test >= domains.TestContains {
			t.folded = store.FoldLetters(t.values[0].String())
		}
	case domains.OpIs:
		for _, n := range from.Nodes {
			if id := c.columns.node(n); id != 0 {
				t.ids = append(t.ids, id)
			}
		}
		slices.Sort(t.ids)
	case domains.OpTyped:
		t.ids = c.classIDs(from.Classes)
	default:
		return t, domains.Invalid(fmt.Sprintf("There is no condition of kind %d.", from.Op))
	}
	return t, nil
}

// holds says whether a condition holds of an entity. It is false, too, when the call
// failed.
func (c *column) holds(t *test, node store.ID) bool {
	if c.spent() {
		return false
	}
	switch t.op {
	case domains.OpAnd:
		return !slices.ContainsFunc(t.parts, func(p test) bool { return !c.holds(&p, node) })
	case domains.OpOr:
		return slices.ContainsFunc(t.parts, func(p test) bool { return c.holds(&p, node) })
	case domains.OpNot:
		return !c.holds(&t.parts[0], node)
	case domains.OpExists:
		return c.hasAny(t, node)
	case domains.OpValue:
		return c.hasValue(t, node)
	case domains.OpLabel:
		return c.hasLabel(t, node)
	case domains.OpSome:
		return c.hasSome(t, node)
	case domains.OpIs:
		return contains(t.ids, node)
	case domains.OpTyped:
		return c.isTyped(node, t.ids)
	}
	return false
}

// isTyped says whether an entity has one of some classes, which are sorted.
func (c *column) isTyped(node store.ID, classes []store.ID) bool {
	h := hits{call: c.call, types: classes}
	if classes == nil {
		h.types = []store.ID{}
	}
	return h.hasType(node)
}

// exists says whether a step leads to something with a number from first to before end.
// Mostly one triple tells.
func (c *column) exists(node store.ID, s step, first, end store.ID) bool {
	for _, m := range c.members(node) {
		rows := c.r.Rows(m, s.property, 0)
		if s.inverse {
			rows = c.r.Rows(0, s.property, m)
		}
		if rows.Len() > 4 { // what it is about may come last
			_, rows = rows.Split(first)
		}
		for i := range min(rows.Len(), 4) {
			if v := c.shown(rows.Third(i)); first <= v && v < end && c.isPlainly(node, s, v) {
				return true
			}
		}
	}
	start := len(c.stack)
	c.stack = c.follow(c.stack, node, s)
	found := slices.ContainsFunc(c.stack[start:], func(v store.ID) bool { return first <= v && v < end })
	c.stack = c.stack[:start]
	return found
}

// hasAny says whether steps lead to a value or entity.
func (c *column) hasAny(t *test, node store.ID) bool {
	return slices.ContainsFunc(t.steps, func(s step) bool {
		first := store.ID(1)
		if s.literals {
			first = c.s.FirstLiteral()
		}
		return c.exists(node, s, first, c.s.FirstQuoted())
	})
}

// isPlainly says whether what a triple leads to is a value or an entity without a further
// look.
func (c *column) isPlainly(node store.ID, s step, v store.ID) bool {
	switch {
	case c.columns.plain:
		return true
	case v == c.known.null, s.property == c.known.sameAs, s.property == c.known.first, s.property == c.known.rest:
		return false
	}
	return c.s.Kind(v) != rdf.Blank && (!s.inverse || c.s.Kind(node) != rdf.Blank && node != c.known.null)
}

// follow adds what a step leads to, in no order and some twice.
func (c *column) follow(to []store.ID, node store.ID, s step) []store.ID {
	if s.inverse {
		return c.backward(to, node, s.property)
	}
	return c.forward(to, node, s.property, mostRead)
}

// hasValue says whether a value that the steps lead to passes the test.
func (c *column) hasValue(t *test, node store.ID) bool {
	for _, s := range t.steps {
		start := len(c.stack)
		c.stack = c.valuesOf(c.stack, node, s, mostRead)
		found := slices.ContainsFunc(c.stack[start:], func(v store.ID) bool { return c.passes(t, v) })
		if c.stack = c.stack[:start]; found {
			return true
		}
	}
	return false
}

// hasLabel says whether a label passes the test.
func (c *column) hasLabel(t *test, node store.ID) (found bool) {
	for _, p := range c.labels.shown {
		c.literals(node, p, func(term rdf.Term) {
			found = found || strings.TrimSpace(term.Value) != "" && t.passes(term.Value)
		})
		if found {
			return true
		}
	}
	return false
}

// passes says whether a value passes a test.
func (c *column) passes(t *test, id store.ID) bool {
	return c.isOf(id, t.kind()) && t.passes(c.textOf(id))
}

// isOf says whether a value may be of a kind: literals may be of any, entities are
// strings, and triple terms are not compared.
func (c *column) isOf(id store.ID, k xsd.Kind) bool {
	return id < c.s.FirstQuoted() && (id >= c.s.FirstLiteral() || k == xsd.String)
}

// textOf is what is compared of a value: the text of a literal, the IRI of an entity.
func (c *column) textOf(id store.ID) string {
	if id >= c.s.FirstLiteral() {
		return c.s.Text(id)
	}
	return c.iri(id)
}

// kind is the kind of the values that are compared with.
func (t *test) kind() xsd.Kind {
	if len(t.values) == 0 {
		return xsd.String
	}
	return t.values[0].Kind()
}

// passes says whether the text of a value passes the test.
func (t *test) passes(text string) bool {
	switch t.compare {
	case domains.TestContains:
		return strings.Contains(store.FoldLetters(text), t.folded)
	case domains.TestStarts:
		return strings.HasPrefix(store.FoldLetters(text), t.folded)
	case domains.TestEqual:
		if len(t.values) == 0 {
			return false
		}
	}
	v, err := xsd.Parse(t.values[0].Kind(), text)
	if err != nil {
		return false
	}
	if t.compare == domains.TestEqual {
		return slices.ContainsFunc(t.values, v.Equal)
	}
	order, ok := v.Compare(t.values[0])
	switch {
	case !ok:
		return false
	case t.compare == domains.TestLess:
		return order < 0
	case t.compare == domains.TestAtMost:
		return order <= 0
	case t.compare == domains.TestGreater:
		return order > 0
	}
	return order >= 0
}

// isTrue says whether the condition holds of everybody.
func (t *test) isTrue() bool { return t.op == domains.OpAnd && len(t.parts) == 0 }

// hasSome says whether the steps lead to an entity for which the part holds. What was
// found out of an entity is kept: many may lead to it.
func (c *column) hasSome(t *test, node store.ID) bool {
	if t.parts[0].isTrue() {
		return slices.ContainsFunc(t.steps, func(s step) bool { return !s.literals && c.exists(node, s, 1, c.s.FirstLiteral()) })
	}
	start := len(c.stack)
	for _, s := range t.steps {
		if !s.literals {
			c.stack = c.follow(c.stack, node, s)
		}
	}
	end := len(c.stack)
	found := false
	for i := start; i < end && !found && !c.spent() && !c.ended(i-start); i++ {
		v := c.stack[i]
		if v >= c.s.FirstLiteral() {
			continue
		}
		if t.parts[0].op == domains.OpIs {
			found = contains(t.parts[0].ids, v)
			continue
		}
		holds, ok := t.known[v]
		if !ok {
			holds = c.holds(&t.parts[0], v)
			t.known[v] = holds
		}
		found = holds
	}
	c.stack = c.stack[:start]
	return found
}
