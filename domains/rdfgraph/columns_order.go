package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// key is a value by which an entity is ordered; without one it comes last.
type key struct {
	value xsd.Value
	has   bool
}

// pick is an entity that a selection may list.
type pick struct {
	id    store.ID
	rank  uint8 // by text; 0 without one
	place uint64
	keys  []key
}

// best keeps the first of candidates by an order: as many as are needed, or up to twice
// as many for a while.
type best struct {
	*column
	order  []domains.Order
	steps  [][]step // of each order
	labels *labeller
	need   int
	list   []pick
	full   bool // list[:need] is sorted, and what comes after its last is not needed
	keys   []key
}

func (s *selection) newBest(need int) *best {
	b := &best{column: s.column, order: s.Order, need: need, keys: make([]key, len(s.Order)), labels: s.labeller()}
	for _, o := range s.Order {
		b.steps = append(b.steps, s.steps(o.Steps))
	}
	return b
}

// add takes a candidate, whose keys it reads.
func (b *best) add(c pick) {
	if b.need <= 0 {
		return
	}
	for i := range b.order {
		b.keys[i] = b.keyOf(c.id, i)
	}
	c.place, c.keys = b.place(c.id), b.keys
	if b.full && b.compare(c, b.list[b.need-1]) > 0 {
		return
	}
	c.keys = slices.Clone(b.keys)
	b.list = append(b.list, c)
	if len(b.list) >= 2*b.need && len(b.list) >= 16*b.columns.few {
		b.sort()
	}
}

func (b *best) sort() {
	slices.SortFunc(b.list, b.compare)
	if len(b.list) >= b.need {
		clear(b.list[b.need:])
		b.list, b.full = b.list[:b.need], true
	}
}

// compare orders candidates by their keys, then by rank, then by IRI.
func (b *best) compare(x, y pick) int {
	for i, o := range b.order {
		k, l := x.keys[i], y.keys[i]
		switch {
		case k.has && l.has:
			order, _ := k.value.Compare(l.value)
			if o.Descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		case k.has:
			return -1
		case l.has:
			return 1
		}
	}
	return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.place, y.place))
}

// keyOf is the value of an entity for one of the orders: of several the first.
func (b *best) keyOf(node store.ID, i int) (out key) {
	o := b.order[i]
	add := func(text string) {
		v, err := xsd.Parse(o.Kind, text)
		if err != nil {
			return
		}
		if _, ordered := v.Compare(v); !ordered { // NaN
			return
		}
		if order, _ := v.Compare(out.value); !out.has || order < 0 {
			out = key{v, true}
		}
	}
	if len(o.Steps) == 0 {
		if label := b.labels.of(node); label != "" {
			add(label)
		}
		return out
	}
	start := len(b.stack)
	for _, s := range b.steps[i] {
		b.stack = b.valuesOf(b.stack, node, s, mostRead)
	}
	for _, v := range b.stack[start:] {
		if text, ok := b.textOf(v, o.Kind); ok {
			add(text)
		}
	}
	b.stack = b.stack[:start]
	return out
}
