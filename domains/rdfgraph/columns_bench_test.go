package rdfgraph_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// people is a graph of n persons with three literals and five friends each.
func people(n int) *store.Snapshot {
	b := store.NewBuilder()
	iri := func(format string, args ...any) rdf.Term { return rdf.NewIRI(big + fmt.Sprintf(format, args...)) }
	for i := range n {
		p := iri("Person/P%06d", i)
		put := func(property string, o rdf.Term) {
			b.Add(rdf.Triple{Subject: p, Predicate: iri("%s", property), Object: o})
		}
		b.Add(rdf.Triple{Subject: p, Predicate: rdf.NewIRI(rdf.RDFType), Object: iri("Person")})
		put("name", rdf.NewString(fmt.Sprintf("First%d Last%d %d", i%12, i%10, i)))
		put("email", rdf.NewString(fmt.Sprintf("p%d@example.com", i)))
		put("age", rdf.NewTyped(fmt.Sprint(i%90), rdf.XSDInteger))
		for f := range 5 {
			put("friend", iri("Person/P%06d", (i*31+f*7919+1)%n))
		}
	}
	return b.Build()
}

// nodesOf are n persons, as a level of a query has them: in no order, some twice.
func nodesOf(b testing.TB, c domains.Columns, class string, n int) []domains.Node {
	b.Helper()
	s, err := c.Select(b.Context(), domains.Selection{Classes: []string{big + class}, Limit: n})
	if err != nil {
		b.Fatal(err)
	}
	from := make([]domains.Node, n)
	for i := range from {
		from[i] = s.Nodes[i*7919%len(s.Nodes)]
	}
	return from
}

func forward(property string) []domains.Step { return []domains.Step{{Property: big + property}} }

func BenchmarkRelated12500(b *testing.B) {
	for _, graph := range []struct {
		name, class, property string
		s                     *store.Snapshot
	}{{"people", "Person", "friend", people(20_000)}, {"aliases", "Call", "to", generated(1_000_000)}} {
		_, c := rdfgraph.NewColumns(graph.s, nil, []string{big + "name"})
		from := nodesOf(b, c, graph.class, 12_500)
		b.Run(graph.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Related(b.Context(), from, domains.Relation{Steps: forward(graph.property), Limit: 5, Most: 100_000}); err != nil {
					b.Fatal(err)
				}
			}
		})
		if graph.name == "people" {
			b.Run("inverse", func(b *testing.B) {
				for b.Loop() {
					if _, err := c.Related(b.Context(), from, domains.Relation{Steps: []domains.Step{{Property: big + "friend", Inverse: true}}, Limit: 5, Most: 100_000}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkValues12500(b *testing.B) {
	_, c := rdfgraph.NewColumns(people(20_000), nil, []string{big + "name"})
	from := nodesOf(b, c, "Person", 12_500)
	b.Run("literals", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Values(b.Context(), from, forward("email"), 1); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("labels", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Labels(b.Context(), from, []string{"en"}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("IRIs", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.IRIs(b.Context(), from); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("types", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.Types(b.Context(), from); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSelectWhere(b *testing.B) {
	_, c := rdfgraph.NewColumns(people(100_000), nil, []string{big + "name"})
	friend, err := c.Nodes(b.Context(), []string{big + "Person/P000007"})
	if err != nil {
		b.Fatal(err)
	}
	for _, bench := range []struct {
		name  string
		where domains.Condition
		order []domains.Order
	}{
		{"equal text", domains.Condition{Op: domains.OpValue, Steps: forward("email"), Test: domains.TestEqual, Values: text("p77@example.com")}, nil},
		{"equal number", domains.Condition{Op: domains.OpValue, Steps: forward("age"), Test: domains.TestEqual, Values: integer(7)}, nil},
		{"at least", domains.Condition{Op: domains.OpValue, Steps: forward("age"), Test: domains.TestAtLeast, Values: integer(7)}, nil},
		{"contains", domains.Condition{Op: domains.OpValue, Steps: forward("email"), Test: domains.TestContains, Values: text("77@")}, nil},
		{"friends of", domains.Condition{Op: domains.OpSome, Steps: forward("friend"), Parts: []domains.Condition{{Op: domains.OpIs, Nodes: friend}}}, nil},
		{"ordered", domains.Condition{Op: domains.OpAnd}, []domains.Order{{Steps: forward("age"), Kind: xsd.Integer, Descending: true}}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Select(b.Context(), domains.Selection{Classes: []string{big + "Person"}, Where: &bench.where, Order: bench.order, Limit: 50, Count: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUsage works usage out anew each time, of published ontologies and of people.
func BenchmarkUsage(b *testing.B) {
	graphs := map[string]*store.Snapshot{"people": people(100_000)}
	for _, folder := range realFolders {
		triples := store.NewBuilder()
		files, err := filepath.Glob(filepath.Join(domaintest.Shared(b, "data", "ontologies", folder), "*.ttl"))
		if err != nil {
			b.Fatal(err)
		}
		for _, file := range files {
			f, err := os.Open(file)
			if err != nil {
				b.Fatal(err)
			}
			if err := rdf.Read(f, rdf.Turtle, rdf.Options{Base: big}, func(q rdf.Quad) error { triples.Add(q.Triple); return nil }); err != nil {
				b.Log(err)
			}
			f.Close()
		}
		graphs[folder] = triples.Build()
	}
	for _, name := range slices.Sorted(maps.Keys(graphs)) {
		_, c := rdfgraph.NewColumns(graphs[name], nil, nil)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rdfgraph.Lean(c).Usage(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(graphs[name].Len()), "triples")
		})
	}
}
