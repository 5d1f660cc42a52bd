package format_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/format"
)

// biology is an ontology in which all n classes have one property, as part-of in
// vocabularies of anatomy, in a chain of classes or side by side.
func biology(n int, chain bool) (*domains.Domain, *domains.Ontology) {
	const ns = "http://e/"
	o := domains.Ontology{Classes: []domains.Class{{IRI: ns + "C0"}}}
	p := domains.Property{IRI: ns + "partOf", Kind: domains.ObjectProperty, Ranges: []string{ns + "C0"}}
	for i := 1; i <= n; i++ {
		super := ns + "C0"
		if chain {
			super = fmt.Sprintf("%sC%d", ns, i-1)
		}
		c := domains.Class{IRI: fmt.Sprintf("%sC%d", ns, i), Supers: []string{super}, Declared: true}
		o.Classes = append(o.Classes, c)
		p.Domains = append(p.Domains, c.IRI)
		p.Cardinalities = append(p.Cardinalities, domains.Cardinality{Class: c.IRI, Min: 1, Max: -1})
	}
	o.Properties = []domains.Property{p}
	o.Triples = func(yield func(rdf.Triple) bool) {
		for _, c := range o.Classes {
			if !yield(rdf.Triple{Subject: rdf.NewIRI(c.IRI), Predicate: rdf.NewIRI(rdf.RDFType), Object: rdf.NewIRI(rdf.OWL + "Class")}) {
				return
			}
		}
	}
	return &domains.Domain{Info: domains.Info{Name: "biology"}, Version: "1", Revision: "r"}, domains.NewOntology(o)
}

// What describe_ontology does grows with the classes, also where they all have one
// property or stand in one chain: a few dozen allocations for each.
func TestOntologySummaryGrowsWithTheClasses(t *testing.T) {
	for _, chain := range []bool{false, true} {
		const n = 2_000
		d, o := biology(n, chain)
		allocations := testing.AllocsPerRun(1, func() {
			text := must(format.OntologySummary(t.Context(), frame(d, "describe_ontology"), d, o, format.OntologyOptions{}))
			if !strings.Contains(text, "part Of: C0 [1..*]") {
				t.Errorf("chain %v: the property is not described:\n%s", chain, text)
			}
		})
		if allocations > 100*n {
			t.Errorf("chain %v: %.0f allocations for %d classes", chain, allocations, n)
		}
	}
}

// The deadline of a call ends the description of an ontology, in either format.
func TestOntologyEndsWithItsContext(t *testing.T) {
	d, o := biology(2_000, false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, classes := range [][]string{nil, {"http://e/C1"}} {
		if text, err := format.OntologySummary(ctx, frame(d, "describe_ontology"), d, o, format.OntologyOptions{Classes: classes}); !errors.Is(err, context.Canceled) {
			t.Errorf("summary of %v: error %v, %d bytes", classes, err, len(text))
		}
		if text, err := format.OntologyTurtle(ctx, frame(d, "describe_ontology"), d, o, classes); !errors.Is(err, context.Canceled) {
			t.Errorf("Turtle of %v: error %v, %d bytes", classes, err, len(text))
		}
	}
}
