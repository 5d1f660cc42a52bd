package rdf_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// Real files: the one has a twin in Turtle, the other is small enough to say.
func TestJSONLDRealFiles(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	got := rdftest.ReadFile(t, filepath.Join(folder, "dcat-examples", "csiro-dap-examples.jsonld"), rdf.JSONLD, rdf.Options{})
	want := rdftest.ReadFile(t, filepath.Join(folder, "dcat-examples", "csiro-dap-examples.ttl"), rdf.Turtle, rdf.Options{})
	if diff := rdftest.Diff(want, got); diff != "" {
		t.Errorf("the twin in Turtle is another graph (-want +got):\n%s", diff)
	}
	if len(got) != 410 {
		t.Errorf("%d triples, expected 410", len(got))
	}
	got = rdftest.ReadFile(t, filepath.Join(folder, "rdflib-variants", "rdf_prefix.jsonld"), rdf.JSONLD, rdf.Options{})
	want = rdftest.ReadString(t, `@prefix l: <https://w3id.org/linkml/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
[] l:slots [ l:name "type" ; l:slot_uri rdf:type ] .`, rdf.Turtle, rdf.Options{})
	if diff := rdftest.Diff(want, got); diff != "" {
		t.Errorf("another graph (-want +got):\n%s", diff)
	}
}

// FuzzJSONLD: no text makes the reader panic; errors have a place; a text is read the same each
// time; and what was read is the same after it was written and read again.
func FuzzJSONLD(f *testing.F) {
	seed(f, ".jsonld", "json-ld")
	for _, c := range jsonldFeatures {
		f.Add(c.in)
	}
	context := func(iri string) ([]byte, error) {
		if len(iri)%2 == 0 {
			return nil, errors.New("not here")
		}
		return []byte(`{"@context": {"@vocab": "http://e/", "x": {"@id": "http://e/x", "@type": "@id", "@context": "` + fuzzBase + `"}}}`), nil
	}
	f.Fuzz(func(t *testing.T, text string) {
		var prefixes []rdf.Prefix
		quads, err := rdftest.Parse(text, rdf.JSONLD, rdf.Options{Base: fuzzBase, Context: context, Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) }})
		var syntax *rdf.SyntaxError
		if err != nil {
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		again, err := rdftest.Parse(text, rdf.JSONLD, rdf.Options{Base: fuzzBase, Context: context})
		if diff := cmp.Diff(quads, again); err != nil || diff != "" {
			t.Fatalf("read again the error is %v, quads (-want +got):\n%s", err, diff)
		}
		const most = 60 // many equal blank nodes take long to compare
		if len(quads) > most {
			return
		}
		for _, p := range [][]rdf.Prefix{nil, prefixes} {
			var b bytes.Buffer
			if err := rdf.Write(&b, rdf.JSONLD, rdf.WriteOptions{Prefixes: p}, slices.Values(quads)); err != nil {
				t.Fatalf("what was read can't be written: %v", err)
			}
			if diff := rdftest.Diff(quads, rdftest.ReadString(t, b.String(), rdf.JSONLD, rdf.Options{})); diff != "" {
				t.Fatalf("written it is another graph (-want +got):\n%s\n%s", diff, b.String())
			}
		}
	})
}

// BenchmarkReadJSONLD reads schema.org as this program writes it, or a smaller file of others.
func BenchmarkReadJSONLD(b *testing.B) {
	folder := domaintest.Shared(b, "data", "ontologies")
	foreign, err := os.ReadFile(filepath.Join(folder, "dcat-examples", "csiro-dap-examples.jsonld"))
	if err != nil {
		b.Fatal(err)
	}
	var prefixes []rdf.Prefix
	quads := rdftest.ReadFile(b, filepath.Join(folder, "schemaorg", "schemaorg-current-https-30.0.ttl"), rdf.Turtle, rdf.Options{Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) }})
	for name, text := range map[string]string{"schemaorg": writtenJSONLD(b, quads, prefixes), "csiro": string(foreign)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rdftest.Parse(text, rdf.JSONLD, rdf.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
