package graphql_test

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/graphql"
)

// Every part of a derived schema is a schema, and every example is a query that runs.
func TestEveryPartOfASampleIsASchemaAndItsExampleRuns(t *testing.T) {
	b := backend(t, rdfgraph.Config{FS: examples.FS()})
	for _, name := range []domains.Name{"customer360", "finance", "hr_analytics", "supply_chain"} {
		of := derivedFrom(t, b, name)
		whole := schema(t, of.SDL)
		d, err := b.Open(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		service, err := graphql.New(graphql.Config{Model: of.Model, Columns: d.Columns})
		if err != nil {
			t.Fatal(err)
		}
		for _, typ := range append(whole.Types(), whole.Root()) {
			standsAlone(t, whole, typ)
			query := whole.Example(typ)
			if query == "" {
				continue
			}
			if r := service.Run(t.Context(), graphql.Request{Query: query}, graphql.Options{}); len(r.Errors) > 0 {
				t.Errorf("%s: %s: %v", name, query, r.Errors)
			}
		}
	}
}

// TestPartsOfSchemaOrgAreSchemas holds the same for a third of the types of schema.org,
// of which the largest leads to most of the others.
func TestPartsOfSchemaOrgAreSchemas(t *testing.T) {
	m := derivedFrom(t, backend(t, rdfgraph.Config{Dir: schemaOrg(t)}), "schemaorg")
	whole := schema(t, m.SDL)
	loaded, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: m.SDL})
	if err != nil {
		t.Fatal(err)
	}
	types := whole.Types()
	if len(types) < 1000 {
		t.Fatalf("schema.org has only %d types", len(types))
	}
	for i, typ := range types {
		every := 3
		if loaded.Types[typ].Kind != ast.Object {
			every = 20 // filters and orders are alike
		}
		if domaintest.Race {
			every *= 4
		}
		if i%every != 0 {
			continue
		}
		p := whole.Project([]string{typ}, graphql.ShowLeast)
		if _, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: joined(p.Definitions)}); err != nil {
			t.Fatalf("%s: %v", typ, err)
		}
	}
	if p := whole.Pattern(); p == nil || len(p.Types) < 800 {
		t.Errorf("the pattern of schema.org: %+v", p)
	}
	if _, ok := whole.Outline(); ok {
		t.Error("schema.org has an outline")
	}
}
