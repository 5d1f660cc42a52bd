package api

import (
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// entityEndpoints are the addresses that OntoBricks does not have.
func entityEndpoints() []*endpoint { return nil }

// ontologyParams are our own parameters of /domain/ontology.
var ontologyParams []param

// served adds what is ours to the versions of a domain.
func served(context.Context, *asked, *wire.Versions) {}

// withModel adds what is ours to an ontology.
func withModel(context.Context, *asked, *domains.Ontology, *wire.Ontology) error { return nil }
