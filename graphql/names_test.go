package graphql_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/graphql"
)

// TestLegalName covers what becomes of the characters of a local name.
func TestLegalName(t *testing.T) {
	for local, want := range map[string]string{
		"Customer": "Customer", "firstName": "firstName", "FIRST_NAME": "FIRST_NAME", "x2": "x2",
		"Patient.name": "Patient_name", "ex:Customer": "ex_Customer", "e-mail": "e_mail", "Customer/42": "Customer_42", "created at (UTC)": "created_at__UTC_",
		"3DModel": "_3DModel", "42": "_42",
		"Café": "Cafe", "Cafe\u0301": "Cafe", "caf%C3%A9": "cafe", "Straße": "Strasse", "Œuvre": "OEuvre", "Łódź": "Lodz", "İstanbul": "Istanbul", "naïve": "naive", "ﬁsh": "fish", "x²": "x2",
		"__typename": "_typename", "____": "", "_": "", "_x": "_x", "客户": "", "客户Id": "_Id", "prix€": "prix_", "100%": "_100_", "%zz": "_zz", "": "", "\xff": "", "a\x00b": "a_b",
		"true": "true", "on": "on", "a🙂b": "a_b",
	} {
		if got := graphql.LegalName(local); got != want {
			t.Errorf("%q is named %q, want %q", local, got, want)
		}
	}
}

// TestNamesOfTermsThatShareOne covers who keeps a name and what the others get.
func TestNamesOfTermsThatShareOne(t *testing.T) {
	for _, c := range []struct{ iri, want string }{
		{"http://aaa.example/Person", "Person"}, // the first of equals
		{"http://xmlns.com/foaf/0.1/Person", "foaf_Person"},
		{"https://schema.org/Person", "schema_Person"},
		{"http://www.w3.org/ns/dcat#Person", "dcat_Person"},
		{"http://www.w3.org/2004/02/skos/core#Person", "skos_Person"},
		{"http://purl.org/dc/terms/Person", "dc_Person"},
		{"http://purl.org/dc/elements/1.1/Person", "elements_Person"},
		{"https://spec.edmcouncil.org/fibo/ontology/FND/AgentsAndPeople/People/Person", "People_Person"},
		{"http://zzz.example/v2.owl#Person", "zzz_Person"},
		{"urn:x-org:Person", "x_org_Person"},
		{"urn:7:Person", "_7_Person"},
		{"http://zzz.example/other/ontology#Person", "other_Person"},
		{"http://zzz.example/other/terms#Person", "Person_3c9da6fb"},
	} {
		if got := graphql.AllotNames(personIRIs())[c.iri]; got != c.want {
			t.Errorf("%s is named %s, want %s", c.iri, got, c.want)
		}
	}
	long := "https://example.org/" + strings.Repeat("long", 50)
	for iri, name := range graphql.AllotNames([]string{long + "1", long + "2"}) {
		if len(name) > 100 || !strings.HasPrefix(name, "longlong") {
			t.Errorf("…%s is named %s", iri[len(iri)-1:], name)
		}
	}
}

func personIRIs() []string {
	return []string{"http://aaa.example/Person", "http://xmlns.com/foaf/0.1/Person", "https://schema.org/Person", "http://www.w3.org/ns/dcat#Person",
		"http://www.w3.org/2004/02/skos/core#Person", "http://purl.org/dc/terms/Person", "http://purl.org/dc/elements/1.1/Person",
		"https://spec.edmcouncil.org/fibo/ontology/FND/AgentsAndPeople/People/Person", "http://zzz.example/v2.owl#Person", "urn:x-org:Person", "urn:7:Person",
		"http://zzz.example/other/ontology#Person", "http://zzz.example/other/terms#Person"}
}

// TestRandomTerms holds for random terms, many of which want the same names as others and
// as the schema: each has a legal name of its own, and the order that they come in does
// not matter.
func TestRandomTerms(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		d := graphql.Derivation{Name: "random", Ontology: randomOntology(r)}
		want := derive(t, d)
		legalSchema(t, want)
		distinctNames(t, want)
		for range 3 {
			o := *d.Ontology
			o.Classes, o.Properties = slices.Clone(o.Classes), slices.Clone(o.Properties)
			r.Shuffle(len(o.Classes), func(i, k int) { o.Classes[i], o.Classes[k] = o.Classes[k], o.Classes[i] })
			r.Shuffle(len(o.Properties), func(i, k int) { o.Properties[i], o.Properties[k] = o.Properties[k], o.Properties[i] })
			got := derive(t, graphql.Derivation{Name: "random", Ontology: domains.NewOntology(o)})
			if diff := cmp.Diff(want.SDL, got.SDL); diff != "" {
				t.Fatalf("seed %d: another order gives another schema (-want +got):\n%s", seed, diff)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// distinctNames holds that no two types share a name, and no two columns.
func distinctNames(t testing.TB, m *graphql.Model) {
	t.Helper()
	types, columns := map[string]string{}, map[string]*graphql.Column{}
	for _, typ := range m.Types {
		for _, name := range []string{typ.Name, typ.Filter, typ.Order} {
			if other := types[name]; other != "" {
				t.Errorf("%s and %s share the name %s", other, typ.Class, name)
			}
			types[name] = typ.Class
		}
		for _, c := range typ.Fields {
			if other := columns[c.Name]; other != nil && other != c {
				t.Errorf("two columns are named %s", c.Name)
			}
			columns[c.Name] = c
		}
	}
}

// randomOntology has terms whose names meet each other and those of the schema.
func randomOntology(r *rand.Rand) *domains.Ontology {
	namespaces := []string{"https://shop.example/ontology#", "http://xmlns.com/foaf/0.1/", "urn:x:", "https://other.example/a/", "https://other.example/b/ontology#"}
	stems := []string{"Customer", "customer", "Customér", "allCustomer", "AllCustomer", "countCustomer", "CustomerFilter", "CustomerOrder", "CustomerFilter_", "Order", "order", "search", "Search",
		"Entity", "entity", "Query", "String", "StringFilter", "EntityFilter", "Untyped", "id", "ID", "label", "and", "or", "not", "exists", "name", "nameValue", "nameValue_", "foaf_name", "__x", "_x", "客户", "客", "é", "3D", ""}
	o := domains.Ontology{IRI: "https://shop.example/ontology"}
	iris := map[string]bool{}
	iri := func() string {
		for {
			s := namespaces[r.IntN(len(namespaces))] + stems[r.IntN(len(stems))]
			if r.IntN(8) == 0 {
				s += string(rune('!' + r.IntN(90)))
			}
			if !iris[s] {
				iris[s] = true
				return s
			}
		}
	}
	for range 5 + r.IntN(50) {
		o.Classes = append(o.Classes, domains.Class{IRI: iri(), Declared: r.IntN(3) > 0})
	}
	class := func() string { return o.Classes[r.IntN(len(o.Classes))].IRI }
	for i := range o.Classes {
		for range r.IntN(3) {
			o.Classes[i].Supers = append(o.Classes[i].Supers, class())
		}
	}
	iris = map[string]bool{}
	for range r.IntN(60) {
		p := domains.Property{IRI: iri(), Kind: domains.PropertyKind(1 + r.IntN(4)), Declared: r.IntN(3) > 0}
		for range r.IntN(3) {
			p.Domains = append(p.Domains, class())
		}
		for range r.IntN(3) {
			p.Ranges = append(p.Ranges, [...]string{class(), rdf.XSD + "int", rdf.XSDString, fmt.Sprint("urn:unknown:", r.IntN(3))}[r.IntN(4)])
		}
		o.Properties = append(o.Properties, p)
	}
	return domains.NewOntology(o)
}
