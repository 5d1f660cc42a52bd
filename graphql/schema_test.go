package graphql_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/ontogate/ontogate/graphql"
)

func TestDefinitionsAreInOrderAndVerbatim(t *testing.T) {
	var got []string
	for _, d := range schema(t, shop).Definitions() {
		got = append(got, d.Keyword+" "+d.Name)
		if !strings.Contains(shop, d.Text) || d.Text == "" {
			t.Errorf("the text of %s does not stand in the SDL:\n%s", d.Name, d.Text)
		}
		if _, err := graphql.ParseSDL(d.Text); err != nil {
			t.Errorf("%s does not parse alone: %v\n%s", d.Name, err, d.Text)
		}
	}
	want := []string{
		"schema ", "type Query", "type Customer", "union Found", "type Line", "extend Line",
		"interface Node", "type Order", "input Filter", "enum State", "scalar Date", "directive cached",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("definitions (-want +got):\n%s", diff)
	}
}

func TestTextsOfDefinitions(t *testing.T) {
	want := map[string]string{
		"Order":  "\"Naïve – für alle\"\ntype Order {\n  id: ID!\n  label: String\n  total: String\n  state: State\n  line: [Line!]\n}",
		"Found":  "union Found = Customer | Order",
		"cached": "directive @cached(for: Int = 5) repeatable on FIELD | QUERY",
		"State":  "enum State { OPEN SHIPPED }",
		"":       "\"\"\"Things that are sold.\"\"\"\nschema { query: Query }",
	}
	for _, d := range schema(t, shop).Definitions() {
		if w, ok := want[d.Name]; ok {
			if diff := cmp.Diff(w, d.Text); diff != "" {
				t.Errorf("%s (-want +got):\n%s", d.Name, diff)
			}
		}
	}
}

func TestFieldsWithSignatures(t *testing.T) {
	s := schema(t, shop)
	var got []string
	for _, f := range s.Fields(s.Root()) {
		got = append(got, f.Signature)
	}
	want := []string{
		"customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]!",
		"customer(id: ID!): Customer",
		"orders(filter: Filter, limit: Int! = 50): [Order!]!",
		"find(text: String!): [Found]",
		"day: Date",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("signatures (-want +got):\n%s", diff)
	}
	if n := len(s.Fields("Line")); n != 4 {
		t.Errorf("Line has %d fields with its extension, want 4", n)
	}
	if f := s.Returning("Customer"); len(f) != 2 || !f[0].List || f[1].List || !f[1].Args[0].Required || f[0].Args[0].Required {
		t.Errorf("root fields of Customer: %+v", f)
	}
}

func TestNamedIsForgivingAndSuggests(t *testing.T) {
	s := schema(t, shop)
	if name, _, ok := s.Named("customer"); !ok || name != "Customer" {
		t.Errorf("customer is %q, %v", name, ok)
	}
	if _, near, ok := s.Named("Custmer"); ok || !cmp.Equal(near, []string{"Customer"}) {
		t.Errorf("Custmer: near %v, %v", near, ok)
	}
}

// What other services print is not always legal, and has to be readable all the same.
func TestParseSDLIsTolerant(t *testing.T) {
	for name, sdl := range map[string]string{
		"no root":          "type A { a: String }",
		"unknown type":     "type Query { a: Missing }",
		"twice":            "type Query { a: Int }\ntype Query { b: Int }",
		"reserved":         "type __Odd { a: Int }\ntype Query { a: __Odd }",
		"unknown mark":     "type Query @key(fields: \"id\") { a: Int @shareable }",
		"foreign root":     "schema { query: Q }\ntype Q { a: Int }",
		"only extension":   "extend type Query { a: Int }",
		"prelude":          "scalar String\nscalar ID\ndirective @skip(if: Boolean!) on FIELD\ntype Query { a: String }",
		"empty":            "",
		"byte order mark":  "\ufefftype Query { a: Int }",
		"comments":         "# only\n\ntype Query { # here\n a: Int # and\n}\n# there",
		"extension marked": "type Query { a: Int }\nextend type Query @x\nextend schema @link(url: \"x\")",
	} {
		s := schema(t, sdl)
		if example := s.Example(""); graphql.Check(s, graphql.Request{Query: example}) != nil && s.Root() != "" {
			t.Errorf("%s: the example %s has faults", name, example)
		}
		for _, d := range s.Definitions() {
			if d.Text == "" {
				t.Errorf("%s: %s has no text", name, d.Name)
			}
		}
	}
	_, err := graphql.ParseSDL("type Query {\n  a: \n}")
	if err == nil || !strings.HasPrefix(err.Error(), "line 3, column 1: Syntax error: ") {
		t.Errorf("error of a broken schema: %v", err)
	}
}

// Every schema that was recorded is read, and its example is valid by the rules of the
// specification.
func TestRecordedSchemas(t *testing.T) {
	n := 0
	for _, c := range recorded(t, "sdl") {
		var sdl string
		if err := json.Unmarshal(c.Expected, &sdl); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(sdl, "RAISES") || sdl == "None" {
			continue
		}
		n++
		s, err := graphql.ParseSDL(sdl)
		if err != nil {
			t.Errorf("%s: %v", c.Case, err)
			continue
		}
		validates(t, sdl, s.Example(""))
		for _, typ := range s.Types() {
			validates(t, sdl, s.Example(typ))
		}
	}
	if n == 0 {
		t.Error("no schema was recorded")
	}
}

// validates holds that a query is valid for a schema, by the parser's own rules and by
// ours.
func validates(t *testing.T, sdl, query string) {
	t.Helper()
	if query == "" {
		return
	}
	loaded, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: sdl})
	if err != nil {
		t.Fatalf("%v\n%s", err, sdl)
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: query})
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return
	}
	if errs := validator.ValidateWithRules(loaded, doc, rules.NewDefaultRules()); len(errs) > 0 {
		t.Errorf("%s: %v\n%s", query, errs, sdl)
	}
	if faults := graphql.Check(schema(t, sdl), graphql.Request{Query: query}); len(faults) > 0 {
		t.Errorf("%s: %v", query, faults)
	}
}

func TestExample(t *testing.T) {
	s := schema(t, shop)
	for typ, want := range map[string]string{
		"":         "{ customers(limit: 3) { id label firstName hasOrder { id label total } } }",
		"Order":    "{ orders(limit: 3) { id label total line { id product more } } }",
		"Customer": "{ customers(limit: 3) { id label firstName hasOrder { id label total } } }",
		"Line":     "",
		"Found":    `{ find(text: "…") { __typename } }`,
	} {
		got := s.Example(typ)
		if got != want {
			t.Errorf("example of %q: %s, want %s", typ, got, want)
		}
		validates(t, shop, got)
	}
}
