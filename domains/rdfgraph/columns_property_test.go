package rdfgraph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// randomGraph is a random graph as Columns and as what it means.
type randomGraph struct {
	*testing.T
	r     *rand.Rand
	facts domains.Facts
	c     domains.Columns
	naive *naive
	terms []rdf.Term // all nodes
	ids   []domains.Node
	term  map[domains.Node]rdf.Term
}

func newRandomGraph(t *testing.T, seed uint64, lean bool) *randomGraph {
	g := &randomGraph{T: t, r: rand.New(rand.NewPCG(seed, 4)), term: map[domains.Node]rdf.Term{}}
	triples := randomTriples(g.r)
	b := store.NewBuilder()
	for _, t := range triples {
		b.Add(t)
	}
	g.facts, g.c = rdfgraph.NewColumns(b.Build(), nil, []string{big + "name"})
	if lean {
		g.c = rdfgraph.Lean(g.c)
	}
	schema := map[rdf.Term]bool{}
	for _, class := range []string{"ClassA", "ClassB", "ClassC"} {
		schema[rdf.NewIRI(big+class)] = true
	}
	g.naive = newNaive(triples, schema, []string{big + "name"})
	g.terms = g.naive.nodes()
	var iris []string
	for _, n := range g.terms {
		iris = append(iris, g.naive.iri(n))
	}
	g.ids = must(t, g.c.Nodes)(iris)
	for i, id := range g.ids {
		if id == 0 {
			t.Fatalf("%s is not found", iris[i])
		}
		g.term[id] = g.terms[i]
	}
	if diff := cmp.Diff(iris, must(t, g.c.IRIs)(g.ids)); diff != "" {
		t.Fatalf("IRIs (-want +got):\n%s", diff)
	}
	return g
}

func (g *randomGraph) pick(from ...string) string { return from[g.r.IntN(len(from))] }

func (g *randomGraph) steps() []domains.Step {
	var out []domains.Step
	for range 1 + g.r.IntN(2) {
		p := g.pick(big+"p", big+"q", big+"name", big+"none", rdf.OWLSameAs, big+"p", big+"q", rdf.RDFFirst)
		out = append(out, domains.Step{Property: p, Inverse: g.r.IntN(3) == 0, Literals: g.r.IntN(5) == 0})
	}
	return out
}

func (g *randomGraph) value(k xsd.Kind) xsd.Value {
	text := map[xsd.Kind]string{
		xsd.String: g.pick("http://base.org/.well-known/genid/b1", big+"x1", big+"x3", big, "red", "Red", "e", "Été", "s", "green apple", "", "7"), xsd.Integer: fmt.Sprint(g.r.IntN(12)),
		xsd.Decimal: g.pick("1", "2.5", "7.0", "-3"), xsd.Float: g.pick("1", "NaN", "4e0"), xsd.Date: g.pick("2024-03-01", "2024-07-01"),
	}[k]
	v, err := xsd.Parse(k, text)
	if err != nil {
		g.Fatal(err)
	}
	return v
}

func (g *randomGraph) kind() xsd.Kind {
	return []xsd.Kind{xsd.String, xsd.String, xsd.Integer, xsd.Decimal, xsd.Float, xsd.Date}[g.r.IntN(6)]
}

func (g *randomGraph) classes() []string {
	var out []string
	for range 1 + g.r.IntN(2) {
		out = append(out, big+g.pick("ClassA", "ClassB", "ClassC", "None"))
	}
	return out
}

func (g *randomGraph) condition(depth int) domains.Condition {
	c := domains.Condition{Op: domains.Op(1 + g.r.IntN(9)), Steps: g.steps()}
	if depth == 0 && (c.Op <= domains.OpNot || c.Op == domains.OpSome) {
		c.Op = domains.OpExists
	}
	switch c.Op {
	case domains.OpAnd, domains.OpOr:
		for range g.r.IntN(4) {
			c.Parts = append(c.Parts, g.condition(depth-1))
		}
	case domains.OpNot, domains.OpSome:
		c.Parts = []domains.Condition{g.condition(depth - 1)}
	case domains.OpValue, domains.OpLabel:
		c.Test = domains.Test(1 + g.r.IntN(7))
		k := g.kind()
		if c.Test >= domains.TestContains {
			k = xsd.String
		}
		c.Values = []xsd.Value{g.value(k)}
		if c.Test == domains.TestEqual {
			c.Values = nil
			for range g.r.IntN(3) {
				c.Values = append(c.Values, g.value(k))
			}
		}
	case domains.OpIs:
		for range g.r.IntN(4) {
			c.Nodes = append(c.Nodes, g.ids[g.r.IntN(len(g.ids))])
		}
	case domains.OpTyped:
		c.Classes = g.classes()
	}
	return c
}

// must calls a method of Columns that answers for a list.
func must[A, B any](t *testing.T, call func(ctx context.Context, a A) (B, error)) func(A) B {
	return func(a A) B {
		t.Helper()
		b, err := call(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func cut[T any](list []T, offset, limit int) []T {
	list = list[min(offset, len(list)):]
	return list[:min(limit, len(list))]
}

// TestColumnsMeanWhatTriplesSay asks random questions of random graphs, and compares the
// answers with those that going through all triples gives.
func TestColumnsMeanWhatTriplesSay(t *testing.T) {
	graphs := domaintest.Rounds(300)
	if testing.Short() {
		graphs = 60
	}
	for seed := range uint64(graphs) {
		g := newRandomGraph(t, seed, seed%2 == 1)
		g.checkLists(seed)
		for range 12 {
			g.checkSelection(seed)
		}
		if t.Failed() {
			for _, triple := range g.naive.triples {
				t.Logf("%v", triple)
			}
			return
		}
	}
}

func (g *randomGraph) checkLists(seed uint64) {
	for range 6 {
		steps := g.steps()
		offset, limit := g.r.IntN(3), g.r.IntN(5)
		related, err := g.c.Related(g.Context(), g.ids, domains.Relation{Steps: steps, Offset: offset, Limit: limit, Most: 10_000})
		if err != nil {
			g.Fatal(err)
		}
		values, err := g.c.Values(g.Context(), g.ids, steps, limit)
		if err != nil {
			g.Fatal(err)
		}
		for i, node := range g.terms {
			want := cut(g.naive.related(node, steps), offset, limit)
			if got := g.termsOf(related.At(i)); !slices.Equal(want, got) {
				g.Errorf("seed %d: %v of %v, %d from %d: %v, want %v", seed, steps, node, limit, offset, got, want)
			}
			if want, got := cut(g.naive.values(node, steps), 0, limit), values.At(i); !slices.Equal(want, got) {
				g.Errorf("seed %d: values %v of %v: %v, want %v", seed, steps, node, got, want)
			}
		}
	}
	for _, langs := range [][]string{nil, {"en"}, {"fr", "en"}, {"de"}} {
		labels, err := g.c.Labels(g.Context(), g.ids, langs)
		if err != nil {
			g.Fatal(err)
		}
		for i, node := range g.terms {
			if want, _ := domains.ChooseText(g.naive.texts(node), langs); labels[i] != want.Value {
				g.Errorf("seed %d: label of %v in %v: %q, want %q", seed, node, langs, labels[i], want.Value)
			}
		}
	}
}

func (g *randomGraph) termsOf(nodes []domains.Node) []rdf.Term {
	out := make([]rdf.Term, len(nodes))
	for i, n := range nodes {
		out[i] = g.term[n]
	}
	return out
}

func (g *randomGraph) checkSelection(seed uint64) {
	s := domains.Selection{Limit: 1_000, Count: true}
	if g.r.IntN(4) > 0 {
		s.Classes = g.classes()
	}
	if g.r.IntN(4) > 0 {
		c := g.condition(3)
		s.Where = &c
	}
	for range g.r.IntN(3) {
		o := domains.Order{Kind: g.kind(), Descending: g.r.IntN(2) == 0}
		if g.r.IntN(4) > 0 {
			o.Steps = g.steps()
		}
		s.Order = append(s.Order, o)
	}
	ranks := map[rdf.Term]int{}
	if g.r.IntN(4) == 0 {
		s.Text = g.pick("red", "x1", "appl", "ete", "green", "re")
		m, err := g.facts.Find(g.Context(), domains.Query{Text: s.Text, Types: s.Classes, Limit: 1_000})
		if err != nil {
			g.Fatal(err)
		}
		ids := []string{}
		for _, h := range m.Hits {
			ids = append(ids, h.IRI)
		}
		for i, n := range must(g.T, g.c.Nodes)(ids) {
			ranks[g.term[n]] = int(m.Hits[i].Tier)
		}
	}
	want := g.naive.selected(s, ranks, g.term)
	got, err := g.c.Select(g.Context(), s)
	if err != nil {
		g.Fatal(err)
	}
	if !slices.Equal(want, g.termsOf(got.Nodes)) || got.Total != len(want) {
		g.Errorf("seed %d: %+v where %+v:\n%d %v, want\n%d %v", seed, s, s.Where, got.Total, g.termsOf(got.Nodes), len(want), want)
	}
	var pages []domains.Node
	s.Limit, s.Count = 1+g.r.IntN(4), g.r.IntN(2) == 0
	for s.Offset = 0; s.Offset < len(want)+1; s.Offset += s.Limit {
		page, err := g.c.Select(g.Context(), s)
		if err != nil {
			g.Fatal(err)
		}
		pages = append(pages, page.Nodes...)
		if s.Count && page.Total != len(want) {
			g.Errorf("seed %d: %+v counts %d, want %d", seed, s, page.Total, len(want))
		}
	}
	if !slices.Equal(pages, got.Nodes) {
		g.Errorf("seed %d: pages of %d are %v, the whole is %v", seed, s.Limit, pages, got.Nodes)
	}
}

// TestUsageMeansWhatTriplesSay compares the usage of random graphs with what going
// through all triples gives.
func TestUsageMeansWhatTriplesSay(t *testing.T) {
	for seed := range uint64(300) {
		g := newRandomGraph(t, seed, false)
		got, err := g.c.Usage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(g.naive.usage(), got.Properties); diff != "" {
			for _, triple := range g.naive.triples {
				t.Logf("%v", triple)
			}
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}
