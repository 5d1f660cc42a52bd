package rdfgraph

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// narrow finds entities by index among which are all of whom a condition holds, at most
// limit, in no order and some twice. ok is false where no index finds them, or not that
// few; little more than limit is read then.
func (c *column) narrow(t *test, limit int) (ids []store.ID, ok bool) {
	switch t.op {
	case domains.OpAnd:
		return c.narrowAnd(t, limit)
	case domains.OpOr:
		return c.narrowOr(t, limit)
	case domains.OpIs:
		return t.ids, len(t.ids) <= limit
	case domains.OpTyped:
		return c.narrowTyped(t, limit)
	case domains.OpExists:
		return c.narrowExists(t, limit)
	case domains.OpSome:
		return c.narrowSome(t, limit)
	case domains.OpValue, domains.OpLabel:
		properties := c.labels.shown
		if t.op == domains.OpValue {
			properties = nil
			for _, s := range t.steps {
				if !s.inverse {
					properties = append(properties, s.property)
				}
			}
		}
		ids = []store.ID{}
		for _, p := range properties {
			some, ok := c.holders(p, t, limit-len(ids))
			if !ok {
				return nil, false
			}
			ids = append(ids, some...)
		}
		return ids, true
	}
	return nil, false
}

// narrowAnd narrows by the part that finds fewest, the ones that cost least first.
func (c *column) narrowAnd(t *test, limit int) (best []store.ID, ok bool) {
	order := make([]int, len(t.parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.parts[a].price() - t.parts[b].price() })
	for _, i := range order {
		if ids, found := c.narrow(&t.parts[i], limit); found {
			best, ok = ids, true
			limit = len(ids) / 2 // a look at these costs about as much
		}
	}
	return best, ok
}

// price says how much it costs to narrow by a condition, roughly.
func (t *test) price() int {
	switch {
	case t.op == domains.OpIs:
		return 0
	case t.op == domains.OpValue && t.isText():
		return 1
	case t.op == domains.OpSome:
		return 2 + t.parts[0].price()
	case t.op == domains.OpExists, t.op == domains.OpTyped:
		return 2
	}
	return 4
}

// isText says whether a test is for certain texts, which an index finds.
func (t *test) isText() bool {
	return t.compare == domains.TestEqual && (len(t.values) == 0 || t.values[0].Kind() == xsd.String)
}

func (c *column) narrowOr(t *test, limit int) ([]store.ID, bool) {
	ids := []store.ID{}
	for i := range t.parts {
		some, ok := c.narrow(&t.parts[i], limit-len(ids))
		if !ok {
			return nil, false
		}
		ids = append(ids, some...)
	}
	return ids, true
}

func (c *column) narrowTyped(t *test, limit int) ([]store.ID, bool) {
	ids := []store.ID{}
	for _, class := range t.ids {
		l := c.instances(class)
		if l.len() > limit-len(ids) {
			return nil, false
		}
		for i := range l.len() {
			ids = append(ids, c.instance(l, i))
		}
	}
	return ids, true
}

// narrowExists finds the subjects, or objects, of properties. Members of lists are
// objects too.
func (c *column) narrowExists(t *test, limit int) ([]store.ID, bool) {
	ids := []store.ID{}
	for _, s := range t.steps {
		rows := c.r.Rows(0, s.property, 0)
		if !s.inverse {
			if rows.Len() > limit-len(ids) {
				return nil, false
			}
			for row := range rows.All() {
				ids = append(ids, c.shown(row.S))
			}
			continue
		}
		rows = rows.Slice(0, rows.BelowSecond(c.s.FirstLiteral()))
		for ; rows.Len() > 0; _, rows = rows.Run() {
			o := c.shown(rows.Second())
			ids = append(ids, o)
			if c.isCell(o) {
				members, _, _, _ := c.list(o, longestList)
				for _, m := range members {
					ids = append(ids, c.shown(m))
				}
			}
			if len(ids) > limit {
				return nil, false
			}
		}
	}
	return ids, true
}

// narrowSome finds those that lead to the few for whom the part holds.
func (c *column) narrowSome(t *test, limit int) ([]store.ID, bool) {
	inner, ok := c.narrow(&t.parts[0], limit)
	if !ok {
		return nil, false
	}
	inner = slices.Clone(inner)
	slices.Sort(inner)
	ids := []store.ID{}
	for _, node := range slices.Compact(inner) {
		if !c.holds(&t.parts[0], node) {
			continue
		}
		for _, s := range t.steps {
			if c.linked(node, s) > limit-len(ids) {
				return nil, false
			}
			ids = c.follow(ids, node, step{s.property, !s.inverse})
		}
	}
	return ids, len(ids) <= limit
}

// linked counts the triples by which a step backwards leads from a node.
func (c *column) linked(node store.ID, s step) int {
	n := 0
	for _, m := range c.members(node) {
		if s.inverse {
			n += c.r.Rows(m, s.property, 0).Len()
		} else {
			n += c.r.Rows(0, s.property, m).Len()
		}
	}
	return n
}

// holders finds the entities that have a literal of a property which passes a test, and
// those that have a list of it.
func (c *column) holders(p store.ID, t *test, limit int) ([]store.ID, bool) {
	rows := c.r.Rows(0, p, 0)
	first := rows.BelowSecond(c.s.FirstLiteral())
	ids := []store.ID{}
	if c.known.first != 0 {
		blanks := rows.Slice(rows.BelowSecond(c.s.FirstBlank()), first)
		if blanks.Len() > limit {
			return nil, false
		}
		for row := range blanks.All() {
			if c.isCell(row.O) {
				ids = append(ids, c.shown(row.S))
			}
		}
	}
	literals := rows.Slice(first, rows.BelowSecond(c.s.FirstQuoted()))
	if t.isText() {
		for _, v := range t.values {
			low, high := c.s.LiteralRange(v.String())
			some := literals.Slice(literals.BelowSecond(low), literals.BelowSecond(high))
			if some.Len() > limit-len(ids) {
				return nil, false
			}
			ids = c.subjects(ids, some)
		}
		return ids, true
	}
	for tried := 0; literals.Len() > 0; tried++ {
		if tried > limit || c.ended(tried) || c.spent() {
			return nil, false
		}
		var run store.Rows
		literal := literals.Second()
		run, literals = literals.Run()
		if t.passes(c.s.Text(literal)) {
			if run.Len() > limit-len(ids) {
				return nil, false
			}
			ids = c.subjects(ids, run)
		}
	}
	return ids, true
}

// subjects adds the entities that are the subjects of rows of a predicate.
func (c *column) subjects(to []store.ID, rows store.Rows) []store.ID {
	start := len(to)
	to = rows.Thirds(to)
	for i, id := range to[start:] {
		to[start+i] = c.shown(id)
	}
	return to
}
