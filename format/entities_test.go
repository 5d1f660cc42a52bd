package format_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// star is a hub with n neighbours that have long texts.
func star(t testing.TB, n int) (*domains.Domain, *graph) {
	var b strings.Builder
	b.WriteString("@prefix : <https://star.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:hub a :Hub ; rdfs:label \"hub\" .\n")
	for i := range n {
		fmt.Fprintf(&b, ":hub :p%d :n%d . :n%d a :Leaf ; rdfs:label \"leaf %d\" ; :text \"%s\" .\n", i/5, i, i, i, strings.Repeat("word ", 40))
	}
	return load(t, b.String())
}

// A server must not read the whole graph and cut afterwards: the walk is left as
// soon as the page is full, on later pages too, and the header says so.
func TestWalkStopsWhenThePageIsFull(t *testing.T) {
	d, g := star(t, 190)
	f := frame(d, "describe_entity")
	text, err := format.Entities(t.Context(), f, d, format.EntitiesOptions{Search: "hub", Depth: 1})
	if err != nil {
		t.Fatal(err)
	}
	if g.read > 40 {
		t.Errorf("one page of 6,000 code points read %d of 191 entities", g.read)
	}
	if !strings.Contains(strings.SplitN(text, "\n", 2)[0], "at least") {
		t.Errorf("the walk was left early, and the header does not say \"at least\":\n%s", text)
	}
	if !strings.Contains(text, `cursor="`) {
		t.Errorf("the page does not say how to go on:\n%s", text)
	}
}

// An answer with every fact of every match cost users their whole window: several
// matches are one line each and nothing is walked; all facts only when asked.
func TestSeveralMatchesAreCompact(t *testing.T) {
	d, g := star(t, 20)
	f := frame(d, "describe_entity")
	sizes := map[format.Detail]int{}
	for _, detail := range []format.Detail{0, format.Standard, format.Full} {
		g.read = 0
		text, err := format.Entities(t.Context(), f, d, format.EntitiesOptions{Search: "leaf", Depth: 1, Detail: detail})
		if err != nil {
			t.Fatal(err)
		}
		sizes[detail] = utf8.RuneCountInString(text)
		if detail == 0 && (g.read != 0 || strings.Count(text, "\n■ ") != 5 || strings.Contains(text, "word")) {
			t.Errorf("by default %d entities were walked, want five lines and no walk:\n%s", g.read, text)
		}
	}
	if sizes[0] >= sizes[format.Standard] || sizes[format.Standard] > sizes[format.Full] {
		t.Errorf("sizes by detail: %v", sizes)
	}
	text, err := format.Entities(t.Context(), f, d, format.EntitiesOptions{Search: "leaf", Depth: 1, Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(text); n > 6000 || strings.Count(text, "\n■ ") != 20 {
		t.Errorf("twenty hits take %d bytes:\n%s", n, text)
	}
}

// broken is a graph whose walk fails.
type broken struct{ *graph }

var errBroken = errors.New("the store is gone")

func (broken) Walk(context.Context, []string, domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) { yield(domains.Entity{}, errBroken) }
}

// A fault while reading is an error, never half an answer.
func TestWalkFails(t *testing.T) {
	d, g := star(t, 3)
	d.Facts = broken{g}
	text, err := format.Entities(t.Context(), frame(d, "describe_entity"), d, format.EntitiesOptions{Search: "hub", Depth: 1})
	if !errors.Is(err, errBroken) || text != "" {
		t.Errorf("text %q, error %v; want no text and the store's error", text, err)
	}
}

// capped is a graph that stops looking before the end.
type capped struct{ *graph }

func (c capped) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	m, err := c.graph.Find(ctx, q)
	m.AtLeast = true
	return m, err
}

func (c capped) Walk(ctx context.Context, from []string, o domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		for e, err := range c.graph.Walk(ctx, from, o) {
			for i := range e.Facts {
				e.Facts[i].AtLeast = true
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// What was not looked at to the end is told as such: matches, none of them
// included, and the values of a property.
func TestAtLeast(t *testing.T) {
	d, g := star(t, 2)
	d.Facts = capped{g}
	for _, tc := range []struct {
		search string
		want   []string
	}{
		{"hub", []string{"Found at least 1 matching entity, the 1st here (at least ", "→ p0: at least 2 in all, e.g. leaf 0 (n0), leaf 1 (n1)", "• text: at least 1 in all, e.g. word"}},
		{"zzz", []string{"Too many names may fit to look at all of them"}},
	} {
		text, err := format.Entities(t.Context(), frame(d, "describe_entity"), d,
			format.EntitiesOptions{Search: tc.search, Depth: 1, Detail: format.Standard})
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(text, want) {
				t.Errorf("search=%s does not say %q:\n%s", tc.search, want, text)
			}
		}
	}
}

// abridged is a graph that looks for a part of the text only.
type abridged struct{ *graph }

func (a abridged) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	m, err := a.graph.Find(ctx, q)
	m.Shortened = true
	return m, err
}

// When only a part of the search text was looked for, every answer says so.
func TestShortenedSearchIsTold(t *testing.T) {
	d, g := star(t, 2)
	const note = "Only the beginning of search was looked for: its first 16 different words"
	for _, search := range []string{"hub", "zzz"} {
		for _, detail := range []format.Detail{format.Compact, format.Standard} {
			for _, short := range []bool{false, true} {
				if d.Facts = g; short {
					d.Facts = abridged{g}
				}
				text, err := format.Entities(t.Context(), frame(d, "describe_entity"), d, format.EntitiesOptions{Search: search, Detail: detail})
				if err != nil || strings.Contains(text, note) != short {
					t.Errorf("search=%s, shortened %v, error %v:\n%s", search, short, err, text)
				}
			}
		}
	}
}

func TestParseDetail(t *testing.T) {
	for in, want := range map[string]format.Detail{"": 0, "compact": format.Compact, " Standard ": format.Standard, "FULL": format.Full} {
		if got, err := format.ParseDetail(in); err != nil || got != want {
			t.Errorf("ParseDetail(%q) = %v, %v; want %v", in, got, err, want)
		}
	}
	if _, err := format.ParseDetail("verbose"); !errors.Is(err, domains.ErrInvalid) || !strings.Contains(err.Error(), "compact, standard or full") {
		t.Errorf("ParseDetail(verbose): %v", err)
	}
}

func BenchmarkEntities(b *testing.B) {
	d, _ := star(b, 190)
	f := frame(d, "describe_entity")
	for _, name := range []string{"compact", "standard", "full"} {
		detail, err := format.ParseDetail(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := format.Entities(b.Context(), f, d, format.EntitiesOptions{Search: "leaf", Depth: 1, Detail: detail}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOntologySummary(b *testing.B) {
	d, o := open(b, "schemaorg")
	b.ReportAllocs()
	for b.Loop() {
		must(format.OntologySummary(b.Context(), frame(d, "describe_ontology"), d, o, format.OntologyOptions{}))
	}
}

// A page of Turtle reads the ontology from its start; the last page costs most.
func BenchmarkOntologyTurtle(b *testing.B) {
	d, o := open(b, "schemaorg")
	f := frame(d, "describe_ontology")
	last := pages(b, f, func(f format.Frame) string { return must(format.OntologyTurtle(b.Context(), f, d, o, nil)) })
	before := cursor.FindAllStringSubmatch(last[len(last)-2], -1)
	from, err := f.Scope.Parse(before[len(before)-1][1])
	if err != nil {
		b.Fatal(err)
	}
	for _, page := range []struct {
		name string
		from format.Position
	}{{"first", nil}, {"last", from}} {
		b.Run(page.name, func(b *testing.B) {
			b.ReportAllocs()
			f := f
			f.From = page.from
			for b.Loop() {
				must(format.OntologyTurtle(b.Context(), f, d, o, nil))
			}
		})
	}
}
