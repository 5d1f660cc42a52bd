package owl

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// findDatatypes notes the IRIs that are declared as datatypes, or named by
// sh:datatype: they are ranges of
// properties, and no classes even where they are declared as classes too.
func (b *builder) findDatatypes() {
	for _, t := range []string{rdfsDatatype, rdf.OWL + "DataRange"} {
		for s := range b.subjects(rdf.RDFType, iri(t)) {
			b.datatypes[s.Value] = true
		}
	}
	for o := range b.g.Objects(iri(shDatatype)) {
		if o.Kind == rdf.IRI {
			b.datatypes[o.Value] = true
		}
	}
}

// class returns the class with an IRI, listing it if it is new; nil when the IRI
// can't be a class of the domain.
func (b *builder) class(iri string) *domains.Class {
	if IsMeta(iri) || b.datatypes[iri] {
		return nil
	}
	c := b.classes[iri]
	if c == nil {
		c = &domains.Class{IRI: iri}
		b.classes[iri] = c
	}
	return c
}

// declareClass lists a class that says so by its type.
func (b *builder) declareClass(t rdf.Term) {
	if t.Kind != rdf.IRI {
		return
	}
	if c := b.class(t.Value); c != nil {
		c.Declared = true
	}
}

// findClasses lists the classes that are declared or described as such, with
// their super-classes. What has a type of its own that is no class type is not
// declared by a description: schema.org gives super-classes to individuals, and
// equivalent classes to properties.
func (b *builder) findClasses() {
	for _, t := range classTypes {
		for s := range b.subjects(rdf.RDFType, iri(t)) {
			b.declareClass(s)
		}
	}
	for tr := range b.g.Match(rdf.Term{}, iri(rdfsSubClassOf), rdf.Term{}) {
		if tr.Subject.Kind != rdf.IRI {
			continue
		}
		if c := b.class(tr.Subject.Value); c != nil {
			c.Declared = c.Declared || b.isUntyped(tr.Subject)
			for _, super := range b.conjuncts(tr.Object) {
				b.addSuper(c, super.Value)
			}
		}
	}
	for _, p := range []string{owlEquivalentClass, owlIntersectionOf, owlUnionOf, owlDisjointUnionOf} {
		for s := range b.subjects(p, rdf.Term{}) {
			if b.isUntyped(s) {
				b.declareClass(s)
			}
		}
	}
}

func (b *builder) isUntyped(t rdf.Term) bool { return b.object(t, rdf.RDFType).IsZero() }

// addSuper puts a class under another, which is listed by that.
func (b *builder) addSuper(c *domains.Class, super string) {
	if c.IRI != super && b.class(super) != nil {
		c.Supers = append(c.Supers, super)
	}
}

// readEquivalences orders classes by their definitions: the named members of an
// intersection are above it, those of a union below it. A class that is said to
// be equivalent to a defined one is put below it (the definition's subject is
// usually the domain's own term, the object a foreign one), unless it is above it
// already. Classes that are named by definitions alone are not listed.
func (b *builder) readEquivalences() {
	for _, name := range sortedKeys(b.classes) {
		if b.ctx.Err() != nil {
			return
		}
		c := b.classes[name]
		var above map[string]bool // classes above this one, once they are asked for
		isAbove := func(class string) bool {
			if above == nil {
				above = b.above(name)
			}
			return above[class]
		}
		for _, e := range append(b.objects(iri(name), owlEquivalentClass), iri(name)) {
			if e.Kind == rdf.IRI && e.Value != name {
				if other := b.classes[e.Value]; other != nil && !isAbove(e.Value) {
					b.addSuper(other, name)
				}
				continue
			}
			for _, m := range b.list(b.object(e, owlIntersectionOf)) {
				for _, super := range b.conjuncts(m) {
					if b.classes[super.Value] != nil {
						b.addSuper(c, super.Value)
						above = nil
					}
				}
			}
			for _, p := range []string{owlUnionOf, owlDisjointUnionOf} {
				for _, m := range b.list(b.object(e, p)) {
					if sub := b.classes[m.Value]; m.Kind == rdf.IRI && sub != nil && !isAbove(m.Value) {
						b.addSuper(sub, name)
					}
				}
			}
		}
	}
}

// above is the set of the classes above one by the super-classes known so far; the
// class itself is in it when it is in a circle.
func (b *builder) above(class string) map[string]bool {
	seen := map[string]bool{}
	for todo := []string{class}; len(todo) > 0; {
		c := b.classes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if c == nil {
			continue
		}
		for _, s := range c.Supers {
			if !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
	}
	return seen
}

// describeClass reads what is said of a listed class.
func (b *builder) describeClass(c *domains.Class) {
	t := iri(c.IRI)
	c.Labels = b.texts(t, b.labels)
	c.Comments = b.texts(t, b.comments)
	c.Synonyms = b.texts(t, b.synonyms)
	c.Deprecated = b.isDeprecated(t, owlDeprecatedClass)
	slices.Sort(c.Supers)
	c.Supers = slices.Compact(c.Supers)
}
