package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// EntityTypesOptions narrow the answer of list_entity_types.
type EntityTypesOptions struct {
	// Search keeps the types and properties whose name or IRI holds all its words;
	// empty keeps all.
	Search string
	// Limit is the most types on one page; 0 means DefaultTypes.
	Limit int
	// Contexts are what the domain's classes have besides facts.
	Contexts []domains.ClassContext
}

// DefaultTypes is how many types list_entity_types shows on one page when it is not
// told.
const DefaultTypes = 50

// typeList is one call of list_entity_types.
type typeList struct {
	names             namer
	types, properties []domains.Count
	repeated          map[string]bool // property names that stand for several properties
	contexts          contexts
}

// EntityTypes is the answer of list_entity_types.
func EntityTypes(f Frame, d *domains.Domain, o *domains.Ontology, st *domains.Stats, eo EntityTypesOptions) string {
	l := typeList{names: namer{ontology: o, langs: f.Languages}, types: st.Types, properties: st.Properties, contexts: newContexts(f, d, eo.Contexts)}
	doc := document{head: []string{"Graph Viewer — " + oneLine(string(d.Info.Name)), rule}}
	if search := strings.TrimSpace(eo.Search); search != "" {
		l.types, l.properties = l.keep(search, st.Types), l.keep(search, st.Properties)
		if len(l.types)+len(l.properties) == 0 {
			return l.none(f, d, st, search)
		}
		doc.head = append(doc.head, fmt.Sprintf("Search %s: %d of %s, %d of %s", quoted(search),
			len(l.types), count(len(st.Types), "entity type", "entity types"),
			len(l.properties), count(len(st.Properties), "predicate", "predicates")))
	} else {
		doc.head = append(doc.head, totals(st)...)
	}
	if st.Triples == 0 {
		doc.closing = []string{"The graph is empty."}
		if f.offers("describe_ontology") {
			doc.closing[0] += " describe_ontology shows what it is made to hold."
		}
	}
	l.repeated = l.repeatedNames()
	limit := eo.Limit
	if limit <= 0 {
		limit = DefaultTypes
	}
	if len(l.types)-f.From.at(0) > limit {
		doc.limit = limit
	}
	doc.items = l.items
	doc.more = l.more
	return doc.text(f)
}

// totals count the graph.
func totals(st *domains.Stats) []string {
	entities := st.Entities
	if entities == 0 {
		entities = st.Subjects
	}
	lines := []string{
		"Total triples:       " + number(st.Triples),
		"Distinct entities:   " + number(entities),
		"Distinct predicates: " + number(st.Predicates),
		"Labels:              " + number(st.Labels),
		"Type assertions:     " + number(st.TypeAssertions),
	}
	if !st.AttributesUnknown {
		lines = append(lines, "Attributes:          "+number(st.Attributes))
	}
	lines = append(lines, "Relationships:       "+number(st.Relationships))
	if st.Inferred > 0 {
		lines = append(lines, "Inferred triples:    "+number(st.Inferred)+"  [reasoning output — ONLY visible via describe_entity, NOT via query_graphql]")
	}
	return lines
}

// keep are the counts of terms whose name or IRI holds the words of the text.
func (l typeList) keep(search string, counts []domains.Count) []domains.Count {
	return slices.DeleteFunc(slices.Clone(counts), func(c domains.Count) bool {
		return !holds(search, l.names.name(c.IRI), c.IRI)
	})
}

func (l typeList) items(yield func(item) bool) {
	heading := []string{"", "Entity Types", dashes}
	for _, c := range l.types {
		it := item{heading: heading, lines: append([]string{
			fmt.Sprintf("  • %s  (%s)", l.names.name(c.IRI), instances(c)),
			"    URI: " + oneLine(c.IRI),
		}, l.contexts.lines(c.IRI)...)}
		if !yield(it) {
			return
		}
	}
	heading = []string{"", "Predicates (attributes & relationships)", dashes}
	for _, c := range l.properties {
		line := fmt.Sprintf("  • %s  (%s)", l.names.name(c.IRI), count(c.Count, "usage", "usages"))
		if l.repeated[l.names.name(c.IRI)] {
			line += "  <" + oneLine(c.IRI) + ">"
		}
		if !yield(item{heading: heading, lines: []string{line}}) {
			return
		}
	}
}

// instances counts the entities of a type, and those of the types below it where
// they are more.
func instances(c domains.Count) string {
	s := count(c.Count, "instance", "instances")
	if c.Below > c.Count {
		s += fmt.Sprintf("; %s with sub-classes", number(c.Below))
	}
	return s
}

// repeatedNames are the names that several properties share.
func (l typeList) repeatedNames() map[string]bool {
	repeated := map[string]bool{} // name → seen more than once
	for _, p := range l.properties {
		name := l.names.name(p.IRI)
		_, seen := repeated[name]
		repeated[name] = seen
	}
	return repeated
}

// more says what was left out.
func (l typeList) more(c cut) string {
	left := count(len(l.properties), "predicate", "predicates")
	if types := len(l.types) - c.next; types > 0 {
		left = count(types, "entity type", "entity types") + " and " + left
	} else {
		left = count(len(l.properties)+types, "predicate", "predicates")
	}
	return fmt.Sprintf("(%s left out: %s shows the next, search=\"…\" fewer.)", left, c.cursor)
}

// none is the answer when the search finds no type and no property.
func (l typeList) none(f Frame, d *domains.Domain, st *domains.Stats, search string) string {
	var names []string
	for _, c := range slices.Concat(st.Types, st.Properties) {
		names = append(names, l.names.name(c.IRI))
	}
	lines := []string{fmt.Sprintf("No entity type or predicate of %s has %s in its name or URI.", oneLine(string(d.Info.Name)), sought(search))}
	if near := domains.Nearest(search, names, 5); len(near) > 0 {
		lines = append(lines, "Did you mean: "+strings.Join(near, ", ")+"?")
	}
	return document{closing: append(lines, fmt.Sprintf("Leave search out to list %s.", all(len(st.Types), "entity type", "entity types")))}.text(f)
}
