package format

import (
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
// and the properties that they have or that lead to them.
func OntologyTurtle(f Frame, d *domains.Domain, o *domains.Ontology, classes []string) string {
	doc := document{comment: "# ", head: []string{"Ontology — " + oneLine(string(d.Info.Name))}}
	if o.Triples == nil {
		doc.closing = []string{"The Turtle of this ontology is not at hand; format=summary describes it."}
		return doc.text(f)
	}
	g := newGraph(o.Triples, o.Prefixes)
	if classes != nil {
		g = g.only(wanted(o, classes))
	}
	doc.items = statements(g, max(f.Budget, MinBudget)/2)
	doc.more = func(c cut) string {
		return fmt.Sprintf("(More statements: %s, or name classes in classes.)", c.cursor)
	}
	return doc.text(f)
}

// statements are the items of a Turtle document. A statement longer than big is
// written as one statement for each triple, and what is still too long for a page
// is named in a comment.
func statements(g *graph, big int) iter.Seq[item] {
	return func(yield func(item) bool) {
		for s := range rdf.Statements(slices.Values(g.triples), g.prefixes) {
			parts := []rdf.Statement{s}
			if size(s.Text) > big {
				parts = g.split(s)
			}
			for _, part := range parts {
				if !yield(g.item(part)) {
					return
				}
			}
		}
	}
}

// item is one statement with the prefixes that it needs.
func (g *graph) item(s rdf.Statement) item {
	it := item{lines: append([]string{""}, strings.Split(s.Text, "\n")...)}
	for _, p := range g.prefixes {
		if slices.Contains(s.Prefixes, p.Name) {
			it.needs = append(it.needs, "@prefix "+p.Name+": <"+p.IRI+"> .")
		}
	}
	it.instead = []string{"", fmt.Sprintf("# A statement about %s has %s characters and fits no page.",
		shorten(oneLine(s.Subject.Value), 200), number(size(s.Text)))}
	return it
}

// graph is the triples of a Turtle document.
type graph struct {
	prefixes  []rdf.Prefix
	triples   []rdf.Triple
	bySubject map[rdf.Term][]rdf.Triple
}

func newGraph(triples iter.Seq[rdf.Triple], prefixes []rdf.Prefix) *graph {
	g := &graph{prefixes: prefixes, triples: slices.Collect(triples), bySubject: map[rdf.Term][]rdf.Triple{}}
	for _, t := range g.triples {
		g.bySubject[t.Subject] = append(g.bySubject[t.Subject], t)
	}
	return g
}

// split writes each triple of a statement as a statement, with the blank nodes
// that hang on it.
func (g *graph) split(s rdf.Statement) []rdf.Statement {
	var out []rdf.Statement
	for _, t := range g.bySubject[s.Subject] {
		triples := append([]rdf.Triple{t}, g.hanging([]rdf.Triple{t})...)
		out = slices.AppendSeq(out, rdf.Statements(slices.Values(triples), g.prefixes))
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
func (g *graph) only(subjects map[string]bool) *graph {
	var kept []rdf.Triple
	for _, t := range g.triples {
		if t.Subject.Kind == rdf.IRI && subjects[t.Subject.Value] {
			kept = append(kept, t)
		}
	}
	return newGraph(slices.Values(append(kept, g.hanging(kept)...)), g.prefixes)
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
