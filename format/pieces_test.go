package format_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// pieces is a graph that is read piece by piece, of so many matches each, and that can
// change without a new revision.
type pieces struct {
	*graph
	size, more int
	late       bool // the first piece has no match
	end        bool // the last piece has no match
	atLeast    bool
	asked      *[]domains.Query
}

// lateStart is where the second piece begins when the first has no match.
const lateStart = 10_000

func (p pieces) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	if p.asked != nil {
		*p.asked = append(*p.asked, q)
	}
	all := q
	all.Offset, all.Limit = 0, 1_000_000
	m, err := p.graph.Find(ctx, all)
	if err != nil {
		return nil, err
	}
	begin, late := q.Resume, p.late && q.Resume == 0
	if p.late {
		begin -= min(lateStart, begin)
	}
	hits := m.Hits[min(begin, len(m.Hits)):]
	piece := hits[:min(p.size, len(hits))]
	if p.end && len(piece) == len(hits) && len(hits) > 0 { // and then a piece without any
		defer func() { m.Resume = lateStart }()
	}
	if late {
		piece = nil
	}
	m.ReadHits, m.ReadTriples, m.Unpinned, m.Uncached = len(piece), 1_000*max(1, len(piece)), true, q.Cache == domains.CacheOff
	if len(piece) < len(hits) {
		m.Resume = q.Resume + len(piece)
	}
	if late {
		m.Resume = lateStart
	}
	m.Partial = m.Resume+q.Resume > 0
	m.AtLeast = p.atLeast && m.Partial
	m.Total += p.more
	piece = piece[min(q.Offset, len(piece)):]
	m.Hits = piece[:min(q.Limit, len(piece))]
	return m, nil
}

// people is a graph with n people.
func people(t testing.TB, n int) (*domains.Domain, *graph) {
	var b strings.Builder
	b.WriteString("@prefix : <https://star.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for i := range n {
		fmt.Fprintf(&b, ":n%03d a :Person ; rdfs:label \"person %d\" ; :text \"%s\" .\n", i, i, strings.Repeat("word ", i%7*20))
	}
	return load(t, b.String())
}

// However a graph is read, following the cursors shows every match once.
func TestPiecesShowEveryMatchOnce(t *testing.T) {
	const n = 23
	d, g := people(t, n)
	for _, other := range []pieces{{}, {atLeast: true}, {late: true}, {end: true}} {
		for _, size := range []int{1, 3, 5, 10, 23, 100} {
			for _, limit := range []int{1, 5, 50} {
				for _, detail := range []format.Detail{format.Compact, format.Standard} {
					d.Facts = pieces{graph: g, size: size, atLeast: other.atLeast, late: other.late, end: other.end}
					f := frame(d, "describe_entity")
					f.Budget = 1_500
					texts := pages(t, f, func(f format.Frame) string {
						return must(format.Entities(t.Context(), f, d, format.EntitiesOptions{Search: "person", Detail: detail, Limit: limit}))
					})
					all := strings.Join(texts, "\n")
					for i := range n {
						if c := strings.Count(all, fmt.Sprintf("https://star.example/n%03d\n", i)); c != 1 {
							t.Fatalf("pieces of %d, limit %d, detail %v: n%03d comes %d times", size, limit, detail, i, c)
						}
					}
					if strings.Contains(all, "Nothing is left") {
						t.Errorf("pieces of %d, limit %d, detail %v: a cursor leads to nothing", size, limit, detail)
					}
				}
			}
		}
	}
}

// A cursor made before the matches changed is refused, with both numbers.
func TestChangedMatches(t *testing.T) {
	d, g := people(t, 12)
	d.Facts = pieces{graph: g, size: 100}
	f := frame(d, "describe_entity")
	e := format.EntitiesOptions{Search: "person"}
	found := cursor.FindStringSubmatch(must(format.Entities(t.Context(), f, d, e)))
	p, err := f.Scope.Parse(found[1])
	if err != nil {
		t.Fatal(err)
	}
	f.From = p
	if _, err := format.Entities(t.Context(), f, d, e); err != nil {
		t.Errorf("nothing changed: %v", err)
	}
	d.Facts = pieces{graph: g, size: 100, more: 3}
	_, err = format.Entities(t.Context(), f, d, e)
	var refusal *domains.Error
	if !errors.As(err, &refusal) || !errors.Is(err, domains.ErrInvalid) ||
		refusal.Message != "The matches changed since this cursor was made (12 then, 15 now). Leave cursor out to start again." {
		t.Errorf("error %v", err)
	}
}

// What a walk will need and what the caller wants of the cache is known when the
// matches are looked up; what only looks whether there is something says so.
func TestFindKnowsTheWalk(t *testing.T) {
	d, g := people(t, 3)
	var asked []domains.Query
	d.Facts = pieces{graph: g, size: 2, asked: &asked}
	for _, e := range []format.EntitiesOptions{
		{Search: "person", Depth: 3, Cache: domains.CacheOff}, {Search: "person", Depth: 30, Detail: format.Full}, {Search: "person", Depth: 3, Detail: format.Compact},
	} {
		asked = nil
		must(format.Entities(t.Context(), frame(d, "describe_entity"), d, e))
		depth := map[bool]int{false: min(e.Depth, 10), true: 0}[e.Detail == format.Compact]
		if len(asked) != 1 || asked[0].Depth != depth || asked[0].Cache != e.Cache || asked[0].Probe {
			t.Errorf("%+v asked %+v", e, asked)
		}
	}
	asked = nil
	must(format.Entities(t.Context(), frame(d, "describe_entity"), d, format.EntitiesOptions{Search: "nobody person", Depth: 1, Cache: domains.CacheOn}))
	if len(asked) < 2 || slices.ContainsFunc(asked[1:], func(q domains.Query) bool { return !q.Probe || q.Cache != domains.CacheOn }) {
		t.Errorf("asked %+v", asked)
	}
}
