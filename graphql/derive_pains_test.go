package graphql_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/graphql"
)

// The tests here hold what users of other programs had to complain about.

// TestClassesWithDotsDigitsAndColonsHaveLegalNames: one class with a strange name broke
// whole endpoints. That every name of every schema is legal is held by legalSchema.
func TestClassesWithDotsDigitsAndColonsHaveLegalNames(t *testing.T) {
	folders := domaintest.Shared(t, "data", "ontologies")
	fhir := derivedFrom(t, backend(t, rdfgraph.Config{Dir: folders + "/fhir"}), "fhir")
	legalSchema(t, fhir.Model)
	dotted := 0
	for _, c := range fhir.from.Ontology.Classes {
		if local := c.IRI[strings.LastIndex(c.IRI, "/")+1:]; strings.Contains(local, ".") {
			dotted++
			if fhir.Type(strings.ReplaceAll(local, ".", "_")) == nil {
				t.Errorf("no type for %s", local)
			}
		}
	}
	for _, p := range fhir.from.Ontology.Properties {
		if strings.Contains(p.IRI[strings.LastIndex(p.IRI, "/")+1:], ".") {
			dotted++
		}
	}
	if dotted < 163 {
		t.Errorf("%d terms with dots, want at least 163", dotted)
	}
	if org := derivedFrom(t, backend(t, rdfgraph.Config{Dir: schemaOrg(t)}), "schemaorg"); org.Type("_3DModel") == nil {
		t.Error("no type for 3DModel")
	}
}

// TestLocalNamesUsedTwiceGetNamesOfTheirOwn: names collided, and one of the two silently
// won. The domain's own terms keep their names, and what the others are called tells
// whose they are.
func TestLocalNamesUsedTwiceGetNamesOfTheirOwn(t *testing.T) {
	d := derivedFrom(t, backend(t, rdfgraph.Config{Dir: schemaOrg(t)}), "schemaorg")
	distinctNames(t, d.Model)
	local := func(iri string) string { return iri[strings.LastIndexAny(iri, "/#:")+1:] }
	of := map[string][]string{} // local name → IRIs of classes, and of properties
	for _, c := range d.from.Ontology.Classes {
		of["class "+local(c.IRI)] = append(of["class "+local(c.IRI)], c.IRI)
	}
	for _, p := range d.from.Ontology.Properties {
		of["property "+local(p.IRI)] = append(of["property "+local(p.IRI)], p.IRI)
	}
	twice := 0
	types := map[string]string{} // class → name
	for _, typ := range d.Types {
		types[typ.Class] = typ.Name
	}
	for name, iris := range of {
		if len(iris) < 2 {
			continue
		}
		twice++
		for _, iri := range iris {
			got := types[iri]
			if got != "" && types["https://schema.org/"+local(iri)] != "" && strings.HasPrefix(iri, "https://schema.org/") != (got == local(iri)) {
				t.Errorf("%s: %s is named %s", name, iri, got)
			}
		}
	}
	if twice < 60 {
		t.Errorf("%d local names are used twice, want more", twice)
	}
	for class, want := range map[string]string{"https://schema.org/Person": "Person", "http://xmlns.com/foaf/0.1/Person": "foaf_Person", "https://ref.gs1.org/voc/Organization": "gs1_Organization"} {
		if types[class] != want {
			t.Errorf("%s is named %s, want %s", class, types[class], want)
		}
	}
}

// TestClassesNamedLikeOursDoNotClash: a class had the name of a type that was generated.
func TestClassesNamedLikeOursDoNotClash(t *testing.T) {
	var o domains.Ontology
	names := []string{"Query", "Mutation", "Subscription", "String", "ID", "Int", "Float", "Boolean", "Long", "Decimal", "Date", "DateTime", "Time", "Entity", "Untyped",
		"Direction", "PageInfo", "XConnection", "X", "XFilter", "XOrder", "AllX", "CountX", "IDFilter", "StringFilter", "EntityFilter", "Search"}
	for _, n := range names {
		o.Classes = append(o.Classes, domains.Class{IRI: "https://example.org/" + n, Declared: true})
	}
	m := derive(t, graphql.Derivation{Name: "clashes", Ontology: domains.NewOntology(o)})
	legalSchema(t, m)
	distinctNames(t, m)
	if len(m.Types) != len(names) {
		t.Errorf("%d types for %d classes", len(m.Types), len(names))
	}
	for _, n := range []string{"X", "XFilter", "XOrder", "XConnection", "AllX", "CountX", "Search", "Query_", "PageInfo_"} {
		if m.Type(n) == nil {
			t.Errorf("no type %s", n)
		}
	}
	if x := m.Type("X"); x.Filter != "XFilter_" || x.All != "allX" {
		t.Errorf("X has the filter %s and the root %s", x.Filter, x.All)
	}
}

// TestTypesInCyclesArePrintedOnce: cycles of types overflowed the stack.
func TestTypesInCyclesArePrintedOnce(t *testing.T) {
	var o domains.Ontology
	const n = 9_000
	iri := func(i int) string { return fmt.Sprintf("https://example.org/C%05d", i%n) }
	for i := range n {
		o.Classes = append(o.Classes, domains.Class{IRI: iri(i)})
		if i < 3 {
			o.Classes[i].Supers = []string{iri((i + 1) % 3), iri(i)}
		}
		o.Properties = append(o.Properties, domains.Property{IRI: fmt.Sprintf("https://example.org/p%05d", i), Kind: domains.ObjectProperty,
			Domains: []string{iri(i)}, Ranges: []string{iri(i + 1)}, Supers: []string{fmt.Sprintf("https://example.org/p%05d", (i+1)%n)}})
	}
	m := derive(t, graphql.Derivation{Name: "cycles", Ontology: domains.NewOntology(o)})
	if got := strings.Count(m.SDL, "\ntype C00001 "); got != 1 {
		t.Errorf("C00001 is printed %d times", got)
	}
	for _, c := range []int{0, 1, 2} {
		typ := m.Type(fmt.Sprintf("C%05d", c))
		if len(typ.Fields) != 3 || len(typ.Classes) != 3 {
			t.Errorf("%s has %d fields and %d classes, want those of the whole circle", typ.Name, len(typ.Fields), len(typ.Classes))
		}
	}
}

// TestLargeSchemasAreDerived: a large schema overflowed the builder. The schema of
// schema.org is whole, and each inherited field costs a pointer.
func TestLargeSchemasAreDerived(t *testing.T) {
	d := derivedFrom(t, backend(t, rdfgraph.Config{Dir: schemaOrg(t)}), "schemaorg")
	legalSchema(t, d.Model)
	fields, columns := 0, map[*graphql.Column]bool{}
	for _, typ := range d.Types {
		fields += len(typ.Fields)
		for _, c := range typ.Fields {
			columns[c] = true
		}
	}
	if fields < 63_000 || len(columns) > 2_500 {
		t.Errorf("%d fields and %d columns", fields, len(columns))
	}
	tooLarge := regexp.MustCompile(`too large`)
	for _, n := range d.Notes {
		if tooLarge.MatchString(n) && !strings.HasPrefix(n, "Inherited fields are described") {
			t.Errorf("something is left out: %s", n)
		}
	}
	if !slices.ContainsFunc(d.Type("Person").Fields, func(c *graphql.Column) bool { return c.Name == "knows" }) {
		t.Error("Person has no field knows")
	}
}
