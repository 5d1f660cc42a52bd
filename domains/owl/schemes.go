package owl

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

const (
	skosConceptScheme = rdf.SKOS + "ConceptScheme"
	skosInScheme      = rdf.SKOS + "inScheme"
	skosHasTopConcept = rdf.SKOS + "hasTopConcept"
	skosTopConceptOf  = rdf.SKOS + "topConceptOf"
)

// mostSchemes is how many schemes are read, mostTopConcepts how many top concepts of
// each.
const (
	mostSchemes     = 1_000
	mostTopConcepts = 100
)

// counter is a graph that counts without reading.
type counter interface {
	// Count is the number of triples that Match yields, by look-up.
	Count(s, p, o rdf.Term) int
}

// schemes reads the concept schemes of a graph: those that say so by their type, and
// those that concepts name (SKOS §4). It takes steps for schemes and top concepts alone.
func (b *builder) schemes(g Graph) []domains.Scheme {
	found := map[string]bool{}
	note := func(t rdf.Term) {
		if t.Kind == rdf.IRI && !IsMeta(t.Value) {
			found[t.Value] = true
		}
	}
	for s := range b.subjects(rdf.RDFType, iri(skosConceptScheme)) {
		note(s)
	}
	for _, p := range []string{skosInScheme, skosTopConceptOf} {
		for o := range b.g.Objects(iri(p)) {
			note(o)
		}
	}
	var out []domains.Scheme
	names := sortedKeys(found)
	for _, name := range names[:min(len(names), mostSchemes)] {
		scheme := domains.Scheme{IRI: name, Labels: b.texts(iri(name), b.labels), Concepts: -1}
		scheme.Top = b.topConcepts(iri(name))
		if c, ok := g.(counter); ok { // a top concept is in its scheme, whether or not that is said too
			scheme.Concepts = max(c.Count(rdf.Term{}, iri(skosInScheme), iri(name)), len(scheme.Top))
		}
		out = append(out, scheme)
	}
	return out
}

// topConcepts are the first top concepts of a scheme, by IRI.
func (b *builder) topConcepts(scheme rdf.Term) []domains.Concept {
	var tops []rdf.Term
	take := func(t rdf.Term) bool {
		if t.Kind == rdf.IRI {
			tops = append(tops, t)
		}
		return len(tops) < 2*mostTopConcepts
	}
	for tr := range b.g.Match(scheme, iri(skosHasTopConcept), rdf.Term{}) {
		if !take(tr.Object) {
			break
		}
	}
	for s := range b.subjects(skosTopConceptOf, scheme) {
		if !take(s) {
			break
		}
	}
	slices.SortFunc(tops, compareTerms)
	tops = slices.Compact(tops)
	var out []domains.Concept
	for _, t := range tops[:min(len(tops), mostTopConcepts)] {
		out = append(out, domains.Concept{IRI: t.Value, Labels: b.texts(t, b.labels)})
	}
	return out
}
