package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestIndexesAgreeWithAPlainList asks random graphs every kind of pattern and
// compares the answers with a walk over all triples.
func TestIndexesAgreeWithAPlainList(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		list := randomTriples(rng, rng.IntN(200))
		b := store.NewBuilder()
		for _, tr := range list {
			b.Add(tr)
		}
		s := b.Build()
		list = distinct(list)
		if got, want := s.Len(), len(list); got != want {
			t.Fatalf("seed %d: %d triples, want %d", seed, got, want)
		}
		shown := make([]string, len(list))
		for i, tr := range list {
			shown[i] = show(tr)
		}
		for range 20 {
			probe := randomTriples(rng, 1)[0]
			for mask := range 8 {
				var subj, pred, obj rdf.Term
				if mask&1 != 0 {
					subj = probe.Subject
				}
				if mask&2 != 0 {
					pred = probe.Predicate
				}
				if mask&4 != 0 {
					obj = probe.Object
				}
				var want []string
				for i, tr := range list {
					if fits(tr.Subject, subj) && fits(tr.Predicate, pred) && fits(tr.Object, obj) {
						want = append(want, shown[i])
					}
				}
				var got []string
				var ids [][3]store.ID
				for tr := range s.Match(subj, pred, obj) {
					got = append(got, show(tr))
					ids = append(ids, inIndexOrder(s, tr, mask))
				}
				if !slices.IsSortedFunc(ids, func(a, b [3]store.ID) int { return slices.Compare(a[:], b[:]) }) {
					t.Errorf("seed %d pattern %d: not in the order of the index: %v", seed, mask, ids)
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(want, got) {
					t.Fatalf("seed %d pattern %d (%v %v %v) (-want +got):\n%s", seed, mask, subj, pred, obj, cmp.Diff(want, got))
				}
				if n := s.Count(subj, pred, obj); n != len(want) {
					t.Fatalf("seed %d pattern %d: Count is %d, want %d", seed, mask, n, len(want))
				}
			}
		}
	}
}

// inIndexOrder numbers the parts of a triple in the order of the index that answers
// the pattern in which the parts of mask are given: 1 subject, 2 predicate, 4 object.
func inIndexOrder(s *store.Snapshot, t rdf.Triple, mask int) [3]store.ID {
	id := func(t rdf.Term) store.ID { id, _ := s.Lookup(t); return id }
	switch mask {
	case 2, 6:
		return [3]store.ID{id(t.Predicate), id(t.Object), id(t.Subject)}
	case 4, 5:
		return [3]store.ID{id(t.Object), id(t.Subject), id(t.Predicate)}
	}
	return [3]store.ID{id(t.Subject), id(t.Predicate), id(t.Object)}
}

func fits(t, pattern rdf.Term) bool { return pattern.IsZero() || t.Equal(pattern) }

func show(t rdf.Triple) string {
	return showTerm(t.Subject) + " " + showTerm(t.Predicate) + " " + showTerm(t.Object)
}

func showTerm(t rdf.Term) string {
	if t.Kind == rdf.TripleTerm {
		return "<<" + show(*t.Triple) + ">>"
	}
	return fmt.Sprintf("%d:%s^%s@%s-%s", t.Kind, t.Value, t.Datatype, t.Lang, t.Dir)
}

func distinct(list []rdf.Triple) []rdf.Triple {
	seen := map[string]bool{}
	var out []rdf.Triple
	for _, t := range list {
		if !seen[show(t)] {
			seen[show(t)] = true
			out = append(out, t)
		}
	}
	return out
}

// randomTriples draws from a few terms of every kind, so that patterns hit.
func randomTriples(rng *rand.Rand, n int) []rdf.Triple {
	iri := func() rdf.Term { return rdf.NewIRI(fmt.Sprintf("http://x/%d", rng.IntN(9))) }
	blank := func() rdf.Term { return rdf.NewBlank(fmt.Sprintf("b%d", rng.IntN(4))) }
	subject := func() rdf.Term {
		if rng.IntN(3) == 0 {
			return blank()
		}
		return iri()
	}
	var object func() rdf.Term
	object = func() rdf.Term {
		text := fmt.Sprint(rng.IntN(4))
		switch rng.IntN(7) {
		case 0:
			return rdf.NewString(text)
		case 1:
			return rdf.Term{Kind: rdf.Literal, Value: text, Lang: []string{"en", "fr"}[rng.IntN(2)]}
		case 2:
			return rdf.NewTyped(text, rdf.XSDInteger)
		case 3:
			return rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: subject(), Predicate: iri(), Object: object()}}
		case 4:
			return blank()
		}
		return iri()
	}
	out := make([]rdf.Triple, n)
	for i := range out {
		out[i] = rdf.Triple{Subject: subject(), Predicate: iri(), Object: object()}
	}
	return out
}
