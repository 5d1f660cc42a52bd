package rdfgraph

import (
	"cmp"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mostMerged is how many values of each further IRI of an entity are compared with
// the others, to count shared ones once.
const mostMerged = 10_000

// values reads the first values of a property, up to limit, in order and each once,
// and counts all.
func (d *description) values(p property, limit int) (first []store.ID, total int, err error) {
	if err := d.ctx.Err(); err != nil {
		return nil, 0, err
	}
	total = p.total()
	if len(p.rows) == 1 {
		first = d.room.idList(min(limit, total))
		for i := range min(limit, total) {
			first = append(first, p.rows[0].Third(i))
		}
		return first, total, nil
	}
	// Several IRIs: read all but the longest rows, and look each value up in it.
	rows := slices.Clone(p.rows)
	slices.SortStableFunc(rows, func(a, b store.Rows) int { return cmp.Compare(b.Len(), a.Len()) })
	for i := range min(limit, rows[0].Len()) {
		first = append(first, rows[0].Third(i))
	}
	others := map[store.ID]bool{}
	for _, r := range rows[1:] {
		for i := range min(r.Len(), mostMerged) {
			v := r.Third(i)
			if others[v] || rows[0].HasThird(v) {
				total--
				continue
			}
			others[v] = true
			first = append(first, v)
		}
	}
	slices.Sort(first)
	return first[:min(limit, len(first))], total, d.ctx.Err()
}

// mostTexts is how many literals of a property are read to find those in a
// preferred language.
const mostTexts = 1_000

// preferredFirst puts the literals in preferred languages before the other values
// of a property, those in the best language first; values are the first of these.
func (d *description) preferredFirst(p property, values []store.ID) []store.ID {
	if !d.speaks() {
		return values
	}
	type text struct {
		id   store.ID
		rank int
	}
	var texts []text
	left := mostTexts
	for _, rows := range p.rows {
		_, literals := rows.Split(d.s.FirstLiteral())
		for i := range min(left, literals.Len()) {
			id := literals.Third(i)
			t := d.s.Term(id)
			if rank, ok := domains.LanguageRank(t.Lang, d.langs); ok && t.Kind == rdf.Literal {
				texts = append(texts, text{id, rank})
			}
		}
		left -= min(left, literals.Len())
	}
	slices.SortFunc(texts, func(a, b text) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.id, b.id)) })
	out := make([]store.ID, 0, len(texts)+len(values))
	for _, t := range slices.Compact(texts) {
		out = append(out, t.id)
	}
	preferred := out
	for _, v := range values {
		if !slices.Contains(preferred, v) {
			out = append(out, v)
		}
	}
	return out
}

// speaks says whether a literal of the graph has a preferred language.
func (c *call) speaks() bool {
	if len(c.langs) == 0 {
		return false
	}
	for lang := range c.s.Languages() {
		if _, ok := domains.LanguageRank(lang, c.langs); ok {
			return true
		}
	}
	return false
}
