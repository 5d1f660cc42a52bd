package rdf_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// sourceRow is a row of SOURCES.md: file and what other programs found in it.
var sourceRow = regexp.MustCompile(`(?m)^\| (\S+\.\w+) \| [^|]* \| [\d,]+ \| (?:(\d+) triples|(does not parse)|(not RDF))`)

// TestOntologies reads real files. Each must have as many triples as SOURCES.md says, and
// be the same graph after it was written and read; the broken ones are refused
// with a place.
func TestOntologies(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	sources, err := os.ReadFile(filepath.Join(folder, "SOURCES.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := sourceRow.FindAllStringSubmatch(string(sources), -1)
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil || len(rows) != len(files) || len(rows) < 69 {
		t.Errorf("%d rows and %d files, expected at least 69 of each: %v", len(rows), len(files), err)
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			file := filepath.Join(folder, row[1])
			switch {
			case row[3] != "":
				brokenOntology(t, file, row[1])
				return
			case row[4] != "":
				noOntology(t, file)
				return
			}
			want, err := strconv.Atoi(row[2])
			if err != nil {
				t.Fatal(err)
			}
			roundTrip(t, file, want)
		})
	}
}

// roundTrip reads a file, counts its triples, writes it and reads what was written.
func roundTrip(t *testing.T, file string, want int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	format, _, ok := rdf.FormatIn(file, text)
	if !ok {
		t.Fatal("the syntax is not known")
	}
	var prefixes []rdf.Prefix
	quads := rdftest.ReadFile(t, file, format, rdf.Options{
		Base:   "https://example.invalid/" + filepath.Base(file),
		Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) },
	})
	distinct := make(map[rdf.Triple]bool) // whatever graph they are in
	hasGraphs := false
	for _, q := range quads {
		distinct[q.Triple] = true
		hasGraphs = hasGraphs || !q.Graph.IsZero()
	}
	if len(distinct) != want {
		t.Errorf("%d triples, expected %d", len(distinct), want)
	}
	if hasGraphs { // Turtle cannot say it
		return
	}
	written := page(quads, prefixes)
	if diff := rdftest.Diff(quads, rdftest.ReadString(t, written, rdf.Turtle, rdf.Options{})); diff != "" {
		t.Errorf("what was written is another graph (-want +got):\n%s", diff)
	}
	var lines strings.Builder
	for _, q := range quads {
		lines.WriteString(q.Triple.String() + "\n")
	}
	if diff := rdftest.Diff(quads, rdftest.ReadString(t, lines.String(), rdf.NTriples, rdf.Options{})); diff != "" {
		t.Errorf("written as N-Triples it is another graph (-want +got):\n%s", diff)
	}
}

// noOntology holds that a file which is no RDF is not taken for one that can be read.
func noOntology(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if f, _, ok := rdf.FormatIn(file, text); ok {
		t.Errorf("it is taken for %s", f)
	}
}

// brokenPlaces are where the broken files break: file → beginning of the error.
var brokenPlaces = map[string]string{
	"fhir/careplan-example.ttl":         `careplan-example.ttl:101:7: found the word "a", expected an object`,
	"fhir/diagnosticreport-example.ttl": `diagnosticreport-example.ttl:11:9: prefix "fhir2" is not declared`,
	"fhir/patient-example.ttl":          `patient-example.ttl:26:8: found the number "8", expected a predicate`,
	"music/invalid.ttl":                 `invalid.ttl:21:25: prefix "xsd" is not declared: add "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."`,
	"music/valid.ttl":                   `valid.ttl:21:25: prefix "xsd" is not declared: add "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."`,
}

func brokenOntology(t *testing.T, file, name string) {
	err := refused(t, file, rdf.Turtle, rdf.Options{File: filepath.Base(file), Base: "https://example.invalid/"})
	if want := brokenPlaces[name]; want == "" || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, expected %s", err, want)
	}
}
