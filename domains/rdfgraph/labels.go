package rdfgraph

import (
	"cmp"
	"slices"
	"strings"
	"sync"

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
func (c *call) labelsOf(shown store.ID) []domains.Text { return c.appendLabels(nil, shown) }

// appendLabels adds the labels of an entity to an empty list.
func (c *call) appendLabels(out []domains.Text, shown store.ID) []domains.Text {
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
	var one [1]store.ID
	for _, m := range c.membersIn(&one, shown) {
		_, rows := c.r.Rows(m, p, 0).Split(c.s.FirstLiteral())
		for i := range min(rows.Len(), mostLabels) {
			if t := c.s.Term(rows.Third(i)); t.Kind == rdf.Literal {
				yield(t)
			}
		}
	}
}

// indexNames builds the name index over all entities: their labels and alternative
// labels in all languages, and the local names of their IRIs both as they are and split
// into words.
func (c *call) indexNames() *store.Names {
	var builders []*store.NameBuilder
	var adding sync.Mutex // guards builders
	c.spread(int(c.s.FirstLiteral())-1, func(own *call) func(from, to int) {
		b := &store.NameBuilder{}
		adding.Lock()
		defer adding.Unlock()
		builders = append(builders, b)
		var id store.ID
		text := func(text string) { b.AddText(text, id) }
		local := func(local string) { b.AddLocal(local, id) }
		return func(from, to int) {
			for i := from; i < to; i++ {
				if id = store.ID(i + 1); own.shown(id) == id && own.isEntity(id) {
					own.eachName(id, text, local)
				}
			}
		}
	})
	if c.ended(0) {
		return nil
	}
	names := store.BuildNames(builders)
	c.preparing.add(int64(c.s.FirstLiteral()))
	return names
}

// eachName calls text for the labels and alternative labels of an entity, and local for
// the local names of its IRIs. The same may come twice.
func (c *call) eachName(shown store.ID, text, local func(string)) {
	for _, m := range c.members(shown) {
		for _, list := range [][]store.ID{c.labels.shown, c.labels.searched} {
			for _, p := range list {
				_, rows := c.r.Rows(m, p, 0).Split(c.s.FirstLiteral())
				for i := range min(rows.Len(), mostLabels) {
					if label := rows.Third(i); label < c.s.FirstQuoted() {
						text(c.s.Text(label))
					}
				}
			}
		}
		if m >= c.s.FirstBlank() {
			continue
		}
		name := domains.LocalName(c.s.Text(m))
		if _, rest, ok := strings.Cut(name, "://"); ok {
			name = rest
		}
		local(name)
	}
}

// namesOf are the folded names by which an entity is searched, as indexNames adds them.
func (c *call) namesOf(shown store.ID) []string {
	var out []string
	c.eachName(shown,
		func(text string) { out = append(out, store.Fold(text)) },
		func(local string) { out = append(out, store.Fold(local), store.FoldLocal(local)) })
	return out
}

// labelName is how an entity is called when it is suggested.
func (c *call) labelName(shown store.ID) string {
	return cmp.Or(c.ref(shown).Label, domains.Prettify(domains.LocalName(c.iri(shown))))
}
