package graphql_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/graphql"
)

// chain is an ontology of classes each below the one before, each with 3 properties.
func chain(classes int) *domains.Ontology {
	var o domains.Ontology
	for i := range classes {
		c := domains.Class{IRI: fmt.Sprintf("https://example.org/C%06d", i), Declared: true}
		if i > 0 {
			c.Supers = []string{o.Classes[i-1].IRI}
		}
		o.Classes = append(o.Classes, c)
		for k := range 3 {
			o.Properties = append(o.Properties, domains.Property{IRI: fmt.Sprintf("https://example.org/p%06d_%d", i, k), Kind: domains.DataProperty,
				Declared: true, Domains: []string{c.IRI}, Ranges: []string{rdf.XSDString}, Comments: []domains.Text{{Value: "A property."}}})
		}
	}
	return domains.NewOntology(o)
}

// TestLimits covers what is left out of a schema that would be too large, and that a note
// says so.
func TestLimits(t *testing.T) {
	const much = 1 << 30
	for _, c := range []struct {
		name                        string
		types, below, fields, texts int
		wantTypes, wantFields       int
		note                        string
	}{
		{"everything", much, much, much, much, 10, 3 * 55, ""},
		{"types from the top", 4, much, much, much, 4, 3 * 10, "6 classes far from the top of the tree have no type of their own"},
		{"sub-classes", much, 15, much, much, 2, 3 * 3, "8 classes far from the top"},
		{"inheritance over two steps", much, much, 100, much, 10, 3 * (10 + 9 + 8), "at most 2 steps above"},
		{"inheritance over one step", much, much, 60, much, 10, 3 * (10 + 9), "at most 1 step above"},
		{"own properties", much, much, 30, much, 10, 3 * 10, "at most 0 steps above"},
		{"not even these", much, much, 20, much, 10, 20, "only the first 20"},
		{"descriptions of own fields", much, much, much, 3 * 20 * 10, 10, 3 * 55, "Inherited fields are described at the types"},
		{"no descriptions", much, much, much, 10, 10, 3 * 55, "Fields are not described"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := graphql.DeriveWithin(t.Context(), graphql.Derivation{Name: "chain", Ontology: chain(10)}, c.types, c.below, c.fields, c.texts)
			if err != nil {
				t.Fatal(err)
			}
			legalSchema(t, m)
			fields := 0
			for _, typ := range m.Types {
				fields += len(typ.Fields)
			}
			if len(m.Types) != c.wantTypes || fields != c.wantFields {
				t.Errorf("%d types and %d fields, want %d and %d", len(m.Types), fields, c.wantTypes, c.wantFields)
			}
			if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" || c.note != "" && !strings.HasPrefix(m.SDL, "# ") {
				t.Errorf("notes %q, want %q", notes, c.note)
			}
		})
	}
}

// TestHostileOntologies derives schemas of ontologies made to be too large: a long chain,
// and many classes below one with many properties. What comes out is bounded.
func TestHostileOntologies(t *testing.T) {
	wide := domains.Ontology{Classes: []domains.Class{{IRI: "https://example.org/Top"}}}
	for i := range 5000 {
		wide.Classes = append(wide.Classes, domains.Class{IRI: fmt.Sprintf("https://example.org/C%d", i), Supers: []string{"https://example.org/Top"}})
	}
	for i := range 500 {
		wide.Properties = append(wide.Properties, domains.Property{IRI: fmt.Sprintf("https://example.org/p%d", i), Kind: domains.ObjectProperty, Declared: true,
			Domains: []string{"https://example.org/Top"}})
	}
	for name, o := range map[string]*domains.Ontology{"chain": chain(20_000), "wide": domains.NewOntology(wide)} {
		t.Run(name, func(t *testing.T) {
			m := derive(t, graphql.Derivation{Name: name, Ontology: o})
			fields, below := 0, 0
			for _, typ := range m.Types {
				fields += len(typ.Fields)
				below += len(typ.Classes)
			}
			if fields > 200_000 || below > 1_000_000+20_000 || len(m.SDL) > 48<<20 || len(m.Notes) == 0 {
				t.Errorf("%d fields, %d sub-classes, %d bytes, notes %v", fields, below, len(m.SDL), m.Notes)
			}
		})
	}
}

// TestDeriveEndsWithItsContext holds that a schema nobody waits for is not made.
func TestDeriveEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := graphql.Derive(ctx, graphql.Derivation{Ontology: chain(10)}); !errors.Is(err, context.Canceled) || m != nil {
		t.Errorf("got %v and %v", m, err)
	}
}

// TestDeriveWithoutAnything holds that no part of a derivation is needed.
func TestDeriveWithoutAnything(t *testing.T) {
	legalSchema(t, derive(t, graphql.Derivation{}))
}

// FuzzDerive derives schemas from Turtle: whatever it says, the schema is legal and does
// not depend on the order of the triples.
func FuzzDerive(f *testing.F) {
	for _, text := range archivedTurtle(f) {
		f.Add(text)
	}
	f.Add([]byte(`@prefix : <urn:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . :A a owl:Class . :x :p "a\u0000\"\"\"\\" .`))
	f.Add([]byte("<a> <b> <c> . <b> <http://www.w3.org/2000/01/rdf-schema#domain> <c> ; <http://www.w3.org/2000/01/rdf-schema#comment> \"\"\"# \n \\\"\\\"\\\" \"\"\"@en ."))
	f.Fuzz(func(t *testing.T, text []byte) {
		triples, err := triplesOf(text)
		if err != nil || len(triples) > 2000 {
			return
		}
		m := derive(t, derivationOf(t, triples, ""))
		legalSchema(t, m)
		distinctNames(t, m)
		for i, k := 0, len(triples)-1; i < k; i, k = i+1, k-1 {
			triples[i], triples[k] = triples[k], triples[i]
		}
		if again := derive(t, derivationOf(t, triples, "")); again.SDL != m.SDL {
			t.Errorf("another order gives another schema")
		}
	})
}
