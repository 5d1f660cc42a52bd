package rdfgraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

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

// findLabelProperties picks the label properties among the predicates in use; own
// are the domain's.
func findLabelProperties(s *store.Snapshot, own []string) labelProperties {
	l := labelProperties{is: map[store.ID]bool{}}
	for _, iri := range owl.LabelProperties(s, own) {
		if p, ok := s.LookupIRI(iri); ok {
			l.is[p] = true
			l.shown = append(l.shown, p)
		}
	}
	for _, iri := range owl.AlternativeLabels(s) {
		if p, ok := s.LookupIRI(iri); ok && !l.is[p] {
			l.searched = append(l.searched, p)
		}
	}
	return l
}

func contains(sorted []store.ID, id store.ID) bool {
	_, ok := slices.BinarySearch(sorted, id)
	return ok
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
func (c *call) indexNames() *store.Names {
	var b store.NameBuilder
	for id := store.ID(1); id < c.s.FirstLiteral(); id++ {
		if c.ended(int(id)) {
			return nil
		}
		if c.shown(id) != id || !c.isEntity(id) {
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
