package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

func checkGuide(t *testing.T, g guide, want string) {
	t.Helper()
	if diff := cmp.Diff(want, g.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGuideToSamples(t *testing.T) {
	checkGuide(t, guide{
		self: "bin/ontogate", program: "/opt/ontogate", addr: "127.0.0.1:9100",
		domains: []domains.Info{{Name: "customer360", Description: "Customers", HasGraph: true}, {Name: "finance"}},
	}, `Ontogate serves 2 domains on http://127.0.0.1:9100/mcp
  customer360  Customers
  finance

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:9100/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio"],"command":"/opt/ontogate"}}}
  GraphQL programs: http://127.0.0.1:9100/graphql/DOMAIN; http://127.0.0.1:9100/graphql lists the domains
  One domain alone: http://127.0.0.1:9100/mcp/customer360

Try a call in another terminal:
  bin/ontogate call list_entity_types --domain customer360
`)
}

// The first domain is unavailable, so the call is of the second; paths are quoted for
// the shell and for JSON.
func TestGuideToFolder(t *testing.T) {
	checkGuide(t, guide{
		self: "ontogate", program: `C:\Program Files\ontogate.exe`, folder: "/home/jo ann's/graphs", addr: "[::]:80",
		domains: []domains.Info{
			{Name: "broken", Description: "x", HasGraph: true, Unavailable: "no file could be read"},
			{Name: "zoo", Description: "Animals\n  and keepers", HasGraph: true},
		},
	}, `Ontogate serves 2 domains on http://127.0.0.1:80/mcp
  broken  unavailable: no file could be read
  zoo     Animals and keepers

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:80/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio","--domains","/home/jo ann's/graphs"],"command":"C:\\Program Files\\ontogate.exe"}}}
  GraphQL programs: http://127.0.0.1:80/graphql/DOMAIN; http://127.0.0.1:80/graphql lists the domains
  One domain alone: http://127.0.0.1:80/mcp/zoo

Try a call in another terminal:
  ontogate call list_entity_types --domain zoo --domains '/home/jo ann'\''s/graphs'
`)
}

func TestGuideToNothing(t *testing.T) {
	checkGuide(t, guide{self: "ontogate", program: "/opt/ontogate", folder: "/empty", addr: "127.0.0.1:9100"}, `Ontogate serves 0 domains on http://127.0.0.1:9100/mcp
  (none: 'ontogate check /empty' says what was found there)

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"ontogate":{"url":"http://127.0.0.1:9100/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"ontogate":{"args":["stdio","--domains","/empty"],"command":"/opt/ontogate"}}}
  GraphQL programs: http://127.0.0.1:9100/graphql/DOMAIN; http://127.0.0.1:9100/graphql lists the domains
`)
}

// In front of OntoBricks a client that starts the program itself is given what names
// the deployment, and is told of what must not be on a command line.
func TestGuideToUpstream(t *testing.T) {
	up := upstreamSettings{upstream: "https://brick.test", profile: "dev"}
	up.registry.Catalog, up.registry.Schema = "main", "graphs"
	checkGuide(t, guide{
		self: "ontogate", program: "/opt/ontogate", addr: "127.0.0.1:9100", upstream: up, secrets: true, readOnly: true, off: []string{"get_status", "list_entity_types"}, name: "brick gate",
		domains: []domains.Info{{Name: "sales & co", HasGraph: true}},
	}, `Ontogate serves 1 domain on http://127.0.0.1:9100/mcp
  sales & co
In front of OntoBricks at brick.test, registry main.graphs
Read-only: tools that write are not offered
Tools that are not offered: get_status, list_entity_types

Connect a client:
  Cursor (~/.cursor/mcp.json) and other clients that speak HTTP
    {"mcpServers":{"brick gate":{"url":"http://127.0.0.1:9100/mcp"}}}
  Claude Desktop (claude_desktop_config.json), which starts the program itself
    {"mcpServers":{"brick gate":{"args":["stdio","--upstream","https://brick.test","--registry-catalog","main","--registry-schema","graphs","--profile","dev","--read-only","--disable-tools","get_status,list_entity_types","--name","brick gate"],"command":"/opt/ontogate"}}}
    with the DATABRICKS_… variables of this shell under "env"
  GraphQL programs: http://127.0.0.1:9100/graphql/DOMAIN; http://127.0.0.1:9100/graphql lists the domains
  One domain alone: http://127.0.0.1:9100/mcp/sales%20&%20co

Try a call in another terminal that has the same variables:
  ontogate call describe_ontology --domain 'sales & co' --upstream https://brick.test --registry-catalog main --registry-schema graphs --profile dev
`)
}

// A Databricks App tells its log what it serves, and no address of a machine that
// nobody reaches.
func TestGuideOfApp(t *testing.T) {
	up := upstreamSettings{upstream: "https://brick.test"}
	checkGuide(t, guide{addr: "0.0.0.0:8000", upstream: up, secrets: true, app: true},
		`Ontogate serves 0 domains as a Databricks App, on /mcp of its URL
  (none: OntoBricks at brick.test lists no domain of the registry that it chose itself.
   Check that this deployment is the one that uses the registry, that a version of the domain
   is PUBLISHED, and that whoever logs in may see it.)
In front of OntoBricks at brick.test
`)
	checkGuide(t, guide{addr: "0.0.0.0:8000", upstream: up, app: true, trouble: "OntoBricks did not answer."},
		`Ontogate serves 0 domains as a Databricks App, on /mcp of its URL
  (the domains of OntoBricks at brick.test cannot be listed: OntoBricks did not answer.
   Clients can connect all the same: they are told this, and get its domains as soon as it lists them.)
In front of OntoBricks at brick.test
`)
}

// The call that serve proposes is one that the domain answers, whatever it offers.
func TestGuideProposesWhatWorks(t *testing.T) {
	const (
		class = "<https://zoo.test/Animal> a <http://www.w3.org/2002/07/owl#Class> .\n"
		fact  = "<https://zoo.test/Leo> a <https://zoo.test/Animal> .\n"
	)
	for name, c := range map[string]struct{ data, hides, want string }{
		"a graph":               {class + fact, "", "call list_entity_types --domain zoo"},
		"an ontology alone":     {class, "", "call describe_ontology --domain zoo"},
		"types are hidden":      {class + fact, "list_entity_types", "call describe_ontology --domain zoo"},
		"nearly all is hidden":  {class + fact, "list_entity_types, describe_ontology, describe_entity, get_status", "call select_domain domain_name=zoo"},
		"an ontology is hidden": {class, "describe_ontology", "call select_domain domain_name=zoo"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, dir+"/zoo/zoo.ttl", []byte(c.data))
			writeFile(t, dir+"/zoo/domain.yaml", []byte("policy: {disabled_tools: ["+c.hides+"]}\n"))
			p := programFor(nil, nil, nil)
			b, err := p.open(t.Context(), p.folder(dir, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			infos, err := b.Domains(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			_, proposed, _ := strings.Cut(p.guide(serveSettings{settings: settings{domains: dir}}, "127.0.0.1:9100", infos).String(), "Try a call in another terminal:\n")
			line := strings.TrimSpace(proposed)
			if !strings.HasPrefix(line, "ontogate "+c.want+" --domains ") {
				t.Errorf("proposes %q, want %s", line, c.want)
			}
			if r := execute(t, nil, words(t, line)[1:]...); r.Exit != 0 {
				t.Errorf("%s: exit code %d\n%s%s", line, r.Exit, r.Stdout, r.Stderr)
			}
		})
	}
}
