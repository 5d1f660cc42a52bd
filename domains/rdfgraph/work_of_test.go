package rdfgraph_test

import (
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// TestWorkOf holds that the work of an answer can be told from outside, and that a domain
// without a graph has none.
func TestWorkOf(t *testing.T) {
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: fstest.MapFS{
		"facts/a.nt":  {Data: []byte("<http://a.example/1> <http://www.w3.org/2000/01/rdf-schema#label> \"one\" .\n")},
		"schema/a.nt": {Data: []byte("<http://a.example/C> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Class> .\n")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	d, err := b.Open(t.Context(), "facts")
	if err != nil {
		t.Fatal(err)
	}
	before, ok := rdfgraph.WorkOf(d)
	if m, err := d.Facts.Find(t.Context(), domains.Query{Text: "one", Limit: 1}); err != nil || m.Total != 1 {
		t.Fatalf("found %+v, error %v", m, err)
	}
	if after, _ := rdfgraph.WorkOf(d); !ok || after.Lookups <= before.Lookups || after.Reads() <= before.Reads() {
		t.Errorf("the work was %+v before and %+v after (ok: %t)", before, after, ok)
	}
	if d, err = b.Open(t.Context(), "schema"); err != nil {
		t.Fatal(err)
	}
	if _, ok := rdfgraph.WorkOf(d); ok {
		t.Error("a domain without a graph has work")
	}
}
