package rdfgraph_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// surveyOf is the report of the only domain of a folder.
func surveyOf(t *testing.T, files fstest.MapFS, survey bool) rdfgraph.DomainReport {
	t.Helper()
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: files, Survey: survey})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	return b.Report(t.Context())[0]
}

// TestNothingIsCountedUnlessAskedFor holds that serving pays nothing for surveys.
func TestNothingIsCountedUnlessAskedFor(t *testing.T) {
	files := fstest.MapFS{"zoo.ttl": {Data: []byte("<https://zoo.test/1> a <https://zoo.test/Lion> .")}}
	if r := surveyOf(t, files, false); r.FileReports != nil || r.Findings != nil {
		t.Errorf("without Survey: %+v, %+v", r.FileReports, r.Findings)
	}
	if r := surveyOf(t, files, true); len(r.FileReports) != 1 || len(r.Findings) == 0 {
		t.Errorf("with Survey: %+v, %+v", r.FileReports, r.Findings)
	}
}

// TestAFileThatManyReadIsCountedOnce holds that what several goroutines count of one large
// file adds up.
func TestAFileThatManyReadIsCountedOnce(t *testing.T) {
	var text strings.Builder
	const n = 20_000
	for i := range n {
		fmt.Fprintf(&text, "<https://zoo.test/%d> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://zoo.test/Lion> .\n", i%(n/2))
		fmt.Fprintf(&text, "<https://zoo.test/%d> <https://zoo.test/age> \"x%d\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", i, n-i)
	}
	r := surveyOf(t, fstest.MapFS{"zoo.nt": {Data: []byte(text.String())}}, true)
	f := r.FileReports[0]
	if f.Statements != 2*n || f.Individuals.N != n/2 || f.Individuals.AtLeast || f.Bytes != int64(text.Len()) {
		t.Errorf("%+v", f)
	}
	for _, w := range r.Findings {
		if w.Kind == "bad-literals" && (w.Count != n || w.Examples[0] != `"x1"^^xsd:integer`) {
			t.Errorf("%+v", w)
		}
	}
}

// TestBrokenFilesAreNotAmongTheReports holds that what a file gave before its fault is not told.
func TestBrokenFilesAreNotAmongTheReports(t *testing.T) {
	r := surveyOf(t, fstest.MapFS{
		"bad.ttl":  {Data: []byte("<https://zoo.test/1> a <https://zoo.test/Lion> . <")},
		"good.ttl": {Data: []byte("<https://zoo.test/Lion> a <http://www.w3.org/2002/07/owl#Class> .")},
	}, true)
	if len(r.FileReports) != 1 || r.FileReports[0].Path != "good.ttl" || len(r.Problems) != 1 {
		t.Errorf("%+v, %v", r.FileReports, r.Problems)
	}
}
