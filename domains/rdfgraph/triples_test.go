package rdfgraph_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
	"github.com/ontogate/ontogate/examples"
)

// bothTriples is a graph as Triples and as what it means.
type bothTriples struct {
	s     *store.Snapshot
	raw   domains.Triples
	naive *naiveTriples
}

func newBothTriples(t testing.TB, all []rdf.Triple) bothTriples {
	b := store.NewBuilder()
	for _, triple := range all {
		b.Add(triple)
	}
	s := b.Build()
	_, schema, err := owl.Build(t.Context(), s, owl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return bothTriples{s, rdfgraph.NewTriples(rdfgraph.NewFacts(s, nil, nil)), newNaiveTriples(all, schema)}
}

func (b bothTriples) compareFind(t *testing.T, q domains.TripleQuery) (total int) {
	t.Helper()
	got, err := b.raw.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("Find(%+v): %v", q, err)
	}
	if diff := cmp.Diff(b.naive.find(q), got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("Find(%+v) (-want +got):\n%s", q, diff)
	}
	return got.Total
}

func (b bothTriples) compareList(t *testing.T, p domains.TriplePattern) (total int) {
	t.Helper()
	got, err := b.raw.List(t.Context(), p)
	if err != nil {
		t.Fatalf("List(%+v): %v", p, err)
	}
	if diff := cmp.Diff(b.naive.list(p), got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("List(%+v) (-want +got):\n%s", p, diff)
	}
	return got.Total
}

// rawTriple is a triple of a small world in which terms meet by their texts: IRIs with one
// local id, texts that are written like IRIs, blank nodes, classes that are schema terms
// and classes that are not.
func rawTriple(r *rand.Rand) rdf.Triple {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	node := func() rdf.Term {
		switch r.IntN(12) {
		case 0:
			return rdf.NewBlank(fmt.Sprint("b", r.IntN(4)))
		case 1:
			return rdf.NewIRI(fmt.Sprint("urn:x:", r.IntN(4)))
		}
		return rdf.NewIRI(pick("http://x.org/", "https://x.org/Person/", "http://x.org/o#", "http://x.org/o#a/", "http://a.org/", "http://z.org/Ünit/") +
			pick("1", "2", "b1", "Ann", "ann_", "Ö", "", "s%20t"))
	}
	t := rdf.Triple{Subject: node(), Object: node()}
	switch r.IntN(10) {
	case 0, 1, 2:
		t.Predicate, t.Object = rdf.NewIRI(rdf.RDFType), rdf.NewIRI(pick("http://x.org/o#Person", "http://x.org/Person", "http://x.org/o#VIP_Person", "urn:Person", "http://x.org/Place"))
	case 3, 4:
		t.Predicate = rdf.NewIRI(pick(rdf.RDFSLabel, "http://x.org/name", "http://x.org/o#label", "http://x.org/Name"))
		t.Object = rdf.Term{Kind: rdf.Literal, Value: pick("Ann Müller", "100%", "ann", "B_n", "ÉTÉ", ""), Lang: pick("", "en", "fr")}
	case 5, 6:
		t.Predicate = rdf.NewIRI(pick("http://x.org/p", "http://x.org/q"))
		t.Object = rdf.NewTyped(pick("http://x.org/1", "7", "x", "http://base.org/.well-known/genid/b1"), pick("", rdf.XSDInteger))
	case 7:
		t.Subject, t.Predicate = rdf.NewIRI(pick("http://x.org/1", "http://x.org/2")), rdf.NewIRI("http://x.org/p")
		t.Object = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: rdf.NewIRI("http://x.org/1"), Predicate: rdf.NewIRI("http://x.org/p"), Object: rdf.NewString(pick("a", "b"))}}
	default:
		t.Predicate = rdf.NewIRI(pick("http://x.org/p", "http://x.org/q", "urn:r"))
	}
	return t
}

// TestTriplesOfAnyGraph asks random questions of random graphs.
func TestTriplesOfAnyGraph(t *testing.T) {
	found, listed := 0, 0
	for seed := range uint64(domaintest.Rounds(60)) {
		r := rand.New(rand.NewPCG(seed, 6))
		all := []rdf.Triple{{Subject: rdf.NewIRI("http://x.org/Place"), Predicate: rdf.NewIRI(rdf.RDFType), Object: rdf.NewIRI(rdf.OWL + "Class")},
			{Subject: rdf.NewIRI("http://x.org/Place"), Predicate: rdf.NewIRI("http://x.org/p"), Object: rdf.NewIRI("http://x.org/1")}}
		for range 5 + r.IntN(60) {
			all = append(all, rawTriple(r))
		}
		b := newBothTriples(t, all)
		pick := func(from ...string) string { return from[r.IntN(len(from))] }
		for range 12 {
			q := domains.TripleQuery{
				Type: pick("", "", "person", "PERSON", "vip_person", "%person", "p_rson", "Place", "rson", "none"), Search: pick("", "ann", "A", "_nn", "%", "_", "ü", "été", "x%1", "1", "genid", "B_", "none", "place", "100%"),
				Depth: 1 + r.IntN(3), Offset: max(0, r.IntN(30)-15), Limit: 1 + r.IntN(20),
			}
			if q.Type == "" && q.Search == "" {
				q.Type = "Person"
			}
			found += b.compareFind(t, q)
			listed += b.compareList(t, domains.TriplePattern{
				Subject: pick("", "", "", "x.org", "Ann", "genid", "urn"), Predicate: pick("", "", "", "http://x.org/p", rdf.RDFType, "http://x.org/none"), Object: pick("", "", "http", "n", "1", "<<(", "none"),
				Type: pick("", "", "", "Person", "o#", "person"), Search: pick("", "", "ann", "label", "7", "x.org/1", "p"),
				Offset: max(0, r.IntN(30)-15), Limit: 1 + r.IntN(20),
			})
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if found == 0 || listed == 0 {
		t.Errorf("found %d and listed %d triples in all", found, listed)
	}
}

// TestTriplesOfTheSamples asks questions of the samples, and of the whole page by page.
func TestTriplesOfTheSamples(t *testing.T) {
	var all []rdf.Triple
	err := fs.WalkDir(examples.FS(), "finance", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".ttl") {
			return err
		}
		file, err := fs.ReadFile(examples.FS(), path)
		if err != nil {
			return err
		}
		return rdf.Read(bytes.NewReader(file), rdf.Turtle, rdf.Options{Base: "http://base.org/"}, func(q rdf.Quad) error {
			all = append(all, q.Triple)
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	b := newBothTriples(t, all)
	for _, q := range []domains.TripleQuery{
		{Type: "Contract", Depth: 1, Limit: 300}, {Type: "contract", Search: "CUST00094", Depth: 1, Limit: 10}, {Search: "cust_00094", Depth: 2, Limit: 7, Offset: 20},
		{Type: "none", Depth: 1, Limit: 1}, {Search: "%", Depth: 1, Limit: 3, Offset: 1_000}, {Search: "a", Depth: 3, Limit: 50},
	}[:domaintest.Rounds(6)] {
		b.compareFind(t, q)
	}
	if n := b.compareList(t, domains.TriplePattern{Limit: 300}); n < 1_000 {
		t.Errorf("%d triples in all", n)
	}
}

// TestTriplesByWords holds that a search by words is that of Facts.Find, and that all IRIs
// of an entity have its rank.
func TestTriplesByWords(t *testing.T) {
	f := rdfgraph.NewFacts(generated(domaintest.LeastGenerated), nil, nil)
	raw := rdfgraph.NewTriples(f)
	hits, err := f.Find(t.Context(), domains.Query{Text: "martinez zephyrine", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	page, err := raw.Find(t.Context(), domains.TripleQuery{Search: " martinez zephyrine ", Words: true, Depth: 1, Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	ranksOf := func(page *domains.TriplePage) map[string]int { // subject → rank
		out := map[string]int{}
		for _, triple := range page.Triples {
			if triple.Rank > 0 {
				out[triple.Subject.Value] = triple.Rank
			}
		}
		return out
	}
	ranks := ranksOf(page)
	for i, h := range hits.Hits {
		if ranks[h.Ref.IRI] != i+1 {
			t.Errorf("%s has rank %d, want %d", h.Ref.IRI, ranks[h.Ref.IRI], i+1)
		}
	}
	if len(ranks) != 7 || page.Seeds != 7 {
		t.Errorf("%d ranks and %d seeds, want 7", len(ranks), page.Seeds)
	}
	page, err = raw.Find(t.Context(), domains.TripleQuery{Search: "cust0000003", Words: true, Depth: 1, Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{domaintest.BigEntity: 1, domaintest.BigAlias: 1}, ranksOf(page)); diff != "" || page.Seeds != 2 {
		t.Errorf("%d seeds; ranks (-want +got):\n%s", page.Seeds, diff)
	}
	if page.Message != "" {
		t.Errorf("one entity comes with the message %q", page.Message)
	}
	for q, want := range map[domains.TripleQuery]int{
		{Search: "martinez zephyrine", Words: true, Type: "customer", Depth: 1, Limit: 1}: 7,
		{Search: "martinez zephyrine", Words: true, Type: "Call", Depth: 1, Limit: 1}:     0,
		{Search: "martinez zephyrine", Words: true, Type: "none", Depth: 1, Limit: 1}:     0,
		{Search: "martinez zephyrine", Depth: 1, Limit: 1}:                                0,
		{Search: "  ", Type: "Segment", Words: true, Depth: 1, Limit: 1}:                  1,
		{Search: "customer", Type: "owl#Class", Words: true, Depth: 1, Limit: 1}:          0,
	} {
		if got, err := raw.Find(t.Context(), q); err != nil || got.Seeds != want {
			t.Errorf("Find(%+v): %+v, %v; want %d seeds", q, got, err, want)
		}
	}
}

// TestTriplesThatAreNotAskedFor holds what is refused, and that calls end.
func TestTriplesThatAreNotAskedFor(t *testing.T) {
	raw := rdfgraph.NewTriples(rdfgraph.NewFacts(generated(20_000), nil, nil))
	for name, q := range map[string]domains.TripleQuery{
		"nothing": {Depth: 1, Limit: 1}, "spaces": {Search: " ", Words: true}, "a long text": {Search: strings.Repeat("_", 1_001)}, "a long class": {Type: strings.Repeat("_", 1_001)},
	} {
		if page, err := raw.Find(t.Context(), q); !errors.Is(err, domains.ErrInvalid) {
			t.Errorf("%s: %+v, %v; want ErrInvalid", name, page, err)
		}
	}
	for _, q := range []domains.TripleQuery{{Type: "Customer", Depth: 9}, {Search: "a"}, {Search: "a", Words: true}, {Search: "a", Type: "Customer"}} {
		ctx := &ending{Context: t.Context(), last: 4}
		if _, err := raw.Find(ctx, q); !errors.Is(err, context.Canceled) {
			t.Errorf("Find(%+v) with a context that ends: %v", q, err)
		}
	}
	for _, p := range []domains.TriplePattern{{}, {Object: "a"}, {Search: "a"}, {Type: "Customer"}, {Subject: "a"}} {
		ctx := &ending{Context: t.Context(), last: 2}
		if _, err := raw.List(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("List(%+v) with a context that ends: %v", p, err)
		}
	}
}

// TestTriplesReadLittle holds that triples outside the page are counted and not read, and
// that words and classes are looked up.
func TestTriplesReadLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	s, raw := million().snapshot, rdfgraph.NewTriples(million().facts)
	find := func(q domains.TripleQuery) func() (*domains.TriplePage, error) {
		return func() (*domains.TriplePage, error) { return raw.Find(t.Context(), q) }
	}
	list := func(p domains.TriplePattern) func() (*domains.TriplePage, error) {
		return func() (*domains.TriplePage, error) { return raw.List(t.Context(), p) }
	}
	label := rdf.NewIRI(rdf.RDFSLabel)
	hub := s.Count(rdf.NewIRI(domaintest.BigHub), rdf.Term{}, rdf.Term{})
	stats, err := million().facts.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		run   func() (*domains.TriplePage, error)
		total int // -1 for any
		reads int // at most
	}{
		{"all", list(domains.TriplePattern{Offset: 900_000, Limit: 10}), stats.Triples, 100},
		{"a subject", list(domains.TriplePattern{Subject: domaintest.BigHub, Limit: 10}), hub, 100},
		{"a predicate", list(domains.TriplePattern{Predicate: big + "lastname", Limit: 10}), s.Count(rdf.Term{}, rdf.NewIRI(big+"lastname"), rdf.Term{}), 100},
		{"a rare predicate", list(domains.TriplePattern{Predicate: big + "mayor", Limit: 10}), s.Count(rdf.Term{}, rdf.NewIRI(big+"mayor"), rdf.Term{}), 4_000},
		{"a rare class", list(domains.TriplePattern{Type: "Segment", Limit: 10}), hub, 100},
		{"an object", list(domains.TriplePattern{Object: "Aurelia Winterbourne", Limit: 10}), s.Count(rdf.Term{}, label, rdf.NewString("Aurelia Winterbourne")), 100},
		{"an entity by words", find(domains.TripleQuery{Search: "cornelius featherstonehaugh", Words: true, Depth: 1, Limit: 10}), -1, 200},
		{"what is around a hub", find(domains.TripleQuery{Type: "Segment", Depth: 1, Limit: 10}), -1, customersOf(s) + 200},
	} {
		before := s.Work()
		page, err := tc.run()
		if err != nil {
			t.Fatal(err)
		}
		reads := s.Work().Reads() - before.Reads()
		t.Logf("%s: %d triples, %d reads, %d look-ups", tc.name, page.Total, reads, s.Work().Lookups-before.Lookups)
		if tc.total >= 0 && page.Total != tc.total || page.Total == 0 || len(page.Triples) == 0 {
			t.Errorf("%s: %d triples of %d, want %d", tc.name, len(page.Triples), page.Total, tc.total)
		}
		if reads > tc.reads || reads == 0 {
			t.Errorf("%s: read %d, want at most %d and at least 1", tc.name, reads, tc.reads)
		}
	}
}

// TestTriplesByWordsOfMany holds that more entities than are told are told of.
func TestTriplesByWordsOfMany(t *testing.T) {
	b := store.NewBuilder()
	for i := range 1_001 {
		b.Add(rdf.Triple{Subject: rdf.NewIRI(fmt.Sprint(big, i)), Predicate: rdf.NewIRI(rdf.RDFSLabel), Object: rdf.NewString("Ann")})
	}
	raw := rdfgraph.NewTriples(rdfgraph.NewFacts(b.Build(), nil, nil))
	page, err := raw.Find(t.Context(), domains.TripleQuery{Search: "ann", Words: true, Depth: 1, Limit: 1})
	if err != nil || page.Seeds != 1_000 || page.Message != "More entities match than the 1000 that are told: search for more words." {
		t.Errorf("%d seeds with the message %q, error %v; want 1,000", page.Seeds, page.Message, err)
	}
}

// TestTriplesAroundAClass holds that a walk over a class reads none of its instances, and
// goes over no triple that describes a schema term.
func TestTriplesAroundAClass(t *testing.T) {
	iri := func(name string) rdf.Term { return rdf.NewIRI(big + name) }
	all := []rdf.Triple{
		{Subject: iri("Thing"), Predicate: rdf.NewIRI(rdf.RDFType), Object: rdf.NewIRI(rdf.OWL + "Class")},
		{Subject: iri("Part"), Predicate: rdf.NewIRI(rdf.RDFType), Object: rdf.NewIRI(rdf.OWL + "Class")},
		{Subject: iri("Part"), Predicate: iri("seeAlso"), Object: iri("Thing")},
		{Subject: iri("note"), Predicate: iri("about"), Object: iri("Thing")},
		{Subject: iri("page"), Predicate: iri("about"), Object: iri("Thing")},
		{Subject: iri("page"), Predicate: iri("seeAlso"), Object: iri("Part")},
	}
	for i := range 500 {
		all = append(all, rdf.Triple{Subject: iri(fmt.Sprint("thing/", i)), Predicate: rdf.NewIRI(rdf.RDFType), Object: iri("Thing")})
	}
	b := newBothTriples(t, all)
	before := b.s.Work()
	if n := b.compareFind(t, domains.TripleQuery{Search: "note", Depth: 2, Limit: 10}); n != 3 {
		t.Errorf("%d triples, want 3", n)
	}
	if reads := b.s.Work().Reads() - before.Reads(); reads > 50 {
		t.Errorf("read %d", reads)
	}
	b.compareFind(t, domains.TripleQuery{Search: "note", Depth: 3, Limit: 10})
}

// customersOf is how many customers a generated graph has.
func customersOf(s *store.Snapshot) int {
	return s.Count(rdf.Term{}, rdf.NewIRI(rdf.RDFType), rdf.NewIRI(domaintest.BigClass))
}

// FuzzLike holds that the patterns of a search mean what SQL says.
func FuzzLike(f *testing.F) {
	for _, seed := range [][2]string{
		{"%a%", "bab"}, {"a_c", "ABC"}, {"%_", ""}, {"%/ann%", "http://x/Ann"}, {"a%b%c", "abbc"}, {"%ab_b", "abab ab"}, {"é%", "ÉTÉ"},
		{"_", "\xff"}, {"%", ""}, {"", "a"}, {"%aab%", "aaab"}, {"a%a", "a"}, {"%İ", "i"}, {"\\%", "\\x"}, {"__%__", "abc"}, {"%a_%_b%", "aab"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern)*len(text) > 1<<16 {
			return
		}
		if got, want := rdfgraph.Like(pattern, text), naiveLike(pattern, text); got != want {
			t.Errorf("%q fits %q: %t, want %t", pattern, text, got, want)
		}
	})
}

func BenchmarkTriples(b *testing.B) {
	raw := rdfgraph.NewTriples(million().facts)
	for name, q := range map[string]domains.TripleQuery{
		"text": {Search: "martinez", Depth: 1}, "nothing": {Search: "mortimez", Depth: 1}, "wildcards": {Search: "m_rtinez%x", Depth: 1},
		"class": {Type: "Customer", Depth: 1}, "all": {Type: "Customer", Depth: 10}, "words": {Search: "cornelius featherstonehaugh", Words: true, Depth: 1},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				q.Limit = 1_000
				if _, err := raw.Find(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for name, p := range map[string]domains.TriplePattern{"list all": {}, "list an object": {Object: "artine"}, "list a search": {Search: "artine"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p.Limit = 1_000
				if _, err := raw.List(b.Context(), p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
