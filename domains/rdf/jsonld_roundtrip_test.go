package rdf_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// writtenJSONLD is quads as a JSON-LD document.
func writtenJSONLD(t testing.TB, quads []rdf.Quad, prefixes []rdf.Prefix) string {
	t.Helper()
	var b bytes.Buffer
	if err := rdf.Write(&b, rdf.JSONLD, rdf.WriteOptions{Prefixes: prefixes}, slices.Values(quads)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sameInJSONLD holds that quads are the same after they were written and read.
func sameInJSONLD(t testing.TB, quads []rdf.Quad, prefixes []rdf.Prefix) {
	t.Helper()
	text := writtenJSONLD(t, quads, prefixes)
	back, err := rdftest.Parse(text, rdf.JSONLD, rdf.Options{})
	if err != nil {
		t.Fatalf("what was written can't be read: %v in\n%.4000s", err, text)
	}
	if diff := rdftest.Diff(quads, back); diff != "" {
		t.Errorf("what was written is another graph (-want +got):\n%.4000s\n%.4000s", diff, text)
	}
}

// TestJSONLDRoundTrip writes graphs that are hard to say.
func TestJSONLDRoundTrip(t *testing.T) {
	for _, c := range []struct{ name, in string }{
		{"nothing", ``},
		{"values", `:a :p 1, 01, +1, 1.0, 1e0, 1.5E0, 15E-1, true, "1"^^xsd:boolean, "x", "x"@en-GB, "x"@en, "x"@ar--rtl, "x"@AR--rtl, "1"^^:int, "NaN"^^xsd:double, "1.0E21"^^xsd:double, 123456789012345678901234567890, "-0"^^xsd:integer, "INF"^^xsd:double .`},
		{"text", `:a :p "", "\u0000\u0001\n\t\"\\", "\u202E\U000E0061", "é😀", "@id", "_:x", "http://e/a", ":a" .`},
		{"JSON", `:a :p "{\"a\":1}"^^rdf:JSON, "{ \"a\":1}"^^rdf:JSON, "1.0"^^rdf:JSON, "null"^^rdf:JSON, "{"^^rdf:JSON, "{\"@context\":\"http://x/\"}"^^rdf:JSON, "[]"^^rdf:JSON .`},
		{"types", `:a a :C, _:c, [ :p 1 ], "literal", () . _:c :p 2 .`},
		{"nil as a subject", `() :p () .`},
		{"collections", `:a :p (), (1 2 3), ((1) (() [:p (1)]) "x"@en) .`},
		{"half a collection", `:a :p _:x . _:x rdf:first 1 . :b :p _:y . _:y rdf:rest () . :c :p _:z . _:z rdf:first 1, 2 ; rdf:rest () .`},
		{"a shared collection", `:a :p _:x . :b :p _:x . _:x rdf:first 1 ; rdf:rest (2) .`},
		{"a collection without owner", `(1 2) :p 1 . [] rdf:first 1 ; rdf:rest () .`},
		{"a collection in a circle", `_:x rdf:first 1 ; rdf:rest _:y . _:y rdf:first 2 ; rdf:rest _:x .`},
		{"blank nodes", `_:a :p _:b, _:c . _:b :p _:c, [ :p [ :p _:b ] ] . [] :p [] . _:r :p _:r .`},
		{"graphs", `:a :p _:x . :g { _:x :p 1 . :a :p (1) . [] :p _:y } _:g { :a :p _:x, _:z . _:z :p 1 } :h { _:g :p _:y . _:l rdf:first 1 ; rdf:rest () } :b :p _:l .`},
		{"a graph that is described", `:g :p 1 . :g { :a :p :g }`},
		{"IRIs", `<urn:x:1> <mailto:a> <tag:e,2026:x>, <ex:a>, <http://e/a/b>, <http://e/a#b>, <http://e/100%>, <http://ä.example/ü%C3>, <http://e/>, <x:> .`},
		{"names that look like others", `<e:a> <rdf:type> <xsd:x>, <http:x>, <http://e/@type>, <http://e//x>, <http://e/_:x> .`},
		{"deep", `:a :p ` + strings.Repeat("[ :p (", 100) + "1" + strings.Repeat(") ]", 100) + ` .`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var prefixes []rdf.Prefix
			quads := rdftest.ReadString(t, `@prefix : <http://e/> . @prefix e: <http://e/> . @prefix http: <http://e/> . @prefix half: <http://e/a> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .`+c.in,
				rdf.TriG, rdf.Options{Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) }})
			sameInJSONLD(t, quads, nil)
			sameInJSONLD(t, quads, prefixes)
		})
	}
}

// What JSON-LD can't say is an error that names it.
func TestJSONLDCannotSayTripleTerms(t *testing.T) {
	quads := rdftest.ReadString(t, `PREFIX : <http://e/> :a :p <<( :a :p 1 )>> .`, rdf.Turtle, rdf.Options{})
	err := rdf.Write(&bytes.Buffer{}, rdf.JSONLD, rdf.WriteOptions{}, slices.Values(quads))
	var unsayable *rdf.UnsayableError
	if !errors.As(err, &unsayable) || unsayable.Format != rdf.JSONLD || unsayable.Quad != quads[0] {
		t.Fatalf("writing gave %v, expected an UnsayableError with the quad", err)
	}
	if want := "JSON-LD cannot say a triple term: write Turtle"; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error is %q, expected %q", err, want)
	}
}

// Every real file in Turtle is the same after it was written as JSON-LD.
func TestJSONLDRoundTripOfRealFiles(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*.ttl"))
	if err != nil || len(files) < 49 {
		t.Fatalf("%d files, expected at least 49: %v", len(files), err)
	}
	for _, file := range files {
		name, _ := filepath.Rel(folder, file)
		if brokenPlaces[filepath.ToSlash(name)] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var prefixes []rdf.Prefix
			quads := rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{
				Base:   "https://example.invalid/",
				Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) },
			})
			sameInJSONLD(t, quads, prefixes)
		})
	}
}

// The shape of what is written is in an archive.
func TestJSONLDShape(t *testing.T) {
	const archive = "testdata/jsonld/shape.txtar"
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	var prefixes []rdf.Prefix
	quads := rdftest.ReadString(t, string(a.Files[0].Data), rdf.TriG, rdf.Options{Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) }})
	golden(t, archive, "out/jsonld", writtenJSONLD(t, quads, prefixes))
	sameInJSONLD(t, quads, prefixes)
}
