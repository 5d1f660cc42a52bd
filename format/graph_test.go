package format_test

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
)

// graph is a small graph in memory: the Facts of the tests, and what an ontology
// is built from. It is simple rather than fast, and counts the entities it read.
type graph struct {
	triples  []rdf.Triple
	out, in  map[rdf.Term][]rdf.Triple // by subject and by object
	by       map[rdf.Term][]rdf.Triple // by predicate
	ontology *domains.Ontology
	terms    owl.Terms
	shown    map[string]string // IRI → the IRI of its entity
	infos    []domains.Info    // what list_domains lists
	versions []domains.Version // what list_domain_versions lists
	read     int               // entities that a walk has yielded
	// suggestions are what a search that finds nothing suggests; nil for the labels
	// near to its text.
	suggestions []string
	contexts    []domains.ClassContext // what its classes have besides facts
	answers     map[string]string      // name → what a domain's other abilities answer, as JSON
}

// load reads Turtle. It returns a domain "test", version 1.
func load(t testing.TB, turtle string) (*domains.Domain, *graph) {
	t.Helper()
	g := &graph{}
	var prefixes []rdf.Prefix
	err := rdf.Read(strings.NewReader(turtle), rdf.Turtle, rdf.Options{File: "in.ttl", Base: "https://test.invalid/",
		Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) }}, func(q rdf.Quad) error {
		g.triples = append(g.triples, q.Triple)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return g.domain(prefixes), g
}

// domain indexes the triples.
func (g *graph) domain(prefixes []rdf.Prefix) *domains.Domain {
	g.out, g.in, g.by = map[rdf.Term][]rdf.Triple{}, map[rdf.Term][]rdf.Triple{}, map[rdf.Term][]rdf.Triple{}
	slices.SortFunc(g.triples, func(a, b rdf.Triple) int {
		return cmp.Or(termCmp(a.Subject, b.Subject), termCmp(a.Predicate, b.Predicate), termCmp(a.Object, b.Object))
	})
	g.triples = slices.Compact(g.triples)
	for _, t := range g.triples {
		g.out[t.Subject] = append(g.out[t.Subject], t)
		g.in[t.Object] = append(g.in[t.Object], t)
		g.by[t.Predicate] = append(g.by[t.Predicate], t)
	}
	var err error
	if g.ontology, g.terms, err = owl.Build(context.Background(), g, owl.Options{Prefixes: prefixes}); err != nil {
		panic(err)
	}
	g.merge()
	return &domains.Domain{
		Info: domains.Info{Name: "test", HasGraph: true}, Version: "1", Revision: "r1", Facts: g,
		Ontology: func(context.Context) (*domains.Ontology, error) { return g.ontology, nil },
		Status: func(context.Context) (*domains.Status, error) {
			return &domains.Status{Graph: "test_V1", HasData: true, Triples: len(g.triples)}, nil
		},
	}
}

func termCmp(a, b rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Datatype, b.Datatype), cmp.Compare(a.Kind, b.Kind))
}

// merge finds the IRIs that are one entity, and the one to show.
func (g *graph) merge() {
	g.shown = map[string]string{}
	var iris []string
	for s := range g.out {
		if s.Kind == rdf.IRI {
			iris = append(iris, s.Value)
		}
	}
	slices.SortFunc(iris, func(a, b string) int {
		return cmp.Or(len(g.out[rdf.NewIRI(b)])-len(g.out[rdf.NewIRI(a)]), len(b)-len(a), cmp.Compare(a, b))
	})
	if len(iris) > 200 {
		return // comparing all pairs is for small graphs
	}
	for i, a := range iris {
		for _, b := range iris[:i] {
			if domains.SameEntity(g.identity(a), g.identity(b), g.ontology) {
				g.shown[a] = g.shownIRI(b)
			}
		}
	}
}

func (g *graph) identity(iri string) domains.Identity {
	id := domains.Identity{IRI: iri}
	for _, t := range g.out[rdf.NewIRI(iri)] {
		switch t.Predicate.Value {
		case rdf.RDFType:
			id.Types = append(id.Types, t.Object.Value)
		case rdf.OWLSameAs:
			id.SameAs = append(id.SameAs, t.Object.Value)
		}
	}
	return id
}

func (g *graph) shownIRI(iri string) string {
	if s, ok := g.shown[iri]; ok {
		return s
	}
	return iri
}

// Match, Predicates, Objects and Values make the graph an owl.Graph.

func (g *graph) Match(s, p, o rdf.Term) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		triples := g.triples
		switch {
		case !s.IsZero():
			triples = g.out[s]
		case !o.IsZero():
			triples = g.in[o]
		case !p.IsZero():
			triples = g.by[p]
		}
		for _, t := range triples {
			if (s.IsZero() || t.Subject == s) && (p.IsZero() || t.Predicate == p) && (o.IsZero() || t.Object == o) && !yield(t) {
				return
			}
		}
	}
}

func (g *graph) Predicates() iter.Seq[rdf.Term] {
	return distinct(g.triples, func(t rdf.Triple) (rdf.Term, bool) { return t.Predicate, true })
}

func (g *graph) Objects(p rdf.Term) iter.Seq[rdf.Term] {
	return distinct(g.triples, func(t rdf.Triple) (rdf.Term, bool) { return t.Object, t.Predicate == p })
}

func (g *graph) Values(p rdf.Term) (literals, resources bool) {
	for t := range g.Match(rdf.Term{}, p, rdf.Term{}) {
		literals = literals || t.Object.Kind == rdf.Literal
		resources = resources || t.Object.Kind != rdf.Literal
	}
	return literals, resources
}

func distinct(triples []rdf.Triple, pick func(rdf.Triple) (rdf.Term, bool)) iter.Seq[rdf.Term] {
	return func(yield func(rdf.Term) bool) {
		seen := map[rdf.Term]bool{}
		for _, t := range triples {
			if term, ok := pick(t); ok && !seen[term] {
				seen[term] = true
				if !yield(term) {
					return
				}
			}
		}
	}
}

// aliases are the IRIs of an entity, the shown one first.
func (g *graph) aliases(iri string) []string {
	iris := []string{iri}
	for other, s := range g.shown {
		if s == iri {
			iris = append(iris, other)
		}
	}
	slices.Sort(iris[1:])
	return iris
}
