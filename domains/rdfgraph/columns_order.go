package rdfgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// key is a value by which an entity is ordered: a term, and what it stands for unless that
// is its text. An entity without one, whose id is 0, comes last.
type key struct {
	id    store.ID
	value *xsd.Value
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
	// known are values by the terms that they were read from; nil for terms that have none.
	known [xsd.Time + 1]map[store.ID]*xsd.Value
}

func (s *selection) newBest(need int) *best {
	b := &best{column: s.column, need: need, labels: s.labeller()}
	for _, o := range s.Order {
		if int(o.Kind) >= len(b.known) {
			continue // nothing has such a value
		}
		same := func(p domains.Order) bool { return p.Kind == o.Kind && slices.Equal(p.Steps, o.Steps) }
		if slices.ContainsFunc(b.order, same) {
			continue
		}
		b.order = append(b.order, o)
		b.steps = append(b.steps, s.steps(o.Steps))
		b.known[o.Kind] = map[store.ID]*xsd.Value{}
	}
	b.keys = make([]key, len(b.order))
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
	for i := range b.order {
		k, l := x.keys[i], y.keys[i]
		switch {
		case k.id == l.id:
		case k.id == 0:
			return 1
		case l.id == 0:
			return -1
		default:
			order := b.compareKeys(k, l)
			if b.order[i].Descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
	}
	return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.place, y.place))
}

// compareKeys compares two keys of one order that are there.
func (b *best) compareKeys(k, l key) int {
	if k.value == nil {
		return strings.Compare(b.textOf(k.id), b.textOf(l.id))
	}
	order, _ := k.value.Compare(*l.value)
	return order
}

// keyOf is the value of an entity for one of the orders: of several the first.
func (b *best) keyOf(node store.ID, i int) (out key) {
	b.r.Posting() // it is kept
	o := b.order[i]
	if len(o.Steps) == 0 {
		return b.read(b.labels.choose(node).label, o.Kind)
	}
	start := len(b.stack)
	for _, s := range b.steps[i] {
		b.stack = b.valuesOf(b.stack, node, s, mostRead)
	}
	for _, v := range b.stack[start:] {
		k := b.read(v, o.Kind)
		if k.id != 0 && (out.id == 0 || b.compareKeys(k, out) < 0) {
			out = k
		}
	}
	b.stack = b.stack[:start]
	return out
}

// read reads a term as a value of a kind.
func (b *best) read(id store.ID, k xsd.Kind) key {
	switch {
	case !b.isOf(id, k):
		return key{}
	case k == xsd.String:
		return key{id: id}
	}
	known := b.known[k]
	value, ok := known[id]
	if !ok {
		v, err := xsd.Parse(k, b.textOf(id))
		if _, ordered := v.Compare(v); err == nil && ordered { // NaN is not
			value = &v
		}
		if len(known) < mostKept {
			known[id] = value
		}
	}
	if value == nil {
		return key{}
	}
	return key{id, value}
}

// mostKept is how many values are kept for when their terms come again.
const mostKept = 100_000
