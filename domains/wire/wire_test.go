package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// The member names and the nulls are the contract; our own members come last.
func TestEncoding(t *testing.T) {
	d := &domains.Domain{
		Info: domains.Info{Name: "crm"}, Version: "2",
		Problems: []domains.Problem{{File: "a.ttl", Line: 3, Column: 7, Message: "expected an object"}},
	}
	for _, tc := range []struct {
		name string
		in   any
		want string
	}{
		{"no domains", wire.NewDomains(nil), `{"success":true,"domains":[],"message":null}`},
		{
			"domains", wire.NewDomains([]domains.Info{
				{
					Name: "crm", Description: "customers", HasGraph: true,
					Policy: domains.Policy{
						DisabledTools: []string{"get_status", "describe_entity", "get_status"},
						Context: map[domains.Element]domains.Mode{
							domains.ElementBridges: domains.ModePreferred, domains.ElementActions: domains.ModeNormal,
						},
					},
				},
				{Name: "hr", Unavailable: "no file could be read"},
			}),
			`{"success":true,"domains":[` +
				`{"name":"crm","description":"customers","graph_backend":"embedded",` +
				`"mcp_policy":{"disabled_tools":["describe_entity","get_status"],"context":{"bridges":"preferred"}},"has_graph":true},` +
				`{"name":"hr","description":"","graph_backend":"none","mcp_policy":{},"has_graph":false,"unavailable":"no file could be read"}` +
				`],"message":null}`,
		},
		{
			"status", wire.NewStatus(&domains.Status{
				Graph: "crm_V2", HasData: true, Triples: 12, Modified: time.Date(2026, 1, 2, 4, 4, 5, 0, time.FixedZone("", 3600)),
			}, wire.NewScope(d)),
			`{"success":true,"view_table":null,"graph_name":"crm_V2","has_data":true,"count":12,` +
				`"last_modified":"2026-01-02T03:04:05Z","reason":null,"message":null,` +
				`"domain":"crm","version":"2","degraded":["a.ttl:3:7: expected an object"]}`,
		},
		{
			"stats", wire.NewStats(&domains.Stats{
				Triples: 9, Subjects: 3, Entities: 2, Predicates: 2, Labels: 1, TypeAssertions: 4, Attributes: 3, Relationships: 1, Inferred: 1,
				Types: []domains.Count{{IRI: "urn:C", Count: 3, Below: 4}, {IRI: "urn:A", Below: 4}},
			}, wire.Scope{Domain: "crm", Version: "2"}),
			`{"success":true,"total_triples":9,"distinct_subjects":3,"distinct_predicates":2,` +
				`"entity_types":[{"uri":"urn:C","count":3,"below":4}],"top_predicates":[],"label_count":1,"type_assertion_count":4,` +
				`"relationship_count":4,"inferred_triples":1,"message":null,"domain":"crm","version":"2","entities":2,"attributes":3,"broader_types":[{"uri":"urn:A","count":0,"below":4}]}`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := json.Marshal(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
		})
	}
}
