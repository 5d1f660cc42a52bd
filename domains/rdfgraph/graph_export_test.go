package rdfgraph

import (
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// EndLoading loads the graph of a snapshot with a context.
func EndLoading(ctx context.Context, s *store.Snapshot) error {
	onto, terms, err := owl.Build(context.Background(), s, owl.Options{})
	if err != nil {
		return err
	}
	_, err = newGraph(ctx, graphConfig{Snapshot: s, Ontology: onto, Schema: terms})
	return err
}

// NewFacts opens the graph of a snapshot to tests, which must see its work.
func NewFacts(s *store.Snapshot, prefixes []rdf.Prefix, labels []string) domains.Facts {
	onto, terms, err := owl.Build(context.Background(), s, owl.Options{Prefixes: prefixes, Labels: labels})
	if err != nil {
		panic(err)
	}
	g, err := NewFactsOf(context.Background(), s, onto, terms, labels)
	if err != nil {
		panic(err)
	}
	if ThroughFiles {
		return again(g.(*graph), prefixes, labels)
	}
	return g
}

// NewFactsOf is NewFacts with an ontology and a context that may end.
func NewFactsOf(ctx context.Context, s *store.Snapshot, onto *domains.Ontology, terms owl.Terms, labels []string) (domains.Facts, error) {
	return newGraph(ctx, graphConfig{Snapshot: s, Ontology: onto, Schema: terms, Labels: labels, Base: "http://base.org/"})
}

// NewColumns opens the graph of a snapshot to tests as Facts and as Columns.
func NewColumns(s *store.Snapshot, prefixes []rdf.Prefix, labels []string) (domains.Facts, domains.Columns) {
	g := NewFacts(s, prefixes, labels).(*graph)
	return g, newColumns(g)
}

// Lean makes Columns go the ways of large graphs in small ones.
func Lean(c domains.Columns) domains.Columns {
	lean := *c.(*columns)
	lean.few, lean.hub, lean.inUse = 0, 0, newUsageOnce()
	return &lean
}

// SelectAtMost makes Columns read no more than n entries to select entities.
func SelectAtMost(c domains.Columns, n int) domains.Columns {
	limited := *c.(*columns)
	limited.selected, limited.inUse = n, newUsageOnce()
	return &limited
}
