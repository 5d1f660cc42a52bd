package domaintest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

const (
	samples  = 4  // classes and entities of a graph that are looked at
	pageSize = 3  // hits of a page
	whole    = 40 // hits that are fetched at once to compare with pages
)

// find asks and checks what holds of every answer.
func find(t *testing.T, f domains.Facts, q domains.Query) *domains.Matches {
	t.Helper()
	m, err := f.Find(t.Context(), q)
	if err != nil {
		t.Fatalf("Find(%+v): %v", q, err)
	}
	if len(m.Hits) > q.Limit {
		t.Errorf("Find(%+v): %d hits", q, len(m.Hits))
	}
	if len(m.Hits) > 0 && m.Total < q.Offset+len(m.Hits) {
		t.Errorf("Find(%+v): total %d is less than what was returned", q, m.Total)
	}
	if len(m.Hits) < q.Limit && !m.AtLeast && m.Total != q.Offset+len(m.Hits) && q.Offset < m.Total {
		t.Errorf("Find(%+v): %d hits on the last page of %d", q, len(m.Hits), m.Total)
	}
	seen := map[string]bool{}
	for i, h := range m.Hits {
		if h.IRI == "" || seen[h.IRI] {
			t.Errorf("Find(%+v): hit %d has the IRI %q", q, i, h.IRI)
		}
		seen[h.IRI] = true
		if i > 0 && compareHits(m.Hits[i-1], h) >= 0 {
			t.Errorf("Find(%+v): %+v comes before %+v", q, m.Hits[i-1], h)
		}
	}
	return m
}

func compareHits(a, b domains.Hit) int {
	last := func(h domains.Hit) int {
		if h.Schema {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(last(a), last(b)), cmp.Compare(a.IRI, b.IRI))
}

// classes are some classes with instances, the most used first.
func classes(t *testing.T, f domains.Facts) []domains.Count {
	t.Helper()
	s, err := f.Stats(t.Context())
	if err != nil {
		t.Fatalf("Stats: %v", err)
	}
	types := slices.DeleteFunc(slices.Clone(s.Types), func(c domains.Count) bool { return c.Count == 0 })
	return types[:min(samples, len(types))]
}

// entities are some instances of each class, or whatever has a name.
func entities(t *testing.T, f domains.Facts) []domains.Hit {
	t.Helper()
	var out []domains.Hit
	for _, c := range classes(t, f) {
		out = append(out, find(t, f, domains.Query{Types: []string{c.IRI}, Limit: samples}).Hits...)
	}
	if len(out) == 0 {
		out = find(t, f, domains.Query{Text: "a", Limit: samples}).Hits
	}
	return out
}

func findTypes(t *testing.T, f domains.Facts) {
	for _, c := range classes(t, f) {
		m := find(t, f, domains.Query{Types: []string{c.IRI}, Limit: whole})
		if m.Total != c.Count && !m.AtLeast {
			// Schema terms that are instances too come last and are not counted by Stats.
			rest := find(t, f, domains.Query{Types: []string{c.IRI}, Offset: c.Count, Limit: 1})
			if len(rest.Hits) == 0 || !rest.Hits[0].Schema {
				t.Errorf("%s: found %d, counted %d", c.IRI, m.Total, c.Count)
			}
		}
		for _, h := range m.Hits {
			if !slices.Contains(h.Types, c.IRI) || h.Tier != domains.TierExact {
				t.Errorf("%s: hit %+v", c.IRI, h)
			}
		}
	}
}

func findPages(t *testing.T, f domains.Facts) {
	var queries []domains.Query
	for _, c := range classes(t, f) {
		queries = append(queries, domains.Query{Types: []string{c.IRI}})
	}
	if len(queries) > 1 {
		queries = append(queries, domains.Query{Types: slices.Concat(queries[0].Types, queries[1].Types)})
	}
	for _, text := range []string{"a", "e", "0"} {
		queries = append(queries, domains.Query{Text: text})
	}
	for _, q := range queries {
		q.Limit = whole
		all := find(t, f, q)
		var pages []domains.Hit
		for q.Limit = pageSize; q.Offset < whole; q.Offset += pageSize {
			pages = append(pages, find(t, f, q).Hits...)
		}
		pages = pages[:min(whole, len(pages))]
		if diff := gocmp.Diff(all.Hits, pages); diff != "" {
			t.Errorf("%+v (-whole +pages):\n%s", q, diff)
		}
	}
}

func findNames(t *testing.T, f domains.Facts) {
	for _, e := range entities(t, f) {
		if strings.IndexFunc(e.Label, isASCIILetter) < 0 {
			continue
		}
		for _, text := range []string{e.Label, strings.ToUpper(e.Label), strings.ToLower(e.Label), "  " + e.Label + " "} {
			found := false
			for q := (domains.Query{Text: text, Limit: 50}); !found; q.Offset += q.Limit {
				m := find(t, f, q)
				found = slices.ContainsFunc(m.Hits, func(h domains.Hit) bool { return h.IRI == e.IRI && h.Tier == domains.TierExact })
				if len(m.Hits) < q.Limit {
					break
				}
			}
			if !found {
				t.Errorf("%q does not find %s", text, e.IRI)
			}
		}
	}
}

func isASCIILetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }

func findIRI(t *testing.T, f domains.Facts) {
	for _, e := range entities(t, f) {
		for _, q := range []domains.Query{{IRI: e.IRI, Limit: 5}, {IRI: e.IRI, Types: e.Types[:min(1, len(e.Types))], Limit: 5}} {
			m := find(t, f, q)
			if len(m.Hits) != 1 || m.Total != 1 || m.Hits[0].IRI != e.IRI || m.Hits[0].Tier != domains.TierExact {
				t.Errorf("Find(%+v) = %+v", q, m)
			}
		}
	}
}

func findNothing(t *testing.T, f domains.Facts) {
	for _, q := range []domains.Query{
		{Text: "qwxzjkvqwxzjkv", Limit: 5}, {IRI: "http://nowhere.invalid/x", Limit: 5},
		{Types: []string{"http://nowhere.invalid/C"}, Limit: 5}, {Text: "\x00\xff", Limit: 5},
	} {
		if m := find(t, f, q); m.Total != 0 || len(m.Hits) != 0 || m.AtLeast {
			t.Errorf("Find(%+v) = %+v", q, m)
		}
	}
	if _, err := f.Find(t.Context(), domains.Query{Limit: 5}); !errors.Is(err, domains.ErrInvalid) {
		t.Errorf("an empty query gives %v, want %v", err, domains.ErrInvalid)
	}
}

// walk collects a walk and checks what holds of every entity.
func walk(t *testing.T, f domains.Facts, from []string, o domains.WalkOptions) []domains.Entity {
	t.Helper()
	var out []domains.Entity
	seen := map[string]bool{}
	for e, err := range f.Walk(t.Context(), from, o) {
		if err != nil {
			t.Fatalf("Walk(%v): %v", from, err)
		}
		for _, iri := range append([]string{e.IRI}, e.Aliases...) {
			if iri == "" || seen[iri] {
				t.Errorf("Walk(%v): the IRI %q comes twice", from, iri)
			}
			seen[iri] = true
		}
		if out = append(out, e); len(out) == 200 {
			break
		}
	}
	return out
}

func walkStart(t *testing.T, f domains.Facts) {
	var from, want []string
	for _, e := range entities(t, f) {
		if !slices.Contains(want, e.IRI) {
			want = append(want, e.IRI)
		}
	}
	slices.Reverse(want)
	from = append([]string{"http://nowhere.invalid/x"}, want...)
	from = append(from, want...)
	var got []string
	for _, e := range walk(t, f, from, domains.WalkOptions{Fanout: 5}) {
		if e.Distance != 0 {
			t.Errorf("%s has distance %d", e.IRI, e.Distance)
		}
		got = append(got, e.IRI)
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func walkLayers(t *testing.T, f domains.Facts) {
	for _, start := range entities(t, f) {
		o := domains.WalkOptions{Depth: 2, Fanout: 4}
		all := walk(t, f, []string{start.IRI}, o)
		reached := map[string]int{} // IRI → distance at which it was first mentioned
		for i, e := range all {
			if i == 0 {
				if e.IRI != start.IRI || e.Distance != 0 {
					t.Fatalf("the walk from %s begins with %s at distance %d", start.IRI, e.IRI, e.Distance)
				}
			} else {
				before := all[i-1]
				if cmp.Or(cmp.Compare(before.Distance, e.Distance), cmp.Compare(before.IRI, e.IRI)) >= 0 {
					t.Errorf("%s at %d comes before %s at %d", before.IRI, before.Distance, e.IRI, e.Distance)
				}
				if from, ok := reached[e.IRI]; !ok || from != e.Distance {
					t.Errorf("%s comes at distance %d and no entity before leads to it there (%d)", e.IRI, e.Distance, from)
				}
			}
			if e.Distance > o.Depth {
				t.Errorf("%s has distance %d", e.IRI, e.Distance)
			}
			mentions(e, func(iri string) {
				if _, ok := reached[iri]; !ok {
					reached[iri] = e.Distance + 1
				}
			})
		}
	}
}

// mentions calls yield with the IRIs that the facts of an entity lead to.
func mentions(e domains.Entity, yield func(string)) {
	for _, f := range e.Facts {
		for _, v := range f.Values {
			switch {
			case v.Ref != nil:
				yield(v.Ref.IRI)
			case v.Nested != nil:
				mentions(*v.Nested, yield)
			}
		}
	}
}

func walkFacts(t *testing.T, f domains.Facts) {
	for _, start := range entities(t, f) {
		for _, fanout := range []int{1, 3} {
			for _, e := range walk(t, f, []string{start.IRI}, domains.WalkOptions{Depth: 1, Fanout: fanout}) {
				checkFacts(t, e, fanout)
			}
		}
	}
}

func checkFacts(t *testing.T, e domains.Entity, fanout int) {
	t.Helper()
	key := func(f domains.Fact) string { return fmt.Sprint(f.Incoming) + " " + f.Property }
	for i, f := range e.Facts {
		if i > 0 && key(e.Facts[i-1]) >= key(f) {
			t.Errorf("%s: %q comes before %q", e.IRI, key(e.Facts[i-1]), key(f))
		}
		if len(f.Values) > fanout || len(f.Values) > f.Total || f.Total == 0 {
			t.Errorf("%s: %s has %d of %d values, fan-out %d", e.IRI, f.Property, len(f.Values), f.Total, fanout)
		}
		for _, v := range f.Values {
			set := 0
			for _, is := range []bool{!v.Literal.IsZero(), v.Ref != nil, v.Nested != nil} {
				if is {
					set++
				}
			}
			if set != 1 {
				t.Errorf("%s: %s has the value %+v", e.IRI, f.Property, v)
			}
			if v.Nested != nil {
				checkFacts(t, *v.Nested, fanout)
			}
		}
	}
}

// walkLanguages asks for each text of an entity by its language, with room for one.
func walkLanguages(t *testing.T, f domains.Facts) {
	for _, start := range entities(t, f) {
		for _, e := range walk(t, f, []string{start.IRI}, domains.WalkOptions{Fanout: whole}) {
			for _, fact := range e.Facts {
				for _, v := range fact.Values {
					if lang := v.Literal.Lang; lang != "" {
						readsFirst(t, f, e.IRI, fact.Property, lang)
					}
				}
			}
		}
	}
}

// readsFirst holds that the one value of a property that is read has a language.
func readsFirst(t *testing.T, f domains.Facts, iri, property, lang string) {
	t.Helper()
	for _, e := range walk(t, f, []string{iri}, domains.WalkOptions{Fanout: 1, Languages: []string{lang}}) {
		for _, fact := range e.Facts {
			if fact.Property != property || fact.Incoming {
				continue
			}
			if len(fact.Values) != 1 || !strings.EqualFold(fact.Values[0].Literal.Lang, lang) {
				t.Errorf("%s of %s, read in %s: %+v", property, iri, lang, fact.Values)
			}
		}
	}
}

func cancelled(t *testing.T, f domains.Facts) {
	some := entities(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Find(ctx, domains.Query{Text: "a", Limit: 5}); !errors.Is(err, context.Canceled) {
		t.Errorf("Find with a cancelled context: %v", err)
	}
	if len(some) == 0 {
		return
	}
	last := error(nil)
	for _, err := range f.Walk(ctx, []string{some[0].IRI}, domains.WalkOptions{Depth: 3, Fanout: 5}) {
		if last != nil {
			t.Error("the walk went on after an error")
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("Walk with a cancelled context: %v", last)
	}
}

func concurrent(t *testing.T, f domains.Facts) {
	some := entities(t, f)
	ask := func() (string, error) {
		var b strings.Builder
		for _, text := range []string{"a", "the", "0"} {
			m, err := f.Find(t.Context(), domains.Query{Text: text, Limit: 20})
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%+v\n", *m)
		}
		for _, s := range some {
			for e, err := range f.Walk(t.Context(), []string{s.IRI}, domains.WalkOptions{Depth: 1, Fanout: 3}) {
				if err != nil {
					return "", err
				}
				fmt.Fprintf(&b, "%s %v %d\n", e.IRI, e.Labels, e.Triples)
				mentions(e, func(iri string) { b.WriteString(iri + "\n") })
			}
		}
		return b.String(), nil
	}
	want, err := ask()
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got, err := ask(); err != nil || got != want {
				t.Errorf("error %v (-first +later):\n%s", err, gocmp.Diff(want, got))
			}
		})
	}
	all.Wait()
}
