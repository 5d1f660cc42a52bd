package graphql_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/graphql"
)

// TestLargeAnswer holds that the lists of an answer that grows too large end, and that it
// says so.
func TestLargeAnswer(t *testing.T) {
	var facts strings.Builder
	fmt.Fprintf(&facts, "@prefix : <%s> .\n", toyBase)
	for i := range 100 {
		fmt.Fprintf(&facts, ":p%03d a :Person ; :nick \"%s\" ; :knows :p%03d .\n", i, strings.Repeat("x", 100), i)
	}
	s := service(t, graphql.Config{Columns: newToy(turtle(t, facts.String()))})
	s.LimitBytes(5000)
	r := s.Run(t.Context(), graphql.Request{Query: `{ allPerson(limit: 1000) { nick knows { nick } } b: allPerson { id } }`}, graphql.Options{})
	if n := len(r.Data); n < 5000 || n > 5500 || !json.Valid(r.Data) {
		t.Errorf("%d bytes: %s", n, r.Data)
	}
	if len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Message, "MiB large") {
		t.Errorf("errors %+v", r.Errors)
	}
}

// TestManyTypes holds that entities of many types, at each level and in each group above,
// do not make more groups than the limit of columns allows.
func TestManyTypes(t *testing.T) {
	const n, asked = 120, 10
	var facts, ontology strings.Builder
	fmt.Fprintf(&facts, "@prefix : <%s> .\n", toyBase)
	fmt.Fprintf(&ontology, `@prefix : <%s> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<%s> a owl:Ontology .
:Top a owl:Class .
:near a owl:ObjectProperty ; rdfs:domain :Top .
`, toyBase, toyBase)
	for i := range n {
		fmt.Fprintf(&ontology, ":C%03d a owl:Class ; rdfs:subClassOf :Top .\n", i)
		fmt.Fprintf(&facts, ":e%03d a :C%03d .\n", i, i)
		for j := range n {
			fmt.Fprintf(&facts, ":e%03d :near :e%03d .\n", i, j)
		}
	}
	var fields strings.Builder // of some of the types: what is near, and much of that
	for i := range asked {
		fmt.Fprintf(&fields, "... on C%03d { n%d: near(limit: 1000) { ", i, i)
		for j := range 24 {
			fmt.Fprintf(&fields, "a%[1]d_%[2]d: id b%[1]d_%[2]d: uri c%[1]d_%[2]d: label d%[1]d_%[2]d: types ", i, j)
		}
		fields.WriteString("} } ")
	}
	g := newToy(turtle(t, facts.String()))
	s := newService(t, graphql.Config{Model: modelOf(t, ontology.String(), &domains.Usage{}), Columns: g})
	r := s.Run(t.Context(), graphql.Request{Query: `{ allTop(limit: 1) { near { ` + fields.String() + ` } } }`}, graphql.Options{})
	if len(r.Errors) != 1 || !strings.Contains(r.Errors[0].Message, "at most 100,000 fields") || len(r.Errors[0].Path) == 0 {
		t.Errorf("errors %.1000v", r.Errors)
	}
	if !json.Valid(r.Data) || len(r.Data) < 1000 {
		t.Errorf("data %.1000s", r.Data)
	}
	if n := len(g.calls); n > 10_000 {
		t.Errorf("%d calls", n)
	}
}

// TestListsOfOneVariable holds that a list which stands in a filter again and again counts
// each time, since it is compared each time.
func TestListsOfOneVariable(t *testing.T) {
	s := service(t, graphql.Config{Columns: newToy(nil)})
	list, err := json.Marshal(map[string]any{"l": make([]string, 1000)})
	if err != nil {
		t.Fatal(err)
	}
	for times, want := range map[int]string{5: "", 6: "where has lists with more than 5,000 values in all: give fewer, or each list once."} {
		query := `query ($l: [String!]) { countPerson(where: {or: [` + strings.Repeat("{label: {in: $l}} ", times) + `]}) }`
		got := ""
		for _, e := range s.Run(t.Context(), graphql.Request{Query: query, Variables: list}, graphql.Options{}).Errors {
			got += e.Message
		}
		if got != want {
			t.Errorf("%d times: %q, want %q", times, got, want)
		}
	}
}
