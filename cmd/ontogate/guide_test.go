package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

func TestGuide(t *testing.T) {
	for name, c := range map[string]struct {
		guide guide
		want  string
	}{
		"samples": {
			guide{
				self: "bin/ontogate", program: "/opt/ontogate", addr: "127.0.0.1:9100",
				domains: []domains.Info{{Name: "customer360", Description: "Customers"}, {Name: "finance"}},
			},
			`Ontogate serves 2 domains on http://127.0.0.1:9100/mcp
  customer360  Customers
  finance

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:9100/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio"],"command":"/opt/ontogate"}}}
  One domain alone: http://127.0.0.1:9100/mcp/customer360

Try a call in another terminal:
  bin/ontogate call list_entity_types --domain customer360
`,
		},
		"own folder, first domain unavailable": {
			guide{
				self: "ontogate", program: `C:\Program Files\ontogate.exe`, folder: "/home/jo ann's/graphs", addr: "[::]:80",
				domains: []domains.Info{
					{Name: "broken", Description: "x", Unavailable: "no file could be read"},
					{Name: "zoo", Description: "Animals\n  and keepers"},
				},
			},
			`Ontogate serves 2 domains on http://127.0.0.1:80/mcp
  broken  unavailable: no file could be read
  zoo     Animals and keepers

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:80/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio","--domains","/home/jo ann's/graphs"],"command":"C:\\Program Files\\ontogate.exe"}}}
  One domain alone: http://127.0.0.1:80/mcp/zoo

Try a call in another terminal:
  ontogate call list_entity_types --domains '/home/jo ann'\''s/graphs' --domain zoo
`,
		},
		"nothing to serve": {
			guide{self: "ontogate", program: "/opt/ontogate", folder: "/empty", addr: "127.0.0.1:9100"},
			`Ontogate serves 0 domains on http://127.0.0.1:9100/mcp
  (none: 'ontogate check /empty' says what was found there)

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:9100/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio","--domains","/empty"],"command":"/opt/ontogate"}}}
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.guide.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
