package rdfgraph_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestColumnsAreServed holds that a domain can be read in batches when it has a class,
// also one that is an ontology only.
func TestColumnsAreServed(t *testing.T) {
	dir := t.TempDir()
	for name, turtle := range map[string]string{
		"facts":    "<x> <p> <y> .",
		"both":     "<C> a <http://www.w3.org/2002/07/owl#Class> . <x> a <C> .",
		"ontology": "<C> a <http://www.w3.org/2002/07/owl#Class> .",
	} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name, "in.ttl"), []byte(turtle), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := newBackend(t, rdfgraph.Config{Dir: dir})
	for _, tc := range []struct {
		name           string
		facts, columns bool
	}{{"facts", true, false}, {"both", true, true}, {"ontology", false, true}} {
		d, err := b.Open(t.Context(), domains.Name(tc.name))
		if err != nil {
			t.Fatal(err)
		}
		if (d.Facts != nil) != tc.facts || (d.Columns != nil) != tc.columns {
			t.Errorf("%s: facts %v, columns %v", tc.name, d.Facts != nil, d.Columns != nil)
		}
	}
}
