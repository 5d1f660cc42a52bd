package rdfgraph_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
)

// TestColumnsAgreeWithFacts holds that an entity is found, counted and shown alike by
// Facts and by Columns, in the samples, in published ontologies and in random graphs.
func TestColumnsAgreeWithFacts(t *testing.T) {
	domainsOf := func(t *testing.T, b *rdfgraph.Backend) {
		for d, err := range opened(t, b) {
			if err != nil {
				t.Fatal(err)
			}
			if d.Facts == nil || d.Columns == nil {
				continue
			}
			o, err := d.Ontology(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			agreement{t, d.Facts, d.Columns}.check(o.WithSubClasses)
		}
	}
	t.Run("samples", func(t *testing.T) { domainsOf(t, newBackend(t, rdfgraph.Config{FS: examples.FS()})) })
	for _, folder := range []string{"brick", "dcat-examples", "fibo", "go", "ies", "music", "owlapi", "pizza", "schemaorg", "skos"} {
		t.Run(folder, func(t *testing.T) {
			domainsOf(t, newBackend(t, rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", folder)}))
		})
	}
	t.Run("random", func(t *testing.T) {
		for seed := range uint64(100) {
			g := newRandomGraph(t, 1_000+seed, seed%2 == 1)
			agreement{t, g.facts, g.c}.check(func(class string) []string {
				if class == big+"ClassA" {
					return []string{class, big + "ClassB"}
				}
				return []string{class}
			})
			if t.Failed() {
				for _, triple := range g.naive.triples {
					t.Logf("%v", triple)
				}
				t.Fatalf("seed %d", 1_000+seed)
			}
		}
	})
}

// opened yields the domains of a back end.
func opened(t *testing.T, b *rdfgraph.Backend) func(yield func(*domains.Domain, error) bool) {
	return func(yield func(*domains.Domain, error) bool) {
		list, err := b.Domains(t.Context())
		if err != nil {
			yield(nil, err)
			return
		}
		for _, info := range list {
			d, err := b.Open(t.Context(), info.Name)
			if err != nil {
				t.Logf("%s: %v", info.Name, err)
				continue
			}
			if !yield(d, nil) {
				return
			}
		}
	}
}

// agreement compares the two ways to read a graph.
type agreement struct {
	*testing.T
	facts domains.Facts
	c     domains.Columns
}

// check compares counts, and some entities of each class; below gives the classes below
// one, itself included.
func (a agreement) check(below func(string) []string) {
	a.Helper()
	stats, err := a.facts.Stats(a.Context())
	if err != nil {
		a.Fatal(err)
	}
	for i, n := range stats.Types {
		if got := a.count([]string{n.IRI}); got != n.Count {
			a.Errorf("%s has %d instances, Stats say %d", n.IRI, got, n.Count)
		}
		if got := a.count(below(n.IRI)); n.Below > 0 && got != n.Below || n.Below == 0 && got != n.Count {
			a.Errorf("%s and below has %d instances, Stats say %d", n.IRI, got, n.Below)
		}
		if i < 40 {
			a.checkEntities(n.IRI)
		}
	}
}

func (a agreement) count(classes []string) int {
	s, err := a.c.Select(a.Context(), domains.Selection{Classes: classes, Count: true})
	if err != nil {
		a.Fatal(err)
	}
	return s.Total
}

// checkEntities compares the first entities of a class.
func (a agreement) checkEntities(class string) {
	const most = 15
	s, err := a.c.Select(a.Context(), domains.Selection{Classes: []string{class}, Limit: most})
	if err != nil {
		a.Fatal(err)
	}
	iris := must(a.T, a.c.IRIs)(s.Nodes)
	langs := []string{"fr"}
	m, err := a.facts.Find(a.Context(), domains.Query{Types: []string{class}, Languages: langs, Limit: most})
	if err != nil {
		a.Fatal(err)
	}
	var refs []domains.Ref
	for _, h := range m.Hits {
		if !h.Schema {
			refs = append(refs, h.Ref)
		}
	}
	labels, err := a.c.Labels(a.Context(), s.Nodes, langs)
	if err != nil {
		a.Fatal(err)
	}
	types := must(a.T, a.c.Types)(s.Nodes)
	var got []domains.Ref
	for i := range s.Nodes {
		got = append(got, domains.Ref{IRI: iris[i], Label: labels[i], Types: slices.Clone(types.At(i))})
	}
	if diff := cmp.Diff(refs, got); diff != "" {
		a.Errorf("instances of %s: Find (-), Select (+):\n%s", class, diff)
		return
	}
	nodes := must(a.T, a.c.Nodes)(iris)
	if !slices.Equal(nodes, s.Nodes) {
		a.Errorf("nodes of %v: %v, want %v", iris, nodes, s.Nodes)
	}
	i := 0
	for e, err := range a.facts.Walk(a.Context(), iris, domains.WalkOptions{Fanout: 2_000}) {
		if err != nil {
			a.Fatal(err)
		}
		a.checkFacts(s.Nodes[i], e)
		i++
	}
}

// checkFacts holds that what is shown of an entity is among what Related and Values list.
func (a agreement) checkFacts(node domains.Node, e domains.Entity) {
	for _, f := range e.Facts {
		step := domains.Step{Property: f.Property, Inverse: f.Incoming}
		lists, err := a.c.Related(a.Context(), []domains.Node{node}, domains.Relation{Steps: []domains.Step{step}, Limit: 100_000, Most: 100_000})
		if err != nil {
			a.Fatal(err)
		}
		related := must(a.T, a.c.IRIs)(lists.At(0))
		values, err := a.c.Values(a.Context(), []domains.Node{node}, []domains.Step{step}, 100_000)
		if err != nil {
			a.Fatal(err)
		}
		throughBlank := slices.ContainsFunc(related, func(iri string) bool { return strings.Contains(iri, genid) })
		for _, v := range f.Values {
			if f.Incoming && (throughBlank || f.Property == rdf.RDFS+"member" || f.Property == rdf.RDFFirst || f.Property == rdf.RDFRest) {
				continue // the owner of what leads here
			}
			a.checkValue(e.IRI, f.Property, v, related, values.At(0))
		}
	}
}

// checkValue holds that a value is listed; a list is by its members.
func (a agreement) checkValue(of, property string, v domains.Value, related []string, values []rdf.Term) {
	iri := ""
	if v.Ref != nil && strings.Contains(v.Ref.IRI, genid) { // a list that several lead to
		for e := range a.facts.Walk(a.Context(), []string{v.Ref.IRI}, domains.WalkOptions{Fanout: 2_000}) {
			v.Nested = &e
		}
	}
	switch {
	case v.Nested == nil && v.Ref != nil:
		iri = v.Ref.IRI
	case v.Nested == nil:
		if !slices.Contains(values, v.Literal) {
			a.Errorf("%s of %s: %v is not among the values %v", property, of, v.Literal, values)
		}
		return
	case v.Nested.IRI == "":
		return // a triple term
	case slices.ContainsFunc(v.Nested.Facts, isMember) && !slices.Contains(related, v.Nested.IRI):
		for _, f := range v.Nested.Facts {
			for _, m := range f.Values {
				if isMember(f) {
					a.checkValue(of, property, m, related, values)
				}
			}
		}
		return
	default:
		iri = v.Nested.IRI
	}
	if !slices.Contains(related, iri) {
		a.Errorf("%s of %s: %s is not related: %v", property, of, iri, related)
	}
	if len(values) > 0 && !slices.Contains(values, rdf.NewIRI(iri)) {
		a.Errorf("%s of %s: %s is not among the values %v", property, of, iri, values)
	}
}

// genid is in the IRIs of blank nodes.
const genid = "/.well-known/genid/"

func isMember(f domains.Fact) bool { return f.Property == rdf.RDFS+"member" && !f.Incoming }

// TestSingleValuesHideNothing holds that a property that is not said to have many values
// has one for each instance, or one in each language.
func TestSingleValuesHideNothing(t *testing.T) {
	check := func(c domains.Columns, nodes []domains.Node) {
		u, err := c.Usage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range u.Properties {
			values, err := c.Values(t.Context(), nodes, []domains.Step{{Property: p.IRI}}, 1_000)
			if err != nil {
				t.Fatal(err)
			}
			for i := range nodes {
				langs := map[string]bool{}
				for _, v := range values.At(i) {
					if !p.Many && (len(langs) > 0 && !p.Languages || langs[v.Lang]) {
						t.Errorf("%s of node %d: %v", p.IRI, nodes[i], values.At(i))
					}
					langs[v.Lang] = true
				}
			}
		}
	}
	for seed := range uint64(200) {
		g := newRandomGraph(t, 5_000+seed, false)
		s, err := g.c.Select(t.Context(), domains.Selection{Limit: 1_000})
		if err != nil {
			t.Fatal(err)
		}
		check(g.c, s.Nodes)
	}
	q := newBatches(t, `@prefix : <http://x.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:Model a owl:Class . :Golf a owl:Class, :Model ; :motto "a", "b" . :Polo a owl:Class ; :color "c", "d" .
:x :motto "c" ; :color "e" ; :text "f"@en, 5 ; :site <http://y.org/>, "g"@en ; :name "h", "i"@en ; :list ( "j" ), ( "k" ) .`)
	nodes, err := q.c.Nodes(t.Context(), []string{"http://x.org/Golf", "http://x.org/x"})
	if err != nil {
		t.Fatal(err)
	}
	check(q.c, nodes)
	u, _ := q.c.Usage(t.Context())
	got := map[string]bool{}
	for _, p := range u.Properties {
		got[filepath.Base(p.IRI)] = p.Many
	}
	if diff := cmp.Diff(map[string]bool{"motto": true, "color": false, "text": true, "site": true, "name": false, "list": true}, got); diff != "" {
		t.Errorf("many (-want +got):\n%s", diff)
	}
}
