package rdfgraph_test

import (
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestTermsHaveOneName holds that a class has the same name in the ontology and in
// the graph, whatever properties give it.
func TestTermsHaveOneName(t *testing.T) {
	b := newBackend(t, rdfgraph.Config{FS: fstest.MapFS{
		"shop/domain.yaml": {Data: []byte("labels: [\":caption\"]\nprefixes: {\"\": \"http://e/\"}")},
		"shop/a.ttl": {Data: []byte(`@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:displayName rdfs:subPropertyOf rdfs:label . skos:altLabel rdfs:subPropertyOf rdfs:label .
:Customer a owl:Class ; :displayName "Client" ; rdfs:label "Customer label" .
:Order a owl:Class ; :label "Purchase" .
:Item a owl:Class ; rdfs:label "Item label" ; :caption "Article" .
:Stock a owl:Class ; rdfs:label "Stock label" ; skos:altLabel "Inventory" .
:Bill a owl:Class ; skos:altLabel "Invoice" ; :hasTitle "Facture"@fr .
:c1 a :Customer .`)},
	}})
	d, err := b.Open(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	o, err := d.Ontology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for local, want := range map[string]string{"Customer": "Client", "Order": "Purchase", "Item": "Article", "Stock": "Stock label", "Bill": "Facture"} {
		iri := "http://e/" + local
		if got := o.NameOf(iri, nil); got != want {
			t.Errorf("%s is %q in the ontology, want %q", local, got, want)
		}
		m, err := d.Facts.Find(t.Context(), domains.Query{IRI: iri, Limit: 1})
		if err != nil || len(m.Hits) != 1 || m.Hits[0].Label != want {
			t.Errorf("%s is %+v in the graph (%v), want the label %q", local, m, err, want)
		}
	}
	m, err := d.Facts.Find(t.Context(), domains.Query{Text: "inventory", Limit: 1})
	if err != nil || len(m.Hits) != 1 || m.Hits[0].IRI != "http://e/Stock" {
		t.Errorf("an alternative name finds %+v, %v", m, err)
	}
}
