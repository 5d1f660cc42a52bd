package rdf_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

const (
	manifestNS = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	rdftestNS  = "http://www.w3.org/ns/rdftest#"
)

// suites are the W3C manifests, with the number of tests that each had when it was taken
// over. Those of RDF 1.2 hold in addition to those of RDF 1.1.
var suites = []struct {
	folder  string // below w3c/rdf
	entries int
}{
	{"rdf11/rdf-turtle", 313},
	{"rdf11/rdf-trig", 356},
	{"rdf11/rdf-n-triples", 70},
	{"rdf11/rdf-n-quads", 87},
	{"rdf12/rdf-turtle/syntax", 74},
	{"rdf12/rdf-turtle/eval", 29},
	{"rdf12/rdf-trig/syntax", 35},
	{"rdf12/rdf-trig/eval", 25},
	{"rdf12/rdf-n-triples/syntax", 29},
	{"rdf12/rdf-n-quads/syntax", 27},
	{"rdf11/rdf-xml", 166},
	{"rdf12/rdf-xml/eval", 31},
}

// TestW3C runs all tests of the W3C manifests for the syntaxes of RDF. None is
// left out.
func TestW3C(t *testing.T) {
	for _, suite := range suites {
		t.Run(suite.folder, func(t *testing.T) {
			m := readManifest(t, suite.folder)
			if len(m.entries) < suite.entries {
				t.Errorf("the manifest has %d entries, expected %d", len(m.entries), suite.entries)
			}
			for _, entry := range m.entries {
				t.Run(entry[strings.LastIndex(entry, "#")+1:], func(t *testing.T) { m.run(t, entry) })
			}
		})
	}
}

// manifest is a W3C test manifest.
type manifest struct {
	folder  string                // where its files are
	base    string                // IRI of that folder
	entries []string              // IRIs of its tests
	said    map[string][]rdf.Term // subject + " " + predicate → objects
}

// readManifest reads the manifest of a folder below w3c/rdf.
func readManifest(t *testing.T, folder string) *manifest {
	t.Helper()
	file := domaintest.Shared(t, append([]string{"w3c", "rdf"}, strings.Split(folder+"/manifest.ttl", "/")...)...)
	m := &manifest{
		folder: filepath.Dir(file),
		base:   "https://w3c.github.io/rdf-tests/rdf/" + folder + "/",
		said:   make(map[string][]rdf.Term),
	}
	for _, q := range rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{Base: m.base + "manifest.ttl"}) {
		key := q.Subject.Value + " " + q.Predicate.Value
		m.said[key] = append(m.said[key], q.Object)
		if q.Predicate.Value == manifestNS+"entries" {
			m.entries = append(m.entries, q.Object.Value)
		}
	}
	if len(m.entries) != 1 {
		t.Fatalf("%d lists of entries, expected 1", len(m.entries))
	}
	list := m.entries[0]
	for m.entries = nil; list != rdf.RDFNil; list = m.one(t, list, rdf.RDFRest) {
		m.entries = append(m.entries, m.one(t, list, rdf.RDFFirst))
	}
	return m
}

// one is the only object of a subject and predicate.
func (m *manifest) one(t *testing.T, subject, predicate string) string {
	t.Helper()
	objects := m.said[subject+" "+predicate]
	if len(objects) != 1 {
		t.Fatalf("%s has %d values of %s, expected 1", subject, len(objects), predicate)
	}
	return objects[0].Value
}

// file is where the file of an IRI is.
func (m *manifest) file(t *testing.T, iri string) string {
	t.Helper()
	name, ok := strings.CutPrefix(iri, m.base)
	if !ok {
		t.Fatalf("%s is not below %s", iri, m.base)
	}
	return filepath.Join(m.folder, filepath.FromSlash(name))
}

// syntaxes are the formats by their names in the kinds of tests, and the format of results.
var syntaxes = []struct {
	name            string
	format, results rdf.Format
}{
	{"Turtle", rdf.Turtle, rdf.NTriples},
	{"Trig", rdf.TriG, rdf.NQuads},
	{"NTriples", rdf.NTriples, 0},
	{"NQuads", rdf.NQuads, 0},
	{"XML", rdf.RDFXML, rdf.NTriples},
}

// run runs one test by its kind.
func (m *manifest) run(t *testing.T, entry string) {
	kind := strings.TrimPrefix(m.one(t, entry, rdf.RDFType), rdftestNS+"Test")
	i := slices.IndexFunc(syntaxes, func(s struct {
		name            string
		format, results rdf.Format
	}) bool {
		return strings.HasPrefix(kind, s.name)
	})
	if i < 0 {
		t.Fatalf("there is no syntax for a %s", kind)
	}
	syntax := syntaxes[i]
	action := m.one(t, entry, manifestNS+"action")
	file := m.file(t, action)
	options := rdf.Options{Base: action}
	if syntax.results == 0 {
		options.Base = "" // lines have no relative IRIs
	}
	switch strings.TrimPrefix(kind, syntax.name) {
	case "PositiveSyntax":
		rdftest.ReadFile(t, file, syntax.format, options)
	case "NegativeSyntax", "NegativeEval":
		refused(t, file, syntax.format, options)
	case "Eval":
		got := rdftest.ReadFile(t, file, syntax.format, options)
		want := rdftest.ReadFile(t, m.file(t, m.one(t, entry, manifestNS+"result")), syntax.results, rdf.Options{})
		if diff := rdftest.Diff(want, got); diff != "" {
			t.Errorf("graph (-want +got):\n%s", diff)
		}
	default:
		t.Fatalf("there is no way to run a %s", kind)
	}
}
