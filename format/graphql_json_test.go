package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/format"
)

// asJSON is an answer of a GraphQL service in the format json, and what it holds.
func asJSON(t testing.TB, budget int, body string) (text string, out map[string]json.RawMessage) {
	t.Helper()
	a, ok := format.ParseGraphQL([]byte(body))
	if !ok {
		t.Fatalf("no answer of GraphQL: %s", body)
	}
	a.Pages = func(key string) bool { return key == "customers" }
	f := graphQLFrame(budget)
	f.Source.Degraded = "1 file left out: a.ttl"
	text = format.GraphQLJSON(f, a)
	if n := utf8.RuneCountInString(text); n > budget {
		t.Errorf("%d characters, more than %d", n, budget)
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text, out
}

func TestGraphQLJSON(t *testing.T) {
	for body, want := range map[string]string{
		`{ "data": {"a": [1.50, 12345678901234567890, null], "t": "<\u0041>\u202e"} }`:                  `{"data":{"a":[1.50,12345678901234567890,null],"t":"<A>\u202e"},"domain":"sales","version":"2","degraded":"1 file left out: a.ttl"}`,
		`{"data":null,"errors":[{"message":"No.","path":["a",0],"locations":[{"line":1,"column":3}]}]}`: `{"data":null,"errors":[{"message":"No.","path":["a",0],"locations":[{"line":1,"column":3}]}]}`,
	} {
		if text, _ := asJSON(t, 6000, body); text != want {
			t.Errorf("got  %s\nwant %s", text, want)
		}
	}
}

// What does not fit is cut at whole items, and the answer says where and what to do.
func TestGraphQLJSONIsCutAtWholeItems(t *testing.T) {
	var items []string
	for i := range 300 {
		items = append(items, fmt.Sprintf(`{"id":"C%d","label":"Customer number %d"}`, i, i))
	}
	list := "[" + strings.Join(items, ",") + "]"
	for body, want := range map[string]string{
		`{"data":{"customers":` + list + `}}`:                       " of 300. To see the rest, ask for fewer fields or fewer items, or again with offset raised by ",
		`{"data":{"others":` + list + `,"n":1}}`:                    " of 300; n: not shown. To see the rest, ask for fewer fields or fewer items.",
		`{"data":{"customer":{"id":"1","has":` + list + `}}}`:       "customer.has: ",
		`{"data":{"text":"` + strings.Repeat("long ", 3000) + `"}}`: "text: not shown.",
		`{"data":{"a":[{"b":` + list + `}]}}`:                       "a: the first of 1, and not whole.",
	} {
		for _, budget := range []int{800, 2000, 6000} {
			text, out := asJSON(t, budget, body)
			var left string
			if err := json.Unmarshal(out["left_out"], &left); err != nil || budget > 800 && !strings.Contains(left, want) {
				t.Errorf("%d: %q is not said in %q:\n%s", budget, want, left, text)
			}
			var data struct{ Customers []struct{ ID, Label string } }
			if err := json.Unmarshal(out["data"], &data); err != nil {
				t.Fatal(err)
			}
			for i, c := range data.Customers {
				if c.ID != fmt.Sprintf("C%d", i) || c.Label == "" {
					t.Errorf("item %d is not whole: %+v", i, c)
				}
			}
		}
	}
}

func FuzzGraphQLJSON(f *testing.F) {
	f.Add(`{"data":{"customers":[{"id":"C1","tags":["a",null,1.50],"r":[{"x":1},5]},null,[1,[2]]],"c":null,"n":1e400},"errors":[{"message":"w","path":["a",0]},5]}`, 900)
	f.Add(`{"data":{"a":{"b":{"c":[[["\u202e"]]]}}}}`, 600)
	f.Fuzz(func(t *testing.T, body string, budget int) {
		if _, ok := format.ParseGraphQL([]byte(body)); ok {
			asJSON(t, 600+max(0, budget)%5000, body)
		}
	})
}

func TestGraphQLSearch(t *testing.T) {
	terms := []format.GraphQLTerm{
		{Name: "Customer", Line: "type Customer", Description: "Who has a contract.", Roots: []string{"allCustomer", "customer"}},
		{Name: "hasContract", Line: "hasContract: [Contract]", On: []string{"Customer", "BusinessCustomer"}, Description: "Signed."},
		{Name: "Contract", Line: "type Contract"},
		{Name: "contractId", Line: "contractId: String", On: []string{"Contract"}},
		{Name: "subcontractor", Line: "subcontractor: String", On: []string{"Claim"}},
		{Name: "email", Line: "email: String", On: []string{"Customer"}, Description: "Adresse électronique."},
	}
	for search, want := range map[string]struct {
		names string
		all   bool
	}{
		"contract":          {"Contract contractId hasContract subcontractor Customer", true},
		"Has Contract":      {"hasContract Customer", true},
		"electronique":      {"email", true},
		"contract of zebra": {"Contract contractId hasContract subcontractor Customer", false},
		"dragon":            {"", false},
		"!":                 {"", true},
	} {
		found, all := format.GraphQLFound(search, terms)
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want.names || all != want.all {
			t.Errorf("%q finds %q, all words: %v; want %q, %v", search, got, all, want.names, want.all)
		}
	}
	found, all := format.GraphQLFound("contract", terms)
	text := format.GraphQLSearchText(graphQLFrame(6000), "contract", found, all, nil, []string{"{ a }"})
	for _, line := range []string{
		"\n  • type Contract\n", "\n  • Customer.hasContract: [Contract]: Signed. (also on BusinessCustomer)\n",
		"\n  • type Customer, read with allCustomer, customer: Who has a contract.\n", `types=["Contract"] shows a type whole.`, "Example query: { a }", "[sales, version 2]",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("%q is not in\n%s", line, text)
		}
	}
	for _, text := range []string{
		format.GraphQLSearchText(graphQLFrame(6000), "dragon", nil, false, []string{"Dagon"}, nil),
	} {
		if !strings.Contains(text, `No type or field has "dragon" in its name or description. Did you mean Dagon?`) {
			t.Errorf("nothing found is told as\n%s", text)
		}
	}
}
