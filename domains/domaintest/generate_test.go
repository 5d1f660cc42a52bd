package domaintest_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// bigFacts serves a generated graph from its text.
func bigFacts(t *testing.T, n int) domains.Facts {
	t.Helper()
	var text bytes.Buffer
	if err := domaintest.Generate(n, &text); err != nil {
		t.Fatal(err)
	}
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: fstest.MapFS{"big/a.nt": {Data: text.Bytes()}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	d, err := b.Open(t.Context(), "big")
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Problems) > 0 {
		t.Fatalf("problems: %v", d.Problems)
	}
	return d.Facts
}

// TestGeneratedSize holds that a graph has about as many triples as were asked for,
// each once, and that it is the same each time.
func TestGeneratedSize(t *testing.T) {
	for _, n := range []int{domaintest.LeastGenerated, 12_000, 100_000} {
		triples := slices.Collect(domaintest.Generated(n))
		if len(triples) < n*98/100 || len(triples) > n {
			t.Errorf("%d triples of %d", len(triples), n)
		}
		seen := map[rdf.Triple]bool{}
		for _, triple := range triples {
			seen[triple] = true
		}
		if len(seen) != len(triples) {
			t.Errorf("%d of %d triples are different", len(seen), len(triples))
		}
		if !slices.Equal(triples, slices.Collect(domaintest.Generated(n))) {
			t.Errorf("%d triples differ the second time", n)
		}
	}
	for range domaintest.Generated(12_000) {
		break // whoever has enough ends it
	}
}

// TestBigQueries holds that the searches find as much at every size, and how.
func TestBigQueries(t *testing.T) {
	for _, n := range []int{domaintest.LeastGenerated, 12_000, 100_000} {
		f := bigFacts(t, n)
		for _, q := range domaintest.BigQueries() {
			m, err := f.Find(t.Context(), domains.Query{Text: q.Text, Limit: 20})
			if err != nil {
				t.Fatal(err)
			}
			got := domaintest.BigQuery{Name: q.Name, Text: q.Text, Hits: m.Total, Suggested: strings.Join(m.Suggestions, ", ")}
			for _, h := range m.Hits {
				got.Tier = max(got.Tier, h.Tier)
			}
			if diff := cmp.Diff(q, got); diff != "" || m.AtLeast {
				t.Errorf("%d triples, %s: at least %t (-want +got):\n%s", n, q.Name, m.AtLeast, diff)
			}
		}
	}
}

// TestBigEntity holds that the entity to describe has the same facts at every size, and
// that the hub grows.
func TestBigEntity(t *testing.T) {
	var links []int
	for _, n := range []int{domaintest.LeastGenerated, 12_000, 100_000} {
		f := bigFacts(t, n)
		for e, err := range f.Walk(t.Context(), []string{domaintest.BigAlias, domaintest.BigHub}, domains.WalkOptions{Fanout: 10}) {
			if err != nil {
				t.Fatal(err)
			}
			total := 0
			for _, fact := range e.Facts {
				total += fact.Total
			}
			switch e.IRI {
			case domaintest.BigEntity:
				if !slices.Equal(e.Aliases, []string{domaintest.BigAlias}) || e.Triples != 6 || len(e.Labels) != 1 || total != 6 {
					t.Errorf("%d triples: %d triples, %d facts: %+v", n, e.Triples, total, e)
				}
			case domaintest.BigHub:
				links = append(links, total)
			default:
				t.Errorf("described %s", e.IRI)
			}
		}
	}
	if len(links) != 3 || links[0]*5 > links[1] || links[1]*8 > links[2] {
		t.Errorf("the hub has %d links", links)
	}
}
