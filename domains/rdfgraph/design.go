package rdfgraph

import (
	"fmt"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// design reports how far a domain is designed. The ontology is ready with its first
// class; the assignment counts the classes and properties that have facts, those
// above them included, since what is an instance of a class is one of the classes
// above it. The domain is ready to be built when its ontology is, it has a fact,
// and nothing was left out.
func design(g *store.Snapshot, onto *domains.Ontology, terms owl.Terms, datasets int, n counts, problems []domains.Problem) domains.Design {
	var d domains.Design
	d.Ontology.Classes, d.Ontology.Properties = len(onto.Classes), len(onto.Properties)
	d.Ontology.Ready = len(onto.Classes) > 0
	for _, c := range onto.Classes {
		d.Ontology.HasOWL = d.Ontology.HasOWL || c.Declared
	}
	d.Metadata.Tables, d.Metadata.Ready = datasets, datasets > 0

	a := &d.Assignment
	a.ClassesTotal, a.ClassesUsed = len(onto.Classes), len(usedClasses(g, onto, terms))
	a.PropertiesTotal, a.PropertiesUsed = len(onto.Properties), len(usedProperties(g, onto, terms))
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
	case n.facts == 0:
		d.Message = "There are no facts yet: the domain has an ontology only."
	case len(problems) == 1:
		d.Message = "One problem was found; select_domain names it."
	case len(problems) > 0:
		d.Message = fmt.Sprintf("%d problems were found; select_domain lists them.", len(problems))
	default:
		d.BuildReady = true
	}
	return d
}

// usedClasses is the set of classes with an entity, and those above them.
func usedClasses(g *store.Snapshot, onto *domains.Ontology, terms owl.Terms) map[string]bool {
	used := map[string]bool{}
	for _, c := range onto.Classes {
		if hasEntity(g, terms, rdf.RDFType, rdf.NewIRI(c.IRI)) {
			for _, iri := range onto.WithSuperClasses(c.IRI) {
				if onto.Class(iri) != nil {
					used[iri] = true
				}
			}
		}
	}
	return used
}

// usedProperties is the set of properties with a fact, and those above them.
func usedProperties(g *store.Snapshot, onto *domains.Ontology, terms owl.Terms) map[string]bool {
	used := map[string]bool{}
	var mark func(iri string)
	mark = func(iri string) {
		if p := onto.Property(iri); p != nil && !used[iri] {
			used[iri] = true
			for _, super := range p.Supers {
				mark(super)
			}
		}
	}
	for _, p := range onto.Properties {
		if hasEntity(g, terms, p.IRI, rdf.Term{}) {
			mark(p.IRI)
		}
	}
	return used
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
