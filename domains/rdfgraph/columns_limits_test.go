package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestCommonTexts holds that a text that more names hold than are read is refused only
// where the answer could be wrong.
func TestCommonTexts(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range store.MaxPostings + 1_000 {
		x := fmt.Sprintf("x%06d", i)
		b.add(x, "a", "C")
		b.add(x, "name", fmt.Sprintf(`"person %d"`, i))
		b.add(x, "group", fmt.Sprintf(`"g%d"`, i/100))
	}
	for _, x := range []string{"y1", "y2"} {
		b.add(x, "a", "C")
		b.add(x, "name", `"Person"`)
	}
	_, c := rdfgraph.NewColumns(b.Build(), nil, []string{big + "name"})
	group := func(g string) *domains.Condition {
		return &domains.Condition{Op: domains.OpValue, Steps: forward("group"), Test: domains.TestEqual, Values: text(g)}
	}
	unnamed := &domains.Condition{Op: domains.OpNot, Parts: []domains.Condition{{Op: domains.OpExists, Steps: forward("group")}}}
	byName := []domains.Order{{Descending: true}}
	for _, tc := range []struct {
		name  string
		s     domains.Selection
		want  []string // nil for a refusal
		total int
	}{
		{"the exact ones", domains.Selection{Text: "person", Limit: 2}, []string{"y1", "y2"}, 0},
		{"the exact ones that fit", domains.Selection{Text: "person", Limit: 1, Offset: 1, Where: unnamed}, []string{"y2"}, 0},
		{"one more than is certain", domains.Selection{Text: "person", Limit: 3}, nil, 0},
		{"one more that fits", domains.Selection{Text: "person", Limit: 3, Where: unnamed}, nil, 0},
		{"how many", domains.Selection{Text: "person", Limit: 1, Count: true}, nil, 0},
		{"in another order", domains.Selection{Text: "person", Limit: 1, Order: byName}, nil, 0},
		{"few by a condition", domains.Selection{Text: "person", Limit: 2, Offset: 98, Count: true, Where: group("g7")}, []string{"x000798", "x000799"}, 100},
		{"few in order", domains.Selection{Text: "person", Limit: 1, Where: group("g3"), Order: byName}, []string{"x000399"}, 0},
		{"nobody by a condition", domains.Selection{Text: "person", Limit: 1, Count: true, Where: group("none")}, []string{}, 0},
	} {
		tc.s.Classes = []string{big + "C"}
		got, err := c.Select(t.Context(), tc.s)
		if tc.want == nil {
			var e *domains.Error
			if !errors.As(err, &e) || e.Kind != domains.ErrLimit || !strings.Contains(e.Message, "filter by an exact value") {
				t.Errorf("%s: %+v, error %v", tc.name, got, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		iris := must(t, c.IRIs)(got.Nodes)
		for i := range iris {
			iris[i] = strings.TrimPrefix(iris[i], big)
		}
		if diff := cmp.Diff(tc.want, iris); diff != "" || got.Total != tc.total {
			t.Errorf("%s: %d (-want +got):\n%s", tc.name, got.Total, diff)
		}
	}
}

// crowd is a graph of n persons in one hub, who are in no order of it.
func crowd(n int) *store.Snapshot {
	b := triples{store.NewBuilder()}
	for i := range n {
		x := fmt.Sprintf("x%06d", i)
		b.add(x, "a", "Person")
		b.add(x, "in", "hub")
		b.add("hub", "has", x)
		b.add(x, "name", fmt.Sprintf(`"person %d"`, i))
	}
	b.add("hub", "a", "Hub")
	return b.Build()
}

// TestHubsHaveALimit holds that conditions on what a hub leads to, and texts in it, read
// no more than is allowed and end soon after their context.
func TestHubsHaveALimit(t *testing.T) {
	const n = 60_000
	s := crowd(n)
	_, c := rdfgraph.NewColumns(s, nil, []string{big + "name"})
	hub := must(t, c.Nodes)([]string{big + "hub"})
	nobody := domains.Condition{Op: domains.OpValue, Steps: forward("name"), Test: domains.TestContains, Values: text("nobody")}
	some := func(steps []domains.Step, part domains.Condition) *domains.Condition {
		return &domains.Condition{Op: domains.OpSome, Steps: steps, Parts: []domains.Condition{part}}
	}
	calls := map[string]func(context.Context, domains.Columns) error{
		"text": func(ctx context.Context, c domains.Columns) error {
			_, err := c.Related(ctx, hub, domains.Relation{Steps: forward("has"), Text: "nobody", Limit: 1, Most: 1})
			return err
		},
		"where into a hub": func(ctx context.Context, c domains.Columns) error {
			_, err := c.Select(ctx, domains.Selection{Classes: []string{big + "Hub"}, Limit: 1, Where: some(forward("has"), nobody)})
			return err
		},
		"where through a hub": func(ctx context.Context, c domains.Columns) error {
			_, err := c.Select(ctx, domains.Selection{Classes: []string{big + "Person"}, Limit: 1, Where: some(forward("in"), *some(forward("has"), nobody))})
			return err
		},
	}
	for name, call := range calls {
		limited := rdfgraph.SelectAtMost(c, n/2)
		cost := work(s, func() {
			var e *domains.Error
			if err := call(t.Context(), limited); !errors.As(err, &e) || e.Kind != domains.ErrLimit || !strings.Contains(e.Message, ": ") {
				t.Errorf("%s: %v", name, err)
			}
		})
		if cost.Reads() > n/2+5_000 {
			t.Errorf("%s: %+v", name, cost)
		}
		left := 2
		cost = work(s, func() {
			if err := call(endsAfter{t.Context(), &left}, c); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v, want the context's error", name, err)
			}
		})
		if cost.Reads() > n+10_000 {
			t.Errorf("%s: %+v after its context ended", name, cost)
		}
	}
	cost := work(s, func() {
		got, err := c.Select(t.Context(), domains.Selection{Classes: []string{big + "Hub"}, Limit: 1, Where: some(forward("has"), domains.Condition{Op: domains.OpAnd})})
		if err != nil || !slices.Equal(got.Nodes, hub) {
			t.Errorf("a hub that has any: %v, error %v", got, err)
		}
	})
	if cost.Reads() > 20 {
		t.Errorf("a hub that has any: %+v", cost)
	}
}

// TestOrdersAreReadOnce holds that an order that is named again costs nothing.
func TestOrdersAreReadOnce(t *testing.T) {
	const n = 2_000
	s := people(n)
	_, c := rdfgraph.NewColumns(s, nil, []string{big + "name"})
	order := slices.Repeat([]domains.Order{{Steps: forward("age"), Kind: xsd.Integer}}, 1_000)
	order[500].Descending = true
	cost := work(s, func() {
		got, err := c.Select(t.Context(), domains.Selection{Classes: []string{big + "Person"}, Order: order, Limit: n, Offset: n - 1})
		if err != nil || len(got.Nodes) != 1 {
			t.Errorf("%v, error %v", got, err)
		}
	})
	if cost.Reads() > 10*n {
		t.Errorf("%+v", cost)
	}
}

// TestNarrowingLeavesEnough holds that conditions of which no index finds few cost little
// more than to look at the instances.
func TestNarrowingLeavesEnough(t *testing.T) {
	const n = 20_000
	s := people(n)
	_, c := rdfgraph.NewColumns(s, nil, []string{big + "name"})
	all := &domains.Condition{Op: domains.OpAnd}
	for i := range 10 {
		all.Parts = append(all.Parts, domains.Condition{Op: domains.OpValue, Steps: forward("email"), Test: domains.TestContains, Values: text(fmt.Sprint("nobody", i))})
	}
	cost := work(s, func() {
		got, err := c.Select(t.Context(), domains.Selection{Classes: []string{big + "Person"}, Where: all, Limit: 1, Count: true})
		if err != nil || got.Total != 0 {
			t.Errorf("%v, error %v", got, err)
		}
	})
	if cost.Reads() > 3*n {
		t.Errorf("%+v", cost)
	}
}
