package ontobricks

import (
	"cmp"
	"context"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// Stats implements domains.Facts. The service counts texts and links together, and
// does not tell how many entities there are.
func (f *facts) Stats(ctx context.Context) (*domains.Stats, error) {
	s, err := f.stats(ctx)
	if err != nil {
		return nil, err
	}
	return &domains.Stats{
		Triples: max(s.TotalTriples, 0), Subjects: max(s.DistinctSubjects, 0), Predicates: max(s.DistinctPredicates, 0),
		Labels: max(s.LabelCount, 0), TypeAssertions: max(s.TypeAssertionCount, 0),
		Relationships: max(s.RelationshipCount, 0), AttributesUnknown: true, Inferred: max(s.InferredTriples, 0),
		Types: counts(s.EntityTypes), Properties: counts(s.TopPredicates),
	}, nil
}

// counts orders what the service counted, each IRI once.
func counts(in []wire.Count) []domains.Count {
	var out []domains.Count
	seen := map[string]bool{}
	for _, c := range in {
		if iri := valid(c.URI); iri != "" && !seen[iri] {
			seen[iri] = true
			out = append(out, domains.Count{IRI: iri, Count: max(c.Count, 0)})
		}
	}
	slices.SortFunc(out, func(a, b domains.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.IRI, b.IRI))
	})
	return out
}
