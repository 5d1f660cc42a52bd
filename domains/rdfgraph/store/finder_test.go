package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestIRIFinderFindsWhatLookupFinds compares it with single look-ups, for IRIs that come
// in order, backwards and at random.
func TestIRIFinderFindsWhatLookupFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 2, 7, 300} {
		b := store.NewBuilder()
		for range n {
			x := rdf.NewIRI(fmt.Sprint("http://x.org/", rng.IntN(2*n)))
			b.Add(rdf.Triple{Subject: x, Predicate: x, Object: x})
		}
		s := b.Build()
		f := s.IRIFinder()
		ask := func(iri string) {
			want, wanted := s.LookupIRI(iri)
			if got, ok := f.Find([]byte(iri)); ok != wanted || ok && got != want {
				t.Fatalf("of %d: %s is %d, %v; want %d, %v", n, iri, got, ok, want, wanted)
			}
		}
		for i := range 2 * n {
			ask(fmt.Sprint("http://x.org/", i))
		}
		for i := range 2 * n {
			ask(fmt.Sprint("http://x.org/", 2*n-i))
		}
		for range 1_000 {
			ask([]string{"", "a", "http://x.org/", "z", fmt.Sprint("http://x.org/", rng.IntN(2*n+1))}[rng.IntN(5)])
		}
	}
}
