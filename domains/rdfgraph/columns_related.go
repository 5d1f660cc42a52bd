package rdfgraph

import (
	"cmp"
	"context"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// narrowRelated says how to read less of relations.
const narrowRelated = "ask for fewer entities at once, or for a smaller offset."

// Related implements domains.Columns.
func (g *columns) Related(ctx context.Context, from []domains.Node, r domains.Relation) (domains.Lists[domains.Node], error) {
	c := g.column(ctx, nil)
	defer c.r.Done()
	related := relation{column: c, Relation: r, steps: g.steps(r.Steps)}
	out := domains.Lists[domains.Node]{Ends: make([]int, 0, len(from)), Items: make([]domains.Node, 0, min(len(from), r.Most))}
	for i, n := range from {
		if c.ended(i) || c.spent() {
			return domains.Lists[domains.Node]{}, c.err(narrowRelated)
		}
		if node, left := g.node(n), r.Most-len(out.Items); node != 0 && left > 0 {
			for _, id := range related.page(node, min(r.Limit, left)) {
				out.Items = append(out.Items, domains.Node(id))
			}
		}
		out.Append()
	}
	return out, c.err(narrowRelated)
}

// relation is a domains.Relation that is being followed.
type relation struct {
	*column
	domains.Relation
	steps []step
	buf   []store.ID
}

// page lists the entities that a node leads to, from Offset on and at most limit. It is
// good until the next call.
func (r *relation) page(node store.ID, limit int) []store.ID {
	if limit <= 0 {
		return nil
	}
	r.buf = r.all(r.buf[:0], node)
	all := r.inOrder(r.buf)
	all = all[min(r.Offset, len(all)):]
	return all[:min(limit, len(all))]
}

// all adds the entities that a node leads to, in no order and some twice.
func (r *relation) all(to []store.ID, node store.ID) []store.ID {
	for _, s := range r.steps {
		if s.inverse {
			to = r.backward(to, node, s.property)
			continue
		}
		start := len(to)
		to = r.forward(to, node, s.property, mostRead)
		for len(to) > start && to[len(to)-1] >= r.s.FirstLiteral() {
			to = to[:len(to)-1]
		}
	}
	return to
}

// inOrder sorts entities by the IRIs that they are shown with and drops literals and
// what comes twice.
func (c *column) inOrder(nodes []store.ID) []store.ID {
	kept := nodes[:0]
	sorted, last := true, uint64(0)
	for _, n := range nodes {
		if n >= c.s.FirstLiteral() {
			continue
		}
		place := c.place(n)
		sorted = sorted && place > last
		last = place
		kept = append(kept, n)
	}
	if sorted {
		return kept
	}
	slices.SortFunc(kept, func(a, b store.ID) int { return cmp.Compare(c.place(a), c.place(b)) })
	return slices.Compact(kept)
}
