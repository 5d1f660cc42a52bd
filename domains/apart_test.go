package domains_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// TestTermsOfOneNameAreToldApart holds what follows the name of a class or property that
// another one of its kind has too.
func TestTermsOfOneNameAreToldApart(t *testing.T) {
	label := func(texts ...domains.Text) []domains.Text { return texts }
	o := domains.NewOntology(domains.Ontology{
		Prefixes: []rdf.Prefix{{Name: "foaf", IRI: "http://foaf/"}, {Name: "", IRI: "http://own/#"}},
		Classes: []domains.Class{
			{IRI: "http://foaf/Person"}, {IRI: "http://own/#Person"}, {IRI: "http://else.org/v/Person"},
			{IRI: "http://schema.org/Thing"}, {IRI: "https://schema.org/Thing"},
			{IRI: "http://obo/BFO_1", Labels: label(domains.Text{Value: "part of"})},
			{IRI: "http://obo/RO_2", Labels: label(domains.Text{Value: "part  of\n"})},
			{IRI: "http://x/A", Labels: label(domains.Text{Value: "Alpha", Lang: "en"}, domains.Text{Value: "Eins", Lang: "de"})},
			{IRI: "http://x/B", Labels: label(domains.Text{Value: "Beta", Lang: "en"}, domains.Text{Value: "Eins", Lang: "de"})},
			{IRI: "http://x/C", Labels: label(domains.Text{Value: "name"})},
			{IRI: "http://y/D/", Labels: label(domains.Text{Value: "slash"})}, {IRI: "http://y/D#", Labels: label(domains.Text{Value: "slash"})},
			{IRI: "://", Labels: label(domains.Text{Value: "odd"})}, {IRI: "#", Labels: label(domains.Text{Value: "odd"})},
		},
		Properties: []domains.Property{{IRI: "http://y/name"}, {IRI: "http://z/lone"}, {IRI: "http://a/p/has"}, {IRI: "http://a/q/has"}},
	})
	for _, c := range []struct{ iri, lang, want string }{
		{"http://foaf/Person", "", "foaf:Person"},
		{"http://own/#Person", "", ":Person"},
		{"http://else.org/v/Person", "", "v"},
		{"http://schema.org/Thing", "", "http"},
		{"https://schema.org/Thing", "", "https"},
		{"http://obo/BFO_1", "", "BFO_1"},
		{"http://obo/RO_2", "", "RO_2"},
		{"http://x/A", "en", ""},
		{"http://x/A", "de", "A"},
		{"http://x/B", "de", "B"},
		{"http://x/C", "", ""}, // a property has that name
		{"http://y/name", "", ""},
		{"http://z/lone", "", ""},
		{"http://a/p/has", "", "p"},
		{"http://a/q/has", "", "q"},
		{"http://y/D/", "", "<http://y/D/>"},
		{"://", "", "<://>"},
		{"#", "", "<#>"},
		{"http://not/there", "", ""},
	} {
		if got := o.Apart(c.iri, []string{c.lang}); got != c.want {
			t.Errorf("Apart(%s, %s) = %q, want %q", c.iri, c.lang, got, c.want)
		}
		if o.Class(c.iri) == nil || c.want == "" {
			continue
		}
		shown := o.NameOf(c.iri, []string{c.lang}) + " (" + c.want + ")"
		if got, _, _ := o.ResolveClass(shown); !slices.Equal(got, []string{c.iri}) {
			t.Errorf("ResolveClass(%q) = %v, want %s", shown, got, c.iri)
		}
	}
	for _, name := range []string{"Person (bar)", "Nobody (foaf:Person)", "()", " ()", "Person ()", "(foaf:Person)"} {
		if got, _, ok := o.ResolveClass(name); ok {
			t.Errorf("ResolveClass(%q) = %v, want none", name, got)
		}
	}
}

// TestManyTermsOfOneName holds that terms are told apart by their IRIs where very many
// have one name, and that this takes a step for each.
func TestManyTermsOfOneName(t *testing.T) {
	var o domains.Ontology
	const n = 20_000
	for i := range n {
		o.Classes = append(o.Classes, domains.Class{IRI: fmt.Sprintf("http://x/%d/Same", i)})
	}
	built := domains.NewOntology(o)
	for _, c := range built.Classes {
		if got := built.Apart(c.IRI, nil); got != "<"+c.IRI+">" {
			t.Fatalf("Apart(%s) = %q", c.IRI, got)
		}
	}
}
