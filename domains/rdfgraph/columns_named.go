package rdfgraph

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// named yields the entities that have a name with the text, best first.
//
// Where more names fit than are read, those are certain that were found before the first
// search that was cut. They are the answer when they fill the page and nobody wants to know
// of the others; otherwise the names of the few are read that an index finds by the
// condition.
func (s *selection) named() (iter.Seq[pick], error) {
	h := &hits{call: s.call, types: s.classes, limit: math.MaxInt - exactTotal, seen: map[store.ID]bool{}, entities: true}
	s.r.Search(func() bool { return s.ctx.Err() != nil })
	inOrder := len(s.Order) == 0 && !s.Count
	if inOrder && s.where == nil {
		h.limit = s.Offset + s.Limit
	}
	if err := h.findText(s.Text); err != nil {
		return nil, err
	}
	if h.cut {
		if ids, ok := s.fewCandidates(); ok {
			return s.withName(ids), nil
		}
		if !inOrder {
			return nil, s.commonText()
		}
		h.page = h.page[:min(h.sure, len(h.page))]
	}
	return func(yield func(pick) bool) {
		for _, hit := range h.page {
			if !yield(pick{id: hit.id, rank: uint8(hit.tier)}) {
				return
			}
		}
		s.tooCommon = h.cut
	}, nil
}

// commonText says that more names fit than are read.
func (s *selection) commonText() error {
	return &domains.Error{Kind: domains.ErrLimit, Op: "searching names", Message: fmt.Sprintf("More names have %q in them than are read for one search: "+
		"search for a longer or rarer text, filter by an exact value or an id too, or search in a class with fewer instances.", s.Text)}
}

// fewCandidates are the entities that the condition leaves, where an index finds them and
// they are few enough for their names to be read.
func (s *selection) fewCandidates() ([]store.ID, bool) {
	if s.where == nil {
		return nil, false
	}
	if _, isIRI := (&hits{call: s.call}).looksLikeIRI(s.Text); isIRI {
		return nil, false
	}
	return s.byIndex(store.MaxPostings)
}

// withName yields those of some entities that may be listed and have a name with the
// text, best first.
func (s *selection) withName(ids []store.ID) iter.Seq[pick] {
	h := hits{call: s.call}
	fitting := func(folded string) (out []pick) {
		step := 0
		for c := range s.among(ids) {
			if s.ended(step) || s.spent() {
				return nil
			}
			step++
			s.r.Posting() // for the name that its IRI is
			if tier, ok := h.bestTier(c.id, folded); ok {
				out = append(out, pick{id: c.id, rank: uint8(tier)})
			}
		}
		return out
	}
	folded := store.Fold(s.Text)
	found := fitting(folded)
	if split := store.FoldLocal(s.Text); len(found) == 0 && split != folded {
		found = fitting(split)
	}
	slices.SortStableFunc(found, func(a, b pick) int { return cmp.Compare(a.rank, b.rank) })
	if len(found) > 0 && found[0].rank < uint8(domains.TierSubstring) {
		found = slices.DeleteFunc(found, func(p pick) bool { return p.rank == uint8(domains.TierSubstring) })
	}
	return slices.Values(found)
}
