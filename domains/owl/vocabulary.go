package owl

import (
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Namespaces that are read beside those that package rdf names.
const (
	dcTerms    = "http://purl.org/dc/terms/"
	dcElements = "http://purl.org/dc/elements/1.1/"
	foaf       = "http://xmlns.com/foaf/0.1/"
	obo        = "http://purl.obolibrary.org/obo/"
	oboInOwl   = "http://www.geneontology.org/formats/oboInOwl#"
)

// schemaOrg is written with both schemes.
var schemaOrg = []string{"http://schema.org/", "https://schema.org/"}

const (
	rdfProperty       = rdf.RDF + "Property"
	rdfsClass         = rdf.RDFS + "Class"
	rdfsDatatype      = rdf.RDFS + "Datatype"
	rdfsLiteral       = rdf.RDFS + "Literal"
	rdfsResource      = rdf.RDFS + "Resource"
	rdfsSubClassOf    = rdf.RDFS + "subClassOf"
	rdfsSubPropertyOf = rdf.RDFS + "subPropertyOf"
	rdfsDomain        = rdf.RDFS + "domain"
	rdfsRange         = rdf.RDFS + "range"

	owlClass              = rdf.OWL + "Class"
	owlThing              = rdf.OWL + "Thing"
	owlOntology           = rdf.OWL + "Ontology"
	owlDeprecated         = rdf.OWL + "deprecated"
	owlDeprecatedClass    = rdf.OWL + "DeprecatedClass"
	owlDeprecatedProperty = rdf.OWL + "DeprecatedProperty"
	owlFunctional         = rdf.OWL + "FunctionalProperty"
	owlInverseFunctional  = rdf.OWL + "InverseFunctionalProperty"
	owlInverseOf          = rdf.OWL + "inverseOf"
	owlEquivalentClass    = rdf.OWL + "equivalentClass"
	owlUnionOf            = rdf.OWL + "unionOf"
	owlDisjointUnionOf    = rdf.OWL + "disjointUnionOf"
	owlIntersectionOf     = rdf.OWL + "intersectionOf"
	owlOneOf              = rdf.OWL + "oneOf"
	owlOnDatatype         = rdf.OWL + "onDatatype"
	owlOnProperty         = rdf.OWL + "onProperty"
	owlSomeValuesFrom     = rdf.OWL + "someValuesFrom"
	owlAllValuesFrom      = rdf.OWL + "allValuesFrom"
	owlHasValue           = rdf.OWL + "hasValue"
	owlOnClass            = rdf.OWL + "onClass"
	owlOnDataRange        = rdf.OWL + "onDataRange"

	shTargetClass = rdf.SH + "targetClass"
	shProperty    = rdf.SH + "property"
	shNode        = rdf.SH + "node"
	shAnd         = rdf.SH + "and"
	shOr          = rdf.SH + "or"
	shXone        = rdf.SH + "xone"
	shPath        = rdf.SH + "path"
	shInversePath = rdf.SH + "inversePath"
	shDatatype    = rdf.SH + "datatype"
	shClass       = rdf.SH + "class"
	shNodeKind    = rdf.SH + "nodeKind"
	shIn          = rdf.SH + "in"
	shHasValue    = rdf.SH + "hasValue"
	shMinCount    = rdf.SH + "minCount"
	shMaxCount    = rdf.SH + "maxCount"
	shName        = rdf.SH + "name"
	shDescription = rdf.SH + "description"
	shDeactivated = rdf.SH + "deactivated"
)

// propertyTypes are the classes whose instances are properties, with the kind
// that each declares.
var propertyTypes = map[string]kinds{
	rdfProperty:                              plainKind,
	rdf.RDFS + "ContainerMembershipProperty": plainKind,
	owlFunctional:                            plainKind,
	owlDeprecatedProperty:                    plainKind,
	rdf.OWL + "DatatypeProperty":             dataKind,
	rdf.OWL + "ObjectProperty":               objectKind,
	owlInverseFunctional:                     objectKind,
	rdf.OWL + "TransitiveProperty":           objectKind,
	rdf.OWL + "SymmetricProperty":            objectKind,
	rdf.OWL + "AsymmetricProperty":           objectKind,
	rdf.OWL + "ReflexiveProperty":            objectKind,
	rdf.OWL + "IrreflexiveProperty":          objectKind,
	rdf.OWL + "AnnotationProperty":           annotationKind,
	rdf.OWL + "OntologyProperty":             annotationKind,
}

// classTypes are the classes whose instances are classes.
var classTypes = []string{rdfsClass, owlClass, owlDeprecatedClass, rdf.SH + "ShapeClass"}

// schemaPredicates make their subject a schema term, whatever its types.
var schemaPredicates = append([]string{
	rdfsSubClassOf, rdfsSubPropertyOf, rdfsDomain, rdfsRange,
	owlEquivalentClass, owlInverseOf, owlUnionOf, owlDisjointUnionOf, owlIntersectionOf, owlOneOf,
	owlOnDatatype, owlOnProperty,
	rdf.OWL + "equivalentProperty", rdf.OWL + "disjointWith", rdf.OWL + "complementOf",
	rdf.OWL + "propertyDisjointWith", rdf.OWL + "propertyChainAxiom", rdf.OWL + "hasKey",
	rdf.OWL + "imports", rdf.OWL + "versionIRI",
}, withSchemaOrg("domainIncludes", "rangeIncludes", "inverseOf")...)

// factTypes are the terms of the RDF, RDFS and OWL vocabularies whose instances
// are facts; instances of the others are schema.
var factTypes = map[string]bool{
	owlThing: true, rdf.OWL + "Nothing": true, rdf.OWL + "NamedIndividual": true,
	rdfsResource: true, rdfsLiteral: true, rdf.RDFS + "Container": true,
	rdf.RDF + "List": true, rdf.RDF + "Statement": true,
	rdf.RDF + "Seq": true, rdf.RDF + "Bag": true, rdf.RDF + "Alt": true,
}

// shaclResults are the SHACL terms that report on data rather than describe it.
var shaclResults = map[string]bool{
	rdf.SH + "ValidationReport": true, rdf.SH + "ValidationResult": true, rdf.SH + "AbstractResult": true,
	rdf.SH + "conforms": true, rdf.SH + "result": true, rdf.SH + "detail": true, rdf.SH + "value": true,
	rdf.SH + "focusNode": true, rdf.SH + "resultPath": true, rdf.SH + "resultMessage": true,
	rdf.SH + "resultSeverity": true, rdf.SH + "sourceShape": true, rdf.SH + "sourceConstraint": true,
	rdf.SH + "sourceConstraintComponent": true, rdf.SH + "shapesGraphWellFormed": true,
}

// alternativeLabels give other names of a term. Those of OBO are its synonyms of four
// kinds and "alternative label".
var alternativeLabels = append([]string{rdf.SKOS + "altLabel", rdf.SKOS + "hiddenLabel", foaf + "nick", dcTerms + "alternative",
	oboInOwl + "hasExactSynonym", oboInOwl + "hasRelatedSynonym", oboInOwl + "hasNarrowSynonym", oboInOwl + "hasBroadSynonym",
	obo + "IAO_0000118"},
	withSchemaOrg("alternateName")...)

// commentProperties give a term's comments, best first. OBO has definitions of its own
// (IAO_0000115), and remarks of editors as rdfs:comment.
var commentProperties = append([]string{obo + "IAO_0000115", rdf.RDFSComment, rdf.SKOS + "definition",
	dcTerms + "description", dcElements + "description"},
	withSchemaOrg("description")...)

// replacements lead from a term that is no longer used to the one that is used instead.
var replacements = append([]string{obo + "IAO_0100001", dcTerms + "isReplacedBy"}, withSchemaOrg("supersededBy")...)

// IsMeta reports whether an IRI belongs to the vocabularies in which schemas are
// written: RDF, RDFS, OWL and XML Schema. Its terms are never classes or properties
// of a domain.
func IsMeta(iri string) bool {
	for _, ns := range []string{rdf.RDF, rdf.RDFS, rdf.OWL, rdf.XSD} {
		if strings.HasPrefix(iri, ns) {
			return true
		}
	}
	return false
}

// isSchemaType reports whether instances of a class are schema terms.
func isSchemaType(class string) bool {
	switch {
	case strings.HasPrefix(class, rdf.SH):
		return !shaclResults[class]
	case IsMeta(class):
		return !factTypes[class] && !strings.HasPrefix(class, rdf.XSD)
	}
	return false
}

func withSchemaOrg(locals ...string) []string {
	var out []string
	for _, ns := range schemaOrg {
		for _, l := range locals {
			out = append(out, ns+l)
		}
	}
	return out
}

func iri(s string) rdf.Term { return rdf.NewIRI(s) }
