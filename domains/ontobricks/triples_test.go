package ontobricks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// TestTriplesAreAskedFor holds what is sent for raw triples, and that nothing is where
// nothing is looked for (OntoBricks contract 1.1, triples/find, and 1.2, triples).
func TestTriplesAreAskedFor(t *testing.T) {
	const reg = "registry_catalog=main&registry_schema=registry"
	const find, list = "GET /api/v1/digitaltwin/triples/find?", "GET /api/v1/digitaltwin/triples?"
	r := newRigWith(t, ontobricks.Config{Registry: ontobricks.Registry{Catalog: "main", Schema: "registry"}})
	d := r.open(t, "customer360", alice)
	r.asked()
	for want, q := range map[string]domains.TripleQuery{
		find + "depth=1&domain_name=customer360&limit=1&offset=0&" + reg + "&search=a": {Search: "a"},
		find + "cache=false&depth=10&domain_name=customer360&entity_type=Customer&limit=10000&offset=7&" + reg: {
			Type: "Customer", Depth: 11, Limit: 10_001, Offset: 7, Words: true, Cache: domains.CacheOff,
		},
		find + "cache=true&depth=2&domain_name=customer360&limit=5&offset=0&" + reg + "&search=a b&search_mode=words": {
			Search: "a b", Depth: 2, Limit: 5, Offset: -1, Words: true, Cache: domains.CacheOn,
		},
	} {
		if _, err := d.Triples.Find(t.Context(), q); err != nil {
			t.Errorf("Find(%+v): %v", q, err)
		}
		if diff := cmp.Diff([]string{want}, r.asked()); diff != "" {
			t.Errorf("Find(%+v) (-want +got):\n%s", q, diff)
		}
	}
	for want, p := range map[string]domains.TriplePattern{
		list + "domain_name=customer360&limit=1&offset=0&" + reg: {},
		list + "domain_name=customer360&entity_type=T&limit=50000&object=o&offset=9&predicate=p&" + reg + "&search=x&subject=s": {
			Subject: "s", Predicate: "p", Object: "o", Type: "T", Search: "x", Limit: 50_000, Offset: 9,
		},
	} {
		if _, err := d.Triples.List(t.Context(), p); err != nil {
			t.Errorf("List(%+v): %v", p, err)
		}
		if diff := cmp.Diff([]string{want}, r.asked()); diff != "" {
			t.Errorf("List(%+v) (-want +got):\n%s", p, diff)
		}
	}
	_, err := d.Triples.Find(t.Context(), domains.TripleQuery{Words: true})
	wants(t, err, domains.ErrInvalid, "Provide at least entity_type or search")
	if asked := r.asked(); len(asked) != 0 {
		t.Errorf("asked %q", asked)
	}
}

// TestTriplesAreRead holds what is made of answers: with what an Ontogate tells of objects
// and without, and of older versions that tell no total.
func TestTriplesAreRead(t *testing.T) {
	r := newRig(t)
	d := r.open(t, "customer360", domains.Principal{})
	triple := func(object rdf.Term, rank int) domains.RankedTriple {
		return domains.RankedTriple{Triple: rdf.Triple{Subject: rdf.NewIRI("urn:s"), Predicate: rdf.NewIRI("urn:p"), Object: object}, Rank: rank}
	}
	const begin = `{"success":true,"triples":[{"subject":"urn:s","predicate":"urn:p","object":`
	for body, want := range map[string]domains.TriplePage{
		begin + `"https://x"}],"seed_count":2,"entity_count":3,"total":9,"cache_used":true,"message":"a\n b"}`: {
			Triples: []domains.RankedTriple{triple(rdf.NewIRI("https://x"), 0)}, Total: 9, Seeds: 2, Entities: 3, CacheUsed: true, Message: "a b",
		},
		begin + `"7","object_kind":"literal","datatype":"` + rdf.XSDInteger + `","match_rank":2}],"total":5}`: {
			Triples: []domains.RankedTriple{triple(rdf.NewTyped("7", rdf.XSDInteger), 2)}, Total: 5,
		},
		begin + `"x"}],"has_more":true}`:  {Triples: []domains.RankedTriple{triple(rdf.NewString("x"), 0)}, Total: 5},
		begin + `"x"}],"has_more":false}`: {Triples: []domains.RankedTriple{triple(rdf.NewString("x"), 0)}, Total: 4},
		`{"success":true,"triples":[],"seed_count":0,"total":0,"message":"No matching entities found"}`: {Triples: []domains.RankedTriple{}},
	} {
		r.soft("/digitaltwin/triples/find", body)
		got, err := d.Triples.Find(t.Context(), domains.TripleQuery{Type: "Customer", Depth: 1, Limit: 1, Offset: 3})
		if diff := cmp.Diff(&want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", body, err, diff)
		}
		r.Heal()
	}
	r.soft("/digitaltwin/triples", begin+`"x","object_kind":"literal","lang":"fr"}],"count":1,"message":"a\n b"}`)
	got, err := d.Triples.List(t.Context(), domains.TriplePattern{Limit: 1, Offset: 3})
	want := &domains.TriplePage{Triples: []domains.RankedTriple{triple(rdf.Term{Kind: rdf.Literal, Value: "x", Lang: "fr"}, 0)}, Total: 4, Message: "a b"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("List: %v (-want +got):\n%s", err, diff)
	}
}

// TestTriplesThatAreRefused holds that the deployment's words reach the caller.
func TestTriplesThatAreRefused(t *testing.T) {
	r := newRig(t)
	d := r.open(t, "customer360", domains.Principal{})
	r.soft("/digitaltwin/triples", `{"success":false,"message":"own\n words"}`)
	_, err := d.Triples.List(t.Context(), domains.TriplePattern{Limit: 1})
	wants(t, err, domains.ErrUpstream, "own words")
	r.Heal()
	r.soft("/digitaltwin/triples", `{}`)
	_, err = d.Triples.List(t.Context(), domains.TriplePattern{Limit: 1})
	wants(t, err, domains.ErrUpstream, "Could not list the triples.")
	r.Heal()
	r.Fault(bricktest.Path("/digitaltwin/triples"), bricktest.Fault{Status: 404, Body: []byte(`{"error":"not_found","message":"t does not exist. Run build first."}`)})
	_, err = d.Triples.List(t.Context(), domains.TriplePattern{Limit: 1})
	wants(t, err, domains.ErrUpstream, "t does not exist. Run build first.")
}
