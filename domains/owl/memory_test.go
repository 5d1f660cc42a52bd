package owl_test

import (
	"bytes"
	"iter"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// TestMemoryGraphGivesTheSameOntology holds that an ontology does not depend on what
// it is read from: the embedded store or a graph in memory.
func TestMemoryGraphGivesTheSameOntology(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want, wantTerms := build(t, graphOf(t, a.Files[0].Data), owl.Options{})
			got, gotTerms := build(t, owl.NewMemoryGraph(triplesOf(t, a.Files[0].Data)), owl.Options{})
			if diff := cmp.Diff(model(want), model(got)); diff != "" {
				t.Errorf("model (-store +memory):\n%s", diff)
			}
			if diff := cmp.Diff(wantTerms, gotTerms); diff != "" {
				t.Errorf("terms (-store +memory):\n%s", diff)
			}
			if diff := cmp.Diff(subjects(want), subjects(got)); diff != "" {
				t.Errorf("subjects (-store +memory):\n%s", diff)
			}
		})
	}
}

func triplesOf(t *testing.T, text []byte) []rdf.Triple {
	t.Helper()
	var out []rdf.Triple
	err := rdf.Read(bytes.NewReader(text), rdf.Turtle, rdf.Options{Base: "http://e/"}, func(q rdf.Quad) error {
		out = append(out, q.Triple)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMemoryGraph covers every pattern, repetitions and the order.
func TestMemoryGraph(t *testing.T) {
	a, b, p, q, x := rdf.NewIRI("urn:a"), rdf.NewIRI("urn:b"), rdf.NewIRI("urn:p"), rdf.NewIRI("urn:q"), rdf.NewString("x")
	apb, apx, aqb, bpb := rdf.Triple{Subject: a, Predicate: p, Object: b}, rdf.Triple{Subject: a, Predicate: p, Object: x},
		rdf.Triple{Subject: a, Predicate: q, Object: b}, rdf.Triple{Subject: b, Predicate: p, Object: b}
	all := []rdf.Triple{apb, apx, aqb, bpb}
	g := owl.NewMemoryGraph([]rdf.Triple{bpb, apx, aqb, apb, apx})
	if g.Len() != len(all) {
		t.Errorf("Len is %d, want %d", g.Len(), len(all))
	}
	anything := []rdf.Term{{}, a, b, p, q, x}
	for _, s := range anything {
		for _, pr := range anything {
			for _, o := range anything {
				var want []rdf.Triple
				for _, tr := range all {
					if (s.IsZero() || tr.Subject == s) && (pr.IsZero() || tr.Predicate == pr) && (o.IsZero() || tr.Object == o) {
						want = append(want, tr)
					}
				}
				if diff := cmp.Diff(want, slices.Collect(g.Match(s, pr, o))); diff != "" {
					t.Errorf("Match(%v, %v, %v) (-want +got):\n%s", s, pr, o, diff)
				}
			}
		}
	}
	if diff := cmp.Diff([]rdf.Term{p, q}, slices.Collect(g.Predicates())); diff != "" {
		t.Errorf("Predicates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]rdf.Term{b, x}, slices.Collect(g.Objects(p))); diff != "" {
		t.Errorf("Objects (-want +got):\n%s", diff)
	}
	for term, want := range map[rdf.Term][2]bool{p: {true, true}, q: {false, true}, x: {false, false}} {
		literals, resources := g.Values(term)
		if got := [2]bool{literals, resources}; got != want {
			t.Errorf("Values(%v) = %v, want %v", term, got, want)
		}
	}
	for range firstOf(g.Objects(p)) {
	}
	for range firstOf(g.Match(rdf.Term{}, p, rdf.Term{})) {
	}
}

// firstOf stops a sequence after its first element.
func firstOf[T any](seq iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range seq {
			yield(v)
			return
		}
	}
}
