package rdf_test

import (
	"path"
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

const (
	manifestNS = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	rdftestNS  = "http://www.w3.org/ns/rdftest#"
)

// TestW3C runs all tests of the W3C manifests for RDF 1.1 Turtle and N-Triples.
// entries is how many each had when it was taken over.
func TestW3C(t *testing.T) {
	for _, suite := range []struct {
		folder  string
		entries int
	}{
		{"rdf-turtle", 313},
		{"rdf-n-triples", 70},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			m := readManifest(t, domaintest.Shared(t, "w3c", "rdf", "rdf11", suite.folder, "manifest.ttl"), suite.folder)
			if len(m.entries) < suite.entries {
				t.Errorf("the manifest has %d entries, expected %d", len(m.entries), suite.entries)
			}
			for _, entry := range m.entries {
				t.Run(entry[len(m.base)+1:], func(t *testing.T) { m.run(t, entry) })
			}
		})
	}
}

// manifest is a W3C test manifest.
type manifest struct {
	folder  string
	base    string                // IRI of the manifest
	entries []string              // IRIs of its tests
	said    map[string][]rdf.Term // subject + " " + predicate → objects
}

func readManifest(t *testing.T, file, folder string) *manifest {
	t.Helper()
	m := &manifest{
		folder: filepath.Dir(file),
		base:   "https://w3c.github.io/rdf-tests/rdf/rdf11/" + folder + "/manifest.ttl",
		said:   make(map[string][]rdf.Term),
	}
	for _, q := range rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{Base: m.base}) {
		key := q.Subject.Value + " " + q.Predicate.Value
		m.said[key] = append(m.said[key], q.Object)
	}
	for list := m.one(t, m.base, manifestNS+"entries"); list != rdf.RDFNil; list = m.one(t, list, rdf.RDFRest) {
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

// run runs one test by its kind.
func (m *manifest) run(t *testing.T, entry string) {
	action := m.one(t, entry, manifestNS+"action")
	file := filepath.Join(m.folder, path.Base(action))
	switch kind := m.one(t, entry, rdf.RDFType); kind {
	case rdftestNS + "TestTurtlePositiveSyntax":
		rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{Base: action})
	case rdftestNS + "TestNTriplesPositiveSyntax":
		rdftest.ReadFile(t, file, rdf.NTriples, rdf.Options{})
	case rdftestNS + "TestTurtleNegativeSyntax", rdftestNS + "TestTurtleNegativeEval":
		refused(t, file, rdf.Turtle, rdf.Options{Base: action})
	case rdftestNS + "TestNTriplesNegativeSyntax":
		refused(t, file, rdf.NTriples, rdf.Options{})
	case rdftestNS + "TestTurtleEval":
		got := rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{Base: action})
		result := filepath.Join(m.folder, path.Base(m.one(t, entry, manifestNS+"result")))
		want := rdftest.ReadFile(t, result, rdf.NTriples, rdf.Options{})
		if diff := rdftest.Diff(want, got); diff != "" {
			t.Errorf("graph (-want +got):\n%s", diff)
		}
	default:
		t.Fatalf("there is no way to run a %s", kind)
	}
}
