package owl

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
)

// findTerms finds the subjects that are described as schema: by a type of the
// RDF, RDFS, OWL or SHACL vocabularies, by a predicate that only schemas use, or
// by being used as a predicate.
func (b *builder) findTerms() {
	for t := range b.g.Objects(iri(rdf.RDFType)) {
		if t.Kind == rdf.IRI && isSchemaType(t.Value) {
			b.addSubjects(rdf.RDFType, t)
		}
	}
	for _, p := range schemaPredicates {
		b.addSubjects(p, rdf.Term{})
	}
	for p := range b.g.Predicates() {
		if strings.HasPrefix(p.Value, rdf.SH) && !shaclResults[p.Value] {
			b.addSubjects(p.Value, rdf.Term{})
		}
		if isSubject(b.g, p) {
			b.terms[p] = true
		}
	}
	b.closeTerms()
}

func (b *builder) addSubjects(p string, o rdf.Term) {
	for s := range b.subjects(p, o) {
		b.terms[s] = true
	}
}

// closeTerms adds the blank nodes that hang on schema terms: restrictions, lists,
// notes with a structure of their own.
func (b *builder) closeTerms() {
	todo := slices.Collect(maps.Keys(b.terms))
	for len(todo) > 0 {
		t := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for tr := range b.g.Match(t, rdf.Term{}, rdf.Term{}) {
			if o := tr.Object; o.Kind == rdf.Blank && !b.terms[o] {
				b.terms[o] = true
				todo = append(todo, o)
			}
		}
	}
}

// findUsed lists the classes and properties that entities use and nobody
// declares. What counts as an entity is settled before the first of them becomes
// a schema term, so that the outcome does not depend on their order.
func (b *builder) findUsed() {
	var types, predicates []string
	for t := range b.g.Objects(iri(rdf.RDFType)) {
		if t.Kind == rdf.IRI && !IsMeta(t.Value) && b.usedByEntity(rdf.RDFType, t) {
			types = append(types, t.Value)
		}
	}
	for p := range b.g.Predicates() {
		if !IsMeta(p.Value) && b.usedByEntity(p.Value, rdf.Term{}) {
			predicates = append(predicates, p.Value)
		}
	}
	for _, t := range types {
		b.class(t)
	}
	for _, p := range predicates {
		b.property(p)
	}
	b.listTerms()
}

// listTerms makes the classes and properties schema terms.
func (b *builder) listTerms() {
	for c := range b.classes {
		b.terms[iri(c)] = true
	}
	for p := range b.properties {
		b.terms[iri(p)] = true
	}
}

// usedByEntity reports whether a subject that is not a schema term has a
// property (with a certain value). It passes over schema terms only.
func (b *builder) usedByEntity(p string, o rdf.Term) bool {
	for s := range b.subjects(p, o) {
		if !b.terms[s] {
			return true
		}
	}
	return false
}

// subjects yields the subjects that have a property (with a certain value).
func (b *builder) subjects(p string, o rdf.Term) iter.Seq[rdf.Term] {
	return func(yield func(rdf.Term) bool) {
		for tr := range b.g.Match(rdf.Term{}, iri(p), o) {
			if !yield(tr.Subject) {
				return
			}
		}
	}
}

// objects returns the values of a subject's property, in the order of terms.
func (b *builder) objects(s rdf.Term, p string) []rdf.Term {
	return sortedTerms(func(yield func(rdf.Term) bool) {
		for tr := range b.g.Match(s, iri(p), rdf.Term{}) {
			if !yield(tr.Object) {
				return
			}
		}
	})
}

// object returns the first value of a subject's property, or the zero Term.
func (b *builder) object(s rdf.Term, p string) rdf.Term {
	if os := b.objects(s, p); len(os) > 0 {
		return os[0]
	}
	return rdf.Term{}
}

func sortedTerms(seq iter.Seq[rdf.Term]) []rdf.Term {
	return slices.SortedFunc(seq, compareTerms)
}

// compareTerms orders IRIs before blank nodes before literals, then by text.
func compareTerms(a, c rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Kind, c.Kind), cmp.Compare(a.Value, c.Value),
		cmp.Compare(a.Lang, c.Lang), cmp.Compare(a.Datatype, c.Datatype), cmp.Compare(a.Dir, c.Dir))
}

// triples yields the statements about schema terms by subject: IRIs in order, each
// followed by the blank nodes that hang on it, and last the blank nodes that hang
// on no IRI, such as axioms. It reads the graph as the consumer pulls.
func triples(g Graph, terms Terms) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		done := map[rdf.Term]bool{}
		for _, root := range rootsFirst(g, terms) {
			for stack := []rdf.Term{root}; len(stack) > 0; {
				s := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if done[s] {
					continue
				}
				done[s] = true
				first := len(stack)
				for tr := range g.Match(s, rdf.Term{}, rdf.Term{}) {
					if !yield(tr) {
						return
					}
					if tr.Object.Kind == rdf.Blank {
						stack = append(stack, tr.Object)
					}
				}
				slices.Reverse(stack[first:])
			}
		}
	}
}

// rootsFirst orders schema terms: IRIs, then blank nodes to which no triple
// points, then the others (they are in circles, or described by then).
func rootsFirst(g Graph, terms Terms) []rdf.Term {
	roots := make([]rdf.Term, 0, len(terms))
	var inner []rdf.Term
	for _, t := range sortedTerms(maps.Keys(terms)) {
		if t.Kind == rdf.Blank && pointedAt(g, t) {
			inner = append(inner, t)
		} else {
			roots = append(roots, t)
		}
	}
	return append(roots, inner...)
}

func isSubject(g Graph, t rdf.Term) bool {
	for range g.Match(t, rdf.Term{}, rdf.Term{}) {
		return true
	}
	return false
}

func pointedAt(g Graph, t rdf.Term) bool {
	for range g.Match(rdf.Term{}, rdf.Term{}, t) {
		return true
	}
	return false
}
