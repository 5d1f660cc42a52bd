package graphql_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/graphql"
)

// TestLiteralsBesideEntities holds that of a property with both, one field has the
// entities and the other the literals, whatever their order, and that IRIs are texts where
// nothing else reads them.
func TestLiteralsBesideEntities(t *testing.T) {
	m := modelOf(t, `@prefix : <`+toyBase+`> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<`+toyBase+`> a owl:Ontology .
:Person a owl:Class .
:lives a rdf:Property ; rdfs:domain :Person .
:score a rdf:Property ; rdfs:domain :Person .
:home a owl:DatatypeProperty ; rdfs:domain :Person .
`, &domains.Usage{Properties: []domains.PropertyUsage{
		{IRI: toyBase + "home", Classes: []string{toyBase + "Person"}},
		{IRI: toyBase + "lives", Literals: true, Entities: true, Classes: []string{toyBase + "Person"}},
		{IRI: toyBase + "score", Literals: true, Entities: true, Many: true, Datatypes: []string{"http://www.w3.org/2001/XMLSchema#integer"}, Classes: []string{toyBase + "Person"}},
	}})
	g := newToy(turtle(t, `@prefix : <`+toyBase+`> .
:p1 a :Person ; :lives :paris, "Rue X" ; :score :paris, 5, <http://elsewhere.test/> ; :home <http://home.test/> .
:p2 a :Person ; :lives :paris .
:paris a :City .`))
	s := newService(t, graphql.Config{Model: m, Columns: g})
	r := s.Run(t.Context(), graphql.Request{Query: `{ allPerson { lives { id } livesValue score { id } scoreValue home }
		text: countPerson(where: {livesValue: {exists: true}}) none: countPerson(where: {livesValue: {contains: "paris"}})
		number: countPerson(where: {scoreValue: {exists: true}}) home: countPerson(where: {home: {startsWith: "http://home"}}) }`}, graphql.Options{})
	want := `{"allPerson":[{"lives":[{"id":"paris"}],"livesValue":"Rue X","score":[{"id":"paris"}],"scoreValue":[5],"home":"http://home.test/"},
{"lives":[{"id":"paris"}],"livesValue":null,"score":[],"scoreValue":[],"home":null}],"text":1,"none":0,"number":1,"home":1}` + "\n"
	if diff := cmp.Diff(want, spread(t, r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
