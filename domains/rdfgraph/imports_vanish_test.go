package rdfgraph_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// A folder of the ontology path that is gone is taken for a mistake: what was read from it
// stays until it is back.
func TestVanishedOntologyPath(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"w/x/a.ttl":   `<http://e/> a <http://www.w3.org/2002/07/owl#Ontology> ; <http://www.w3.org/2002/07/owl#imports> <http://e/imp> . <http://e/a> a <http://e/A> .`,
		"lib/imp.ttl": `<http://e/imp> a <http://www.w3.org/2002/07/owl#Ontology> . <http://e/imported> a <http://e/A> .`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lib := filepath.Join(dir, "lib")
	b := newBackend(t, rdfgraph.Config{Dir: filepath.Join(dir, "w"), OntologyPath: []string{lib}})
	instances := func() int {
		t.Helper()
		d, err := b.Open(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Facts.Find(t.Context(), domains.Query{Types: []string{"http://e/A"}, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		return found.Total
	}
	for i, change := range []func() error{
		func() error { return nil },
		func() error { return os.Rename(lib, lib+"2") },
		func() error { return os.Rename(lib+"2", lib) },
	} {
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if err := b.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := instances(); n != 2 {
			t.Errorf("after change %d there are %d instances, expected 2", i, n)
		}
	}
}
