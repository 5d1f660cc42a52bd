package rdf

import (
	"bufio"
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// writeTurtle writes quads of the default graph as Turtle.
func writeTurtle(out *bufio.Writer, o WriteOptions, quads iter.Seq[Quad]) error {
	p := newPage(Turtle, o.Prefixes)
	if err := p.take(quads); err != nil {
		return err
	}
	p.graph(Term{})
	return p.writeTo(out)
}

// writeTriG writes quads as TriG: the default graph, then each named graph as a block, in the
// order in which they first come.
func writeTriG(out *bufio.Writer, o WriteOptions, quads iter.Seq[Quad]) error {
	p := newPage(TriG, o.Prefixes)
	if err := p.take(quads); err != nil {
		return err
	}
	p.graph(Term{})
	for _, graph := range p.graphs {
		if !graph.IsZero() {
			p.graph(graph)
		}
	}
	return p.writeTo(out)
}

// page is a file of Turtle or TriG that is put together.
type page struct {
	format   Format
	prefixes []Prefix
	names    namespaces
	graphs   []Term            // in the order of their first quad
	triples  map[Term][]Triple // graph → its triples
	homes    map[string]Term   // blank node → the one graph in which it was found
	// shared are the blank nodes that several graphs have, or that name one. They have a
	// label, and the same in the whole file.
	shared map[string]bool
	labels map[string]string // blank node → label that is written
	used   map[string]bool   // prefixes
	isNew  bool              // something needs RDF 1.2
	body   bytes.Buffer
}

func newPage(f Format, prefixes []Prefix) *page {
	return &page{
		format:   f,
		prefixes: prefixes,
		names:    newNamespaces(prefixes),
		triples:  make(map[Term][]Triple),
		homes:    make(map[string]Term),
		shared:   make(map[string]bool),
		labels:   make(map[string]string),
		used:     make(map[string]bool),
	}
}

// take holds the quads.
func (p *page) take(quads iter.Seq[Quad]) error {
	for q := range quads {
		if err := sayable(p.format, q); err != nil {
			return err
		}
		if _, ok := p.triples[q.Graph]; !ok {
			p.graphs = append(p.graphs, q.Graph)
		}
		p.triples[q.Graph] = append(p.triples[q.Graph], q.Triple)
		if q.Graph.Kind == Blank {
			p.shared[q.Graph.Value] = true
		}
		p.settle(q.Graph, q.Triple)
		p.isNew = p.isNew || isNew(q.Object)
	}
	return nil
}

// settle notes the graph of the blank nodes of a triple.
func (p *page) settle(graph Term, t Triple) {
	for _, term := range []Term{t.Subject, t.Object} {
		switch {
		case term.Kind == Blank:
			if home, ok := p.homes[term.Value]; !ok {
				p.homes[term.Value] = graph
			} else if home != graph {
				p.shared[term.Value] = true
			}
		case term.Triple != nil:
			p.settle(graph, *term.Triple)
		}
	}
}

// graph writes one graph into the body: as a block where it has a name.
func (p *page) graph(name Term) {
	w := newStatementWriter(newDocument(slices.Values(p.triples[name]), p.shared), p.names)
	w.labels, w.prefixes = p.labels, p.used
	if name.IsZero() {
		for subject := range w.roots() {
			p.paragraph(w.statement(subject))
		}
		return
	}
	var block strings.Builder
	block.WriteString(w.term(name) + " {")
	for subject := range w.roots() {
		block.WriteString("\n" + indent(1) + strings.ReplaceAll(w.statement(subject), "\n", "\n"+indent(1)))
	}
	p.paragraph(block.String() + "\n}")
}

// paragraph puts a text into the body, with an empty line before it.
func (p *page) paragraph(text string) {
	if p.body.Len() > 0 {
		p.body.WriteByte('\n')
	}
	p.body.WriteString(text)
	p.body.WriteByte('\n')
}

// writeTo writes the version where one is needed, the prefixes that are used, and the body.
func (p *page) writeTo(out *bufio.Writer) error {
	head := ""
	if p.isNew {
		head = "@version \"1.2\" .\n"
	}
	head += PrefixLines(p.prefixes, func(name string) bool { return p.used[name] })
	if head != "" && p.body.Len() > 0 {
		head += "\n"
	}
	if _, err := out.WriteString(head); err != nil {
		return fmt.Errorf("writing %s: %w", p.format, err)
	}
	if _, err := p.body.WriteTo(out); err != nil {
		return fmt.Errorf("writing %s: %w", p.format, err)
	}
	return nil
}
