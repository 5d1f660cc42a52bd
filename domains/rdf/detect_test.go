package rdf_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

func TestFormatIn(t *testing.T) {
	const (
		ns      = `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"`
		doctype = "<!DOCTYPE rdf:RDF [\n  <!ENTITY owl \"http://www.w3.org/2002/07/owl#\" >\n  <!ENTITY gt '>'>\n]>\n"
	)
	for _, c := range []struct {
		file, head string
		want       rdf.Format
		known      string
	}{
		// The extension is enough.
		{"a.ttl", "<rdf:RDF " + ns + ">", rdf.Turtle, ""},
		{"a.obo", "@prefix ex: <http://example.org/> .", 0, "OBO"},
		{"README", "@prefix ex: <http://example.org/> .", 0, ""},
		// XML.
		{"a.owl", "<?xml version=\"1.0\"?>\n" + doctype + "<rdf:RDF " + ns + ">", rdf.RDFXML, ""},
		{"a.rdf", "<rdf:RDF xmlns=\"http://example.org/\"\n  " + ns + ">", rdf.RDFXML, ""},
		{"a.rdf.gz", "<rdf:RDF " + ns + ">", rdf.RDFXML, ""},
		{"a.xml", "\uFEFF<?xml version='1.0'?><!-- a > b --><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>", rdf.RDFXML, ""},
		{"a.XML", doctype + "<rdf:RDF xmlns:rdf=\"&rdf;\">", rdf.RDFXML, ""},
		{"a.rdf", "<ex:Person xmlns:ex=\"http://example.org/\" " + ns + " rdf:about=\"x\"/>", rdf.RDFXML, ""},
		{"a.owl", "<?xml version=\"1.0\"?>\n<html>", rdf.RDFXML, ""},
		{"a.owl", "<Ontology xmlns=\"http://www.w3.org/2002/07/owl#\"\n ontologyIRI=\"x\">", 0, "OWL/XML"},
		{"a.xml", "<?xml version=\"1.0\"?><owl:Ontology xmlns:owl=\"http://www.w3.org/2002/07/owl#\">", 0, "OWL/XML"},
		{"catalog-v001.xml", "<?xml version=\"1.0\"?><catalog prefer=\"public\" xmlns=\"urn:oasis:names:tc:entity:xmlns:xml:catalog\">", 0, ""},
		{"a.xml", "<svg " + ns + "><metadata><rdf:RDF><x/></rdf:RDF></metadata></svg>", 0, ""},
		{"a.xml", "", 0, ""},
		// JSON.
		{"a.json", "{\"@context\": {}}", rdf.JSONLD, ""},
		{"a.json", " [ { \"name\": 1, \"@id\" : \"x\"", rdf.JSONLD, ""},
		{"a.owl", "{\"@graph\": []}", rdf.JSONLD, ""},
		{"package.json", "{\"name\": \"@context\"}", 0, ""},
		{"a.json", "[1, 2]", 0, ""},
		// Text.
		{"a.owl", "# A comment <rdf:RDF\n\n@prefix ex: <http://example.org/> .", rdf.Turtle, ""},
		{"a.rdf", "PREFIX ex: <http://example.org/>", rdf.Turtle, ""},
		{"a.rdfs", "<http://example.org/a> <http://example.org/b> 1 .", rdf.Turtle, ""},
		{"a.owl", "<http://example.org/a> a <http://example.org/b> .", rdf.Turtle, ""},
		{"a.owl", "_:a <http://example.org/b> 1 .", rdf.Turtle, ""},
		{"a.owl", "[] a <http://example.org/b> .", rdf.Turtle, ""},
		{"a.owl", "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/>", 0, "OWL functional syntax"},
		{"a.owl", "Prefix: owl: <http://www.w3.org/2002/07/owl#>\nOntology: <http://example.org/>", 0, "OWL Manchester syntax"},
		{"a.owl", "format-version: 1.2\n", 0, "OBO"},
		{"a.owl", "what is this", rdf.RDFXML, ""},
		{"a.owl", "", rdf.RDFXML, ""},
		{"a.xml", "@prefix ex: <http://example.org/> .", 0, ""},
		{"a.json", "@prefix ex: <http://example.org/> .", 0, ""},
	} {
		f, known, ok := rdf.FormatIn(c.file, []byte(c.head))
		if f != c.want || known != c.known || ok != (c.want != 0) {
			t.Errorf("FormatIn(%q, %q) = %v, %q, %v, expected %v, %q", c.file, c.head, f, known, ok, c.want, c.known)
		}
	}
}

func TestContentDecides(t *testing.T) {
	for file, want := range map[string]bool{
		"a.owl": true, "b/A.RDF": true, "a.rdfs": true, "a.xml": true, "a.json.gz": true, "a.rdf.zst": true,
		"a.ttl": false, "a.jsonld": false, "a.trig": false, "a.rdf.zip": false, "a.gz": false, "": false,
	} {
		if got := rdf.ContentDecides(file); got != want {
			t.Errorf("ContentDecides(%q) = %v", file, got)
		}
	}
}

// Every real file is recognised for what SOURCES.md says that it is.
func TestFormatInOfRealFiles(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(files) < 65 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	want := map[string]rdf.Format{
		".ttl": rdf.Turtle, ".trig": rdf.TriG, ".rdf": rdf.RDFXML, ".owl": rdf.RDFXML, ".jsonld": rdf.JSONLD, ".obo": 0,
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		format := want[filepath.Ext(file)]
		if filepath.Base(file) == "diverse_triples.xml" {
			format = rdf.RDFXML
		}
		if f, _, _ := rdf.FormatIn(file, text); f != format {
			t.Errorf("%s is taken for %v, expected %v", strings.TrimPrefix(file, folder), f, format)
		}
	}
}

// What is no text of the format is named for what it is, whatever the format.
func TestOtherThanText(t *testing.T) {
	for _, f := range rdf.Formats() {
		for text, want := range map[string]string{
			"\x1f\x8b\x08\x00rest": "1:1: the file is compressed with gzip (.gz)",
			"(\xb5/\xfdrest":       "1:1: the file is compressed with zstd (.zst)",
			"\xff\xfe<\x00":        "1:1: the text is UTF-16",
		} {
			if _, err := rdftest.Parse(text, f, rdf.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, expected %s", f, err, want)
			}
		}
	}
}
