package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

func iri(local string) rdf.Term { return rdf.NewIRI("http://x/" + local) }

func snapshot(triples ...[3]rdf.Term) *store.Snapshot {
	b := store.NewBuilder()
	for _, t := range triples {
		b.Add(rdf.Triple{Subject: t[0], Predicate: t[1], Object: t[2]})
	}
	return b.Build()
}

func TestTermsAreNumberedInOrder(t *testing.T) {
	quoted := rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: iri("b"), Predicate: iri("p"), Object: rdf.NewString("x")}}
	s := snapshot(
		[3]rdf.Term{iri("b"), iri("p"), {Kind: rdf.Literal, Value: "x", Lang: "fr"}},
		[3]rdf.Term{rdf.NewBlank("n"), iri("p"), rdf.NewString("x")},
		[3]rdf.Term{iri("a"), iri("p"), rdf.NewTyped("1", rdf.XSDInteger)},
		[3]rdf.Term{iri("a"), iri("p"), quoted},
	)
	want := []rdf.Term{
		iri("a"), iri("b"), iri("p"), rdf.NewBlank("n"),
		rdf.NewTyped("1", rdf.XSDInteger), rdf.NewString("x"), {Kind: rdf.Literal, Value: "x", Lang: "fr"}, quoted,
	}
	for i, term := range want {
		id := store.ID(i + 1)
		if got := s.Term(id); !got.Equal(term) || s.Kind(id) != term.Kind || s.Text(id) != term.Value {
			t.Errorf("term %d is %+v, want %+v", id, got, term)
		}
		if got, ok := s.Lookup(term); !ok || got != id {
			t.Errorf("Lookup(%+v) = %d, %v; want %d", term, got, ok, id)
		}
	}
	for _, term := range []rdf.Term{{}, iri("c"), rdf.NewBlank("m"), {Kind: rdf.Literal, Value: "x", Lang: "de"}, rdf.NewString("1"), {Kind: rdf.TripleTerm}} {
		if id, ok := s.Lookup(term); ok || id != 0 {
			t.Errorf("Lookup(%+v) = %d, %v; want nothing", term, id, ok)
		}
	}
	for _, id := range []store.ID{0, store.ID(len(want) + 1), 99} {
		if got := s.Term(id); !got.IsZero() {
			t.Errorf("term %d is %+v", id, got)
		}
	}
	if s.FirstBlank() != 4 || s.FirstLiteral() != 5 || s.Subjects() != 3 {
		t.Errorf("first blank node %d, first literal %d, %d subjects", s.FirstBlank(), s.FirstLiteral(), s.Subjects())
	}
}

func TestWhatIsNoTripleIsIgnored(t *testing.T) {
	lit := rdf.NewString("x")
	s := snapshot(
		[3]rdf.Term{lit, iri("p"), iri("o")},
		[3]rdf.Term{iri("s"), rdf.NewBlank("p"), iri("o")},
		[3]rdf.Term{iri("s"), lit, iri("o")},
		[3]rdf.Term{iri("s"), iri("p"), {}},
		[3]rdf.Term{{}, iri("p"), iri("o")},
		[3]rdf.Term{iri("s"), iri("p"), {Kind: rdf.TripleTerm}},
		[3]rdf.Term{iri("s"), iri("p"), {Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: lit, Predicate: iri("p"), Object: lit}}},
	)
	if first := s.Term(1); s.Len() != 0 || !first.IsZero() {
		t.Errorf("%d triples, and %v is a term", s.Len(), first)
	}
	for range s.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		t.Error("an empty graph has a triple")
	}
	if first, end := s.IRIRange(""); first != 1 || end != 1 {
		t.Errorf("IRIRange of an empty graph is %d to %d", first, end)
	}
}

func TestIRIRange(t *testing.T) {
	s := snapshot([3]rdf.Term{iri("a"), iri("ab"), iri("abc")}, [3]rdf.Term{iri("b"), iri("ab"), rdf.NewString("http://x/abd")})
	for _, tc := range []struct {
		prefix string
		want   []string
	}{
		{"http://x/ab", []string{"http://x/ab", "http://x/abc"}},
		{"http://x/", []string{"http://x/a", "http://x/ab", "http://x/abc", "http://x/b"}},
		{"http://x/abd", nil}, {"z", nil}, {"a", nil},
	} {
		var got []string
		for id, end := s.IRIRange(tc.prefix); id < end; id++ {
			got = append(got, s.Text(id))
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("IRIRange(%q) (-want +got):\n%s", tc.prefix, diff)
		}
	}
}

func TestPredicatesObjectsAndValues(t *testing.T) {
	quoted := rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: iri("a"), Predicate: iri("p"), Object: iri("a")}}
	s := snapshot(
		[3]rdf.Term{iri("a"), iri("p"), iri("c")}, [3]rdf.Term{iri("b"), iri("p"), iri("c")},
		[3]rdf.Term{iri("a"), iri("p"), rdf.NewString("x")},
		[3]rdf.Term{iri("a"), iri("q"), rdf.NewString("x")}, [3]rdf.Term{iri("b"), iri("q"), quoted},
		[3]rdf.Term{iri("a"), iri("r"), rdf.NewBlank("n")},
	)
	if diff := cmp.Diff([]rdf.Term{iri("p"), iri("q"), iri("r")}, slices.Collect(s.Predicates())); diff != "" {
		t.Errorf("Predicates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]rdf.Term{iri("c"), rdf.NewString("x")}, slices.Collect(s.Objects(iri("p")))); diff != "" {
		t.Errorf("Objects (-want +got):\n%s", diff)
	}
	for _, tc := range []struct {
		predicate           string
		literals, resources bool
	}{{"p", true, true}, {"q", true, false}, {"r", false, true}, {"a", false, false}, {"none", false, false}} {
		if l, r := s.Values(iri(tc.predicate)); l != tc.literals || r != tc.resources {
			t.Errorf("Values(%s) = %v, %v; want %v, %v", tc.predicate, l, r, tc.literals, tc.resources)
		}
	}
}

// TestWorkIsCounted holds that a reader's work is the snapshot's once it is done,
// and that a count reads nothing.
func TestWorkIsCounted(t *testing.T) {
	s := snapshot([3]rdf.Term{iri("a"), iri("p"), iri("b")}, [3]rdf.Term{iri("a"), iri("p"), iri("c")})
	if got := s.Count(iri("a"), rdf.Term{}, rdf.Term{}); got != 2 {
		t.Errorf("Count = %d", got)
	}
	if w := s.Work(); w.Reads() != 0 || w.Lookups != 1 {
		t.Errorf("a count cost %+v", w)
	}
	for range s.Match(iri("a"), rdf.Term{}, rdf.Term{}) {
		break
	}
	if w := s.Work(); w.Triples != 1 || w.Lookups != 2 {
		t.Errorf("a count and one triple cost %+v", w)
	}
}
