package rdfgraph

import (
	"iter"
	"math/bits"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// inOrder yields the IRIs and blank nodes of a set in the order of their texts, until the
// call is over.
func (c *rawCall) inOrder(set idSet) iter.Seq[store.ID] {
	return func(yield func(store.ID) bool) {
		after, blank, literal := c.skolem.after+1, c.s.FirstBlank(), c.s.FirstLiteral()
		for _, part := range [][2]store.ID{{1, after}, {blank, literal}, {after, blank}} {
			for id := set.next(part[0]); id < part[1]; id = set.next(id + 1) {
				if c.step() || !yield(id) {
					return
				}
			}
		}
	}
}

// next is the first of a set that is not below id; beyond all where there is none.
func (s idSet) next(id store.ID) store.ID {
	for i := int(id / 64); i < len(s); i++ {
		word := s[i]
		if i == int(id/64) {
			word &= ^uint64(0) << (id % 64)
		}
		if word != 0 {
			return store.ID(i*64 + bits.TrailingZeros64(word))
		}
	}
	return ^store.ID(0)
}

// pageOfTriples takes triples subject by subject, in order: it counts all and reads those
// of the page.
type pageOfTriples struct {
	c           *rawCall
	skip, limit int
	rank        map[store.ID]int // subject → rank; nil for none
	out         domains.TriplePage
}

// add takes rows of a subject: all, or those that fit. Without fit nothing is read that
// lies outside the page.
func (p *pageOfTriples) add(subject store.ID, rows store.Rows, fit func(pred, obj store.ID) bool) {
	n := rows.Len()
	if fit != nil {
		n = 0
		for i := 0; i < rows.Len() && !p.c.step(); i++ {
			if row := rows.At(i); fit(row.P, row.O) {
				n++
			}
		}
	}
	if skip := max(p.skip-p.out.Total, 0); skip < n && len(p.out.Triples) < p.limit {
		p.tell(subject, rows, skip, fit)
	}
	p.out.Total += n
}

// tell adds the rows that fit from the skip-th on to the page, as far as there is room.
func (p *pageOfTriples) tell(subject store.ID, rows store.Rows, skip int, fit func(pred, obj store.ID) bool) {
	c := p.c
	s := c.term(subject)
	for run, rest := rows.Run(); run.Len() > 0; run, rest = rest.Run() {
		if fit == nil && skip >= run.Len() {
			skip -= run.Len()
			continue
		}
		pred := run.At(0).P
		from := 0
		if fit == nil {
			from, skip = skip, 0
		}
		for obj := range c.objects(run, from) {
			if c.step() || len(p.out.Triples) == p.limit {
				return
			}
			if fit != nil && !fit(pred, obj) {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			t := rdf.Triple{Subject: s, Predicate: c.s.Term(pred), Object: c.term(obj)}
			p.out.Triples = append(p.out.Triples, domains.RankedTriple{Triple: t, Rank: p.rank[subject]})
		}
	}
}

// objects yields the objects of one subject and predicate from the given one on, in the
// order of their texts. Those of one kind are in this order already.
func (c *rawCall) objects(run store.Rows, from int) iter.Seq[store.ID] {
	lists := c.byKind(run)
	if len(lists) == 1 {
		return func(yield func(store.ID) bool) {
			for i := from; i < lists[0].n; i++ {
				if !yield(lists[0].at(i)) {
					return
				}
			}
		}
	}
	return func(yield func(store.ID) bool) {
		for i := range lists {
			lists[i].look(c)
		}
		for {
			var first *objectList
			for i := range lists {
				l := &lists[i]
				if l.next < l.n && (first == nil || l.text < first.text) {
					first = l
				}
			}
			if first == nil || c.step() {
				return
			}
			id := first.id
			first.next++
			first.look(c)
			if from > 0 {
				from--
			} else if !yield(id) {
				return
			}
		}
	}
}

// objectList are objects of one kind, of which next is looked at.
type objectList struct {
	at      func(i int) store.ID
	n, next int
	id      store.ID
	text    string
}

func (l *objectList) look(c *rawCall) {
	if l.next < l.n {
		l.id = l.at(l.next)
		l.text = c.text(l.id)
	}
}

// byKind parts the objects of one subject and predicate by their kind, each list in the
// order of its texts; empty ones are left out.
func (c *rawCall) byKind(run store.Rows) []objectList {
	var out []objectList
	for _, limit := range []store.ID{c.s.FirstBlank(), c.s.FirstLiteral(), c.s.FirstQuoted(), ^store.ID(0)} {
		part, rest := run.Split(limit)
		run = rest
		switch n := part.Len(); {
		case n == 0:
		case limit == ^store.ID(0): // triple terms are ordered by their parts
			ids := part.Thirds(nil)
			slices.SortStableFunc(ids, func(a, b store.ID) int { return strings.Compare(c.text(a), c.text(b)) })
			out = append(out, objectList{at: func(i int) store.ID { return ids[i] }, n: n})
		default:
			out = append(out, objectList{at: part.Third, n: n})
		}
	}
	return out
}
