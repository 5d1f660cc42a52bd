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
