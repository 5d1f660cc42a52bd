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
	property store.ID
	inverse  bool
}

// steps are those that the graph has triples for, each once.
func (c *column) steps(steps []domains.Step) []step {
	out := make([]step, 0, len(steps))
	for _, s := range steps {
		if id, ok := c.s.LookupIRI(s.Property); ok && !slices.Contains(out, step{id, s.Inverse}) {
			out = append(out, step{id, s.Inverse})
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
				out.Items = c.appendTerms(out.Items, c.read.At(i), limit)
			default:
				c.values = c.values[:0]
				for _, s := range forward {
					c.values = c.forward(c.values, node, s.property, limit)
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

// appendTerms adds those of some values that are IRIs and literals to a list, at most
// limit.
func (c *column) appendTerms(to []rdf.Term, values []store.ID, limit int) []rdf.Term {
	for _, v := range values {
		if limit == 0 {
			break
		}
		if t := c.s.Term(v); t.Kind == rdf.IRI || t.Kind == rdf.Literal {
			to = append(to, t)
			limit--
		}
	}
	return to
}

// forward adds the values that an entity has of a property to a list: entities as they
// are shown, the members of a list that is the only value, and no empty list. They come
// sorted where the entity has one IRI and no value is shown with another; one may come
// twice. Where many are literals or IRIs, not more than the first few of each are needed.
func (c *column) forward(to []store.ID, node, p store.ID, few int) []store.ID {
	start := len(to)
	if c.groups.has(node) {
		to = c.written(to, node, p)
	} else {
		rows := c.r.Rows(node, p, 0)
		if rows.Len() == 0 {
			return to
		}
		if rows.Len() > 2 && rows.Len()-c.columns.few > few && !(c.known.first != 0 && c.labels.is[p]) {
			return c.forwardFew(to, node, p, rows, few)
		}
		to = rows.Thirds(to)
	}
	if c.columns.plain {
		return to
	}
	return c.refine(to, start, node, p)
}

// forwardFew is forward where there are many values, of which only the first few IRIs
// and literals are needed. So many values are no list.
func (c *column) forwardFew(to []store.ID, node, p store.ID, rows store.Rows, few int) []store.ID {
	start := len(to)
	resources, literals := rows.Split(c.s.FirstLiteral())
	if len(c.groups.moved) == 0 {
		resources, _ = resources.Split(c.s.FirstBlank())
		resources = resources.Slice(0, min(few+2, resources.Len())) // rdf:nil and the entity itself are no values
	}
	to = resources.Thirds(to)
	to = literals.Slice(0, min(few, literals.Len())).Thirds(to)
	return c.show(to, start, node, p)
}

// written adds the values of a property as they are written, each once.
func (c *column) written(to []store.ID, node, p store.ID) []store.ID {
	if !c.groups.has(node) {
		return c.r.Rows(node, p, 0).Thirds(to)
	}
	start := len(to)
	for _, m := range c.members(node) {
		to = c.r.Rows(m, p, 0).Thirds(to)
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
		if cell, ok := c.onlyList(to[start:], p); ok {
			literals := c.literalsOf(to[start:])
			members, _, _, _ := c.list(cell, longestList)
			to = append(append(to[:start], members...), literals...)
		}
	}
	return c.show(to, start, node, p)
}

// literalsOf copies the literals out of sorted values.
func (c *column) literalsOf(values []store.ID) []store.ID {
	i, _ := slices.BinarySearch(values, c.s.FirstLiteral())
	return slices.Clone(values[i:])
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

// onlyList is the list that stands for a property, whose values are those written: it is
// the only one. Literals of a label property are labels and do not count, nor do empty
// lists.
func (c *column) onlyList(values []store.ID, p store.ID) (cell store.ID, ok bool) {
	for _, v := range values {
		switch {
		case v == c.known.null:
		case v >= c.s.FirstLiteral() && c.labels.is[p]:
			return cell, cell != 0
		case cell != 0 || !c.isCell(v):
			return 0, false
		default:
			cell = v
		}
	}
	return cell, cell != 0
}

// backward adds the entities that have an entity as a value of a property to a list. One
// may come twice.
func (c *column) backward(to []store.ID, node, p store.ID) []store.ID {
	start := len(to)
	if c.groups.has(node) {
		for _, m := range c.members(node) {
			to = c.r.Rows(0, p, m).Thirds(to)
		}
	} else {
		to = c.r.Rows(0, p, node).Thirds(to)
	}
	if c.columns.plain {
		return to
	}
	return c.origins(to, start, node, p)
}

// origins makes of subjects as they are written the entities that have an entity as a
// value of a property.
func (c *column) origins(to []store.ID, start int, node, p store.ID) []store.ID {
	kept := start
	for _, subject := range to[start:] {
		if subject = c.shown(subject); c.leadsTo(subject, p, node) {
			to[kept] = subject
			kept++
		}
	}
	return c.listOwners(to[:kept], node, p)
}

// leadsTo says whether a triple from one entity to another says that the other is a
// value: not where the members of a list are, or the triple is a part of one.
func (c *column) leadsTo(subject, p, node store.ID) bool {
	switch {
	case p == c.known.sameAs && subject == node, node == c.known.null:
		return false
	case c.known.first == 0:
		return true
	case c.isPlumbing(subject, p):
		return false
	}
	return c.s.Kind(node) != rdf.Blank || !c.isCell(node) || c.listOf(subject, p) != node
}

// listOf is the list whose members are the values of a property; 0 where none is.
func (c *column) listOf(subject, p store.ID) store.ID {
	if rows := c.r.Rows(subject, p, 0); !c.groups.has(subject) && rows.Len() > 2 && !c.labels.is[p] {
		return 0
	}
	cell, _ := c.onlyList(c.written(nil, subject, p), p)
	return cell
}

// listOwners adds the entities that have a list with an entity in it as the values of a
// property. It climbs from the cells that hold the entity, each once.
func (c *column) listOwners(to []store.ID, node, p store.ID) []store.ID {
	if c.known.first == 0 || node == c.known.null {
		return to
	}
	c.cells = c.cells[:0]
	for _, m := range c.members(node) {
		c.cells = c.r.Rows(0, c.known.first, m).Thirds(c.cells)
		if c.known.rest != 0 && !c.isCell(m) { // it may be what a list ends with
			c.cells = c.r.Rows(0, c.known.rest, m).Thirds(c.cells)
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
			c.cells = c.r.Rows(0, c.known.rest, cell).Thirds(c.cells)
		}
		owners := c.r.Rows(0, p, cell)
		for j := range owners.Len() {
			if owner := c.shown(owners.Third(j)); !c.isPlumbing(owner, p) && c.listOf(owner, p) == cell {
				to = append(to, owner)
			}
		}
	}
	return to
}
