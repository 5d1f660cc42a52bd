package rdftest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

const ring = "_:%[1]s%[2]d <http://e/p> _:%[1]s%[3]d .\n"

// rings are cycles of blank nodes, the sizes of which only a search can tell apart.
func rings(label string, sizes ...int) string {
	var text strings.Builder
	from := 0
	for _, size := range sizes {
		for i := range size {
			fmt.Fprintf(&text, ring, label, from+i, from+(i+1)%size)
		}
		from += size
	}
	return text.String()
}

func TestIsomorphic(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"nothing", "", "", true},
		{"order and repetition", "_:a <http://e/p> 1, 2, 1 .", "_:z <http://e/p> 2, 1 .", true},
		{"another value", "_:a <http://e/p> 1 .", "_:a <http://e/p> 2 .", false},
		{"another ground triple", "<http://e/a> <http://e/p> 1 .", "<http://e/a> <http://e/p> 01 .", false},
		{"one more", "_:a <http://e/p> 1 .", "_:a <http://e/p> 1 . _:b <http://e/p> 1 .", false},
		{"one or two nodes", "_:a <http://e/p> _:a .", "_:a <http://e/p> _:b .", false},
		{"direction", "_:a <http://e/p> _:b . _:b <http://e/p> 1 .", "_:a <http://e/p> _:b . _:a <http://e/p> 1 .", false},
		{"exchanged labels", "_:a <http://e/p> _:b . _:b <http://e/q> _:a .", "_:b <http://e/p> _:a . _:a <http://e/q> _:b .", true},
		{"a literal that looks like a node", `_:a <http://e/p> "_:a" .`, `_:b <http://e/p> "_:b" .`, false},
		{"rings of equal size", rings("a", 3, 3), rings("b", 3, 3), true},
		{"rings of other sizes", rings("a", 3, 3), rings("b", 2, 4), false},
		{"one ring", rings("a", 6), rings("b", 3, 3), false},
		{"rings in another order", rings("a", 2, 3, 4), rings("b", 4, 2, 3), true},
	} {
		a := rdftest.ReadString(t, c.a, rdf.Turtle, rdf.Options{})
		b := rdftest.ReadString(t, c.b, rdf.Turtle, rdf.Options{})
		if got := rdftest.Isomorphic(a, b); got != c.want {
			t.Errorf("%s: isomorphic is %v", c.name, got)
		}
		slices.Reverse(b)
		if got := rdftest.Diff(b, a) == ""; got != c.want {
			t.Errorf("%s: Diff is empty is %v", c.name, got)
		}
	}
}

func TestDiffNamesQuads(t *testing.T) {
	a := rdftest.ReadString(t, `<http://e/a> <http://e/p> 1, 2 .`, rdf.Turtle, rdf.Options{})
	b := rdftest.ReadString(t, `<http://e/a> <http://e/p> 1, "2" .`, rdf.Turtle, rdf.Options{})
	want := `- <http://e/a> <http://e/p> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .`
	if diff := rdftest.Diff(a, b); !strings.Contains(diff, want) || !strings.Contains(diff, `+ <http://e/a> <http://e/p> "2" .`) {
		t.Errorf("Diff is\n%s, expected a line\n%s", diff, want)
	}
}

// Graphs and triple terms count.
func TestQuadsAndTripleTerms(t *testing.T) {
	about := func(label string) rdf.Quad {
		inner := &rdf.Triple{Subject: rdf.NewBlank(label), Predicate: rdf.NewIRI("http://e/p"), Object: rdf.NewBlank(label)}
		return rdf.Quad{
			Triple: rdf.Triple{Subject: rdf.NewIRI("http://e/s"), Predicate: rdf.NewIRI("http://e/p"), Object: rdf.Term{Kind: rdf.TripleTerm, Triple: inner}},
			Graph:  rdf.NewBlank(label),
		}
	}
	if !rdftest.Isomorphic([]rdf.Quad{about("a")}, []rdf.Quad{about("b")}) {
		t.Error("a renaming reaches neither graphs nor triple terms")
	}
	other := about("b")
	other.Graph = rdf.NewBlank("c")
	if rdftest.Isomorphic([]rdf.Quad{about("a")}, []rdf.Quad{other}) {
		t.Error("another graph name makes no difference")
	}
}
