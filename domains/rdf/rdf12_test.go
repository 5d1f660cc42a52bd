package rdf_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// Triples inside triples are read as deep as brackets, and no deeper.
func TestDepthOfTriples(t *testing.T) {
	for _, c := range []struct {
		name        string
		format      rdf.Format
		open, close string
	}{
		{"triple terms in N-Triples", rdf.NTriples, "<<( <http://e/s> <http://e/p> ", " )>>"},
		{"triple terms in N-Quads", rdf.NQuads, "<<( <http://e/s> <http://e/p> ", " )>>"},
		{"reified triples", rdf.Turtle, "<< <http://e/s> <http://e/p> ", " >>"},
		{"annotations", rdf.TriG, "<http://e/o> {| <http://e/p> ", " |}"},
	} {
		nested := func(depth int) string {
			return "<http://e/s> <http://e/p> " + strings.Repeat(c.open, depth) + "<http://e/o>" + strings.Repeat(c.close, depth) + " ."
		}
		if _, err := rdftest.Parse(nested(rdf.MaxDepth), c.format, rdf.Options{}); err != nil {
			t.Errorf("%s, deepest: %.200v", c.name, err)
		}
		if _, err := rdftest.Parse(nested(rdf.MaxDepth+1), c.format, rdf.Options{}); err == nil || !strings.Contains(err.Error(), "nested deeper than 500") {
			t.Errorf("%s, too deep: %.200v", c.name, err)
		}
	}
}

// A base direction is part of a literal.
func TestDirection(t *testing.T) {
	quads := rdftest.ReadString(t, `_:a <http://e/p> "a"@ar--rtl, "a"@ar, "a"@ar--ltr .`, rdf.Turtle, rdf.Options{})
	var got []string
	for _, q := range quads {
		got = append(got, q.Object.Lang+" "+q.Object.Dir)
	}
	if want := "[ar rtl ar  ar ltr]"; fmt.Sprint(got) != want {
		t.Errorf("read %v, expected %s", got, want)
	}
}

// Triples inside graphs belong to them, also those of brackets, collections and
// annotations; and the default graph comes back after one.
func TestGraphsOfTriG(t *testing.T) {
	text := `PREFIX : <http://e/>
:a :p 1 .
:g { :a :p [ :q (1) ] {| :r 2 |} . << :a :p :b >> . }
{ :a :p 3 }
GRAPH _:h { :a :p 4 }
[] { :a :p 5 . }
[ :p 6 ] .
`
	graphs := map[string]int{}
	for _, q := range rdftest.ReadString(t, text, rdf.TriG, rdf.Options{}) {
		graphs[q.Graph.String()]++
	}
	want := map[string]int{"": 3, "<http://e/g>": 7, "_:h": 1, "_:g5": 1}
	if fmt.Sprint(graphs) != fmt.Sprint(want) {
		t.Errorf("graphs %v, expected %v", graphs, want)
	}
}

// Labels that only XML has are distinct ones that all syntaxes have.
func TestNodeIDsThatEndWithDots(t *testing.T) {
	var text strings.Builder
	text.WriteString(`<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:e="http://e/">`)
	for _, name := range []string{"a", "a.", "a._", "a_", "a.b", "g1", "g_1"} {
		fmt.Fprintf(&text, `<e:A rdf:nodeID=%q/>`, name)
	}
	var lines strings.Builder
	for _, q := range rdftest.ReadString(t, text.String()+`</rdf:RDF>`, rdf.RDFXML, rdf.Options{}) {
		lines.WriteString(q.Triple.String() + "\n")
	}
	labels := map[string]bool{}
	for _, q := range rdftest.ReadString(t, lines.String(), rdf.NTriples, rdf.Options{}) {
		labels[q.Subject.Value] = true
	}
	if len(labels) != 7 {
		t.Errorf("%d labels of 7 nodes:\n%s", len(labels), &lines)
	}
}
