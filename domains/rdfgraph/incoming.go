package rdfgraph

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// readAll is up to how many incoming triples are read to see which properties
// they have; a hub with more is asked for each property of the graph instead.
const readAll = 64

// incoming describes the facts that the IRIs of an entity are the object of. A
// subject that is a blank node inside another entity stands for that entity, and a
// cell of a list for the property that has the list.
func (d *description) incoming(members []store.ID) ([]domains.Fact, error) {
	var list []property
	for _, m := range members {
		for _, p := range d.incomingProperties(m) {
			list = append(list, property{p, []store.Rows{d.r.Rows(0, p, m)}})
		}
	}
	facts := map[store.ID]*domains.Fact{}
	for _, p := range byProperty(list) {
		if err := d.incomingFact(p, facts); err != nil {
			return nil, err
		}
	}
	var out []domains.Fact
	for _, p := range slices.Sorted(maps.Keys(facts)) {
		if facts[p].Total > 0 {
			out = append(out, *facts[p])
		}
	}
	return out, nil
}

// incomingProperties are the properties by which triples lead to an IRI, in
// order, without rdf:type.
func (d *description) incomingProperties(object store.ID) []store.ID {
	var out []store.ID
	rows := d.r.Rows(0, 0, object)
	if rows.Len() > max(readAll, len(d.s.PredicateIDs())) {
		for _, p := range d.s.PredicateIDs() {
			if p != d.known.rdfType && d.r.Rows(0, p, object).Len() > 0 {
				out = append(out, p)
			}
		}
		return out
	}
	for row := range rows.All() {
		if row.P != d.known.rdfType && !slices.Contains(out, row.P) {
			out = append(out, row.P)
		}
	}
	slices.Sort(out)
	return out
}

// incomingFact adds the subjects of one property to the facts. Those that are not
// read are counted under the property itself.
func (d *description) incomingFact(p property, facts map[store.ID]*domains.Fact) error {
	subjects, total, err := d.values(p)
	if err != nil {
		return err
	}
	seen := map[[2]store.ID]bool{}
	fact(facts, d.graph, p.id).Total += total - len(subjects)
	for _, s := range subjects {
		home, via := d.home(s)
		under := cmp.Or(via, p.id)
		key := [2]store.ID{home, under}
		if home == d.self || seen[key] { // what leads to itself is shown as outgoing
			continue
		}
		seen[key] = true
		f := fact(facts, d.graph, under)
		f.Total++
		if len(f.Values) < d.fanout {
			if d.follows(under, home) {
				d.meet(home)
			}
			ref := d.ref(home)
			f.Values = append(f.Values, domains.Value{Ref: &ref})
		}
	}
	return nil
}

// fact returns the incoming fact of a property, a new one if need be.
func fact(facts map[store.ID]*domains.Fact, g *graph, p store.ID) *domains.Fact {
	if facts[p] == nil {
		facts[p] = &domains.Fact{Property: g.s.Text(p), Incoming: true}
	}
	return facts[p]
}
