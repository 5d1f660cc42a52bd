package graphql

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// mostValues is how many values of one entity a field has at most.
const mostValues = 1000

// isLeaf reports whether a field reads something and has no fields itself.
func (c *cell) isLeaf() bool {
	return c.fail == nil && c.source != readNothing && c.source != readObjects
}

// leaf reads a field that has no fields itself, for all nodes of a group.
func (x *execution) leaf(g *group, c *cell) {
	if !c.isLeaf() {
		return
	}
	if twin := g.twin(c); twin != nil {
		if twin.ahead != nil {
			x.await(g, twin)
		}
		if c.leaves = twin.leaves; c.field.Name != twin.field.Name {
			c.ready = ready{} // the texts are the same, and what is shown of them is not
		}
		if c.unread = twin.unread; twin.fail != nil {
			c.fail = &failure{message: twin.fail.message} // to be told at its own key too
		}
		return
	}
	c.leaves, _ = ask(x, g, c, func(from domains.Columns) (leaves, error) { return x.fetch(from, g, c) })
	c.lose(g)
}

// await takes what was read ahead, once.
func (x *execution) await(g *group, c *cell) {
	a := c.ahead
	if <-a.done; x.settle(g, c, a.err) {
		c.leaves = a.got
	}
	c.ahead = nil
	c.lose(g)
}

// lose gives up a group of which something that must not be null was not read.
func (c *cell) lose(g *group) {
	if c.unread && c.required {
		g.lost = true
	}
}

// fetch asks the Columns for a field that has no fields itself. It changes nothing.
func (x *execution) fetch(from domains.Columns, g *group, c *cell) (out leaves, err error) {
	have := 0
	switch c.source {
	case readIRIs:
		out.texts, err = from.IRIs(x.ctx, g.nodes)
		have = len(out.texts)
	case readLabels:
		out.texts, err = from.Labels(x.ctx, g.nodes, x.languages(c))
		have = len(out.texts)
	case readTypes:
		out.names, err = from.Types(x.ctx, g.nodes)
		have = len(out.names.Ends)
	case readValues:
		out.terms, err = from.Values(x.ctx, g.nodes, c.column.Steps, c.mostTerms())
		have = len(out.terms.Ends)
	default:
		return out, nil
	}
	return out, whole(err, have, g)
}

// twin is an earlier field that reads the same; nil for none.
func (g *group) twin(c *cell) *cell {
	for i := range g.cells {
		t := &g.cells[i]
		if t == c {
			return nil
		}
		if t.source == c.source && t.column == c.column &&
			(c.source != readLabels || t.lang == c.lang && t.hasLang == c.hasLang) {
			return t
		}
	}
	return nil
}

// whole is the error for an answer that does not have one item for each node.
func whole(err error, have int, g *group) error {
	if err == nil && have != len(g.nodes) {
		return fmt.Errorf("the columns gave %d items for %d nodes", have, len(g.nodes))
	}
	return err
}

// languages are those in which a label is looked for: that of the argument, then as
// always.
func (x *execution) languages(c *cell) []string {
	if !c.hasLang {
		return x.s.config.Languages
	}
	return append([]string{c.lang}, x.s.config.Languages...)
}

// mostTerms is how many values a field needs to see of each node: one more than are shown
// of a list, so that a longer one is noticed.
func (c *cell) mostTerms() int {
	if !c.isList && !c.column.Language {
		return 1
	}
	return mostValues + 1
}

// chosen are the values of a node that a field shows, of those that it has.
func (x *execution) chosen(c *cell, terms []rdf.Term) []rdf.Term {
	if !c.column.Language || len(terms) == 0 {
		return terms
	}
	if c.isList {
		if !c.hasLang {
			return terms
		}
		var out []rdf.Term
		for _, t := range terms {
			if _, ok := domains.LanguageRank(t.Lang, []string{c.lang}); ok {
				out = append(out, t)
			}
		}
		return out
	}
	best, least := -1, 0
	if !c.hasLang {
		return terms[x.best(terms):][:1]
	}
	for i, t := range terms {
		rank, ok := domains.LanguageRank(t.Lang, []string{c.lang})
		if ok && (best < 0 || rank < least) {
			best, least = i, rank
		}
	}
	if best < 0 {
		return nil
	}
	return terms[best : best+1]
}

// best is the value that domains.ChooseText picks.
func (x *execution) best(terms []rdf.Term) int {
	if len(terms) == 1 {
		return 0
	}
	texts := make([]domains.Text, len(terms))
	for i, t := range terms {
		texts[i] = domains.Text{Value: t.Value, Lang: t.Lang}
	}
	choice, _ := domains.ChooseText(texts, x.s.config.Languages)
	for i, t := range texts {
		if t == choice {
			return i
		}
	}
	return 0
}

// idOf is the id of an entity.
func (s *Service) idOf(iri string) string {
	if rest, ok := strings.CutPrefix(iri, s.config.Model.Base); ok && rest != "" {
		return rest
	}
	return iri
}
