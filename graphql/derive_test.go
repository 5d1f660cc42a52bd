package graphql_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestDerive compares the schemas of small ontologies with the archives in
// testdata/derive: each is one rule.
func TestDerive(t *testing.T) {
	archives, err := filepath.Glob("testdata/derive/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil || len(a.Files) != 2 {
				t.Fatalf("want a file in.ttl and a file out.graphql: %v", err)
			}
			triples, err := triplesOf(a.Files[0].Data)
			if err != nil {
				t.Fatal(err)
			}
			m := derive(t, derivationOf(t, triples, ""))
			legalSchema(t, m)
			if *update {
				a.Files[1].Data = []byte(m.SDL)
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(a.Files[1].Data), m.SDL); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
		})
	}
}

// archivedTurtle are the ontologies of the archives.
func archivedTurtle(t testing.TB) (out [][]byte) {
	t.Helper()
	archives, err := filepath.Glob("testdata/derive/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a.Files[0].Data)
	}
	return out
}
