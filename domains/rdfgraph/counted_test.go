package rdfgraph_test

import (
	order "cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
	"github.com/ontogate/ontogate/server"
)

// bigGraph is a generated graph with all that answers about it.
type bigGraph struct {
	snapshot *store.Snapshot
	ontology *domains.Ontology
	facts    domains.Facts
	columns  domains.Columns
}

func bigGraphOf(n int) *bigGraph {
	g := &bigGraph{snapshot: generated(n)}
	onto, terms, err := owl.Build(context.Background(), g.snapshot, owl.Options{})
	if err != nil {
		panic(err)
	}
	g.ontology = onto
	if g.facts, err = rdfgraph.NewFactsOf(context.Background(), g.snapshot, onto, terms, nil); err != nil {
		panic(err)
	}
	g.columns = rdfgraph.ColumnsOf(g.facts)
	return g
}

// serve puts a server before the graph, with its domain, "big", selected.
func (g *bigGraph) serve(t testing.TB) *server.Server {
	t.Helper()
	s, err := server.New(t.Context(), server.Config{Backend: oneDomain{g}, Domain: "big"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return s
}

// oneDomain is a back end with one domain, a generated graph.
type oneDomain struct{ g *bigGraph }

func (b oneDomain) As(domains.Principal) domains.Backend { return b }

func (b oneDomain) info() domains.Info { return domains.Info{Name: "big", HasGraph: true} }

func (b oneDomain) Domains(context.Context) ([]domains.Info, error) {
	return []domains.Info{b.info()}, nil
}

func (b oneDomain) Open(context.Context, domains.Name) (*domains.Domain, error) {
	return &domains.Domain{
		Info: b.info(), Version: "1", Revision: "1", Facts: b.g.facts, Columns: b.g.columns,
		Ontology: func(context.Context) (*domains.Ontology, error) { return b.g.ontology, nil },
		Status:   func(context.Context) (*domains.Status, error) { return &domains.Status{HasData: true}, nil },
	}, nil
}

func (b oneDomain) Versions(context.Context, domains.Name) ([]domains.Version, error) {
	return nil, nil
}

func (b oneDomain) Design(context.Context, domains.Name) (*domains.Design, error) {
	return &domains.Design{}, nil
}

func (b oneDomain) Watch(ctx context.Context, _ func(domains.Name)) error {
	<-ctx.Done()
	return ctx.Err()
}

func (b oneDomain) Close() error { return nil }

// steps is what an answer cost: look-ups in an index, and entries read.
func steps(w store.Work) int { return w.Lookups + w.Reads() }

// TestWorkDoesNotGrowWithTheGraph holds that a question with the same answer costs the
// same, within twice as much, in a graph that is eighty times as large: the tools that
// describe, and a search of each kind. DESIGN.md of store names what does grow.
func TestWorkDoesNotGrowWithTheGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	graphs := []*bigGraph{bigGraphOf(12_000), million()}
	servers := []*server.Server{graphs[0].serve(t), graphs[1].serve(t)}
	type question struct {
		name string
		ask  func(t *testing.T, i int) // graph i
	}
	tool := func(name, tool string, args map[string]any, parts ...string) question {
		return question{name, func(t *testing.T, i int) {
			text, isError, err := servers[i].Call(t.Context(), tool, args)
			if err != nil || isError {
				t.Errorf("%v %s", err, text)
			}
			for _, p := range parts {
				if !strings.Contains(text, p) {
					t.Errorf("does not say %q:\n%s", p, text)
				}
			}
		}}
	}
	questions := []question{
		tool("describe_entity", "describe_entity", map[string]any{"entity_uri": domaintest.BigEntity}, "Found 1 matching entity"),
		tool("describe_entity by its other IRI, alone", "describe_entity", map[string]any{"entity_uri": domaintest.BigAlias, "depth": 0}, "Found 1 matching entity"),
		tool("describe_entity two steps away", "describe_entity", map[string]any{"entity_uri": domaintest.BigEntity, "depth": 2}),
		tool("describe_entity of a hub", "describe_entity", map[string]any{"entity_uri": domaintest.BigHub}, "in all"),
		tool("describe_entity of a class", "describe_entity", map[string]any{"entity_type": "Customer", "limit": 10}),
		tool("list_entity_types", "list_entity_types", nil, "Customer"),
		tool("describe_ontology", "describe_ontology", nil, "Customer segment"),
		tool("get_status", "get_status", nil),
	}
	for _, q := range domaintest.BigQueries() {
		questions = append(questions, question{"Find " + q.Name, func(t *testing.T, i int) {
			m, err := graphs[i].facts.Find(t.Context(), domains.Query{Text: q.Text, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			if m.Total != q.Hits || m.AtLeast {
				t.Errorf("%q has %d hits (at least: %t), want %d", q.Text, m.Total, m.AtLeast, q.Hits)
			}
			if got := strings.Join(m.Suggestions, ", "); got != q.Suggested {
				t.Errorf("%q suggests %q, want %q", q.Text, got, q.Suggested)
			}
			for _, h := range m.Hits {
				if h.Tier != q.Tier {
					t.Errorf("%q finds %s with tier %d, want %d", q.Text, h.IRI, h.Tier, q.Tier)
				}
			}
		}}, tool("describe_entity, "+q.Name, "describe_entity", map[string]any{"search": q.Text, "limit": 10, "depth": 0}))
	}
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			var cost [2]store.Work
			for i, g := range graphs {
				q.ask(t, i) // the first may work out what others then share
				cost[i] = work(g.snapshot, func() { q.ask(t, i) })
			}
			small, large := steps(cost[0]), steps(cost[1])
			t.Logf("%d steps of 12 k, %d of 1 M (%+v, %+v)", small, large, cost[0], cost[1])
			// A few steps are less than a reader could notice.
			if large > 2*small && large > 20 || small > 2*large && small > 20 {
				t.Errorf("%d steps in 12,000 triples and %d in 1,000,000: %+v, %+v", small, large, cost[0], cost[1])
			}
		})
	}
}

// TestHubsInFullAreReadInPart holds that a hub in full, of which 10,000 links are followed,
// costs no more than these where there are ten times as many, and alone no more than its
// page. A few steps for each: entities with several IRIs are looked up.
func TestHubsInFullAreReadInPart(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	for name, g := range map[string]*bigGraph{"12 k": bigGraphOf(12_000), "1 M": million()} {
		s := g.serve(t)
		for depth, most := range []int{15_000, 40_000, 40_000} {
			args := map[string]any{"entity_uri": domaintest.BigHub, "detail": "full", "depth": depth}
			cost := work(g.snapshot, func() {
				if text, isError, err := s.Call(t.Context(), "describe_entity", args); err != nil || isError || !strings.Contains(text, "belongs to") {
					t.Errorf("%v %s", err, text)
				}
			})
			t.Logf("%s, depth %d: %d steps (%+v)", name, depth, steps(cost), cost)
			if n := steps(cost); n > most || name == "12 k" && n > 3_500 {
				t.Errorf("%s, depth %d: %d steps: %+v", name, depth, n, cost)
			}
			if depth == 0 && cost.Lookups > 1_500 {
				t.Errorf("%s: %d look-ups for one page", name, cost.Lookups)
			}
		}
	}
}

// TestSearchInAMillion holds what a search is worth among many: totals are exact to 1,000
// and "at least" beyond, better hits come first and equal ones by IRI, a rare class is
// found behind a common name, and suggestions are names that were meant.
func TestSearchInAMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	g := million()
	labelled := func(name string) int {
		return g.snapshot.Count(rdf.Term{}, rdf.NewIRI(rdf.RDFSLabel), rdf.NewString(name))
	}
	for _, tc := range []struct {
		query       domains.Query
		total       int
		atLeast     bool
		first, last domains.Tier // of the page
		suggested   []string
	}{
		{query: domains.Query{Text: "JACOB  Martínez"}, total: labelled("Jacob Martinez"), first: domains.TierExact, last: domains.TierExact},
		{query: domains.Query{Text: "martinez jacob"}, total: labelled("Jacob Martinez"), first: domains.TierWords, last: domains.TierWords},
		{query: domains.Query{Text: "martinez"}, total: 1_000, atLeast: true, first: domains.TierWords, last: domains.TierWords},
		{query: domains.Query{Text: "martinez", Offset: 5_000}, total: 5_010, atLeast: true, first: domains.TierWords, last: domains.TierWords},
		{query: domains.Query{Text: "jacob"}, total: 1_000, atLeast: true, first: domains.TierPrefix, last: domains.TierPrefix},
		{query: domains.Query{Text: "all customers"}, total: 1, first: domains.TierExact, last: domains.TierExact},
		{query: domains.Query{Text: "customer"}, total: 2, first: domains.TierExact, last: domains.TierPrefix},
		{query: domains.Query{Text: "al", Types: []string{big + "Segment"}}, total: 1, first: domains.TierPrefix, last: domains.TierPrefix},
		{query: domains.Query{Text: "martinez", Types: []string{big + "Segment"}}},
		{query: domains.Query{Text: "CUST0000003"}, total: 1, first: domains.TierExact, last: domains.TierExact},
		{query: domains.Query{Text: "zephirine"}, suggested: []string{"Zephyrine Martinez"}},
		{query: domains.Query{Text: "winterbothom"}, suggested: []string{"Aurelia Winterbottom", "Aurelia Winterbourne"}},
		{query: domains.Query{Text: "CUST9999999"}},
	} {
		tc.query.Limit = 10
		m, err := g.facts.Find(t.Context(), tc.query)
		if err != nil {
			t.Fatal(err)
		}
		if m.Total != tc.total || m.AtLeast != tc.atLeast {
			t.Errorf("%q: total %d (at least: %t), want %d (%t)", tc.query.Text, m.Total, m.AtLeast, tc.total, tc.atLeast)
		}
		if diff := cmp.Diff(tc.suggested, m.Suggestions); diff != "" {
			t.Errorf("%q suggests (-want +got):\n%s", tc.query.Text, diff)
		}
		if len(m.Hits) > 0 && (m.Hits[0].Tier != tc.first || m.Hits[len(m.Hits)-1].Tier != tc.last) {
			t.Errorf("%q: tiers %d to %d, want %d to %d", tc.query.Text, m.Hits[0].Tier, m.Hits[len(m.Hits)-1].Tier, tc.first, tc.last)
		}
		if len(m.Hits) != min(tc.total, 10) || !slices.IsSortedFunc(m.Hits, func(a, b domains.Hit) int {
			schema := map[bool]int{true: 1}
			return order.Or(order.Compare(a.Tier, b.Tier), order.Compare(schema[a.Schema], schema[b.Schema]), order.Compare(a.IRI, b.IRI))
		}) {
			t.Errorf("%q: hits %v", tc.query.Text, m.Hits)
		}
	}
}

// TestLimitsAreAppliedFirst holds that in a million triples a description and a list of
// ten touch less than a thousandth of them: a limit that is applied to what was read
// before is the usual fault (user-pains 17, which allows a hundredth).
func TestLimitsAreAppliedFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	g := million()
	s := g.serve(t)
	for name, args := range map[string]map[string]any{
		"an entity":      {"entity_uri": domaintest.BigEntity, "limit": 10},
		"a class":        {"entity_type": "Customer", "limit": 10},
		"a hub":          {"entity_uri": domaintest.BigHub, "limit": 10},
		"far from a hub": {"entity_uri": domaintest.BigHub, "depth": 3, "limit": 10},
		"a name":         {"search": "aurelia", "limit": 10},
		"types":          nil,
	} {
		tool := "describe_entity"
		if args == nil {
			tool = "list_entity_types"
		}
		cost := work(g.snapshot, func() {
			if text, isError, err := s.Call(t.Context(), tool, args); err != nil || isError {
				t.Errorf("%s: %v %s", name, err, text)
			}
		})
		t.Logf("%s: %+v", name, cost)
		if cost.Reads() > g.snapshot.Len()/1_000 {
			t.Errorf("%s: %d entries read of %d", name, cost.Reads(), g.snapshot.Len())
		}
	}
}

// TestHubOfRealDataIsSummarised holds that the scheme of YSO with its 1,598 links is
// described from counts: shortly, saying what was left out, and with a tenth of them
// read, whatever detail is asked for.
func TestHubOfRealDataIsSummarised(t *testing.T) {
	b := newBackend(t, rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", "skos")})
	d, err := b.Open(t.Context(), "skos")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), server.Config{Backend: b, Domain: "skos"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args  map[string]any
		parts []string
	}{
		{map[string]any{}, []string{"→ has Top Concept: 1,597 in all, e.g. ", "detail=full lists them"}},
		{map[string]any{"depth": 0}, []string{"→ has Top Concept: 1,597 in all, e.g. ", "detail=full lists them"}},
		{map[string]any{"depth": 3}, []string{"→ has Top Concept: 1,597 in all, e.g. ", "detail=full lists them"}},
	} {
		tc.args["entity_uri"] = "http://www.yso.fi/onto/yso/deprecatedconceptscheme"
		before, _ := rdfgraph.WorkOf(d)
		text, isError, err := s.Call(t.Context(), "describe_entity", tc.args)
		if err != nil || isError {
			t.Fatal(err, text)
		}
		after, _ := rdfgraph.WorkOf(d)
		reads := after.Reads() - before.Reads()
		t.Logf("%v: %d characters, %d read", tc.args, utf8.RuneCountInString(text), reads)
		if n := utf8.RuneCountInString(text); n >= 6_000 || reads > 160 {
			t.Errorf("%v: %d characters, %d entries read", tc.args, n, reads)
		}
		for _, p := range tc.parts {
			if !strings.Contains(text, p) {
				t.Errorf("%v: the answer does not say %q:\n%s", tc.args, p, text)
			}
		}
	}
}
