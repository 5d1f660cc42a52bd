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
	"context"
	"iter"
	"slices"
	"sort"
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

// Build reads the ontology of a graph. What it cannot use it leaves out; the only
// error is that ctx ended, and then it returns soon. The ontology keeps g for its
// Triples, so g must not change afterwards.
func Build(ctx context.Context, g Graph, o Options) (*domains.Ontology, Terms, error) {
	read := stopping{g, ctx}
	b := &builder{
		ctx: ctx, g: read, labels: LabelProperties(read, o.Labels), comments: inUse(read, commentProperties), synonyms: AlternativeLabels(read),
		terms: Terms{}, classes: map[string]*domains.Class{}, properties: map[string]*property{},
		datatypes: map[string]bool{}, literals: map[string]bool{},
	}
	for _, stage := range []func(){
		b.findTerms, b.findDatatypes, b.findClasses, b.findProperties, b.findShapes, b.findUsed,
		b.addKnown, b.readRestrictions, b.readEquivalences, b.findLiterals, b.describe, b.nameByShapes, b.listTerms, b.closeTerms,
	} {
		stage()
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
	}
	onto := domains.Ontology{IRI: b.ontologyIRI(), Base: o.Base, Prefixes: o.Prefixes, Schemes: b.schemes(g), Triples: triples(g, b.terms)}
	if onto.Base == "" {
		onto.Base = onto.IRI
	}
	for _, c := range b.classes {
		onto.Classes = append(onto.Classes, *c)
	}
	for _, p := range b.properties {
		onto.Properties = append(onto.Properties, p.Property)
	}
	return domains.NewOntology(onto), b.terms, nil
}

// describe reads what is said of the listed terms.
func (b *builder) describe() {
	for _, c := range b.classes {
		b.describeClass(c)
	}
	for _, p := range b.properties {
		b.describeProperty(p)
	}
}

// stopping is a graph that ends with a context: it yields nothing from then on. All
// stages read through it, so none of them goes on for long.
type stopping struct {
	Graph
	ctx context.Context
}

// Match yields what the graph does, and looks at the context now and then.
func (g stopping) Match(s, p, o rdf.Term) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		n := 0
		if g.ctx.Err() != nil {
			return
		}
		for tr := range g.Graph.Match(s, p, o) {
			if n++; n%1024 == 0 && g.ctx.Err() != nil || !yield(tr) {
				return
			}
		}
	}
}

// builder holds an ontology while it is read.
type builder struct {
	ctx        context.Context // when it ends, the outcome counts for nothing
	g          Graph
	labels     []string // label properties in use, best first
	comments   []string // comment properties in use, best first
	synonyms   []string // properties in use for other names
	terms      Terms
	classes    map[string]*domains.Class // by IRI
	properties map[string]*property      // by IRI
	datatypes  map[string]bool           // IRIs declared as datatypes
	literals   map[string]bool           // IRIs of classes whose instances are literals
	shapes     map[string][]rdf.Term     // IRI → SHACL shapes that speak of it, should it be a class
	shapesOf   map[rdf.Term]string       // property shape → IRI of the property it bounds
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
	declared := b.declared()
	best, most := "", len(declared)/2
	for _, h := range headers {
		if n := countUnder(declared, strings.TrimRight(h, "#/")); n > most {
			best, most = h, n
		}
	}
	return best
}

// declared lists the IRIs of the declared terms in order, that of a class which is
// a property too twice.
func (b *builder) declared() []string {
	var out []string
	for _, c := range b.classes {
		if c.Declared {
			out = append(out, c.IRI)
		}
	}
	for _, p := range b.properties {
		if p.Declared {
			out = append(out, p.IRI)
		}
	}
	slices.Sort(out)
	return out
}

// countUnder counts the IRIs of an ordered list that begin with a stem.
func countUnder(iris []string, stem string) int {
	first, _ := slices.BinarySearch(iris, stem)
	return sort.Search(len(iris)-first, func(i int) bool { return !strings.HasPrefix(iris[first+i], stem) })
}
