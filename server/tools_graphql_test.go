package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// calls calls a tool on crm of a back end.
func calls(t *testing.T, b domains.Backend, change func(*server.Config), tool, args string) (text string, isError bool) {
	t.Helper()
	s := newServer(t, func(c *server.Config) {
		c.Backend, c.Domain = b, "crm"
		if change != nil {
			change(c)
		}
	})
	var given map[string]any
	if err := json.Unmarshal([]byte(args), &given); err != nil {
		t.Fatal(err)
	}
	text, isError, err := s.Call(t.Context(), tool, given)
	if err != nil {
		t.Fatal(err)
	}
	return text, isError
}

// withSchema makes the service have another schema, and counts how often it is read.
func (b *graphQLBackend) withSchema(s *domains.GraphQLSchema, err error) *int {
	n := 0
	b.service.schema = func(context.Context) (*domains.GraphQLSchema, error) { n++; return s, err }
	return &n
}

func TestQueryGraphQL(t *testing.T) {
	const title = "GraphQL Result — crm\n==================================================\n\n"
	for name, c := range map[string]struct {
		args, sent, status, answer, want string
		isError                          bool
	}{
		"a query": {`{"query":"{ things { id } }"}`, `{"query":"{ things { id } }"}`, "200", `{"data":{"things":[{"id":"C1"},{"id":"C2"}]}}`,
			title + "things (2 results)\n----------------------------------------\n  id: C1\n\n  id: C2\n\n[crm, version 1]", false},
		"variables as text": {`{"query":"query($n:Int!){ things(limit:$n){ id } }","variables":"{\"n\": 1, \"x\": 12345678901234567890.10, \"t\": \"<&>\"}"}`,
			`{"query":"query($n:Int!){ things(limit:$n){ id } }","variables":{"n":1,"x":12345678901234567890.10,"t":"<&>"}}`, "200", `{"data":{"a":1}}`,
			title + "a: 1\n\n[crm, version 1]", false},
		"variables as an object": {`{"query":"{ a }","variables":{"n":1}}`, `{"query":"{ a }","variables":{"n":1}}`, "200", `{"data":{"a":1}}`, title + "a: 1\n\n[crm, version 1]", false},
		"no variables":           {`{"query":"{ a }","variables":""}`, `{"query":"{ a }"}`, "200", `{"data":{"a":1}}`, title + "a: 1\n\n[crm, version 1]", false},
		"null as variables":      {`{"query":"{ a }","variables":"null"}`, `{"query":"{ a }"}`, "200", `{"data":{"a":1}}`, title + "a: 1\n\n[crm, version 1]", false},
		"an operation":           {`{"query":"query A{a} query B{b}","operation_name":"B"}`, `{"query":"query A{a} query B{b}","operationName":"B"}`, "200", `{"data":{"b":1}}`, title + "b: 1\n\n[crm, version 1]", false},
		"bad variables":          {`{"query":"{a}","variables":"{bad"}`, "", "", "", `Invalid JSON in 'variables' parameter. It must be an object, such as {"limit": 5}; at character 2: invalid character 'b' looking for beginning of object key string.`, true},
		"a list as variables":    {`{"query":"{a}","variables":[1]}`, "", "", "", `Invalid JSON in 'variables' parameter. It must be an object, such as {"limit": 5}.`, true},
		"no query":               {`{}`, "", "", "", "query_graphql needs 'query': a GraphQL document such as { __typename }.", true},
		"too long": {`{"query":"{ ` + strings.Repeat("a ", 5000) + `}"}`, "", "", "",
			"line 1, column 10001: The query has more than 5000 words and signs: ask for less at once.", true},
		"a typo": {`{"query":"{ things { id frstName } }"}`, `{"query":"{ things { id frstName } }"}`, "400", `{"errors":[{"message":"The query could not be executed.","path":null}]}`,
			"GraphQL errors:\n  • The query could not be executed.\nWhat is wrong with the query, by the schema:\n" +
				"  • line 1, column 15: Thing has no field 'frstName'. Did you mean 'firstName'?\nget_graphql_schema shows which fields and arguments there are.", true},
		"syntax": {`{"query":"{ things {"}`, `{"query":"{ things {"}`, "400", `{"errors":[{"message":"The query could not be executed."}]}`,
			"GraphQL errors:\n  • The query could not be executed.\nWhat is wrong with the query, by the schema:\n" +
				"  • line 1, column 11: Syntax error: Expected Name, found <EOF>.\nget_graphql_schema shows which fields and arguments there are.", true},
		"partial data": {`{"query":"{ things { id } }"}`, `{"query":"{ things { id } }"}`, "400", `{"data":{"things":null},"errors":[{"message":"boom","path":["things"]}]}`,
			title + "things: (not found)\n\nWarnings:\n  • boom (at things)\n\n[crm, version 1]", true},
		"no data": {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "200", `{"data":null}`,
			"GraphQL query returned no data.\nget_graphql_schema shows which fields can be asked for.\n\n[crm, version 1]", false},
		"not ready": {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "400", `{"error":"validation","message":"Ontology has no classes — add classes.","detail":"no_classes"}`,
			"GraphQL query failed (400): Ontology has no classes — add classes. get_graphql_schema shows whether there is a schema, and what can be asked.", true},
		"a failure": {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "502", `{"error":"infrastructure","message":"Graph backend at https://internal:8000/x?y=1 not reachable"}`,
			"GraphQL query failed (502): Graph backend at (an address) not reachable. Try again in a moment; if it stays so, tell the person who runs this server.", true},
		"a page":              {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "404", "<html>https://internal</html>", "GraphQL query failed (404): Not Found. list_domains shows the domains there are.", true},
		"no access":           {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "403", `{"error":"authorization","message":"You are not a member of this domain's team"}`, "GraphQL query failed (403): You are not a member of this domain's team. Ask whoever owns the domain for access, or use another domain.", true},
		"odd":                 {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "200", `{"detail":"Not Found"}`, "GraphQL query failed (200): Not Found. If it stays so, tell the person who runs this server.", true},
		"a login page":        {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "200", "<html>", "GraphQL query failed (200): the answer is no JSON, or ends in the middle. If it stays so, tell the person who runs this server.", true},
		"data of no kind":     {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "200", `{"data":7}`, "GraphQL query failed (200): the answer is not one of GraphQL. If it stays so, tell the person who runs this server.", true},
		"arguments":           {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "422", `{"detail":[{"loc":["query","depth"],"msg":"Input should be at most 5"}]}`, "GraphQL query failed (422): depth: Input should be at most 5. get_graphql_schema shows whether there is a schema, and what can be asked.", true},
		"no login":            {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "401", `Unauthorized`, "GraphQL query failed (401): Unauthorized. Tell the person who runs this server that the service refused its access token.", true},
		"a failure with data": {`{"query":"{ a }"}`, `{"query":"{ a }"}`, "500", `{"data":null}`, "GraphQL query failed (500): Internal Server Error. If it stays so, tell the person who runs this server.", true},
		"no mutations": {`{"query":"mutation { x }"}`, `{"query":"mutation { x }"}`, "400", `{"errors":[{"message":"The query could not be executed."}]}`,
			"GraphQL errors:\n  • The query could not be executed.\nWhat is wrong with the query, by the schema:\n" +
				"  • line 1, column 1: The service has no mutations: send a query.\nget_graphql_schema shows which fields and arguments there are.", true},
	} {
		status := 0
		if c.status != "" {
			_, _ = fmt.Sscan(c.status, &status)
		}
		b := newGraphQL().answering(status, c.answer)
		text, isError := calls(t, b, nil, "query_graphql", c.args)
		equal(t, name+": text", c.want, text)
		equal(t, name+": isError", c.isError, isError)
		want := []string{}
		if c.sent != "" {
			want = []string{c.sent}
		}
		equal(t, name+": what the service got", want, b.sent())
	}
}

// What cannot be explained is told in the service's words.
func TestQueryGraphQLWithoutASchema(t *testing.T) {
	for name, schema := range map[string]struct {
		s   *domains.GraphQLSchema
		err error
	}{
		"none": {&domains.GraphQLSchema{Reason: "no classes"}, nil}, "an error": {nil, errors.New("secret")}, "broken": {&domains.GraphQLSchema{SDL: "type {"}, nil},
	} {
		b := newGraphQL().answering(400, `{"errors":[{"message":"No field x."}]}`)
		b.withSchema(schema.s, schema.err)
		text, isError := calls(t, b, nil, "query_graphql", `{"query":"{ x }"}`)
		equal(t, name, "GraphQL errors:\n  • No field x.\nget_graphql_schema shows which fields and arguments there are.", text)
		equal(t, name, true, isError)
	}
}

// The schema is read only when something has to be explained.
func TestQueryGraphQLReadsTheSchemaWhenNeeded(t *testing.T) {
	long := `{"data":{"rest":[` + strings.TrimSuffix(strings.Repeat(`{"id":"1","label":"a long label of a thing"},`, 500), ",") + `]}}`
	for answer, want := range map[string]int{`{"data":{"things":[{"id":"1"}]}}`: 0, `{"errors":[{"message":"x"}]}`: 1, long: 1} {
		b := newGraphQL().answering(200, answer)
		n := b.withSchema(&domains.GraphQLSchema{SDL: fakeSDL}, nil)
		text, _ := calls(t, b, nil, "query_graphql", `{"query":"{ rest: things { id label } }"}`)
		equal(t, "reads of the schema", want, *n)
		if answer == long {
			contains(t, "a long answer", text, "of 500 results of rest are shown. To see the rest, ask for fewer fields, or again with offset raised by")
			if n := utf8.RuneCountInString(text); n > 8000 {
				t.Errorf("the answer has %d characters", n)
			}
		}
	}
}

// The tool is told to clients as one that only reads.
func TestQueryGraphQLOnlyReads(t *testing.T) {
	const refusal = "query_graphql only reads: send a query, not a mutation or subscription."
	writing := fakeSDL + "\ntype Mutation { flag: Int }"
	readOnly := func(c *server.Config) { c.ReadOnly = true }
	for name, c := range map[string]struct {
		change      func(*server.Config)
		sdl, query  string
		want        string
		isForwarded bool
	}{
		"a service that writes":             {nil, writing, "mutation { flag }", refusal, false},
		"a service without a schema":        {nil, "", "mutation { flag }", refusal, false},
		"a service that only reads":         {nil, fakeSDL, "mutation { flag }", "", true},
		"read-only":                         {readOnly, fakeSDL, "query A { a } mutation B { flag }", refusal, false},
		"read-only, a subscription":         {readOnly, fakeSDL, "subscription { a }", refusal, false},
		"read-only, a query":                {readOnly, writing, "{ a }", "", true},
		"read-only, what cannot be read":    {readOnly, fakeSDL, "mutation {", "line 1, column 11: Syntax error: Expected Name, found <EOF>.", false},
		"a query of a service that writes":  {nil, writing, "{ a }", "", true},
		"what cannot be read is sent on":    {nil, writing, "mutation {", "", true},
		"a word in a text is no operation":  {readOnly, writing, `{ a(b: "mutation { x }") }`, "", true},
		"a comment in front of a mutation":  {readOnly, writing, "# { a }\nmutation { flag }", refusal, false},
		"a fragment in front of a mutation": {readOnly, writing, "fragment F on Mutation { flag } mutation M { ...F }", refusal, false},
	} {
		b := newGraphQL().answering(200, `{"data":{"a":1}}`)
		b.withSchema(&domains.GraphQLSchema{SDL: c.sdl}, nil)
		args, _ := json.Marshal(map[string]string{"query": c.query})
		text, isError := calls(t, b, c.change, "query_graphql", string(args))
		equal(t, name+": forwarded", c.isForwarded, len(b.sent()) == 1)
		if !c.isForwarded {
			equal(t, name, c.want, text)
			equal(t, name+": isError", true, isError)
		}
	}
}

// What a service says itself is shown as the back end cleans it: failures, and the errors
// of an answer.
func TestQueryGraphQLTextsAreCleaned(t *testing.T) {
	for status, body := range map[int]string{502: `{"message":"No route to secret"}`, 400: `{"errors":[{"message":"No route to secret"}]}`} {
		b := newGraphQL()
		b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
			r := replyOf(status, body)
			r.Clean = func(s string) string { return strings.ReplaceAll(s, "secret", "(host)") }
			r.RetryAfter = "7"
			return r, nil
		}
		text, _ := calls(t, b, nil, "query_graphql", `{"query":"{ a }"}`)
		contains(t, "the text", text, "No route to (host)")
		if status == 502 {
			contains(t, "the text", text, "Try again in 7 seconds")
		}
	}
}

// An answer that breaks off, or is larger than can be told, is an error with the next
// step, and its cause stays in the log.
func TestQueryGraphQLThatBreaksOff(t *testing.T) {
	for name, c := range map[string]struct {
		body io.Reader
		want string
	}{
		"broken": {io.MultiReader(strings.NewReader(`{"data":`), broken{}), "The answer of the domain's GraphQL service broke off: try again, with fewer items or fields."},
		"told":   {toldReader{}, "Too large, ask for less."},
		"large":  {endless{}, "The answer of the domain's GraphQL service is larger than 32 MiB: ask for fewer items or fields."},
	} {
		b := newGraphQL()
		b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
			return &domains.Reply{Status: 200, Body: io.NopCloser(c.body)}, nil
		}
		text, isError := calls(t, b, nil, "query_graphql", `{"query":"{ a }"}`)
		equal(t, name, c.want, text)
		equal(t, name, true, isError)
	}
}

type toldReader struct{}

func (toldReader) Read([]byte) (int, error) {
	return 0, &domains.Error{Kind: domains.ErrLimit, Message: "Too large, ask for less."}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestGetGraphQLSchema(t *testing.T) {
	text, isError := calls(t, newGraphQL(), nil, "get_graphql_schema", `{}`)
	root, thing, _ := strings.Cut(fakeSDL, "\n\ntype Query")
	equal(t, "the whole schema", "GraphQL Schema — crm\n==================================================\nWhat can be asked, in GraphQL's schema language; it is no query.\n\ntype Query"+thing+"\n\n"+root+
		"\n\nUse query_graphql to execute queries against this schema.\nExample query: { things(limit: 3) { id label firstName part { id label firstName } } }\n\n[crm, version 1]", text)
	equal(t, "isError", false, isError)

	text, _ = calls(t, newGraphQL(), nil, "get_graphql_schema", `{"types":["thing"]}`)
	contains(t, "types", text, "type Query {\n  things(limit: Int! = 50, offset: Int! = 0, search: String): [Thing!]!\n  thing(id: ID!): Thing\n}\n\ntype Thing {")

	for args, want := range map[string]string{
		`{"types":["Thnig"]}`:                 "The schema has no type 'Thnig'. Did you mean 'Thing'?",
		`{"types":"Orders,XY"}`:               "The schema has no type 'Orders,XY'. Call get_graphql_schema without types to see them all.",
		`{"types":["Thing"],"search":"part"}`: "get_graphql_schema takes types or search, not both: search finds types and fields, types shows types whole.",
	} {
		text, isError = calls(t, newGraphQL(), nil, "get_graphql_schema", args)
		equal(t, args, want, text)
		equal(t, args, true, isError)
	}
}

func TestGetGraphQLSchemaThatIsNone(t *testing.T) {
	b := newGraphQL()
	b.withSchema(&domains.GraphQLSchema{Reason: "GraphQL schema is empty — the domain may have no ontology classes"}, nil)
	text, isError := calls(t, b, nil, "get_graphql_schema", `{}`)
	equal(t, "no schema", "GraphQL schema is empty — the domain may have no ontology classes. describe_ontology shows what the domain declares.", text)
	equal(t, "isError", true, isError)

	b.withSchema(&domains.GraphQLSchema{SDL: "type Query { a: }"}, nil)
	text, isError = calls(t, b, nil, "get_graphql_schema", `{}`)
	contains(t, "a schema that cannot be read", text, "type Query { a: }", "shown as it came", "line 1, column 17: Syntax error", "[crm, version 1]")
	equal(t, "isError", false, isError)
	text, _ = calls(t, b, nil, "get_graphql_schema", `{"types":["Query"]}`)
	contains(t, "types of a schema that cannot be read", text, "type Query { a: }", "types and search were not used")
}

// A schema of a thousand types is an index with pages, and three types of it are those
// and what they lead to.
func TestGetGraphQLSchemaOfAThousandTypes(t *testing.T) {
	var sdl strings.Builder
	sdl.WriteString("type Query {\n")
	for i := range 1000 {
		fmt.Fprintf(&sdl, "  \"\"\"List Class%d entities from the knowledge graph.\"\"\"\n  class%ds(limit: Int! = 50, offset: Int! = 0, search: String = null): [Class%d!]!\n\n", i, i, i)
	}
	sdl.WriteString("}\n")
	for i := range 1000 {
		fmt.Fprintf(&sdl, "type Class%d {\n  id: ID!\n  label: String\n  next: [Class%d!]\n}\n\n", i, (i+1)%1000)
	}
	b := newGraphQL()
	b.withSchema(&domains.GraphQLSchema{SDL: sdl.String()}, nil)
	text, _ := calls(t, b, nil, "get_graphql_schema", `{}`)
	contains(t, "the index", text, "1,000 types", "types left out", "cursor=", "Example query: { class0s(limit: 3) { id label next { id label } } }")
	if n := utf8.RuneCountInString(text); n > 8000 {
		t.Errorf("the index has %d characters", n)
	}
	text, _ = calls(t, b, nil, "get_graphql_schema", `{"types":["Class5","Class500","Class700"]}`)
	var got []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "type "); ok {
			got = append(got, strings.TrimSuffix(name, " {\n"))
		}
	}
	equal(t, "types of three", []string{"Query", "Class5", "Class500", "Class700", "Class501", "Class6", "Class701"}, got)
	contains(t, "three types", text, "Not whole above: Class501, Class6, Class701. Ask for them with types.",
		"Example query: { class500s(limit: 3) { id label next { id label } } }")
}

func TestGraphQLSchemaResource(t *testing.T) {
	read := func(b domains.Backend) reply {
		c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = b }))+"/mcp/crm")
		return c.request("resources/read", `{"uri":"ontobricks://graphql-schema"}`)
	}
	text := func(b domains.Backend) string {
		var result struct{ Contents []struct{ Text string } }
		r := read(b)
		if err := json.Unmarshal(r.result, &result); err != nil || len(result.Contents) != 1 {
			t.Fatalf("%s", r.body)
		}
		return result.Contents[0].Text
	}
	b := newGraphQL()
	b.withSchema(&domains.GraphQLSchema{SDL: "type Query { a: Int }"}, nil)
	equal(t, "a schema", "{\n  \"sdl\": \"type Query { a: Int }\",\n  \"ready\": true\n}", text(b))
	b.withSchema(&domains.GraphQLSchema{Reason: "no classes"}, nil)
	equal(t, "no schema", "{\n  \"sdl\": null,\n  \"ready\": false,\n  \"message\": \"no classes\"\n}", text(b))
	b.infos[1].Policy.DisabledTools = []string{"get_graphql_schema"}
	r := read(b)
	contains(t, "closed by policy", r.message, "The tool 'get_graphql_schema' is not available for domain 'crm' — its MCP policy does not expose it.")
}

// The resource of a domain from a folder has the whole schema, which the tool shortens.
func TestGraphQLSchemaResourceOfADerivedSchema(t *testing.T) {
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = backendOf(t, &txtar.Archive{}) }))+"/mcp/customer360")
	text := c.request("resources/read", `{"uri":"ontobricks://graphql-schema"}`).body
	contains(t, "the resource", text, "type Customer implements Entity {", "input ContractFilter {", `\"ready\": true`)
}

// A service whose introspection is switched off is read all the same: its schema comes as
// text from an address of its own, and the reference of tools says so.
func TestSchemaOfAServiceWithoutIntrospection(t *testing.T) {
	b := newGraphQL().answering(400, `{"errors":[{"message":"Introspection is disabled."}]}`)
	text, isError := calls(t, b, nil, "get_graphql_schema", `{}`)
	contains(t, "the schema", text, "type Thing {", "Example query: { things(limit: 3)")
	equal(t, "isError", false, isError)
	equal(t, "queries that the service got", []string{}, b.sent())
	contains(t, "the reference", server.ToolDocs(), "read as text at its address and not by introspection")
}
