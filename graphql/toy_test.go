package graphql_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/graphql"
)

// toyOntology has a type for each thing that an executor has to know.
const toyOntology = `
@prefix : <https://toy.test/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<https://toy.test/> a owl:Ontology .
:Person a owl:Class .
:Employee a owl:Class ; rdfs:subClassOf :Person .
:Company a owl:Class .
:age a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:int .
:big a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:integer .
:balance a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:decimal .
:height a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:double .
:active a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:boolean .
:born a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:date .
:seen a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:dateTime .
:wakes a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range xsd:time .
:motto a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Person ; rdfs:range rdf:langString .
:saying a owl:DatatypeProperty ; rdfs:domain :Person ; rdfs:range rdf:langString .
:nick a owl:DatatypeProperty ; rdfs:domain :Person ; rdfs:range xsd:string .
:score a owl:DatatypeProperty ; rdfs:domain :Person ; rdfs:range xsd:int .
:salary a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Employee ; rdfs:range xsd:decimal .
:city a owl:DatatypeProperty, owl:FunctionalProperty ; rdfs:domain :Company ; rdfs:range xsd:string .
:knows a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Person .
:likes a owl:ObjectProperty ; rdfs:domain :Person .
:worksFor a owl:ObjectProperty ; rdfs:domain :Person ; rdfs:range :Company ; owl:inverseOf :employs .
:employs a owl:ObjectProperty ; rdfs:domain :Company ; rdfs:range :Person .
`

const (
	toyBase   = "https://toy.test/"
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"
)

func turtle(t testing.TB, text string) (out []rdf.Triple) {
	t.Helper()
	err := rdf.Read(strings.NewReader(text), rdf.Turtle, rdf.Options{}, func(q rdf.Quad) error {
		out = append(out, q.Triple)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// toyModel is the schema of toyOntology.
func toyModel(t testing.TB) *graphql.Model {
	t.Helper()
	usage := &domains.Usage{Properties: []domains.PropertyUsage{
		{IRI: toyBase + "nick", Literals: true, Many: true, Classes: []string{toyBase + "Person"}},
		{IRI: toyBase + "score", Literals: true, Many: true, Classes: []string{toyBase + "Person"}},
		{IRI: toyBase + "saying", Literals: true, Many: true, Languages: true, Classes: []string{toyBase + "Person"}},
		{IRI: toyBase + "motto", Literals: true, Languages: true, Classes: []string{toyBase + "Person"}},
	}}
	return modelOf(t, toyOntology, usage)
}

// modelOf is the schema of an ontology in Turtle.
func modelOf(t testing.TB, ontology string, usage *domains.Usage) *graphql.Model {
	t.Helper()
	o, _, err := owl.Build(t.Context(), owl.NewMemoryGraph(turtle(t, ontology)), owl.Options{Base: toyBase})
	if err != nil {
		t.Fatal(err)
	}
	m, err := graphql.Derive(t.Context(), graphql.Derivation{Name: "toy", Ontology: o, Usage: usage, Languages: []string{"en"}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// toy is a graph in a map that is read in the most naive way. It implements
// domains.Columns. An entity is an IRI that is the subject of something.
type toy struct {
	iris  []string // the entity of node i is iris[i-1]; sorted
	nodes map[string]domains.Node
	facts map[domains.Node]map[string][]rdf.Term
	back  map[domains.Node]map[string][]domains.Node

	mu    sync.Mutex // guards calls
	calls []string
	// before, when not nil, is called before each call with its name and may fail.
	before func(ctx context.Context, call string) error
}

func newToy(triples []rdf.Triple) *toy {
	g := &toy{nodes: map[string]domains.Node{}, facts: map[domains.Node]map[string][]rdf.Term{}, back: map[domains.Node]map[string][]domains.Node{}}
	for _, t := range triples {
		g.iris = append(g.iris, t.Subject.Value)
	}
	slices.Sort(g.iris)
	g.iris = slices.Compact(g.iris)
	for i, iri := range g.iris {
		g.nodes[iri] = domains.Node(i + 1)
		g.facts[domains.Node(i+1)] = map[string][]rdf.Term{}
		g.back[domains.Node(i+1)] = map[string][]domains.Node{}
	}
	for _, t := range triples {
		n, p := g.nodes[t.Subject.Value], t.Predicate.Value
		g.facts[n][p] = append(g.facts[n][p], t.Object)
		if to := g.nodes[t.Object.Value]; t.Object.Kind == rdf.IRI && to != 0 {
			g.back[to][p] = append(g.back[to][p], n)
		}
	}
	return g
}

func (g *toy) called(ctx context.Context, format string, args ...any) error {
	call := fmt.Sprintf(format, args...)
	g.mu.Lock()
	g.calls = append(g.calls, call)
	g.mu.Unlock()
	if g.before != nil {
		if err := g.before(ctx, call); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func steps(list []domains.Step) string {
	var out []string
	for _, s := range list {
		name := strings.TrimPrefix(s.Property, toyBase)
		if s.Inverse {
			name = "^" + name
		}
		out = append(out, name)
	}
	return strings.Join(out, "|")
}

func (g *toy) Usage(context.Context) (*domains.Usage, error) { return &domains.Usage{}, nil }

func (g *toy) Nodes(ctx context.Context, iris []string) ([]domains.Node, error) {
	out := make([]domains.Node, len(iris))
	for i, iri := range iris {
		out[i] = g.nodes[iri]
	}
	return out, g.called(ctx, "Nodes(%s)", strings.Join(iris, " "))
}

func (g *toy) Local(ctx context.Context, classes []string, id string) (out []domains.Node, err error) {
	for i, iri := range g.iris {
		if domains.LocalID(iri) == id && g.isA(domains.Node(i+1), classes) {
			out = append(out, domains.Node(i+1))
		}
	}
	return out[:min(len(out), 10)], g.called(ctx, "Local(%s)", id)
}

func (g *toy) isA(n domains.Node, classes []string) bool {
	return len(classes) == 0 || slices.ContainsFunc(g.facts[n][rdfType], func(t rdf.Term) bool { return slices.Contains(classes, t.Value) })
}

func (g *toy) Select(ctx context.Context, s domains.Selection) (*domains.Selected, error) {
	var all []domains.Node
	for i := range g.iris {
		n := domains.Node(i + 1)
		if g.isA(n, s.Classes) && g.hasName(n, s.Text) && (s.Where == nil || g.holds(n, *s.Where)) {
			all = append(all, n)
		}
	}
	for _, o := range slices.Backward(s.Order) {
		slices.SortStableFunc(all, func(a, b domains.Node) int { return g.compare(a, b, o, s.Languages) })
	}
	out := &domains.Selected{Nodes: cut(all, s.Offset, s.Limit)}
	if s.Count {
		out.Total = len(all)
	}
	return out, g.called(ctx, "Select(%d classes, limit %d)", len(s.Classes), s.Limit)
}

func (g *toy) compare(a, b domains.Node, o domains.Order, languages []string) int {
	va, oka := g.first(a, o, languages)
	vb, okb := g.first(b, o, languages)
	if !oka || !okb {
		return cmp.Compare(btoi(okb), btoi(oka))
	}
	order, _ := va.Compare(vb)
	if o.Descending {
		return -order
	}
	return order
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (g *toy) first(n domains.Node, o domains.Order, languages []string) (xsd.Value, bool) {
	texts := []string{g.label(n, languages)}
	if len(o.Steps) > 0 {
		texts = nil
		for _, t := range g.values(n, o.Steps) {
			texts = append(texts, t.Value)
		}
	} else if texts[0] == "" {
		texts = nil
	}
	for _, text := range texts {
		if v, err := xsd.Parse(o.Kind, text); err == nil {
			return v, true
		}
	}
	return xsd.Value{}, false
}

func cut[T any](list []T, offset, limit int) []T {
	list = list[min(offset, len(list)):]
	return list[:min(limit, len(list))]
}

func (g *toy) hasName(n domains.Node, text string) bool {
	if text == "" {
		return true
	}
	for _, t := range g.facts[n][rdfsLabel] {
		if strings.Contains(strings.ToLower(t.Value), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

func (g *toy) holds(n domains.Node, c domains.Condition) bool {
	part := func(p domains.Condition) bool { return g.holds(n, p) }
	switch c.Op {
	case domains.OpAnd:
		return !slices.ContainsFunc(c.Parts, func(p domains.Condition) bool { return !part(p) })
	case domains.OpOr:
		return slices.ContainsFunc(c.Parts, part)
	case domains.OpNot:
		return !part(c.Parts[0])
	case domains.OpExists:
		return len(g.values(n, c.Steps)) > 0 || slices.ContainsFunc(c.Steps, func(s domains.Step) bool { return s.Inverse }) && len(g.related(n, c.Steps)) > 0
	case domains.OpValue:
		return slices.ContainsFunc(g.values(n, c.Steps), func(t rdf.Term) bool { return passes(t.Value, c) })
	case domains.OpLabel:
		return slices.ContainsFunc(g.facts[n][rdfsLabel], func(t rdf.Term) bool { return passes(t.Value, c) })
	case domains.OpSome:
		return slices.ContainsFunc(g.related(n, c.Steps), func(m domains.Node) bool { return g.holds(m, c.Parts[0]) })
	case domains.OpIs:
		return slices.Contains(c.Nodes, n)
	case domains.OpTyped:
		return g.isA(n, c.Classes)
	}
	panic(fmt.Sprintf("condition %d", c.Op))
}

func passes(lexical string, c domains.Condition) bool {
	return slices.ContainsFunc(c.Values, func(want xsd.Value) bool {
		v, err := xsd.Parse(want.Kind(), lexical)
		if err != nil {
			return false
		}
		order, ok := v.Compare(want)
		text, part := strings.ToLower(v.String()), strings.ToLower(want.String())
		switch c.Test {
		case domains.TestEqual:
			return ok && order == 0
		case domains.TestLess:
			return ok && order < 0
		case domains.TestAtMost:
			return ok && order <= 0
		case domains.TestGreater:
			return ok && order > 0
		case domains.TestAtLeast:
			return ok && order >= 0
		case domains.TestContains:
			return strings.Contains(text, part)
		case domains.TestStarts:
			return strings.HasPrefix(text, part)
		}
		panic(fmt.Sprintf("test %d", c.Test))
	})
}

// related are the entities that steps lead to, each once, by IRI.
func (g *toy) related(n domains.Node, list []domains.Step) (out []domains.Node) {
	for _, s := range list {
		if s.Inverse {
			out = append(out, g.back[n][s.Property]...)
			continue
		}
		for _, t := range g.facts[n][s.Property] {
			if to := g.nodes[t.Value]; t.Kind == rdf.IRI && to != 0 {
				out = append(out, to)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (g *toy) Related(ctx context.Context, from []domains.Node, r domains.Relation) (out domains.Lists[domains.Node], err error) {
	for _, n := range from {
		list := slices.DeleteFunc(g.related(n, r.Steps), func(m domains.Node) bool { return !g.hasName(m, r.Text) })
		list = cut(list, r.Offset, r.Limit)
		out.Items = append(out.Items, cut(list, 0, r.Most-len(out.Items))...)
		out.Append()
	}
	return out, g.called(ctx, "Related(%s, %d nodes)", steps(r.Steps), len(from))
}

// values are the values that steps lead to, each once.
func (g *toy) values(n domains.Node, list []domains.Step) (out []rdf.Term) {
	for _, s := range list {
		for _, t := range g.facts[n][s.Property] {
			if !s.Inverse && (t.Kind == rdf.Literal || !s.Literals) && !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

func (g *toy) Values(ctx context.Context, from []domains.Node, list []domains.Step, limit int) (out domains.Lists[rdf.Term], err error) {
	for _, n := range from {
		out.Items = append(out.Items, cut(g.values(n, list), 0, limit)...)
		out.Append()
	}
	return out, g.called(ctx, "Values(%s, %d nodes)", steps(list), len(from))
}

func (g *toy) IRIs(ctx context.Context, of []domains.Node) (out []string, err error) {
	for _, n := range of {
		out = append(out, g.iris[n-1])
	}
	return out, g.called(ctx, "IRIs(%d nodes)", len(of))
}

func (g *toy) label(n domains.Node, languages []string) string {
	var texts []domains.Text
	for _, t := range g.facts[n][rdfsLabel] {
		texts = append(texts, domains.Text{Value: t.Value, Lang: t.Lang})
	}
	text, _ := domains.ChooseText(texts, languages)
	return text.Value
}

func (g *toy) Labels(ctx context.Context, of []domains.Node, languages []string) (out []string, err error) {
	for _, n := range of {
		out = append(out, g.label(n, languages))
	}
	return out, g.called(ctx, "Labels(%d nodes)", len(of))
}

func (g *toy) Types(ctx context.Context, of []domains.Node) (out domains.Lists[string], err error) {
	for _, n := range of {
		for _, t := range g.facts[n][rdfType] {
			out.Items = append(out.Items, t.Value)
		}
		slices.Sort(out.Items[len(out.Items)-len(g.facts[n][rdfType]):])
		out.Append()
	}
	return out, g.called(ctx, "Types(%d nodes)", len(of))
}
