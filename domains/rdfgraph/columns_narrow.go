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
		return c.narrowValue(t, limit)
	}
	return nil, false
}

// narrowValue finds those who have a value, or a label, that passes the test.
func (c *column) narrowValue(t *test, limit int) ([]store.ID, bool) {
	steps := t.steps
	if t.op == domains.OpLabel {
		steps = nil
		for _, p := range c.labels.shown {
			steps = append(steps, step{property: p, literals: true})
		}
	}
	h := holders{column: c, t: t, limit: limit, ids: []store.ID{}}
	for _, s := range steps {
		if !s.inverse && !h.find(s) {
			return nil, false
		}
	}
	return h.ids, true
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
			if c.isCell(o) && !c.spent() {
				members, _, _, _ := c.list(o, longestList)
				for _, m := range members {
					ids = append(ids, c.shown(m))
				}
			}
			if len(ids) > limit || c.ended(len(ids)) {
				return nil, false
			}
		}
	}
	return ids, true
}

// narrowSome finds those that lead to the few for whom the part holds.
func (c *column) narrowSome(t *test, limit int) ([]store.ID, bool) {
	if t.parts[0].isTrue() {
		return c.narrowExists(t, limit)
	}
	inner, ok := c.narrow(&t.parts[0], limit)
	if !ok {
		return nil, false
	}
	inner = slices.Clone(inner)
	slices.Sort(inner)
	ids := []store.ID{}
	for i, node := range slices.Compact(inner) {
		if c.ended(i) {
			return nil, false
		}
		if !c.holds(&t.parts[0], node) {
			continue
		}
		for _, s := range t.steps {
			if s.literals {
				continue
			}
			if c.linked(node, s) > limit-len(ids) {
				return nil, false
			}
			ids = c.follow(ids, node, step{property: s.property, inverse: !s.inverse})
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

// holders gathers the entities that have a value which passes a test, at most limit, and
// those that have a list.
type holders struct {
	*column
	t     *test
	limit int
	ids   []store.ID
}

// find adds those that have the value by a step. ok is false when they are too many.
func (h *holders) find(s step) (ok bool) {
	rows := h.r.Rows(0, s.property, 0)
	first := rows.BelowSecond(h.s.FirstLiteral())
	entities, literals := rows.Slice(0, first), rows.Slice(first, rows.BelowSecond(h.s.FirstQuoted()))
	if h.known.first != 0 {
		for some := entities.Slice(entities.BelowSecond(h.s.FirstBlank()), first); some.Len() > 0; {
			var run store.Rows
			cell := some.Second()
			run, some = some.Run()
			if h.isCell(cell) && !h.add(run) {
				return false
			}
		}
	}
	if s.literals || h.t.kind() != xsd.String {
		entities = entities.Slice(0, 0)
	}
	if !h.t.isText() {
		return h.try(literals) && h.try(entities)
	}
	for _, v := range h.t.values {
		low, high := h.s.LiteralRange(v.String())
		if !h.add(between(literals, low, high)) {
			return false
		}
		id, found := h.resolve(v.String())
		if !found || h.iri(id) != v.String() {
			continue
		}
		for _, m := range h.members(id) {
			if !h.add(between(entities, m, m+1)) {
				return false
			}
		}
	}
	return true
}

// between are the rows of a predicate whose objects are from low to before high.
func between(rows store.Rows, low, high store.ID) store.Rows {
	return rows.Slice(rows.BelowSecond(low), rows.BelowSecond(high))
}

// try adds the subjects of the rows whose object passes the test, which is looked at once
// for each object.
func (h *holders) try(rows store.Rows) (ok bool) {
	for rows.Len() > 0 {
		if h.tries <= 0 || h.ended(h.tries) || h.spent() {
			return false
		}
		h.tries--
		var run store.Rows
		value := h.shown(rows.Second())
		run, rows = rows.Run()
		if h.passes(h.t, value) && !h.add(run) {
			return false
		}
	}
	return true
}

// add adds the entities that are the subjects of rows of a predicate.
func (h *holders) add(rows store.Rows) (ok bool) {
	if rows.Len() > h.limit-len(h.ids) || h.tooMany(rows.Len()) {
		return false
	}
	start := len(h.ids)
	h.ids = rows.Thirds(h.ids)
	for i, id := range h.ids[start:] {
		h.ids[start+i] = h.shown(id)
	}
	return true
}
