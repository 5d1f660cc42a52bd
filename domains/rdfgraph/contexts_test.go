package rdfgraph_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

const (
	namesContext = `{"@context": {"name": "http://e.org/name"}}`
	namedBy      = `{"@context": %q, "@id": "http://e.org/%s", "@type": "http://e.org/Thing", "name": "x"}`
)

// named counts the values of the property that namesContext knows.
func named(t *testing.T, c rdfgraph.Config) int {
	t.Helper()
	n := 0
	for d, err := range opened(t, newBackend(t, c)) {
		if err != nil {
			t.Fatal(err)
		}
		page, err := d.Triples.List(t.Context(), domains.TriplePattern{Predicate: "http://e.org/name", Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		n += page.Total
	}
	return n
}

// TestContextsOfJSONLD holds where the context of a JSON-LD file is looked for: in catalogues,
// and where it is relative beside the file or from the top of the folder.
func TestContextsOfJSONLD(t *testing.T) {
	const entry = `<catalog><uri name="https://w3id.org/names" uri="files/names.jsonld"/></catalog>`
	for name, c := range map[string]struct {
		context string
		files   map[string]string
		want    int
		fault   string
	}{
		"by a catalogue":    {"https://w3id.org/names", map[string]string{"catalog-v001.xml": entry, "files/names.jsonld": namesContext}, 1, ""},
		"beside the file":   {"names.jsonld", map[string]string{"sub/names.jsonld": namesContext}, 1, ""},
		"from the top":      {"../names.json", map[string]string{"names.json": namesContext}, 1, ""},
		"of another domain": {"secret/names.json", map[string]string{"sub/secret/names.json": namesContext, "sub/secret/domain.yaml": "publish: false"}, 0, "no catalog-v001.xml names it"},
		"missing":           {"https://w3id.org/names", nil, 0, "no catalog-v001.xml names it"},
		"without its file":  {"https://w3id.org/names", map[string]string{"catalog-v001.xml": entry}, 0, `the file "files/names.jsonld" does not exist, to which the entry at catalog-v001.xml:1:10 leads`},
		"too large":         {"names.json", map[string]string{"sub/names.json": namesContext + strings.Repeat(" ", 8<<20)}, 0, "the file sub/names.json has more than 8 MiB"},
		"that is none":      {"names.json", map[string]string{"sub/names.json": "{}"}, 0, "is it the right file?"},
	} {
		files := fstest.MapFS{"domain.yaml": {}, "sub/a.jsonld": {Data: fmt.Appendf(nil, namedBy, c.context, "a")}, "b.ttl": {Data: []byte("<http://e.org/b> a <http://e.org/Thing> .")}}
		for file, text := range c.files {
			files[file] = &fstest.MapFile{Data: []byte(text)}
		}
		want(t, name, c.want, named(t, rdfgraph.Config{FS: files}))
		told := ""
		for _, p := range newBackend(t, rdfgraph.Config{FS: files}).Report(t.Context())[0].Problems {
			told += p.String() + "\n"
		}
		if !strings.Contains(told, c.fault) || c.fault == "" && told != "" {
			t.Errorf("%s: problems %s", name, told)
		}
	}
}

// TestContextsCount holds that a context that changes changes what is served, and that no
// snapshot file with the old one is used.
func TestContextsCount(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.jsonld", fmt.Sprintf(namedBy, "https://w3id.org/names", "a"))
	write(t, dir, "catalog-v001.xml", `<catalog><uri name="https://w3id.org/names" uri="names.json"/></catalog>`)
	write(t, dir, "names.json", namesContext)
	c := rdfgraph.Config{Dir: dir}
	b, log := saving(t, dir)
	want(t, "at first", "written", log.events())
	before := revisions(t, b)
	want(t, "names", 1, named(t, c))
	_, log = saving(t, dir)
	want(t, "then", "read", log.events())
	write(t, dir, "names.json", strings.ReplaceAll(namesContext, "/name\"", "/nome\""))
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.WaitSaved()
	if now := revisions(t, b); now == before {
		t.Errorf("the revision is still %s", now)
	}
	want(t, "names of another context", 0, named(t, c))
	write(t, dir, "names.json", namesContext)
	b, log = saving(t, dir)
	want(t, "with another context", "stale, written", log.events())
	want(t, "revision", strings.Fields(before)[1], strings.Fields(revisions(t, b))[1]) // a time follows
	write(t, dir, "other.json", namesContext)
	write(t, dir, "catalog-v001.xml", `<catalog><uri name="https://w3id.org/names" uri="other.json"/></catalog>`)
	_, log = saving(t, dir)
	want(t, "with another catalogue", "stale, written", log.events())
}
