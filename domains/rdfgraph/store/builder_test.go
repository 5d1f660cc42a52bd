package store_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mixedTriples are n triples, many of them twice, with terms of all kinds that are
// numbered, sorted and cached in every way: about as many IRIs as asked for.
func mixedTriples(rng *rand.Rand, n, iris int) []rdf.Triple {
	// Texts that begin alike for long, and differ in the zeros that they end with.
	alike := strings.Repeat("alike ", 1_500)
	node := func() rdf.Term {
		switch i, kind := rng.IntN(iris), rng.IntN(1_000); {
		case kind < 125:
			return rdf.NewBlank(fmt.Sprint("b", i))
		case kind < 130:
			return iri(alike + strings.Repeat("\x00", i%5))
		case kind < 140:
			return iri(alike + fmt.Sprint(i%100))
		case kind < 200:
			return iri(alike[:50] + strings.Repeat("\x00", i%5))
		default:
			return iri(fmt.Sprint(i))
		}
	}
	literal := func() rdf.Term {
		text := fmt.Sprint("text ", rng.IntN(iris))
		switch rng.IntN(4) {
		case 0:
			return rdf.Term{Kind: rdf.Literal, Value: text, Lang: []string{"en", "de", "fr"}[rng.IntN(3)]}
		case 1:
			return rdf.NewTyped(text, fmt.Sprint("http://x/type", rng.IntN(40)))
		}
		return rdf.NewString(text)
	}
	var triple func(depth int) rdf.Triple
	triple = func(depth int) rdf.Triple {
		t := rdf.Triple{Subject: node(), Predicate: iri(fmt.Sprint("p", rng.IntN(9)))}
		switch kind := rng.IntN(20); {
		case kind == 0 && depth < 3:
			inner := triple(depth + 1)
			t.Object = rdf.Term{Kind: rdf.TripleTerm, Triple: &inner}
		case kind < 8:
			t.Object = literal()
		default:
			t.Object = node()
		}
		return t
	}
	var out []rdf.Triple
	for range n {
		if len(out) > 0 && rng.IntN(4) == 0 {
			out = append(out, out[rng.IntN(len(out))])
			continue
		}
		out = append(out, triple(0))
	}
	return out
}

// TestSnapshotDoesNotDependOnHowItIsBuilt holds that the snapshot is the same whatever the
// number of goroutines that add and of processors, and the order of triples; and that it
// has each triple that was added, once.
func TestSnapshotDoesNotDependOnHowItIsBuilt(t *testing.T) {
	for seed, n := range []int{0, 1, 40, 3_000, 100_000} { // of the last, goroutines share even the sorting
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		added := mixedTriples(rng, n, n+1)
		var want *store.Snapshot
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			for _, adders := range []int{1, 3} {
				b := store.NewBuilder()
				var running sync.WaitGroup
				for i := range adders {
					own, part := b.Adder(), added[len(added)*i/adders:len(added)*(i+1)/adders]
					running.Go(func() {
						for i := range part {
							own.AddTriple(&part[i])
						}
					})
				}
				running.Wait()
				got := b.Build()
				if want == nil {
					want = got
				}
				if !reflect.DeepEqual(want, got) {
					t.Errorf("%d triples: %d goroutines on %d processors make another snapshot", n, adders, processors)
				}
				rng.Shuffle(len(added), func(i, j int) { added[i], added[j] = added[j], added[i] })
			}
			runtime.GOMAXPROCS(before)
		}
		if n > 10_000 {
			continue // takes long
		}
		different := map[string]bool{}
		for i := range added {
			different[added[i].String()] = true
		}
		if want.Len() != len(different) {
			t.Errorf("%d triples in the snapshot, and %d different ones were added", want.Len(), len(different))
		}
		for got := range want.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
			if !different[got.String()] {
				t.Fatalf("%s was not added", got)
			}
			delete(different, got.String())
		}
		if len(different) > 0 {
			t.Errorf("%d triples that were added are not found", len(different))
		}
	}
}

// TestTextsThatBeginAlikeForLong holds that sorting them does not take the stack that
// eight bytes of each text would need.
func TestTextsThatBeginAlikeForLong(t *testing.T) {
	const n = 40
	alike := strings.Repeat("x", 4<<20)
	b := store.NewBuilder()
	for i := range n {
		b.Add(rdf.Triple{Subject: iri("s"), Predicate: iri("p"), Object: rdf.NewString(alike + fmt.Sprint(n-i))})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s := b.Build()
	runtime.ReadMemStats(&after)
	if grown := int64(after.StackSys) - int64(before.StackSys); s.Len() != n || grown > 8<<20 {
		t.Errorf("%d triples, and the stack took %d bytes more", s.Len(), grown)
	}
}
