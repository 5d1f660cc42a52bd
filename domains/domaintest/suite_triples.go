package domaintest

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// listed is how many triples are listed at once, and some how many of a large graph.
const (
	listed = 10_000
	some   = 50
)

// eachTriples runs a test on every domain whose graph can be read as it was written, of
// which there must be one.
func eachTriples(test func(t *testing.T, d *domains.Domain)) func(*testing.T, domains.Backend) {
	return func(t *testing.T, b domains.Backend) {
		graphs := 0
		eachDomain(t, b, func(t *testing.T, d *domains.Domain) {
			if d.Triples != nil {
				graphs++
				test(t, d)
			}
		})
		if graphs == 0 {
			t.Error("no domain has Triples")
		}
	}
}

// found asks and checks what holds of every answer.
func found(t *testing.T, d *domains.Domain, q domains.TripleQuery) *domains.TriplePage {
	t.Helper()
	p, err := d.Triples.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("Find(%+v): %v", q, err)
	}
	checkTriples(t, p, q.Offset, q.Limit)
	if (p.Seeds == 0) != (p.Total == 0) || p.Seeds > p.Entities {
		t.Errorf("Find(%+v): %d seeds, %d entities and %d triples", q, p.Seeds, p.Entities, p.Total)
	}
	return p
}

// triples lists what fits a pattern, and checks the answer.
func triples(t *testing.T, d *domains.Domain, pattern domains.TriplePattern) *domains.TriplePage {
	t.Helper()
	p, err := d.Triples.List(t.Context(), pattern)
	if err != nil {
		t.Fatalf("List(%+v): %v", pattern, err)
	}
	checkTriples(t, p, pattern.Offset, pattern.Limit)
	return p
}

func checkTriples(t *testing.T, p *domains.TriplePage, offset, limit int) {
	t.Helper()
	if want := min(limit, max(p.Total-offset, 0)); len(p.Triples) != want {
		t.Errorf("%d triples from %d of %d, want %d", len(p.Triples), offset, p.Total, want)
	}
	for i, triple := range p.Triples {
		if triple.Subject.Value == "" || triple.Predicate.Kind != rdf.IRI || triple.Object.IsZero() {
			t.Errorf("triple %d is %v", i, triple.Triple)
		}
		if i > 0 && compareTriples(p.Triples[i-1].Triple, triple.Triple) > 0 {
			t.Errorf("%v comes before %v", p.Triples[i-1].Triple, triple.Triple)
		}
	}
}

// compareTriples orders triples by their texts.
func compareTriples(a, b rdf.Triple) int {
	text := func(t rdf.Term) string {
		if t.Kind == rdf.TripleTerm {
			return t.String()
		}
		return t.Value
	}
	return cmp.Or(cmp.Compare(text(a.Subject), text(b.Subject)), cmp.Compare(text(a.Predicate), text(b.Predicate)), cmp.Compare(text(a.Object), text(b.Object)))
}

// listTriples holds that all that Stats counts is listed, and that patterns pick from it.
func listTriples(t *testing.T, d *domains.Domain) {
	s, err := d.Facts.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := triples(t, d, domains.TriplePattern{Limit: some})
	if all.Total != s.Triples {
		t.Errorf("%d triples are listed, %d counted", all.Total, s.Triples)
	}
	if behind := triples(t, d, domains.TriplePattern{Limit: some, Offset: all.Total}); len(behind.Triples) != 0 || behind.Total != all.Total {
		t.Errorf("behind the last of %d are %d of %d", all.Total, len(behind.Triples), behind.Total)
	}
	for _, p := range s.Properties[:min(samples, len(s.Properties))] {
		of := triples(t, d, domains.TriplePattern{Predicate: p.IRI, Limit: some})
		if of.Total != p.Count {
			t.Errorf("%s: %d triples are listed, %d counted", p.IRI, of.Total, p.Count)
		}
		for _, triple := range of.Triples {
			if triple.Predicate.Value != p.IRI {
				t.Errorf("%s: %v", p.IRI, triple.Triple)
			}
		}
	}
	for _, triple := range all.Triples[:min(samples, len(all.Triples))] {
		if triple.Object.Kind == rdf.TripleTerm || triple.Object.Value == "" {
			continue
		}
		p := domains.TriplePattern{Subject: triple.Subject.Value, Predicate: triple.Predicate.Value, Object: triple.Object.Value, Search: triple.Object.Value, Limit: some}
		if of := triples(t, d, p); of.Total == 0 {
			t.Errorf("%v is not listed by itself", triple.Triple)
		}
	}
}

// typeName is a class as TripleQuery.Type names it; false when it cannot.
func typeName(class string) (string, bool) {
	i := strings.LastIndexAny(class, "/#")
	return class[i+1:], i >= 0 && i+1 < len(class) && !strings.ContainsAny(class, "%_")
}

// findTriples holds that the seeds are the subjects of a class, and that all of their
// triples are found.
func findTriples(t *testing.T, d *domains.Domain) {
	types := triples(t, d, domains.TriplePattern{Predicate: rdf.RDFType, Limit: listed})
	if types.Total > listed {
		return // not all fit
	}
	for _, c := range classes(t, d.Facts) {
		name, ok := typeName(c.IRI)
		if !ok {
			continue
		}
		seeds := map[string]bool{}
		for _, triple := range types.Triples {
			if class := strings.ToLower(triple.Object.Value); strings.HasSuffix(class, "/"+strings.ToLower(name)) || strings.HasSuffix(class, "#"+strings.ToLower(name)) {
				seeds[triple.Subject.Value] = true
			}
		}
		p := found(t, d, domains.TripleQuery{Type: strings.ToUpper(name), Depth: 1, Limit: listed})
		if p.Seeds != len(seeds) {
			t.Errorf("%s: %d seeds, want %d", name, p.Seeds, len(seeds))
		}
		told := map[string]bool{}
		for _, triple := range p.Triples {
			told[triple.Subject.Value] = true
			if triple.Rank != 0 {
				t.Errorf("%s: %v has rank %d although nothing ranks", name, triple.Triple, triple.Rank)
			}
		}
		for s := range seeds {
			if !told[s] && p.Total <= listed {
				t.Errorf("%s: nothing is told of %s", name, s)
			}
		}
	}
}

// pageTriples holds that the pages of an answer are parts of one whole.
func pageTriples(t *testing.T, d *domains.Domain) {
	queries := []domains.TripleQuery{{Search: "a", Depth: 1}}
	for _, c := range classes(t, d.Facts) {
		if name, ok := typeName(c.IRI); ok {
			queries = append(queries, domains.TripleQuery{Type: name, Depth: 1}, domains.TripleQuery{Type: name, Search: "%e_", Depth: 2})
			break
		}
	}
	for _, q := range queries {
		q.Limit = whole
		all := found(t, d, q)
		var pages []domains.RankedTriple
		for q.Limit = 7; q.Offset < len(all.Triples); q.Offset += q.Limit {
			q.Limit = min(q.Limit, len(all.Triples)-q.Offset)
			p := found(t, d, q)
			if p.Total != all.Total || p.Seeds != all.Seeds || p.Entities != all.Entities {
				t.Errorf("Find(%+v): %d triples, %d seeds and %d entities; the whole has %d, %d and %d", q, p.Total, p.Seeds, p.Entities, all.Total, all.Seeds, all.Entities)
			}
			pages = append(pages, p.Triples...)
		}
		if diff := gocmp.Diff(all.Triples[:len(pages)], pages); diff != "" || len(pages) != len(all.Triples) {
			t.Errorf("Find(%+v): %d triples in pages of %d (-whole +pages):\n%s", q, len(pages), len(all.Triples), diff)
		}
	}
}

// clampTriples holds the limits of a question.
func clampTriples(t *testing.T, d *domains.Domain) {
	for _, c := range classes(t, d.Facts) {
		name, ok := typeName(c.IRI)
		if !ok {
			continue
		}
		for _, tc := range []struct{ given, same domains.TripleQuery }{
			{domains.TripleQuery{Type: name, Depth: -3, Limit: some}, domains.TripleQuery{Type: name, Depth: 1, Limit: some}},
			{domains.TripleQuery{Type: name, Depth: 99, Limit: some}, domains.TripleQuery{Type: name, Depth: 10, Limit: some}},
			{domains.TripleQuery{Type: name, Depth: 1, Limit: -1, Offset: -1}, domains.TripleQuery{Type: name, Depth: 1, Limit: 1}},
		} {
			want := found(t, d, tc.same)
			got, err := d.Triples.Find(t.Context(), tc.given)
			if diff := gocmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("Find(%+v), %v (-want +got):\n%s", tc.given, err, diff)
			}
		}
		return
	}
}

func noTriples(t *testing.T, d *domains.Domain) {
	for _, q := range []domains.TripleQuery{{Type: "xqzwv"}, {Search: "xqzwv jjkqx"}, {Search: "xqzwv", Words: true}, {Type: "xqzwv", Search: "a"}} {
		q.Depth, q.Limit, q.Offset = 2, some, 3
		if p := found(t, d, q); p.Seeds != 0 || p.Total != 0 || len(p.Triples) != 0 || p.Entities != 0 {
			t.Errorf("Find(%+v) = %+v", q, p)
		}
	}
	for _, p := range []domains.TriplePattern{{Subject: "xqzwv"}, {Predicate: "xqzwv"}, {Object: "xqzwv"}, {Type: "xqzwv"}, {Search: "xqzwv"}} {
		p.Limit = some
		if got := triples(t, d, p); got.Total != 0 || len(got.Triples) != 0 {
			t.Errorf("List(%+v) = %+v", p, got)
		}
	}
	if p, err := d.Triples.Find(t.Context(), domains.TripleQuery{Depth: 1, Limit: 1}); !errors.Is(err, domains.ErrInvalid) {
		t.Errorf("Find of nothing: %+v, %v; want ErrInvalid", p, err)
	}
}
