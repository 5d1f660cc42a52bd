package rdf_test

import (
	"errors"
	"flag"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
)

var update = flag.Bool("update", false, "write the golden archives anew")

// refused reads a file and returns the error that refuses it.
func refused(t *testing.T, file string, f rdf.Format, o rdf.Options) *rdf.SyntaxError {
	t.Helper()
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var syntax *rdf.SyntaxError
	err = rdf.Read(r, f, o, func(rdf.Quad) error { return nil })
	if !errors.As(err, &syntax) {
		t.Fatalf("reading gave %v, expected a SyntaxError", err)
	}
	return syntax
}

// golden compares a text with a file of an archive, or puts it there with -update.
func golden(t *testing.T, archive, file, got string) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == file })
	if *update {
		if i < 0 {
			i = len(a.Files)
			a.Files = append(a.Files, txtar.File{Name: file})
		}
		a.Files[i].Data = []byte(got)
		if err := os.WriteFile(archive, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if i < 0 {
		t.Fatalf("%s has no file %s: run go test -update and read what it writes", archive, file)
	}
	if diff := cmp.Diff(string(a.Files[i].Data), got); diff != "" {
		t.Errorf("%s %s (-want +got):\n%s", archive, file, diff)
	}
}
