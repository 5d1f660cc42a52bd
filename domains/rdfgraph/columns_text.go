package rdfgraph

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// withText keeps those of some entities, which are in order, that have a name with the
// text, as Find does among the instances of a class: best first.
func (r *relation) withText(nodes []store.ID) []store.ID {
	if len(nodes) == 0 {
		return nodes
	}
	h := hits{call: r.call}
	if iri, ok := h.looksLikeIRI(r.Text); ok {
		if found := r.withIRI(nodes, iri); len(found) > 0 {
			return found
		}
	}
	folded := store.Fold(r.Text)
	found := r.withName(nodes, folded)
	if split := store.FoldLocal(r.Text); len(found) == 0 && split != folded {
		return r.withName(nodes, split)
	}
	return found
}

// withIRI keeps the entity of an IRI, or where there is none those whose IRIs begin with
// it.
func (r *relation) withIRI(nodes []store.ID, iri string) []store.ID {
	if id, ok := r.resolve(iri); ok {
		if slices.Contains(nodes, id) {
			return []store.ID{id}
		}
		return nil
	}
	var out []store.ID
	first, end := r.s.IRIRange(iri)
	for i, id := range nodes {
		if r.ended(i) || r.spent() {
			return nil
		}
		if slices.ContainsFunc(r.members(id), func(m store.ID) bool { return first <= m && m < end }) && r.isEntity(id) {
			out = append(out, id)
		}
	}
	return out
}

// withName keeps the entities with a name that fits a folded text, in tiers.
func (r *relation) withName(nodes []store.ID, folded string) []store.ID {
	h := hits{call: r.call}
	var tiers [domains.TierSubstring + 1][]store.ID
	for i, id := range nodes {
		if r.ended(i) || r.spent() {
			return nil
		}
		r.r.Posting() // for the name that its IRI is
		tier, ok := h.bestTier(id, folded)
		if ok {
			tiers[tier] = append(tiers[tier], id)
		}
	}
	better := slices.Concat(tiers[:domains.TierSubstring]...)
	if len(better) > 0 {
		return better
	}
	return tiers[domains.TierSubstring]
}
