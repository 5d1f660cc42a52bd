package rdfgraph

import (
	"context"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// step is a domains.Step by number.
type step struct {
	property          store.ID
	inverse, literals bool
}

// steps are those that may lead to something, each once.
func (c *column) steps(steps []domains.Step) []step {
	out := make([]step, 0, len(steps))
	for _, s := range steps {
		id, ok := c.s.LookupIRI(s.Property)
		if next := (step{id, s.Inverse, s.Literals}); ok && !(s.Inverse && s.Literals) && !slices.Contains(out, next) {
			out = append(out, next)
		}
	}
	return out
}

// block is how many nodes are looked up at once.
const block = 512

// blocks calls yield for nodes in blocks, with the number of the first of a block; a Node
// that is none is 0. It ends when the call has failed.
func (c *column) blocks(from []domains.Node, yield func(first int, ids []store.ID)) {
	var ids [block]store.ID
	for first := 0; first < len(from) && c.ctx.Err() == nil && !c.spent(); first += block {
		some := from[first:min(first+block, len(from))]
		for i, n := range some {
			ids[i] = c.columns.node(n)
		}
		yield(first, ids[:len(some)])
	}
}

// Values implements domains.Columns.
func (g *columns) Values(ctx context.Context, from []domains.Node, steps []domains.Step, limit int) (domains.Lists[rdf.Term], error) {
	c := g.column(ctx, nil)
	defer c.r.Done()
	out := domains.Lists[rdf.Term]{Ends: make([]int, 0, len(from)), Items: make([]rdf.Term, 0, len(from))}
	forward := slices.DeleteFunc(c.steps(steps), func(s step) bool { return s.inverse })
	if len(forward) == 0 || limit <= 0 {
		return domains.Lists[rdf.Term]{Ends: make([]int, len(from))}, ctx.Err()
	}
	c.blocks(from, func(first int, ids []store.ID) {
		single := len(forward) == 1
		if single {
			c.r.Objects(ids, forward[0].property, limit+g.few+1, &c.read)
		}
		for i, node := range ids {
			switch {
			case node == 0:
			case single && c.isWhole(node, forward[0].property, c.read.At(i), limit):
				out.Items = c.appendTerms(out.Items, c.countable(c.read.At(i), forward[0]), limit)
			default:
				c.values = c.values[:0]
				for _, s := range forward {
					c.values = c.valuesOf(c.values, node, s, limit)
				}
				slices.Sort(c.values)
				out.Items = c.appendTerms(out.Items, slices.Compact(c.values), limit)
			}
			out.Append()
		}
		if first == 0 {
			out.Items = slices.Grow(out.Items, likely(len(out.Items), len(from)))
		}
	})
	return out, c.err("ask for fewer entities at once.")
}

// isWhole says whether the values of a property as they are written are what an entity
// has of it.
func (c *column) isWhole(node, p store.ID, values []store.ID, limit int) bool {
	switch {
	case c.groups.has(node) || len(values) > limit+c.columns.few:
		return false
	case c.columns.plain || len(values) == 0:
		return true
	}
	return values[0] >= c.s.FirstLiteral() && p != c.known.first && p != c.known.rest
}

// likely is how many more items there will be of n nodes, when the first block has so
// many.
func likely(items, n int) int { return max(0, items*(n-block)/block) }

// countable are those of sorted values that a step counts.
func (c *column) countable(values []store.ID, s step) []store.ID {
	if !s.literals {
		return values
	}
	i, _ := slices.BinarySearch(values, c.s.FirstLiteral())
	return values[i:]
}

// appendTerms adds those of some sorted values that are no triple terms to a list, at
// most limit.
func (c *column) appendTerms(to []rdf.Term, values []store.ID, limit int) []rdf.Term {
	for _, v := range values {
		if limit == 0 || v >= c.s.FirstQuoted() {
			break
		}
		t := c.s.Term(v)
		if t.Kind == rdf.Blank {
			t = rdf.NewIRI(c.iri(v))
		}
		to = append(to, t)
		limit--
	}
	return to
}

// valuesOf adds the values that an entity has by a step to a list, as forward does; none
// where it is inverse.
func (c *column) valuesOf(to []store.ID, node store.ID, s step, few int) []store.ID {
	if s.inverse {
		return to
	}
	start := len(to)
	to = c.forward(to, node, s.property, few)
	if s.literals {
		kept := slices.DeleteFunc(to[start:], func(v store.ID) bool { return v < c.s.FirstLiteral() })
		to = to[:start+len(kept)]
	}
	return to
}

// forward adds the values that an entity has of a property to a list: entities as they
// are shown, the members of lists, and no empty list. They come in no order and one may
// come twice. Where there are many, not more than the first few entities and literals are
// needed.
func (c *column) forward(to []store.ID, node, p store.ID, few int) []store.ID {
	start := len(to)
	if c.groups.has(node) {
		to = c.written(to, node, p)
	} else {
		rows := c.r.Rows(node, p, 0)
		if rows.Len() == 0 {
			return to
		}
		if rows.Len()-c.columns.few > few {
			if some, ok := c.forwardFew(to, node, p, rows, few); ok {
				return some
			}
		}
		if c.tooMany(rows.Len()) {
			return to
		}
		to = rows.Thirds(to)
	}
	if c.columns.plain {
		return to
	}
	return c.refine(to, start, node, p)
}

// forwardFew is forward where there are many values, of which only the first few
// entities and literals are needed. ok is false where lists may be among them.
func (c *column) forwardFew(to []store.ID, node, p store.ID, rows store.Rows, few int) (list []store.ID, ok bool) {
	start := len(to)
	resources, literals := rows.Split(c.s.FirstLiteral())
	if c.known.first != 0 {
		if _, blanks := resources.Split(c.s.FirstBlank()); blanks.Len() > 0 || c.isPlumbing(node, p) {
			return to, false
		}
	}
	if len(c.groups.moved) == 0 {
		resources = resources.Slice(0, min(few+2, resources.Len())) // rdf:nil and the entity itself are no values
	}
	literals = literals.Slice(0, min(few, literals.Len()))
	if c.tooMany(resources.Len() + literals.Len()) {
		return to, true
	}
	to = literals.Thirds(resources.Thirds(to))
	return c.show(to, start, node, p), true
}

// tooMany says whether so many further entries may not be read; the call has failed then.
func (c *column) tooMany(n int) bool {
	c.over = c.over || n > c.most || c.r.Work().Reads() > c.most-n
	return c.over || n > block && c.ctx.Err() != nil
}

// written adds the values of a property as they are written, each once and in order.
func (c *column) written(to []store.ID, node, p store.ID) []store.ID {
	if !c.groups.has(node) {
		return c.r.Rows(node, p, 0).Thirds(to)
	}
	start := len(to)
	for _, m := range c.members(node) {
		rows := c.r.Rows(m, p, 0)
		if c.tooMany(rows.Len()) {
			break
		}
		to = rows.Thirds(to)
	}
	slices.Sort(to[start:])
	return to[:start+len(slices.Compact(to[start:]))]
}

// refine makes of values as they are written those that an entity has.
func (c *column) refine(to []store.ID, start int, node, p store.ID) []store.ID {
	if c.known.first != 0 {
		if c.isPlumbing(node, p) {
			return to[:start]
		}
		to = c.expand(to, start)
	}
	return c.show(to, start, node, p)
}

// expand replaces lists among values by their members.
func (c *column) expand(to []store.ID, start int) []store.ID {
	var members []store.ID
	kept := start
	for _, v := range to[start:] {
		if !c.isCell(v) {
			to[kept] = v
			kept++
		} else if !c.spent() && c.ctx.Err() == nil {
			some, _, _, _ := c.list(v, longestList)
			members = append(members, some...)
		}
	}
	return append(to[:kept], members...)
}

// show replaces values by what they are shown with, and drops empty lists and what
// owl:sameAs says of the entity itself.
func (c *column) show(to []store.ID, start int, node, p store.ID) []store.ID {
	kept := start
	for _, v := range to[start:] {
		v = c.shown(v)
		if v == c.known.null || v == node && p == c.known.sameAs {
			continue
		}
		to[kept] = v
		kept++
	}
	return to[:kept]
}

// isPlumbing says whether a property is what a list is made of.
func (c *column) isPlumbing(node, p store.ID) bool {
	return (p == c.known.first || p == c.known.rest) && c.isCell(node)
}

// backward adds the entities that have an entity as a value of a property to a list. One
// may come twice.
func (c *column) backward(to []store.ID, node, p store.ID) []store.ID {
	start := len(to)
	if c.groups.has(node) {
		for _, m := range c.members(node) {
			to = c.subjects(to, p, m)
		}
	} else {
		to = c.subjects(to, p, node)
	}
	if c.columns.plain {
		return to
	}
	return c.origins(to, start, node, p)
}

// subjects adds those that have a value of a property, as it is written.
func (c *column) subjects(to []store.ID, p, value store.ID) []store.ID {
	rows := c.r.Rows(0, p, value)
	if c.tooMany(rows.Len()) {
		return to
	}
	return rows.Thirds(to)
}

// origins makes of subjects as they are written the entities that have an entity as a
// value of a property.
func (c *column) origins(to []store.ID, start int, node, p store.ID) []store.ID {
	kept := start
	for i, subject := range to[start:] {
		if c.ended(i) {
			return to[:start]
		}
		if subject = c.shown(subject); c.leadsTo(subject, p, node) {
			to[kept] = subject
			kept++
		}
	}
	return c.listOwners(to[:kept], node, p)
}

// leadsTo says whether a triple from one entity to another says that the other is a
// value: not where it is a list, or the triple is a part of one.
func (c *column) leadsTo(subject, p, node store.ID) bool {
	if p == c.known.sameAs && subject == node || node == c.known.null {
		return false
	}
	return c.known.first == 0 || !c.isPlumbing(subject, p) && !c.isCell(node)
}

// listOwners adds the entities that have a list with an entity in it as a value of a
// property. It climbs from the cells that hold the entity, each once.
func (c *column) listOwners(to []store.ID, node, p store.ID) []store.ID {
	if c.known.first == 0 || node == c.known.null {
		return to
	}
	c.cells = c.cells[:0]
	for _, m := range c.members(node) {
		c.cells = c.subjects(c.cells, c.known.first, m)
		if c.known.rest != 0 && !c.isCell(m) { // it may be what a list ends with
			c.cells = c.subjects(c.cells, c.known.rest, m)
		}
	}
	if len(c.cells) == 0 {
		return to
	}
	if c.seen == nil {
		c.seen = map[store.ID]bool{}
	}
	clear(c.seen)
	for i := 0; i < len(c.cells) && !c.spent() && !c.ended(i); i++ {
		cell := c.cells[i]
		if c.seen[cell] || !c.isCell(cell) {
			continue
		}
		c.seen[cell] = true
		if c.known.rest != 0 {
			c.cells = c.subjects(c.cells, c.known.rest, cell)
		}
		owners := c.r.Rows(0, p, cell)
		for j := range owners.Len() {
			if owner := c.shown(owners.Third(j)); !c.isPlumbing(owner, p) {
				to = append(to, owner)
			}
		}
	}
	return to
}
