package rdf_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// FuzzTurtle and those after it: no text makes a reader panic; errors have a place; it
// does not matter in which pieces a text comes; and a graph that was read is the same after it
// was written and read again.
func FuzzTurtle(f *testing.F) {
	fuzz(f, rdf.Turtle, ".ttl", "rdf-turtle")
}

func FuzzNTriples(f *testing.F) {
	fuzz(f, rdf.NTriples, ".nt", "rdf-n-triples")
}

func FuzzTriG(f *testing.F) {
	fuzz(f, rdf.TriG, ".trig", "rdf-trig")
}

func FuzzNQuads(f *testing.F) {
	fuzz(f, rdf.NQuads, ".nq", "rdf-n-quads")
}

func FuzzRDFXML(f *testing.F) {
	fuzz(f, rdf.RDFXML, ".rdf", "rdf-xml")
}

func fuzz(f *testing.F, format rdf.Format, ext, suite string) {
	seed(f, ext, suite)
	f.Fuzz(func(t *testing.T, text string) {
		var prefixes []rdf.Prefix
		quads, err := rdftest.Parse(text, format, rdf.Options{
			Base:   fuzzBase,
			Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) },
		})
		var syntax *rdf.SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1) {
			t.Fatalf("an error without a place: %v", err)
		}
		inPieces(t, text, format, quads, err)
		const most = 60 // many equal blank nodes take long to compare
		if len(quads) > most {
			return
		}
		if format != rdf.Turtle && format != rdf.NTriples {
			var lines strings.Builder
			for _, q := range quads {
				lines.WriteString(strings.TrimSuffix(q.Triple.String(), ".") + q.Graph.String() + " .\n")
			}
			if diff := rdftest.Diff(quads, rdftest.ReadString(t, lines.String(), rdf.NQuads, rdf.Options{})); diff != "" {
				t.Fatalf("written as N-Quads it is another graph (-want +got):\n%s", diff)
			}
			return
		}
		for name, back := range map[string]string{"without prefixes": page(quads, nil), "with prefixes": page(quads, prefixes)} {
			if diff := rdftest.Diff(quads, rdftest.ReadString(t, back, rdf.Turtle, rdf.Options{})); diff != "" {
				t.Fatalf("written %s it is another graph (-want +got):\n%s\n%s", name, diff, back)
			}
		}
		var lines strings.Builder
		for _, q := range quads {
			lines.WriteString(q.Triple.String() + "\n")
		}
		if diff := rdftest.Diff(quads, rdftest.ReadString(t, lines.String(), rdf.NTriples, rdf.Options{})); diff != "" {
			t.Fatalf("written as N-Triples it is another graph (-want +got):\n%s", diff)
		}
	})
}

// inPieces reads a text byte by byte and compares with what came of the whole.
func inPieces(t *testing.T, text string, format rdf.Format, want []rdf.Quad, wantErr error) {
	var got []rdf.Quad
	o := rdf.Options{Base: fuzzBase}
	err := rdf.Read(iotest.OneByteReader(strings.NewReader(text)), format, o, func(q rdf.Quad) error {
		got = append(got, q)
		return nil
	})
	if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Fatalf("read byte by byte the error is %v, expected %v, quads (-want +got):\n%s", err, wantErr, diff)
	}
}

// fuzzBase is the base of the relative IRIs that fuzzing makes.
const fuzzBase = "http://base.example/dir/file"

// seed adds the golden inputs and, where they are there, the W3C files.
func seed(f *testing.F, ext, suite string) {
	archives, err := filepath.Glob("testdata/*/*.txtar")
	if err != nil || len(archives) == 0 {
		f.Fatal("no archives", err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if filepath.Ext(file.Name) == ext {
				f.Add(string(file.Data))
			}
		}
	}
	below := filepath.Join(filepath.Dir(domaintest.Root(f)), "shared", "w3c", "rdf")
	var files []string
	for _, folder := range []string{"rdf11/" + suite, "rdf12/" + suite + "/syntax", "rdf12/" + suite + "/eval"} {
		for _, depth := range []string{"", "*"} { // the tests of RDF/XML lie in folders
			found, err := filepath.Glob(filepath.Join(below, filepath.FromSlash(folder), depth, "*"+ext))
			if err != nil {
				f.Fatal(err)
			}
			files = append(files, found...)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
}
