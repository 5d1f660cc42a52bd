package owl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// list reads an RDF collection. A broken or circular one ends where it breaks.
func (b *builder) list(head rdf.Term) []rdf.Term {
	var out []rdf.Term
	seen := map[rdf.Term]bool{}
	for !head.IsZero() && head.Value != rdf.RDFNil && !seen[head] {
		seen[head] = true
		if m := b.object(head, rdf.RDFFirst); !m.IsZero() {
			out = append(out, m)
		}
		head = b.object(head, rdf.RDFRest)
	}
	return out
}

// conjuncts returns the IRIs that all hold where a class expression holds: the
// class itself, or the named members of an intersection.
func (b *builder) conjuncts(t rdf.Term) []rdf.Term {
	return b.members(t, owlIntersectionOf)
}

// alternatives returns the IRIs of classes and datatypes of which at least one
// holds where an expression holds. Members of intersections count, since OWL says
// nothing simpler of them; complements and enumerations of individuals give
// nothing, enumerations of literals rdfs:Literal.
func (b *builder) alternatives(t rdf.Term) []string {
	var out []string
	for _, m := range b.members(t, owlUnionOf, owlIntersectionOf, owlOnDatatype) {
		out = append(out, m.Value)
	}
	if t.Kind == rdf.Blank {
		if values := b.list(b.object(t, owlOneOf)); len(values) > 0 && values[0].Kind == rdf.Literal {
			out = append(out, rdfsLiteral)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// members returns the named classes and datatypes in an expression, looking into
// blank nodes through the given properties, whose values are expressions or lists
// of them.
func (b *builder) members(t rdf.Term, through ...string) []rdf.Term {
	var out []rdf.Term
	seen := map[rdf.Term]bool{}
	for todo := []rdf.Term{t}; len(todo) > 0; {
		e := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case seen[e]:
			continue
		case e.Kind == rdf.IRI:
			out = append(out, e)
		case e.Kind == rdf.Blank:
			for _, p := range through {
				if p == owlOnDatatype {
					todo = append(todo, b.objects(e, p)...)
					continue
				}
				for _, head := range b.objects(e, p) {
					todo = append(todo, b.list(head)...)
				}
			}
		}
		seen[e] = true
	}
	return out
}

// texts returns a term's literals of certain properties, in their order, without
// repetition.
func (b *builder) texts(t rdf.Term, properties []string) []domains.Text {
	var out []domains.Text
	seen := map[domains.Text]bool{}
	for _, p := range properties {
		for _, o := range b.objects(t, p) {
			if o.Kind != rdf.Literal || strings.TrimSpace(o.Value) == "" {
				continue
			}
			if text := (domains.Text{Value: o.Value, Lang: o.Lang}); !seen[text] {
				seen[text] = true
				out = append(out, text)
			}
		}
	}
	return out
}

// isDeprecated reports whether a term is marked as deprecated, or as replaced by
// another.
func (b *builder) isDeprecated(t rdf.Term, class string) bool {
	if slices.ContainsFunc(b.objects(t, owlDeprecated), isTrue) {
		return true
	}
	for _, p := range replacements {
		if !b.object(t, p).IsZero() {
			return true
		}
	}
	return slices.Contains(b.objects(t, rdf.RDFType), iri(class))
}

// isTrue reports whether a literal is the true of XML Schema.
func isTrue(t rdf.Term) bool { return t.Value == "true" || t.Value == "1" }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
