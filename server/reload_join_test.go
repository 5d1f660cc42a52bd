package server_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// A folder that is served together with a deployment reloads as it does alone: who selected
// a domain of the one hears nothing of the other.
func TestFilesChangeBesideDeployment(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("zoo/zoo.ttl", someTurtle)
	folder, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	p := newProxyBefore(t, func(*bricktest.Deployment) {}, nil)
	up, err := ontobricks.New(ontobricks.Config{URL: p.URL, Tokens: p.tokens, Clock: p.clock, Sleep: p.sleep, Tick: p.ticks})
	if err != nil {
		t.Fatal(err)
	}
	both := domains.Join(domains.Member{Label: "the folder", Backend: folder}, domains.Member{Label: "OntoBricks", Backend: up})
	t.Cleanup(func() {
		if err := both.Close(); err != nil {
			t.Error(err)
		}
	})
	reload := func() {
		t.Helper()
		if err := both.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = both }))
	here, there := connect(t, base+"/mcp"), connect(t, base+"/mcp")
	here.selects("zoo")
	there.selects("customer360")
	here.tools()
	there.tools()
	hears, hearsThere := listen(t, here), listen(t, there)

	write("zoo/domain.yaml", "policy: {disabled_tools: [get_status]}\n")
	reload()
	equal(t, "announced", announcement, hears.event(t))
	write("new/new.ttl", someTurtle)
	if err := os.RemoveAll(filepath.Join(dir, "zoo")); err != nil {
		t.Fatal(err)
	}
	reload()
	equal(t, "announced that it is gone", announcement, hears.event(t))
	text, _ := here.call("list_entity_types", "{}")
	contains(t, "the answer", text, "Domain 'zoo', which was selected, is gone", "customer360", "new")
	here.selects("new")

	text, isError := there.call("get_status", "{}")
	equal(t, "the deployment answers with an error", false, isError)
	contains(t, "the answer of the deployment", text, "customer360")
	p.Remove("customer360")
	p.look()
	equal(t, "announced that the deployment's is gone", announcement, hearsThere.event(t))

	// A name that the deployment has too belongs to nobody, until one of them is renamed.
	write("new/domain.yaml", "name: finance\n")
	reload()
	text, isError = here.call("get_status", `{"domain_name":"finance"}`)
	equal(t, "a name of two is an error", true, isError)
	contains(t, "the answer", text, `More than one place has a domain named "finance"`)
	write("new/domain.yaml", "name: mine\n")
	reload()
	text, isError = here.call("get_status", `{"domain_name":"mine"}`)
	equal(t, "renamed, an error", false, isError)
	contains(t, "the answer", text, "[mine, version 1]")
}
