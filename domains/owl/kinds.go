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
		if b.isDatatype(r) || b.isLiteralClass(r) {
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

// isLiteralClass reports whether a class is one of schema.org's, which declares
// its datatypes as classes: an instance of DataType, or below one. The standard
// ones are known by name, because ontologies use them without loading schema.org.
func (b *builder) isLiteralClass(class string) bool {
	for _, ns := range schemaOrg {
		switch strings.TrimPrefix(class, ns) {
		case "Text", "Number", "Integer", "Float", "Boolean", "Date", "DateTime", "Time", "URL":
			return true
		}
	}
	types := b.objects(iri(class), rdf.RDFType)
	for _, ns := range schemaOrg {
		dataType := ns + "DataType"
		if slices.Contains(types, iri(dataType)) || b.isBelow(class, ns+"Text") || b.isBelow(class, ns+"Number") || b.isBelow(class, dataType) {
			return true
		}
	}
	return false
}
