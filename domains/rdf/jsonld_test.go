package rdf_test

import (
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// Real files: the one has a twin in Turtle, the other is small enough to say.
func TestJSONLDRealFiles(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	got := rdftest.ReadFile(t, filepath.Join(folder, "dcat-examples", "csiro-dap-examples.jsonld"), rdf.JSONLD, rdf.Options{})
	want := rdftest.ReadFile(t, filepath.Join(folder, "dcat-examples", "csiro-dap-examples.ttl"), rdf.Turtle, rdf.Options{})
	if diff := rdftest.Diff(want, got); diff != "" {
		t.Errorf("the twin in Turtle is another graph (-want +got):\n%s", diff)
	}
	if len(got) != 410 {
		t.Errorf("%d triples, expected 410", len(got))
	}
	got = rdftest.ReadFile(t, filepath.Join(folder, "rdflib-variants", "rdf_prefix.jsonld"), rdf.JSONLD, rdf.Options{})
	want = rdftest.ReadString(t, `@prefix l: <https://w3id.org/linkml/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
[] l:slots [ l:name "type" ; l:slot_uri rdf:type ] .`, rdf.Turtle, rdf.Options{})
	if diff := rdftest.Diff(want, got); diff != "" {
		t.Errorf("another graph (-want +got):\n%s", diff)
	}
}
