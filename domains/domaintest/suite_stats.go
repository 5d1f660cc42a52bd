package domaintest

import (
	"cmp"
	"testing"

	"github.com/ontogate/ontogate/domains"
)

func stats(t *testing.T, f domains.Facts) {
	s, err := f.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Triples == 0 || s.Subjects == 0 || s.Predicates == 0 {
		t.Errorf("a graph has facts: %+v", s)
	}
	sum := 0
	for _, n := range []int{s.Labels, s.TypeAssertions, s.Attributes, s.Relationships} {
		if sum += n; n < 0 {
			t.Errorf("%d triples of a kind", n)
		}
	}
	if sum != s.Triples {
		t.Errorf("labels, types, attributes and relationships are %d triples of %d", sum, s.Triples)
	}
	if s.AttributesUnknown && s.Attributes != 0 {
		t.Errorf("%d attributes although they are not known", s.Attributes)
	}
	if s.Entities < 0 || s.Entities > s.Subjects || s.Subjects > s.Triples {
		t.Errorf("%d entities, %d subjects and %d triples", s.Entities, s.Subjects, s.Triples)
	}
	for _, counts := range [][]domains.Count{s.Types, s.Properties} {
		for i, c := range counts {
			if c.Count < 0 || max(c.Count, c.Below) == 0 || c.Below != 0 && c.Below <= c.Count || c.IRI == "" {
				t.Errorf("count %+v", c)
			}
			if i > 0 && cmp.Or(cmp.Compare(c.Count, counts[i-1].Count), cmp.Compare(counts[i-1].IRI, c.IRI)) >= 0 {
				t.Errorf("%+v comes before %+v", counts[i-1], c)
			}
		}
	}
}

// countsBelow holds that Below is what a search for a class and those below it finds.
func countsBelow(t *testing.T, b domains.Backend) {
	eachDomain(t, b, func(t *testing.T, d *domains.Domain) {
		if d.Facts == nil {
			return
		}
		o, err := d.Ontology(t.Context())
		if err != nil {
			t.Fatalf("Ontology: %v", err)
		}
		s, err := d.Facts.Stats(t.Context())
		if err != nil {
			t.Fatalf("Stats: %v", err)
		}
		for _, c := range s.Types {
			if c.Below == 0 {
				continue
			}
			// Schema terms that are instances too come last and are not counted by Stats.
			m := find(t, d.Facts, domains.Query{Types: o.WithSubClasses(c.IRI), Offset: c.Below - 1, Limit: 2})
			if m.AtLeast {
				continue
			}
			if len(m.Hits) == 0 || m.Hits[0].Schema || len(m.Hits) == 2 && !m.Hits[1].Schema {
				t.Errorf("%s: %d entities with those below counted, found %d: %+v", c.IRI, c.Below, m.Total, m.Hits)
			}
		}
	})
}
