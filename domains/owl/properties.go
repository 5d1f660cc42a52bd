package owl

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// kinds is the set of kinds that a property is declared with.
type kinds uint8

const (
	plainKind kinds = 1 << iota // a property, its values left open
	dataKind
	objectKind
	annotationKind
	entityRange // its range is owl:Thing, or a class of a schema vocabulary
)

// property is a property while it is read.
type property struct {
	domains.Property
	kinds kinds
}

// property returns the property with an IRI, listing it if it is new; nil when
// the IRI can't be a property of the domain.
func (b *builder) property(iri string) *property {
	if IsMeta(iri) {
		return nil
	}
	p := b.properties[iri]
	if p == nil {
		p = &property{Property: domains.Property{IRI: iri}}
		b.properties[iri] = p
	}
	return p
}

func (b *builder) declareProperty(t rdf.Term, k kinds) *property {
	if t.Kind != rdf.IRI {
		return nil
	}
	p := b.property(t.Value)
	if p != nil {
		p.Declared = true
		p.kinds |= k
	}
	return p
}

// findProperties lists the properties that are declared or described as such,
// and the classes that they name.
func (b *builder) findProperties() {
	for t, k := range propertyTypes {
		for s := range b.subjects(rdf.RDFType, iri(t)) {
			b.declareProperty(s, k)
		}
	}
	b.readStatements(b.addSuperProperty, rdfsSubPropertyOf)
	b.readStatements(b.addDomain, append(withSchemaOrg("domainIncludes"), rdfsDomain)...)
	b.readStatements(b.addRange, append(withSchemaOrg("rangeIncludes"), rdfsRange)...)
	b.readStatements(b.addInverse, append(withSchemaOrg("inverseOf"), owlInverseOf)...)
	for o := range b.g.Objects(iri(owlOnProperty)) {
		if o.Kind == rdf.IRI {
			b.property(o.Value)
		}
	}
	for _, p := range b.properties {
		p.settle()
	}
}

// readStatements applies what certain predicates say of their subject, which is a
// property by that.
func (b *builder) readStatements(add func(p *property, o rdf.Term), predicates ...string) {
	for _, pred := range predicates {
		for tr := range b.g.Match(rdf.Term{}, iri(pred), rdf.Term{}) {
			if p := b.declareProperty(tr.Subject, plainKind); p != nil {
				add(p, tr.Object)
			}
		}
	}
}

func (b *builder) addSuperProperty(p *property, o rdf.Term) {
	if o.Kind != rdf.IRI || o.Value == p.IRI || strings.HasPrefix(o.Value, rdf.OWL+"top") {
		return
	}
	b.property(o.Value)
	p.Supers = append(p.Supers, o.Value)
}

func (b *builder) addDomain(p *property, o rdf.Term) {
	for _, c := range b.alternatives(o) {
		if b.class(c) != nil {
			p.Domains = append(p.Domains, c)
		}
	}
}

// addRange notes classes and datatypes; a range that allows every entity is none.
// A datatype of schema.org that nothing else calls a class is not listed as one.
func (b *builder) addRange(p *property, o rdf.Term) {
	for _, r := range b.alternatives(o) {
		literal := b.classes[r] == nil && slices.Contains(literalClasses, r)
		if literal || b.isDatatype(r) || b.class(r) != nil {
			p.Ranges = append(p.Ranges, r)
		} else if r != rdfsResource {
			p.kinds |= entityRange
		}
	}
}

func (b *builder) addInverse(p *property, o rdf.Term) {
	if o.Kind != rdf.IRI {
		return
	}
	if q := b.property(o.Value); q != nil {
		p.Inverses = append(p.Inverses, q.IRI)
		q.Inverses = append(q.Inverses, p.IRI)
	}
}

// settle orders the lists of a property, which are appended to as they are read,
// and drops what they hold twice.
func (p *property) settle() {
	for _, list := range []*[]string{&p.Domains, &p.Ranges, &p.Supers, &p.Inverses} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// describeProperty reads what is said of a listed property.
func (b *builder) describeProperty(p *property) {
	t := iri(p.IRI)
	p.Labels = b.texts(t, b.labels)
	p.Comments = b.texts(t, b.comments)
	p.Deprecated = b.isDeprecated(t, owlDeprecatedProperty)
	types := b.objects(t, rdf.RDFType)
	p.Functional = slices.Contains(types, iri(owlFunctional))
	p.InverseFunctional = slices.Contains(types, iri(owlInverseFunctional))
	p.settle()
	p.Kind = b.kindOf(p)
}
