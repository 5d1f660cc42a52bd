package rdfgraph_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
	"github.com/ontogate/ontogate/format"
)

var nextPage = regexp.MustCompile(`cursor="([^"]+)"`)

// TestLaterPagesCostLittle holds that describe_entity reads what a page shows, with every
// detail, also of hubs, and on the fiftieth page not fifty times as much.
func TestLaterPagesCostLittle(t *testing.T) {
	b := store.NewBuilder()
	put := func(s, p string, o rdf.Term) {
		b.Add(rdf.Triple{Subject: rdf.NewIRI(big + s), Predicate: rdf.NewIRI(p), Object: o})
	}
	for i := range 4_000 {
		thing := fmt.Sprintf("thing%04d", i)
		put(thing, rdf.RDFType, rdf.NewIRI(big+"Thing"))
		put(thing, rdf.RDFSLabel, rdf.NewString(fmt.Sprintf("thing number %d", i)))
		put("hub", big+"has", rdf.NewIRI(big+thing))
		put(thing, big+"isOf", rdf.NewIRI(big+"other"))
	}
	put("hub", rdf.RDFSLabel, rdf.NewString("hub"))
	put("other", rdf.RDFSLabel, rdf.NewString("other"))
	s := b.Build()
	o := domains.NewOntology(domains.Ontology{})
	d := &domains.Domain{Info: domains.Info{Name: "big", HasGraph: true}, Version: "1", Facts: rdfgraph.NewFacts(s, nil, nil),
		Ontology: func(context.Context) (*domains.Ontology, error) { return o, nil }}
	for _, tc := range []struct {
		name        string
		o           format.EntitiesOptions
		first, each int // look-ups and reads, at most
	}{
		{"a hub's values", format.EntitiesOptions{EntityURI: big + "hub", Detail: format.Full}, 3_000, 6_000},
		{"what leads to a hub", format.EntitiesOptions{EntityURI: big + "other", Detail: format.Full}, 3_000, 6_000},
		{"a hub and its neighbours", format.EntitiesOptions{EntityURI: big + "hub", Detail: format.Full, Depth: 1}, 3_000, 14_000},
		{"a hub in short", format.EntitiesOptions{EntityURI: big + "hub", Detail: format.Standard, Depth: 2}, 1_000, 1_000},
		{"a class", format.EntitiesOptions{Types: []string{big + "Thing"}, Limit: 50}, 1_000, 1_000},
		{"a class with neighbours", format.EntitiesOptions{Types: []string{big + "Thing"}, Limit: 50, Depth: 2, Detail: format.Standard}, 5_000, 5_000},
	} {
		f := format.Frame{Budget: 6_000, Scope: format.Scope{Tool: "describe_entity"}}
		var costs []int
		var texts []string
		for len(costs) < 150 {
			before := s.Work()
			text, err := format.Entities(t.Context(), f, d, tc.o)
			if err != nil {
				t.Fatal(err)
			}
			after := s.Work()
			texts = append(texts, text)
			costs = append(costs, after.Reads()-before.Reads()+after.Lookups-before.Lookups)
			m := nextPage.FindStringSubmatch(text)
			if m == nil {
				break
			}
			if f.From, err = f.Scope.Parse(m[1]); err != nil {
				t.Fatal(err)
			}
		}
		last := len(costs) - 1
		t.Logf("%s: %d pages; the first costs %d, the middle one %d, the last %d", tc.name, len(costs), costs[0], costs[last/2], costs[last])
		if costs[0] > tc.first {
			t.Errorf("%s: the first page costs %d, want at most %d", tc.name, costs[0], tc.first)
		}
		for i, c := range costs {
			if c > tc.each {
				t.Errorf("%s: page %d costs %d, want at most %d:\n%s", tc.name, i+1, c, tc.each, texts[i][:300])
				break
			}
		}
		if all := strings.Join(texts, "\n"); strings.Contains(tc.name, "values") {
			for i := range 4_000 {
				if n := strings.Count(all, fmt.Sprintf("<%sthing%04d>", big, i)); n != 1 {
					t.Fatalf("thing%04d is told %d times", i, n)
				}
			}
		}
	}
}
