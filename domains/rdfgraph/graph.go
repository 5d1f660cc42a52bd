package rdfgraph

import (
	"context"
	"iter"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// graphConfig is what a graph is made of.
type graphConfig struct {
	Snapshot *store.Snapshot
	Ontology *domains.Ontology
	// Schema are the terms of the ontology, and the blank nodes that hang on them.
	Schema map[rdf.Term]bool
	// Labels are the domain's own label properties; they go before all others.
	Labels []string
	// Base begins the IRIs that are made for blank nodes.
	Base string
}

// graph answers domains.Facts from a snapshot. It is immutable.
type graph struct{ graphConfig }

func newGraph(c graphConfig) *graph { return &graph{graphConfig: c} }

var _ domains.Facts = (*graph)(nil)

// Stats implements domains.Facts.
func (g *graph) Stats(context.Context) (*domains.Stats, error) {
	return &domains.Stats{Triples: g.Snapshot.Len()}, nil
}

// Find implements domains.Facts.
func (g *graph) Find(context.Context, domains.Query) (*domains.Matches, error) {
	return &domains.Matches{}, nil
}

// Walk implements domains.Facts.
func (g *graph) Walk(context.Context, []string, domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(func(domains.Entity, error) bool) {}
}
