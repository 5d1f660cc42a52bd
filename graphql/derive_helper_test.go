package graphql_test

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/graphql"
)

// triplesOf reads Turtle.
func triplesOf(text []byte) (out []rdf.Triple, err error) {
	err = rdf.Read(bytes.NewReader(text), rdf.Turtle, rdf.Options{Base: "https://example.org/base/"}, func(q rdf.Quad) error {
		out = append(out, q.Triple)
		return nil
	})
	return out, err
}

// derivationOf is what the schema of a graph is derived from.
func derivationOf(t testing.TB, triples []rdf.Triple, base string) graphql.Derivation {
	t.Helper()
	o, terms, err := owl.Build(context.Background(), owl.NewMemoryGraph(slices.Clone(triples)), owl.Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	return graphql.Derivation{Name: "sample", Ontology: o, Usage: usageOf(triples, terms), Languages: []string{"en"}}
}

// usageOf is how a graph uses properties, worked out from all of its triples: what a back
// end finds in its indexes. It does not merge entities and does not look into lists.
func usageOf(triples []rdf.Triple, schema owl.Terms) *domains.Usage {
	classes := map[rdf.Term][]string{} // entity → its classes
	subjects := map[rdf.Term]bool{}
	for _, tr := range triples {
		if schema[tr.Subject] {
			continue
		}
		subjects[tr.Subject] = true
		if tr.Predicate.Value == rdf.RDFType {
			classes[tr.Subject] = append(classes[tr.Subject], tr.Object.Value)
		}
	}
	type value struct {
		subject        rdf.Term
		property, lang string
	}
	seen := map[rdf.Triple]bool{}
	counts := map[value]int{}
	found := map[string]*usageSets{}
	for _, tr := range triples {
		p := tr.Predicate.Value
		if schema[tr.Subject] || p == rdf.RDFType || seen[tr] {
			continue
		}
		seen[tr] = true
		u := found[p]
		if u == nil {
			u = &usageSets{PropertyUsage: domains.PropertyUsage{IRI: p}, datatypes: map[string]bool{}, classes: map[string]bool{}}
			found[p] = u
		}
		u.add(tr.Object, subjects)
		v := value{tr.Subject, p, tr.Object.Lang}
		counts[v]++
		u.Many = u.Many || counts[v] > 1
		for _, c := range classes[tr.Subject] {
			u.classes[c] = true
		}
	}
	out := &domains.Usage{}
	for _, p := range slices.Sorted(maps.Keys(found)) {
		u := found[p]
		u.Datatypes, u.Classes = slices.Sorted(maps.Keys(u.datatypes)), slices.Sorted(maps.Keys(u.classes))
		u.Classes = u.Classes[:min(len(u.Classes), 100)]
		out.Properties = append(out.Properties, u.PropertyUsage)
	}
	return out
}

type usageSets struct {
	domains.PropertyUsage
	datatypes, classes map[string]bool
}

func (u *usageSets) add(o rdf.Term, subjects map[rdf.Term]bool) {
	switch {
	case o.Kind == rdf.Literal && o.Lang != "":
		u.Literals, u.Languages = true, true
		u.datatypes[rdf.RDFLangString] = true
	case o.Kind == rdf.Literal && o.Datatype == "":
		u.Literals = true
		u.datatypes[rdf.XSDString] = true
	case o.Kind == rdf.Literal:
		u.Literals = true
		u.datatypes[o.Datatype] = true
	case subjects[o]:
		u.Entities = true
	}
}
