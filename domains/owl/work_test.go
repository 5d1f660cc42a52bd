package owl_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

const prefixes = `@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix schema: <https://schema.org/> .
`

// counting is a graph that counts the patterns it is asked for.
type counting struct {
	owl.Graph
	asked *int
	ask   func(n int)
}

func (g counting) Match(s, p, o rdf.Term) iter.Seq[rdf.Triple] {
	*g.asked++
	g.ask(*g.asked)
	return g.Graph.Match(s, p, o)
}

// TestBuildEndsWithItsContext holds that nothing more is asked of the graph once
// the context has ended, wherever that happens.
func TestBuildEndsWithItsContext(t *testing.T) {
	var b strings.Builder
	b.WriteString(prefixes)
	for i := range 300 {
		fmt.Fprintf(&b, ":C%d a owl:Class ; rdfs:subClassOf :C%d, [ a owl:Restriction ; owl:onProperty :p ; owl:minCardinality 1 ] ; owl:equivalentClass :D%d . :x%d a :C%d .\n", i+1, i, i, i, i)
	}
	g := graphOf(t, []byte(b.String()))
	all := 0
	if _, _, err := owl.Build(t.Context(), counting{g, &all, func(int) {}}, owl.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []int{0, 1, 10, 50, 90, 99} {
		ctx, cancel := context.WithCancel(t.Context())
		last, asked := all*part/100, 0
		if last == 0 {
			cancel()
		}
		onto, terms, err := owl.Build(ctx, counting{g, &asked, func(n int) {
			if n >= last {
				cancel()
			}
		}}, owl.Options{})
		if !errors.Is(err, context.Canceled) || onto != nil || terms != nil {
			t.Errorf("ended at %d of %d: error %v", last, all, err)
		}
		if asked > last {
			t.Errorf("ended at %d of %d, and %d were asked", last, all, asked)
		}
		cancel()
	}
}

// TestManyClassesOfOneProperty holds the shape of the big vocabularies of biology
// and medicine, in which every class restricts the same property: sizes at which
// comparing each class with all others takes minutes.
func TestManyClassesOfOneProperty(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	b.WriteString(prefixes)
	for i := range n {
		fmt.Fprintf(&b, ":C%d a owl:Class ; rdfs:subClassOf :Root, [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :Root ] .\n", i)
		fmt.Fprintf(&b, ":listed rdfs:domain :C%d ; rdfs:range :C%d ; owl:inverseOf :i%d . :All rdfs:subClassOf :C%d .\n", i, i, i, i)
	}
	onto, _ := build(t, graphOf(t, []byte(b.String())), owl.Options{})
	partOf, listed, all := onto.Property("http://e/partOf"), onto.Property("http://e/listed"), onto.Class("http://e/All")
	for name, got := range map[string]int{
		"domains by restriction": len(partOf.Domains), "cardinalities": len(partOf.Cardinalities),
		"domains": len(listed.Domains), "ranges": len(listed.Ranges), "inverses": len(listed.Inverses), "super-classes": len(all.Supers),
	} {
		if got != n {
			t.Errorf("%d %s, want %d", got, name, n)
		}
	}
}

// TestManyLabels holds that labels are compared by look-up.
func TestManyLabels(t *testing.T) {
	const n = 50_000
	var b strings.Builder
	b.WriteString(prefixes + ":A a owl:Class .\n")
	for i := range n {
		fmt.Fprintf(&b, ":A rdfs:label \"label %d\" . :A :label \"label %d\" .\n", i, i)
	}
	onto, _ := build(t, graphOf(t, []byte(b.String())), owl.Options{})
	if got := len(onto.Class("http://e/A").Labels); got != n {
		t.Errorf("%d labels, want %d", got, n)
	}
}

// TestManyHeaders holds that the ontology's IRI is found among many without
// counting all terms for each.
func TestManyHeaders(t *testing.T) {
	const n = 10_000
	var b strings.Builder
	b.WriteString(prefixes)
	for i := range n {
		fmt.Fprintf(&b, "<http://e/o%d> a owl:Ontology . <http://e/o1#C%d> a owl:Class .\n", i, i)
	}
	onto, _ := build(t, graphOf(t, []byte(b.String())), owl.Options{})
	if onto.IRI != "http://e/o1" {
		t.Errorf("the ontology is %q, want http://e/o1", onto.IRI)
	}
}

// TestManyShapes holds that shapes are read once for each class that has them, long
// chains of them up to a bound.
func TestManyShapes(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	b.WriteString(prefixes + "@prefix sh: <http://www.w3.org/ns/shacl#> .\n")
	for i := range n {
		fmt.Fprintf(&b, ":C%d a owl:Class ; sh:property [ sh:path :partOf ; sh:class :C%d ; sh:maxCount 1 ] .\n", i, i)
		fmt.Fprintf(&b, ":s%d sh:node :s%d, :s%d ; sh:property [ sh:path :q%d ] .\n", i, i+1, i/2, i)
	}
	b.WriteString(":Chained sh:node :s0 ; a owl:Class .")
	onto, _ := build(t, graphOf(t, []byte(b.String())), owl.Options{})
	partOf := onto.Property("http://e/partOf")
	for name, got := range map[string]int{"domains": len(partOf.Domains), "ranges": len(partOf.Ranges), "cardinalities": len(partOf.Cardinalities)} {
		if got != n {
			t.Errorf("%d %s, want %d", got, name, n)
		}
	}
	chained := 0
	for _, p := range onto.Properties {
		chained += len(p.Domains)
	}
	if chained -= n; chained < 100 || chained > 1_000 {
		t.Errorf("%d properties by a chain of shapes, want some hundreds", chained)
	}
}
