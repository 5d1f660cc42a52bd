package rdfgraph_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// openedJSON counts the JSON files that are opened.
type openedJSON struct {
	fstest.MapFS
	files map[string]int
}

func (o openedJSON) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".json") {
		o.files[name]++
	}
	return o.MapFS.Open(name)
}

// A folder with nothing but JSON or XML is a domain when that is RDF; to learn it, few files
// are looked into, once each.
func TestFoldersOfJSON(t *testing.T) {
	o := openedJSON{fstest.MapFS{
		"linked/a.json": {Data: []byte(`{"@context": {"ex": "http://example.org/"}, "@id": "ex:a", "@type": "ex:A"}`)},
		"marked/a.xml":  {Data: []byte(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://example.org/a" rdf:type="http://example.org/A"/></rdf:RDF>`)},
		"plain/a.xml":   {Data: []byte(`<project/>`)},
	}, map[string]int{}}
	for i := range 300 {
		o.MapFS[fmt.Sprintf("packages/%03d/package.json", i)] = &fstest.MapFile{Data: []byte(`{"name": "a"}`)}
	}
	b := newBackend(t, rdfgraph.Config{FS: o})
	var names []string
	list, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		names = append(names, string(d.Name)+" "+d.Unavailable)
	}
	if got := strings.Join(names, ","); got != "linked ,marked " {
		t.Errorf("the domains are %q", got)
	}
	looked := 0
	for name, times := range o.files {
		if strings.HasPrefix(name, "packages/") {
			if looked++; times > 1 {
				t.Errorf("%s was opened %d times", name, times)
			}
		}
	}
	if looked == 0 || looked > 100 {
		t.Errorf("%d files were looked into", looked)
	}
}
