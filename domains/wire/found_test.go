package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

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
