package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// triples collects a graph whose terms are written as in Turtle: <IRI>, _:label or
// "text"; names without such signs are IRIs below big, and a is rdf:type.
type triples struct{ *store.Builder }

func (b triples) add(s, p, o string) {
	b.Add(rdf.Triple{Subject: b.term(s), Predicate: b.term(p), Object: b.term(o)})
}

func (b triples) term(text string) rdf.Term {
	switch {
	case text == "a":
		return rdf.NewIRI(rdf.RDFType)
	case text[0] == '<':
		return rdf.NewIRI(text[1 : len(text)-1])
	case text[0] == '"':
		return rdf.NewString(text[1 : len(text)-1])
	case strings.HasPrefix(text, "_:"):
		return rdf.NewBlank(text[2:])
	}
	return rdf.NewIRI(big + text)
}

// work is what an answer costs.
func work(s *store.Snapshot, answer func()) store.Work {
	before := s.Work()
	answer()
	after := s.Work()
	return store.Work{Lookups: after.Lookups - before.Lookups, Triples: after.Triples - before.Triples,
		Postings: after.Postings - before.Postings, Moves: after.Moves - before.Moves}
}

func ask(t *testing.T, f domains.Facts, q domains.Query) *domains.Matches {
	t.Helper()
	q.Limit = 10
	m, err := f.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("Find(%+v): %v", q, err)
	}
	return m
}

// facts describes one entity: property → fact, incoming ones with a "←".
func facts(t *testing.T, f domains.Facts, iri string) map[string]domains.Fact {
	t.Helper()
	out := map[string]domains.Fact{}
	for e, err := range f.Walk(t.Context(), []string{iri}, domains.WalkOptions{Fanout: 10}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range e.Facts {
			key := strings.TrimPrefix(f.Property, big)
			if f.Incoming {
				key = "←" + key
			}
			out[key] = f
		}
	}
	return out
}

// TestFewInstancesAreFoundAmongManyNames holds that a search within a class of few
// finds all of them, when more others have such a name than one step reads.
func TestFewInstancesAreFoundAmongManyNames(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range store.MaxPostings + 10 {
		b.add(fmt.Sprintf("a%06d", i), "a", "Many")
		b.add(fmt.Sprintf("a%06d", i), "label", `"same label"`)
	}
	b.add("zz", "a", "Rare")
	b.add("zz", "label", `"same label"`)
	b.add("zy", "a", "Rare")
	b.add("zy", "label", `"same label too"`)
	b.add("zx", "a", "Rare")
	b.add("zx", "label", `"another label"`)
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	for _, tc := range []struct {
		text string
		want []string // local name and tier
	}{
		{"same label", []string{"zz 1", "zy 2"}},
		{"label same", []string{"zy 3", "zz 3"}},
		{"abel", []string{"zx 4", "zy 4", "zz 4"}},
		{big, []string{"zx 2", "zy 2", "zz 2"}},
	} {
		var m *domains.Matches
		cost := work(s, func() { m = ask(t, f, domains.Query{Text: tc.text, Types: []string{big + "Rare"}}) })
		var got []string
		for _, h := range m.Hits {
			got = append(got, fmt.Sprintf("%s %d", strings.TrimPrefix(h.IRI, big), h.Tier))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" || m.Total != len(tc.want) || m.AtLeast {
			t.Errorf("%q: total %d, at least %v (-want +got):\n%s", tc.text, m.Total, m.AtLeast, diff)
		}
		if cost.Reads() > 2*store.MaxPostings {
			t.Errorf("%q: %+v", tc.text, cost)
		}
	}
	m := ask(t, f, domains.Query{Text: "same", Types: []string{big + "Many"}})
	if m.Total < 1_000 || !m.AtLeast {
		t.Errorf("of a class of many: total %d, at least %v", m.Total, m.AtLeast)
	}
}

// TestManyClassesAreMergedInOrder holds that the instances of many classes cost
// moves in proportion to their number, and that a call ends with its context while it
// gathers them.
func TestManyClassesAreMergedInOrder(t *testing.T) {
	const n = 20_000
	b := triples{store.NewBuilder()}
	q := domains.Query{Offset: n / 2}
	for i := range n {
		class := fmt.Sprintf("C%05d", i)
		q.Types = append(q.Types, big+class)
		b.add(fmt.Sprintf("x%05d", i*7919%n), "a", class)
	}
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	var m *domains.Matches
	cost := work(s, func() { m = ask(t, f, q) })
	if len(m.Hits) != 10 || m.Total != n || m.Hits[0].IRI != fmt.Sprintf("%sx%05d", big, n/2) {
		t.Errorf("%d hits of %d from %v", len(m.Hits), m.Total, m.Hits)
	}
	if cost.Moves == 0 || cost.Moves > n*bits.Len(n) {
		t.Errorf("%+v for %d classes", cost, n)
	}
	ctx := &ending{Context: t.Context(), last: 3}
	cost = work(s, func() {
		if _, err := f.Find(ctx, domains.Query{Types: q.Types, Limit: 10}); !errors.Is(err, context.Canceled) {
			t.Errorf("with an ended context: %v", err)
		}
	})
	if cost.Reads() > n/4 {
		t.Errorf("%+v after the context ended", cost)
	}
}

// TestLoadingLooksAtItsContextOften holds that little is read between two looks at
// the context while a graph is loaded.
func TestLoadingLooksAtItsContextOften(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // several goroutines read side by side
	s := generated(40_000)
	onto := domains.NewOntology(domains.Ontology{})
	last := 0
	for look := 1; ; look++ {
		var err error
		cost := work(s, func() {
			_, err = rdfgraph.NewFactsOf(&ending{Context: t.Context(), last: look}, s, onto, nil, nil)
		})
		if steps := cost.Reads() + cost.Lookups; steps > last+8_000 { // maps give their keys in any order, so not always as many
			t.Errorf("%d steps between two looks at the context", steps-last)
		} else {
			last = steps
		}
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || look > 1_000 {
			t.Fatalf("ended at look %d: %v", look, err)
		}
	}
}

// TestLongChainsOfClassesCostTheirLength holds that preparing a graph whose classes
// are one long chain takes memory in proportion to the chain and not to its square.
func TestLongChainsOfClassesCostTheirLength(t *testing.T) {
	allocated := func(n int) uint64 {
		b := triples{store.NewBuilder()}
		var o domains.Ontology
		for i := range n {
			class := domains.Class{IRI: fmt.Sprintf("%sC%05d", big, i)}
			if i > 0 {
				class.Supers = []string{fmt.Sprintf("%sC%05d", big, i-1)}
			}
			o.Classes = append(o.Classes, class)
			b.add(fmt.Sprintf("x%05d", i), "a", fmt.Sprintf("C%05d", i))
		}
		s, onto := b.Build(), domains.NewOntology(o)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := rdfgraph.NewFactsOf(t.Context(), s, onto, owl.Terms{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		stats, err := f.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if top := stats.Types[0]; top.IRI != big+"C00000" || top.Count != 1 || top.Below != n {
			t.Errorf("of %d classes the first has %+v", n, top)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if once, four := allocated(1_000), allocated(4_000); four > 8*once {
		t.Errorf("four times the classes take %d times the memory", four/once)
	}
}

// TestLargeGroupsAreReadOnce holds that the types of an entity with very many IRIs
// are not read for each of them.
func TestLargeGroupsAreReadOnce(t *testing.T) {
	const n = 2_000
	b := triples{store.NewBuilder()}
	for i := range n {
		b.add(fmt.Sprintf("T/x%05d", i), "<"+rdf.OWLSameAs+">", fmt.Sprintf("T/x%05d", i+1))
		b.add(fmt.Sprintf("T/x%05d", i), "a", "T")
		b.add(fmt.Sprintf("x%05d", i), "n", `"1"`)
	}
	s := b.Build()
	cost := work(s, func() { rdfgraph.NewFacts(s, nil, nil) })
	if cost.Lookups+cost.Reads() > 200*n {
		t.Errorf("%+v for %d IRIs", cost, n)
	}
}

// TestHubsOfManyProperties holds that each property of a hub is shown once, and that
// a call ends with its context while it looks for them.
func TestHubsOfManyProperties(t *testing.T) {
	const n = 20_000
	b := triples{store.NewBuilder()}
	for i := range n {
		b.add(fmt.Sprintf("x%05d", i%100), fmt.Sprintf("p%05d", i*7919%n), "hub")
	}
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	if got := facts(t, f, big+"hub"); len(got) != n || got["←p00007"].Total != 1 {
		t.Errorf("%d properties, one of them %+v", len(got), got["←p00007"])
	}
	cost := work(s, func() {
		for _, err := range f.Walk(&ending{Context: t.Context(), last: 3}, []string{big + "hub"}, domains.WalkOptions{Fanout: 10}) {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("with an ended context: %v", err)
			}
		}
	})
	if cost.Reads() > n/4 {
		t.Errorf("%+v after the context ended", cost)
	}
}

// TestLongListsAndManyLists holds that a member far behind in a list is reached from
// the list's owner, and that counts which stop early say so.
func TestLongListsAndManyLists(t *testing.T) {
	const (
		rest  = "<" + rdf.RDFRest + ">"
		first = "<" + rdf.RDFFirst + ">"
		null  = "<" + rdf.RDFNil + ">"
	)
	b := triples{store.NewBuilder()}
	b.add("owner", "has", "_:c00000")
	for i := range 12_000 {
		b.add(fmt.Sprintf("_:c%05d", i), first, fmt.Sprintf("m%05d", i))
		b.add(fmt.Sprintf("_:c%05d", i), rest, fmt.Sprintf("_:c%05d", i+1))
	}
	b.add("_:c12000", first, "m12000")
	b.add("_:c12000", rest, null)
	for i := range 3_000 {
		b.add(fmt.Sprintf("paper%05d", i), "authors", fmt.Sprintf("_:p%05d", i))
		b.add(fmt.Sprintf("_:p%05d", i), first, "ann")
		b.add(fmt.Sprintf("_:p%05d", i), rest, null)
	}
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	for _, tc := range []struct {
		iri, property, value string
		total                int
		atLeast              bool
	}{
		{"owner", "has", "m00000", 10_000, true},
		{"m00003", "←has", "owner", 1, false},
		{"m11999", "←has", "owner", 1, false},
		{"ann", "←authors", "paper00000", 1_000, true},
	} {
		var got map[string]domains.Fact
		cost := work(s, func() { got = facts(t, f, big+tc.iri) })
		fact := got[tc.property]
		if len(got) != 1 || fact.Total != tc.total || fact.AtLeast != tc.atLeast || fact.Values[0].Ref.IRI != big+tc.value {
			t.Errorf("%s: want %d of %s from %s, at least %v, got %+v", tc.iri, tc.total, tc.property, tc.value, tc.atLeast, got)
		}
		if cost.Reads() > 50_000 {
			t.Errorf("%s: %+v", tc.iri, cost)
		}
	}
}

// TestPreferredLanguagesReadLittle holds that texts in a preferred language are
// looked for among the first of a property only, and not at all where the graph has
// none.
func TestPreferredLanguagesReadLittle(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range 5_000 {
		b.add("x", "note", fmt.Sprintf(`"text %d"`, i))
	}
	b.Add(rdf.Triple{Subject: rdf.NewIRI(big + "y"), Predicate: rdf.NewIRI(big + "note"), Object: rdf.Term{Kind: rdf.Literal, Value: "en svensk", Lang: "sv"}})
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	for _, tc := range []struct {
		lang  string
		reads int
	}{{"sv", 1_200}, {"pt", 100}} {
		cost := work(s, func() {
			for _, err := range f.Walk(t.Context(), []string{big + "x"}, domains.WalkOptions{Fanout: 10, Languages: []string{tc.lang}}) {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
		if cost.Reads() > tc.reads {
			t.Errorf("in %s: %+v", tc.lang, cost)
		}
	}
}

// TestLongLabelsAreFoundByThemselves holds that a label longer than what is indexed
// is found by its own text, with and without a class.
func TestLongLabelsAreFoundByThemselves(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("pneumono ultra microscopic ", 40))
	for _, label := range []string{words, strings.Repeat("x", 500), strings.Repeat("é ", 350) + "end"} {
		b := triples{store.NewBuilder()}
		b.add("x", "a", "C")
		b.add("x", "label", `"`+label+`"`)
		f := rdfgraph.NewFacts(b.Build(), nil, nil)
		for _, q := range []domains.Query{{Text: label}, {Text: label, Types: []string{big + "C"}}, {Text: label, IRI: big + "x"}} {
			if m := ask(t, f, q); m.Total != 1 || m.Hits[0].Tier != domains.TierExact {
				t.Errorf("%.20q… of %d bytes is not found: %+v", label, len(label), m)
			}
		}
	}
}
