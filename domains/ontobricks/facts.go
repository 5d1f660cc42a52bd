package ontobricks

import (
	"context"
	"iter"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// graphSource is what the facts of a domain are read from. All functions are called
// concurrently.
type graphSource struct {
	// find asks GET /digitaltwin/triples/find. It returns an answer with success or an
	// error for the caller.
	find func(ctx context.Context, p findParams) (*wire.Found, error)
	// stats asks GET /digitaltwin/stats.
	stats func(ctx context.Context) (*wire.Stats, error)
	// ontology is the domain's; never nil without an error.
	ontology func(ctx context.Context) (*domains.Ontology, error)
	name     domains.Name
}

// findParams are the parameters of triples/find (OntoBricks contract 1.1). Empty
// EntityType and Search, and CacheAuto, are left out of the request.
type findParams struct {
	EntityType, Search   string
	Depth, Limit, Offset int
	Cache                domains.CacheUse
}

// newFacts reads facts for one tool call.
func newFacts(s graphSource) domains.Facts {
	return &facts{graphSource: s}
}

// facts implements domains.Facts.
type facts struct {
	graphSource
}

// Find implements domains.Facts.
func (f *facts) Find(context.Context, domains.Query) (*domains.Matches, error) {
	return &domains.Matches{Unpinned: true}, nil
}

// Walk implements domains.Facts.
func (f *facts) Walk(context.Context, []string, domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(func(domains.Entity, error) bool) {}
}

// Stats implements domains.Facts.
func (f *facts) Stats(context.Context) (*domains.Stats, error) {
	return &domains.Stats{AttributesUnknown: true}, nil
}
