package rdfgraph

import (
	"cmp"
	"context"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Stats implements domains.Facts. It counts the facts: triples whose subject is a
// schema term are left out of every number. An entity with several IRIs counts once
// as an instance of its classes; triples are counted as they are written.
// Relationships are, as in OntoBricks contract 1.1, all triples that are neither
// types nor labels.
func (g *graph) Stats(context.Context) (*domains.Stats, error) {
	out := g.stats
	out.Types = slices.Clone(out.Types)
	out.Properties = slices.Clone(out.Properties)
	return &out, nil
}

// count works the numbers out: what the indexes say of the whole graph, less what
// they say of the schema terms.
func (g *graph) count(r *store.Reader) domains.Stats {
	out := domains.Stats{Triples: g.s.Len(), Subjects: g.s.Subjects()}
	ofSchema := map[store.ID]int{} // predicate → triples about schema terms
	for id := range g.schema {
		rows := r.Rows(id, 0, 0)
		if rows.Len() == 0 {
			continue
		}
		out.Subjects--
		out.Triples -= rows.Len()
		for run, rest := rows.Run(); run.Len() > 0; run, rest = rest.Run() {
			p := run.Second()
			ofSchema[p] += run.Len()
			if g.labels.is[p] {
				_, literals := run.Split(g.s.FirstLiteral())
				out.Labels -= literals.Len()
			}
		}
	}
	for _, p := range g.s.PredicateIDs() {
		rows := r.Rows(0, p, 0)
		n := rows.Len() - ofSchema[p]
		if g.labels.is[p] {
			out.Labels += g.literalRows(rows)
		}
		if n == 0 {
			continue
		}
		out.Predicates++
		out.Properties = append(out.Properties, domains.Count{IRI: g.s.Text(p), Count: n})
		if p == g.known.rdfType {
			out.TypeAssertions = n
		}
	}
	out.Relationships = max(out.Triples-out.TypeAssertions-out.Labels, 0)
	for class, in := range g.classes {
		if in.facts > 0 && !domains.SaysNothing(g.s.Text(class)) {
			out.Types = append(out.Types, domains.Count{IRI: g.s.Text(class), Count: in.facts})
		}
	}
	largestFirst(out.Types)
	largestFirst(out.Properties)
	return out
}

// literalRows counts the rows of a predicate that have a literal: those come last.
func (g *graph) literalRows(rows store.Rows) int {
	return rows.Len() - rows.BelowSecond(g.s.FirstLiteral())
}

func largestFirst(counts []domains.Count) {
	slices.SortFunc(counts, func(a, b domains.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.IRI, b.IRI))
	})
}
