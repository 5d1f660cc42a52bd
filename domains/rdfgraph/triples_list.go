package rdfgraph

import (
	"context"
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mostListed is how many triples List returns at most.
const mostListed = 100_000

// List implements domains.Triples (OntoBricks contract 1.2, triples). Classes, a predicate
// that few have and texts that few objects have are looked up first; what is left is counted
// subject by subject. No more than 100,000 triples are returned at once, and the message
// says so where more were asked for.
func (t *rawTriples) List(ctx context.Context, p domains.TriplePattern) (*domains.TriplePage, error) {
	c := t.call(ctx)
	defer c.r.Done()
	page := &pageOfTriples{c: c, skip: max(p.Offset, 0), limit: min(max(p.Limit, 1), mostListed)}
	l := listing{TriplePattern: p, c: c}
	if !l.narrow() {
		return &page.out, ctx.Err()
	}
	if l.subjects == nil {
		l.subjects = make(idSet, c.s.FirstLiteral()/64+1)
		for i := range l.subjects {
			l.subjects[i] = ^uint64(0)
		}
	}
	for id := range c.inOrder(l.subjects) {
		if c.schema[id] {
			continue
		}
		rows := c.r.Rows(id, l.pred, 0)
		if rows.Len() == 0 || l.Subject != "" && !strings.Contains(c.iri(id), l.Subject) {
			continue
		}
		page.add(id, rows, l.fit(id))
	}
	if p.Limit > mostListed && page.out.Total > page.skip+page.limit {
		page.out.Message = fmt.Sprintf("At most %d triples are returned at once: ask for those behind them with offset.", mostListed)
	}
	return &page.out, ctx.Err()
}

// listing is a pattern with what was looked up of it.
type listing struct {
	domains.TriplePattern
	c    *rawCall
	pred store.ID // 0 for any
	// subjects are those that may fit; nil for all.
	subjects        idSet
	objects, search *termsWith
	preds           map[store.ID]bool // predicates that hold Search
}

// narrow looks up what an index tells; false when nothing fits.
func (l *listing) narrow() bool {
	c := l.c
	if l.Predicate != "" {
		id, ok := c.s.LookupIRI(l.Predicate)
		if !ok {
			return false
		}
		l.pred = id
	}
	if l.Type != "" {
		l.subjects = c.subjectsOf(c.classesThat(func(class string) bool { return strings.Contains(class, l.Type) })).is
	} else if rows := c.r.Rows(0, l.pred, 0); l.pred != 0 && rows.Len() < c.s.Subjects()/8 {
		few := c.newNodeSet()
		c.addSubjects(few, rows)
		l.subjects = few.is
	}
	if l.Object != "" {
		l.objects = c.with(l.Object, l.subjects == nil)
		if few, ok := l.objects.subjects(); l.subjects == nil && ok {
			l.subjects = few
		}
	}
	if l.Search != "" {
		l.search = c.with(l.Search, l.subjects == nil)
		l.preds = map[store.ID]bool{}
		for _, p := range c.s.PredicateIDs() {
			if strings.Contains(c.s.Text(p), l.Search) {
				l.preds[p] = true
			}
		}
	}
	return true
}

// fit says which rows of a subject fit; nil when all do.
func (l *listing) fit(subject store.ID) func(pred, obj store.ID) bool {
	anywhere := l.search == nil || strings.Contains(l.c.iri(subject), l.Search)
	if anywhere && l.objects == nil {
		return nil
	}
	return func(pred, obj store.ID) bool {
		return (l.objects == nil || l.objects.has(obj)) && (anywhere || l.preds[pred] || l.search.has(obj))
	}
}

// termsWith are the terms whose texts hold a text.
type termsWith struct {
	c    *rawCall
	text string
	is   idSet // nil: each is looked at when it is asked for
}

// with finds the terms that hold a text. Where all are going to be asked for, each is
// looked at once, however many triples have it.
func (c *rawCall) with(text string, all bool) *termsWith {
	w := &termsWith{c: c, text: text}
	if !all {
		return w
	}
	var ids idSet
	for id := store.ID(1); c.s.Kind(id) != 0 && !c.step(); id++ {
		if int(id/64) >= len(ids) {
			ids = append(ids, 0)
		}
		if strings.Contains(c.text(id), text) {
			ids.add(id)
		}
	}
	w.is = ids
	return w
}

func (w *termsWith) has(id store.ID) bool {
	if w.is != nil {
		return int(id/64) < len(w.is) && w.is.has(id)
	}
	return strings.Contains(w.c.text(id), w.text)
}

// subjects are the subjects of the triples that have the terms as objects; ok is false
// when there are many.
func (w *termsWith) subjects() (_ idSet, ok bool) {
	if w.is == nil {
		return nil, false
	}
	c, left := w.c, w.c.s.Len()/8
	out := c.newNodeSet()
	for id := w.is.next(1); id != ^store.ID(0) && !c.step(); id = w.is.next(id + 1) {
		rows := c.r.Rows(0, 0, id)
		if left -= rows.Len(); left < 0 {
			return nil, false
		}
		c.addSubjects(out, rows)
	}
	return out.is, true
}
