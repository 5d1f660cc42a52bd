package rdfgraph

import (
	"net/url"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// skolem makes IRIs for blank nodes (RDF 1.1 Concepts §3.5). They stay the same
// as long as the labels of the blank nodes do.
type skolem struct {
	prefix string
	// after is the IRI of the graph that comes right before all of them.
	after store.ID
}

func newSkolem(s *store.Snapshot, base string) skolem {
	base, _, _ = strings.Cut(base, "#")
	switch {
	case base == "":
		base = "https://genid.invalid/"
	case !strings.HasSuffix(base, "/"):
		base += "/"
	}
	prefix := base + ".well-known/genid/"
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

// isCell says whether a term is a cell of an RDF list.
func (c *call) isCell(id store.ID) bool {
	return c.known.first != 0 && c.s.Kind(id) == rdf.Blank && c.r.Rows(id, c.known.first, 0).Len() > 0
}

// longestClimb is how many blank nodes and list cells one looks through for an
// owner.
const longestClimb = 10_000

// home finds the entity that shows a term: the term itself unless it is a blank
// node inside another. via is the property that leads from the home to the list
// in whose cell the climb began; 0 where it began elsewhere.
func (c *call) home(id store.ID) (shown, via store.ID) {
	start, fromCell := id, c.isCell(id)
	for step := 0; c.s.Kind(id) == rdf.Blank; step++ {
		in := c.r.Rows(0, 0, id)
		if in.Len() != 1 || step == longestClimb {
			return id, via
		}
		row := in.At(0)
		if row.S == start {
			return start, via
		}
		if fromCell && via == 0 && row.P != c.known.rest {
			via = row.P
		}
		id = row.S
	}
	return c.shown(id), via
}

// longestList is how many cells of a list are counted.
const longestList = 10_000

// list reads a list: the first limit of its members, and how many it has. It
// ends where a cell has no single successor, and where the list bites its tail. cells
// counts the triples of the cells that were passed.
func (c *call) list(head store.ID, limit int) (members []store.ID, total, triples int) {
	seen := map[store.ID]bool{}
	for cell := head; !seen[cell] && total < longestList; {
		seen[cell] = true
		first := c.r.Rows(cell, c.known.first, 0)
		if first.Len() == 0 {
			break
		}
		total++
		triples += c.r.Rows(cell, 0, 0).Len()
		if len(members) < limit {
			members = append(members, first.Third(0))
		}
		rest := c.r.Rows(cell, c.known.rest, 0)
		if c.known.rest == 0 || rest.Len() != 1 {
			break
		}
		cell = rest.Third(0)
	}
	return members, total, triples
}
