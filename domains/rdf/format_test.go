package rdf_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
)

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		file  string
		want  rdf.Format
		known string
	}{
		{"a.ttl", rdf.Turtle, ""},
		{"deep/folder.nt/A.TTL", rdf.Turtle, ""},
		{`C:\data\a.turtle`, rdf.Turtle, ""},
		{"a.nt", rdf.NTriples, ""},
		{"a.ntriples", rdf.NTriples, ""},
		{"go.owl", rdf.RDFXML, ""},
		{"fibo.rdf", rdf.RDFXML, ""},
		{"go.obo", 0, "OBO"},
		{"a.jsonld", rdf.JSONLD, ""},
		{"a.trig", rdf.TriG, ""},
		{"a.nq", rdf.NQuads, ""},
		{"a.nquads.gz", rdf.NQuads, ""},
		{"a.trix", 0, "TriX"},
		{"a.n3", 0, "Notation3"},
		{"a.ttl.gz", rdf.Turtle, ""},
		{"A.NT.ZST", rdf.NTriples, ""},
		{"a.ttl.bz2", 0, "compressed Turtle"},
		{"a.nt.zst.gz", 0, "compressed N-Triples"},
		{"a.rdf.gz", rdf.RDFXML, ""},
		{"a.gz", 0, ""},
		{"a.owl.zip", 0, "compressed RDF/XML"},
		{"a.ttl.gz.zip", 0, "compressed Turtle"},
		{"data.zip", 0, ""},
		{"catalog-v001.xml", 0, ""},
		{"package.json", 0, ""},
		{"README", 0, ""},
		{"folder.ttl/README", 0, ""},
		{"", 0, ""},
	} {
		f, known, ok := rdf.FormatOf(c.file)
		if f != c.want || known != c.known || ok != (c.want != 0) {
			t.Errorf("FormatOf(%q) = %v, %q, %v, expected %v, %q", c.file, f, known, ok, c.want, c.known)
		}
	}
}

// The documentation of FormatOf lists every extension.
func TestFormatOfIsDocumented(t *testing.T) {
	source, err := os.ReadFile("format.go")
	if err != nil {
		t.Fatal(err)
	}
	tables, doc, _ := strings.Cut(string(source), "// FormatOf tells")
	extensions := regexp.MustCompile(`"(\.[a-z0-9]+)"`).FindAllStringSubmatch(tables, -1)
	if len(extensions) < 25 {
		t.Fatalf("found only %d extensions", len(extensions))
	}
	for _, e := range extensions {
		if !regexp.MustCompile(`(^|[ (])` + regexp.QuoteMeta(e[1]) + `([ ,.]|\n)`).MatchString(doc) {
			t.Errorf("%s is not documented", e[1])
		}
	}
}

func TestFormatString(t *testing.T) {
	for f, want := range map[rdf.Format]string{rdf.Turtle: "Turtle", rdf.NTriples: "N-Triples", rdf.TriG: "TriG", rdf.NQuads: "N-Quads", rdf.RDFXML: "RDF/XML", rdf.JSONLD: "JSON-LD", 0: "Format(0)"} {
		if got := f.String(); got != want {
			t.Errorf("String() = %q, expected %q", got, want)
		}
	}
}
