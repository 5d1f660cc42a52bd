package owl

import (
	"cmp"
	"iter"
	"slices"

	"github.com/ontogate/ontogate/domains/rdf"
)

// MemoryGraph is a Graph in memory, for triples that are an ontology and little
// else: a back end with a store of its own has no need of it. It is immutable and may
// be used concurrently.
type MemoryGraph struct {
	triples     []rdf.Triple         // by subject, predicate, object, each once
	bySubject   map[rdf.Term]span    // run of triples
	byPredicate map[rdf.Term][]int32 // indexes of triples, ascending
	byObject    map[rdf.Term][]int32 // indexes of triples, ascending
	predicates  []rdf.Term           // in order
}

// span is a run of triples: from its first up to, and without, its end.
type span struct{ first, end int }

// NewMemoryGraph returns the graph of triples, in any order and with repetitions. It
// takes the slice over. It holds at most 2³¹−1 triples.
func NewMemoryGraph(triples []rdf.Triple) *MemoryGraph {
	slices.SortFunc(triples, compareTriples)
	g := &MemoryGraph{
		triples:   slices.Compact(triples),
		bySubject: map[rdf.Term]span{}, byPredicate: map[rdf.Term][]int32{}, byObject: map[rdf.Term][]int32{},
	}
	for i, t := range g.triples {
		run, ok := g.bySubject[t.Subject]
		if !ok {
			run.first = i
		}
		run.end = i + 1
		g.bySubject[t.Subject] = run
		g.byPredicate[t.Predicate] = append(g.byPredicate[t.Predicate], int32(i))
		g.byObject[t.Object] = append(g.byObject[t.Object], int32(i))
	}
	for p := range g.byPredicate {
		g.predicates = append(g.predicates, p)
	}
	slices.SortFunc(g.predicates, compareTerms)
	return g
}

func compareTriples(a, b rdf.Triple) int {
	return cmp.Or(compareTerms(a.Subject, b.Subject), compareTerms(a.Predicate, b.Predicate), compareTerms(a.Object, b.Object))
}

// Len counts the triples.
func (g *MemoryGraph) Len() int { return len(g.triples) }

// Match implements Graph, in the order of subjects, predicates and objects.
func (g *MemoryGraph) Match(s, p, o rdf.Term) iter.Seq[rdf.Triple] {
	fits := func(t rdf.Triple) bool {
		return (s.IsZero() || t.Subject == s) && (p.IsZero() || t.Predicate == p) && (o.IsZero() || t.Object == o)
	}
	return func(yield func(rdf.Triple) bool) {
		for t := range g.candidates(s, p, o) {
			if fits(t) && !yield(t) {
				return
			}
		}
	}
}

// candidates yields the triples among which those of a pattern are: the run of the
// subject, or the shorter list of predicate and object.
func (g *MemoryGraph) candidates(s, p, o rdf.Term) iter.Seq[rdf.Triple] {
	switch {
	case !s.IsZero():
		run := g.bySubject[s]
		return slices.Values(g.triples[run.first:run.end])
	case p.IsZero() && o.IsZero():
		return slices.Values(g.triples)
	}
	list := g.byPredicate[p]
	if objects := g.byObject[o]; p.IsZero() || !o.IsZero() && len(objects) < len(list) {
		list = objects
	}
	return func(yield func(rdf.Triple) bool) {
		for _, i := range list {
			if !yield(g.triples[i]) {
				return
			}
		}
	}
}

// Count is the number of triples that Match yields.
func (g *MemoryGraph) Count(s, p, o rdf.Term) int {
	n := 0
	for range g.Match(s, p, o) {
		n++
	}
	return n
}

// Predicates implements Graph, in the order of terms.
func (g *MemoryGraph) Predicates() iter.Seq[rdf.Term] { return slices.Values(g.predicates) }

// Objects implements Graph, in the order in which Match gives them.
func (g *MemoryGraph) Objects(p rdf.Term) iter.Seq[rdf.Term] {
	return func(yield func(rdf.Term) bool) {
		seen := map[rdf.Term]bool{}
		for _, i := range g.byPredicate[p] {
			o := g.triples[i].Object
			if seen[o] {
				continue
			}
			seen[o] = true
			if !yield(o) {
				return
			}
		}
	}
}

// Values implements Graph.
func (g *MemoryGraph) Values(p rdf.Term) (literals, resources bool) {
	for _, i := range g.byPredicate[p] {
		if g.triples[i].Object.Kind == rdf.Literal {
			literals = true
		} else {
			resources = true
		}
		if literals && resources {
			break
		}
	}
	return literals, resources
}
