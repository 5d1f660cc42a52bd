package server_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// domainTools are those that can be disabled.
var domainTools = without(allTools, domains.RegistryTools...)

// Cursor warns at 80 tools over all servers: this one has at most 20, and a tool that the
// start switched off is in no list, before and after a selection, and is refused in every
// domain with the reason (user-pains 13).
func TestToolsCanBeSwitchedOff(t *testing.T) {
	if len(allTools) > 20 {
		t.Errorf("there are %d tools, more than 20", len(allTools))
	}
	off := []string{" query_graphql", "get_entity_context", "get_graphql_schema", "query_graphql", "describe_ontology"}
	s := newServer(t, func(c *server.Config) { c.DisabledTools = off })
	url := serve(t, s)
	gone := []string{"query_graphql", "get_entity_context", "get_graphql_schema", "describe_ontology"}
	c := connect(t, url+"/mcp")
	equal(t, "tools before a selection", without(allTools, gone...), c.tools())
	c.selects("supply_chain")
	equal(t, "tools of a domain", without(toolsOf["supply_chain"], gone...), c.tools())
	equal(t, "tools at the address of a domain", without(toolsOf["crm"], gone...), connect(t, url+"/mcp/crm").tools())
	for _, tool := range gone {
		for _, args := range []string{`{}`, `{"domain_name":"crm"}`, `{"domain_name":"no such"}`} {
			if !slices.Contains([]string{"describe_ontology", "get_graphql_schema"}, tool) {
				args = strings.TrimSuffix(args, "}") + `,"query":"{ __typename }"}`
				args = strings.Replace(args, "{,", "{", 1)
			}
			if tool == "get_entity_context" {
				args = strings.Replace(args, `"query":"{ __typename }"`, `"entity_uri":"https://x.test/1"`, 1)
			}
			text, isError := c.call(tool, args)
			equal(t, tool+" "+args, "The tool '"+tool+"' is not available: this server was started without it (--disable-tools).", text)
			equal(t, tool+", isError", true, isError)
		}
	}
	text, _ := c.call("select_domain", `{"domain_name":"hr"}`)
	contains(t, "the selection of an ontology alone", text, "Not available for this domain: compute_virtual_attributes, describe_entity, get_status",
		"This domain is published with an ontology only (no graph).")
	text, _ = c.call("describe_entity", `{"search":"x"}`)
	equal(t, "a tool that needs a graph", "The tool 'describe_entity' is not available for domain 'hr' — it is published with an ontology only (no graph).", text)
	text, isError := c.call("query_graphq", `{}`)
	equal(t, "an unknown tool, isError", true, isError)
	namesNone(t, "the answer to an unknown tool", text, "", gone)
	var resources struct{ Resources []struct{ URI string } }
	c.decode(connect(t, url+"/mcp").request("resources/list", ""), &resources)
	if equal(t, "resources", 3, len(resources.Resources)); strings.Contains(string(jsonOf(t, resources)), "graphql-schema") {
		t.Errorf("the resource of a tool that is off is listed: %v", resources)
	}
}

// A query that asks for the schema where introspection is off is told what has the schema
// instead, and no tool that is switched off and no address, which may be closed.
func TestIntrospectionOffAdvisesWhatIsThere(t *testing.T) {
	for _, off := range [][]string{nil, {"get_graphql_schema"}} {
		s := newServer(t, func(c *server.Config) { c.Backend, c.Domain, c.DisabledTools = folders(t), "quiet", off })
		text, isError, err := s.Call(t.Context(), "query_graphql", map[string]any{"query": "{ __schema { queryType { name } } }"})
		want := "GraphQL errors:\n  • line 1, column 3: Introspection is switched off for this domain."
		if off == nil {
			want += "\nget_graphql_schema shows which fields and arguments there are."
		}
		if err != nil || !isError || text != want {
			t.Errorf("without %v: %t %v, want %s, got %s", off, isError, err, want, text)
		}
	}
}

// Without the tools that show the types there are, a type that is none still has a next step.
func TestUnknownTypeWithoutListsOfTypes(t *testing.T) {
	s := newServer(t, func(c *server.Config) {
		c.Domain, c.DisabledTools = "crm", []string{"list_entity_types", "describe_ontology"}
	})
	text, isError, err := s.Call(t.Context(), "describe_entity", map[string]any{"entity_type": "Qqqqqq"})
	if want := "No entity type is called 'Qqqqqq'. search looks in the names of all entities."; err != nil || !isError || text != want {
		t.Errorf("error %t %v, want %s, got %s", isError, err, want, text)
	}
}

// A name that is none, and a tool without which nothing can be selected, are refused when
// the server starts, and the error says which can be disabled.
func TestDisabledToolsAreChecked(t *testing.T) {
	can := " Tools that can be disabled: " + strings.Join(domainTools, ", ") + "."
	for name, want := range map[string]string{
		"query_grapql": "there is no tool 'query_grapql'. Did you mean 'query_graphql'?" + can,
		"xyz":          "there is no tool 'xyz'." + can,
		"":             "there is no tool ''." + can,
		"list_domains": "list_domains cannot be disabled: it works without a domain, and clients need it to find and select one." + can,
	} {
		err := server.CheckDisabledTools([]string{"get_status", name})
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
		if _, err := server.New(t.Context(), server.Config{Backend: newFake(), DisabledTools: []string{name}}); err == nil || err.Error() != "--disable-tools: "+want {
			t.Errorf("New with %q: %v", name, err)
		}
	}
	if err := server.CheckDisabledTools(domainTools); err != nil {
		t.Errorf("all tools of domains: %v", err)
	}
}

// A server without a tool names it nowhere: each call of the archives is made once more,
// with every other tool of domains switched off, and neither its answer, nor the
// definitions, nor the instructions name one of those. What stands in the data or in the
// call is not ours.
func TestNothingAdvisesToolsThatAreOff(t *testing.T) {
	samples := textsOf(t, examples.FS())
	files, err := filepath.Glob(filepath.Join("testdata", "tools", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	calls := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		backend, given := backendOf(t, a), samples
		var lines []string
		for _, f := range a.Files {
			switch {
			case f.Name == "calls":
				lines = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			case !strings.HasPrefix(f.Name, "answer ") && !strings.HasPrefix(f.Name, "error "):
				given += string(f.Data)
			}
		}
		for _, line := range lines {
			words, args, _ := strings.Cut(line, "{")
			fields := strings.Fields(words)
			if line == "next" || !slices.Contains(allTools, fields[0]) {
				continue
			}
			cfg := server.Config{Backend: backend, DisabledTools: without(domainTools, fields[0])}
			if len(fields) > 1 {
				cfg.Domain = domains.Name(strings.TrimPrefix(fields[1], "@"))
			}
			in := map[string]any{}
			if args != "" {
				if err := json.Unmarshal([]byte("{"+args), &in); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			s, err := server.New(t.Context(), cfg)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			text, _, err := s.Call(t.Context(), fields[0], in)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			calls++
			namesNone(t, filepath.Base(file)+", "+line, text, given+line, cfg.DisabledTools)
		}
	}
	if calls < 60 {
		t.Errorf("only %d calls were made", calls)
	}
	for _, tool := range domainTools {
		off := without(domainTools, tool)
		s := newServer(t, func(c *server.Config) { c.DisabledTools = off })
		c := &client{t: t, url: serve(t, s) + "/mcp"}
		namesNone(t, "the instructions with "+tool+" alone", string(c.initialize().result), "", off)
		list := string(c.request("tools/list", "").result)
		// An argument of another tool has the name of one.
		list = regexp.MustCompile(`"compute_virtual_attributes":\{"type"`).ReplaceAllString(list, "")
		namesNone(t, "the list with "+tool+" alone", list, "", off)
	}
}

// namesNone holds a text to name none of the tools, except in words that were given.
func namesNone(t *testing.T, what, text, given string, tools []string) {
	t.Helper()
	for _, tool := range tools {
		if strings.Contains(text, tool) && !strings.Contains(given, tool) {
			t.Errorf("%s names %s, which is switched off:\n%s", what, tool, text)
		}
	}
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
