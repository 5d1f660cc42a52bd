package rdfgraph

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// fewInstances lists the instances of the classes that were asked for; ok is false
// when none were, and when there are more instances than a search reads.
func (h *hits) fewInstances() (lists []instanceList, ok bool) {
	sum := 0
	for i, class := range h.types {
		if h.ended(i) {
			return nil, false
		}
		l := h.instances(class)
		lists = append(lists, l)
		sum += l.len()
	}
	return lists, h.types != nil && sum <= store.MaxPostings
}

// findAmong forgets what was found and looks at each instance: fits says how well
// one fits, as a tier. So it finds all, however many others have such a name.
func (h *hits) findAmong(lists []instanceList, fits func(store.ID) (tier int, ok bool)) error {
	h.page, h.total, h.atLeast, h.byWords, h.cut = nil, 0, false, false, false
	clear(h.seen)
	m, err := newMerge(h.call, lists, 0)
	if err != nil {
		return err
	}
	var tiers [domains.TierSubstring + 1][]store.ID
	for {
		if h.ended(0) { // an instance may have many names
			return h.ctx.Err()
		}
		id, ok := m.next()
		if !ok {
			break
		}
		if tier, ok := fits(id); ok {
			tiers[tier] = append(tiers[tier], id)
		}
	}
	if slices.ContainsFunc(tiers[:domains.TierSubstring], func(ids []store.ID) bool { return len(ids) > 0 }) {
		tiers[domains.TierSubstring] = nil
	}
	for tier, ids := range tiers {
		if err := h.addAll(ids, domains.Tier(tier), nil); err != nil {
			return err
		}
	}
	return nil
}
