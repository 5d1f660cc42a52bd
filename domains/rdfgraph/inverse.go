package rdfgraph

import (
	"slices"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mostTold is how many of the facts of one property are compared with those of its
// inverse.
const mostTold = 100_000

// findInverses looks up the inverses of properties. Those that the graph does not use
// are none.
func (g *graph) findInverses() map[store.ID][]store.ID {
	out := map[store.ID][]store.ID{}
	for i := range g.ontology.Properties {
		p := &g.ontology.Properties[i]
		if len(p.Inverses) == 0 {
			continue
		}
		id, ok := g.s.LookupIRI(p.IRI)
		if !ok {
			continue
		}
		for _, inverse := range p.Inverses {
			if q, ok := g.s.LookupIRI(inverse); ok {
				out[id] = append(out[id], q)
			}
		}
	}
	return out
}

// told is what an entity tells by the inverses of a property.
type told struct {
	ids   []store.ID        // in order, as the facts name them
	shown map[store.ID]bool // as they are shown
}

// toldBy finds to what the entity leads by the inverses of a property.
func (d *description) toldBy(p store.ID) told {
	var t told
	for _, inverse := range d.inverses[p] {
		for _, m := range d.members(d.self) {
			rows := d.r.Rows(m, inverse, 0)
			for i := range min(rows.Len(), mostTold-len(t.ids)) {
				t.ids = append(t.ids, rows.Third(i))
			}
		}
	}
	if len(t.ids) == 0 {
		return t
	}
	slices.Sort(t.ids)
	t.ids = slices.Compact(t.ids)
	t.shown = make(map[store.ID]bool, len(t.ids))
	for _, id := range t.ids {
		t.shown[d.shown(id)] = true
	}
	return t
}

// unread counts those that are subjects of a property too, and are not among the subjects
// that were read. These are in order.
func (t told) unread(p property, read []store.ID) int {
	n := 0
	for _, id := range t.ids {
		if _, isRead := slices.BinarySearch(read, id); isRead {
			continue
		}
		if slices.ContainsFunc(p.rows, func(r store.Rows) bool { return r.HasThird(id) }) {
			n++
		}
	}
	return n
}
