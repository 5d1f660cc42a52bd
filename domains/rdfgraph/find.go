package rdfgraph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

const (
	// exactTotal is up to where hits are counted; beyond, and beyond the page
	// that was asked for, there are "at least" so many.
	exactTotal = 1_000
	// suggested is how many names are suggested when nothing matched.
	suggested = 5
)

// Find implements domains.Facts.
//
// A name is a label in any language, an alternative label (skos:altLabel and its
// like) or the local name of an IRI, as it is or split into words. When the text
// looks like an IRI, that IRI is looked up, then those that begin with it, and then names. An
// entity is a hit when it has facts or is mentioned at least twice; by its IRI every
// term of the graph is found.
func (g *graph) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	c := g.call(ctx, q.Languages)
	defer c.r.Done()
	c.r.Search(func() bool { return ctx.Err() != nil })
	h := &hits{call: c, skip: max(q.Offset, 0), limit: max(q.Limit, 1), seen: map[store.ID]bool{}}
	if len(q.Types) > 0 {
		h.types = c.classIDs(q.Types)
	}
	text := strings.TrimSpace(q.Text)
	var err error
	switch {
	case q.IRI != "":
		err = h.findIRI(q.IRI, text)
	case text != "":
		err = h.findText(text)
	case len(q.Types) > 0:
		err = h.listTypes()
	default:
		return nil, domains.Invalid("Nothing to look for: give a text, a class or an IRI.")
	}
	if err != nil {
		return nil, err
	}
	m := h.matches(text)
	return m, ctx.Err()
}

// classIDs are the classes that the graph has, in order.
func (c *call) classIDs(iris []string) []store.ID {
	out := []store.ID{}
	for i, iri := range iris {
		if c.ended(i) {
			break
		}
		if id, ok := c.s.LookupIRI(iri); ok && c.classes[id] != nil {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// hits gathers what a query finds: it keeps the page that was asked for and
// counts the rest.
type hits struct {
	*call
	types       []store.ID // classes of which a hit has one; nil when all will do
	skip, limit int
	seen        map[store.ID]bool
	page        []hit
	total       int
	atLeast     bool
	byWords     bool // whether some hit holds the words of the text rather than the text
	// entities leaves the schema terms out.
	entities bool
	// cut is set when not all names that fit were read; before it was, sure hits had been
	// found.
	cut  bool
	sure int
}

type hit struct {
	id   store.ID
	tier domains.Tier
}

// most is how many hits are counted.
func (h *hits) most() int { return max(exactTotal, h.skip+h.limit) }

// cutShort notes that not all that fits is read.
func (h *hits) cutShort() {
	if h.atLeast = true; !h.cut {
		h.cut, h.sure = true, h.total
	}
}

// full says that no further hit can matter.
func (h *hits) full() bool { return h.atLeast && h.total >= h.most() }

// add counts an entity, once; false means that no more are wanted.
func (h *hits) add(id store.ID, tier domains.Tier) bool {
	if h.seen[id] {
		return true
	}
	h.seen[id] = true
	if h.entities && h.schema[id] || !h.hasType(id) {
		return true
	}
	if h.total == h.most() {
		h.atLeast = true
		return false
	}
	if h.total >= h.skip && len(h.page) < h.limit {
		h.page = append(h.page, hit{id, tier})
	}
	h.total++
	h.byWords = h.byWords || tier >= domains.TierWords
	return true
}

// hasType says whether an entity has one of the types. It is false, too, when the
// call ended.
func (h *hits) hasType(id store.ID) bool {
	if h.types == nil {
		return true
	}
	for _, m := range h.members(id) {
		rows := h.r.Rows(m, h.known.rdfType, 0)
		for i := range rows.Len() {
			if h.ended(i) {
				return false
			}
			if contains(h.types, rows.Third(i)) {
				return true
			}
		}
	}
	return false
}

// addAll adds candidates of one tier in the order of hits. Only those for whom
// accept holds count; nil accepts all.
func (h *hits) addAll(ids []store.ID, tier domains.Tier, accept func(store.ID) bool) error {
	slices.SortFunc(ids, func(a, b store.ID) int { return cmp.Compare(h.hitPlace(a), h.hitPlace(b)) })
	for i, id := range ids {
		if h.ended(i) {
			return h.ctx.Err()
		}
		if accept != nil && !accept(id) {
			continue
		}
		if !h.add(id, tier) {
			return nil
		}
	}
	return nil
}

// findText searches IRIs when the text looks like one, and then names: as typed,
// and if that finds nothing, split into words as a local name is.
func (h *hits) findText(text string) error {
	if iri, ok := h.looksLikeIRI(text); ok {
		if err := h.findIRIs(iri); err != nil || h.total > 0 {
			return err
		}
	}
	folded := store.Fold(text)
	if err := h.findNames(folded); err != nil || h.total > 0 {
		return err
	}
	if split := store.FoldLocal(text); split != folded {
		return h.findNames(split)
	}
	return nil
}

// findNames goes through the tiers until enough is found. Where more names fit than
// are read, it starts again from the instances of the classes that were asked for,
// if they are fewer.
func (h *hits) findNames(folded string) error {
	for _, step := range []struct {
		tier   domains.Tier
		search func(*store.Reader, string) store.Owners
	}{
		{domains.TierExact, h.names.Exact},
		{domains.TierPrefix, h.names.Prefix},
		{domains.TierWords, h.names.Words},
		{domains.TierSubstring, h.names.Within},
	} {
		if err := h.ctx.Err(); err != nil {
			return err
		}
		if h.full() || step.tier == domains.TierSubstring && h.total > 0 {
			return nil
		}
		owners := step.search(h.r, folded)
		if owners.More {
			if few, ok := h.fewInstances(); ok {
				return h.findAmong(few, func(id store.ID) (int, bool) { return h.bestTier(id, folded) })
			}
		}
		if owners.More {
			h.cutShort()
		}
		if err := h.addAll(owners.IDs, step.tier, nil); err != nil {
			return err
		}
	}
	return nil
}

// bestTier says how well the best of an entity's names fits a folded text.
func (h *hits) bestTier(id store.ID, folded string) (best int, ok bool) {
	for names := range slices.Chunk(h.namesOf(id), 1024) {
		if h.ended(0) {
			return 0, false
		}
		if tier, fits := store.BestTier(names, folded); fits && (!ok || tier < best) {
			best, ok = tier, true
		}
	}
	return best, ok
}

// looksLikeIRI recognises an IRI, one in angle brackets, and a prefixed name whose
// prefix the domain knows; it returns the IRI.
func (h *hits) looksLikeIRI(text string) (string, bool) {
	if strings.ContainsAny(text, " \t\n\"") {
		return "", false
	}
	iri := h.ontology.Expand(text)
	if iri != text || strings.Contains(text, "://") {
		return iri, true
	}
	scheme, _, found := strings.Cut(text, ":")
	if !found || scheme == "" {
		return "", false
	}
	for i, r := range scheme {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return "", false
		}
	}
	return text, true
}

// listTypes lists the instances of classes.
func (h *hits) listTypes() error {
	var lists []instanceList
	sum, largest, shared, certain := 0, 0, 0, true
	for i, class := range h.types {
		if h.ended(i) {
			return h.ctx.Err()
		}
		l := h.instances(class)
		lists = append(lists, l)
		sum += l.len()
		largest = max(largest, l.len())
		if h.classes[class].shared {
			shared++
		}
		certain = certain && !domains.SaysNothing(h.s.Text(class))
	}
	h.types = nil // the lists hold nobody else
	from := 0
	if len(lists) == 1 { // nobody comes twice: go straight to the page
		from = min(h.skip, sum)
		h.total = from
	}
	stop := h.skip + h.limit
	if exact := len(lists) < 2 || certain && shared < 2; !exact {
		stop = h.most() + 1
	} else {
		defer func() { h.total, h.atLeast = sum, false }()
	}
	m, err := newMerge(h.call, lists, from)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		if h.ended(i) {
			return h.ctx.Err()
		}
		id, ok := m.next()
		if !ok {
			break
		}
		if !h.add(id, domains.TierExact) || h.total >= stop {
			break
		}
	}
	if h.atLeast {
		h.total = max(h.total, largest)
	}
	return nil
}

// matches turns what was gathered into the answer.
func (h *hits) matches(text string) *domains.Matches {
	bytes, words := store.Shortened(store.Fold(text))
	out := &domains.Matches{Total: h.total, AtLeast: h.atLeast, Shortened: bytes || words && (h.byWords || h.total == 0)}
	for _, hit := range h.page {
		out.Hits = append(out.Hits, domains.Hit{Ref: h.ref(hit.id), Tier: hit.tier, Schema: h.schema[hit.id]})
	}
	if h.total == 0 && text != "" {
		out.Suggestions = h.suggest(text)
	}
	return out
}

// suggest names entities that the text may have meant, among those of the types.
// Of an IRI it takes the local name.
func (h *hits) suggest(text string) []string {
	if iri, ok := h.looksLikeIRI(text); ok {
		if text = domains.LocalName(iri); text == iri {
			return nil
		}
	}
	var out []string
	seen := map[string]bool{} // folded
	for _, id := range h.names.Near(h.r, store.Fold(text), 10*suggested) {
		if len(out) == suggested {
			break
		}
		if !h.hasType(id) {
			continue
		}
		name := h.labelName(id)
		if folded := store.Fold(name); !seen[folded] {
			seen[folded] = true
			out = append(out, name)
		}
	}
	return out
}
