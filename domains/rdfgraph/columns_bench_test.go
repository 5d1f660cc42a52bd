package rdfgraph_test

import (
	"fmt"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
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
		put("name", rdf.NewString(fmt.Sprintf("%s %s %d", firstNames[i%12], lastNames[i%10], i)))
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
