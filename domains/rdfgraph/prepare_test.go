package rdfgraph_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mixed is a graph of about n entities that have all that loading looks at: classes in
// three layers, several of them for some, IRIs with and without the name of a class,
// owl:sameAs, blank nodes, lists, labels that repeat.
func mixed(rng *rand.Rand, n int) *store.Snapshot {
	b := triples{store.NewBuilder()}
	classes := []string{"Person", "Customer", "Order", "Thing", "Part"}
	for i, class := range classes {
		b.add(class, "a", "<"+rdf.OWL+"Class>")
		b.add(class, "label", fmt.Sprintf("%q", class+" class"))
		if i > 0 {
			b.add(class, "<"+rdf.RDFS+"subClassOf>", classes[i-1-rng.IntN(min(i, 2))])
		}
	}
	node := func() string {
		id := rng.IntN(n)
		switch rng.IntN(9) {
		case 0, 1, 2:
			return fmt.Sprint("x", id)
		case 3, 4:
			return fmt.Sprint("Customer/x", id)
		case 5:
			return fmt.Sprint("Person/x", id)
		case 6:
			return fmt.Sprint("Customer/Person/x", id)
		case 7:
			return fmt.Sprint("_:b", id)
		}
		return fmt.Sprint("Order/y", id)
	}
	for range 3 * n {
		subject := node()
		switch rng.IntN(8) {
		case 0, 1:
			b.add(subject, "a", classes[rng.IntN(len(classes))])
		case 2, 3:
			b.add(subject, "label", fmt.Sprintf("%q", fmt.Sprintf("Name%d the Été-%d", rng.IntN(n), rng.IntN(4))))
		case 4, 5:
			b.add(subject, fmt.Sprint("p", rng.IntN(4)), node())
		case 6:
			b.add(subject, "q", fmt.Sprintf("%q", fmt.Sprint(rng.IntN(n))))
		case 7:
			if rng.IntN(6) == 0 {
				b.add(subject, "<"+rdf.OWLSameAs+">", node())
				continue
			}
			cell := fmt.Sprint("_:l", rng.IntN(n))
			b.add(subject, "list", cell)
			b.add(cell, "<"+rdf.RDFFirst+">", node())
			b.add(cell, "<"+rdf.RDFRest+">", "<"+rdf.RDFNil+">")
		}
	}
	return b.Build()
}

// TestLoadingIsTheSameOnAnyNumberOfProcessors holds that all that is worked out of a
// graph is, to the byte.
func TestLoadingIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := mixed(rng, 200+int(seed)*6_000)
		load := func(processors int) (string, *store.Names) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			return rdfgraph.Prepared(t.Context(), s)
		}
		want, wanted := load(1)
		for range 2 {
			got, names := load(4)
			if want != got {
				t.Errorf("seed %d (-1 processor +4 processors):\n%.2000s", seed, cmp.Diff(want, got))
			}
			if !reflect.DeepEqual(wanted, names) {
				t.Errorf("seed %d: names differ", seed)
			}
		}
	}
}

// TestPairsApartFromOthersAreGroups holds that the short way for pairs of IRIs that have to
// do with no other pair finds the groups that the long way finds.
func TestPairsApartFromOthersAreGroups(t *testing.T) {
	apart := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 6))
		quick, plain, alone := rdfgraph.GroupsBothWays(t.Context(), mixed(rng, 10+rng.IntN(300)))
		if apart += alone; quick != plain {
			t.Errorf("seed %d:\n%s\nbut the long way\n%s", seed, quick, plain)
		}
	}
	if apart < 100 {
		t.Errorf("only %d pairs were apart: the test tests little", apart)
	}
}
