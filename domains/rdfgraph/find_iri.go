package rdfgraph

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// findIRI finds the entity of an IRI; a text must fit one of its names.
func (h *hits) findIRI(iri, text string) error {
	id, ok := h.resolve(iri)
	if !ok {
		id, ok = h.resolveShort(iri)
	}
	if !ok {
		return h.ctx.Err()
	}
	tier := domains.TierExact
	if text != "" {
		best, ok := h.bestTier(id, store.Fold(text))
		if !ok {
			return h.ctx.Err()
		}
		tier = domains.Tier(best)
	}
	h.add(id, tier)
	return h.ctx.Err()
}

// resolveShort finds the entity with a short id, which is what follows the base in its IRI.
func (h *hits) resolveShort(id string) (store.ID, bool) {
	base := h.ontology.Base
	if base == "" || strings.Contains(id, ":") {
		return 0, false
	}
	ends := []string{""}
	if !strings.HasSuffix(base, "/") && !strings.HasSuffix(base, "#") {
		ends = []string{"#", "/"}
	}
	for _, end := range ends {
		if found, ok := h.resolve(base + end + id); ok {
			return found, true
		}
	}
	return 0, false
}

// findIRIs finds the entity with an IRI; when there is none, those whose IRIs
// begin with it.
func (h *hits) findIRIs(iri string) error {
	if id, ok := h.resolve(iri); ok {
		h.add(id, domains.TierExact)
		return h.ctx.Err()
	}
	first, end := h.s.IRIRange(iri)
	if end-first > store.MaxPostings {
		if few, ok := h.fewInstances(); ok {
			return h.findAmong(few, func(id store.ID) (int, bool) {
				return int(domains.TierPrefix), slices.ContainsFunc(h.members(id), func(m store.ID) bool { return first <= m && m < end })
			})
		}
	}
	ids := make([]store.ID, 0, min(end-first, store.MaxPostings))
	for id := first; id < end; id++ {
		if !h.r.Read() {
			h.cutShort()
			break
		}
		ids = append(ids, h.shown(id))
	}
	return h.addAll(ids, domains.TierPrefix, h.isEntity)
}
