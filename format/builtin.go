package format

import (
	"strings"
	"unicode"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// builtIn is the readable name of a property of RDF, RDFS or OWL: "sub-class of",
// "on property". ok is false for other terms, their classes included.
func builtIn(iri string) (name string, ok bool) {
	for _, vocabulary := range []string{rdf.RDF, rdf.RDFS, rdf.OWL} {
		local, found := strings.CutPrefix(iri, vocabulary)
		if !found || local == "" || !unicode.IsLower(rune(local[0])) {
			continue
		}
		if name, ok := builtInNames[local]; ok {
			return name, true
		}
		return strings.ToLower(domains.Prettify(local)), true
	}
	return "", false
}

// isBuiltIn reports whether an IRI is a term of RDF, RDFS, OWL or XML Schema.
func isBuiltIn(iri string) bool {
	for _, vocabulary := range []string{rdf.RDF, rdf.RDFS, rdf.OWL, rdf.XSD} {
		if strings.HasPrefix(iri, vocabulary) {
			return true
		}
	}
	return false
}

// relationName is the name of a property as it leads to or from an entity. What
// comes in through an expression of OWL has its own words: the other end is not the
// expression, which has no name, but the term that has it.
func (n namer) relationName(f domains.Fact) string {
	if local, ok := strings.CutPrefix(f.Property, rdf.OWL); ok && f.Incoming && incomingNames[local] != "" {
		return incomingNames[local]
	}
	return n.factName(f.Property)
}

// factName is the name of a property of an entity. What has the name of a property of
// RDF, RDFS or OWL that the entity has too is told apart by its IRI.
func (n namer) factName(iri string) string {
	name := n.name(iri)
	if n.builtIns[name] && !isBuiltIn(iri) {
		return name + " (" + shorten(n.short(iri), longIRI) + ")"
	}
	return name
}

// builtInsOf are the names of the properties of RDF, RDFS and OWL that an entity has; nil
// where it has none.
func builtInsOf(e *domains.Entity) map[string]bool {
	var names map[string]bool
	for i := range e.Facts {
		if name, ok := builtIn(e.Facts[i].Property); ok {
			if names == nil {
				names = map[string]bool{}
			}
			names[name] = true
		}
	}
	return names
}

// incomingNames are the words for properties of expressions that come in: local name
// → name.
var incomingNames = map[string]string{
	"unionOf":            "in a union of",
	"intersectionOf":     "in an intersection of",
	"oneOf":              "in an enumeration of",
	"members":            "in a list of",
	"hasKey":             "in a key of",
	"propertyChainAxiom": "in a chain of properties of",
	"someValuesFrom":     "in a restriction of",
	"allValuesFrom":      "in a restriction of",
	"hasValue":           "in a restriction of",
	"onClass":            "in a restriction of",
	"onDataRange":        "in a restriction of",
	"onProperty":         "in a restriction of",
}

// builtInNames are the names that the local name, split into words, does not give:
// local name → name.
var builtInNames = map[string]string{
	"subClassOf":              "sub-class of",
	"subPropertyOf":           "sub-property of",
	"isDefinedBy":             "defined by",
	"equivalentClass":         "same class as",
	"equivalentProperty":      "same property as",
	"propertyDisjointWith":    "disjoint with",
	"propertyChainAxiom":      "chain of properties",
	"cardinality":             "exactly",
	"minCardinality":          "at least",
	"maxCardinality":          "at most",
	"qualifiedCardinality":    "exactly",
	"minQualifiedCardinality": "at least",
	"maxQualifiedCardinality": "at most",
	"versionInfo":             "version",
	"versionIRI":              "version IRI",
}
