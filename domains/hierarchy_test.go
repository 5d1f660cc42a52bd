package domains_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

func TestTopmost(t *testing.T) {
	class := func(iri string, supers ...string) domains.Class { return domains.Class{IRI: iri, Supers: supers} }
	o := domains.NewOntology(domains.Ontology{Classes: []domains.Class{
		class("Root"), class("Left", "Root"), class("Right", "Root"), class("Both", "Left", "Right"), class("Leaf", "Both"),
		class("A", "B"), class("B", "A", "Root"), class("UnderA", "A"), class("Self", "Self"), class("Lost", "Nowhere"),
	}})
	for _, row := range []struct{ in, want []string }{
		{nil, nil},
		{[]string{"Leaf"}, []string{"Leaf"}},
		{[]string{"Leaf", "Root"}, []string{"Root"}},
		{[]string{"Right", "Leaf", "Left"}, []string{"Right", "Left"}},
		{[]string{"A", "B"}, []string{"A", "B"}}, // a circle: neither is below the other
		{[]string{"A", "B", "UnderA"}, []string{"A", "B"}},
		{[]string{"A", "B", "UnderA", "Root"}, []string{"Root"}},
		{[]string{"Self", "Leaf"}, []string{"Self", "Leaf"}},
		{[]string{"Nowhere", "Lost", "Leaf"}, []string{"Nowhere", "Lost", "Leaf"}}, // no class of the ontology is above
	} {
		if diff := cmp.Diff(row.want, o.Topmost(row.in)); diff != "" {
			t.Errorf("Topmost(%v) (-want +got)\n%s", row.in, diff)
		}
	}
}

// TestTopmostIsWhatItSays compares it with its definition on random hierarchies that
// are full of circles.
func TestTopmostIsWhatItSays(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		iri := func() string { return fmt.Sprint("c", rng.IntN(12)) }
		o := domains.Ontology{}
		for i := range 12 {
			c := domains.Class{IRI: fmt.Sprint("c", i)}
			for range rng.IntN(3) {
				c.Supers = append(c.Supers, iri())
			}
			o.Classes = append(o.Classes, c)
		}
		built := domains.NewOntology(o)
		var list []string
		for range rng.IntN(6) {
			list = append(list, iri())
		}
		var want []string
		for _, c := range list {
			below := slices.ContainsFunc(list, func(d string) bool { return built.IsSubClass(c, d) && !built.IsSubClass(d, c) })
			if !below {
				want = append(want, c)
			}
		}
		if diff := cmp.Diff(want, built.Topmost(list)); diff != "" {
			t.Errorf("seed %d: Topmost(%v) (-want +got)\n%s", seed, list, diff)
		}
	}
}

// TestTopmostLooksOnce holds that a long chain, all of it listed, costs a few
// allocations a class and not one closure for each.
func TestTopmostLooksOnce(t *testing.T) {
	const n = 5_000
	o := domains.Ontology{}
	var list []string
	for i := range n {
		o.Classes = append(o.Classes, domains.Class{IRI: fmt.Sprint("c", i+1), Supers: []string{fmt.Sprint("c", i)}})
		list = append(list, fmt.Sprint("c", i+1))
	}
	built := domains.NewOntology(o)
	allocations := testing.AllocsPerRun(1, func() {
		if got := built.Topmost(list); len(got) != 1 || got[0] != "c1" {
			t.Errorf("the topmost of a chain are %v", got)
		}
	})
	if allocations > n {
		t.Errorf("%.0f allocations for a chain of %d classes", allocations, n)
	}
}

func TestCardinalitiesOn(t *testing.T) {
	o := domains.NewOntology(domains.Ontology{Properties: []domains.Property{{IRI: "p", Cardinalities: []domains.Cardinality{
		{Class: "b", Min: 1, Max: -1}, {Class: "a", Max: 1}, {Class: "b", Max: 3}, {Class: "c", Max: 2},
	}}}})
	for class, want := range map[string][]domains.Cardinality{
		"a": {{Class: "a", Max: 1}}, "b": {{Class: "b", Min: 1, Max: -1}, {Class: "b", Max: 3}}, "": {}, "bb": {}, "d": {},
	} {
		if diff := cmp.Diff(want, o.Property("p").CardinalitiesOn(class)); diff != "" {
			t.Errorf("on %q (-want +got)\n%s", class, diff)
		}
	}
}
