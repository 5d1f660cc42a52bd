package rdfgraph

import (
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// seeds finds the subjects of a question. Where they are ranked, it tells the page.
func (c *rawCall) seeds(q domains.TripleQuery, page *pageOfTriples) (*nodeSet, error) {
	switch {
	case q.Search == "":
		return c.typed(q.Type), c.ctx.Err()
	case q.Words:
		return c.ranked(q, page)
	case q.Type == "":
		return c.holding(newSearched(q.Search)), c.ctx.Err()
	}
	typed, search := c.typed(q.Type), newSearched(q.Search)
	if len(typed.ids) > c.s.Subjects()/8 {
		found := c.holding(search)
		found.ids = slices.DeleteFunc(found.ids, func(id store.ID) bool { return !typed.has(id) })
		return c.setOf(found.ids), c.ctx.Err()
	}
	out := c.newNodeSet()
	for _, id := range typed.ids {
		if c.step() {
			break
		}
		if search.inIRI(c.iri(id)) || c.hasLabel(id, search) {
			out.add(id)
		}
	}
	return out, c.ctx.Err()
}

func (c *rawCall) setOf(ids []store.ID) *nodeSet {
	out := c.newNodeSet()
	for _, id := range ids {
		out.add(id)
	}
	return out
}

// classesNamed are the objects of rdf:type whose texts end with a slash or a number sign
// and a text, whatever the case.
func (c *rawCall) classesNamed(text string) []store.ID {
	slash, hash := newLike("%/"+text), newLike("%#"+text)
	return c.classesThat(func(class string) bool { return slash.matches(class) || hash.matches(class) })
}

// classesThat are the objects of rdf:type whose texts fit, in order.
func (c *rawCall) classesThat(fit func(string) bool) []store.ID {
	var out []store.ID
	if c.known.rdfType == 0 {
		return nil
	}
	for rows := c.r.Rows(0, c.known.rdfType, 0); rows.Len() > 0 && !c.step(); _, rows = rows.Run() {
		if class := rows.Second(); fit(c.text(class)) {
			out = append(out, class)
		}
	}
	return out
}

// typed are the subjects of a class whose text ends so.
func (c *rawCall) typed(text string) *nodeSet { return c.subjectsOf(c.classesNamed(text)) }

// subjectsOf are the subjects that have one of some classes.
func (c *rawCall) subjectsOf(classes []store.ID) *nodeSet {
	out := c.newNodeSet()
	for _, class := range classes {
		c.addSubjects(out, c.r.Rows(0, c.known.rdfType, class))
	}
	return out
}

// addSubjects adds the subjects of rows that are no schema terms.
func (c *rawCall) addSubjects(to *nodeSet, rows store.Rows) {
	for i := 0; i < rows.Len() && !c.step(); i++ {
		if s := rows.At(i).S; !c.schema[s] {
			to.add(s)
		}
	}
}

// searched is a text that is looked for in labels and IRIs. It is not for concurrent use.
type searched struct {
	label, slash, hash *likePattern
	buffer             []byte // an IRI in lower case
}

func newSearched(text string) *searched {
	return &searched{label: newLike("%" + text + "%"), slash: newLike("%/" + text + "%"), hash: newLike("%#" + text + "%")}
}

func (s *searched) inIRI(iri string) bool {
	s.buffer = appendLower(s.buffer[:0], iri)
	return s.slash.fits(s.buffer) || s.hash.fits(s.buffer)
}

// hasLabel reports whether a subject has a label that fits.
func (c *rawCall) hasLabel(id store.ID, s *searched) bool {
	for _, p := range c.t.labels {
		rows := c.r.Rows(id, p, 0)
		for i := 0; i < rows.Len() && !c.step(); i++ {
			if s.label.matches(c.text(rows.Third(i))) {
				return true
			}
		}
	}
	return false
}

// holding are the subjects with a label that fits, or an IRI. Each label is compared once,
// however many have it.
func (c *rawCall) holding(s *searched) *nodeSet {
	out := c.newNodeSet()
	for id := store.ID(1); id < c.s.FirstLiteral() && !c.step(); id++ {
		if s.inIRI(c.iri(id)) && c.describes(id) {
			out.add(id)
		}
	}
	for _, p := range c.t.labels {
		for run, rest := c.r.Rows(0, p, 0).Run(); run.Len() > 0 && !c.step(); run, rest = rest.Run() {
			if s.label.matches(c.text(run.Second())) {
				c.addSubjects(out, run)
			}
		}
	}
	return out
}

// ranked are the IRIs of the entities that a search by words finds, and the page gets
// their ranks.
func (c *rawCall) ranked(q domains.TripleQuery, page *pageOfTriples) (*nodeSet, error) {
	c.r.Search(func() bool { return c.ctx.Err() != nil })
	h := &hits{call: c.call, limit: exactTotal, seen: map[store.ID]bool{}, entities: true}
	if q.Type != "" {
		h.types = []store.ID{}
		for _, class := range c.classesNamed(q.Type) {
			if c.classes[class] != nil {
				h.types = append(h.types, class)
			}
		}
	}
	if err := h.findText(q.Search); err != nil {
		return nil, err
	}
	out := c.newNodeSet()
	page.rank = map[store.ID]int{}
	rank := 0
	for _, hit := range h.page {
		described := slices.DeleteFunc(slices.Clone(c.members(hit.id)), func(id store.ID) bool { return !c.describes(id) })
		if len(described) == 0 {
			continue
		}
		rank++
		for _, id := range described {
			out.add(id)
			page.rank[id] = rank
		}
	}
	if h.atLeast {
		page.out.Message = fmt.Sprintf("More entities match than the %d that are told: search for more words.", rank)
	}
	return out, c.ctx.Err()
}
