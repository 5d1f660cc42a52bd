package rdfgraph

import (
	"hash/maphash"
	"math/bits"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// addAliases adds the subjects that end with a slash and the local id of a node, in one
// pass over all subjects. It keeps up to four bytes for each node, and the endings of those that
// are likely to be added:
//
//	node → bit of its local id     subject, its bit is set → ending     node → subjects
func (c *rawCall) addAliases(nodes *nodeSet) {
	before := nodes.ids
	ids := newHashed(len(before))
	for _, id := range before {
		if c.step() {
			return
		}
		ids.add(rawLocalID(c.iri(id)))
	}
	ending := map[string][]store.ID{} // what follows the last slash → subjects that end so
	for id := store.ID(1); id < c.s.FirstLiteral(); id++ {
		if c.step() {
			return
		}
		if nodes.has(id) {
			continue
		}
		end, ok := c.ending(id)
		if ok && ids.mayHave(end) && c.describes(id) {
			ending[end] = append(ending[end], id)
		}
	}
	if len(ending) == 0 {
		return
	}
	for _, id := range before {
		if c.step() {
			return
		}
		for _, alias := range ending[rawLocalID(c.iri(id))] {
			nodes.add(alias)
		}
	}
}

// ending is what follows the last slash of an IRI or of that of a blank node.
func (c *rawCall) ending(id store.ID) (string, bool) {
	text := c.s.Text(id)
	if c.s.Kind(id) == rdf.Blank {
		return escapeLabel(text), true
	}
	i := strings.LastIndexByte(text, '/')
	return text[i+1:], i >= 0
}

// rawLocalID is what follows the last number sign and then the last slash, as OntoBricks
// takes it for aliases; domains.LocalID is never empty.
func rawLocalID(iri string) string {
	iri = iri[strings.LastIndexByte(iri, '#')+1:]
	return iri[strings.LastIndexByte(iri, '/')+1:]
}

// hashed says of a text that it may be in a set of texts, or that it is not.
type hashed struct {
	seed maphash.Seed
	bits []uint64 // a power of two of them
}

// newHashed is a set for n texts, in which one of sixteen others may seem to be.
func newHashed(n int) hashed {
	return hashed{maphash.MakeSeed(), make([]uint64, 1<<bits.Len(uint(n/4)))}
}

func (h hashed) place(text string) (word int, bit uint64) {
	sum := maphash.String(h.seed, text)
	return int(sum >> 6 & uint64(len(h.bits)-1)), 1 << (sum & 63)
}

func (h hashed) add(text string) {
	word, bit := h.place(text)
	h.bits[word] |= bit
}

func (h hashed) mayHave(text string) bool {
	word, bit := h.place(text)
	return h.bits[word]&bit != 0
}
