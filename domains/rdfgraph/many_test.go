package rdfgraph_test

import (
	"fmt"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestManyTypesAndIRIsCostTheirNumber holds that a graph of one entity with many
// classes, many IRIs or both is prepared with work in proportion to its triples.
func TestManyTypesAndIRIsCostTheirNumber(t *testing.T) {
	const n = 10_000
	same := "<" + rdf.OWLSameAs + ">"
	x := func(i int) string { return fmt.Sprintf("x%05d", i) }
	class := func(i int) string { return fmt.Sprintf("C%05d", i) }
	for name, fill := range map[string]func(b triples, i int){
		"types":         func(b triples, i int) { b.add("x", "a", class(i)) },
		"star":          func(b triples, i int) { b.add("x", same, x(i)) },
		"chain":         func(b triples, i int) { b.add(x(i), same, x(i+1)) },
		"chain back":    func(b triples, i int) { b.add(x(n-i), same, x(n-i-1)) },
		"star of types": func(b triples, i int) { b.add("x", same, x(i)); b.add(x(i), "a", class(i)) },
		"twins of many types": func(b triples, i int) {
			b.add("x", "a", class(i))
			b.add("y/x", "a", class(i))
			b.add(class(i)+"/x", "p", "x")
		},
	} {
		b := triples{store.NewBuilder()}
		for i := range n {
			fill(b, i)
		}
		s := b.Build()
		rdfgraph.NewFacts(s, nil, nil)
		if w := s.Work(); w.Reads() > 20*s.Len() || w.Lookups > 40*s.Len() {
			t.Errorf("%s, %d triples: %+v", name, s.Len(), w)
		}
	}
}
