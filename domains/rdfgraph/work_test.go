package rdfgraph_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// big is the namespace of the graphs that tests make.
const big = domaintest.Big

// generated is a graph of about n triples.
func generated(n int) *store.Snapshot {
	b := store.NewBuilder()
	for t := range domaintest.Generated(n) {
		b.Add(t)
	}
	return b.Build()
}

// million is a graph of about 1,000,000 triples, made once for all tests.
var million = sync.OnceValue(func() *bigGraph { return bigGraphOf(1_000_000) })

// TestAnswersReadLittle holds that a question costs what it shows and not what the
// graph has: under a thousandth of a million triples, and for names no more than
// the limit of a step.
func TestAnswersReadLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	s, f := million().snapshot, million().facts
	walk := func(depth int, from ...string) func() int {
		return func() int {
			n := 0
			for _, err := range f.Walk(t.Context(), from, domains.WalkOptions{Depth: depth, Fanout: 10}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n == 10 {
					break
				}
			}
			return n
		}
	}
	find := func(q domains.Query) func() int {
		return func() int {
			q.Limit = 10
			m, err := f.Find(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			return m.Total
		}
	}
	jacobMartinez := s.Count(rdf.Term{}, rdf.NewIRI(rdf.RDFSLabel), rdf.NewString("Jacob Martinez"))
	customers := s.Count(rdf.Term{}, rdf.NewIRI(rdf.RDFType), rdf.NewIRI(big+"Customer"))
	for _, tc := range []struct {
		name  string
		run   func() int
		total int // hits, or entities read
		reads int // at most
	}{
		{"describe an entity", walk(0, big+"Customer/CUST0000003"), 1, 100},
		{"describe it by its other IRI", walk(0, big+"CUST0000003"), 1, 100},
		{"walk from an entity", walk(2, big+"Customer/CUST0000003"), 10, 1_000},
		{"describe a hub", walk(0, big+"Segment/all"), 1, 200},
		{"walk from a hub", walk(3, big+"Segment/all"), 10, 1_000},
		{"list a class", find(domains.Query{Types: []string{big + "Customer"}}), customers, 100},
		{"list a class far behind", find(domains.Query{Types: []string{big + "Customer"}, Offset: 90_000}), customers, 100},
		{"list two classes", find(domains.Query{Types: []string{big + "Customer", big + "Call"}}), 2 * customers, 200},
		{"find an IRI", find(domains.Query{IRI: big + "CUST0000003"}), 1, 100},
		{"find a code", find(domains.Query{Text: "CUST0000003"}), 1, 200},
		{"find a name that many have", find(domains.Query{Text: "jacob martinez"}), jacobMartinez, 4_000},
		{"find a word that many have", find(domains.Query{Text: "martinez"}), 1_000, store.MaxPostings + 5_000},
		{"find a part of a word", find(domains.Query{Text: "artine"}), 1_000, store.MaxPostings + 5_000},
		{"find nothing", find(domains.Query{Text: "mortimez"}), 0, 30_000},
	} {
		before := s.Work()
		if got := tc.run(); got != tc.total {
			t.Errorf("%s: %d, want %d", tc.name, got, tc.total)
		}
		after := s.Work()
		reads := after.Reads() - before.Reads()
		t.Logf("%s: %d reads, %d look-ups", tc.name, reads, after.Lookups-before.Lookups)
		if reads > tc.reads || reads == 0 {
			t.Errorf("%s: read %d, want at most %d and at least 1", tc.name, reads, tc.reads)
		}
	}
}

// TestStatsAreKnown holds that statistics are worked out once and not by a call.
func TestStatsAreKnown(t *testing.T) {
	s := generated(10_000)
	f := rdfgraph.NewFacts(s, nil, nil)
	before := s.Work()
	stats, err := f.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, s.Work()); diff != "" {
		t.Errorf("Stats reads the graph (-before +after):\n%s", diff)
	}
	if stats.Entities != 1_997 || stats.Subjects != 1_997+330 {
		t.Errorf("%d entities with %d IRIs, want 1,997 with 2,327", stats.Entities, stats.Subjects)
	}
}

// TestHubsAreNotRead holds that a hub with 1,598 links is described from its index.
func TestHubsAreNotRead(t *testing.T) {
	b := store.NewBuilder()
	put := func(s, p, o string) {
		b.Add(rdf.Triple{Subject: rdf.NewIRI(big + s), Predicate: rdf.NewIRI(big + p), Object: rdf.NewIRI(big + o)})
	}
	for i := range 1598 {
		put(fmt.Sprintf("in%d", i), "to", "hub")
		put("hub", "has", fmt.Sprintf("out%d", i))
		put(fmt.Sprintf("out%d", i), "of", "world")
	}
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, nil)
	before := s.Work()
	for e, err := range f.Walk(t.Context(), []string{big + "hub"}, domains.WalkOptions{Depth: 1, Fanout: 5}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Distance == 0 && (len(e.Facts) != 2 || e.Facts[0].Total != 1598 || e.Facts[1].Total != 1598) {
			t.Errorf("the hub has %+v", e.Facts)
		}
	}
	if reads := s.Work().Reads() - before.Reads(); reads > 150 {
		t.Errorf("described a hub and ten neighbours with %d reads", reads)
	}
}

// TestWalkStopsWithItsConsumer holds that nothing is read that nobody asked for.
func TestWalkStopsWithItsConsumer(t *testing.T) {
	s := generated(1_000)
	f := rdfgraph.NewFacts(s, nil, nil)
	reads := func(stop int) int {
		before := s.Work()
		n := 0
		for range f.Walk(t.Context(), []string{big + "Segment/all"}, domains.WalkOptions{Depth: 5, Fanout: 50}) {
			if n++; n == stop {
				break
			}
		}
		return s.Work().Reads() - before.Reads()
	}
	if one, all := reads(1), reads(-1); one*10 > all {
		t.Errorf("the first entity costs %d reads, the whole walk %d", one, all)
	}
}

// TestCancelledWalkEnds holds that a walk ends between entities.
func TestCancelledWalkEnds(t *testing.T) {
	f := rdfgraph.NewFacts(generated(1_000), nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n, failed := 0, false
	for _, err := range f.Walk(ctx, []string{big + "Segment/all"}, domains.WalkOptions{Depth: 5, Fanout: 50}) {
		if err != nil {
			failed = true
			continue
		}
		if n++; n == 3 {
			cancel()
		}
	}
	if n != 3 || !failed {
		t.Errorf("%d entities after a cancel at 3, error %v", n, failed)
	}
}

func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		generated(1_000_000)
	}
}

func BenchmarkNewFacts(b *testing.B) {
	s := generated(1_000_000)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		f := rdfgraph.NewFacts(s, nil, nil)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(s.Len()), "B/triple")
		runtime.KeepAlive(f)
	}
}

func BenchmarkMemory(b *testing.B) {
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := generated(1_000_000)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(s.Len()), "B/triple")
		runtime.KeepAlive(s)
	}
}

func BenchmarkFind(b *testing.B) {
	f := million().facts
	for _, text := range []string{"jacob martinez", "jacob", "martinez jacob", "artinez", "mortinez", "CUST0000003", big + "CUST0000003", "a"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := f.Find(b.Context(), domains.Query{Text: text, Limit: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("type", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Find(b.Context(), domains.Query{Types: []string{big + "Customer"}, Limit: 10}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWalk(b *testing.B) {
	f := million().facts
	for _, from := range []string{"Customer/CUST0000003", "Segment/all"} {
		b.Run(from, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for range f.Walk(b.Context(), []string{big + from}, domains.WalkOptions{Depth: 2, Fanout: 10}) {
					if n++; n == 20 {
						break
					}
				}
			}
		})
	}
}
