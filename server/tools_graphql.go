package server

import (
	"bytes"
	"cmp"
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

type graphQLSchemaInput struct {
	Types []string `json:"types" doc:"Only these types, with what they lead to." narrow:"only some types"`
	inDomain
	paged
}

func getGraphQLSchema() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "get_graphql_schema", Kind: domains.DomainTool, Need: domains.NeedsGraphQL, Needs: "a GraphQL service"},
		title: "Get GraphQL schema",
		description: "Read the GraphQL schema: fields, arguments, types, and a query that works. Call it before query_graphql. " +
			"A long schema comes as an index of its types; types then shows some of them.",
		example: `{}`,
		budget:  8_000,
	}, func(ctx context.Context, c *call, in graphQLSchemaInput) (string, error) {
		sdl, err := c.sdl(ctx)
		if err != nil {
			return "", err
		}
		schema, err := graphql.ParseSDL(sdl)
		if err != nil {
			c.frame.Notes = append(c.frame.Notes, "The schema is shown as it came, because it could not be read: "+err.Error())
			if len(in.Types) > 0 {
				c.frame.Notes = append(c.frame.Notes, "types was not used: it needs a schema that can be read.")
			}
			return format.GraphQLSchemaText(c.frame, format.GraphQLSchema{Parts: []string{sdl}}), nil
		}
		text, err := schemaText(schema, in.Types)
		if err != nil {
			return "", err
		}
		return format.GraphQLSchemaText(c.frame, text), nil
	})
}

// sdl is the schema of the call's domain. Its error says why there is none.
func (c *call) sdl(ctx context.Context) (string, error) {
	s, err := c.domain.GraphQL.Schema(ctx)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(s.SDL) != "" {
		return s.SDL, nil
	}
	message := asSentence(cmp.Or(format.Line(s.Reason, mostReason), "The domain has no GraphQL schema"))
	if c.offers("describe_ontology") {
		message += " describe_ontology shows what the domain declares."
	}
	return "", &domains.Error{Kind: domains.ErrRefused, Domain: c.domain.Info.Name, Message: message}
}

func asSentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// mostExamples is how many examples stand with the types that were asked for.
const mostExamples = 3

// schemaText is a schema, or the part of it around some types, for texts.
func schemaText(s *graphql.Schema, names []string) (format.GraphQLSchema, error) {
	out := format.GraphQLSchema{RootName: s.Root()}
	if len(names) == 0 {
		for _, d := range s.Definitions() {
			out.Parts = append(out.Parts, d.Text)
		}
		for _, f := range s.Fields(s.Root()) {
			out.Root = append(out.Root, f.Signature)
		}
		for _, e := range s.Index() {
			out.Types = append(out.Types, format.GraphQLType{Name: e.Name, Is: sizeInWords(e), Roots: e.Roots})
		}
		out.Examples = []string{s.Example("")}
		return out, nil
	}
	for _, asked := range names {
		name, near, ok := s.Named(asked)
		if !ok {
			message := fmt.Sprintf("The schema has no type '%s'.", shown(asked))
			if len(near) > 0 {
				message += " Did you mean " + oneOf(near) + "?"
			} else {
				message += " Call get_graphql_schema without types to see them all."
			}
			return out, domains.Invalid(message)
		}
		out.Asked = append(out.Asked, name)
		if e := s.Example(name); e != "" && len(out.Examples) < mostExamples {
			out.Examples = append(out.Examples, e)
		}
	}
	p := s.Project(out.Asked)
	for _, d := range p.Definitions {
		out.Parts = append(out.Parts, d.Text)
	}
	out.Missing = p.Missing
	return out, nil
}

// sizeInWords says what a type is: "12 fields", "enum, 3 values".
func sizeInWords(e graphql.Entry) string {
	one, many := "field", "fields"
	switch e.Keyword {
	case "scalar":
		return "scalar"
	case "enum":
		one, many = "value", "values"
	case "union":
		one, many = "member", "members"
	}
	noun := many
	if e.Size == 1 {
		noun = one
	}
	text := domains.Number(e.Size) + " " + noun
	if e.Keyword == "type" {
		return text
	}
	return e.Keyword + ", " + text
}

type queryGraphQLInput struct {
	Query     string `json:"query" doc:"A GraphQL document." required:"true" narrow:"fewer fields or a smaller limit in the query"`
	Variables string `json:"variables" doc:"JSON object."`
	Operation string `json:"operation_name" doc:"One of several operations."`
	inDomain
	unpaged
}

func queryGraphQL() *tool {
	t := define(tool{
		Tool:  domains.Tool{Name: "query_graphql", Kind: domains.DomainTool, Need: domains.NeedsGraphQL, Needs: "a GraphQL service"},
		title: "Query GraphQL",
		description: "Look up many typed fields at once. Read get_graphql_schema first: only what it declares is seen, " +
			"not inferred facts (describe_entity).",
		example: `{"query":"{ __typename }"}`,
		budget:  6_000,
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
	reply, err := c.domain.GraphQL.Query(ctx, body)
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
	}
	return c.graphQLText(ctx, in, answer, len(data))
}

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
	sdl, err := c.sdl(ctx)
	if err != nil {
		return nil
	}
	s, err := graphql.ParseSDL(sdl)
	if err != nil {
		return nil
	}
	return s
}

// graphQLText is an answer as text. With errors it is an error, also when some data
// came all the same; the schema then tells what may be wrong with the query.
func (c *call) graphQLText(ctx context.Context, in queryGraphQLInput, a format.GraphQLAnswer, size int) (string, error) {
	schema := sync.OnceValue(func() *graphql.Schema { return c.schema(ctx) })
	if len(a.Errors) > 0 {
		for _, f := range graphql.Check(schema(), graphql.Request{Query: in.Query, Variables: json.RawMessage(in.Variables), Operation: in.Operation}) {
			a.Faults = append(a.Faults, f.Error())
		}
	}
	if size > c.frame.Budget/2 { // it may be cut
		if s := schema(); s != nil {
			fields := graphql.Answers(in.Query, in.Operation)
			a.Pages = func(key string) bool { return s.Pages(fields[key]) }
		}
	}
	if len(a.Errors) == 0 {
		return format.GraphQLResult(c.frame, a), nil
	}
	e := &domains.Error{Kind: domains.ErrUpstream, Op: "querying GraphQL", Domain: c.domain.Info.Name}
	if len(a.Faults) > 0 {
		e.Kind = domains.ErrInvalid
	}
	if e.Message = format.GraphQLErrors(c.frame, a); len(a.Data) > 0 {
		e.Message = format.GraphQLResult(c.frame, a)
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
