package ontobricks

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// selection tells the matches of a reading from their neighbours.
type selection struct {
	read  *reading
	graph *graph
	text  string
	all   bool // no match is beyond what was read
}

// checkEvery is how many subjects are looked at between two looks at the context.
const checkEvery = 100

// matches are all hits of a reading, in order, with what is to be known of them.
func (s *selection) matches(ctx context.Context) (*domains.Matches, error) {
	found, err := s.found(ctx)
	if err != nil {
		return nil, err
	}
	m := s.read.outline()
	if s.all {
		m.Resume = 0 // only neighbours are left
	}
	var labels []string
	for _, e := range found {
		tier, ok := s.tier(e)
		if !ok {
			labels = append(labels, shortLabels(e.labels)...)
			continue
		}
		m.Hits = append(m.Hits, domains.Hit{Ref: e.ref(), Tier: tier, Schema: e.schema})
	}
	slices.SortFunc(m.Hits, compareHits)
	m.ReadHits = len(m.Hits)
	s.count(m)
	if m.Total == 0 && len(s.text) <= domains.MaxText {
		m.Suggestions = domains.Nearest(s.text, labels, suggested)
	}
	return m, nil
}

// shortLabels are those that are worth suggesting and cheap to compare.
func shortLabels(labels []string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return len(l) > domains.MaxText })
}

// compareHits orders hits by tier, then schema terms last, then by IRI.
func compareHits(a, b domains.Hit) int {
	schema := func(h domains.Hit) int {
		if h.Schema {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.Tier, b.Tier), cmp.Compare(schema(a), schema(b)), cmp.Compare(a.IRI, b.IRI))
}

// outline is what is to be known of what was read, whatever the hits are.
func (r *reading) outline() *domains.Matches {
	return &domains.Matches{
		Resume: r.resume, ReadTriples: r.count, Partial: !r.complete(), Unpinned: true,
		Uncached: r.cache == domains.CacheOff && !r.cached,
	}
}

// found are the entities with a node that matches, each once. Those of an earlier
// name were found when that was asked for, and those of a later one will be.
func (s *selection) found(ctx context.Context) ([]*entity, error) {
	var out []*entity
	matching := map[string]bool{} // subjects
	seen := map[*entity]bool{}
	for question, subjects := range s.read.whole {
		looked := map[string]bool{} // subjects come again where a service does not order them
		for i, iri := range subjects {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			n := s.graph.nodes[iri]
			if n == nil || looked[iri] {
				continue
			}
			looked[iri] = true
			if name, ok := s.read.rule.matches(n.iri, n.triples); !ok || name != question {
				continue
			}
			matching[iri] = true
			if !seen[n.entity] {
				seen[n.entity] = true
				out = append(out, n.entity)
			}
		}
	}
	s.all = s.read.complete() || s.read.begin == 0 && len(s.read.whole) == 1 && len(matching) > 0 && len(matching) == s.read.seeds
	if len(out) == 0 && s.read.seeds > 0 && s.read.complete() {
		return s.guess(), nil
	}
	return out, nil
}

// guess is for a service that matches by another rule than the one that is known: as
// many entities with texts as it counts, by IRI (OntoBricks contract 4.5, rule 4).
func (s *selection) guess() []*entity {
	var out []*entity
	for _, e := range s.graph.entities {
		if len(out) < s.read.seeds && slices.ContainsFunc(e.nodes, s.hasText) {
			out = append(out, e)
		}
	}
	return out
}

func (s *selection) hasText(n *node) bool {
	for _, t := range n.triples {
		if t.Predicate != rdf.RDFType && !s.graph.refers(t) {
			return true
		}
	}
	return false
}

// tier is how well an entity fits the text. It is not ok when the question asked for
// one word of the text alone and no name has all of them.
func (s *selection) tier(e *entity) (tier domains.Tier, ok bool) {
	if s.text == "" {
		return domains.TierExact, true
	}
	names := e.names()
	if strings.Contains(s.text, "://") {
		for _, n := range e.nodes {
			names = append(names, n.iri)
		}
	}
	tier = newRanker(s.text).tier(names)
	return tier, !s.read.again || tier < domains.TierSubstring
}

// count sets the total: of the entities when all matches were read, else what the service
// counts, which are IRIs. What it counts of several questions, or of one word, says
// only how many there are at least.
func (s *selection) count(m *domains.Matches) {
	m.Total = len(m.Hits)
	if s.all {
		return
	}
	switch {
	case s.read.again:
		m.AtLeast = true
	case len(s.read.whole) > 1:
		m.Total = max(m.Total, s.read.seeds)
		m.AtLeast = true
	case s.read.seeds < m.Total:
		m.AtLeast = true
	default:
		m.Total = s.read.seeds
	}
}
