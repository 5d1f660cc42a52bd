package graphql_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/graphql"
)

func TestPattern(t *testing.T) {
	got := schema(t, customers(t)).Pattern()
	if got == nil {
		t.Fatal("no pattern is seen")
	}
	var fields []string
	for _, f := range got.Fields {
		fields = append(fields, f.Signature)
	}
	want := []string{
		"allCustomer(limit: Int = 50, offset: Int = 0, search: String, where: CustomerFilter, orderBy: [CustomerOrder!]): [Customer!]!",
		"customer(id: String!): Customer",
		"countCustomer(search: String, where: CustomerFilter): Int!",
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	want = []string{
		"allX(limit: Int = 50, offset: Int = 0, search: String, where: XFilter, orderBy: [XOrder!]): [X!]!",
		"x(id: String!): X",
		"countX(search: String, where: XFilter): Int!",
	}
	if diff := cmp.Diff(want, got.Written); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	if got.Type != "Customer" || len(got.Types) != 12 || len(got.Others) != 22 || !cmp.Equal(got.InputsWritten, []string{"XFilter", "XOrder"}) {
		t.Errorf("pattern %+v", got)
	}
	if p := schema(t, shop).Pattern(); p != nil {
		t.Errorf("types that are not alike have the pattern %+v", p)
	}
	types := "type A { id: ID } type B { id: ID } type City { id: ID }"
	plural := schema(t, types+" type Query { as(limit: Int): [A] a: A bs(limit: Int): [B] b: B cities(limit: Int): [City] city: City }")
	if p := plural.Pattern(); p != nil {
		t.Errorf("two types are told together: %+v", p)
	}
}

// An outline has every field once: on the type, on an interface of it, or on the type whose
// fields it says to have.
func TestOutlineTellsEveryField(t *testing.T) {
	for _, sdl := range []string{shop, customers(t)} {
		s := schema(t, sdl)
		o, ok := s.Outline()
		if !ok {
			t.Fatal("there is no outline")
		}
		if _, err := graphql.ParseSDL(joined(o.Definitions)); err != nil {
			t.Errorf("%v\n%s", err, joined(o.Definitions))
		}
		texts := map[string]string{} // type → its definition
		for _, d := range o.Definitions {
			texts[d.Name] = d.Text
		}
		var tells func(typ, field string) bool
		tells = func(typ, field string) bool {
			text := texts[typ]
			for _, word := range []string{"\n  " + field + ":", "\n  " + field + "(", "{ " + field + ":", ", " + field + ":"} {
				if strings.Contains(text, word) {
					return true
				}
			}
			if _, rest, ok := strings.Cut(text, "# all fields of "); ok {
				return tells(strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == '\n' })[0], field)
			}
			if _, rest, ok := strings.Cut(text, "# the fields of "); ok {
				return tells(strings.FieldsFunc(rest, func(r rune) bool { return r == ',' || r == '\n' })[0], field)
			}
			return false
		}
		for _, typ := range s.Types() {
			if s.Pattern() != nil && (strings.HasSuffix(typ, "Filter") || strings.HasSuffix(typ, "Order")) {
				continue
			}
			for _, f := range s.Fields(typ) {
				if !tells(typ, f.Name) {
					t.Errorf("%s.%s is not told:\n%s", typ, f.Name, texts[typ])
				}
			}
		}
	}
}

func TestOutlineOfADerivedSchema(t *testing.T) {
	s := schema(t, customers(t))
	o, _ := s.Outline()
	if want := "(limit: Int = 50, offset: Int = 0, search: String)"; o.Arguments != want {
		t.Errorf("arguments %q, want %q", o.Arguments, want)
	}
	text := joined(o.Definitions)
	for _, want := range []string{
		"type Query {\n  allCustomer(limit: Int = 50, offset: Int = 0, search: String, where: CustomerFilter, orderBy: [CustomerOrder!]): [Customer!]!\n" +
			"  customer(id: String!): Customer\n  countCustomer(search: String, where: CustomerFilter): Int!\n" +
			"  # allX, x, countX likewise for X = Activity, Address,",
		"  entity(uri: String!): Entity\n  search(text: String!, limit: Int = 20): [Entity!]!\n}",
		"\"A customer that is a company; first and last name are those of its contact.\"\ntype BusinessCustomer implements Entity {\n  # all fields of Customer, and\n  companyName: String\n",
		"type Customer implements Entity {\n  id: String!\n",
		"\n  hasInteraction: [Interaction]\n",
		"type Activity implements Entity # the fields of Entity\n",
		"  hasCall: CallFilter\n  # … and 13 more fields of Customer, likewise\n}",
		"input StringFilter { eq: String, ne: String, in: [String!], contains: String, startsWith: String, exists: Boolean }",
		"scalar Decimal # An exact decimal number. JSON: a string.",
		"@deprecated(reason: \"No longer in use.\")",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the outline does not hold %q:\n%s", want, text)
		}
	}
	for _, unwanted := range []string{"input CallFilter", "input CallOrder", "Given name."} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the outline holds %q", unwanted)
		}
	}
	for _, d := range s.Essentials() {
		if d.Name == "CallFilter" || d.Name == "CallOrder" {
			t.Errorf("%s is essential", d.Name)
		}
	}
}

// Types that inherit fields do not repeat them among the terms.
func TestTerms(t *testing.T) {
	var fields []graphql.Term
	for _, term := range schema(t, customers(t)).Terms() {
		if term.Name == "email" {
			fields = append(fields, term)
		}
		if term.Name == "Contract" && !slices.Equal(term.Roots, []string{"allContract", "contract", "countContract"}) {
			t.Errorf("Contract is read by %v", term.Roots)
		}
	}
	want := []graphql.Term{
		{Name: "email", Description: "Address for electronic mail.", Line: "email: [String]", On: []string{"Party", "Agent", "Customer", "BusinessCustomer"}},
	}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A field that several types have is one term, also where only the type that declares it
// describes it; that one comes first. What types describe differently stays apart.
func TestTermsOfFieldsThatOneTypeDescribes(t *testing.T) {
	s := schema(t, `type Query { shops: [Shop] }
type Bakery { hours: String id: String }
type Place { "When it is open." hours: String "Of the place." id: String a: Int b: Int }
type Shop { "Of the shop." id: String hours: String a: Int b: Int c: Int }`)
	var got []graphql.Term
	for _, term := range s.Terms() {
		if term.Name == "hours" || term.Name == "id" {
			got = append(got, term)
		}
	}
	want := []graphql.Term{
		{Name: "hours", Description: "When it is open.", Line: "hours: String", On: []string{"Place", "Bakery", "Shop"}},
		{Name: "id", Line: "id: String", On: []string{"Bakery"}},
		{Name: "id", Description: "Of the place.", Line: "id: String", On: []string{"Place"}},
		{Name: "id", Description: "Of the shop.", Line: "id: String", On: []string{"Shop"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
