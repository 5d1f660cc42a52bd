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
		for distance := 0; len(layer) > 0; distance++ {
			var next []store.ID
			for _, id := range layer {
				d := &description{call: c, self: id, fanout: max(o.Fanout, 1)}
				if distance < depth {
					d.meet = func(n store.ID) {
						if !seen[n] {
							seen[n] = true
							next = append(next, n)
						}
					}
				}
				e, err := d.entity(distance)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					yield(domains.Entity{}, err)
					return
				}
				if !yield(e, nil) {
					return
				}
			}
			slices.SortFunc(next, func(a, b store.ID) int { return cmp.Compare(g.place(a), g.place(b)) })
			layer = next
		}
	}
}
