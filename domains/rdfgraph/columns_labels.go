package rdfgraph

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Labels implements domains.Columns.
func (g *columns) Labels(ctx context.Context, of []domains.Node, languages []string) ([]string, error) {
	c := g.column(ctx, languages)
	defer c.r.Done()
	labels := c.labeller()
	out := make([]string, len(of))
	for first := 0; first < len(of); first += block {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		last := min(first+block, len(of))
		labels.block(of[first:last], out[first:last])
	}
	return out, ctx.Err()
}

// labeller chooses labels as ChooseText chooses among labelsOf, without collecting them.
type labeller struct {
	*column
	langs []string
	ranks map[string]int // language tag → rank; best is 0
}

func (c *column) labeller() *labeller {
	l := &labeller{column: c, ranks: map[string]int{}}
	if c.speaks() {
		l.langs = c.langs
	}
	return l
}

// block chooses the labels of at most a block of nodes, property by property: most nodes
// have a label of the first.
func (l *labeller) block(nodes []domains.Node, out []string) {
	var ids, places [block]store.ID // of the nodes that may still get a better label
	var chosen [block]choice
	n := 0
	for i, node := range nodes {
		switch id := l.columns.node(node); {
		case id == 0:
		case l.groups.has(id):
			chosen[i] = l.choose(id)
		default:
			ids[n], places[n] = id, store.ID(i)
			n++
		}
	}
	for _, p := range l.labels.shown {
		if n == 0 {
			break
		}
		l.r.Objects(ids[:n], p, mostLabels, &l.read)
		kept := 0
		for i := range n {
			c := &chosen[places[i]]
			if values := l.read.At(i); len(values) == mostLabels { // there may be more, and literals come last
				*c = l.choose(ids[i])
				continue
			} else if l.improve(c, values) {
				continue
			}
			ids[kept], places[kept] = ids[i], places[i]
			kept++
		}
		n = kept
	}
	for i := range nodes {
		out[i] = chosen[i].text
	}
}

// choice is the best label so far; 0 is none.
type choice struct {
	label store.ID
	text  string // of the label
	rank  int
}

// improve takes better ones of some values. It says whether the best is found.
func (l *labeller) improve(c *choice, values []store.ID) (done bool) {
	for _, v := range values {
		if v < l.s.FirstLiteral() {
			continue
		}
		t := l.s.Term(v)
		if t.Kind != rdf.Literal || isBlank(t.Value) {
			continue
		}
		if rank := l.rank(t.Lang); c.label == 0 || rank < c.rank {
			*c = choice{v, t.Value, rank}
		}
		if c.rank == 0 {
			return true
		}
	}
	return false
}

// isBlank says whether a text is nothing but white space. Mostly the first byte tells.
func isBlank(text string) bool {
	return (text == "" || text[0] <= ' ' || text[0] >= utf8.RuneSelf) && strings.TrimSpace(text) == ""
}

// choose chooses the label of one node.
func (l *labeller) choose(node store.ID) (c choice) {
	for _, p := range l.labels.shown {
		for _, m := range l.members(node) {
			rows := l.r.Rows(m, p, 0)
			if rows.Len() == 0 {
				continue
			}
			_, rows = rows.Split(l.s.FirstLiteral())
			l.values = rows.Slice(0, min(mostLabels, rows.Len())).Thirds(l.values[:0])
			if l.improve(&c, l.values) {
				return c
			}
		}
	}
	return c
}

// rank is that of a language: 0 is the best that a label can have.
func (l *labeller) rank(lang string) int {
	if lang == "" && len(l.langs) == 0 {
		return 0
	}
	rank, ok := l.ranks[lang]
	if !ok {
		rank, _ = domains.LanguageRank(lang, l.langs)
		l.ranks[lang] = rank
	}
	return rank
}
