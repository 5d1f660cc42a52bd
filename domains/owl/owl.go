// Package owl turns triples into a [domains.Ontology]: the classes and
// properties that a graph declares in RDFS, OWL 2 or schema.org's terms, and those
// that it uses without declaring them.
//
// What is schema and what is fact is decided by triples, not by file, and [Build]
// says which terms are schema: [Terms]. Everything else in a graph is fact.
//
// The package reads a graph through its indexes only. What it reads grows with
// the schema and with the number of classes and properties in use, never with the
// number of facts.
package owl

import (
	"iter"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Graph is what an ontology is read from. The zero Term in Match stands for any
// term. The order is the graph's own, the same each time.
type Graph interface {
	// Match yields the triples that fit a pattern.
	Match(s, p, o rdf.Term) iter.Seq[rdf.Triple]
	// Predicates yields every predicate once.
	Predicates() iter.Seq[rdf.Term]
	// Objects yields every object of a predicate once.
	Objects(p rdf.Term) iter.Seq[rdf.Term]
	// Values reports whether a predicate has literals as objects, and whether it
	// has other terms.
	Values(p rdf.Term) (literals, resources bool)
}

// Options add what the triples do not say. The zero value is usable.
type Options struct {
	// Base is the IRI for short ids; empty takes the ontology's own IRI.
	Base string
	// Prefixes are the namespace names to print with.
	Prefixes []rdf.Prefix
	// Labels are IRIs of properties whose values are labels, before the
	// standard ones.
	Labels []string
}

// Terms is the set of schema terms of a graph: the IRIs that are described as
// part of the schema, and the blank nodes that hang on them. A subject that is not
// in it is an entity of the graph.
type Terms map[rdf.Term]bool

// Build reads the ontology of a graph. It never fails: what it cannot use it
// leaves out. The ontology keeps g for its Triples, so g must not change
// afterwards.
func Build(g Graph, o Options) (*domains.Ontology, Terms) {
	b := &builder{
		g: g, labels: append(slices.Clone(o.Labels), labelProperties...),
		terms: Terms{}, classes: map[string]*domains.Class{}, properties: map[string]*property{},
		datatypes: map[string]bool{},
	}
	b.findTerms()
	b.findDatatypes()
	b.findClasses()
	b.findProperties()
	b.findUsed()
	b.readRestrictions()
	b.readEquivalences()
	for _, c := range b.classes {
		b.describeClass(c)
	}
	for _, p := range b.properties {
		b.describeProperty(p)
	}
	b.closeTerms()

	onto := domains.Ontology{IRI: b.ontologyIRI(), Base: o.Base, Prefixes: o.Prefixes, Triples: triples(g, b.terms)}
	if onto.Base == "" {
		onto.Base = onto.IRI
	}
	for _, c := range b.classes {
		onto.Classes = append(onto.Classes, *c)
	}
	for _, p := range b.properties {
		onto.Properties = append(onto.Properties, p.Property)
	}
	return domains.NewOntology(onto), b.terms
}

// builder holds an ontology while it is read.
type builder struct {
	g          Graph
	labels     []string // label properties, best first
	terms      Terms
	classes    map[string]*domains.Class // by IRI
	properties map[string]*property      // by IRI
	datatypes  map[string]bool           // IRIs declared as datatypes
}

// ontologyIRI is the IRI of the ontology header of a graph. Of several it is the
// one under whose IRI more than half of the declared terms are; a collection of
// ontologies has none.
func (b *builder) ontologyIRI() string {
	var headers []string
	for _, t := range sortedTerms(b.subjects(rdf.RDFType, iri(owlOntology))) {
		if t.Kind == rdf.IRI {
			headers = append(headers, t.Value)
		}
	}
	if len(headers) == 1 {
		return headers[0]
	}
	best, most := "", b.declaredUnder("")/2
	for _, h := range headers {
		if n := b.declaredUnder(strings.TrimRight(h, "#/")); n > most {
			best, most = h, n
		}
	}
	return best
}

// declaredUnder counts the declared terms whose IRI begins with a stem.
func (b *builder) declaredUnder(stem string) int {
	n := 0
	for _, c := range b.classes {
		if c.Declared && strings.HasPrefix(c.IRI, stem) {
			n++
		}
	}
	for _, p := range b.properties {
		if p.Declared && strings.HasPrefix(p.IRI, stem) {
			n++
		}
	}
	return n
}
