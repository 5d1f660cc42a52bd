package rdf

import (
	"bufio"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// maxCanonicalWork bounds the steps of Canonicalize, which takes a few seconds for so many.
const maxCanonicalWork = 4 << 20

// maxCanonicalDepth bounds the longest way from a blank node over others that is followed, and so
// the stack.
const maxCanonicalDepth = 20_000

// errPoison is that blank nodes can't be told apart with reasonable work.
var errPoison = errors.New("naming the blank nodes by RDFC-1.0: too many of them are alike, so that telling them apart takes more than " +
	"the 4 million steps that are allowed: give IRIs to some, or write without canonical form")

// Canonicalize names the blank nodes of quads by RDFC-1.0 (RDF Dataset Canonicalization, with
// SHA-256): c14n0, c14n1 and so on, so that isomorphic datasets become equal. The quads that it
// returns are each there once, in the order of their canonical lines by code points, and have
// language tags in small letters (RDF 1.2 N-Quads §3.1).
//
// An *UnsayableError is for what N-Quads cannot say, and for blank nodes inside triple terms,
// for which RDFC-1.0 has no rule. Datasets that are made to take too long are an error.
func Canonicalize(quads []Quad) ([]Quad, error) {
	return canonicalize(quads, maxCanonicalWork)
}

func canonicalize(quads []Quad, work int) ([]Quad, error) {
	lines, err := canonicalLines(quads, work)
	if err != nil {
		return nil, err
	}
	out := make([]Quad, len(lines))
	for i, l := range lines {
		out[i] = l.quad
	}
	return out, nil
}

// canonicalLine is a quad with canonical labels and its line.
type canonicalLine struct {
	text string
	quad Quad
}

func canonicalLines(quads []Quad, work int) ([]canonicalLine, error) {
	c := newCanonicalizer(work)
	for _, q := range quads {
		if err := c.add(q); err != nil {
			return nil, err
		}
	}
	if err := c.name(); err != nil {
		return nil, err
	}
	lines := make([]canonicalLine, len(c.quads))
	terms := termWriter{blank: writtenLabel, canonical: true}
	for i, q := range c.quads {
		q.Subject, q.Object, q.Graph = c.renamed(q.Subject), c.renamed(q.Object), c.renamed(q.Graph)
		lines[i] = canonicalLine{terms.line(q), q}
	}
	slices.SortFunc(lines, func(a, b canonicalLine) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(lines, func(a, b canonicalLine) bool { return a.text == b.text }), nil
}

// writeCanonicalLines writes quads as canonical N-Quads, or as N-Triples where all are in the
// default graph.
func writeCanonicalLines(out *bufio.Writer, f Format, quads iter.Seq[Quad]) error {
	var all []Quad
	for q := range quads {
		if f == NTriples {
			if err := sayable(f, q); err != nil {
				return err
			}
		}
		all = append(all, q)
	}
	lines, err := canonicalLines(all, maxCanonicalWork)
	var cannot *UnsayableError
	if errors.As(err, &cannot) {
		cannot.Format = f
	}
	if err != nil {
		return err
	}
	for _, l := range lines {
		if _, err := out.WriteString(l.text); err != nil {
			return fmt.Errorf("writing %s: %w", f, err)
		}
	}
	return nil
}

// add takes a quad that can be said.
func (c *canonicalizer) add(q Quad) error {
	what := unsayable(TriG, q) // labels do not matter
	if what == "" && q.Object.Kind == TripleTerm && holdsBlank(*q.Object.Triple) {
		what = "in canonical form a triple term that holds a blank node, because RDFC-1.0 has no rule for it: write without canonical form, or give the node an IRI"
	}
	if what != "" {
		return &UnsayableError{Format: NQuads, What: what, Quad: q}
	}
	q.Object = inSmallLetters(q.Object)
	given := termWriter{canonical: true, blank: strconv.Quote}
	line := given.line(q)
	if c.seen[line] {
		return nil
	}
	c.seen[line] = true
	i := len(c.quads)
	c.quads = append(c.quads, q)
	for _, position := range positions {
		t := position.term(&q)
		if t.Kind != Blank {
			continue
		}
		n, known := c.ids[t.Value]
		if !known {
			n = len(c.nodes)
			c.ids[t.Value] = n
			c.nodes = append(c.nodes, canonicalNode{label: t.Value})
		}
		if of := c.nodes[n].quads; len(of) == 0 || of[len(of)-1] != i {
			c.nodes[n].quads = append(of, i)
		}
	}
	return nil
}

// holdsBlank reports whether a triple that is a term has a blank node.
func holdsBlank(t Triple) bool {
	return t.Subject.Kind == Blank || t.Object.Kind == Blank || t.Object.Kind == TripleTerm && holdsBlank(*t.Object.Triple)
}

// inSmallLetters is a term with its language tags in small letters.
func inSmallLetters(t Term) Term {
	t.Lang = strings.ToLower(t.Lang)
	if t.Kind == TripleTerm {
		inside := *t.Triple
		inside.Object = inSmallLetters(inside.Object)
		t.Triple = &inside
	}
	return t
}

// renamed is a term with the canonical label.
func (c *canonicalizer) renamed(t Term) Term {
	if t.Kind == Blank {
		t.Value = c.canonical[c.ids[t.Value]]
	}
	return t
}
