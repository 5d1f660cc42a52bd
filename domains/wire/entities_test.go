package wire_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// drawn makes values of the vocabulary by chance.
type drawn struct{ *rand.Rand }

func (d drawn) yes() bool    { return d.IntN(2) == 0 }
func (d drawn) text() string { return []string{"", "a", "é \" <b>", "\u202E", "x\ny"}[d.IntN(5)] }

func (d drawn) list() (out []string) {
	for range d.IntN(3) {
		out = append(out, "https://e/"+d.text())
	}
	return out
}

func (d drawn) texts() (out []domains.Text) {
	for range d.IntN(3) {
		out = append(out, domains.Text{Value: d.text(), Lang: d.text()})
	}
	return out
}

func (d drawn) term() rdf.Term {
	switch d.IntN(5) {
	case 0:
		return rdf.NewTyped(d.text(), rdf.XSD+"integer")
	case 1:
		return rdf.Term{Kind: rdf.Literal, Value: d.text(), Lang: "ar", Dir: "rtl"}
	case 2:
		return rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: rdf.NewIRI("https://e/s"), Predicate: rdf.NewIRI("https://e/p"), Object: d.term()}}
	case 3:
		return rdf.NewBlank("b1")
	}
	return rdf.NewString(d.text())
}

func (d drawn) entity(deep int) domains.Entity {
	e := domains.Entity{
		IRI: "https://e/" + d.text(), Aliases: d.list(), Labels: d.texts(), Types: d.list(), Distance: d.IntN(3), Triples: d.IntN(9), Schema: d.yes(),
	}
	for range d.IntN(4) {
		f := domains.Fact{Property: "https://e/p", Incoming: d.yes(), Total: d.IntN(9), AtLeast: d.yes(), Cut: d.yes()}
		for range d.IntN(4) {
			switch {
			case d.yes():
				f.Values = append(f.Values, domains.Value{Literal: d.term()})
			case d.yes() && deep > 0:
				nested := d.entity(deep - 1)
				f.Values = append(f.Values, domains.Value{Nested: &nested})
			default:
				f.Values = append(f.Values, domains.Value{Ref: &domains.Ref{IRI: "https://e/r", Label: d.text(), Types: d.list()}})
			}
		}
		e.Facts = append(e.Facts, f)
	}
	return e
}

// through is a value as it comes out of JSON.
func through[T any](t *testing.T, v T) (out T) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRoundTrips holds that what goes over the wire comes back as it was.
func TestRoundTrips(t *testing.T) {
	d := drawn{rand.New(rand.NewPCG(1, 2))}
	same := func(what string, want, got any) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	for i := range 200 {
		e := d.entity(2)
		same("entity", e, through(t, wire.NewEntity(e)).Entity())
		q := domains.Query{
			Text: d.text(), Types: d.list(), IRI: d.text(), Languages: d.list(), Offset: d.IntN(9), Limit: 1 + d.IntN(9), Resume: d.IntN(9),
			Depth: d.IntN(4), Cache: domains.CacheUse(d.IntN(3)), Probe: d.yes(),
		}
		same("query", q, through(t, wire.NewFindRequest(wire.Where{DomainName: "d"}, q)).Query())
		m := &domains.Matches{
			Total: d.IntN(9), AtLeast: d.yes(), Shortened: d.yes(), Suggestions: d.list(), Resume: d.IntN(9), ReadTriples: d.IntN(9), ReadHits: d.IntN(9),
			Partial: d.yes(), Unpinned: d.yes(), Uncached: d.yes(),
			Hits: []domains.Hit{{Ref: domains.Ref{IRI: fmt.Sprint("https://e/", i), Label: d.text(), Types: d.list()}, Tier: domains.TierWords, Schema: d.yes()}},
		}
		same("matches", m, through(t, wire.NewMatches(m, "r")).Matches())
		o := domains.WalkOptions{Depth: d.IntN(4), Fanout: 1 + d.IntN(9), Languages: d.list(), Skip: d.IntN(5), Passed: domains.Passed{Fact: d.IntN(4), Value: d.IntN(4)}, Shown: d.IntN(4)}
		same("walk", o, through(t, wire.NewWalkRequest(wire.Where{}, d.list(), o, 0, 20)).Options())
		onto := domains.NewOntology(domains.Ontology{
			IRI: d.text(), Base: d.text(), Prefixes: []rdf.Prefix{{Name: "p", IRI: "https://e/"}},
			Classes: []domains.Class{{IRI: "https://e/C", Labels: d.texts(), Comments: d.texts(), Synonyms: d.texts(), Supers: d.list(), Declared: d.yes(), Deprecated: d.yes()}},
			Schemes: []domains.Scheme{{IRI: "https://e/S", Labels: d.texts(), Concepts: d.IntN(9) - 1, Top: []domains.Concept{{IRI: "https://e/c", Labels: d.texts()}}}},
			Properties: []domains.Property{{
				IRI: "https://e/p", Kind: domains.PropertyKind(1 + d.IntN(4)), Labels: d.texts(), Domains: d.list(), Ranges: d.list(), Supers: d.list(), Inverses: d.list(),
				Functional: d.yes(), InverseFunctional: d.yes(), Cardinalities: []domains.Cardinality{{Class: "https://e/C", Min: 1, Max: -1}}, Declared: d.yes(),
			}},
			Triples: slices.Values([]rdf.Triple{{Subject: rdf.NewIRI("https://e/C"), Predicate: rdf.NewIRI("https://e/p"), Object: d.term()}}),
		})
		back := through(t, wire.NewModel(onto)).Ontology()
		same("classes", onto.Classes, back.Classes)
		same("properties", onto.Properties, back.Properties)
		same("schemes", onto.Schemes, back.Schemes)
		same("triples", slices.Collect(onto.Triples), slices.Collect(back.Triples))
		same("names", []any{onto.IRI, onto.Base, onto.Prefixes}, []any{back.IRI, back.Base, back.Prefixes})
		s := &domains.Stats{
			Triples: 9, Subjects: 3, Predicates: 2, Entities: d.IntN(3), Labels: 1, TypeAssertions: 2, Attributes: d.IntN(3), Relationships: d.IntN(3), Inferred: d.IntN(2),
			Types: []domains.Count{{IRI: "https://e/C", Count: 3, Below: 4}, {IRI: "https://e/A", Below: 4}}, Properties: []domains.Count{{IRI: "https://e/p", Count: 2}},
		}
		same("stats", s, through(t, wire.NewStats(s, wire.Scope{})).Stats())
	}
}
