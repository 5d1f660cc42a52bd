package graphql_test

import (
	"fmt"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/graphql"
)

// synthetic is an ontology of so many classes, each with 6 values and 4 relations of its
// own, in a tree in which each class has 8 below it.
func synthetic(classes int) *domains.Ontology {
	const ns = "https://example.org/ontology#"
	class := func(i int) string { return fmt.Sprintf("%sClass%d", ns, i) }
	o := domains.Ontology{IRI: "https://example.org/ontology", Base: "https://example.org/ontology"}
	datatypes := []string{"string", "int", "date", "decimal", "boolean", "dateTime"}
	for i := range classes {
		c := domains.Class{IRI: class(i), Declared: true, Comments: []domains.Text{{Value: "One of the classes.", Lang: "en"}}}
		if i > 0 && i%50 != 0 {
			c.Supers = []string{class((i - 1) / 8)}
		}
		o.Classes = append(o.Classes, c)
		for k := range 10 {
			p := domains.Property{IRI: fmt.Sprintf("%sp%d_%d", ns, i, k), Kind: domains.DataProperty, Declared: true, Domains: []string{class(i)},
				Comments: []domains.Text{{Value: "One of the properties.", Lang: "en"}}}
			if k < 6 {
				p.Ranges = []string{rdf.XSD + datatypes[k]}
			} else {
				p.Kind, p.Ranges = domains.ObjectProperty, []string{class((i*7 + k) % classes)}
			}
			o.Properties = append(o.Properties, p)
		}
	}
	return domains.NewOntology(o)
}

func BenchmarkDerive1000(b *testing.B) {
	benchmarkDerive(b, graphql.Derivation{Name: "synthetic", Ontology: synthetic(1000)})
}

func BenchmarkDeriveSchemaOrg(b *testing.B) {
	back := backend(b, rdfgraph.Config{Dir: schemaOrg(b)})
	benchmarkDerive(b, derivedFrom(b, back, "schemaorg").from)
}

// BenchmarkParseSchemaOrg reads the schema that is derived from schema.org, some 10 MB.
func BenchmarkParseSchemaOrg(b *testing.B) {
	sdl := derive(b, derivedFrom(b, backend(b, rdfgraph.Config{Dir: schemaOrg(b)}), "schemaorg").from).SDL
	b.SetBytes(int64(len(sdl)))
	b.ReportAllocs()
	for b.Loop() {
		schema(b, sdl)
	}
}

func benchmarkDerive(b *testing.B, d graphql.Derivation) {
	b.ReportAllocs()
	for b.Loop() {
		m := derive(b, d)
		b.SetBytes(int64(len(m.SDL)))
	}
}

// flat is an ontology of classes with ten properties that have values and four that
// lead on, and no class above another.
func flat(classes int) *domains.Ontology {
	const ns = "https://example.org/ontology#"
	class := func(i int) string { return fmt.Sprintf("%sClass%d", ns, i%classes) }
	o := domains.Ontology{IRI: "https://example.org/ontology"}
	for i := range classes {
		o.Classes = append(o.Classes, domains.Class{IRI: class(i), Declared: true})
		for k := range 14 {
			p := domains.Property{IRI: fmt.Sprintf("%sp%d_%d", ns, i, k), Kind: domains.DataProperty, Declared: true, Domains: []string{class(i)}, Ranges: []string{rdf.XSD + "string"}}
			if k >= 10 {
				p.Kind, p.Ranges = domains.ObjectProperty, []string{class(i*7 + k)}
			}
			o.Properties = append(o.Properties, p)
		}
	}
	return domains.NewOntology(o)
}

// BenchmarkBuild1000 derives schemas and parses them with both libraries: flat has 14
// fields a class, deep some 35 with those of the classes above.
func BenchmarkBuild1000(b *testing.B) {
	for name, o := range map[string]*domains.Ontology{"flat": flat(1000), "deep": synthetic(1000)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m := derive(b, graphql.Derivation{Name: "synthetic", Ontology: o})
				if _, err := graphql.New(graphql.Config{Model: m, Columns: newToy(nil)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
