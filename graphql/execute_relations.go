package graphql

import (
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// relation reads a field of entities, for all nodes of a group, and adds the groups that
// it leads to.
func (x *execution) relation(g *group, c *cell, next []*group) []*group {
	if c.fail != nil || c.source != readObjects {
		return next
	}
	if x.full {
		c.unread = true
		return next
	}
	p, fail := x.page(c)
	if fail != nil {
		c.fail = fail
		return next
	}
	var lists domains.Lists[domains.Node]
	if p.limit == 0 {
		lists.Ends = make([]int, len(g.nodes))
	} else {
		left := x.s.config.MaxEntities - x.counted
		var ok bool
		lists, ok = ask(x, g, c, func(from domains.Columns) (domains.Lists[domains.Node], error) {
			out, err := from.Related(x.ctx, g.nodes, domains.Relation{Steps: c.column.Steps, Text: p.search,
				Offset: p.offset, Limit: min(p.limit, left+1), Most: left + 1})
			return out, whole(err, len(out.Ends), g)
		})
		if !ok {
			return next
		}
	}
	return x.take(g, c, lists, c.column.Target, next)
}

// take takes in the entities that a field leads to: those that the limit leaves room for,
// each once in its group. target is the name of a type, or of the interface.
func (x *execution) take(g *group, c *cell, lists domains.Lists[domains.Node], target string, next []*group) []*group {
	c.ends = make([]int, len(lists.Ends))
	c.places = make([]place, 0, len(lists.Items))
	x.rows.reset(len(lists.Items))
	// Where there are more than wanted, lists may be empty only because reading ended.
	unsure := len(lists.Items) > x.s.config.MaxEntities-x.counted
	nodes, times := make([]domains.Node, 0, len(lists.Items)), make([]int, 0, len(lists.Items))
	for i := range lists.Ends {
		list, each := lists.At(i), g.times[i]
		room := (x.s.config.MaxEntities - x.counted) / each
		if x.full {
			room = 0
		}
		if room < len(list) || room == 0 && unsure && x.full {
			x.limit(g, c, i)
			if room == 0 {
				if c.cut == nil {
					c.cut = make([]bool, len(lists.Ends))
				}
				c.cut[i] = true
			}
			list = list[:room]
		}
		x.counted += each * len(list)
		for _, n := range list {
			row := x.rows.row(n)
			if int(row) == len(nodes) {
				nodes, times = append(nodes, n), append(times, 0)
			}
			times[row] += each
			c.places = append(c.places, place{0, row})
		}
		c.ends[i] = len(c.places)
	}
	if len(nodes) == 0 {
		return next
	}
	if target != entityType {
		return append(next, x.group(g, c, x.s.config.Model.Type(target), nodes, times))
	}
	return x.sort(g, c, nodes, times, next)
}

// group adds a group to a field. typ is nil for Untyped.
func (x *execution) group(above *group, by *cell, typ *Type, nodes []domains.Node, times []int) *group {
	name := untypedType
	if typ != nil {
		name = typ.Name
	}
	g := &group{object: x.doc.schema.Types[name], typ: typ, nodes: nodes, times: times,
		above: above, by: by, index: int32(len(by.groups))}
	by.groups = append(by.groups, g)
	if x.columns > mostColumns {
		x.crowded(above, by)
		g.lost = true
		return g
	}
	g.cells = x.cells(g, by.subsets())
	x.columns += len(g.cells)
	return g
}

// crowded stops taking in entities because those of too many types are asked for too
// much, and tells it once.
func (x *execution) crowded(g *group, c *cell) {
	if x.full {
		return
	}
	x.full = true
	x.first = append(x.first, Error{Path: pathOf(g, c, 0), Locations: locations(c.collected), Message: fmt.Sprintf(
		"An answer reads at most %s fields, each for all entities of one type that a relation leads to; this one was cut here: "+
			"ask for fewer fields or with smaller limits.", domains.Number(mostColumns))})
}

// sort parts entities of several types into groups.
func (x *execution) sort(g *group, c *cell, nodes []domains.Node, times []int, next []*group) []*group {
	types, ok := ask(x, g, c, func(from domains.Columns) (domains.Lists[string], error) {
		out, err := from.Types(x.ctx, nodes)
		return out, whole(err, len(out.Ends), &group{nodes: nodes})
	})
	if !ok {
		c.ends, c.places, c.cut = nil, nil, nil
		return next
	}
	of := map[*Type]int32{}
	var kinds []*Type
	moved := make([]place, len(nodes)) // row of nodes → its place
	parts := map[int32][]int32{}       // group → rows of nodes
	for row := range nodes {
		typ := x.s.kinds.most(types.At(row))
		i, known := of[typ]
		if !known {
			i = int32(len(kinds))
			of[typ] = i
			kinds = append(kinds, typ)
		}
		moved[row] = place{i, int32(len(parts[i]))}
		parts[i] = append(parts[i], int32(row))
	}
	for i, p := range c.places {
		c.places[i] = moved[p.row]
	}
	for i, typ := range kinds {
		part := parts[int32(i)]
		own, ownTimes := make([]domains.Node, len(part)), make([]int, len(part))
		for j, row := range part {
			own[j], ownTimes[j] = nodes[row], times[row]
		}
		next = append(next, x.group(g, c, typ, own, ownTimes))
	}
	return next
}

// limit stops taking in entities, and tells it once.
func (x *execution) limit(g *group, c *cell, row int) {
	if x.full {
		return
	}
	x.full = true
	x.first = append(x.first, Error{Path: pathOf(g, c, row), Locations: locations(c.collected), Message: fmt.Sprintf(
		"An answer holds at most %s entities, each counted wherever it stands; this one was cut here: "+
			"ask for less with smaller limits, page with limit and offset, or ask for a number with a field such as %s.",
		domains.Number(x.s.config.MaxEntities), x.s.counts(c))})
}

// counts is a field of Query that counts: what a field leads to, or else an example.
func (s *Service) counts(c *cell) string {
	m := s.config.Model
	if c.column != nil {
		if t := m.Type(c.column.Target); t != nil {
			return t.Count
		}
	}
	if r, ok := m.Root(c.field.Name); ok && r.Type != nil {
		return r.Type.Count
	}
	if len(m.Types) > 0 {
		return m.Types[0].Count
	}
	return "count…"
}

// kindred finds the type of an entity by its classes.
type kindred struct {
	of    map[string]*Type // class → the most specific type that its entities have
	depth map[*Type]int    // type → how many types are above it, in the longest line
}

// kindredOf works out which type is above which.
func kindredOf(types []*Type) kindred {
	k := kindred{map[string]*Type{}, map[*Type]int{}}
	own := map[string]*Type{} // class → its own type
	for _, t := range types {
		own[t.Class] = t
	}
	sorted := slices.Clone(types) // those above first: they have more classes than those below
	slices.SortStableFunc(sorted, func(a, b *Type) int { return len(b.Classes) - len(a.Classes) })
	for _, t := range sorted {
		for _, class := range t.Classes {
			if below := own[class]; below != nil && len(below.Classes) < len(t.Classes) {
				k.depth[below] = max(k.depth[below], k.depth[t]+1)
			}
		}
	}
	for _, t := range sorted {
		for _, class := range t.Classes {
			if own[class] == nil {
				k.of[class] = k.better(t, k.of[class])
			}
		}
		k.of[t.Class] = t
	}
	return k
}

// most is the type of an entity with some classes: the most specific one, then by name;
// nil when there is none.
func (k *kindred) most(classes []string) (best *Type) {
	for _, class := range classes {
		if t := k.of[class]; t != nil {
			best = k.better(t, best)
		}
	}
	return best
}

// better is the more specific one of two types, or that with the lesser name. b may be nil.
func (k *kindred) better(a, b *Type) *Type {
	if b == nil {
		return a
	}
	da, db := k.depth[a], k.depth[b]
	if da > db || da == db && a.Name < b.Name {
		return a
	}
	return b
}

// rowTable numbers nodes from 0 in the order in which they are met. It is a hash table
// that is used again and again, since a map for each field would cost more than the rest
// of reading it.
type rowTable struct {
	slots []slot
	shift uint
	used  int32
	round uint32
}

type slot struct {
	node  domains.Node
	row   int32
	round uint32
}

// reset forgets all nodes and makes room for some.
func (t *rowTable) reset(most int) {
	bits := uint(4)
	for 1<<bits < 2*most {
		bits++
	}
	if len(t.slots) < 1<<bits {
		t.slots, t.shift = make([]slot, 1<<bits), 64-bits
	}
	t.used = 0
	t.round++
}

// row is the number of a node; that of a new one is how many there were.
func (t *rowTable) row(n domains.Node) int32 {
	for i := uint64(n) * 0x9E3779B97F4A7C15 >> t.shift; ; i = (i + 1) & uint64(len(t.slots)-1) {
		s := &t.slots[i]
		if s.round != t.round {
			*s = slot{n, t.used, t.round}
			t.used++
			return s.row
		}
		if s.node == n {
			return s.row
		}
	}
}
