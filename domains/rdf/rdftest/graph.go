// Package rdftest compares graphs in tests. Blank nodes have no identity across
// graphs, so that two graphs are the same when some renaming of the one's blank nodes makes
// them equal: when they are isomorphic (RDF 1.1 Concepts §3.6).
package rdftest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
)

// ReadFile reads a file and fails the test where that is not possible.
func ReadFile(t testing.TB, file string, f rdf.Format, o rdf.Options) []rdf.Quad {
	t.Helper()
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if o.File == "" {
		o.File = file
	}
	var quads []rdf.Quad
	err = rdf.Read(r, f, o, func(q rdf.Quad) error {
		quads = append(quads, q)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return quads
}

// ReadString reads a text as ReadFile does a file.
func ReadString(t testing.TB, text string, f rdf.Format, o rdf.Options) []rdf.Quad {
	t.Helper()
	quads, err := Parse(text, f, o)
	if err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	return quads
}

// Parse reads a text and returns what it holds, up to the error.
func Parse(text string, f rdf.Format, o rdf.Options) ([]rdf.Quad, error) {
	var quads []rdf.Quad
	err := rdf.Read(strings.NewReader(text), f, o, func(q rdf.Quad) error {
		quads = append(quads, q)
		return nil
	})
	return quads, err
}

// Triples are the triples of quads, for those who don't ask for graphs.
func Triples(quads []rdf.Quad) []rdf.Triple {
	triples := make([]rdf.Triple, len(quads))
	for i, q := range quads {
		triples[i] = q.Triple
	}
	return triples
}

// Diff is empty when two graphs are isomorphic; otherwise it lists, in the manner
// of cmp.Diff, the quads that only one of them has. Where it is blank nodes alone that
// don't match, it lists the quads that have one. Order and repetition don't count.
func Diff(want, got []rdf.Quad) string {
	w, g := newGraph(want), newGraph(got)
	if w.isomorphic(g) {
		return ""
	}
	var lines []string
	for key := range w.ground {
		if !g.ground[key] {
			lines = append(lines, "- "+key)
		}
	}
	for key := range g.ground {
		if !w.ground[key] {
			lines = append(lines, "+ "+key)
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
	if len(lines) > 0 && len(w.blank) == len(g.blank) {
		return strings.Join(lines, "\n") + "\n"
	}
	for _, e := range w.blank {
		lines = append(lines, "- "+line(e.quad))
	}
	for _, e := range g.blank {
		lines = append(lines, "+ "+line(e.quad))
	}
	return fmt.Sprintf("graphs of %d and %d quads are not isomorphic:\n%s\n", w.size(), g.size(), strings.Join(lines, "\n"))
}

// Isomorphic reports whether two graphs are isomorphic. Order and repetition don't
// count.
func Isomorphic(a, b []rdf.Quad) bool { return newGraph(a).isomorphic(newGraph(b)) }

// line is a quad as a line of N-Quads.
func line(q rdf.Quad) string {
	if q.Graph.IsZero() {
		return q.Triple.String()
	}
	return q.Subject.String() + " " + q.Predicate.String() + " " + q.Object.String() + " " + q.Graph.String() + " ."
}
