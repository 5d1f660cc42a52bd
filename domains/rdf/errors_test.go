package rdf_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// TestErrors holds place and wording of errors: each archive has a file that is
// refused, in.ttl or with another extension, and the error.
func TestErrors(t *testing.T) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			in := a.Files[0]
			f, _, ok := rdf.FormatOf(in.Name)
			if !ok {
				t.Fatalf("the archive begins with %s, expected in.ttl or the like", in.Name)
			}
			_, err = rdftest.Parse(string(in.Data), f, rdf.Options{File: in.Name})
			if err == nil {
				t.Fatal("read without error")
			}
			golden(t, archive, "out/error", err.Error()+"\n")
		})
	}
}
