package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// read reads a resource and returns its text, or the error.
func read(c *client, uri string) (text string, refusal reply) {
	c.t.Helper()
	r := c.request("resources/read", `{"uri":"`+uri+`"}`)
	if r.result == nil {
		return "", r
	}
	var result struct {
		Contents []struct{ URI, MIMEType, Text string }
	}
	c.decode(r, &result)
	if len(result.Contents) != 1 || result.Contents[0].URI != uri || result.Contents[0].MIMEType != "application/json" {
		c.t.Errorf("%s: %s", uri, r.body)
	}
	return result.Contents[0].Text, reply{}
}

func resourcesOf(c *client) []string {
	c.t.Helper()
	var list struct {
		Resources []struct{ URI, Name, Title, Description, MIMEType string }
	}
	c.decode(c.request("resources/list", ""), &list)
	uris := []string{}
	for _, r := range list.Resources {
		if r.Name == "" || r.Title == "" || r.Description == "" || r.MIMEType != "application/json" {
			c.t.Errorf("resource %+v is not described", r)
		}
		uris = append(uris, r.URI)
	}
	return uris
}

// A resource is whole JSON about the domain in effect, and names it.
func TestResources(t *testing.T) {
	backend := newFake()
	backend.problems = []domains.Problem{{File: "a.ttl", Message: "no triples"}}
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))+"/mcp")
	equal(t, "resources", []string{"ontobricks://domains", "ontobricks://status", "ontobricks://stats", "ontobricks://graphql-schema"}, resourcesOf(c))
	c.selects("crm")
	for uri, want := range map[string]map[string]any{
		"ontobricks://status": {"graph_name": "crm_V1", "count": 3.0, "has_data": true},
		"ontobricks://stats":  {"total_triples": 3.0, "label_count": 1.0},
	} {
		text, refusal := read(c, uri)
		var got map[string]any
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v %s", uri, err, refusal.body)
		}
		want["success"], want["domain"], want["version"], want["degraded"] = true, "crm", "1", []any{"a.ttl: no triples"}
		for k, v := range want {
			equal(t, uri+" "+k, v, got[k])
		}
	}
	text, _ := read(c, "ontobricks://domains")
	contains(t, "the domains", text, `"name": "supply_chain"`, `"disabled_tools": [`, `"unavailable": "broken.ttl:1:1: expected a subject"`)
}

// Where a domain does not offer the tool that shows the same, the resource is neither
// listed nor read.
func TestResourcesFollowPolicy(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	_, r := read(c, "ontobricks://status")
	contains(t, "without a domain", r.message, "No domain selected", "Domains: broken (unavailable), crm")
	for domain, want := range map[string][]string{
		"crm": {"domains", "status", "stats", "graphql-schema"}, "shop": {"domains", "stats", "graphql-schema"}, "supply_chain": {"domains", "status", "graphql-schema"}, "hr": {"domains"},
	} {
		c.selects(domain)
		var uris []string
		for _, name := range want {
			uris = append(uris, "ontobricks://"+name)
		}
		equal(t, "resources of "+domain, uris, resourcesOf(c))
		for _, name := range []string{"domains", "status", "stats", "graphql-schema"} {
			text, r := read(c, "ontobricks://"+name)
			if open := strings.Contains(strings.Join(want, " "), name); open != (text != "") {
				t.Errorf("%s of %s: open %v, got %q", name, domain, open, r.message)
			} else if !open {
				contains(t, "the refusal", r.message, "not available for domain '"+domain+"'")
			}
		}
	}
	fixed := connect(t, strings.TrimSuffix(c.url, "/mcp")+"/mcp/shop")
	equal(t, "resources at a fixed address", []string{"ontobricks://domains", "ontobricks://stats", "ontobricks://graphql-schema"}, resourcesOf(fixed))
}

// Whatever comes as a cursor of a list, it is answered with "invalid params", or with
// the only page when it is empty.
func FuzzListCursor(f *testing.F) {
	s := newServer(f, nil)
	for _, cursor := range []string{"", "x", "bGlzdF9kb21haW5z", "====", "🦉", "\x00", "?", "Pw==", strings.Repeat("A", 300)} {
		f.Add(cursor)
	}
	f.Fuzz(func(t *testing.T, cursor string) {
		params, err := json.Marshal(map[string]string{"cursor": cursor})
		if err != nil {
			t.Skip("no JSON")
		}
		for i, method := range []string{"tools/list", "resources/list"} {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, i, method, params)
			r := answerTo(t, stdio(t, s, line), i)
			if cursor == "" && (r.result == nil || strings.Contains(string(r.result), "nextCursor")) {
				t.Errorf("%s: %s", method, r.body)
			}
			if cursor != "" && r.code != -32602 {
				t.Errorf("%s with cursor %q: %s", method, cursor, r.body)
			}
		}
	})
}

// Lists have one page. No cursor is ours, and so any is answered with "invalid
// params"; a client that follows cursors does not loop.
func TestListsHaveOnePage(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	for _, method := range []string{"tools/list", "resources/list"} {
		if r := c.request(method, `{}`); r.result == nil || strings.Contains(string(r.result), "nextCursor") {
			t.Errorf("%s: %s", method, r.body)
		}
		for _, cursor := range []string{"x", "bGlzdF9kb21haW5z", "====", "🦉"} {
			if r := c.request(method, `{"cursor":"`+cursor+`"}`); r.code != -32602 {
				t.Errorf("%s with cursor %q: %s", method, cursor, r.body)
			}
		}
	}
}
