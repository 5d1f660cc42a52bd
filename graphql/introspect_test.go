package graphql

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vektah/gqlparser/v2/ast"
)

// introspected is the answer to a query that asks about the schema alone.
func introspected(t testing.TB, g *gate, r Request) []byte {
	t.Helper()
	d, errs := g.admit(r, 0)
	if len(errs) > 0 {
		t.Fatalf("%+v\n%s", errs, r.Query)
	}
	b := []byte{'{'}
	for i, c := range d.collect([]ast.SelectionSet{d.operation.SelectionSet}, g.schema.Query) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, c.key), ':')
		b = d.introspect(b, c)
	}
	return append(b, '}')
}

// everyones are the names of what every schema has, besides those that begin with __.
var everyones = []string{"String", "Int", "Float", "Boolean", "ID", "skip", "include", "deprecated", "specifiedBy", "oneOf"}

// strip drops the descriptions of what every schema has.
func strip(v any, within bool) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = strip(v[i], within)
		}
	case map[string]any:
		name, _ := v["name"].(string)
		within = within || strings.HasPrefix(name, "__") || slices.Contains(everyones, name)
		if within {
			delete(v, "description")
		}
		for k := range v {
			v[k] = strip(v[k], within)
		}
	}
	return v
}

// introspection.json has graphql-js's answers about the same schema, written by
// introspection.mjs.
func TestIntrospectAsGraphQLJSDoes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "gate", "introspection.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Query string
		Data  json.RawMessage
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	g := sampleGate(t)
	for i, c := range cases {
		var got, want any
		if err := json.Unmarshal(introspected(t, g, Request{Query: c.Query}), &got); err != nil {
			t.Fatalf("%d: not JSON: %v", i, err)
		}
		if err := json.Unmarshal(c.Data, &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, strip(got, false)); diff != "" {
			t.Errorf("%d: %s\n(-want +got)\n%s", i, c.Query, diff)
		}
	}
}

// The order of keys is that of the query.
func TestIntrospectKeepsTheOrderOfKeys(t *testing.T) {
	got := introspected(t, sampleGate(t), Request{
		Query:     `query ($n: String!) { z: __type(name: $n) { name b: kind a: name kind __typename } }`,
		Variables: json.RawMessage(`{"n": "Kind"}`),
	})
	if want := `{"z":{"name":"Kind","b":"ENUM","a":"Kind","kind":"ENUM","__typename":"__Type"}}`; string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// manyClasses is a schema of classes as Derive makes them, each with ten values and four
// relations.
func manyClasses(classes int) string {
	var b strings.Builder
	b.WriteString("schema { query: Query }\n\ntype Query {\n")
	for i := range classes {
		fmt.Fprintf(&b, "  allClass%[1]d(limit: Int = 50, offset: Int = 0, search: String, where: Class%[1]dFilter, orderBy: [Class%[1]dOrder!]): [Class%[1]d!]!\n  class%[1]d(id: String!): Class%[1]d\n  countClass%[1]d(search: String, where: Class%[1]dFilter): Int!\n", i)
	}
	b.WriteString("}\n\ninterface Entity {\n  id: String!\n  uri: String!\n  types: [String!]!\n  label(lang: String): String\n}\n\n")
	for i := range classes {
		fmt.Fprintf(&b, "\"\"\"What class %d is about, in a sentence of some length.\"\"\"\ntype Class%d implements Entity {\n  id: String!\n  uri: String!\n  types: [String!]!\n  label(lang: String): String\n", i, i)
		for f := range 10 {
			fmt.Fprintf(&b, "  value%d: String\n", f)
		}
		for f := range 4 {
			fmt.Fprintf(&b, "  relation%d(limit: Int = 50, offset: Int = 0, search: String): [Class%d]\n", f, (i*7+f*13+1)%classes)
		}
		fmt.Fprintf(&b, "}\n\ninput Class%dFilter {\n  and: [Class%dFilter!]\n  or: [Class%dFilter!]\n  not: Class%dFilter\n  exists: Boolean\n", i, i, i, i)
		for f := range 10 {
			fmt.Fprintf(&b, "  value%d: StringFilter\n", f)
		}
		for f := range 4 {
			fmt.Fprintf(&b, "  relation%d: Class%dFilter\n", f, (i*7+f*13+1)%classes)
		}
		fmt.Fprintf(&b, "}\n\ninput Class%dOrder {\n  label: Direction\n", i)
		for f := range 10 {
			fmt.Fprintf(&b, "  value%d: Direction\n", f)
		}
		b.WriteString("}\n\n")
	}
	b.WriteString("input StringFilter {\n  eq: String\n  ne: String\n  in: [String!]\n  contains: String\n}\n\nenum Direction {\n  ASC\n  DESC\n}\n")
	return b.String()
}

// introspectionQuery is graphql-js's query with all of its options.
func introspectionQuery(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "gate", "introspection.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Query string }
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases[1].Query
}

// A short query that asks for much of a large schema ends at the limit.
func TestIntrospectionIsLimited(t *testing.T) {
	g, err := newGate(manyClasses(300), true)
	if err != nil {
		t.Fatal(err)
	}
	g.meta.limit = 1 << 20
	for _, query := range []string{
		`{ __schema { types { fields { type { ofType { fields { name type { name ofType { name } } args { name } } } } } } } }`,
		`{ __schema { types { possibleTypes { possibleTypes { name } fields { name } } } } a: __schema { types { name fields { name args { name } } inputFields { name type { name } } } } b: __schema { types { name inputFields { type { inputFields { name } } } } } }`,
	} {
		d, errs := g.admit(Request{Query: query}, 0)
		want := "The answer about the schema would be larger than 1 MB: ask for less of it, or for types by their names with __type(name:)."
		if d != nil || len(errs) != 1 || errs[0].Message != want {
			t.Errorf("admit(%s) = %v, %+v", query, d != nil, errs)
		}
	}
	doc, fault := parse(`{ __schema { types { fields { type { ofType { fields { name type { name ofType { name } } } } } } } } }`)
	if fault != nil {
		t.Fatal(fault)
	}
	d := &document{schema: g.schema, doc: doc, operation: doc.Operations[0]}
	g.validateTyped(doc, metaRules())
	w := &metaWriter{schema: g.schema, lists: g.meta.lists(), limit: 1 << 20}
	w.object(d.plan(d.collect([]ast.SelectionSet{d.operation.SelectionSet}, g.schema.Query)[0], "__Schema"), g.schema)
	if !w.full || w.objects > 60_000 || len(w.b) > 1<<20+1<<16 {
		t.Errorf("full %v after %d objects and %d bytes", w.full, w.objects, len(w.b))
	}
}

// The usual query about a schema is answered whole, whatever the schema's size, and is
// within the limits although it is deep.
func TestUsualIntrospectionIsWhole(t *testing.T) {
	sdl := manyClasses(300)
	g, err := newGate(sdl, true)
	if err != nil {
		t.Fatal(err)
	}
	answer := introspected(t, g, Request{Query: introspectionQuery(t)})
	if !json.Valid(answer) || len(answer) > 20*len(sdl) {
		t.Errorf("%d bytes about a schema of %d", len(answer), len(sdl))
	}
}

func BenchmarkIntrospection(b *testing.B) {
	g, err := newGate(manyClasses(1000), true)
	if err != nil {
		b.Fatal(err)
	}
	query := introspectionQuery(b)
	b.ReportAllocs()
	for b.Loop() {
		d, errs := g.admit(Request{Query: query}, 0)
		if len(errs) > 0 {
			b.Fatal(errs)
		}
		for _, answer := range d.meta {
			b.SetBytes(int64(len(answer)))
		}
	}
}

func BenchmarkNewGate(b *testing.B) {
	sdl := manyClasses(1000)
	b.SetBytes(int64(len(sdl)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newGate(sdl, true); err != nil {
			b.Fatal(err)
		}
	}
}
