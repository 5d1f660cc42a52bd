package graphql_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"github.com/ontogate/ontogate/graphql"
)

// customers is a schema of the kind that is derived from an ontology.
func customers(t testing.TB) string {
	t.Helper()
	sdl, err := os.ReadFile("testdata/customers.graphql")
	if err != nil {
		t.Fatal(err)
	}
	return string(sdl)
}

// joined is the text of definitions.
func joined(definitions []graphql.Definition) string {
	var texts []string
	for _, d := range definitions {
		texts = append(texts, d.Text)
	}
	return strings.Join(texts, "\n\n")
}

func load(t testing.TB, sdl string) *ast.Schema {
	t.Helper()
	loaded, err := validator.LoadSchema(validator.Prelude, &ast.Source{Input: sdl})
	if err != nil {
		t.Fatalf("%v\n%s", err, sdl)
	}
	return loaded
}

// standsAlone holds that the projections of a type are schemas of their own, whose every
// field is one of the whole, and that the example of the type is valid for them.
func standsAlone(t *testing.T, whole *graphql.Schema, typ string) {
	t.Helper()
	for _, detail := range []graphql.Detail{graphql.ShowValues, graphql.ShowLeast} {
		p := whole.Project([]string{typ}, detail)
		sdl := joined(p.Definitions)
		part := load(t, sdl)
		if e := whole.Example(typ); e != "" && detail == graphql.ShowValues {
			validates(t, sdl, schema(t, sdl).Example(typ))
		}
		for name, d := range part.Types {
			if d.BuiltIn {
				continue
			}
			all := map[string]bool{}
			for _, f := range whole.Fields(name) {
				all[f.Signature] = true
			}
			fields := schema(t, sdl).Fields(name)
			for _, f := range fields {
				if !all[f.Signature] {
					t.Errorf("%s: %s.%s is not in the whole schema", typ, name, f.Signature)
				}
			}
			if short := len(fields) < len(all); short != slices.Contains(p.Shortened, name) && name != whole.Root() {
				t.Errorf("%s: %s has %d of %d fields, Shortened: %v", typ, name, len(fields), len(all), p.Shortened)
			}
			if len(fields) < len(all) && !strings.Contains(sdl, "# … and ") {
				t.Errorf("%s: nothing says that %s is not whole", typ, name)
			}
		}
	}
}

// A part of a schema can be used where a schema is asked for: every type that it names is
// defined in it, also one that only an argument of a field needs.
func TestEveryProjectionIsASchema(t *testing.T) {
	for name, sdl := range map[string]string{"shop": shop, "customers": customers(t)} {
		whole := schema(t, sdl)
		for _, typ := range append(whole.Types(), whole.Root()) {
			t.Run(name+" "+typ, func(t *testing.T) { standsAlone(t, whole, typ) })
		}
	}
}

func TestEveryProjectionOfARecordedSchemaIsASchema(t *testing.T) {
	for _, c := range recorded(t, "sdl") {
		var sdl string
		if err := json.Unmarshal(c.Expected, &sdl); err != nil || strings.HasPrefix(sdl, "RAISES") || sdl == "None" {
			continue
		}
		whole := schema(t, sdl)
		for _, typ := range append(whole.Types(), whole.Root()) {
			standsAlone(t, whole, typ)
		}
	}
}

func TestProject(t *testing.T) {
	s := schema(t, shop)
	for _, c := range []struct{ types, shown, shortened string }{
		{"Customer", "Query Customer Node Order State", "Order"},
		{"Order", "Query Order Filter Line State", "Line"},
		{"Line", "Line Line Customer Node", "Customer"},
		{"Nothing", "", ""},
		{"Query", "Query Filter Customer Found Node Order State Date", "Customer Order"},
		{"Found", "Query Found Customer Node Order State", "Customer Order"},
		{"Filter", "Filter State", ""},
	} {
		p := s.Project([]string{c.types}, graphql.ShowValues)
		var names []string
		for _, d := range p.Definitions {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != c.shown {
			t.Errorf("%s shows %q, want %q", c.types, got, c.shown)
		}
		if got := strings.Join(p.Shortened, " "); got != c.shortened {
			t.Errorf("%s shortens %q, want %q", c.types, got, c.shortened)
		}
	}
}

func TestTextOfAProjection(t *testing.T) {
	want := `type Query {
  orders(filter: Filter, limit: Int! = 50): [Order!]!
  # … and 4 fields of other types
}

"Naïve – für alle"
type Order {
  id: ID!
  label: String
  total: String
  state: State
  line: [Line!]
}

input Filter { state: State!, text: String = "a, \"b\"", also: [Filter!] }

type Line {
  id: ID!
  product: String
  more: Int
  # … and 1 more field
}

enum State { OPEN SHIPPED }`
	got := joined(schema(t, shop).Project([]string{"Order"}, graphql.ShowValues).Definitions)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
