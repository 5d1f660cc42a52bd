package graphql_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/graphql"
)

func TestCheckSaysWhatIsWrong(t *testing.T) {
	s := schema(t, shop)
	for _, c := range []struct{ query, variables, want string }{
		{"{ customers { frstName } }", "", "line 1, column 15: Customer has no field 'frstName'. Did you mean 'firstName'?"},
		{"{ allCustomer(limit: 5) { id } }", "", "line 1, column 3: Query has no field 'allCustomer'. Did you mean 'customer' or 'customers'?"},
		{"{\n  nope }", "", "line 2, column 3: Query has no field 'nope'. Root fields: customers, customer, orders, find, day."},
		{"{ customers(limt: 5) { id } }", "", "line 1, column 13: Query.customers has no argument 'limt'. Did you mean 'limit'?"},
		{"{ day(x: 1) }", "", "line 1, column 7: Query.day has no argument 'x'. It has none."},
		{"{ customers(limit: null) { id } }", "", "line 1, column 20: limit is Int! and must not be null: give a value, or leave it out if it has a default."},
		{`{ customers(limit: "5") { id } }`, "", `line 1, column 21: limit is Int!: it must be a whole number of 32 bits, not "5".`},
		{"{ customer { id } }", "", `line 1, column 3: Query.customer needs the argument id: ID!, such as customer(id: "…").`},
		{"{ customers }", "", "line 1, column 3: 'customers' is [Customer!]!: say which of its fields to read, such as customers { id label firstName }."},
		{"{ day { id } }", "", "line 1, column 3: 'day' is Date and has no fields: write day without { }."},
		{"query($n: Int!) { customers(limit: $n) { id } }", "", `line 1, column 7: The variable $n (Int!) is not given: pass it in variables, as in {"n": 1}.`},
		{"query($n: Int!) { customers(limit: $n) { id } }", `{"n": "x"}`, "line 1, column 7: The variable $n is Int!: its value must be a whole number of 32 bits, not x."},
		{"query($n: Int!) { customers(limit: $n) { id } }", `[1]`, "The variables must be a JSON object."},
		{"query($n: String) { customers(limit: $n) { id } }", "", "line 1, column 38: limit is Int, and the variable $n is String: define it as $n: Int."},
		{"{ customers(limit: $n) { id } }", "", "line 1, column 20: The variable $n is not defined: name it with its type, as in query($n: String) { … }."},
		{"query($n: Int) { customers { id } }", "", "line 1, column 7: The variable $n is not used: remove it, or use it as $n."},
		// what stands below something wrong is used all the same
		{"query($n: Int, $t: String) { custmers(limit: $n) { ...F } orders(filter: {txt: $t, state: OPEN}) { id } } fragment F on Customer { id }", "",
			"line 1, column 30: Query has no field 'custmers'. Did you mean 'customers' or 'customer'?\nline 1, column 75: Filter has no field 'txt'. Did you mean 'text'?"},
		{"{ nope { id @cashed } }", "", "line 1, column 3: Query has no field 'nope'. Root fields: customers, customer, orders, find, day.\nline 1, column 14: There is no directive @cashed."},
		{"{ nope @cashed }", "", "line 1, column 9: There is no directive @cashed.\nline 1, column 3: Query has no field 'nope'. Root fields: customers, customer, orders, find, day."},
		{"query($f: Filtr) { orders(filter: $f) { id } }", "", "line 1, column 35: filter is Filter, and the variable $f is Filtr: define it as $f: Filter.\nline 1, column 7: There is no type 'Filtr'. Did you mean 'Filter'?"},
		{"{ orders(filter: {state: CLOSED}) { id } }", "", "line 1, column 26: State.state"},
		{"{ orders(filter: {txt: \"a\"}) { id } }", "", "line 1, column 19: Filter has no field 'txt'. Did you mean 'text'?\nline 1, column 18: Filter needs the field state: State!."},
		{"query($f: Filter) { orders(filter: $f) { id } }", `{"f": {"state": "CLOSED"}}`, "line 1, column 7: Filter.state is State!: its value must be one of OPEN, SHIPPED, not CLOSED."},
		{"{ find(text: \"a\") { label } }", "", "line 1, column 21: Found has no field 'label'. It is one of Customer, Order: write ... on Customer { … }."},
		{"{ find(text: \"a\") { ... on Custommer { id } } }", "", "line 1, column 25: There is no type 'Custommer'. Did you mean 'Customer'?"},
		{"{ ...F }", "", "line 1, column 6: The query defines no fragment 'F'. It has none."},
		{"{ day } fragment F on Customer { id }", "", "line 1, column 9: The fragment 'F' is not used: remove it, or write ...F where its fields are wanted."},
		{"{ day } { day }", "", "line 1, column 1: With several operations each needs a name.\nline 1, column 9: With several operations each needs a name."},
		{"mutation { x }", "", "line 1, column 1: The service has no mutations: send a query."},
		{"{ day @cashed }", "", "line 1, column 8: There is no directive @cashed."},
		{"{ day", "", "line 1, column 6: Syntax error: Expected Name, found <EOF>."},
		{"syntax {", "", `line 1, column 1: Syntax error: Unexpected Name "syntax".`},
		{"", "", "The query has no operation: write { … } with the fields to read."},
		{"{ a b c d e f g }", "", ""},
	} {
		var lines []string
		for _, f := range graphql.Check(s, graphql.Request{Query: c.query, Variables: []byte(c.variables)}) {
			lines = append(lines, f.Error())
		}
		got := strings.Join(lines, "\n")
		switch {
		case c.want == "" && len(lines) != 5:
			t.Errorf("%s has %d faults, want 5", c.query, len(lines))
		case strings.HasSuffix(c.want, "State.state"):
			c.want = "line 1, column 26: Filter.state is State!: it must be one of OPEN, SHIPPED, not CLOSED."
			fallthrough
		case c.want != "":
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.query, diff)
			}
		}
	}
}

// What a service accepts has no faults, or an answer would explain what is not wrong.
func TestCheckFindsNothingInValidQueries(t *testing.T) {
	s := schema(t, shop)
	for query, variables := range map[string]string{
		"{ customers { id hasOrder { state line { more customer { id } } } } }":                                                             "",
		"query A($n: Int = 5) { customers(limit: $n) { ...C } } fragment C on Customer { id hasOrder { ...O } } fragment O on Order { id }": "",
		`{ find(text: "a") { __typename ... on Customer { id } ... on Node { id } } }`:                                                      "",
		"{ __schema { types { name } } __type(name: \"A\") { anything } }":                                                                  "",
		"query($f: Filter) { orders(filter: $f) { id } }":                                                                                   `{"f": {"state": "OPEN", "also": {"state": "SHIPPED"}}}`,
		"query($y: Boolean!) { day @skip(if: $y) }":                                                                                         `{"y": true}`,
		"{ customer(id: 42) { id } a: customer(id: \"C\") @cached { id } }":                                                                 "",
		"query($s: State!) { orders(filter: {state: $s, also: [{state: OPEN}]}) { id } }":                                                   `{"s": "OPEN"}`,
		"query($n: Int) { customers(limit: $n) { id } }":                                                                                    "",
	} {
		if faults := graphql.Check(s, graphql.Request{Query: query, Variables: []byte(variables)}); len(faults) > 0 {
			t.Errorf("%s: %v", query, faults)
		}
	}
}

// The queries that were recorded agree with the engine that they were recorded from.
func TestRecordedQueries(t *testing.T) {
	sdls := recordedSDL
	s := schema(t, sdls)
	for _, c := range recorded(t, "graphql_query") {
		faults := graphql.Check(s, graphql.Request{Query: c.Input.Query, Variables: c.Input.Variables})
		if (c.Status == 200) != (len(faults) == 0) {
			t.Errorf("%s %s: status %d, faults %v", c.Input.Query, c.Input.Variables, c.Status, faults)
		}
	}
}

// recordedSDL is the schema of the domain that the recorded queries ask.
const recordedSDL = `type Customer { id: ID! uri: String! label: String firstName: String email: String zipCode: String tags: String hasOrder: [Order!] }
type Order { id: ID! uri: String! label: String total: String hasLine: [Line!] }
type Line { id: ID! uri: String! label: String back: [Customer!] }
type Query { customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]! customer(id: ID!): Customer }`

func TestOperations(t *testing.T) {
	got, err := graphql.Operations("query A { a } mutation B { b } subscription { c } fragment F on T { a }")
	if err != nil {
		t.Fatal(err)
	}
	want := []graphql.Operation{{Kind: graphql.Query, Name: "A"}, {Kind: graphql.Mutation, Name: "B"}, {Kind: graphql.Subscription}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}

func TestLimitsOfQueries(t *testing.T) {
	for name, c := range map[string]struct{ query, want string }{
		"long":   {"{" + strings.Repeat("a", graphql.MaxQuery) + "}", "The query has 100002 bytes, more than the 100000 that are allowed: ask for less at once."},
		"words":  {"{" + strings.Repeat("a ", graphql.MaxTokens) + "}", "line 1, column 10000: The query has more than 5000 words and signs: ask for less at once."},
		"nested": {strings.Repeat("{a", 2000), "line 1, column 2001: Syntax error: exceeded maximum nesting depth of 1000."},
		"values": {"{a(b:" + strings.Repeat("[", 2000), "line 1, column 1005: Syntax error: exceeded maximum nesting depth of 1000."},
	} {
		_, err := graphql.Operations(c.query)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Fragments that stand for more and more fields cost no more than their text.
func TestCheckIsLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString("{ customers { ...F0 } }")
	for i := range 400 {
		fmt.Fprintf(&b, " fragment F%d on Customer { ...F%d ...F%d }", i, i+1, i+1)
	}
	b.WriteString(" fragment F400 on Customer { id ...F0 }") // and a cycle
	if faults := graphql.Check(schema(t, shop), graphql.Request{Query: b.String()}); len(faults) > 0 {
		t.Error(faults)
	}
}

func FuzzParseSDL(f *testing.F) {
	f.Add(shop)
	f.Add(recordedSDL)
	f.Add("\ufeff\"d\" type A { é }")
	f.Fuzz(func(t *testing.T, sdl string) {
		s, err := graphql.ParseSDL(sdl)
		if err != nil {
			return
		}
		for _, d := range s.Definitions() {
			if !strings.Contains(sdl, d.Text) {
				t.Fatalf("%q does not stand in the SDL", d.Text)
			}
		}
		graphql.Check(s, graphql.Request{Query: s.Example("")})
		for _, name := range s.Types() {
			s.Example(name)
			s.Project([]string{name}, graphql.ShowValues)
		}
	})
}

func FuzzOperations(f *testing.F) {
	f.Add("query A { a } mutation B { b }")
	f.Add("{")
	f.Fuzz(func(t *testing.T, query string) {
		ops, err := graphql.Operations(query)
		if (err == nil) != (len(ops) > 0) {
			t.Fatalf("%d operations, %v", len(ops), err)
		}
	})
}

func FuzzCheck(f *testing.F) {
	f.Add("query($n: Int!) { customers(limit: $n) { id ...F } } fragment F on Customer { label @skip(if: true) }", `{"n": 1}`)
	f.Add(`{ orders(filter: {state: OPEN, also: [{text: """x"""}]}) { id } }`, `{}`)
	s := schema(f, shop)
	f.Fuzz(func(t *testing.T, query, variables string) {
		faults := graphql.Check(s, graphql.Request{Query: query, Variables: []byte(variables)})
		for _, fault := range faults {
			if n := len(fault.Error()); n > 4000 {
				t.Fatalf("a fault of %d bytes", n)
			}
		}
	})
}

// A field that only types of an interface have is read in a fragment on one of them.
func TestCheckOfAFieldBelowAnInterface(t *testing.T) {
	s := schema(t, `type Query { entity: Entity }
interface Entity { id: ID }
type Agent implements Entity { id: ID name: String calls: [Call] team: String }
type Call implements Entity { id: ID name: String }`)
	for query, want := range map[string]string{
		"{ entity { name } }":           "line 1, column 12: Entity has no field 'name'. It is a field of Call, Agent: write ... on Call { name }.",
		"{ entity { calls { name } } }": "line 1, column 12: Entity has no field 'calls'. It is a field of Agent: write ... on Agent { calls { … } }.",
		"{ entity { nme } }":            "line 1, column 12: Entity has no field 'nme'. Its fields: id.",
	} {
		faults := graphql.Check(s, graphql.Request{Query: query})
		if len(faults) != 1 || faults[0].Error() != want {
			t.Errorf("%s: %v, want %s", query, faults, want)
		}
	}
}
