package rdf_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// notSaid are what a format can't say of a real file: file + " as " + format → the end of the
// error. No file has triple terms.
var notSaid = map[string]string{
	"rdflib-variants/diverse_quads.trig as Turtle": " cannot say that a triple is in a graph: write N-Quads or TriG",
}

// TestRoundTrips reads every real file that can be read, writes it in each format, and reads
// what was written: it must be the same graph.
func TestRoundTrips(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	good := make(map[rdf.Format]int)
	err := filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		f, ok := formatOfFile(t, file)
		if !ok {
			return nil
		}
		quads, prefixes, err := readGood(file, f)
		if err != nil {
			if brokenPlaces[name] == "" {
				t.Errorf("%s can't be read: %v", name, err)
			}
			return nil
		}
		good[f]++
		t.Run(name, func(t *testing.T) {
			for _, to := range []rdf.Format{rdf.Turtle, rdf.NQuads, rdf.TriG, rdf.JSONLD} {
				writeAndRead(t, name, to, rdf.WriteOptions{Prefixes: prefixes}, quads)
			}
			for i := range quads { // as canonical text has them
				quads[i].Object.Lang = strings.ToLower(quads[i].Object.Lang)
			}
			writeAndRead(t, name, rdf.NQuads, rdf.WriteOptions{Canonical: true}, quads)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for f, atLeast := range map[rdf.Format]int{rdf.Turtle: 44, rdf.TriG: 1, rdf.RDFXML: 14, rdf.JSONLD: 2} {
		if good[f] < atLeast {
			t.Errorf("%d files of %s were read, expected at least %d", good[f], f, atLeast)
		}
	}
}

// TestRoundTripsOfW3C does the same with the files of the W3C suites that can be read.
func TestRoundTripsOfW3C(t *testing.T) {
	n := 0
	for _, suite := range suites {
		files, err := filepath.Glob(filepath.Join(domaintest.Shared(t, append([]string{"w3c", "rdf"}, strings.Split(suite.folder, "/")...)...), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			f, _, ok := rdf.FormatOf(file)
			if !ok {
				continue
			}
			quads, prefixes, err := readGood(file, f)
			if err != nil {
				continue // which TestW3C expects, or finds
			}
			n++
			to := []rdf.Format{rdf.NQuads, rdf.TriG}
			if !slices.ContainsFunc(quads, func(q rdf.Quad) bool { return !q.Graph.IsZero() }) {
				to = append(to, rdf.NTriples, rdf.Turtle)
			}
			for _, to := range to {
				writeAndRead(t, suite.folder+"/"+filepath.Base(file), to, rdf.WriteOptions{Prefixes: prefixes}, quads)
			}
		}
	}
	if n < 600 {
		t.Errorf("%d files were read, expected at least 600", n)
	}
}

// formatOfFile is the format of a file, by its name and beginning.
func formatOfFile(t *testing.T, file string) (f rdf.Format, ok bool) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	head, err := io.ReadAll(io.LimitReader(in, rdf.HeadSize))
	if err != nil {
		t.Fatal(err)
	}
	f, _, ok = rdf.FormatIn(file, head)
	return f, ok
}

func readGood(file string, f rdf.Format) (quads []rdf.Quad, prefixes []rdf.Prefix, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	o := rdf.Options{
		Base:   "https://example.invalid/" + filepath.Base(file),
		Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) },
	}
	err = rdf.Read(in, f, o, func(q rdf.Quad) error {
		quads = append(quads, q)
		return nil
	})
	return quads, prefixes, err
}

// writeAndRead writes quads in a format and compares them with what is read from that.
func writeAndRead(t *testing.T, name string, to rdf.Format, o rdf.WriteOptions, quads []rdf.Quad) {
	t.Helper()
	var text strings.Builder
	err := rdf.Write(&text, to, o, slices.Values(quads))
	var cannot *rdf.UnsayableError
	reason := notSaid[name+" as "+to.String()]
	switch {
	case reason != "" && errors.As(err, &cannot) && strings.HasSuffix(err.Error(), reason):
		return
	case err != nil || reason != "":
		t.Errorf("%s as %s: %v, expected %q", name, to, err, reason)
		return
	}
	back, err := rdftest.Parse(text.String(), to, rdf.Options{})
	if err != nil {
		t.Errorf("%s as %s can't be read: %v", name, to, err)
	} else if diff := rdftest.Diff(quads, back); diff != "" {
		t.Errorf("%s as %s is another graph (-want +got):\n%.2000s", name, to, diff)
	}
}
