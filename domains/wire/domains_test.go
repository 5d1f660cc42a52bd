package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// TestDomainsAreRead covers what deployments of all versions send, and what no
// deployment should: a policy hides what it says, and what cannot be understood never
// opens more than what says nothing.
func TestDomainsAreRead(t *testing.T) {
	disabled := func(tools ...string) domains.Policy { return domains.Policy{DisabledTools: tools} }
	for name, tc := range map[string]struct {
		entry string
		want  domains.Info
	}{
		"oldest": {`{"name":"d"}`, domains.Info{Name: "d", HasGraph: true}},
		"whole": {
			`{"name":"d","description":"x","graph_backend":"lakebase","has_graph":true,
			  "mcp_policy":{"disabled_tools":["get_status","later_tool"],"context":{"bridges":"preferred","actions":"disabled","dataset":"normal"}}}`,
			domains.Info{Name: "d", Description: "x", HasGraph: true, Policy: domains.Policy{
				DisabledTools: []string{"get_status", "later_tool"},
				Context:       map[domains.Element]domains.Mode{domains.ElementBridges: domains.ModePreferred, domains.ElementActions: domains.ModeDisabled},
			}},
		},
		"nulls":              {`{"name":"d","description":null,"graph_backend":null,"has_graph":null,"mcp_policy":null}`, domains.Info{Name: "d", HasGraph: true}},
		"never built":        {`{"name":"d","graph_backend":"lakebase","has_graph":false}`, domains.Info{Name: "d"}},
		"no backend":         {`{"name":"d","graph_backend":"none","has_graph":true}`, domains.Info{Name: "d"}},
		"tools not a list":   {`{"name":"d","mcp_policy":{"disabled_tools":"get_status"}}`, domains.Info{Name: "d", HasGraph: true}},
		"items not text":     {`{"name":"d","mcp_policy":{"disabled_tools":[1,null,"get_status",["x"],""]}}`, domains.Info{Name: "d", HasGraph: true, Policy: disabled("get_status")}},
		"context not object": {`{"name":"d","mcp_policy":{"disabled_tools":["a"],"context":["x"]}}`, domains.Info{Name: "d", HasGraph: true, Policy: disabled("a")}},
		"odd modes": {
			`{"name":"d","mcp_policy":{"context":{"bridges":"sometimes","actions":1,"weather":"disabled","dataset":"disabled"}}}`,
			domains.Info{Name: "d", HasGraph: true, Policy: domains.Policy{Context: map[domains.Element]domains.Mode{domains.ElementDataset: domains.ModeDisabled}}},
		},
		"unavailable": {`{"name":"d","unavailable":"no file could be read"}`, domains.Info{Name: "d", HasGraph: true, Unavailable: "no file could be read"}},
		"endpoints": {
			`{"name":"d","endpoints":{"graphql":"off","sparql":"on"}}`,
			domains.Info{Name: "d", HasGraph: true, Policy: domains.Policy{Closed: []domains.Endpoint{domains.EndpointGraphQL}}},
		},
		"endpoints otherwise": {
			`{"name":"d","endpoints":{"sparql":{"state":"open"},"graphql":true}}`,
			domains.Info{Name: "d", HasGraph: true, Policy: domains.Policy{Closed: []domains.Endpoint{domains.EndpointSPARQL}}},
		},
		"endpoints as list": {`{"name":"d","endpoints":["graphql"]}`, domains.Info{Name: "d", HasGraph: true}},
	} {
		t.Run(name, func(t *testing.T) {
			var in wire.DomainInfo
			if err := json.Unmarshal([]byte(tc.entry), &in); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, in.Info()); diff != "" {
				t.Errorf("Info (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnreadablePolicyBars holds that a policy which is none closes its domain, and no
// other.
func TestUnreadablePolicyBars(t *testing.T) {
	for _, policy := range []string{`"all"`, `["get_status"]`, `7`, `true`} {
		var in wire.Domains
		text := `{"success":true,"domains":[{"name":"good","mcp_policy":{}},{"name":"bad","mcp_policy":` + policy + `},{"name":"also","mcp_policy":{}}]}`
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			t.Fatalf("%s: %v", policy, err)
		}
		for _, i := range in.Infos() {
			if (i.Unavailable != "") != (i.Name == "bad") {
				t.Errorf("%s: %s is unavailable: %q", policy, i.Name, i.Unavailable)
			}
		}
	}
}

// TestUnreadableEntryBars holds that a member of a wrong type closes its domain, and no
// other; a description decides nothing, and an entry without a name cannot be served.
func TestUnreadableEntryBars(t *testing.T) {
	for entry, want := range map[string]string{
		`{"name":"bad","has_graph":"false"}`:               "bad",
		`{"name":"bad","has_graph":1}`:                     "bad",
		`{"has_graph":[],"name":"bad","mcp_policy":{}}`:    "bad",
		`{"name":"bad","graph_backend":{"kind":"none"}}`:   "bad",
		`{"name":"bad","unavailable":true}`:                "bad",
		`{"name":"bad","description":{"en":"x"}}`:          "",
		`{"name":7,"mcp_policy":{"disabled_tools":["a"]}}`: "",
		`"bad"`:            "",
		`null`:             "",
		`[{"name":"bad"}]`: "",
	} {
		var in wire.Domains
		if err := json.Unmarshal([]byte(`{"success":true,"domains":[{"name":"also"},`+entry+`,{"name":"good","has_graph":false}]}`), &in); err != nil {
			t.Fatalf("%s: %v", entry, err)
		}
		closed, rest := "", 0
		for _, i := range in.Infos() {
			switch {
			case i.Unavailable != "":
				closed += string(i.Name)
			case i.Name != "bad":
				rest++
			}
		}
		if closed != want || rest != 2 {
			t.Errorf("%s: %q is closed, want %q, and %d others are served", entry, closed, want, rest)
		}
	}
}

// TestInfos holds the order of a list.
func TestInfos(t *testing.T) {
	in := wire.Domains{Domains: []wire.DomainInfo{{Name: "b", Description: "1"}, {Name: ""}, {Name: "a"}, {Name: "b", Description: "2"}, {Name: "Ä/ö"}}}
	var got []string
	for _, i := range in.Infos() {
		got = append(got, string(i.Name)+i.Description)
	}
	if diff := cmp.Diff([]string{"a", "b1", "Ä/ö"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDomainsRoundTrip holds that what we send is read as what it was.
func TestDomainsRoundTrip(t *testing.T) {
	want := []domains.Info{
		{Name: "a", Description: "x", HasGraph: true, Policy: domains.Policy{
			DisabledTools: []string{"get_status"}, Context: map[domains.Element]domains.Mode{domains.ElementBridges: domains.ModePreferred},
			Closed: []domains.Endpoint{domains.EndpointGraphQL, domains.EndpointSPARQL},
		}},
		{Name: "b", Unavailable: "broken"},
	}
	text, err := json.Marshal(wire.NewDomains(want))
	if err != nil {
		t.Fatal(err)
	}
	var in wire.Domains
	if err := json.Unmarshal(text, &in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, in.Infos()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzDomains reads any list. What was read is written and read as the same, names are
// in order, and a tool that stands in a list of disabled tools is hidden.
func FuzzDomains(f *testing.F) {
	for _, seed := range []string{
		`{"success":true,"domains":[{"name":"d","mcp_policy":{"disabled_tools":["get_status"],"context":{"bridges":"preferred"}}}],"message":null}`,
		`{"domains":[{"name":"d","mcp_policy":[],"endpoints":{"graphql":false}}]}`, `{"domains":null}`, `{"domains":[null,{"mcp_policy":{"disabled_tools":[1,"a"]}}]}`,
		`{"domains":[{"name":"a","has_graph":null},{"name":"a"}]}`, `[]`, `{"domains":[{"name":"x","MCP_Policy":{"Context":{"dataset":"disabled"}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var in wire.Domains
		if json.Unmarshal(text, &in) != nil {
			return
		}
		infos := in.Infos()
		for i := 1; i < len(infos); i++ {
			if infos[i-1].Name >= infos[i].Name {
				t.Errorf("%q comes before %q", infos[i-1].Name, infos[i].Name)
			}
		}
		again, err := json.Marshal(wire.NewDomains(infos))
		if err != nil {
			t.Fatalf("cannot be written: %v", err)
		}
		var out wire.Domains
		if err := json.Unmarshal(again, &out); err != nil {
			t.Fatalf("cannot be read again: %v\n%s", err, again)
		}
		read := out.Infos()
		if len(read) != len(infos) {
			t.Fatalf("%d domains became %d", len(infos), len(read))
		}
		for i := range read {
			for _, tool := range infos[i].Policy.DisabledTools {
				if !read[i].Policy.Hides(tool) {
					t.Errorf("%q is not hidden any more", tool)
				}
			}
			if read[i].HasGraph != infos[i].HasGraph || read[i].Unavailable != infos[i].Unavailable {
				t.Errorf("%+v became %+v", infos[i], read[i])
			}
		}
	})
}
