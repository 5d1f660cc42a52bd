package rdfgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

const (
	foaf    = "http://xmlns.com/foaf/0.1/"
	dcterms = "http://purl.org/dc/terms/"
)

// schemaorg are the two forms of schema.org's namespace.
var schemaorg = []string{"http://schema.org/", "https://schema.org/"}

// mostLabels is how many labels of one property are read.
const mostLabels = 500

// labelProperties are the properties of a graph whose literals are labels.
type labelProperties struct {
	// shown are label properties, best first.
	shown []store.ID
	is    map[store.ID]bool
	// searched are further properties whose literals are searched as names.
	searched []store.ID
}

// findLabelProperties picks the label properties among the predicates in use:
// the domain's own, the well-known ones, and those whose local name says so.
func findLabelProperties(s *store.Snapshot, o *domains.Ontology, own []string) labelProperties {
	order := slices.Concat(own, []string{rdf.SKOS + "prefLabel"}, subProperties(o, rdf.RDFSLabel), []string{rdf.RDFSLabel})
	for _, ns := range schemaorg {
		order = append(order, ns+"name")
	}
	order = append(order, foaf+"name", dcterms+"title")
	l := labelProperties{is: map[store.ID]bool{}}
	add := func(p store.ID) {
		if !l.is[p] {
			l.is[p] = true
			l.shown = append(l.shown, p)
		}
	}
	used := s.PredicateIDs()
	for _, iri := range order {
		if p, ok := s.LookupIRI(iri); ok && contains(used, p) {
			add(p)
		}
	}
	for _, p := range used {
		if namesLabels(s.Text(p)) {
			add(p)
		}
	}
	alternative := []string{rdf.SKOS + "altLabel", rdf.SKOS + "hiddenLabel", foaf + "nick", dcterms + "alternative"}
	for _, ns := range schemaorg {
		alternative = append(alternative, ns+"alternateName")
	}
	for _, iri := range alternative {
		if p, ok := s.LookupIRI(iri); ok && contains(used, p) && !l.is[p] {
			l.searched = append(l.searched, p)
		}
	}
	return l
}

func contains(sorted []store.ID, id store.ID) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
}

// subProperties returns the properties below one, by IRI, without itself.
func subProperties(o *domains.Ontology, super string) []string {
	below := map[string]bool{super: true}
	for grew := true; grew; {
		grew = false
		for _, p := range o.Properties {
			if !below[p.IRI] && slices.ContainsFunc(p.Supers, func(s string) bool { return below[s] }) {
				below[p.IRI] = true
				grew = true
			}
		}
	}
	delete(below, super)
	var out []string
	for iri := range below {
		out = append(out, iri)
	}
	slices.Sort(out)
	return out
}

// namesLabels says whether the local name of a property, without has or is, is
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

// labelsOf are the labels of an entity, best property first, without repetition.
func (c *call) labelsOf(shown store.ID) []domains.Text {
	var out []domains.Text
	for _, p := range c.labels.shown {
		c.literals(shown, p, func(t rdf.Term) {
			label := domains.Text{Value: t.Value, Lang: t.Lang}
			if strings.TrimSpace(t.Value) != "" && !slices.Contains(out, label) {
				out = append(out, label)
			}
		})
	}
	return out
}

// literals calls yield for the literals that an entity has of a property.
func (c *call) literals(shown, p store.ID, yield func(rdf.Term)) {
	for _, m := range c.members(shown) {
		_, rows := c.r.Rows(m, p, 0).Split(c.s.FirstLiteral())
		for i := range min(rows.Len(), mostLabels) {
			if t := c.s.Term(rows.Third(i)); t.Kind == rdf.Literal {
				yield(t)
			}
		}
	}
}

// namesOf are the folded names by which an entity is searched: its labels and
// alternative labels in all languages, and the local names of its IRIs both as
// they are and split into words. The same name may come twice.
func (c *call) namesOf(shown store.ID) []string {
	var out []string
	for _, list := range [][]store.ID{c.labels.shown, c.labels.searched} {
		for _, p := range list {
			c.literals(shown, p, func(t rdf.Term) { out = append(out, store.Fold(t.Value)) })
		}
	}
	for _, m := range c.members(shown) {
		if c.s.Kind(m) != rdf.IRI {
			continue
		}
		local := domains.LocalName(c.s.Text(m))
		if _, rest, ok := strings.Cut(local, "://"); ok {
			local = rest
		}
		out = append(out, store.Fold(local), store.FoldLocal(local))
	}
	return out
}

// indexNames builds the name index over all entities.
func (g *graph) indexNames() *store.Names {
	c := &call{graph: g, r: g.s.Reader()}
	var b store.NameBuilder
	for id := store.ID(1); id < g.s.FirstLiteral(); id++ {
		if g.shown(id) != id || !c.isEntity(id) {
			continue
		}
		for _, name := range c.namesOf(id) {
			b.Add(name, id)
		}
	}
	return b.Build()
}

// labelName is how an entity is called when it is suggested.
func (c *call) labelName(shown store.ID) string {
	return cmp.Or(c.ref(shown).Label, domains.Prettify(domains.LocalName(c.iri(shown))))
}
