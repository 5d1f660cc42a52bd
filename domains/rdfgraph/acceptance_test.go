package rdfgraph_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
)

// realFolders are published ontologies and data, as they are.
var realFolders = []string{"brick", "ies", "music", "schemaorg", "skos"}

// TestBackend holds the back end to the acceptance suite: on the samples, on the
// folders of the archives in testdata, where much is broken, and on real files.
func TestBackend(t *testing.T) {
	t.Run("samples", func(t *testing.T) {
		b := newBackend(t, rdfgraph.Config{FS: examples.FS()})
		domaintest.Run(t, func(*testing.T) domains.Backend { return b })
	})
	for _, name := range []string{"degraded", "languages", "plain", "versions"} {
		t.Run(name, func(t *testing.T) {
			domaintest.Run(t, func(t *testing.T) domains.Backend {
				a, err := txtar.ParseFile(filepath.Join("testdata", "folders", name+".txtar"))
				if err != nil {
					t.Fatal(err)
				}
				dir := t.TempDir()
				unpack(t, dir, a.Files[:len(a.Files)-1])
				return newBackend(t, rdfgraph.Config{Dir: dir})
			})
		})
	}
	for _, name := range realFolders {
		if domaintest.Race && name != "music" && name != "skos" {
			continue // large, and no other code runs for them
		}
		t.Run(name, func(t *testing.T) {
			dir := domaintest.Shared(t, "data", "ontologies", name)
			b := newBackend(t, rdfgraph.Config{Dir: dir})
			domaintest.Run(t, func(*testing.T) domains.Backend { return b })
		})
	}
}

// TestRealFolders compares what the back end says of real files with
// testdata/real.txtar: broken ones with their place, the others served.
func TestRealFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range realFolders {
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(domaintest.Shared(t, "data", "ontologies", name))); err != nil {
			t.Fatal(err)
		}
	}
	const path = "testdata/real.txtar"
	a, err := txtar.ParseFile(path)
	if err != nil || len(a.Files) != 1 {
		t.Fatalf("want a file named report: %v", err)
	}
	golden(t, path, a, 0, describe(t, newBackend(t, rdfgraph.Config{Dir: dir})))
}
