package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// graphQLCase is a recorded query and what the service of OntoBricks answered.
type graphQLCase struct {
	Function string
	Input    struct {
		Query     string
		Variables json.RawMessage
		Depth     json.RawMessage
	}
	Status   int `json:"expected_status"`
	Expected json.RawMessage
}

// replaySDL is the schema of the domain that the queries are about (OntoBricks contract
// 2.2).
const replaySDL = `type Customer {
  id: ID!
  uri: String!
  label: String
  firstName: String
  email: String
  zipCode: String
  tags: String
  hasOrder: [Order!]
}

type Line {
  id: ID!
  uri: String!
  label: String
  back: [Customer!]
}

type Order {
  id: ID!
  uri: String!
  label: String
  total: String
  hasLine: [Line!]
}

type Query {
  customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]!
  customer(id: ID!): Customer
  lines(limit: Int! = 50, offset: Int! = 0, search: String = null): [Line!]!
  line(id: ID!): Line
  orders(limit: Int! = 50, offset: Int! = 0, search: String = null): [Order!]!
  order(id: ID!): Order
}`

// graphQLCases are the recorded queries.
func graphQLCases(t *testing.T) []graphQLCase {
	t.Helper()
	var out []graphQLCase
	for _, c := range readCases[graphQLCase](t, "ontobricks-graphql-cases.jsonl") {
		if c.Function == "graphql_query" {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		t.Fatal("no recorded queries")
	}
	return out
}

// upstream answers the query of a case.
func (c graphQLCase) upstream(t *testing.T) *upstream {
	t.Helper()
	answer := &exchange{Method: "POST", Path: "/graphql/" + replayDomain, Query: map[string]any{"registry_catalog": "c", "registry_schema": "s"},
		Body: map[string]any{"query": c.Input.Query}, Status: c.Status, Response: c.Expected}
	schema := recorded(t, "GET", "/graphql/"+replayDomain+"/schema", nil, map[string]any{"sdl": replaySDL, "ready": true})
	u := newUpstream(t, "c", "s", []*exchange{answer, schema})
	u.begin([]*exchange{answer})
	return u
}

// situation is the call of query_graphql.
func (c graphQLCase) situation() situation {
	args := map[string]any{"query": c.Input.Query, "domain_name": replayDomain}
	if len(c.Input.Variables) > 0 && string(c.Input.Variables) != "null" {
		args["variables"] = string(c.Input.Variables)
	}
	return situation{tool: "query_graphql", args: args}
}

// body is the request of a case, written as no program of ours would: what is passed on
// is what came.
func (c graphQLCase) body() string {
	body := fmt.Sprintf("{ \"query\" :%s", mustJSON(c.Input.Query))
	if len(c.Input.Variables) > 0 && string(c.Input.Variables) != "null" {
		body += ",\n \"variables\":  " + string(c.Input.Variables)
	}
	if len(c.Input.Depth) > 0 && string(c.Input.Depth) != "null" {
		body += ", \"depth\":" + string(c.Input.Depth)
	}
	return body + "}"
}

// TestReplayGraphQLEndpoint: what the service is asked and what it answers passes
// through byte for byte, with its status, at both addresses.
func TestReplayGraphQLEndpoint(t *testing.T) {
	for _, c := range graphQLCases(t) {
		t.Run(c.Input.Query, func(t *testing.T) {
			u := c.upstream(t)
			url := strings.TrimSuffix(replaying(t, u).url, "/mcp")
			for _, base := range []string{"/graphql/", "/api/v1/graphql/"} {
				r, err := http.NewRequestWithContext(t.Context(), "POST", url+base+replayDomain, strings.NewReader(c.body()))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/json")
				res, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				equal(t, base+": status", c.Status, res.StatusCode)
				equal(t, base+": answer", string(c.Expected), string(answer))
				equal(t, base+": what was asked of the service", c.body(), u.posted())
			}
			checkCalls(t, u, situation{tool: "endpoint"}, map[string]bool{})
		})
	}
}

// TestReplayGraphQLTool: what query_graphql makes of the answers is what OntoBricks
// makes of them, after the differences.
func TestReplayGraphQLTool(t *testing.T) {
	for _, c := range graphQLCases(t) {
		t.Run(c.Input.Query, func(t *testing.T) {
			u := c.upstream(t)
			in := c.situation()
			in.http, in.known = u.step, u.all
			text, isError := replaying(t, u).call(in.tool, asRecorded(in.tool, in.args))
			checkCalls(t, u, in, map[string]bool{})
			compare(t, in, said{text: ontobricksGraphQL(t, c.Status, c.Expected)}, said{text, isError})
		})
	}
}

// TestOntobricksGraphQL holds that ontobricksGraphQL writes what was recorded.
func TestOntobricksGraphQL(t *testing.T) {
	for _, c := range readCases[formatCase](t, "ontobricks-format-cases.jsonl") {
		if c.Function != "format_graphql_response" || c.Raises != "" {
			continue
		}
		in := input[struct {
			Data   json.RawMessage `json:"data"`
			Domain string          `json:"domain_name"`
		}](t, c)
		if strings.Contains(c.expected(t), "{'") { // errors without messages do not come from the service
			continue
		}
		got := strings.Replace(ontobricksGraphQL(t, 200, in.Data), "— "+replayDomain+"\n", "— "+in.Domain+"\n", 1)
		equal(t, string(in.Data), c.expected(t), got)
	}
}

// ontobricksGraphQL is the text that OntoBricks makes of an answer (OntoBricks contract
// 3.4 and 4.6).
func ontobricksGraphQL(t *testing.T, status int, body json.RawMessage) string {
	t.Helper()
	if status >= 400 {
		return fmt.Sprintf("GraphQL query failed (%d): %s", status, body)
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		t.Fatal(err)
	}
	data, _ := ordered(t, answer.Data).([]pair)
	var errors []string
	for _, e := range answer.Errors {
		errors = append(errors, "  • "+e.Message)
	}
	switch {
	case len(data) == 0 && len(errors) > 0:
		return "GraphQL errors:\n" + strings.Join(errors, "\n")
	case len(data) == 0:
		return "GraphQL query returned no data."
	}
	parts := []string{"GraphQL Result — " + replayDomain + "\n" + strings.Repeat("=", 50)}
	for _, p := range data {
		parts = append(parts, field(p))
	}
	if len(errors) > 0 {
		parts = append(parts, "Warnings:\n"+strings.Join(errors, "\n"))
	}
	return strings.Join(parts, "\n\n")
}

// field is one member of the data.
func field(p pair) string {
	line := "\n" + strings.Repeat("-", 40)
	switch v := p.value.(type) {
	case nil:
		return p.name + ": (not found)"
	case []pair:
		return p.name + line + "\n" + strings.Join(objectLines(v, "  "), "\n")
	case []any:
		var items []string
		for _, item := range v {
			if o, ok := item.([]pair); ok {
				items = append(items, strings.Join(objectLines(o, "  "), "\n"))
			} else {
				items = append(items, "  "+python(item))
			}
		}
		text := fmt.Sprintf("%s (%d results)%s", p.name, len(v), line)
		if len(items) > 0 {
			text += "\n" + strings.Join(items, "\n\n")
		}
		return text
	default:
		return p.name + ": " + python(v)
	}
}

// objectLines are the members of an object.
func objectLines(members []pair, indent string) []string {
	var out []string
	for _, m := range members {
		switch v := m.value.(type) {
		case nil:
		case []pair:
			out = append(append(out, indent+m.name+":"), objectLines(v, indent+"    ")...)
		case []any:
			out = append(out, listLines(m.name, v, indent)...)
		default:
			out = append(out, indent+m.name+": "+python(v))
		}
	}
	return out
}

// listLines are a list inside an object.
func listLines(name string, list []any, indent string) []string {
	if len(list) == 0 {
		return nil
	}
	if _, ok := list[0].([]pair); !ok {
		var texts []string
		for _, v := range list {
			texts = append(texts, python(v))
		}
		return []string{indent + name + ": " + strings.Join(texts, ", ")}
	}
	out := []string{indent + name + ":"}
	for i, v := range list {
		if i > 0 {
			out = append(out, indent+"    ---")
		}
		out = append(out, objectLines(v.([]pair), indent+"    ")...)
	}
	return out
}

// python is a scalar as Python writes it.
func python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	}
	return fmt.Sprint(v)
}

// pair is a member of a JSON object, whose order matters.
type pair struct {
	name  string
	value any
}

// ordered reads JSON: objects as []pair, lists as []any, numbers as they stand.
func ordered(t *testing.T, data json.RawMessage) any {
	t.Helper()
	if len(data) == 0 {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var read func() any
	read = func() any {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		switch token {
		case json.Delim('{'):
			out := []pair{}
			for d.More() {
				name := fmt.Sprint(read())
				out = append(out, pair{name, read()})
			}
			_, _ = d.Token() // the end of the object
			return out
		case json.Delim('['):
			out := []any{}
			for d.More() {
				out = append(out, read())
			}
			_, _ = d.Token() // the end of the list
			return out
		}
		return token
	}
	return read()
}
