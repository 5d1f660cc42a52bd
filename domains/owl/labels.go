package owl

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// LabelProperties lists the predicates of a graph whose literals are labels, best
// first: a domain's own, skos:prefLabel, the sub-properties of rdfs:label by IRI,
// rdfs:label, those of schema.org, FOAF and Dublin Core, and then by IRI those whose
// local name says so. It is the one order in which names are chosen, of classes and
// properties as of entities.
//
// The alternative names (see AlternativeLabels) are none of them, though SKOS puts
// its own below rdfs:label, unless they are a domain's own.
func LabelProperties(g Graph, own []string) []string {
	order := slices.Concat(own, []string{rdf.SKOS + "prefLabel"}, belowLabel(g), []string{rdf.RDFSLabel},
		withSchemaOrg("name"), []string{foaf + "name", dcTerms + "title", dcElements + "title"})
	standard := len(order)
	for p := range g.Predicates() {
		if namesLabels(p.Value) {
			order = append(order, p.Value)
		}
	}
	slices.Sort(order[standard:])
	return inUse(g, order)
}

// AlternativeLabels lists the predicates of a graph for other names, by which a
// term is found and not shown.
func AlternativeLabels(g Graph) []string { return inUse(g, alternativeLabels) }

// inUse keeps the predicates of a graph, each once.
func inUse(g Graph, properties []string) []string {
	left := map[string]bool{}
	for p := range g.Predicates() {
		left[p.Value] = true
	}
	var out []string
	for _, p := range properties {
		if left[p] {
			out = append(out, p)
			delete(left, p)
		}
	}
	return out
}

// belowLabel lists the sub-properties of rdfs:label at any depth, by IRI, those
// below an alternative name aside.
func belowLabel(g Graph) []string {
	seen := map[string]bool{rdf.RDFSLabel: true}
	for _, p := range alternativeLabels {
		seen[p] = true
	}
	found := []string{rdf.RDFSLabel}
	for i := 0; i < len(found); i++ {
		for tr := range g.Match(rdf.Term{}, iri(rdfsSubPropertyOf), iri(found[i])) {
			if p := tr.Subject; p.Kind == rdf.IRI && !seen[p.Value] {
				seen[p.Value] = true
				found = append(found, p.Value)
			}
		}
	}
	slices.Sort(found[1:])
	return found[1:]
}

// namesLabels reports whether the local name of a property, without has or is, is
// name, label or title.
func namesLabels(iri string) bool {
	words := strings.Fields(strings.ToLower(domains.Prettify(domains.LocalName(iri))))
	if len(words) > 1 && (words[0] == "has" || words[0] == "is") {
		words = words[1:]
	}
	name := strings.Join(words, "")
	for _, prefix := range []string{"has", "is"} {
		name = strings.TrimPrefix(name, prefix)
	}
	return name == "name" || name == "label" || name == "title"
}
