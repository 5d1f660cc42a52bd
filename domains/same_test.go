package domains_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

const onto = "https://ontobricks.com/ontology/"

// people is an ontology in which VIP is below Customer, below Party, and Order
// stands alone.
func people() *domains.Ontology {
	return domains.NewOntology(domains.Ontology{Classes: []domains.Class{
		{IRI: onto + "Party"},
		{IRI: onto + "Customer", Supers: []string{onto + "Party"}, Labels: []domains.Text{{Value: "Kunde", Lang: "de"}}},
		{IRI: onto + "VIP", Supers: []string{onto + "Customer"}},
		{IRI: onto + "Supplier", Supers: []string{onto + "Party"}},
		{IRI: onto + "Order"},
	}})
}

func TestSameEntity(t *testing.T) {
	typed := func(iri string, classes ...string) domains.Identity {
		id := domains.Identity{IRI: onto + iri}
		for _, c := range classes {
			id.Types = append(id.Types, onto+c)
		}
		return id
	}
	sameAs := domains.Identity{IRI: "https://elsewhere.org/7", SameAs: []string{onto + "Customer/42"}}
	hash := domains.Identity{IRI: "https://ontobricks.com/ontology#Customer/42", Types: []string{onto + "Customer"}}
	for _, tc := range []struct {
		name string
		a, b domains.Identity
		want bool
	}{
		{"itself", typed("42"), typed("42"), true},
		{"class segment, untyped alias", typed("Customer/CUST00094", "Customer"), typed("CUST00094"), true},
		{"class segment, the alias is typed", typed("Customer/42"), typed("42", "Customer"), true},
		{"class segment in another case", typed("customer/42", "Customer"), typed("42"), true},
		{"class segment by label", typed("Kunde/42", "Customer"), typed("42"), true},
		{"segment names a super-class", typed("Customer/42", "VIP"), typed("42"), true},
		{"segment names a sub-class", typed("VIP/42", "Customer"), typed("42"), false},
		{"segment before others", typed("Customer/eu/42", "Customer"), typed("eu/42"), true},
		{"hash before the class", hash, typed("42"), true},
		{"two classes, one id", typed("Customer/42", "Customer"), typed("Order/42", "Order"), false},
		{"segment is no class", typed("Jagger/Richards", "Customer"), typed("Richards", "Customer"), false},
		{"segment is a class, not the entity's", typed("Order/42", "Customer"), typed("42"), false},
		{"nothing is typed", typed("Customer/42"), typed("42"), false},
		{"types conflict", typed("Customer/42", "Customer"), typed("42", "Order"), false},
		{"types conflict beside a shared super-class", typed("Customer/42", "Customer", "Party"), typed("42", "Supplier", "Party"), false},
		{"one type above the other", typed("Customer/42", "VIP"), typed("42", "Party"), true},
		{"another id", typed("Customer/42", "Customer"), typed("43"), false},
		{"two segments", typed("Customer/Customer/42", "Customer"), typed("42"), false},
		{"another authority", typed("Customer/42", "Customer"), domains.Identity{IRI: "https://other.com/ontology/42"}, false},
		{"another scheme", typed("Customer/42", "Customer"), domains.Identity{IRI: "http://ontobricks.com/ontology/42"}, false},
		{"no authority", domains.Identity{IRI: "urn:x:Customer/42", Types: []string{onto + "Customer"}}, domains.Identity{IRI: "urn:x:42"}, false},
		{"no local id", typed("Customer/", "Customer"), domains.Identity{IRI: onto}, false},
		{"sameAs", typed("Customer/42", "Customer"), sameAs, true},
		{"sameAs overrides types", typed("Customer/42", "Order"), sameAs, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := domains.SameEntity(tc.a, tc.b, people()); got != tc.want {
				t.Errorf("SameEntity(%s, %s) = %v, want %v", tc.a.IRI, tc.b.IRI, got, tc.want)
			}
			if got := domains.SameEntity(tc.b, tc.a, people()); got != tc.want {
				t.Errorf("the other way round: SameEntity(%s, %s) = %v, want %v", tc.b.IRI, tc.a.IRI, got, tc.want)
			}
			if tc.a.SameAs == nil && tc.b.SameAs == nil && tc.a.IRI != tc.b.IRI {
				if got := domains.NewKinship(tc.a.Types, tc.b.Types, people()).Same(tc.a.IRI, tc.b.IRI); got != tc.want {
					t.Errorf("by their kinship, %s and %s are the same: %v, want %v", tc.a.IRI, tc.b.IRI, got, tc.want)
				}
			}
		})
	}
}

func TestSameEntityWithoutOntology(t *testing.T) {
	a := domains.Identity{IRI: onto + "Customer/42", Types: []string{onto + "Customer"}}
	if !domains.SameEntity(a, domains.Identity{IRI: onto + "42"}, nil) {
		t.Error("an IRI with the segment of its own type is the entity without it")
	}
}

// TestSegmentsNameClassesHoweverTheyAreWritten holds that case and what separates words
// do not count, in any script and at any length.
func TestSegmentsNameClassesHoweverTheyAreWritten(t *testing.T) {
	long := strings.Repeat("Long_", 30)
	classes := domains.NewClassNames(nil, []string{onto + "Service_Order", onto + "ÜberTräger", onto + long + "Name"})
	for segment, want := range map[string]bool{
		"ServiceOrder": true, "service-order": true, "SERVICE ORDER": true, "_serviceorder": true, "ServiceOrders": false,
		"üBER-träger": true, "Ubertrager": false, strings.ToUpper(long) + "NAME": true, strings.TrimSuffix(long, "_") + "name": true, long: false, "": false, "-": false,
	} {
		if got := classes.Has(segment); got != want {
			t.Errorf("%q names a class: %v, want %v", segment, got, want)
		}
	}
}

func TestShortenings(t *testing.T) {
	classes := domains.NewClassNames(nil, []string{onto + "Customer", onto + "Order", "http://www.w3.org/2002/07/owl#Thing"})
	for _, tc := range []struct {
		iri  string
		want []string
	}{
		{"https://x.org/Customer/42", []string{"https://x.org/42"}},
		{"https://x.org/Customer/Order/42", []string{"https://x.org/Order/42", "https://x.org/Customer/42"}},
		{"https://x.org/o#Customer/42", []string{"https://x.org/o/42", "https://x.org/o#42"}},
		{"https://x.org/Customer/42?a=/Customer/1", []string{"https://x.org/42?a=/Customer/1"}},
		{"https://Customer/42", nil},
		{"https://x.org/Thing/42", nil},
		{"https://x.org/42/Customer", nil},
		{"https://x.org/Customer/", nil},
		{"urn:Customer/42", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(tc.want, domains.Shortenings(tc.iri, classes)); diff != "" {
			t.Errorf("Shortenings(%q) (-want +got):\n%s", tc.iri, diff)
		}
	}
}
