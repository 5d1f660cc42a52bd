package format

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// OntologyTurtle is the answer of describe_ontology with format=turtle: valid
// Turtle on every page, in which everything that is not data is a comment. classes
// are as in OntologySummary; with them the statements are those about the classes
// and the properties that they have or that lead to them. The only error is that ctx
// ended.
func OntologyTurtle(ctx context.Context, f Frame, d *domains.Domain, o *domains.Ontology, classes []string) (string, error) {
	doc := document{comment: "# ", head: []string{"Ontology — " + oneLine(string(d.Info.Name))}}
	if o.Triples == nil {
		doc.closing = []string{"The Turtle of this ontology is not at hand; format=summary describes it."}
		return doc.text(f), nil
	}
	triples := until(ctx, o.Triples)
	if classes != nil {
		triples = newGraph(triples).only(wanted(o, classes))
	}
	doc.items = statements(triples, o.Prefixes, max(f.Budget, MinBudget)/2)
	doc.more = func(c cut) string {
		if classes != nil {
			return fmt.Sprintf("(More statements: %s)", c.cursor)
		}
		return fmt.Sprintf("(More statements: %s, or name the classes you need in classes.)", c.cursor)
	}
	text := doc.text(f)
	return text, ctx.Err()
}

// until yields triples until ctx ends.
func until(ctx context.Context, triples iter.Seq[rdf.Triple]) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		n := 0
		for t := range triples {
			if n%1024 == 0 && ctx.Err() != nil || !yield(t) {
				return
			}
			n++
		}
	}
}

// statements are the items of a Turtle document. A statement longer than big is
// written as one statement for each triple, and what is still too long for a page
// is named in a comment.
func statements(triples iter.Seq[rdf.Triple], prefixes []rdf.Prefix, big int) iter.Seq[item] {
	return func(yield func(item) bool) {
		var g *graph // made when it is first needed
		lines := declarations(prefixes)
		for s := range rdf.Statements(triples, prefixes) {
			parts := []rdf.Statement{s}
			if size(s.Text) > big {
				if g == nil {
					g = newGraph(triples)
				}
				parts = g.split(s, prefixes)
			}
			for _, part := range parts {
				if !yield(statement(part, lines)) {
					return
				}
			}
		}
	}
}

// statement is the item of one statement, with the prefixes that it needs.
func statement(s rdf.Statement, declarations map[string]string) item {
	it := item{lines: append([]string{""}, strings.Split(s.Text, "\n")...)}
	for _, name := range s.Prefixes {
		it.needs = append(it.needs, declarations[name])
	}
	it.instead = []string{"", fmt.Sprintf("# A statement about %s has %s characters and fits no page.",
		shorten(oneLine(s.Subject.Value), 200), number(size(s.Text)))}
	return it
}

// declarations are the lines that declare prefixes: name → line.
func declarations(prefixes []rdf.Prefix) map[string]string {
	lines := map[string]string{}
	for _, p := range prefixes {
		one := rdf.PrefixLines(prefixes, func(name string) bool { return name == p.Name })
		lines[p.Name] = strings.TrimSuffix(one, "\n")
	}
	return lines
}

// graph is triples that can be asked for by subject.
type graph struct {
	triples   []rdf.Triple
	bySubject map[rdf.Term][]rdf.Triple
}

func newGraph(triples iter.Seq[rdf.Triple]) *graph {
	g := &graph{triples: slices.Collect(triples), bySubject: map[rdf.Term][]rdf.Triple{}}
	for _, t := range g.triples {
		g.bySubject[t.Subject] = append(g.bySubject[t.Subject], t)
	}
	return g
}

// split writes each triple of a statement as a statement, with the blank nodes
// that hang on it. A statement with blank nodes that need labels stays whole: its
// labels would not be those of the other statements.
func (g *graph) split(s rdf.Statement, prefixes []rdf.Prefix) []rdf.Statement {
	whole := []rdf.Statement{s}
	if s.Subject.Kind == rdf.Blank || strings.Contains(s.Text, " _:b") {
		return whole
	}
	var out []rdf.Statement
	for _, t := range g.bySubject[s.Subject] {
		triples := append([]rdf.Triple{t}, g.hanging([]rdf.Triple{t})...)
		for part := range rdf.Statements(slices.Values(triples), prefixes) {
			if part.Subject != s.Subject {
				return whole
			}
			out = append(out, part)
		}
	}
	return out
}

// hanging are the triples of the blank nodes that the given triples lead to.
func (g *graph) hanging(triples []rdf.Triple) []rdf.Triple {
	seen := map[rdf.Term]bool{}
	for _, t := range triples {
		seen[t.Subject] = true
	}
	queue := slices.Clone(triples)
	for i := 0; i < len(queue); i++ {
		if o := queue[i].Object; o.Kind == rdf.Blank && !seen[o] {
			seen[o] = true
			queue = append(queue, g.bySubject[o]...)
		}
	}
	return queue[len(triples):]
}

// only keeps the triples of the subjects and of the blank nodes that hang on
// them.
func (g *graph) only(subjects map[string]bool) iter.Seq[rdf.Triple] {
	var kept []rdf.Triple
	for _, t := range g.triples {
		if t.Subject.Kind == rdf.IRI && subjects[t.Subject.Value] {
			kept = append(kept, t)
		}
	}
	return slices.Values(append(kept, g.hanging(kept)...))
}

// wanted are the IRIs of classes and of the properties that they have or that
// lead to them.
func wanted(o *domains.Ontology, classes []string) map[string]bool {
	out := map[string]bool{}
	for _, c := range classes {
		out[c] = true
	}
	for _, p := range o.Properties {
		touches := slices.ContainsFunc(slices.Concat(p.Domains, p.Ranges), func(c string) bool { return slices.Contains(classes, c) })
		for _, c := range p.Cardinalities {
			touches = touches || slices.Contains(classes, c.Class)
		}
		if touches {
			out[p.IRI] = true
		}
	}
	return out
}
