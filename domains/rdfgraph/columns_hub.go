package rdfgraph

import (
	"math"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// mostStreams is how many lists of links of one node are read side by side.
const mostStreams = 64

// stream reads the links of one IRI by one property in the order of the IRIs that are
// shown, no further than it is asked for:
//
//	parts   links to what is shown as it is: IRIs, blank nodes, IRIs
//	moved   links to IRIs that are shown with another, looked for in the order of those
type stream struct {
	property store.ID
	inverse  bool
	parts    [3]store.Rows
	part, at int
	links    store.Rows
	moved    int // place in groups.moved
	extra    []store.ID
	// own and other are the next of parts and of moved; 0 where there is none or it is not
	// yet looked for.
	own, other store.ID
}

// hubPage is page for a node with many links, of which few are read. ok is false for
// others.
func (r *relation) hubPage(node store.ID, limit int) (page []store.ID, ok bool) {
	var streams []*stream
	links := 0
	for _, m := range r.members(node) {
		for _, s := range r.steps {
			in := r.newStream(m, s)
			if !s.inverse && r.known.first != 0 && in.parts[1].Len() > 0 { // some may be lists
				return nil, false
			}
			links += in.links.Len()
			if streams = append(streams, in); len(streams) > mostStreams {
				return nil, false
			}
		}
	}
	if links <= r.columns.hub || links/4 < limit && r.columns.hub > 0 {
		return nil, false
	}
	for _, s := range r.steps {
		if s.inverse {
			if owners := r.inOrder(r.listOwners(nil, node, s.property)); len(owners) > 0 {
				streams = append(streams, &stream{property: s.property, inverse: true, extra: owners})
			}
		}
	}
	h := hubReader{column: r.column, node: node, streams: streams}
	skip := r.Offset
	if len(streams) == 1 && h.isPlain(streams[0]) {
		streams[0].skip(skip)
		skip = 0
	}
	r.buf = r.buf[:0]
	for i := 0; i < skip+limit && !r.spent() && !r.ended(i); i++ {
		id, more := h.next()
		if !more {
			break
		}
		if i >= skip {
			r.buf = append(r.buf, id)
		}
	}
	return r.buf, true
}

// newStream begins to read the links of an IRI.
func (r *relation) newStream(member store.ID, s step) *stream {
	rows := r.r.Rows(member, s.property, 0)
	if s.inverse {
		rows = r.r.Rows(0, s.property, member)
	}
	out := &stream{property: s.property, inverse: s.inverse}
	out.links, _ = rows.Split(r.s.FirstLiteral())
	iris, blanks := out.links.Split(r.s.FirstBlank())
	before, after := iris.Split(r.skolem.after + 1)
	out.parts = [3]store.Rows{before, blanks, after}
	return out
}

// skip passes over links without reading them.
func (s *stream) skip(n int) {
	for ; s.part < len(s.parts) && n >= s.parts[s.part].Len(); s.part++ {
		n -= s.parts[s.part].Len()
	}
	s.at = n
}

// hubReader merges the streams of a node.
type hubReader struct {
	*column
	node    store.ID
	streams []*stream
	last    store.ID
}

// isPlain says whether each link of a stream is an entity of its own.
func (h *hubReader) isPlain(s *stream) bool {
	switch {
	case len(h.groups.moved) > 0, s.property == h.known.sameAs, s.extra != nil:
		return false
	case s.inverse:
		return h.known.first == 0 || s.property != h.known.first && s.property != h.known.rest && h.s.Kind(h.node) == rdf.IRI
	}
	return (h.known.null == 0 || !s.links.HasThird(h.known.null)) && !h.isPlumbing(h.node, s.property)
}

// fits says whether what a link leads to is an entity that the node leads to.
func (h *hubReader) fits(s *stream, id store.ID) bool {
	if s.inverse {
		return h.leadsTo(id, s.property, h.node)
	}
	return id != h.known.null && (s.property != h.known.sameAs || id != h.node) && !h.isPlumbing(h.node, s.property)
}

// next is the next entity; ok is false at the end.
func (h *hubReader) next() (id store.ID, ok bool) {
	for {
		bound := uint64(math.MaxUint64)
		for _, s := range h.streams {
			if s.own == 0 {
				s.own = h.nextOwn(s)
			}
			if s.own != 0 {
				bound = min(bound, h.place(s.own))
			}
		}
		var first *store.ID
		for _, s := range h.streams {
			if s.other == 0 {
				s.other = h.nextOther(s, bound)
			}
			for _, head := range []*store.ID{&s.own, &s.other} {
				if *head != 0 && (first == nil || h.place(*head) < h.place(*first)) {
					first = head
				}
			}
		}
		if first == nil || h.spent() {
			return 0, false
		}
		id, *first = *first, 0
		if id != h.last {
			h.last = id
			return id, true
		}
	}
}

// nextOwn reads on in the links to what is shown as it is.
func (h *hubReader) nextOwn(s *stream) store.ID {
	if len(s.extra) > 0 {
		id := s.extra[0]
		s.extra = s.extra[1:]
		return id
	}
	for s.part < len(s.parts) && !h.spent() {
		if s.at >= s.parts[s.part].Len() {
			s.part, s.at = s.part+1, 0
			continue
		}
		id := s.parts[s.part].Third(s.at)
		if s.at++; h.shown(id) == id && h.fits(s, id) {
			return id
		}
	}
	return 0
}

// nextOther looks for the next link to an IRI that is shown with another, as far as a
// place.
func (h *hubReader) nextOther(s *stream, bound uint64) store.ID {
	if s.links.Len() == 0 {
		return 0
	}
	for ; s.moved < len(h.groups.moved); s.moved++ {
		h.r.Posting()
		id := h.groups.moved[s.moved]
		shown := h.shown(id)
		if h.place(shown) > bound || h.spent() {
			return 0
		}
		if s.links.HasThird(id) && h.fits(s, shown) {
			s.moved++
			return shown
		}
	}
	return 0
}
