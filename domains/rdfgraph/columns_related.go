package rdfgraph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// These say how to read less of relations.
const (
	narrowRelated = "ask for fewer entities at once, or for a smaller offset."
	narrowText    = "search for entities of the class instead, or ask for fewer entities at once."
)

// Related implements domains.Columns.
func (g *columns) Related(ctx context.Context, from []domains.Node, r domains.Relation) (domains.Lists[domains.Node], error) {
	c := g.column(ctx, nil)
	defer c.r.Done()
	r.Offset, r.Text = max(r.Offset, 0), strings.TrimSpace(r.Text)
	steps := slices.DeleteFunc(c.steps(r.Steps), func(s step) bool { return s.literals })
	related := relation{column: c, Relation: r, steps: steps}
	if r.Text != "" {
		c.most = g.selected // to read a name takes longer
	}
	out := domains.Lists[domains.Node]{Ends: make([]int, 0, len(from)), Items: make([]domains.Node, 0, min(len(from), r.Most))}
	c.blocks(from, func(first int, ids []store.ID) {
		related.readBlock(ids)
		for i, node := range ids {
			left := r.Most - len(out.Items)
			if node != 0 && left > 0 {
				for _, id := range related.page(i, node, min(r.Limit, left)) {
					out.Items = append(out.Items, domains.Node(id))
				}
			}
			out.Append()
		}
		if first == 0 {
			out.Items = slices.Grow(out.Items, min(likely(len(out.Items), len(from)), max(0, r.Most-len(out.Items))))
		}
	})
	if r.Text != "" {
		return out, c.err(narrowText)
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

// readBlock reads what nodes have of the only step.
func (r *relation) readBlock(nodes []store.ID) {
	if len(r.steps) != 1 {
		return
	}
	if s := r.steps[0]; s.inverse {
		r.r.Subjects(nodes, s.property, r.columns.few, &r.read)
	} else {
		r.r.Objects(nodes, s.property, r.columns.few, &r.read)
	}
}

// page lists the entities that a node, the i-th of its block, leads to: from Offset on
// and at most limit. It is good until the next call.
func (r *relation) page(i int, node store.ID, limit int) []store.ID {
	if limit <= 0 {
		return nil
	}
	r.buf = r.buf[:0]
	if len(r.steps) == 1 && !r.groups.has(node) && len(r.read.At(i)) < r.columns.few {
		r.buf = append(r.buf, r.read.At(i)...)
		switch s := r.steps[0]; {
		case r.columns.plain:
		case s.inverse:
			r.buf = r.origins(r.buf, 0, node, s.property)
		default:
			r.buf = r.refine(r.buf, 0, node, s.property)
		}
	} else {
		if r.Text == "" {
			if page, ok := r.hubPage(node, limit); ok {
				return page
			}
		}
		for _, s := range r.steps {
			r.buf = r.follow(r.buf, node, s)
		}
	}
	all := r.inOrder(r.buf)
	if r.Text != "" {
		all = r.withText(all)
	}
	all = all[min(r.Offset, len(all)):]
	return all[:min(limit, len(all))]
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
