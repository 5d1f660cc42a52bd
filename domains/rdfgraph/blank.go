package rdfgraph

import (
	"net/url"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// skolem makes IRIs for blank nodes (RDF 1.1 Concepts §3.5). They stay the same
// as long as the labels of the blank nodes do: while the file keeps its path, and nodes without
// a label their number among those of the file.
type skolem struct {
	prefix string
	// after is the IRI of the graph that comes right before all of them.
	after store.ID
}

// skolemPath is what tells the IRI of a blank node from others.
const skolemPath = ".well-known/genid/"

func newSkolem(s *store.Snapshot, base string) skolem {
	base, _, _ = strings.Cut(base, "#")
	switch {
	case base == "":
		base = "https://genid.invalid/"
	case !strings.HasSuffix(base, "/"):
		base += "/"
	}
	prefix := base + skolemPath
	first, _ := s.IRIRange(prefix)
	return skolem{prefix, first - 1}
}

func (k skolem) iri(label string) string { return k.prefix + escapeLabel(label) }

// label is the label of the blank node that has an IRI.
func (k skolem) label(iri string) (string, bool) {
	rest, ok := strings.CutPrefix(iri, k.prefix)
	if !ok {
		return "", false
	}
	label, err := url.PathUnescape(rest)
	return label, err == nil && label != ""
}

// escapeLabel percent-encodes what an IRI can't hold. The labels that files can
// hold need no escape.
func escapeLabel(label string) string {
	var b strings.Builder
	for i := range len(label) {
		if c := label[i]; c <= ' ' || c == 0x7F || strings.IndexByte("<>\"{}|^`\\%/#?", c) >= 0 {
			const hex = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
			continue
		}
		b.WriteByte(label[i])
	}
	return b.String()
}

// nestable says whether a term is a blank node that is shown inside its owner:
// exactly one triple leads to it.
func (c *call) nestable(id store.ID) bool {
	return c.s.Kind(id) == rdf.Blank && c.r.Rows(0, 0, id).Len() == 1
}

// isCell says whether a term is a well-formed cell of an RDF list: a blank node
// with one rdf:first and at most one rdf:rest.
func (c *call) isCell(id store.ID) bool {
	return c.known.first != 0 && c.s.Kind(id) == rdf.Blank &&
		c.r.Rows(id, c.known.first, 0).Len() == 1 &&
		(c.known.rest == 0 || c.r.Rows(id, c.known.rest, 0).Len() < 2)
}

// home finds the entity that shows a term: the term itself unless it is a blank
// node inside another. Where blank nodes go round in a circle, or in more steps than
// limit, the term is its own home. via is the property that leads to the list in
// whose cell the climb began; 0 where there is none, or it did not begin in one.
func (c *call) home(id store.ID, fromCell bool, limit int) (shown, via store.ID, steps int) {
	mark, at := id, id // mark is a node passed at a power of two: a circle meets it again
	for step := 1; c.s.Kind(at) == rdf.Blank; step++ {
		steps = step
		in := c.r.Rows(0, 0, at)
		if in.Len() != 1 {
			return at, via, step
		}
		row := in.At(0)
		if row.S == mark || step >= limit {
			return id, 0, step
		}
		if fromCell && via == 0 && row.P != c.known.rest {
			via = row.P
		}
		if at = row.S; step&(step-1) == 0 {
			mark = at
		}
	}
	return c.shown(at), via, steps
}

// longestList is how many cells of a list are counted.
const longestList = 10_000

// list reads a list from a cell: the first limit of its members, and how many it
// has; more is set when it is longer than is counted. It ends with rdf:nil, or where
// it bites its tail; anything else that it ends with counts as its last member.
// triples counts the triples of its cells.
func (c *call) list(cell store.ID, limit int) (members []store.ID, total int, more bool, triples int) {
	add := func(member store.ID) {
		if total++; len(members) < limit {
			members = append(members, member)
		}
	}
	seen := map[store.ID]bool{}
	for !seen[cell] && cell != c.known.null {
		if total == longestList {
			return members, total, true, triples
		}
		if !c.isCell(cell) {
			add(cell)
			break
		}
		seen[cell] = true
		triples += c.r.Rows(cell, 0, 0).Len()
		add(c.r.Rows(cell, c.known.first, 0).Third(0))
		rest := c.r.Rows(cell, c.known.rest, 0)
		if c.known.rest == 0 || rest.Len() == 0 {
			break
		}
		cell = rest.Third(0)
	}
	return members, total, false, triples
}
