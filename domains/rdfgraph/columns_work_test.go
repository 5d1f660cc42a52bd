package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

func text(s string) []xsd.Value {
	v, _ := xsd.Parse(xsd.String, s)
	return []xsd.Value{v}
}

func integer(n int) []xsd.Value {
	v, _ := xsd.Parse(xsd.Integer, fmt.Sprint(n))
	return []xsd.Value{v}
}

func backward(property string) []domains.Step {
	return []domains.Step{{Property: big + property, Inverse: true}}
}

// TestColumnsReadLittle holds that an answer from a graph of a million triples costs what
// it shows: a page its entities, an equality its hits, a hub the links that are listed.
func TestColumnsReadLittle(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a graph of a million triples")
	}
	s, c := million().snapshot, million().columns
	node := func(iri string) []domains.Node {
		n, err := c.Nodes(t.Context(), []string{big + iri})
		if err != nil || n[0] == 0 {
			t.Fatal(iri, n, err)
		}
		return n
	}
	hub := node("Segment/all")
	query := func(q domains.Selection) func() (int, error) {
		return func() (int, error) {
			out, err := c.Select(t.Context(), q)
			if err != nil {
				return 0, err
			}
			if len(out.Nodes) > q.Limit {
				t.Errorf("%d nodes, limit %d", len(out.Nodes), q.Limit)
			}
			if !q.Count {
				return len(out.Nodes), nil
			}
			return out.Total, nil
		}
	}
	related := func(r domains.Relation) func() (int, error) {
		return func() (int, error) {
			out, err := c.Related(t.Context(), hub, r)
			return len(out.Items), err
		}
	}
	customer, call := []string{big + "Customer"}, []string{big + "Call"}
	both := []string{big + "Customer", big + "Call"}
	equal := func(p string, v []xsd.Value) *domains.Condition {
		return &domains.Condition{Op: domains.OpValue, Steps: forward(p), Test: domains.TestEqual, Values: v}
	}
	some := func(steps []domains.Step, part domains.Condition) *domains.Condition {
		return &domains.Condition{Op: domains.OpSome, Steps: steps, Parts: []domains.Condition{part}}
	}
	for _, tc := range []struct {
		name  string
		run   func() (int, error)
		total int
		reads int // at most
	}{
		{"a page", query(domains.Selection{Classes: customer, Limit: 10}), 10, 12},
		{"a page far behind", query(domains.Selection{Classes: customer, Limit: 10, Offset: 90_000}), 10, 12},
		{"a page of two classes", query(domains.Selection{Classes: both, Limit: 10, Count: true}), 198_796, 25},
		{"a count", query(domains.Selection{Classes: customer, Count: true}), 99_398, 0},
		{"an equal text", query(domains.Selection{Classes: customer, Where: equal("firstname", text("Jacob")), Limit: 10_000}), 8_282, 60_000},
		{"no equal text", query(domains.Selection{Classes: customer, Where: equal("firstname", text("Nobody")), Limit: 10}), 0, 1},
		{"an equal number", query(domains.Selection{Classes: call, Where: equal("seconds", integer(7)), Limit: 1_000}), 100, 1_500},
		{"the calls of a customer", query(domains.Selection{Classes: call, Limit: 10, Count: true,
			Where: some(forward("by"), domains.Condition{Op: domains.OpIs, Nodes: node("Customer/CUST0000007")})}), 1, 20},
		{"the first of many that fit", query(domains.Selection{Classes: customer, Where: some(forward("segment"), domains.Condition{Op: domains.OpIs, Nodes: hub}), Limit: 10}), 10, 100},
		{"a hub", related(domains.Relation{Steps: backward("segment"), Limit: 5, Most: 100}), 5, 100},
		{"a hub far behind", related(domains.Relation{Steps: backward("segment"), Limit: 5, Offset: 50, Most: 100}), 5, 200},
	} {
		before := s.Work()
		got, err := tc.run()
		reads := s.Work().Reads() - before.Reads()
		t.Logf("%s: %d, %d reads", tc.name, got, reads)
		if err != nil || got != tc.total {
			t.Errorf("%s: %d, error %v; want %d", tc.name, got, err, tc.total)
		}
		if reads > tc.reads {
			t.Errorf("%s: read %d, want at most %d", tc.name, reads, tc.reads)
		}
	}
}

// TestHubsGoStraightToTheirPlace holds that links far behind are listed without reading
// those before, where no entity has several IRIs.
func TestHubsGoStraightToTheirPlace(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range 20_000 {
		b.add("hub", "has", fmt.Sprintf("x%05d", i))
	}
	s := b.Build()
	_, c := rdfgraph.NewColumns(s, nil, nil)
	hub, err := c.Nodes(t.Context(), []string{big + "hub"})
	if err != nil {
		t.Fatal(err)
	}
	cost := work(s, func() {
		out, err := c.Related(t.Context(), hub, domains.Relation{Steps: forward("has"), Offset: 19_998, Limit: 5, Most: 10})
		if err != nil {
			t.Fatal(err)
		}
		iris, _ := c.IRIs(t.Context(), out.Items)
		if diff := cmp.Diff([]string{big + "x19998", big + "x19999"}, iris); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
	if cost.Reads() > 80 {
		t.Errorf("%+v", cost)
	}
}

// TestSelectHasALimit holds that what would read too much fails, and says how to ask
// for less.
func TestSelectHasALimit(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range store.MaxPostings + 1_000 {
		x := fmt.Sprintf("x%06d", i)
		b.add(x, "a", "C")
		b.add(x, "p", fmt.Sprintf(`"person %d"`, i))
	}
	_, c := rdfgraph.NewColumns(b.Build(), nil, nil)
	c = rdfgraph.SelectAtMost(c, 40_000)
	class := []string{big + "C"}
	for name, q := range map[string]domains.Selection{
		"scan":  {Classes: class, Limit: 1, Where: &domains.Condition{Op: domains.OpValue, Steps: forward("p"), Test: domains.TestContains, Values: text("nobody")}},
		"order": {Classes: class, Limit: 1, Order: []domains.Order{{Steps: forward("p")}}},
		"text":  {Classes: class, Limit: 1, Count: true, Text: "x"},
	} {
		_, err := c.Select(t.Context(), q)
		var e *domains.Error
		if !errors.As(err, &e) || !errors.Is(err, domains.ErrLimit) || e.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := c.Select(t.Context(), domains.Selection{Classes: class, Limit: 1, Text: "x000001"}); err != nil || len(got.Nodes) != 1 {
		t.Errorf("an exact name: %v, error %v", got, err)
	}
}

// TestColumnsEndWithTheirContext holds that each method ends soon after its context.
func TestColumnsEndWithTheirContext(t *testing.T) {
	s := people(20_000)
	_, c := rdfgraph.NewColumns(s, nil, []string{big + "name"})
	from := nodesOf(t, c, "Person", 20_000)
	iris, _ := c.IRIs(t.Context(), from)
	class := []string{big + "Person"}
	for name, call := range map[string]func(ctx context.Context) error{
		"Nodes":  func(ctx context.Context) error { _, err := c.Nodes(ctx, iris); return err },
		"IRIs":   func(ctx context.Context) error { _, err := c.IRIs(ctx, from); return err },
		"Labels": func(ctx context.Context) error { _, err := c.Labels(ctx, from, nil); return err },
		"Types":  func(ctx context.Context) error { _, err := c.Types(ctx, from); return err },
		"Values": func(ctx context.Context) error { _, err := c.Values(ctx, from, forward("age"), 1); return err },
		"Usage":  func(ctx context.Context) error { _, err := c.Usage(ctx); return err },
		"Local":  func(ctx context.Context) error { _, err := c.Local(ctx, class, "P000001"); return err },
		"Related": func(ctx context.Context) error {
			_, err := c.Related(ctx, from, domains.Relation{Steps: forward("friend"), Limit: 5, Most: 1_000_000})
			return err
		},
		"Select": func(ctx context.Context) error {
			_, err := c.Select(ctx, domains.Selection{Classes: class, Limit: 1, Count: true, Where: &domains.Condition{Op: domains.OpExists, Steps: forward("age")}})
			return err
		},
		"Order": func(ctx context.Context) error {
			_, err := c.Select(ctx, domains.Selection{Classes: class, Limit: 1, Order: []domains.Order{{}}})
			return err
		},
	} {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := call(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with a context that has ended: %v", name, err)
		}
		left := 3
		cost := work(s, func() {
			if err := call(endsAfter{t.Context(), &left}); left < 0 && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
		})
		if cost.Reads() > 60_000 {
			t.Errorf("%s: %+v after its context ended", name, cost)
		}
	}
	if u, err := c.Usage(t.Context()); err != nil || len(u.Properties) != 4 {
		t.Errorf("usage after one that was given up: %+v, error %v", u, err)
	}
}

// TestColumnsTogether asks from many goroutines at once and wants equal answers.
func TestColumnsTogether(t *testing.T) {
	s := people(2_000)
	_, c := rdfgraph.NewColumns(s, nil, []string{big + "name"})
	from := nodesOf(t, c, "Person", 500)
	ask := func() (out []any) {
		u, err1 := c.Usage(t.Context())
		v, err2 := c.Values(t.Context(), from, forward("email"), 2)
		r, err3 := c.Related(t.Context(), from, domains.Relation{Steps: backward("friend"), Limit: 3, Text: "martinez", Most: 10_000})
		x, err4 := c.Select(t.Context(), domains.Selection{Classes: []string{big + "Person"}, Limit: 5, Count: true,
			Where: &domains.Condition{Op: domains.OpSome, Steps: forward("friend"), Parts: []domains.Condition{{Op: domains.OpValue, Steps: forward("age"), Test: domains.TestLess, Values: integer(9)}}},
			Order: []domains.Order{{Steps: forward("age"), Kind: xsd.Integer, Descending: true}}})
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Error(err)
		}
		return []any{u, v, r, x}
	}
	want := ask()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if diff := cmp.Diff(want, ask()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	all.Wait()
}

// TestUsageReadsEachTripleOnce holds that usage costs what the graph has, also where an
// entity has many classes and properties, and where many share a list.
func TestUsageReadsEachTripleOnce(t *testing.T) {
	const n = 3_000
	cell := func(i int) rdf.Term { return rdf.NewBlank(fmt.Sprintf("c%05d", i)) }
	for name, fill := range map[string]func(b triples, i int){
		"classes and properties": func(b triples, i int) {
			b.add("x", "a", fmt.Sprintf("C%05d", i))
			b.add("x", fmt.Sprintf("p%05d", i), `"v"`)
		},
		"lists that share their end": func(b triples, i int) {
			b.Add(rdf.Triple{Subject: cell(i), Predicate: rdfFirst, Object: rdf.NewString("m")})
			b.Add(rdf.Triple{Subject: cell(i), Predicate: rdfRest, Object: cell(i + 1)})
			b.Add(rdf.Triple{Subject: rdf.NewIRI(big + fmt.Sprintf("x%05d", i)), Predicate: rdf.NewIRI(big + "p"), Object: cell(i)})
		},
	} {
		b := triples{store.NewBuilder()}
		for i := range n {
			fill(b, i)
		}
		s := b.Build()
		_, c := rdfgraph.NewColumns(s, nil, nil)
		cost := work(s, func() {
			if _, err := c.Usage(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if cost.Reads() > 20*s.Len()+100_000 || cost.Lookups > 60*s.Len()+100_000 {
			t.Errorf("%s, %d triples: %+v", name, s.Len(), cost)
		}
	}
}
