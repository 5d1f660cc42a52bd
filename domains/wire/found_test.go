package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// Answers of older versions lack members, and members may be null.
func TestFoundOfAllVersions(t *testing.T) {
	triple := wire.Triple{Subject: "s", Predicate: "p", Object: "o"}
	for in, want := range map[string]wire.Found{
		`{"success":true,"seed_count":1,"triples":[{"subject":"s","predicate":"p","object":"o"}]}`:                        {Success: true, SeedCount: 1, Triples: []wire.Triple{triple}, Total: 1},
		`{"success":true,"triples":[{"subject":"s","predicate":"p","object":"o"}],"total":812,"has_more":true}`:           {Success: true, Triples: []wire.Triple{triple}, Total: 812, HasMore: true},
		`{"success":true,"triples":null,"total":null,"message":null,"cache_used":true,"cache_mode":"force_on"}`:           {Success: true, CacheUsed: true, CacheMode: "force_on"},
		`{"triples":[{"subject":null,"object":"o"}],"total":0,"depth":2,"count":1,"limit":9,"offset":8,"entity_count":7}`: {Triples: []wire.Triple{{Object: "o"}}, Depth: 2, Count: 1, Limit: 9, Offset: 8, EntityCount: 7},
	} {
		var got wire.Found
		if err := json.Unmarshal([]byte(in), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
	var got wire.Found
	if json.Unmarshal([]byte(`{"triples":"none"}`), &got) == nil {
		t.Error("triples of another type are read")
	}
}

// What is sent tells all of a triple, and is read as it was.
func TestTriplesAreSentAndRead(t *testing.T) {
	s, p := rdf.NewIRI("https://x.example/s"), rdf.NewIRI("https://x.example/p")
	for _, tc := range []struct {
		object rdf.Term
		rank   int
		want   string
	}{
		{rdf.NewIRI("https://x.example/o"), 3, `"object":"https://x.example/o","object_kind":"uri","match_rank":3}`},
		{rdf.NewIRI("urn:x"), 0, `"object":"urn:x","object_kind":"uri"}`},
		{rdf.NewIRI("https://x.example/.well-known/genid/b0"), 0, `"object":"https://x.example/.well-known/genid/b0","object_kind":"bnode"}`},
		{rdf.NewBlank("b0"), 0, `"object":"_:b0","object_kind":"bnode"}`},
		{rdf.NewString("http://no.iri"), 0, `"object":"http://no.iri","object_kind":"literal"}`},
		{rdf.NewTyped("7", rdf.XSDInteger), 0, `"object":"7","object_kind":"literal","datatype":"http://www.w3.org/2001/XMLSchema#integer"}`},
		{rdf.Term{Kind: rdf.Literal, Value: "x", Lang: "ar", Dir: "rtl"}, 0, `"object":"x","object_kind":"literal","lang":"ar","direction":"rtl"}`},
	} {
		triple := domains.RankedTriple{Triple: rdf.Triple{Subject: s, Predicate: p, Object: tc.object}, Rank: tc.rank}
		got, err := json.Marshal(wire.NewTriple(triple))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"subject":"https://x.example/s","predicate":"https://x.example/p",` + tc.want; string(got) != want {
			t.Errorf("%v is sent as\n%s, want\n%s", tc.object, got, want)
		}
		var read wire.Triple
		if err := json.Unmarshal(got, &read); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(triple, read.Ranked()); diff != "" {
			t.Errorf("%s is read as (-want +got):\n%s", got, diff)
		}
	}
}

// Without our members what begins as an IRI of the web is one.
func TestTriplesOfOthersAreRead(t *testing.T) {
	for object, want := range map[string]rdf.Term{
		"https://x.example/o": rdf.NewIRI("https://x.example/o"), "http://x.example/o": rdf.NewIRI("http://x.example/o"),
		"urn:x": rdf.NewString("urn:x"), "text": rdf.NewString("text"), "_:b": rdf.NewString("_:b"), "": rdf.NewString(""),
	} {
		got := wire.Triple{Subject: "_:s", Predicate: "urn:p", Object: object}.Ranked()
		if diff := cmp.Diff(rdf.Triple{Subject: rdf.NewBlank("s"), Predicate: rdf.NewIRI("urn:p"), Object: want}, got.Triple); diff != "" {
			t.Errorf("%q (-want +got):\n%s", object, diff)
		}
	}
}

// The members of an answer are those of the contract, and ours behind them.
func TestAnswersWithTriples(t *testing.T) {
	in := wire.Scope{Domain: "d", Version: "1"}
	one := []domains.RankedTriple{{Triple: rdf.Triple{Subject: rdf.NewIRI("urn:s"), Predicate: rdf.NewIRI("urn:p"), Object: rdf.NewString("o")}}}
	const triple = `[{"subject":"urn:s","predicate":"urn:p","object":"o","object_kind":"literal"}]`
	for name, tc := range map[string]struct {
		got  any
		want string
	}{
		"a page": {
			wire.NewFound(&domains.TriplePage{Triples: one, Total: 8, Seeds: 2, Entities: 3, CacheUsed: true}, domains.TripleQuery{Depth: 2, Limit: 1, Offset: 6, Cache: domains.CacheOn}, in, "r"),
			`{"success":true,"seed_count":2,"depth":2,"triples":` + triple + `,"count":1,"total":8,"has_more":true,"limit":1,"offset":6,"entity_count":3,"message":null,"cache_used":true,"cache_mode":"force_on","domain":"d","version":"1","revision":"r"}`,
		},
		"the last page": {
			wire.NewFound(&domains.TriplePage{Triples: one, Total: 8, Seeds: 2, Entities: 3, Message: "m"}, domains.TripleQuery{Depth: 2, Limit: 5, Offset: 7, Cache: domains.CacheOff}, in, "r"),
			`{"success":true,"seed_count":2,"depth":2,"triples":` + triple + `,"count":1,"total":8,"has_more":false,"limit":5,"offset":7,"entity_count":3,"message":"m","cache_used":false,"cache_mode":"force_off","domain":"d","version":"1","revision":"r"}`,
		},
		"nothing": {
			wire.NewFound(&domains.TriplePage{}, domains.TripleQuery{Depth: 3, Limit: 5, Offset: 7}, in, "r"),
			`{"success":true,"seed_count":0,"depth":3,"triples":[],"count":0,"total":0,"has_more":false,"limit":1000,"offset":0,"entity_count":0,"message":"No matching entities found","cache_used":false,"cache_mode":"auto","domain":"d","version":"1","revision":"r"}`,
		},
		"a list": {
			wire.NewTriples(&domains.TriplePage{Triples: one, Total: 8}, in, "r"),
			`{"success":true,"triples":` + triple + `,"count":1,"total":8,"message":null,"domain":"d","version":"1","revision":"r"}`,
		},
		"an empty list": {
			wire.NewTriples(&domains.TriplePage{}, in, "r"),
			`{"success":true,"triples":[],"count":0,"total":0,"message":null,"domain":"d","version":"1","revision":"r"}`,
		},
	} {
		got, err := json.Marshal(tc.got)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The page that was sent is the page that is read.
func TestPagesAreRead(t *testing.T) {
	want := &domains.TriplePage{
		Triples: []domains.RankedTriple{{Triple: rdf.Triple{Subject: rdf.NewIRI("urn:s"), Predicate: rdf.NewIRI("urn:p"), Object: rdf.NewIRI("urn:o")}, Rank: 1}},
		Total:   8, Seeds: 2, Entities: 3, CacheUsed: true, Message: "m",
	}
	if diff := cmp.Diff(want, wire.NewFound(want, domains.TripleQuery{}, wire.Scope{}, "").Page()); diff != "" {
		t.Errorf("Found (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&domains.TriplePage{Triples: want.Triples, Total: 8, Message: "m"}, wire.NewTriples(want, wire.Scope{}, "").Page()); diff != "" {
		t.Errorf("Triples (-want +got):\n%s", diff)
	}
	if got := wire.NewFound(&domains.TriplePage{}, domains.TripleQuery{}, wire.Scope{}, "").Page(); got.Message != "" || got.Triples == nil {
		t.Errorf("nothing is read as %+v", got)
	}
}
