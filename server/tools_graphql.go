package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
	"github.com/ontogate/ontogate/graphql"
)

type queryGraphQLInput struct {
	Query     string `json:"query" doc:"A GraphQL document." required:"true" narrow:"fewer fields or a smaller limit in the query"`
	Variables string `json:"variables" doc:"JSON object."`
	Operation string `json:"operation_name" doc:"One of several operations."`
	Format    string `json:"format" enum:"text,json" default:"text"`
	inDomain
	unpaged
}

func queryGraphQL() *tool {
	t := define(tool{
		Tool:        domains.Tool{Name: "query_graphql", Kind: domains.DomainTool, Need: domains.NeedsGraphQL, Needs: "a GraphQL service"},
		title:       "Query GraphQL",
		description: "Read, filter, order, count many entities by fields that get_graphql_schema shows: call it first.",
		example:     `{"query":"{ __typename }"}`,
		budget:      8_000,
	}, runGraphQL)
	bound := t.bind
	t.bind = func(raw json.RawMessage) (input, []string, error) { return bound(objectAsText(raw, "variables")) }
	return t
}

// objectAsText turns an argument that is an object or array into its JSON text:
// clients decode the text of an argument that looks like JSON.
func objectAsText(raw json.RawMessage, name string) json.RawMessage {
	text, isText := unquote(bytes.TrimSpace(raw))
	if isText {
		raw = json.RawMessage(text)
	}
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		return raw
	}
	value := bytes.TrimSpace(args[name])
	if len(value) == 0 || value[0] != '{' && value[0] != '[' {
		return raw
	}
	args[name] = json.RawMessage(jsonText(string(value)))
	return json.RawMessage(jsonText(args))
}

func runGraphQL(ctx context.Context, c *call, in queryGraphQLInput) (string, error) {
	if in.Query == "" {
		return "", domains.Invalid(`query_graphql needs 'query': a GraphQL document such as { __typename }.`)
	}
	if err := graphql.Limits(in.Query); err != nil {
		return "", domains.Invalid(err.Error())
	}
	body, err := graphQLBody(in)
	if err != nil {
		return "", err
	}
	if err := c.onlyReads(ctx, in.Query); err != nil {
		return "", err
	}
	reply, err := c.server.graphQLOf(c.domain).Query(ctx, body)
	if err != nil {
		return "", err
	}
	data, err := readReply(reply)
	if err != nil {
		return "", err
	}
	answer, ok := format.ParseGraphQL(data)
	if !ok || len(answer.Errors) == 0 && reply.Status/100 != 2 {
		return "", c.failed(reply, data)
	}
	for i := range answer.Errors {
		if reply.Clean != nil {
			answer.Errors[i].Message = reply.Clean(answer.Errors[i].Message)
		}
		if likeDerived(c.domain) {
			answer.Errors[i].Message = inToolWords.Replace(answer.Errors[i].Message)
		}
	}
	return c.graphQLText(ctx, in, answer, len(data))
}

// inToolWords says what our errors advise with the name that the member of a request has
// as an argument of the tool, and leaves out addresses, which may be closed.
var inToolWords = strings.NewReplacer("leave operationName out", "leave operation_name out", "say in operationName", "say in operation_name",
	"and operationName says", "and operation_name says", ": GET …/schema has the schema.", ".")

// graphQLBody is a request as GraphQL over HTTP has it, with the members that are given.
func graphQLBody(in queryGraphQLInput) ([]byte, error) {
	body := struct {
		Query     string          `json:"query"`
		Variables json.RawMessage `json:"variables,omitempty"`
		Operation string          `json:"operationName,omitempty"`
	}{Query: in.Query, Operation: in.Operation}
	if in.Variables != "" && in.Variables != "null" {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(in.Variables), &object); err != nil {
			message := `Invalid JSON in 'variables' parameter. It must be an object, such as {"limit": 5}`
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				message += fmt.Sprintf("; at character %d: %s", syntax.Offset, syntax)
			}
			return nil, domains.Invalid(message + ".")
		}
		body.Variables = json.RawMessage(in.Variables)
	}
	return []byte(jsonText(body)), nil
}

// onlyReads refuses what would write: in read-only mode every document that holds
// something else than queries, or whose operations cannot be told; else those that the
// service could run, because the tool is told to clients as one that only reads.
func (c *call) onlyReads(ctx context.Context, query string) error {
	writes, err := writesSomething(query)
	refusal := &domains.Error{Kind: domains.ErrRefused, Domain: c.domain.Info.Name, Message: "query_graphql only reads: send a query, not a mutation or subscription."}
	switch {
	case err != nil && c.server.cfg.ReadOnly:
		return domains.Invalid(err.Error())
	case err != nil || !writes:
		return nil // the service tells what is wrong
	case c.server.cfg.ReadOnly:
		return refusal
	}
	s := c.schema(ctx)
	if s == nil || s.Writes() {
		return refusal
	}
	return nil // the service has nothing of the kind, and says so
}

// writesSomething reports whether a document holds an operation that is no query.
func writesSomething(query string) (bool, error) {
	operations, err := graphql.Operations(query)
	return slices.ContainsFunc(operations, func(o graphql.Operation) bool { return o.Kind != graphql.Query }), err
}

// explainLimit is how long an answer waits for the schema that explains it.
const explainLimit = 3 * time.Second

// schema is the schema of the call's domain; nil where there is none that can be read
// soon.
func (c *call) schema(ctx context.Context) *graphql.Schema {
	ctx, cancel := context.WithTimeout(ctx, explainLimit)
	defer cancel()
	s, _, err := c.server.schemaOf(ctx, c.domain)
	if err != nil {
		return nil
	}
	return s
}

// graphQLText is an answer as text. With errors it is an error, also when some data
// came all the same; the schema then tells what may be wrong with the query, unless the
// service is ours, whose errors say it.
func (c *call) graphQLText(ctx context.Context, in queryGraphQLInput, a format.GraphQLAnswer, size int) (string, error) {
	schema := sync.OnceValue(func() *graphql.Schema { return c.schema(ctx) })
	ours := likeDerived(c.domain)
	if len(a.Errors) > 0 && !ours {
		for _, f := range graphql.Check(schema(), graphql.Request{Query: in.Query, Variables: json.RawMessage(in.Variables), Operation: in.Operation}) {
			a.Faults = append(a.Faults, f.Error())
		}
	}
	if size > c.frame.Budget/2 { // it may be cut
		if s := schema(); s != nil {
			fields := graphql.Answers(in.Query, in.Operation)
			a.Pages = func(key string) bool { return s.Pages(fields[key].Field) }
		}
	}
	result := format.GraphQLResult
	if in.Format == "json" {
		result = format.GraphQLJSON
	}
	if len(a.Errors) == 0 {
		if ours {
			a.Hints = c.emptyHints(ctx, in, a.Empty())
		}
		return result(c.frame, a), nil
	}
	e := &domains.Error{Kind: domains.ErrUpstream, Op: "querying GraphQL", Domain: c.domain.Info.Name}
	if len(a.Faults) > 0 || ours {
		e.Kind = domains.ErrInvalid
	}
	if e.Message = format.GraphQLErrors(c.frame, a); len(a.Data) > 0 || in.Format == "json" {
		e.Message = result(c.frame, a)
	}
	return "", e
}

// mostReply is the most bytes of an answer that is made into text.
const mostReply = 32 << 20

// readReply reads a reply and closes it.
func readReply(reply *domains.Reply) ([]byte, error) {
	defer func() { _ = reply.Body.Close() }() // only reading matters
	data, err := io.ReadAll(io.LimitReader(reply.Body, mostReply+1))
	var told *domains.Error
	switch {
	case errors.As(err, &told):
		return nil, err
	case err != nil:
		return nil, &domains.Error{Kind: domains.ErrUpstream, Err: err, Message: "The answer of the domain's GraphQL service broke off: try again, with fewer items or fields."}
	case len(data) > mostReply:
		return nil, &domains.Error{Kind: domains.ErrLimit, Message: "The answer of the domain's GraphQL service is larger than 32 MiB: ask for fewer items or fields."}
	}
	return data, nil
}
