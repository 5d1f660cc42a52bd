package graphql

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// hostileRequest is a request that asks for more than it looks, about customers and what
// they know.
type hostileRequest struct {
	name string
	Request
	refusal string // how the refusal begins
}

// bomb is a chain of fragments, each of which has the next one twice.
func bomb(on, end string, length int) string {
	var b strings.Builder
	for i := range length {
		fmt.Fprintf(&b, " fragment F%d on %s { ...F%d ...F%d }", i, on, i+1, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on %s { %s }", length, on, end)
	return b.String()
}

// times is a text so often, with its number in place of #.
func times(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// nested is a text around another so often.
func nested(n int, open, inside, end string) string {
	return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
}

func hostile() []hostileRequest {
	query := func(name, query, refusal string) hostileRequest {
		return hostileRequest{name, Request{Query: query}, refusal}
	}
	list := []hostileRequest{
		query("huge", "{ countCustomer "+strings.Repeat(" ", MaxQuery)+"}", "The query has 100017 bytes"),
		query("tokens", "{ "+strings.Repeat("label ", 10_000)+"}", "The query has more than 5000 words"),
		query("repeated", "{ "+strings.Repeat("countCustomer ", 900)+"}", "The query asks for the same names again and again"),
		query("repeated below", `{ `+strings.Repeat(`customer(id: "1") { `+strings.Repeat("name ", 30)+`} `, 30)+"}", "The query asks for the same names again and again"),
		query("repeated with long arguments", "{ "+strings.Repeat("a: countCustomer(where: {and: ["+strings.Repeat("{not: {exists: true}} ", 8)+"]}) ", 50)+"}", "The query asks for the same names again and again (here 'a')"),
		query("deep", `{ customer(id: "1") { `+nested(400, "knows { ", "id", "}")+"}}", "The query follows 400 relations"),
		query("deep through fragments", `{ customer(id: "1") { ...F0 } }`+chained(400), "The query follows 400 relations from 'customer'"),
		query("deep values", "{ countCustomer(where: "+nested(900, "{not: ", "{exists: true}", "}")+") }", ""),
		query("deep lists", "{ anything(deep: "+nested(990, "[", "1", "]")+") { __typename } }", "deep is Int: it must be a whole number of 32 bits, not [[[["),
		query("deeper lists", "{ anything(deep: "+nested(1900, "[", "1", "]")+") { __typename } }", "Syntax error: exceeded maximum nesting depth of 1000"),
		query("wide", `{ customer(id: "1") { `+times(31, "a#: knows { "+times(30, "b#: name ")+" c: label } ")+"}}", "The field 'knows' has more than 30 names"),
		query("wider", `{ customer(id: "1") { `+times(28, "a#: knows { "+times(18, "b#: name c#: label ")+" } ")+"}}", "The query asks for 1,0"),
		query("aliased", "{ "+times(31, "a#: countCustomer ")+"}", "The field 'countCustomer' has more than 30 names"),
		query("aliased in fragments", "{ ...A ...B } fragment A on Query { "+times(20, "a#: countCustomer ")+"} fragment B on Query { "+times(20, "b#: countCustomer ")+"}", "The field 'countCustomer' has more than 30 names"),
		query("cycle", `{ customer(id: "1") { ...A } } fragment A on Customer { knows { ...B } } fragment B on Customer { ...A }`, "The fragment 'A' contains itself (A → B → A)"),
		query("long cycle", `{ customer(id: "1") { ...F0 } }`+strings.Replace(chained(400), "...F400 ", "...F0 ", 1), "The fragment 'F0' contains itself (F0 → F1 → F2"),
		query("bomb", `{ customer(id: "1") { ...F0 } }`+bomb("Customer", "id", 200), "The query asks for more than a billion fields"),
		query("bomb that nobody uses", `{ countCustomer }`+bomb("Customer", "id", 200), "The query asks for more than a billion fields"),
		query("bomb of the schema", `{ __schema { types { ...F0 } } }`+bomb("__Type", "name", 200), "The query asks for more than a billion fields"),
		query("small bomb in many operations", bomb("Customer", "id", 9)+times(100, ` query Q# { customer(id: "1") { ...F0 } }`), "The query has several operations"),
		query("chain of fragments", `{ customer(id: "1") { ...F0 } }`+times(490, " fragment F# on Customer { id ...G# }"), "The query defines no fragment 'G0'"),
		query("recursion in the schema", "{ __schema { types { "+nested(100, "fields { type { ", "name", "} } ")+"} } }", "The query asks for lists of the schema inside each other"),
		query("recursion in the schema through fragments", "{ __schema { types { ...F0 } } }"+times(120, " fragment F# on __Type { fields { type { ...G# } } } fragment G# on __Type { inputFields { type { interfaces { name } } } }"), "The query asks for lists of the schema inside each other"),
		query("many wrong names", "{ "+times(900, "nope# ")+"}", "Query has no field 'nope0'."),
		query("many variables that nobody defined", "{ "+times(29, "a#: countCustomer(search: $v#) ")+"}", "The variable $v0 is not defined"),
		query("many variables that nobody uses", "query ("+times(1200, "$v#: Int ")+") { countCustomer }", "The variable $v0 is not used"),
		query("many directives", "{ countCustomer "+strings.Repeat("@skip(if: true) ", 600)+"}", "The directive"),
		query("many arguments", "{ countCustomer("+times(1200, "a#: 1 ")+") }", "Query.countCustomer has no argument 'a0'."),
		query("many members", "{ countCustomer(where: {"+times(1200, "a#: 1 ")+"}) }", "CustomerFilter has no field 'a0'."),
		query("many fragments on types that never fit", `{ customer(id: "1") { `+times(80, "... on Interaction { a#: id } ")+"} }", "The field 'id' has more than 30 names"),
		query("many fragments that can't be there", `{ customer(id: "1") { `+times(80, "... on Interaction { id } ")+"} }", "Fragment cannot be spread here"),
		query("many conflicts", `{ `+times(40, "a: countCustomer a: __typename ")+"}", "Fields \"a\" conflict"),
	}
	list = append(list,
		hostileRequest{"large variables", Request{Query: "query ($w: [CustomerOrder!]) { allCustomer(orderBy: $w) { id } }",
			Variables: json.RawMessage(`{"w": [` + strings.TrimSuffix(strings.Repeat(`{"nope": 1},`, 80_000), ",") + `]}`)}, "The variables hold more than 20,000 values"},
		hostileRequest{"many wrong variables", Request{Query: "query ($w: [CustomerOrder!]) { allCustomer(orderBy: $w) { id } }",
			Variables: json.RawMessage(`{"w": [` + strings.TrimSuffix(strings.Repeat(`{"nope": 1},`, 9_000), ",") + `]}`)}, "The variable $w is CustomerOrder, which has no field 'nope'."},
		hostileRequest{"long variables", Request{Query: "query ($w: CustomerFilter) { countCustomer(where: $w) }",
			Variables: json.RawMessage(`{"w": "` + strings.Repeat(`,[{\"`, 200_000) + `"}`)}, "The variable $w is CustomerFilter: its value must be an object"},
		hostileRequest{"deep variables", Request{Query: "query ($w: CustomerFilter) { countCustomer(where: $w) }",
			Variables: json.RawMessage(`{"w": ` + nested(900, `{"not":`, "5", "}") + `}`)}, "The variable $w.not.not"},
		hostileRequest{"variables nested too deeply", Request{Query: "query ($w: CustomerFilter) { countCustomer(where: $w) }",
			Variables: json.RawMessage(`{"w": ` + nested(100_000, `{"not":`, "5", "}") + `}`)}, "The variables hold more than 20,000 values"},
		hostileRequest{"variables nested deeply", Request{Query: "query ($w: CustomerFilter) { countCustomer(where: $w) }",
			Variables: json.RawMessage(`{"w": ` + nested(9000, `{"not":`, "5", "}") + `}`)}, "The variables are nested more than 1,000 levels deep"},
	)
	return list
}

// chained is a chain of fragments that ends.
func chained(length int) string {
	var b strings.Builder
	for i := range length {
		fmt.Fprintf(&b, " fragment F%d on Customer { id knows { ...F%d } }", i, i+1)
	}
	fmt.Fprintf(&b, " fragment F%d on Customer { id }", length)
	return b.String()
}

// Each is refused, and says why; nothing that grows faster than the text is done before.
func TestHostileRequests(t *testing.T) {
	g := sampleGate(t)
	for _, h := range hostile() {
		t.Run(h.name, func(t *testing.T) {
			d, errs := g.admit(h.Request, 0)
			if h.refusal == "" {
				if d == nil {
					t.Errorf("refused: %+v", errs)
				}
				return
			}
			if d != nil || len(errs) == 0 || !strings.HasPrefix(errs[0].Message, h.refusal) {
				t.Errorf("admit() = %v, %+v\nwant %s", d != nil, errs, h.refusal)
			}
			for _, e := range errs {
				if len(e.Message) > 600 {
					t.Errorf("a message of %d bytes: %.100s", len(e.Message), e.Message)
				}
			}
		})
	}
}

// What fragments stand for costs nothing: twice the text is twice the work.
func TestSurveyIsLinear(t *testing.T) {
	work := func(query string) int {
		doc, fault := parse(query)
		if fault != nil {
			t.Fatal(fault)
		}
		s, _ := survey(doc, mostDepth)
		return s.work
	}
	for name, of := range map[string]func(n int) string{
		"bomb":  func(n int) string { return `{ customer(id: "1") { ...F0 } }` + bomb("Customer", "id", n) },
		"chain": func(n int) string { return `{ customer(id: "1") { ...F0 } }` + chained(n) },
		"deep":  func(n int) string { return `{ customer(id: "1") { ` + nested(n, "knows { id ", "id", "}") + "}}" },
		"wide":  func(n int) string { return "{ " + times(n, "a#: countCustomer ") + "}" },
		"spread": func(n int) string {
			return `{ customer(id: "1") { ` + strings.Repeat("...F0 ", n) + `} }` + bomb("Customer", "id", 100)
		},
	} {
		small, large := work(of(100)), work(of(200))
		if large > 3*small || large > 25*200 {
			t.Errorf("%s: 100 take %d, 200 take %d", name, small, large)
		}
	}
}

// Cycles of types are no trouble, those of a query neither, and too deep a query says where
// to end (apollo-mcp-server #94).
func TestDepth(t *testing.T) {
	g := sampleGate(t)
	relations := func(n int) Request {
		return Request{Query: `{ customer(id: "1") { ` + nested(n, "knows { ", "id", " }") + " } }"}
	}
	for _, c := range []struct {
		depth, relations int
		refusal          string
	}{
		{0, 8, ""}, {8, 8, ""}, {100, 8, ""}, {2, 2, ""}, {1, 0, ""},
		{0, 9, "The query follows 9 relations from 'customer', more than the 8 that are allowed (depth): end at 'knows', and read on from there in another query."},
		{2, 3, "The query follows 3 relations from 'customer', more than the 2 that are allowed (depth): end at 'knows', and read on from there in another query."},
		{1, 2, "The query follows 2 relations from 'customer', more than the 1 that are allowed (depth): end at 'knows', and read on from there in another query."},
	} {
		_, errs := g.admit(relations(c.relations), c.depth)
		got := ""
		if len(errs) > 0 {
			got = errs[0].Message
		}
		if got != c.refusal {
			t.Errorf("depth %d, %d relations: %q, want %q", c.depth, c.relations, got, c.refusal)
		}
		if want := 23 + 8*c.depth; got != "" && c.depth > 0 && errs[0].Locations[0].Column != want {
			t.Errorf("depth %d: at %v, want column %d", c.depth, errs[0].Locations, want)
		}
	}
	for _, query := range []string{
		`{ customer(id: "1") { ...A } } fragment A on Customer { knows { ...B } } fragment B on Customer { ... on Entity { ... on Customer { knows { related { id } } } } }`,
		`{ __schema { types { fields { type { ofType { ofType { ofType { ofType { ofType { ofType { ofType { name } } } } } } } } } } } }`,
	} {
		_, errs := g.admit(Request{Query: query}, 2)
		if deep := strings.Contains(query, "related"); deep != (len(errs) > 0) {
			t.Errorf("admit(%s) = %+v", query, errs)
		}
	}
}

func BenchmarkHostile(b *testing.B) {
	g := sampleGate(b)
	for _, h := range hostile() {
		b.Run(strings.ReplaceAll(h.name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				g.admit(h.Request, 0)
			}
		})
	}
}
