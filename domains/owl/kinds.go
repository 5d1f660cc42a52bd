package owl

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// kindOf decides the kind of a property: by its declaration; where that leaves it
// open, by its ranges, or by its inverse, which only entities can have; where it has
// neither, by the values that it has.
func (b *builder) kindOf(p *property) domains.PropertyKind {
	data, object := p.kinds&dataKind != 0, p.kinds&objectKind != 0
	if !data && !object {
		if p.kinds&annotationKind != 0 {
			return domains.AnnotationProperty
		}
		data, object = b.rangeKinds(p)
		object = object || len(p.Inverses) > 0 && !data
	}
	if !data && !object {
		data, object = b.g.Values(iri(p.IRI))
	}
	switch {
	case data && !object:
		return domains.DataProperty
	case object && !data:
		return domains.ObjectProperty
	}
	return domains.MixedProperty
}

func (b *builder) rangeKinds(p *property) (data, object bool) {
	object = p.kinds&entityRange != 0
	for _, r := range p.Ranges {
		if b.isDatatype(r) || b.literals[r] {
			data = true
		} else {
			object = true
		}
	}
	return data, object
}

// isDatatype reports whether an IRI is a datatype: of XML Schema, of the RDF and
// OWL vocabularies, or declared.
func (b *builder) isDatatype(iri string) bool {
	switch iri {
	case rdfsLiteral, rdf.RDFLangString, rdf.RDF + "PlainLiteral", rdf.RDF + "XMLLiteral", rdf.RDF + "HTML",
		rdf.RDF + "JSON", rdf.RDF + "dirLangString", rdf.OWL + "real", rdf.OWL + "rational":
		return true
	}
	return strings.HasPrefix(iri, rdf.XSD) || b.datatypes[iri]
}

// literalClasses are schema.org's datatypes, which it declares as classes. They are
// known by name, because ontologies use them without loading schema.org.
var literalClasses = withSchemaOrg("Text", "Number", "Integer", "Float", "Boolean", "Date", "DateTime", "Time", "URL")

// findLiterals fills the set of the classes whose instances are literals: those of
// schema.org, the instances of its DataType, and all below one of these or below
// DataType.
func (b *builder) findLiterals() {
	below := map[string][]string{} // class → those directly below it
	for name, c := range b.classes {
		for _, super := range c.Supers {
			below[super] = append(below[super], name)
		}
	}
	todo := slices.Clone(literalClasses)
	for _, dataType := range withSchemaOrg("DataType") {
		todo = append(todo, below[dataType]...)
		for s := range b.subjects(rdf.RDFType, iri(dataType)) {
			todo = append(todo, s.Value)
		}
	}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !b.literals[c] {
			b.literals[c] = true
			todo = append(todo, below[c]...)
		}
	}
}
