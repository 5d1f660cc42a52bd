package rdfgraph_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// noNetwork refuses every request.
type noNetwork struct{ t *testing.T }

func (n noNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("%s %s was asked", r.Method, r.URL)
	return nil, errors.New("there is no network")
}

// alone makes every request of the program's an error of the test.
func alone(t *testing.T) http.RoundTripper {
	before := http.DefaultTransport
	http.DefaultTransport = noNetwork{t}
	t.Cleanup(func() { http.DefaultTransport = before })
	return http.DefaultTransport
}

// TestImportsAreNeverFetched holds row 116 of the user pains: an import is no request, whatever
// names it: the address of a server that listens, a catalogue that maps to it, the context of a
// JSON-LD file.
func TestImportsAreNeverFetched(t *testing.T) {
	var asked atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer web.Close()
	dir := t.TempDir()
	write(t, dir, "d/a.ttl", ontology("http://e.org/a", web.URL+"/o", web.URL+"/lost.ttl#", "http://e.org/mapped"))
	write(t, dir, "d/catalog-v001.xml", fmt.Sprintf(`<catalog><uri name="http://e.org/mapped" uri="%s/o"/><nextCatalog catalog="%[1]s/next.xml"/></catalog>`, web.URL))
	write(t, dir, "d/b.jsonld", fmt.Sprintf(`{"@context": %q, "@id": "http://e.org/b"}`, web.URL+"/context"))
	write(t, dir, "d/c.rdf", fmt.Sprintf(`<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "%s/x">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="%[1]s/">
<rdf:Description rdf:about="c"><imports xmlns="http://www.w3.org/2002/07/owl#" rdf:resource="o2"/></rdf:Description></rdf:RDF>`, web.URL))
	write(t, dir, "p/x.ttl", ontology("http://e.org/x", web.URL+"/x"))
	b := newBackend(t, rdfgraph.Config{Dir: dir, OntologyPath: []string{filepath.Join(dir, "p")}, Transport: alone(t)})
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := b.Report(t.Context())[0]
	if n := asked.Load(); n != 0 || len(r.Imports.Missing) < 3 {
		t.Errorf("%d requests, missing %v", n, r.Imports.Missing)
	}
}

// TestFIBOLoadsOffline holds row 115 of the user pains: the folder of FIBO with its catalogue
// loads without a network, and lists what it imports and lacks.
func TestFIBOLoadsOffline(t *testing.T) {
	dir := domaintest.Shared(t, "data", "ontologies", "fibo")
	r := newBackend(t, rdfgraph.Config{Dir: dir, Transport: alone(t)}).Report(t.Context())[0]
	if !r.Usable || r.Files != 9 || len(r.Problems) > 0 {
		t.Fatalf("usable %v, %d files, problems %v", r.Usable, r.Files, r.Problems)
	}
	for _, i := range r.Imports.Found {
		want(t, i.IRI, filepath.Base(strings.TrimSuffix(i.IRI, "/"))+".rdf", i.File)
	}
	summed := 0
	for _, p := range r.Imports.Notes {
		if strings.HasPrefix(p.Message, "271 entries name files that are not there, ") {
			summed++
		}
	}
	if n := len(r.Imports.Missing); n != 38 || len(r.Imports.Notes) != n+1 || summed != 1 || len(r.Imports.Found) != 4 {
		t.Errorf("%d imports found, %d missing; %d notes, %d that sum up", len(r.Imports.Found), n, len(r.Imports.Notes), summed)
	}
	want(t, "order of notes", true, slices.IsSortedFunc(r.Imports.Notes, func(a, b domains.Problem) int { return strings.Compare(a.File, b.File) }))
}

// TestQUDTLoadsWithANoteForEachImport holds row 118 of the user pains: vocabularies import
// addresses that answer nothing.
func TestQUDTLoadsWithANoteForEachImport(t *testing.T) {
	dir := domaintest.Shared(t, "data", "ontologies", "qudt")
	r := newBackend(t, rdfgraph.Config{Dir: dir, Transport: alone(t)}).Report(t.Context())[0]
	if !r.Usable || r.Files != 2 || len(r.Problems) > 0 || len(r.Imports.Missing) != 6 || len(r.Imports.Notes) != 6 {
		t.Errorf("usable %v, %d files, problems %v, missing %v, notes %v", r.Usable, r.Files, r.Problems, r.Imports.Missing, r.Imports.Notes)
	}
	for _, missing := range r.Imports.Missing {
		if !slices.ContainsFunc(r.Imports.Notes, func(n domains.Problem) bool {
			return n.File == missing.By[0] && strings.Contains(n.Message, "<"+missing.IRI+">") && strings.Contains(n.Message, "--ontology-path")
		}) {
			t.Errorf("%s: notes %v", missing.IRI, r.Imports.Notes)
		}
	}
}

// TestCatalogueEntryWithoutFileIsNamed holds row 119 of the user pains, like
// testdata/imports/missing_entries.txtar: a typo in a catalogue is a line with its place.
func TestCatalogueEntryWithoutFileIsNamed(t *testing.T) {
	r := newBackend(t, rdfgraph.Config{FS: fstest.MapFS{
		"domain.yaml":        {},
		"a.ttl":              {Data: []byte(ontology("http://e.org/a", "http://e.org/food"))},
		"catalog-v001.xml":   {Data: []byte("<catalog>\n <uri name='http://e.org/food' uri='fod.ttl'/>\n</catalog>")},
		"unrelated/food.ttl": {Data: []byte(ontology("http://e.org/another-food"))},
	}}).Report(t.Context())[0]
	got := ""
	for _, p := range r.Imports.Notes {
		got += p.String()
	}
	want(t, "notes", `catalog-v001.xml:2:2: owl:imports <http://e.org/food> in a.ttl: the file "fod.ttl" does not exist: correct this entry, or put a file with this ontology IRI into the folder or on --ontology-path`, got)
	want(t, "usable", true, r.Usable && len(r.Problems) == 0)
}

// TestRelativeIRIsNeverNameTheServer holds row 121 of the user pains: what is relative is read
// against the domain's base or one that is made up, in every syntax, and never against the
// folder of the server. A warning says so.
func TestRelativeIRIsNeverNameTheServer(t *testing.T) {
	files := map[string]string{
		"a.ttl":    `<x> a <../../../C> ; <p> <>, <#f>, </g>, "1"^^<t> .`,
		"a.trig":   `<x> a <C> . <g> { <y> <p> <> }`,
		"a.rdf":    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/"><rdf:Description rdf:about="x" rdf:type="C"><e:p rdf:resource=""/><e:q rdf:ID="i">1</e:q></rdf:Description></rdf:RDF>`,
		"a.jsonld": `{"@context": {"@vocab": "#"}, "@id": "x", "@type": "C", "p": {"@id": ""}}`,
	}
	for file, text := range files {
		for _, base := range []string{"", "https://e.org/base/"} {
			dir := filepath.Join(t.TempDir(), "zoo")
			write(t, dir, "sub/"+file, text)
			want, warnings := "https://zoo.invalid/", 1
			if base != "" {
				write(t, dir, "domain.yaml", "base: "+base+"\n")
				want, warnings = base, 0
			}
			_, s, err := rdfgraph.ContentOf(t.Context(), os.DirFS(dir), want)
			if err != nil {
				t.Fatal(err)
			}
			if s.Len() == 0 {
				t.Errorf("%s: nothing was read", file)
			}
			for triple := range s.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
				if line := triple.String(); strings.Contains(line, "file:") || strings.Contains(line, filepath.ToSlash(dir)) || strings.Contains(line, "/sub/") {
					t.Errorf("%s: %s", file, line)
				}
			}
			r := newBackend(t, rdfgraph.Config{Dir: dir}).Report(t.Context())[0]
			if len(r.Warnings) != warnings || len(r.Problems) > 0 || !r.Usable {
				t.Errorf("%s with base %q: warnings %v, problems %v", file, base, r.Warnings, r.Problems)
			}
			if _, ok := s.LookupIRI(want + "x"); !ok && base == "" {
				t.Errorf("%s: there is no %sx", file, want)
			}
		}
	}
}
