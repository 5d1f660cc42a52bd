package graphql

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vektah/gqlparser/v2/ast"
)

// refusals.txt has the text of every refusal of cases.txt: a golden file, rewritten by
// go test -run TestRefusals -update.
func TestRefusals(t *testing.T) {
	g := sampleGate(t)
	var b strings.Builder
	for _, c := range gateCases(t) {
		_, errs := g.admit(c.Request, 0)
		if len(errs) == 0 {
			continue
		}
		fmt.Fprintf(&b, "=== %s\n%s\n", c.name, strings.TrimSpace(c.Query))
		for _, e := range errs {
			for _, l := range e.Locations {
				fmt.Fprintf(&b, "%d:%d ", l.Line, l.Column)
			}
			fmt.Fprintf(&b, "%s\n", e.Message)
		}
	}
	file := filepath.Join("testdata", "gate", "refusals.txt")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}

// A domain whose introspection is off says so and names what has the schema instead;
// __typename is no introspection (magento/graphql-ce #232).
func TestIntrospectionOff(t *testing.T) {
	g, err := newGate(gateSDL(t), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"{ __schema { queryType { name } } }", `{ a: __type(name: "Customer") { name } }`, `{ ...F } fragment F on Query { countCustomer __schema { description } }`,
	} {
		d, errs := g.admit(Request{Query: query}, 0)
		want := "Introspection is switched off for this domain: GET …/schema has the schema."
		if d != nil || len(errs) != 1 || errs[0].Message != want || len(errs[0].Locations) != 1 {
			t.Errorf("admit(%s) = %v, %+v", query, d != nil, errs)
		}
	}
	if _, errs := g.admit(Request{Query: `{ __typename customer(id: "1") { __typename } }`}, 0); len(errs) > 0 {
		t.Errorf("__typename: %+v", errs)
	}
}

func TestVariablesAreCoerced(t *testing.T) {
	g := sampleGate(t)
	query := `query ($i: Int, $f: Float, $s: String, $id: ID, $k: Kind, $p: Point, $l: Long, $o: [CustomerOrder!], $w: CustomerFilter,
		$none: String, $null: String, $d: Long = 12345678901234567890, $e: [Kind!] = FIRM, $q: Point = {x: 3}, $t: Float = 2) {
		byPoint(at: {x: 1}, tags: [], big: $l) { id }
		z: byPoint(at: {x: 1}, big: $d) { id }
		allCustomer(limit: $i, search: $s, orderBy: $o, where: $w) { id }
		a: allCustomer(search: $none) { id } b: allCustomer(search: $null) { id }
		anything(ratio: $f, kind: $k, near: $p, id: $id) { __typename }
		y: anything(kinds: $e, near: $q, ratio: $t) { __typename }
	}`
	d, errs := g.admit(Request{Query: query, Variables: json.RawMessage(`{"i": 3.0, "f": 3, "s": "é", "id": 7, "k": "FIRM", "null": null,
		"p": {"x": 1, "unit": "FOOT"}, "l": 12345678901234567890, "o": {"name": "ASC"}, "w": {"and": {"points": {"in": [1, "2"]}}, "age": null}, "extra": 1}`)}, 0)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := map[string]any{
		"i": int64(3), "f": 3.0, "s": "é", "id": "7", "k": "FIRM", "null": nil,
		"p": map[string]any{"x": 1.0, "y": 2.0, "name": "origin", "unit": "FOOT"}, "l": json.Number("12345678901234567890"),
		"o": []any{map[string]any{"name": "ASC"}},
		"w": map[string]any{"and": []any{map[string]any{"points": map[string]any{"in": []any{json.Number("1"), "2"}}}}, "age": nil},
		"d": json.Number("12345678901234567890"), "e": []any{"FIRM"}, "t": 2.0,
		"q": map[string]any{"x": 3.0, "y": 2.0, "name": "origin", "unit": "METRE"},
	}
	if diff := cmp.Diff(want, d.variables); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}

// What is asked of an object, in order and merged.
func TestCollect(t *testing.T) {
	g := sampleGate(t)
	for _, c := range []struct{ name, query, object, want string }{
		{"fragments and conditions", `{ entity(uri: "x") { id ... on Customer { name } ...E ... on Interaction { date } ... on Named { x: name } } } fragment E on Entity { uri id ... on Untyped { label } }`,
			"Customer", "id*2 name uri x"},
		{"another object", `{ entity(uri: "x") { id ... on Customer { name } ...E ... on Interaction { date } ... on Named { x: name } } } fragment E on Entity { uri id ... on Untyped { label } }`,
			"Interaction", "id*2 uri date"},
		{"the rest", `{ entity(uri: "x") { ...E ...E } } fragment E on Entity { uri ... on Untyped { label } }`, "Untyped", "uri label"},
		{"a union", `{ entity(uri: "x") { ... on Named { ... on Entity { id } } ... on Customer { age } } }`, "Customer", "id age"},
		{"skip and include", `query ($yes: Boolean! = true) { entity(uri: "x") { id @skip(if: $yes) uri @include(if: $yes) types @skip(if: false) label @include(if: false) ...E @skip(if: true) ... @include(if: false) { label } ...E } } fragment E on Entity { l: label @include(if: true) @skip(if: $yes) id }`,
			"Customer", "uri types id"},
		{"many keys", `{ entity(uri: "x") { ` + times(20, "a#: label ") + times(20, "a#: label ") + `} }`, "Customer", strings.TrimSpace(times(20, "a#*2 "))},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, errs := g.admit(Request{Query: c.query}, 0)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			root := d.collect([]ast.SelectionSet{d.operation.SelectionSet}, g.schema.Query)
			var got []string
			for _, k := range d.collect(root[0].subsets(), g.schema.Types[c.object]) {
				text := k.key
				if len(k.fields) > 1 {
					text += fmt.Sprintf("*%d", len(k.fields))
				}
				if k.field != k.fields[0] {
					t.Errorf("%s: field is not the first", k.key)
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("collect (-want +got):\n%s", diff)
			}
		})
	}
}

// A schema in parts is the schema in one piece.
func TestSchemaInParts(t *testing.T) {
	sdl := "# Notes \"\"\"\n#}\n" + strings.ReplaceAll(gateSDL(t), "A person or company", "A\n}\nperson or company")
	whole, err := parseParts([]string{sdl})
	if err != nil {
		t.Fatal(err)
	}
	cut := parts(sdl, 1)
	if len(cut) < 8 || strings.Join(cut, "") != sdl {
		t.Fatalf("%d parts", len(cut))
	}
	pieces, err := parseParts(cut)
	if err != nil {
		t.Fatal(err)
	}
	describe := func(t *typed) string {
		w := &metaWriter{schema: t.schema, lists: orderOf(t), limit: 1 << 30}
		doc, _ := parse(everything)
		d := &document{schema: t.schema, doc: doc, operation: doc.Operations[0]}
		w.object(d.plan(d.collect([]ast.SelectionSet{d.operation.SelectionSet}, t.schema.Query)[0], "__Schema"), t.schema)
		return string(w.b)
	}
	if diff := cmp.Diff(describe(whole), describe(pieces)); diff != "" {
		t.Error(diff)
	}
	if _, err := newGate("type Query {\n  a: Int\n}\ntype A {\n  b: Nope\n}\n", true); err == nil || !strings.Contains(err.Error(), "Nope") {
		t.Errorf("a schema that is not legal: %v", err)
	}
}

// everything asks for all that a schema says of its types.
const everything = `{ __schema { types { name description fields(includeDeprecated: true) { name description args(includeDeprecated: true) { name description defaultValue type { name ofType { name } } } deprecationReason type { kind name ofType { name } } } inputFields(includeDeprecated: true) { name defaultValue } enumValues(includeDeprecated: true) { name } interfaces { name } possibleTypes { name } } directives { name locations } } }`

// Equal fields are kept once.
func TestEqualFieldsAreKeptOnce(t *testing.T) {
	g := sampleGate(t)
	of := func(typ, field string) *ast.FieldDefinition { return g.schema.Types[typ].Fields.ForName(field) }
	if of("Customer", "label") != of("Untyped", "label") || of("Customer", "uri") != of("Entity", "uri") {
		t.Error("equal fields are there twice")
	}
	if of("Customer", "name") == of("Interaction", "name") || of("Query", "allCustomer") == of("Query", "allInteraction") {
		t.Error("different fields are one")
	}
}

func FuzzAdmit(f *testing.F) {
	for _, c := range gateCases(f) {
		f.Add(c.Query, string(c.Variables), c.Operation)
	}
	for _, h := range hostile() {
		if len(h.Query) < 5_000 && len(h.Variables) < 5_000 {
			f.Add(h.Query, string(h.Variables), h.Operation)
		}
	}
	g := sampleGate(f)
	g.meta.limit = 1 << 16
	f.Fuzz(func(t *testing.T, query, variables, operation string) {
		d, errs := g.admit(Request{Query: query, Variables: json.RawMessage(variables), Operation: operation}, 0)
		if (d == nil) != (len(errs) > 0) || len(errs) > mostFaults {
			t.Fatalf("admit() = %v, %+v", d != nil, errs)
		}
		for _, e := range errs {
			if e.Message == "" || len(e.Message) > 2_000 {
				t.Errorf("message %q", e.Message)
			}
		}
		if d == nil {
			return
		}
		for _, c := range d.collect([]ast.SelectionSet{d.operation.SelectionSet}, g.schema.Query) {
			if answer := d.introspect(nil, c); !json.Valid(answer) {
				t.Errorf("%s: %s", c.key, answer)
			}
		}
	})
}
