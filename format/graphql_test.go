package format_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/format"
)

// graphQLFrame is a frame for answers about GraphQL.
func graphQLFrame(budget int) format.Frame {
	source := format.Source{Domain: "sales", Version: "2"}
	return format.Frame{Budget: budget, Source: source, Scope: format.Scope{Tool: "get_graphql_schema", Domain: "sales", Revision: "r"}}
}

// rendered is the text of an answer of a GraphQL service.
func rendered(f format.Frame, body string, faults ...string) string {
	a, ok := format.ParseGraphQL([]byte(body))
	a.Faults = faults
	a.Pages = func(key string) bool { return key == "customers" }
	switch {
	case !ok:
		return "no answer of GraphQL"
	case len(a.Data) == 0 && len(a.Errors) > 0:
		return format.GraphQLErrors(f, a)
	}
	return format.GraphQLResult(f, a)
}

// TestGraphQLGolden runs the archives of testdata/graphql: answers, with a comment that
// says which rule each holds. in/NAME is the body that a service sent, faults what was
// found in the query, budget the budget.
func TestGraphQLGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/graphql/*.txtar")
	if len(files) == 0 {
		t.Fatal("no golden archives")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(strings.TrimSpace(string(a.Comment))) == 0 {
				t.Fatal("the archive's comment has to say which rule it holds")
			}
			budget, faults := 6000, []string(nil)
			in, kept := map[string]string{}, &txtar.Archive{Comment: a.Comment}
			for _, f := range a.Files {
				in[f.Name] = string(f.Data)
				if !strings.HasPrefix(f.Name, "out/") {
					kept.Files = append(kept.Files, f)
				}
			}
			if in["budget"] != "" {
				budget = number(t, strings.TrimSpace(in["budget"]))
			}
			if in["faults"] != "" {
				faults = strings.Split(strings.TrimSpace(in["faults"]), "\n")
			}
			for _, f := range kept.Files {
				name, ok := strings.CutPrefix(f.Name, "in/")
				if !ok {
					continue
				}
				got := rendered(graphQLFrame(budget), string(f.Data), faults...) + "\n"
				if *update {
					kept.Files = append(kept.Files, txtar.File{Name: "out/" + name, Data: []byte(got)})
				} else if diff := cmp.Diff(in["out/"+name], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
				if n := utf8.RuneCountInString(got); n > budget+1 {
					t.Errorf("%s: %d characters, more than %d", name, n, budget)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(kept), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Every answer that was recorded is told inside the budget and without trouble.
func TestRecordedGraphQLAnswers(t *testing.T) {
	for file, function := range map[string]string{"ontobricks-graphql-cases.jsonl": "graphql_query", "ontobricks-format-cases.jsonl": "format_graphql_response"} {
		r, err := os.Open(domaintest.Shared(t, "reference", file))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		n := 0
		for sc := bufio.NewScanner(r); sc.Scan(); {
			var c struct {
				Function string
				Expected json.RawMessage
				Input    struct{ Data json.RawMessage }
			}
			if json.Unmarshal(sc.Bytes(), &c) != nil || c.Function != function {
				continue
			}
			n++
			body := c.Expected
			if function != "graphql_query" {
				body = c.Input.Data
			}
			for _, budget := range []int{600, 1000, 6000} {
				if text := rendered(graphQLFrame(budget), string(body)); utf8.RuneCountInString(text) > budget || text == "no answer of GraphQL" {
					t.Errorf("%s with %d characters:\n%s", body, budget, text)
				}
			}
		}
		if n == 0 {
			t.Errorf("%s: no case of %s", file, function)
		}
	}
}

func bigSchema(types int) format.GraphQLSchema {
	s := format.GraphQLSchema{RootName: "Query", Examples: []string{"{ things0 { id } }"}}
	root := "type Query {"
	for i := range types {
		fields := []string{fmt.Sprintf("things%d(limit: Int! = 50, offset: Int! = 0, search: String = null): [Thing%d!]!", i, i), fmt.Sprintf("thing%d(id: ID!): Thing%d", i, i)}
		s.Root, s.RootSize = append(s.Root, fields...), s.RootSize+2
		root += "\n  " + strings.Join(fields, "\n  ")
		s.Types = append(s.Types, format.GraphQLType{Name: fmt.Sprintf("Thing%d", i), Is: "4 fields", Roots: []string{fmt.Sprintf("things%d", i), fmt.Sprintf("thing%d", i)}})
		s.Parts = append(s.Parts, fmt.Sprintf("type Thing%d {\n  id: ID!\n  uri: String!\n  label: String\n  next: [Thing%d!]\n}", i, i))
	}
	s.Parts = append([]string{root + "\n}"}, s.Parts...)
	return s
}

// A schema that fits is shown whole, one that does not as an index, whose pages name
// each type once and say how many are left out.
func TestGraphQLSchemaIsWholeOrAnIndex(t *testing.T) {
	f := graphQLFrame(8000)
	small := format.GraphQLSchemaText(f, bigSchema(5))
	for _, part := range bigSchema(5).Parts {
		if !strings.Contains(small, part) {
			t.Errorf("a small schema is not whole:\n%s", small)
		}
	}
	big := bigSchema(1010)
	first := format.GraphQLSchemaText(f, big)
	for _, want := range []string{"GraphQL Schema — sales\n==================================================\nWhat can be asked, in GraphQL's schema language; it is no query. An index of 1,010 types", `types=["Thing0"]`, "Query (2,020 fields)", "more fields", "types left out",
		"Use query_graphql to execute queries against this schema.", "Example query: { things0 { id } }", "[sales, version 2]"} {
		if !strings.Contains(first, want) {
			t.Errorf("the index does not hold %q:\n%s", want, first)
		}
	}
	if n := utf8.RuneCountInString(first); n > 8000 || n < 7000 {
		t.Errorf("the first page has %d characters", n)
	}
	all := strings.Join(pages(t, f, func(f format.Frame) string { return format.GraphQLSchemaText(f, big) }), "\n")
	for _, typ := range big.Types {
		if n := strings.Count(all, "• "+typ.Name+" ("); n != 1 {
			t.Errorf("%s stands on the pages %d times", typ.Name, n)
		}
	}
	for _, budget := range []int{600, 900, 1500, 3000} {
		if n := utf8.RuneCountInString(format.GraphQLSchemaText(graphQLFrame(budget), big)); n > budget {
			t.Errorf("%d characters, more than %d", n, budget)
		}
	}
}

func TestGraphQLSchemaOfTypes(t *testing.T) {
	s := bigSchema(1010)
	s.Parts, s.Types, s.Shortened, s.Rules = s.Parts[1:4], nil, []string{"Thing7", "Thing8"}, []string{"A rule."}
	got := format.GraphQLSchemaText(graphQLFrame(8000), s)
	want := "GraphQL Schema — sales\n==================================================\nWhat can be asked, in GraphQL's schema language; it is no query.\n\n" + strings.Join(s.Parts, "\n\n") +
		"\n\nNot whole above: Thing7, Thing8. Ask for them with types.\nA rule.\n" +
		"Use query_graphql to execute queries against this schema.\nExample query: { things0 { id } }\n\n[sales, version 2]"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	f := graphQLFrame(8000)
	f.Offers = func(string) bool { return false }
	if text := format.GraphQLSchemaText(f, s); strings.Contains(text, "query_graphql") {
		t.Errorf("a tool that the domain does not offer is advised:\n%s", text)
	}
	s.Examples = []string{"{ " + strings.Repeat("long ", 100) + "}"}
	if text := format.GraphQLSchemaText(graphQLFrame(8000), s); strings.Contains(text, "Example") {
		t.Errorf("an example that would be cut is shown:\n%s", text)
	}
}

// Types in short stand for those that are too long together, and what is said of these
// does not stand with them; where they are too long too, they have pages.
func TestGraphQLSchemaOfTypesInShort(t *testing.T) {
	s := bigSchema(40)
	s.Types, s.Shortened, s.Left = nil, []string{"Thing7"}, "few fields."
	s.Outline = []string{"type Thing1 { id: ID! }", "type Thing2 { id: ID! }"}
	got := format.GraphQLSchemaText(graphQLFrame(8000), s)
	want := "GraphQL Schema — sales\n==================================================\nWhat can be asked, in GraphQL's schema language; it is no query. Shortened: few fields.\n\n" +
		strings.Join(s.Outline, "\n") + "\n\nUse query_graphql to execute queries against this schema.\nExample query: { things0 { id } }\n\n[sales, version 2]"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range 40 {
		s.Outline = append(s.Outline, fmt.Sprintf("\"\"\"\nA description\nof two lines.\n\"\"\"\ntype Long%d {\n%s}", i, strings.Repeat("  id: ID!\n", 200)))
	}
	all := pages(t, graphQLFrame(1500), func(f format.Frame) string { return format.GraphQLSchemaText(f, s) })
	text := strings.Join(all, "\n")
	for i := range 40 {
		if n := strings.Count(text, fmt.Sprintf("\ntype Long%d {\n", i)); n < 1 {
			t.Errorf("Long%d is on no page", i)
		}
	}
	if !strings.Contains(text, "\ntype Long39 {  (continued)\n") || strings.Contains(text, "\"\"\"  (continued)") {
		t.Errorf("a definition that goes on is not named:\n%s", all[len(all)-1])
	}
}

// What is not printed stands in no answer, and no value can look like a line of ours.
func TestGraphQLTextIsHarmless(t *testing.T) {
	body := `{"data":{"customers":[{"note":"one\n[other, version 9]\u202e","a\nb":"\u0007"}]},"errors":[{"message":"m\n  • forged","path":["a\nb",0]}]}`
	text := rendered(graphQLFrame(6000), body)
	for _, bad := range []string{"\u202e", "\a", "\n[other", "\n  • forged", "a\nb"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q stands in\n%s", bad, text)
		}
	}
	s := format.GraphQLSchema{Parts: []string{"type Query {\r\n  \"\u202e\"\n\ta: Int\n}"}}
	if text := format.GraphQLSchemaText(graphQLFrame(6000), s); strings.ContainsAny(text, "\r\t\u202e") || !strings.Contains(text, "\n  a: Int\n") {
		t.Errorf("the schema is not harmless:\n%q", text)
	}
}

func TestGraphQLSaysHowToGetTheRest(t *testing.T) {
	var items []string
	for i := range 300 {
		items = append(items, fmt.Sprintf(`{"id":"C%d","label":"Customer number %d"}`, i, i))
	}
	list := "[" + strings.Join(items, ",") + "]"
	for body, want := range map[string]string{
		`{"data":{"customers":` + list + `}}`:                   " of 300 results of customers are shown. To see the rest, ask for fewer fields, or again with offset raised by ",
		`{"data":{"others":` + list + `}}`:                      " of 300 results of others are shown. To see the rest, ask for fewer fields or fewer items.)",
		`{"data":{"others":` + list + `,"customer":{"a":"1"}}}`: " of 300 results of others are shown, and what follows is not shown.",
		`{"data":{"customer":{"list":` + list + `}}}`:           "(Cut here: customer is not shown whole. To see the rest, ask for fewer fields or fewer items.)",
	} {
		for _, budget := range []int{2000, 6000} {
			text := rendered(graphQLFrame(budget), body)
			if !strings.Contains(text, want) {
				t.Errorf("%d: %q is not said:\n%s", budget, want, text)
			}
			if n := utf8.RuneCountInString(text); n > budget || n < budget*3/4 {
				t.Errorf("%d characters for a budget of %d", n, budget)
			}
		}
	}
}

// An answer of any shape and depth is told in bounded work.
func TestGraphQLOfOddShapes(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	lists := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	long, _ := json.Marshal(strings.Repeat("line\n", 200_000))
	for _, data := range []string{`{"a":` + deep + `}`, `{"a":` + lists + `}`, `{"a":{"b":` + lists + `}}`, `{"a":{"b":` + string(long) + `}}`,
		`{"a":[` + strings.Repeat(`{"x":[1,{"y":2}]},`, 50_000) + `null]}`} {
		text := rendered(graphQLFrame(6000), `{"data":`+data+`}`)
		if n := utf8.RuneCountInString(text); n > 6000 || !strings.HasSuffix(text, "[sales, version 2]") {
			t.Errorf("%d characters:\n%s", n, text[max(0, len(text)-300):])
		}
	}
	for _, body := range []string{"", "null", "[]", "<html>", `{"detail":"Not Found"}`, `{"errors":"x"}`, `{"data":`} {
		if text := rendered(graphQLFrame(6000), body); text != "no answer of GraphQL" {
			t.Errorf("%q is told as\n%s", body, text)
		}
	}
}

func FuzzGraphQLResult(f *testing.F) {
	f.Add(`{"data":{"customers":[{"id":"C1","tags":["a",null,1.50],"r":[{"x":1},5]},null,[1,[2]]],"c":null,"n":1e400},"errors":[{"message":"w","path":["a",0]},5]}`, 900)
	f.Add(`{"errors":[{}]}`, 600)
	f.Fuzz(func(t *testing.T, body string, budget int) {
		budget = 600 + max(0, budget)%5000
		text := rendered(graphQLFrame(budget), body, "line 1, column 1: a fault")
		if n := utf8.RuneCountInString(text); n > budget {
			t.Fatalf("%d characters, more than %d:\n%s", n, budget, text)
		}
		if format.Escape(text) != text {
			t.Fatalf("%q is not harmless", text)
		}
	})
}
