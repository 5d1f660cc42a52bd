package ontobricks

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// A Walk showed what the last Find had read, whoever had asked it.
func TestWalkDependsOnItsQuestionAlone(t *testing.T) {
	f, s := serve(t, customerSchema(), customers())
	alone, _ := walked(t, f, nil, []string{"Customer/C1"}, 1)
	m, hits := find(t, f, domains.Query{Text: "Ann Lee", Depth: 1})
	with, _ := walked(t, f, m.Read, hits, 1)
	find(t, f, domains.Query{Text: "Main account", Depth: 1})
	find(t, f, domains.Query{Text: "42", Depth: 2})
	for _, later := range []struct {
		read  domains.Reading
		want  []string
		asked int
	}{{nil, alone, 1}, {m.Read, with, 0}} {
		s.asked = nil
		got, _ := walked(t, f, later.read, []string{"Customer/C1"}, 1)
		if diff := cmp.Diff(later.want, got); diff != "" || len(s.asked) != later.asked {
			t.Errorf("after other Finds, having read %v (-before +now), asked %d times:\n%s", later.read, len(s.asked), diff)
		}
	}
}

// The service gives the triples of what is within the depth alone, so who else leads to
// the outermost entities is not known, and that is told.
func TestIncomingOfTheOutermostIsNotAll(t *testing.T) {
	f, _ := serve(t, customerSchema(), append(customers(), [3]string{base + "Customer/C9", base + "hasAccount", base + "Account/A1"}))
	for depth, want := range map[int]map[string]bool{
		0: {"Customer/C1": false}, 1: {"Customer/C1": false, "Account/A1": true}, 2: {"Customer/C1": false, "Account/A1": false, "Customer/C2": false},
	} {
		m, hits := find(t, f, domains.Query{Text: "Ann Lee", Depth: depth})
		_, entities := walked(t, f, m.Read, hits, depth)
		for _, e := range entities {
			for _, fact := range e.Facts {
				atLeast, told := want[short(e.IRI)]
				if told && fact.AtLeast != (atLeast && fact.Incoming) {
					t.Errorf("depth %d, %s: %+v", depth, short(e.IRI), fact)
				}
			}
		}
	}
}

// A service that does not order its triples makes no more work than others.
func TestDisorderIsLinear(t *testing.T) {
	const n = 200
	var triples []wire.Triple
	for i := range n {
		triples = append(triples, wire.Triple{Subject: base + "hub", Predicate: lab, Object: fmt.Sprint("x", i)},
			wire.Triple{Subject: fmt.Sprint(base, i), Predicate: lab, Object: "y"})
	}
	f := factsOf(empty(), func(context.Context, findParams) (*wire.Found, error) {
		return &wire.Found{Success: true, Triples: triples}, nil
	})
	r := f.newReading(domains.Query{})
	r.question(nil, "ann")
	if err := r.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	looked := 0
	r.rule.label = func(string) bool { looked++; return false }
	s := selection{read: r, graph: newGraph(empty(), r.triples), text: "ann"}
	if found, err := s.found(t.Context()); err != nil || len(found) > 0 || looked != 2*n {
		t.Errorf("%d labels of %d looked at, found %d, %v", looked, 2*n, len(found), err)
	}
}

// A walk that goes further than what was read, or from elsewhere, asks; together with the
// Find no more often than one may.
func TestWalkBeyondWhatWasRead(t *testing.T) {
	f, s := serve(t, customerSchema(), customers())
	m, hits := find(t, f, domains.Query{Text: "Main account", Depth: 1})
	names, _ := walked(t, f, m.Read, hits, 2)
	if diff := cmp.Diff([]string{"0 Account/A1", "1 Customer/C1", "2 Customer/C2"}, names); diff != "" || len(s.asked) != 2 {
		t.Errorf("asked %d times (-want +got):\n%s", len(s.asked), diff)
	}
	f.pages, s.asked = 3, nil
	m, _ = find(t, f, domains.Query{Text: "Main account", Depth: 1})
	names, _ = walked(t, f, m.Read, []string{"Order/42", "Account/A1", "Nobody/1"}, 0)
	if diff := cmp.Diff([]string{"0 Order/42", "0 Account/A1"}, names); diff != "" || len(s.asked) != 3 {
		t.Errorf("asked %d times (-want +got):\n%s", len(s.asked), diff)
	}
	s.asked = nil
	for e, err := range f.Walk(t.Context(), []string{base + "a", base + "b", base + "c", base + "d"}, domains.WalkOptions{Fanout: 1}) {
		if !errors.Is(err, domains.ErrLimit) || len(s.asked) != 3 {
			t.Errorf("asked %d times, got %+v, %v", len(s.asked), e, err)
		}
	}
}
