package graphql

import (
	"context"

	"github.com/ontogate/ontogate/domains"
)

// Derivation is what a schema is derived from.
type Derivation struct {
	// Name is the domain's name, for the description of the schema.
	Name string
	// Ontology gives types and fields, Usage what the ontology does not say; nil for a
	// domain without a graph.
	Ontology *domains.Ontology
	Usage    *domains.Usage
	// Languages choose descriptions, best first.
	Languages []string
}

// Derive derives a schema. Equal ontologies give equal bytes, whatever the order of the
// files that they were read from. What can't be mapped is left out and noted. The only
// error is that ctx ended.
func Derive(ctx context.Context, d Derivation) (*Model, error) {
	return &Model{}, ctx.Err()
}
