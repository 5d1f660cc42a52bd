package rdfgraph

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// deepest is how many hops a walk goes at most.
const deepest = 10

// Walk implements domains.Facts.
//
// Blank nodes that one triple leads to are described inside their owner, and what
// they lead to is a neighbour of the owner; others are entities with an IRI made for
// them. The members of a list are the values of the property that has the list.
// Neighbours are what facts lead to in either direction, without classes and other
// schema terms, and without IRIs that are only mentioned. Values beyond the fan-out
// are counted by index, as they are written.
func (g *graph) Walk(ctx context.Context, from []string, o domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		c := g.call(ctx, o.Languages)
		defer c.r.Done()
		depth := min(max(o.Depth, 0), deepest)
		seen := map[store.ID]bool{}
		var layer []store.ID
		for _, iri := range from {
			if id, ok := g.resolve(iri); ok && !seen[id] {
				seen[id] = true
				layer = append(layer, id)
			}
		}
		w := walk{call: c, o: o, seen: seen, yield: yield}
		for distance := 0; len(layer) > 0; distance++ {
			if w.follow = distance < depth; !w.describe(layer, distance) {
				return
			}
			slices.SortFunc(w.next, func(a, b store.ID) int { return cmp.Compare(g.place(a), g.place(b)) })
			layer, w.next = w.next, nil
		}
	}
}

// walk is one walk under way.
type walk struct {
	*call
	o     domains.WalkOptions
	yield func(domains.Entity, error) bool
	// seen are the entities that have a place in the walk, next those of the next layer.
	seen map[store.ID]bool
	next []store.ID
	// follow is set when there is a next layer.
	follow bool
	met    int // entities that were described or passed
}

// meet is told what an entity leads to.
func (w *walk) meet(n store.ID) {
	if !w.seen[n] {
		w.seen[n] = true
		w.next = append(w.next, n)
	}
}

// describe yields the entities of a layer, and finds those of the next. Where an entity
// is passed, or not all of it is told, whom it leads to is looked up when the layer is at
// its end: most consumers stop before. false means that the walk is over.
func (w *walk) describe(layer []store.ID, distance int) bool {
	var later []store.ID
	for _, id := range layer {
		d := &description{call: w.call, self: id, fanout: max(w.o.Fanout, 1), window: w.o.Shown}
		if w.follow {
			d.meet = w.meet
		}
		var e domains.Entity
		var err error
		if w.met < w.o.Skip {
			e, d.later = domains.Entity{IRI: w.iri(id), Distance: distance}, true
		} else {
			if w.met == w.o.Skip {
				d.passed = w.o.Passed
			}
			e, err = d.entity(distance)
		}
		w.met++
		if err == nil {
			err = w.ctx.Err()
		}
		if err != nil {
			w.yield(domains.Entity{}, err)
			return false
		}
		if !w.yield(e, nil) {
			return false
		}
		if d.later {
			later = append(later, id)
		}
	}
	if !w.follow {
		return true
	}
	for _, id := range later {
		d := &description{call: w.call, self: id, fanout: max(w.o.Fanout, 1), meet: w.meet, quiet: true}
		if _, err := d.entity(distance); err != nil {
			w.yield(domains.Entity{}, err)
			return false
		}
	}
	return true
}
