package format_test

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

var labelProperties = []string{rdf.SKOS + "prefLabel", rdf.RDFSLabel, "http://xmlns.com/foaf/0.1/name"}

// Stats counts triples, types and properties.
func (g *graph) Stats(context.Context) (*domains.Stats, error) {
	st := &domains.Stats{Triples: len(g.triples), Subjects: len(g.out)}
	types, properties := map[string]int{}, map[string]int{}
	for s := range g.out {
		if g.shownIRI(s.Value) == s.Value {
			st.Entities++
		}
	}
	for _, t := range g.triples {
		properties[t.Predicate.Value]++
		switch {
		case t.Predicate.Value == rdf.RDFType:
			st.TypeAssertions++
			types[t.Object.Value]++
		case slices.Contains(labelProperties, t.Predicate.Value):
			st.Labels++
		case t.Object.Kind == rdf.Literal:
			st.Attributes++
		default:
			st.Relationships++
		}
	}
	st.Predicates = len(properties)
	for _, c := range g.ontology.Classes {
		if _, ok := types[c.IRI]; !ok && len(g.ontology.SubClasses(c.IRI)) > 0 {
			types[c.IRI] = 0
		}
	}
	st.Types, st.Properties = counts(types), counts(properties)
	for i, c := range st.Types {
		below := map[string]bool{} // subjects
		for _, class := range g.ontology.WithSubClasses(c.IRI) {
			for _, t := range g.in[rdf.NewIRI(class)] {
				if t.Predicate.Value == rdf.RDFType {
					below[t.Subject.Value] = true
				}
			}
		}
		st.Types[i].Below = len(below)
	}
	return st, nil
}

func counts(m map[string]int) []domains.Count {
	var out []domains.Count
	for iri, n := range m {
		out = append(out, domains.Count{IRI: iri, Count: n})
	}
	slices.SortFunc(out, func(a, b domains.Count) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.IRI, b.IRI)) })
	return out
}

// Find looks for the text in labels and local names, whatever the case.
func (g *graph) Find(_ context.Context, q domains.Query) (*domains.Matches, error) {
	var hits []domains.Hit
	var labels []string
	for s := range g.out {
		if s.Kind != rdf.IRI || g.shownIRI(s.Value) != s.Value {
			continue
		}
		e := g.entity(s, domains.WalkOptions{Fanout: 1, Languages: q.Languages}, 0)
		h := domains.Hit{Ref: *g.ref(s, q.Languages), Schema: g.terms[s], Tier: domains.TierWords}
		found := q.Text == "" || strings.Contains(strings.ToLower(domains.LocalName(s.Value)), strings.ToLower(q.Text))
		for _, l := range e.Labels {
			labels = append(labels, l.Value)
			found = found || strings.Contains(strings.ToLower(l.Value), strings.ToLower(q.Text))
		}
		typed := len(q.Types) == 0 || slices.ContainsFunc(q.Types, func(t string) bool { return slices.Contains(e.Types, t) })
		if found && typed && (q.IRI == "" || g.shownIRI(q.IRI) == s.Value) {
			hits = append(hits, h)
		}
	}
	slices.SortFunc(hits, func(a, b domains.Hit) int {
		if a.Schema != b.Schema {
			return map[bool]int{false: -1, true: 1}[a.Schema]
		}
		return cmp.Compare(a.IRI, b.IRI)
	})
	m := &domains.Matches{Total: len(hits)}
	if len(hits) == 0 {
		m.Suggestions = g.suggest(q.Text, labels)
	}
	hits = hits[min(q.Offset, len(hits)):]
	m.Hits = hits[:min(q.Limit, len(hits))]
	return m, nil
}

// suggest gives the labels near to a text, or those that the test gives.
func (g *graph) suggest(text string, labels []string) []string {
	if g.suggestions != nil {
		return g.suggestions
	}
	return domains.Nearest(text, labels, 3)
}

// Walk is breadth first in both directions.
func (g *graph) Walk(_ context.Context, from []string, o domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		seen := map[string]bool{}
		var level []string
		for _, iri := range from {
			if s := g.shownIRI(iri); !seen[s] {
				seen[s] = true
				level = append(level, s)
			}
		}
		for d := 0; d <= o.Depth && len(level) > 0; d++ {
			var next []string
			for _, iri := range level {
				if !g.known(iri) {
					continue
				}
				e := g.entity(rdf.NewIRI(iri), o, 0)
				e.Distance = d
				g.read++
				if !yield(e, nil) {
					return
				}
				for _, n := range neighbours(e.Facts) {
					if !seen[n] {
						seen[n] = true
						next = append(next, n)
					}
				}
			}
			slices.Sort(next)
			level = next
		}
	}
}

func (g *graph) known(iri string) bool {
	return len(g.out[rdf.NewIRI(iri)]) > 0
}

func neighbours(facts []domains.Fact) []string {
	var out []string
	for _, f := range facts {
		for _, v := range f.Values {
			switch {
			case v.Ref != nil:
				out = append(out, v.Ref.IRI)
			case v.Nested != nil:
				out = append(out, neighbours(v.Nested.Facts)...)
			}
		}
	}
	return out
}

// ref mentions a term.
func (g *graph) ref(t rdf.Term, langs []string) *domains.Ref {
	r := &domains.Ref{IRI: g.shownIRI(t.Value)}
	label, _ := domains.ChooseText(g.labels(t), langs)
	r.Label, r.Types = label.Value, g.types(t)
	return r
}

func (g *graph) labels(t rdf.Term) []domains.Text {
	var out []domains.Text
	for _, p := range labelProperties {
		for _, iri := range g.aliases(t.Value) {
			for _, tr := range g.out[rdf.Term{Kind: t.Kind, Value: iri}] {
				l := domains.Text{Value: tr.Object.Value, Lang: tr.Object.Lang}
				if tr.Predicate.Value == p && !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

func (g *graph) types(t rdf.Term) []string {
	var out []string
	for _, iri := range g.aliases(t.Value) {
		for _, tr := range g.out[rdf.Term{Kind: t.Kind, Value: iri}] {
			if tr.Predicate.Value == rdf.RDFType {
				out = append(out, tr.Object.Value)
			}
		}
	}
	return out
}

// entity describes a term with the facts of all its aliases.
func (g *graph) entity(t rdf.Term, o domains.WalkOptions, depth int) domains.Entity {
	iris := g.aliases(t.Value)
	e := domains.Entity{IRI: t.Value, Aliases: iris[1:], Labels: g.labels(t), Types: g.types(t), Schema: g.terms[t]}
	type key struct {
		property string
		incoming bool
	}
	values := map[key][]domains.Value{}
	for _, iri := range iris {
		self := rdf.Term{Kind: t.Kind, Value: iri}
		for _, tr := range g.out[self] {
			e.Triples++
			if p := tr.Predicate.Value; p != rdf.RDFType && p != rdf.OWLSameAs && !slices.Contains(labelProperties, p) {
				values[key{p, false}] = append(values[key{p, false}], g.values(tr, o, depth, &e)...)
			}
		}
		if depth == 0 {
			for _, tr := range g.in[self] {
				if p := tr.Predicate.Value; p != rdf.RDFType && p != rdf.OWLSameAs && tr.Subject.Kind == rdf.IRI {
					values[key{p, true}] = append(values[key{p, true}], g.value(tr.Subject, o, depth, &e))
				}
			}
		}
	}
	for k, v := range values {
		e.Facts = append(e.Facts, domains.Fact{Property: k.property, Incoming: k.incoming, Total: len(v), Values: v[:min(o.Fanout, len(v))]})
	}
	slices.SortFunc(e.Facts, func(a, b domains.Fact) int {
		if a.Incoming != b.Incoming {
			return map[bool]int{false: -1, true: 1}[a.Incoming]
		}
		return cmp.Compare(a.Property, b.Property)
	})
	return e
}

// values are the members of a list that is the only value of its property, else the
// one value.
func (g *graph) values(tr rdf.Triple, o domains.WalkOptions, depth int, owner *domains.Entity) []domains.Value {
	same := 0
	for _, other := range g.out[tr.Subject] {
		if other.Predicate == tr.Predicate {
			same++
		}
	}
	if cells := g.list(tr.Object); same == 1 && len(cells) > 0 {
		var out []domains.Value
		for _, member := range cells {
			out = append(out, g.value(member, o, depth, owner))
		}
		return out
	}
	return []domains.Value{g.value(tr.Object, o, depth, owner)}
}

// list are the members of a list from a cell on.
func (g *graph) list(cell rdf.Term) (members []rdf.Term) {
	for len(members) < 1000 {
		next := rdf.Term{}
		for _, tr := range g.out[cell] {
			switch tr.Predicate.Value {
			case rdf.RDF + "first":
				members = append(members, tr.Object)
			case rdf.RDF + "rest":
				next = tr.Object
			}
		}
		if cell = next; cell == (rdf.Term{}) {
			break
		}
	}
	return members
}

func (g *graph) value(t rdf.Term, o domains.WalkOptions, depth int, owner *domains.Entity) domains.Value {
	switch {
	case t.Kind == rdf.Literal:
		return domains.Value{Literal: t}
	case t.Kind == rdf.Blank && depth < 20:
		n := g.entity(t, o, depth+1)
		n.IRI = ""
		if members := g.list(t); len(members) > 0 {
			f := domains.Fact{Property: rdf.RDFS + "member", Total: len(members)}
			for _, m := range members[:min(o.Fanout, len(members))] {
				f.Values = append(f.Values, g.value(m, o, depth+1, owner))
			}
			n.Facts = []domains.Fact{f}
		}
		owner.Triples += n.Triples
		return domains.Value{Nested: &n}
	}
	return domains.Value{Ref: g.ref(t, o.Languages)}
}
