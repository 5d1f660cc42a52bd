package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// ending is a context that counts how often it is looked at, and ends at one look. It may
// be used concurrently.
type ending struct {
	context.Context
	last int

	mu    sync.Mutex
	looks int
}

func (e *ending) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.looks++; e.last > 0 && e.looks >= e.last {
		return context.Canceled
	}
	return nil
}

// TestLoadingEndsWithItsContext holds that all of loading looks at its context, and
// that what looks last is the stage that it ends.
func TestLoadingEndsWithItsContext(t *testing.T) {
	const n = 6_000
	b := store.NewBuilder()
	iri := func(format string, i int) rdf.Term { return rdf.NewIRI(big + fmt.Sprintf(format, i)) }
	for i := range n {
		b.Add(rdf.Triple{Subject: iri("Thing/x%d", i), Predicate: rdf.NewIRI(rdf.RDFType), Object: iri("C%d", i%100)})
		b.Add(rdf.Triple{Subject: iri("Thing/x%d", i), Predicate: rdf.NewIRI(rdf.RDFSLabel), Object: rdf.NewString(fmt.Sprint("thing ", i))})
	}
	for i := range 100 {
		b.Add(rdf.Triple{Subject: iri("C%d", i+1), Predicate: rdf.NewIRI(rdf.RDFS + "subClassOf"), Object: iri("C%d", i)})
	}
	s := b.Build()
	whole := &ending{Context: t.Context()}
	if err := rdfgraph.EndLoading(whole, s); err != nil {
		t.Fatal(err)
	}
	reads := s.Work().Reads()
	if few := 3*n/1024 + 2*100; whole.looks < few {
		t.Errorf("%d looks at the context while loading, want at least %d", whole.looks, few)
	}
	for last := 1; last <= whole.looks; last += 1 + whole.looks/30 {
		ctx := &ending{Context: t.Context(), last: last}
		if err := rdfgraph.EndLoading(ctx, s); !errors.Is(err, context.Canceled) {
			t.Fatalf("ended at look %d of %d: error %v", last, whole.looks, err)
		}
		if ctx.looks > last+3+runtime.GOMAXPROCS(0) { // each goroutine looks for itself
			t.Errorf("ended at look %d of %d, and %d came", last, whole.looks, ctx.looks)
		}
		if last == 1 && s.Work().Reads()-reads > reads/10 {
			t.Errorf("ended at once, and %d of %d rows were read", s.Work().Reads()-reads, reads)
		}
	}
}

// TestUsedTermsAreCountedOnce holds that a long chain of classes, all of them used, is
// gone up once and not from each.
func TestUsedTermsAreCountedOnce(t *testing.T) {
	const n = 2_000
	var used []string
	for i := range n {
		used = append(used, fmt.Sprint(i))
	}
	asked := 0
	got := rdfgraph.WithSupers(used, func(iri string) ([]string, bool) {
		asked++
		var i int
		if _, err := fmt.Sscan(iri, &i); err != nil || i < 0 {
			return nil, false // above the chain, and none of the ontology's
		}
		return []string{fmt.Sprint(i - 1), iri}, true
	})
	if got != n || asked != n+1 {
		t.Errorf("%d terms are used, and %d were asked for their supers; want %d and %d", got, asked, n, n+1)
	}
}
