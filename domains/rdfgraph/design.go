package rdfgraph

import (
	"context"
	"fmt"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// designed is what a design is reported of.
type designed struct {
	snapshot *store.Snapshot
	ontology *domains.Ontology
	terms    owl.Terms
	datasets int // declared in domain.yaml
	counts   counts
	problems int
}

// design reports how far a domain is designed. The ontology is ready with its first
// class; the assignment counts the classes and properties that have facts, those
// above them included, since what is an instance of a class is one of the classes
// above it. The domain is ready to be built when its ontology is, it has a fact,
// and nothing was left out. When ctx ends it counts for nothing.
func design(ctx context.Context, of designed) domains.Design {
	d := domains.Design{Ontology: &domains.DesignOntology{}, Metadata: &domains.DesignMetadata{}, Assignment: &domains.DesignAssignment{}}
	onto := of.ontology
	d.Ontology.Classes, d.Ontology.Properties = len(onto.Classes), len(onto.Properties)
	d.Ontology.Ready = len(onto.Classes) > 0
	for _, c := range onto.Classes {
		d.Ontology.HasOWL = d.Ontology.HasOWL || c.Declared
	}
	d.Metadata.Tables, d.Metadata.Ready = of.datasets, of.datasets > 0

	a := d.Assignment
	a.ClassesTotal, a.ClassesUsed = len(onto.Classes), of.usedClasses(ctx)
	a.PropertiesTotal, a.PropertiesUsed = len(onto.Properties), of.usedProperties(ctx)
	used, total := a.ClassesUsed+a.PropertiesUsed, a.ClassesTotal+a.PropertiesTotal
	a.Percent = percent(used, total)
	switch {
	case used == 0:
		a.Status = "not_started"
	case used < total:
		a.Status = "in_progress"
	default:
		a.Status = "complete"
	}
	switch {
	case !d.Ontology.Ready:
		d.Message = "The ontology has no classes."
	case of.counts.facts == 0:
		d.Message = "There are no facts yet: the domain has an ontology only."
	case of.problems == 1:
		d.Message = "One problem was found; select_domain names it."
	case of.problems > 0:
		d.Message = fmt.Sprintf("%d problems were found; select_domain lists them.", of.problems)
	default:
		d.BuildReady = true
	}
	return d
}

// usedClasses counts the classes with an entity, and those above them.
func (of designed) usedClasses(ctx context.Context) int {
	var used []string
	for _, c := range of.ontology.Classes {
		if ctx.Err() != nil {
			return 0
		}
		if hasEntity(of.snapshot, of.terms, rdf.RDFType, rdf.NewIRI(c.IRI)) {
			used = append(used, c.IRI)
		}
	}
	return withSupers(used, func(iri string) (supers []string, ok bool) {
		if c := of.ontology.Class(iri); c != nil {
			return c.Supers, true
		}
		return nil, false
	})
}

// usedProperties counts the properties with a fact, and those above them.
func (of designed) usedProperties(ctx context.Context) int {
	var used []string
	for _, p := range of.ontology.Properties {
		if ctx.Err() != nil {
			return 0
		}
		if hasEntity(of.snapshot, of.terms, p.IRI, rdf.Term{}) {
			used = append(used, p.IRI)
		}
	}
	return withSupers(used, func(iri string) (supers []string, ok bool) {
		if p := of.ontology.Property(iri); p != nil {
			return p.Supers, true
		}
		return nil, false
	})
}

// withSupers counts terms and those above them, each once. It asks for the supers of
// each once; a term that is none of the ontology's does not count.
func withSupers(terms []string, supers func(iri string) ([]string, bool)) int {
	seen := map[string]bool{}
	n := 0
	for len(terms) > 0 {
		t := terms[len(terms)-1]
		terms = terms[:len(terms)-1]
		if seen[t] {
			continue
		}
		seen[t] = true
		if above, ok := supers(t); ok {
			n++
			terms = append(terms, above...)
		}
	}
	return n
}

// hasEntity reports whether a subject that is not a schema term has a property
// (with a certain value). It passes over schema terms only.
func hasEntity(g *store.Snapshot, terms owl.Terms, predicate string, value rdf.Term) bool {
	for tr := range g.Match(rdf.Term{}, rdf.NewIRI(predicate), value) {
		if !terms[tr.Subject] {
			return true
		}
	}
	return false
}

// percent is part of whole in percent, halves rounded to the even number; 0 of
// nothing.
func percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	twice := 200 * part // in half percents of whole, to stay with whole numbers
	down := twice / (2 * whole)
	switch rest := twice - down*2*whole; {
	case rest > whole, rest == whole && down%2 == 1:
		return down + 1
	}
	return down
}
