package rdfgraph_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// FuzzFind holds that no text makes a search fail and that the same text gets the
// same answer twice.
func FuzzFind(f *testing.F) {
	facts := rdfgraph.NewFacts(generated(2_000), []rdf.Prefix{{Name: "", IRI: big}}, nil)
	for _, text := range []string{
		"jacob martinez", "CUST000003", big + "CUST", "<" + big + "Customer>", ":Customer", "søren", "***", "a", "",
		"\xff\x00", "mailto:", "urn:x:y", "://", "東京", "jaocb mratinez", strings.Repeat("a ", 500),
	} {
		f.Add(text, 0, 5, false)
	}
	f.Add("a", -3, 1<<40, true)
	f.Fuzz(func(t *testing.T, text string, offset, limit int, typed bool) {
		q := domains.Query{Text: text, Offset: offset, Limit: limit % 1_000}
		if typed {
			q.Types = []string{big + "Customer"}
		}
		once, err := facts.Find(t.Context(), q)
		if err != nil && (strings.TrimSpace(text) != "" || typed) {
			t.Fatalf("Find(%+v): %v", q, err)
		}
		twice, _ := facts.Find(t.Context(), q)
		if diff := cmp.Diff(once, twice); diff != "" {
			t.Errorf("Find(%+v) (-first +second):\n%s", q, diff)
		}
		if once != nil && len(once.Hits) > max(q.Limit, 1) {
			t.Errorf("Find(%+v): %d hits", q, len(once.Hits))
		}
	})
}

// TestAnyGraphCanBeWalked walks random graphs that are full of lists without end,
// circles of blank nodes, aliases of aliases and labels that are entities. Every
// walk ends, describes each IRI once, and says the same twice.
func TestAnyGraphCanBeWalked(t *testing.T) {
	for seed := range uint64(domaintest.Rounds(150)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		b := store.NewBuilder()
		for range 5 + rng.IntN(60) {
			b.Add(tangled(rng))
		}
		s := b.Build()
		f := rdfgraph.NewFacts(s, nil, nil)
		var from []string
		for id := store.ID(1); id < s.FirstLiteral(); id++ {
			if s.Kind(id) == rdf.Blank {
				from = append(from, "http://base.org/.well-known/genid/"+s.Text(id))
			} else {
				from = append(from, s.Text(id))
			}
		}
		o := domains.WalkOptions{Depth: 10, Fanout: 1 + rng.IntN(4)}
		if diff := cmp.Diff(walked(t, f, from, o), walked(t, f, from, o)); diff != "" {
			t.Fatalf("seed %d (-first +second):\n%s", seed, diff)
		}
		for _, iri := range from {
			walked(t, f, []string{iri}, o)
			m, err := f.Find(t.Context(), domains.Query{IRI: iri, Limit: 5})
			if err != nil || m.Total != 1 {
				t.Errorf("seed %d: Find by %s: %+v, %v", seed, iri, m, err)
			}
		}
	}
}

func walked(t *testing.T, f domains.Facts, from []string, o domains.WalkOptions) []domains.Entity {
	t.Helper()
	var out []domains.Entity
	seen := map[string]bool{}
	for e, err := range f.Walk(t.Context(), from, o) {
		if err != nil {
			t.Fatal(err)
		}
		for _, iri := range append([]string{e.IRI}, e.Aliases...) {
			if seen[iri] {
				t.Errorf("%s comes twice", iri)
			}
			seen[iri] = true
		}
		for _, fact := range e.Facts {
			if fact.Total < len(fact.Values) || len(fact.Values) > o.Fanout || fact.Total < 1 {
				t.Errorf("%s: %s has %d of %d values, fan-out %d", e.IRI, fact.Property, len(fact.Values), fact.Total, o.Fanout)
			}
		}
		out = append(out, e)
	}
	return out
}

// tangled draws a triple from few terms, most of them with a meaning.
func tangled(rng *rand.Rand) rdf.Triple {
	node := func() rdf.Term {
		n := rng.IntN(6)
		switch rng.IntN(4) {
		case 0:
			return rdf.NewIRI(fmt.Sprintf("http://x.org/%d", n))
		case 1:
			return rdf.NewIRI(fmt.Sprintf("http://x.org/C%d/%d", rng.IntN(2), n))
		}
		return rdf.NewBlank(fmt.Sprintf("b%d", rng.IntN(9)))
	}
	class := func() rdf.Term { return rdf.NewIRI(fmt.Sprintf("http://x.org/C%d", rng.IntN(2))) }
	t := rdf.Triple{Subject: node(), Object: node()}
	switch rng.IntN(10) {
	case 0, 1:
		t.Predicate, t.Object = rdf.NewIRI(rdf.RDFType), class()
	case 2:
		t.Predicate = rdf.NewIRI(rdf.RDFFirst)
	case 3:
		t.Predicate = rdf.NewIRI(rdf.RDFRest)
	case 4:
		t.Predicate = rdf.NewIRI(rdf.OWLSameAs)
	case 5:
		t.Predicate = rdf.NewIRI("http://x.org/hasName")
	case 6:
		t.Predicate, t.Object = rdf.NewIRI(rdf.RDFSLabel), rdf.Term{Kind: rdf.Literal, Value: "label", Lang: "en"}
	default:
		t.Predicate = rdf.NewIRI(fmt.Sprintf("http://x.org/p%d", rng.IntN(3)))
	}
	return t
}
