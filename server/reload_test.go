package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// Files change under a running server: only who selected the domain is told, GraphQL and
// text answer from the newest revision, cursors of before are refused, a fault changes
// nothing, and nothing of an old revision is kept.
func TestFilesChange(t *testing.T) {
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
	write("pet/pet.ttl", someTurtle)
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	reload := func() {
		t.Helper()
		if err := b.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	base := serve(t, s)
	zoo, pet := connect(t, base+"/mcp"), connect(t, base+"/mcp")
	zoo.selects("zoo")
	pet.selects("pet")
	stream, quiet := listen(t, zoo), listen(t, pet)
	count := func() string {
		return send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals).Body.String()
	}
	equal(t, "GraphQL", `{"data":{"countAnimal":2}}`, count())
	page, _ := zoo.call("list_entity_types", `{"limit":1}`)

	write("zoo/zoo.ttl", someTurtle+":ida a :Animal .\n")
	write("zoo/domain.yaml", "policy: {disabled_tools: [get_status]}\n")
	reload()
	equal(t, "announced", announcement, stream.event(t))
	equal(t, "GraphQL after the change", `{"data":{"countAnimal":3}}`, count())
	_, after, _ := strings.Cut(page, `cursor="`)
	cursor, _, found := strings.Cut(after, `"`)
	if !found {
		t.Fatalf("no cursor in %q", page)
	}
	text, isError := zoo.call("list_entity_types", `{"limit":1,"cursor":"`+cursor+`"}`)
	equal(t, "an old cursor is an error", true, isError)
	contains(t, "an old cursor", text, "changed")

	write("zoo/zoo.ttl", someTurtle+":ida a\n")
	reload()
	equal(t, "GraphQL after a fault", `{"data":{"countAnimal":3}}`, count())
	text, _ = zoo.call("select_domain", `{"domain_name":"zoo"}`)
	contains(t, "select_domain", text, "A newer state of the sources is not served, because of 1 new problem", "• zoo.ttl:1", "[zoo, version 1]")

	if err := os.RemoveAll(filepath.Join(dir, "zoo")); err != nil {
		t.Fatal(err)
	}
	reload()
	equal(t, "announced that it is gone", announcement, stream.event(t))
	text, _ = zoo.call("list_entity_types", "{}")
	contains(t, "the answer", text, "Domain 'zoo', which was selected, is gone", "Domains: pet.")
	equal(t, "services kept", 1, s.Services())
	for c, l := range map[*client]*listening{zoo: stream, pet: quiet} {
		c.do(http.MethodDelete, "", nil)
		if text := l.rest(t); strings.Contains(text, listChanged) {
			t.Errorf("announced without reason: %q", text)
		}
	}
}
