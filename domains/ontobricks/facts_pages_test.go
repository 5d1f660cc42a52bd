package ontobricks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// random is a graph in which names are shared, IRIs end alike and types vary.
func random(r *rand.Rand) (*domains.Ontology, [][3]string) {
	classes := []string{"Top", "Left", "Right", "Low"}
	var graph [][3]string
	iri := func() string { return fmt.Sprint(base, classes[r.IntN(4)], "/", r.IntN(20)) }
	for range 10 + r.IntN(150) {
		s := iri()
		switch r.IntN(4) {
		case 0:
			graph = append(graph, [3]string{s, lab, []string{"ann", "Joanna", "bob", "Ann Lee"}[r.IntN(4)]})
		case 1:
			graph = append(graph, [3]string{s, typ, base + classes[r.IntN(4)]})
		case 2:
			graph = append(graph, [3]string{s, fmt.Sprint(base, "p", r.IntN(3)), iri()})
		default:
			graph = append(graph, [3]string{s, base + "text", fmt.Sprint(r.IntN(9))})
		}
	}
	return schema([][2]string{{"Top", ""}, {"Left", "Top"}, {"Right", "Top"}, {"Low", "Left"}}, nil), graph
}

// matching are the subjects that match, by the rule as it is documented.
func matching(graph [][3]string, text string, types []string) []string {
	typed, named := map[string]bool{}, map[string]bool{}
	for _, t := range graph {
		typed[t[0]] = typed[t[0]] || len(types) == 0 || t[1] == typ && slices.Contains(types, t[2])
		named[t[0]] = named[t[0]] || t[1] == lab && strings.Contains(strings.ToLower(t[2]), text) || strings.Contains(strings.ToLower(t[0]), "/"+text)
	}
	var out []string
	for s := range typed {
		if typed[s] && named[s] {
			out = append(out, short(s))
		}
	}
	slices.Sort(out)
	return out
}

// longestSubject is the most triples of one subject.
func longestSubject(graph [][3]string) int {
	count := map[string]int{}
	most := 0
	for _, t := range graph {
		count[t[0]]++
		most = max(most, count[t[0]])
	}
	return most
}

// As long as one call reads more than one subject, following Resume and Offset finds every match,
// none twice, and never asks more often than it may.
func TestPagesFindEverything(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		o, graph := random(r)
		f, s := serve(t, o, graph)
		f.limit, f.pages = 1+r.IntN(12), 1+r.IntN(4)
		q := domains.Query{Text: []string{"ann", "bob", "1", ""}[r.IntN(4)], Depth: r.IntN(3), Limit: 1 + r.IntN(6)}
		if q.Text == "" || r.IntN(2) == 0 {
			q.Types = types(o, []string{"Top", "Left", "Low"}[r.IntN(3)])
		}
		for f.limit*f.pages <= longestSubject(graph) {
			f.limit++
		}
		got := follow(t, f, s, q)
		want := matching(graph, q.Text, q.Types)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, %+v, %d pages of %d (-want +got):\n%s", seed, q, f.pages, f.limit, diff)
		}
	}
}

// follow collects the hits of all pages, with the IRIs that are one entity.
func follow(t *testing.T, f *facts, s *service, q domains.Query) []string {
	t.Helper()
	var out []string
	total := -1
	for range 2_000 {
		s.asked = nil
		m, hits := find(t, f, q)
		if len(s.asked) > f.pages {
			t.Fatalf("asked %d times, %d are allowed", len(s.asked), f.pages)
		}
		if total >= 0 && !m.AtLeast && m.Total != total {
			t.Fatalf("the total was %d and is %d: %+v", total, m.Total, m)
		}
		if !m.AtLeast {
			total = m.Total
		}
		out = append(out, hits...)
		switch q.Offset += len(hits); {
		case q.Offset < m.ReadHits:
		case m.Resume == 0:
			slices.Sort(out)
			return out
		default:
			if m.Resume == q.Resume {
				t.Fatalf("Resume %d leads to itself", m.Resume)
			}
			q.Offset, q.Resume = 0, m.Resume
		}
	}
	t.Fatal("the pages have no end")
	return nil
}

// too long: what is complete, and where to go on.
func TestTooLong(t *testing.T) {
	var graph [][3]string
	for i := range 100 {
		s := fmt.Sprintf("%sC/%03d", base, i)
		graph = append(graph, [3]string{s, typ, base + "C"}, [3]string{s, lab, "ann"}, [3]string{s, base + "p", "1"})
	}
	f, s := serve(t, empty(), graph)
	f.limit, f.pages = 10, 5
	m, hits := find(t, f, domains.Query{Text: "ann", Depth: 1})
	if len(hits) != 16 || m.Resume != 48 || m.ReadTriples != 50 || m.ReadHits != 16 || m.Total != 100 || m.AtLeast || !m.Partial || !m.Unpinned {
		t.Errorf("%d hits, %+v", len(hits), m)
	}
	s.asked = nil
	m, hits = find(t, f, domains.Query{Text: "ann", Depth: 1, Resume: 48})
	if hits[0] != "C/016" || s.asked[0].Offset != 48 || m.Total != 100 {
		t.Errorf("hits %v, %+v, asked %+v", hits, m, s.asked)
	}
	m, hits = find(t, f, domains.Query{Text: "ann", Depth: 1, Resume: 270})
	if len(hits) != 10 || m.Resume != 0 || m.Total != 100 || !m.Partial {
		t.Errorf("the last: %d hits, %+v", len(hits), m)
	}
	m, hits = find(t, f, domains.Query{Text: "ann", Depth: 1, Resume: 1 << 30})
	if len(hits) != 0 || m.Resume != 0 {
		t.Errorf("beyond the end: %v, %+v", hits, m)
	}
}

// Where only neighbours are left to read there is no going on: all matches are there.
func TestOnlyNeighboursAreLeft(t *testing.T) {
	graph := [][3]string{{base + "hub", lab, "hub"}, {base + "hub2", lab, "hub"}}
	for i := range 100 {
		s := fmt.Sprintf("%sn%03d", base, i)
		graph = append(graph, [3]string{s, base + "p", base + "hub"}, [3]string{s, lab, "n"})
	}
	f, _ := serve(t, empty(), graph)
	f.limit, f.pages = 10, 2
	m, hits := find(t, f, domains.Query{Text: "hub", Depth: 1})
	if len(hits) != 2 || m.Total != 2 || m.AtLeast || m.Resume != 0 || !m.Partial {
		t.Errorf("hits %v, %+v", hits, m)
	}
}

// A subject with more triples than one call reads stops nobody.
func TestOneLongSubject(t *testing.T) {
	graph := [][3]string{{base + "a", lab, "ann"}, {base + "z", lab, "ann"}}
	for i := range 100 {
		graph = append(graph, [3]string{base + "m", fmt.Sprintf("%sp%03d", base, i), "x"})
	}
	graph = append(graph, [3]string{base + "m", "http://a.example/label", "ann"})
	f, s := serve(t, empty(), graph)
	f.limit, f.pages = 10, 2
	if diff := cmp.Diff([]string{"a", "m", "z"}, follow(t, f, s, domains.Query{Text: "ann", Limit: 10})); diff != "" {
		t.Errorf("hits (-want +got):\n%s", diff)
	}
}

// An entity is found by its IRI though far more begin like it than can be read.
func TestFindByIRIAmongMany(t *testing.T) {
	var graph [][3]string
	iri := func(i int) string { return fmt.Sprint(base, "Customer/", i) }
	for i := range 3_000 {
		graph = append(graph, [3]string{iri(i), lab, fmt.Sprint("customer ", i)}, [3]string{iri(i), base + "knows", iri(i + 1)}, [3]string{base + "Account/1", base + "of", iri(i)})
	}
	f, s := serve(t, empty(), graph)
	f.limit = 50
	for _, i := range []int{1, 2, 19, 1_500, 2_999} {
		s.asked = nil
		m, hits := find(t, f, domains.Query{IRI: iri(i), Depth: 2})
		if len(hits) != 1 || hits[0] != short(iri(i)) || m.Total != 1 || m.AtLeast || m.Resume != 0 || !m.Partial || len(s.asked) > mostPages {
			t.Errorf("%d: hits %v, %+v, asked %d times", i, hits, m, len(s.asked))
		}
		_, entities := walked(t, f, m.Read, hits, 0)
		if len(entities) != 1 || entities[0].Triples != 2 {
			t.Errorf("%d: %+v", i, entities)
		}
	}
	_, err := f.Find(t.Context(), domains.Query{IRI: base + "Customer/1x", Limit: 1})
	if err != nil {
		t.Errorf("one that nothing begins like: %v", err)
	}
	f.limit, f.pages = 1, 3
	_, err = f.Find(t.Context(), domains.Query{IRI: base + "Customer/10", Limit: 1})
	if !errors.Is(err, domains.ErrLimit) || !strings.Contains(err.Error(), "use search") {
		t.Errorf("one that is beyond reach: %v", err)
	}
}

// Where there are many sub-classes, those that nobody has are not asked for.
func TestUnusedSubClasses(t *testing.T) {
	classes := [][2]string{{"Top", ""}}
	for i := range 40 {
		classes = append(classes, [2]string{fmt.Sprintf("Sub%02d", i), "Top"})
	}
	o := schema(classes, nil)
	f, s := serve(t, o, [][3]string{{base + "a", typ, base + "Sub07"}, {base + "b", typ, base + "Sub31"}, {base + "b", typ, base + "Sub00"}})
	f.stats = func(context.Context) (*wire.Stats, error) {
		return &wire.Stats{EntityTypes: []wire.Count{{URI: base + "Sub07", Count: 1}, {URI: "https://other.example#sub31", Count: 1}}}, nil
	}
	m, hits := find(t, f, domains.Query{Types: types(o, "Top")})
	if diff := cmp.Diff([]string{"a", "b"}, hits); diff != "" || m.Total != 2 || m.AtLeast || len(s.asked) != 3 {
		t.Errorf("hits (-want +got):\n%s%+v, asked %+v", diff, m, s.asked)
	}
	f.stats = func(context.Context) (*wire.Stats, error) { return nil, errors.New("gone") }
	if m, hits = find(t, f, domains.Query{Types: types(o, "Top")}); len(hits) != 2 || !m.AtLeast || m.Resume == 0 {
		t.Errorf("without statistics: %v %+v", hits, m)
	}
}

// Older versions do not say that there is more, but how much there is.
func TestOlderVersions(t *testing.T) {
	var all []wire.Triple
	for i := range 25 {
		all = append(all, wire.Triple{Subject: fmt.Sprintf("%s%02d", base, i), Predicate: lab, Object: "ann"})
	}
	f := factsOf(empty(), func(_ context.Context, p findParams) (*wire.Found, error) {
		return &wire.Found{Success: true, SeedCount: 25, Total: 25, Triples: all[p.Offset:min(p.Offset+p.Limit, 25)]}, nil
	})
	f.limit = 10
	if m, hits := find(t, f, domains.Query{Text: "ann"}); len(hits) != 25 || m.Total != 25 || m.Partial {
		t.Errorf("%d hits, %+v", len(hits), m)
	}
}

// What only shows that there is something costs one request.
func TestProbe(t *testing.T) {
	var graph [][3]string
	for i := range 100 {
		graph = append(graph, [3]string{fmt.Sprintf("%sC/%03d", base, i), lab, "ann"})
	}
	f, s := serve(t, empty(), graph)
	f.limit = 10
	m, hits := find(t, f, domains.Query{Text: "ann", Limit: 1, Probe: true})
	if len(s.asked) != 1 || len(hits) != 1 || m.Total != 100 || m.Resume != 0 {
		t.Errorf("asked %d times: %v %+v", len(s.asked), hits, m)
	}
}

// The cache is asked for as it was; that it was not used is told when that was wanted.
func TestCache(t *testing.T) {
	for _, tc := range []struct {
		use      domains.CacheUse
		used     bool
		uncached bool
	}{{domains.CacheAuto, false, false}, {domains.CacheOn, true, false}, {domains.CacheOff, false, true}, {domains.CacheOff, true, false}} {
		f := factsOf(empty(), func(_ context.Context, p findParams) (*wire.Found, error) {
			if p.Cache != tc.use {
				t.Errorf("asked %v, want %v", p.Cache, tc.use)
			}
			return &wire.Found{Success: true, CacheUsed: tc.used}, nil
		})
		for _, q := range []domains.Query{{Text: "x", Cache: tc.use}, {IRI: base + "x", Cache: tc.use}} {
			if m, _ := find(t, f, q); m.Uncached != tc.uncached {
				t.Errorf("%v, used %v: %+v", tc.use, tc.used, m)
			}
		}
	}
}

// A service that matches by a rule of its own still has its matches shown.
func TestUnknownRule(t *testing.T) {
	f := factsOf(empty(), func(context.Context, findParams) (*wire.Found, error) {
		return &wire.Found{Success: true, SeedCount: 1, Total: 2, Triples: []wire.Triple{
			{Subject: base + "a", Predicate: base + "p", Object: base + "b"}, {Subject: base + "b", Predicate: lab, Object: "other"}}}, nil
	})
	if m, hits := find(t, f, domains.Query{Text: "fuzzy"}); len(hits) != 1 || hits[0] != "b" || m.Total != 1 {
		t.Errorf("hits %v, %+v", hits, m)
	}
}

// An answer that never ends, says the same again or says nothing ends here.
func TestEndlessAnswers(t *testing.T) {
	fresh := 0
	for name, triples := range map[string]func() []wire.Triple{
		"the same": func() []wire.Triple { return []wire.Triple{{Subject: base + "a", Predicate: lab, Object: "ann"}} },
		"nothing":  func() []wire.Triple { return nil },
		"always new": func() []wire.Triple {
			fresh++
			return []wire.Triple{{Subject: base + "a", Predicate: lab, Object: fmt.Sprint("ann ", fresh)}}
		},
	} {
		asked := 0
		f := factsOf(empty(), func(context.Context, findParams) (*wire.Found, error) {
			asked++
			return &wire.Found{Success: true, SeedCount: 1, Total: 1 << 40, HasMore: true, Triples: triples()}, nil
		})
		m, hits := find(t, f, domains.Query{Text: "ann"})
		if asked > mostPages || name == "the same" && (asked != 2 || len(hits) != 1 || m.Resume != 0) {
			t.Errorf("%s: asked %d times, hits %v, %+v", name, asked, hits, m)
		}
	}
}

// Errors and the end of the context end a Find and a Walk.
func TestFindFails(t *testing.T) {
	gone := errors.New("gone")
	f := factsOf(empty(), func(context.Context, findParams) (*wire.Found, error) { return nil, gone })
	if _, err := f.Find(t.Context(), domains.Query{Text: "x", Limit: 1}); !errors.Is(err, gone) {
		t.Errorf("Find: %v", err)
	}
	for _, err := range f.Walk(t.Context(), []string{base + "x"}, domains.WalkOptions{Fanout: 1}) {
		if !errors.Is(err, gone) {
			t.Errorf("Walk: %v", err)
		}
	}
	if _, err := f.Find(t.Context(), domains.Query{}); !errors.Is(err, domains.ErrInvalid) {
		t.Errorf("nothing to look for: %v", err)
	}
	f, _ = serve(t, empty(), customers())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Find(ctx, domains.Query{Text: "ann", Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// hostile is an answer that tries to be expensive.
func hostile(n int) []wire.Triple {
	var out []wire.Triple
	add := func(s, p, o string) { out = append(out, wire.Triple{Subject: s, Predicate: p, Object: o}) }
	deep := base + strings.Repeat("C/", 1_000)
	for i := range n {
		add(base+"hub", lab, fmt.Sprint("ann ", i))
		add(base+"hub", typ, fmt.Sprint(base, "C", i))
		add(base+"hub", base+"p", fmt.Sprint(base, "C/", i))
		add(fmt.Sprint(base, "C/", i), base+"p", base+"hub")
		add(fmt.Sprint(base, "C/", i), "http://www.w3.org/2002/07/owl#sameAs", fmt.Sprint(base, i))
		add(fmt.Sprint(base, i), typ, base+"C")
		add(fmt.Sprint(deep, i), typ, base+"C")
		add(fmt.Sprint(base, "same", i), "http://www.w3.org/2002/07/owl#sameAs", fmt.Sprint(base, "same", i+1))
	}
	return out
}

// Four times as much costs about four times: counted in bytes that are allocated by a
// Find and the widest Walk.
func TestHostileAnswersAreBounded(t *testing.T) {
	o := schema([][2]string{{"C", ""}}, nil)
	allocated := func(n int) uint64 {
		triples := hostile(n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := factsOf(o, func(context.Context, findParams) (*wire.Found, error) {
			return &wire.Found{Success: true, SeedCount: 3, Triples: triples}, nil
		})
		m, _ := find(t, f, domains.Query{Text: "ann", Depth: 10})
		for range f.Walk(t.Context(), []string{m.Hits[0].IRI}, domains.WalkOptions{Depth: 10, Fanout: 10_000, Read: m.Read}) {
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	few, many := allocated(500), allocated(2_000)
	if many > 8*few {
		t.Errorf("four times the triples allocate %d bytes instead of %d", many, few)
	}
}

// FuzzFacts: whatever the service answers, nothing panics, hits are among the
// subjects and walks end.
func FuzzFacts(f *testing.F) {
	f.Add(`{"success":true,"seed_count":1,"triples":[{"subject":"https://a.example/C/1","predicate":"http://www.w3.org/2000/01/rdf-schema#label","object":"ann"}]}`, "ann")
	f.Add(`{"triples":[{"subject":null,"predicate":null,"object":null},{}],"has_more":true,"seed_count":-5}`, "%_%")
	f.Add("{\"triples\":[{\"subject\":\"\xff\",\"predicate\":\"x#name\",\"object\":\"\xff\"}]}", "\xff%")
	f.Add(`{"triples":[{"subject":"a:b","predicate":"http://www.w3.org/2002/07/owl#sameAs","object":"a:b"},{"subject":"a:b","predicate":"p","object":"a:b"}],"seed_count":3}`, "<https://x/_>")
	o := schema([][2]string{{"C", "D"}, {"D", "C"}}, nil)
	f.Fuzz(func(t *testing.T, answer, text string) {
		var found wire.Found
		if json.Unmarshal([]byte(answer), &found) != nil {
			return
		}
		subjects := map[string]bool{}
		for _, triple := range found.Triples {
			subjects[valid(triple.Subject)] = true
		}
		facts := factsOf(o, func(context.Context, findParams) (*wire.Found, error) { return &found, nil })
		for _, q := range []domains.Query{{Text: text, Limit: 5, Depth: 3}, {Types: []string{base + "C", base + "D", text}, Limit: 5}, {IRI: text, Limit: 1}, {Text: text, Limit: 1, Probe: true, Resume: 3}} {
			m, err := facts.Find(t.Context(), q)
			if err != nil {
				continue
			}
			for _, h := range m.Hits {
				if !subjects[h.IRI] {
					t.Errorf("hit %q is no subject", h.IRI)
				}
			}
		}
		n := 0
		for range facts.Walk(t.Context(), slices.Collect(maps.Keys(subjects)), domains.WalkOptions{Depth: 10, Fanout: 3}) {
			n++
		}
		if n > len(subjects) {
			t.Errorf("%d entities of %d subjects", n, len(subjects))
		}
	})
}
