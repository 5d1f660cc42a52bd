package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

func read[T any](t *testing.T, text string) T {
	t.Helper()
	var out T
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestVersions holds the order of versions and which is served.
func TestVersions(t *testing.T) {
	in := read[wire.Versions](t, `{"success":true,"latest_version":"10","versions":[
		{"version":"2","status":"published","is_published":true},{"version":"10","status":"DRAFT","is_latest":true},{"version":"9.1","status":"PUBLISHED"},
		{"version":"9.01.5","is_published":true},{"version":"9","status":"IN-REVIEW"},{"version":"1"},{"version":"draft","status":"DRAFT"},{"version":""},
		{"version":"18446744073709551617.2"},{"version":"2","status":"DRAFT"}]}`)
	want := []domains.Version{
		{Name: "18446744073709551617.2", State: "DRAFT", Latest: true},
		{Name: "10", State: "DRAFT"},
		{Name: "9.01.5", State: "PUBLISHED", Active: true},
		{Name: "9.1", State: "PUBLISHED"},
		{Name: "9", State: "IN-REVIEW"},
		{Name: "2", State: "PUBLISHED"},
		{Name: "1", State: "DRAFT"},
		{Name: "draft", State: "DRAFT"},
	}
	if diff := cmp.Diff(want, in.List()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := read[wire.Versions](t, `{"success":true,"versions":null}`).List(); got == nil || len(got) != 0 {
		t.Errorf("no versions are %v, want an empty list", got)
	}
}

// TestDesign covers what is added up, and parts that are missing.
func TestDesign(t *testing.T) {
	got := read[wire.Design](t, `{"success":true,"ontology":{"ready":true,"base_uri":null,"class_count":3,"property_count":4,"has_owl":true},
		"metadata":{"ready":true,"table_count":2},"assignment":{"entity_total":3,"entity_mapped":2,"relationship_total":4,"relationship_mapped":1,
		"attribute_total":5,"attribute_mapped":3,"progress_percent":50,"status":"in_progress","has_r2rml":true},"build_ready":true,"message":"heads up"}`).Design()
	want := domains.Design{
		Ontology: &domains.DesignOntology{Ready: true, HasOWL: true, Classes: 3, Properties: 4},
		Metadata: &domains.DesignMetadata{Ready: true, Tables: 2},
		Assignment: &domains.DesignAssignment{ClassesTotal: 3, ClassesUsed: 2, PropertiesTotal: 9, PropertiesUsed: 4,
			Percent: 50, Status: "in_progress", HasR2RML: true},
		BuildReady: true, Message: "heads up",
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]*domains.Design{
		`{"success":true,"ontology":null}`:                                                {},
		`{"success":true,"ontology":{},"metadata":{},"assignment":{},"build_ready":true}`: {BuildReady: true},
		`{"success":true,"ontology":{"ready":false},"assignment":{"status":"not_started"}}`: {
			Ontology: &domains.DesignOntology{}, Assignment: &domains.DesignAssignment{Status: "not_started"}},
	} {
		if diff := cmp.Diff(want, read[wire.Design](t, text).Design()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestStatus covers nulls and the ways to write a time.
func TestStatus(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]domains.Status{
		`{"success":true}`: {},
		`{"success":true,"view_table":null,"graph_name":null,"has_data":false,"count":0,"last_modified":null,"reason":"Graph does not exist yet"}`: {Reason: "Graph does not exist yet"},
		`{"view_table":"v","graph_name":"g","has_data":true,"count":7,"last_modified":"2026-01-02T04:04:05+01:00"}`:                                {View: "v", Graph: "g", HasData: true, Triples: 7, Modified: at},
		`{"last_modified":"2026-01-02T03:04:05.250000"}`: {Modified: at.Add(250 * time.Millisecond)},
		`{"last_modified":"2026-01-02 03:04:05"}`:        {Modified: at},
		`{"last_modified":"2026-01-02 03:04:05+00:00"}`:  {Modified: at},
		`{"last_modified":"yesterday"}`:                  {},
		`{"degraded":["a.ttl:3:7: expected an object"]}`: {Problems: []domains.Problem{{Message: "a.ttl:3:7: expected an object"}}},
	} {
		if diff := cmp.Diff(&want, read[wire.Status](t, text).Status()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestClasses covers what is authored in odd ways, and the order.
func TestClasses(t *testing.T) {
	got := read[wire.Classes](t, `{"success":true,"classes":[
		{"name":"Order","uri":"urn:Order","dataset":{"fullName":"a.b.orders"}},
		{"name":"Empty","uri":"urn:Empty","dataset":{},"bridges":[],"actions":[],"business_rules":[],"virtualAttributes":[]},
		{"name":"Customer","uri":"urn:B","bridges":[{"target_project":"old","label":"L"},{"label":"to nowhere"}],
		 "actions":[{"fullName":"a.b.risk","description":null},{"function":"nameless"}],"business_rules":[{"name":"Vip","antecedent":"x","consequent":"y"},{"antecedent":"z"}]},
		{"name":"Customer","uri":"urn:A","virtualAttributes":[{"fullName":"a.b.f","returns_table":true,"attributes":[{"name":"score","dataType":"DOUBLE"},{"column":"x"}]},{"attributes":[]}]},
		{"uri":"urn:nameless","dataset":{"description":"kept"}}]}`).List()
	want := []domains.ClassContext{
		{IRI: "urn:nameless", Dataset: &domains.Dataset{Description: "kept"}},
		{Name: "Customer", IRI: "urn:A", Functions: []domains.Function{{FullName: "a.b.f", Function: "f", ReturnsTable: true, Attributes: []domains.VirtualAttribute{{Name: "score", DataType: "DOUBLE"}}}}},
		{
			Name: "Customer", IRI: "urn:B", Bridges: []domains.Bridge{{Domain: "old", Label: "L"}},
			Actions: []domains.Action{{FullName: "a.b.risk", Function: "risk"}}, Rules: []domains.Rule{{Name: "Vip", Antecedent: "x", Consequent: "y"}},
		},
		{Name: "Order", IRI: "urn:Order", Dataset: &domains.Dataset{FullName: "a.b.orders"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNodeContext covers what was asked for and what was not, and values as written.
func TestNodeContext(t *testing.T) {
	in := read[wire.NodeContext](t, `{"success":true,"entity_uri":"urn:x#Customer/C1","entity_local_id":"C1","class_name":"Customer",
		"dataset":{"fullName":"a.b.c","key_column":"id","rows":[{"z":1,"a":12345678901234567890}]},
		"bridges":[{"target_domain":"f","target_domain_description":"D","target_class_name":"Contract","target_class_uri":"urn:c","label":"Owns",
		  "entities":[{"uri":"urn:e","predicate":"urn:p","object":"o"},{"uri":"","predicate":"","object":""}]}],
		"virtual_attributes":[{"fullName":"a.b.f","function":"f","returns_table":false,"attributes":[],"values":{"b":1.10,"a":null}},
		  {"fullName":"a.b.g","function":"g","values":{},"error":"denied"},{"fullName":"a.b.h","values":[1],"message":"No row returned for this entity"}],
		"message":"m"}`)
	want := &domains.EntityContext{
		IRI: "urn:x#Customer/C1", LocalID: "C1", Message: "m",
		ClassContext: domains.ClassContext{
			Name:    "Customer",
			Dataset: &domains.Dataset{FullName: "a.b.c", Key: "id", Fetched: true, Rows: []json.RawMessage{json.RawMessage(`{"z":1,"a":12345678901234567890}`)}},
			Bridges: []domains.Bridge{{
				Domain: "f", DomainDescription: "D", Class: "Contract", ClassIRI: "urn:c", Label: "Owns", Followed: true,
				Entities: []domains.BridgeEntity{{IRI: "urn:e", Property: "urn:p", Object: "o"}},
			}},
			Functions: []domains.Function{
				{FullName: "a.b.f", Function: "f", Values: json.RawMessage(`{"b":1.10,"a":null}`)},
				{FullName: "a.b.g", Function: "g", Values: json.RawMessage(`{}`), Error: "denied"},
				{FullName: "a.b.h", Function: "h", Message: "No row returned for this entity"},
			},
		},
	}
	if diff := cmp.Diff(want, in.Context("urn:ignored", true, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	plain := in.Context("", false, false)
	if plain.Dataset.Fetched || plain.Dataset.Rows != nil || plain.Bridges[0].Followed || plain.Bridges[0].Entities != nil {
		t.Errorf("what was not asked for is shown: %+v %+v", plain.Dataset, plain.Bridges[0])
	}
	bare := read[wire.NodeContext](t, `{"success":true}`).Context("https://x/#Customer/C1", true, true)
	if diff := cmp.Diff(&domains.EntityContext{IRI: "https://x/#Customer/C1", LocalID: "C1"}, bare); diff != "" {
		t.Errorf("no class (-want +got):\n%s", diff)
	}
	for text, fetched := range map[string]bool{
		`{"dataset":{"fullName":"t","key_column_missing":true,"rows":[]}}`: false,
		`{"dataset":{"fullName":"t","rows":[]}}`:                           true,
		`{"dataset":{"fullName":"t","rows":null}}`:                         false,
		`{"dataset":{"fullName":"t"}}`:                                     false,
	} {
		if got := read[wire.NodeContext](t, text).Context("u", true, false).Dataset.Fetched; got != fetched {
			t.Errorf("%s: Fetched is %v, want %v", text, got, fetched)
		}
	}
}

// TestWrites covers the order of members of a request, and what an answer may leave
// out.
func TestWrites(t *testing.T) {
	where := wire.Where{RegistryCatalog: "c", RegistrySchema: "s", DomainName: "d"}
	action := wire.ActionRequest{EntityURI: "https://x/Customer/C1", Action: "a.b.risk", Where: where}
	rule := wire.RuleRequest{EntityURI: "https://x/Customer/C1", Rule: "Vip", Where: wire.Where{RegistryVolume: "v"}}
	for want, in := range map[string]any{
		`{"entity_uri":"https://x/Customer/C1","action_full_name":"a.b.risk","registry_catalog":"c","registry_schema":"s","domain_name":"d"}`: action,
		`{"entity_uri":"https://x/Customer/C1","rule":"Vip","registry_volume":"v"}`:                                                           rule,
	} {
		if text, err := json.Marshal(in); err != nil || string(text) != want {
			t.Errorf("got %s, %v; want %s", text, err, want)
		}
	}
	if diff := cmp.Diff(&domains.ActionResult{Action: "a.b.risk", LocalID: "C1"}, read[wire.ActionResult](t, `{"success":true}`).Result(action)); diff != "" {
		t.Errorf("bare action (-want +got):\n%s", diff)
	}
	whole := read[wire.ActionResult](t, `{"success":true,"entity_local_id":"7","class_name":"C","action":"x","returns_table":true,"rows":[{"b":1,"a":2}]}`).Result(action)
	if diff := cmp.Diff(&domains.ActionResult{Action: "x", LocalID: "7", Class: "C", ReturnsTable: true, Rows: []json.RawMessage{json.RawMessage(`{"b":1,"a":2}`)}}, whole); diff != "" {
		t.Errorf("action (-want +got):\n%s", diff)
	}
	applied := read[wire.RuleResult](t, `{"success":true,"class_name":"C","inferred_count":3,"materialized_count":2,"triples":[{"subject":"s","predicate":"p","object":"o"}],"truncated":true}`).Result(rule)
	if diff := cmp.Diff(&domains.RuleResult{Rule: "Vip", LocalID: "C1", Class: "C", Inferred: 3, Written: 2, Triples: [][3]string{{"s", "p", "o"}}}, applied); diff != "" {
		t.Errorf("rule (-want +got):\n%s", diff)
	}
	odd := read[wire.RuleResult](t, `{"success":true,"inferred_count":" 3","materialized_count":null}`)
	if odd.InferredCount != 3 || odd.MaterializedCount != 0 {
		t.Errorf("counts as text: %+v", odd)
	}
	for _, text := range []string{`"x"`, `""`, `1.5`, `[1]`, `true`} {
		if err := json.Unmarshal([]byte(text), new(wire.Number)); err == nil {
			t.Errorf("%s is a number", text)
		}
	}
	for text, want := range map[string]wire.Fault{`{"error":"no"}`: "no", `{"error":{"code":1}}`: "", `{"error":null}`: "", `{}`: ""} {
		if got := read[wire.ActionResult](t, text).Error; got != want {
			t.Errorf("%s: fault %q, want %q", text, got, want)
		}
	}
}
