package wire

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Model is an ontology as domains.Ontology tells it. It is ours: the Turtle beside it does
// not tell what a graph uses without declaring it.
type Model struct {
	// Revision is that of the domain.
	Revision   string          `json:"revision,omitempty"`
	IRI        string          `json:"iri,omitempty"`
	Base       string          `json:"base,omitempty"`
	Prefixes   []ModelPrefix   `json:"prefixes,omitempty"`
	Classes    []ModelClass    `json:"classes"`
	Properties []ModelProperty `json:"properties"`
	Schemes    []ModelScheme   `json:"schemes,omitempty"`
	// Triples are the statements about schema terms, each of three terms, in their order;
	// absent where they are not kept.
	Triples *[][]Term `json:"triples,omitempty"`
	// Usage is how the graph uses properties; absent where that is not known.
	Usage *[]ModelUsage `json:"usage,omitempty"`
}

// ModelUsage is how a graph uses a property.
type ModelUsage struct {
	IRI       string   `json:"iri"`
	Literals  bool     `json:"literals,omitempty"`
	Entities  bool     `json:"entities,omitempty"`
	Many      bool     `json:"many,omitempty"`
	Languages bool     `json:"languages,omitempty"`
	Datatypes []string `json:"datatypes,omitempty"`
	Classes   []string `json:"classes,omitempty"`
}

// Uses adds how a graph uses the ontology.
func (m *Model) Uses(u *domains.Usage) {
	list := []ModelUsage{}
	for _, p := range u.Properties {
		list = append(list, ModelUsage(p))
	}
	m.Usage = &list
}

// Used is how the graph uses the ontology; nil where that is not known.
func (m *Model) Used() *domains.Usage {
	if m.Usage == nil {
		return nil
	}
	out := &domains.Usage{}
	for _, p := range *m.Usage {
		out.Properties = append(out.Properties, domains.PropertyUsage(p))
	}
	return out
}

// ModelPrefix is the name of a namespace.
type ModelPrefix struct {
	Name string `json:"name"`
	IRI  string `json:"iri"`
}

// ModelClass is a class.
type ModelClass struct {
	IRI        string   `json:"iri"`
	Labels     []Text   `json:"labels,omitempty"`
	Comments   []Text   `json:"comments,omitempty"`
	Synonyms   []Text   `json:"synonyms,omitempty"`
	Supers     []string `json:"supers,omitempty"`
	Declared   bool     `json:"declared,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
}

// ModelScheme is a concept scheme. Concepts is how many it has, -1 where that is not known.
type ModelScheme struct {
	IRI      string         `json:"iri"`
	Labels   []Text         `json:"labels,omitempty"`
	Concepts int            `json:"concepts"`
	Top      []ModelConcept `json:"top,omitempty"`
}

// ModelConcept is a concept at the top of a scheme.
type ModelConcept struct {
	IRI    string `json:"iri"`
	Labels []Text `json:"labels,omitempty"`
}

// ModelProperty is a property. Kind is that of domains.Property.
type ModelProperty struct {
	IRI               string             `json:"iri"`
	Kind              int                `json:"kind"`
	Labels            []Text             `json:"labels,omitempty"`
	Comments          []Text             `json:"comments,omitempty"`
	Domains           []string           `json:"domains,omitempty"`
	Ranges            []string           `json:"ranges,omitempty"`
	Supers            []string           `json:"supers,omitempty"`
	Inverses          []string           `json:"inverses,omitempty"`
	Functional        bool               `json:"functional,omitempty"`
	InverseFunctional bool               `json:"inverse_functional,omitempty"`
	Cardinalities     []ModelCardinality `json:"cardinalities,omitempty"`
	Declared          bool               `json:"declared,omitempty"`
	Deprecated        bool               `json:"deprecated,omitempty"`
}

// ModelCardinality bounds the values of a property on a class; Max is -1 for no bound.
type ModelCardinality struct {
	Class string `json:"class"`
	Min   int    `json:"min"`
	Max   int    `json:"max"`
}

// NewModel is an ontology as it is sent.
func NewModel(o *domains.Ontology) *Model {
	out := &Model{IRI: o.IRI, Base: o.Base, Classes: []ModelClass{}, Properties: []ModelProperty{}}
	for _, p := range o.Prefixes {
		out.Prefixes = append(out.Prefixes, ModelPrefix(p))
	}
	for _, c := range o.Classes {
		out.Classes = append(out.Classes, ModelClass{c.IRI, newTexts(c.Labels), newTexts(c.Comments), newTexts(c.Synonyms), c.Supers, c.Declared, c.Deprecated})
	}
	for _, p := range o.Properties {
		property := ModelProperty{
			IRI: p.IRI, Kind: int(p.Kind), Labels: newTexts(p.Labels), Comments: newTexts(p.Comments), Domains: p.Domains, Ranges: p.Ranges,
			Supers: p.Supers, Inverses: p.Inverses, Functional: p.Functional, InverseFunctional: p.InverseFunctional,
			Declared: p.Declared, Deprecated: p.Deprecated,
		}
		for _, c := range p.Cardinalities {
			property.Cardinalities = append(property.Cardinalities, ModelCardinality(c))
		}
		out.Properties = append(out.Properties, property)
	}
	for _, s := range o.Schemes {
		scheme := ModelScheme{IRI: s.IRI, Labels: newTexts(s.Labels), Concepts: s.Concepts}
		for _, c := range s.Top {
			scheme.Top = append(scheme.Top, ModelConcept{c.IRI, newTexts(c.Labels)})
		}
		out.Schemes = append(out.Schemes, scheme)
	}
	if o.Triples != nil {
		triples := [][]Term{}
		for t := range o.Triples {
			triples = append(triples, []Term{NewTerm(t.Subject), NewTerm(t.Predicate), NewTerm(t.Object)})
		}
		out.Triples = &triples
	}
	return out
}

// Ontology is the ontology in the words of package domains.
func (m *Model) Ontology() *domains.Ontology {
	out := domains.Ontology{IRI: m.IRI, Base: m.Base}
	for _, p := range m.Prefixes {
		out.Prefixes = append(out.Prefixes, rdf.Prefix(p))
	}
	for _, c := range m.Classes {
		out.Classes = append(out.Classes, domains.Class{
			IRI: c.IRI, Labels: texts(c.Labels), Comments: texts(c.Comments), Synonyms: texts(c.Synonyms), Supers: c.Supers, Declared: c.Declared, Deprecated: c.Deprecated,
		})
	}
	for _, p := range m.Properties {
		property := domains.Property{
			IRI: p.IRI, Kind: domains.PropertyKind(p.Kind), Labels: texts(p.Labels), Comments: texts(p.Comments), Domains: p.Domains, Ranges: p.Ranges,
			Supers: p.Supers, Inverses: p.Inverses, Functional: p.Functional, InverseFunctional: p.InverseFunctional,
			Declared: p.Declared, Deprecated: p.Deprecated,
		}
		for _, c := range p.Cardinalities {
			property.Cardinalities = append(property.Cardinalities, domains.Cardinality(c))
		}
		out.Properties = append(out.Properties, property)
	}
	for _, s := range m.Schemes {
		scheme := domains.Scheme{IRI: s.IRI, Labels: texts(s.Labels), Concepts: s.Concepts}
		for _, c := range s.Top {
			scheme.Top = append(scheme.Top, domains.Concept{IRI: c.IRI, Labels: texts(c.Labels)})
		}
		out.Schemes = append(out.Schemes, scheme)
	}
	if m.Triples != nil {
		var triples []rdf.Triple
		for _, t := range *m.Triples {
			if len(t) == 3 {
				triples = append(triples, rdf.Triple{Subject: t[0].Term(), Predicate: t[1].Term(), Object: t[2].Term()})
			}
		}
		out.Triples = slices.Values(triples)
	}
	return domains.NewOntology(out)
}
