package format

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

const (
	// schemesShown is how many concept schemes of an ontology are told, topsShown how
	// many of the concepts at the top of each.
	schemesShown = 20
	topsShown    = 8
)

// schemeItems are the concept schemes, each with its size and its top concepts.
func (s schema) schemeItems() []item {
	all := s.ontology.Schemes
	heading := []string{"", "Concept schemes", longDashes}
	var items []item
	for _, scheme := range all[:min(len(all), schemesShown)] {
		line := "  • " + s.labelled(scheme.IRI, scheme.Labels)
		if scheme.Concepts >= 0 {
			line += "  (" + count(scheme.Concepts, "concept", "concepts") + ")"
		}
		it := item{heading: heading, lines: []string{line, "    URI: " + oneLine(scheme.IRI)}, title: line}
		var tops []string
		for _, c := range scheme.Top[:min(len(scheme.Top), topsShown)] {
			tops = append(tops, s.labelled(c.IRI, c.Labels))
		}
		if len(scheme.Top) > topsShown {
			tops = append(tops, "…")
		}
		if len(tops) > 0 {
			it.lines = append(it.lines, "    Top concepts: "+strings.Join(tops, ", "))
		}
		items = append(items, it)
	}
	if left := len(all) - len(items); left > 0 {
		items = append(items, item{heading: heading, lines: []string{fmt.Sprintf("  (%s: describe_entity finds them by name)", count(left, "more scheme", "more schemes"))}})
	}
	return items
}

// labelled is the label of an entity, or else its local id.
func (s schema) labelled(iri string, labels []domains.Text) string {
	t, _ := domains.ChooseText(labels, s.langs)
	return title(t.Value, iri)
}
