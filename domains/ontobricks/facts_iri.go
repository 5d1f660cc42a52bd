package ontobricks

import (
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// findIRI finds the entity that has an IRI. The service has no look-up by IRI; it
// finds IRIs that hold a text behind a slash, so this asks for all that follows the
// scheme's slashes and keeps the one.
func (f *facts) findIRI(ctx context.Context, o *domains.Ontology, q domains.Query, text string) (*domains.Matches, error) {
	q.Resume = 0
	r := f.newReading(q)
	if r.usedUp() {
		return &domains.Matches{AtLeast: true, Unpinned: true, Read: q.After}, nil
	}
	search, ok := iriText(q.IRI)
	r.question(nil, search)
	if err := r.lookUp(ctx, valid(q.IRI)); err != nil {
		return nil, err
	}
	s := selection{read: r, graph: newGraph(o, r.triples), text: text}
	m := r.outline()
	m.Resume = 0 // there is one
	n := s.graph.nodes[valid(q.IRI)]
	switch {
	case n == nil && !ok:
		return nil, domains.Invalid("An entity can't be looked up here by a URI that has no / or # in it: use search with its name or with a part of it.")
	case n == nil && !r.complete() && !r.probe:
		return nil, &domains.Error{Kind: domains.ErrLimit, Op: "looking an entity up", Domain: f.name,
			Message: "Too many URIs begin like this one to look at all of them: use search with the entity's name instead of entity_uri."}
	case n != nil && s.meets(n.entity, newRule(typeNames(o, q.Types), searchText(text))):
		m.Hits = []domains.Hit{{Ref: n.entity.ref(), Tier: domains.TierExact, Schema: n.entity.schema}}
		if text != "" {
			m.Hits[0].Tier, _ = s.tier(n.entity)
		}
	}
	m.Total, m.ReadHits = len(m.Hits), len(m.Hits)
	s.hand(m, q)
	return m, nil
}

// meets reports whether some node of an entity matches.
func (s *selection) meets(e *entity, r rule) bool {
	return slices.ContainsFunc(e.nodes, func(n *node) bool {
		_, ok := r.matches(n.iri, n.triples)
		return ok
	})
}

// iriText is the longest part of an IRI that stands behind a slash or a number sign.
// ok is false when there is none, and then it is the IRI.
func iriText(iri string) (text string, ok bool) {
	if _, rest, found := strings.Cut(iri, "://"); found && rest != "" {
		return rest, true
	}
	if i := strings.IndexAny(iri, "/#"); i >= 0 && i+1 < len(iri) {
		return iri[i+1:], true
	}
	return iri, false
}

// lookUp reads what the service finds for an IRI. Customer/1 finds Customer/10 to
// Customer/19999 too, and all that is around them. When that is too long to be read,
// the IRI is looked for by its place, as triples come in the order of subjects; then
// its neighbours are missing, except for those on the same pages.
func (r *reading) lookUp(ctx context.Context, iri string) error {
	b := run{}
	found, err := r.page(ctx, 0, 0)
	if err != nil {
		return err
	}
	fresh := b.add(r, found.Triples)
	if !found.HasMore || !fresh {
		r.stopped = found.HasMore
		return nil
	}
	if found.Total <= r.source.limit*r.source.pages || slices.Contains(b.subjects, iri) {
		_, done, err := r.pages(ctx, 0, b)
		r.stopped = r.stopped || !done
		return err
	}
	r.stopped = true
	for low, high := b.offset, found.Total; low < high && r.requests < r.source.pages; {
		at := run{offset: low + (high-low)/2}
		middle := at.offset
		if found, err = r.page(ctx, 0, middle); err != nil {
			return err
		}
		switch at.add(r, found.Triples); {
		case len(at.subjects) == 0 || at.subjects[0] > iri:
			high = middle
		case at.subjects[len(at.subjects)-1] < iri:
			low = at.offset
		default:
			return r.widen(ctx, iri, middle, at)
		}
	}
	return nil
}

// widen reads the pages beside the one on which an IRI was met, where its triples may
// begin or end.
func (r *reading) widen(ctx context.Context, iri string, middle int, at run) error {
	if before := max(0, middle-r.source.limit); at.subjects[0] == iri && before < middle && r.requests < r.source.pages {
		found, err := r.page(ctx, 0, before)
		if err != nil {
			return err
		}
		(&run{}).add(r, found.Triples)
	}
	if at.subjects[len(at.subjects)-1] == iri && r.requests < r.source.pages {
		found, err := r.page(ctx, 0, at.offset)
		if err != nil {
			return err
		}
		(&run{}).add(r, found.Triples)
	}
	return nil
}
