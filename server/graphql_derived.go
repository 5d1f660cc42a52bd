package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
	"github.com/ontogate/ontogate/graphql"
)

// mostDepth is the largest and the usual depth of a request to a derived service.
const mostDepth = 8

// derivedGraphQL is the GraphQL service that is derived from a domain.
type derivedGraphQL struct {
	server *Server
	domain *domains.Domain
}

// Schema is the derived schema.
func (g *derivedGraphQL) Schema(ctx context.Context) (*domains.GraphQLSchema, error) {
	_, m, err := g.server.derived(ctx, g.domain)
	if err != nil {
		return nil, err
	}
	return &domains.GraphQLSchema{SDL: m.SDL}, nil
}

// SchemaReply is the derived schema as OntoBricks answers it (OntoBricks contract 2.1).
func (g *derivedGraphQL) SchemaReply(ctx context.Context) (*domains.Reply, error) {
	schema, err := g.Schema(ctx)
	if err != nil {
		return nil, err
	}
	return replyOf(http.StatusOK, jsonType, []byte(jsonText(wire.NewGraphQLSchema(schema)))), nil
}

// Query answers a request. The status is 400 for one that was refused as a whole, and 200
// for others, also those whose answer has errors.
func (g *derivedGraphQL) Query(ctx context.Context, body []byte) (*domains.Reply, error) {
	r, err := readGraphQL(body)
	if err != nil {
		return nil, err
	}
	answer, err := g.run(ctx, r)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if !answer.Executed {
		status = http.StatusBadRequest
	}
	return replyOf(status, jsonType, answer.JSON()), nil
}

// run answers a request that was read. Faults of ours in an answer are logged; one that is
// nothing but such a fault is an error.
func (g *derivedGraphQL) run(ctx context.Context, r graphQLRequest) (*graphql.Response, error) {
	service, _, err := g.server.derived(ctx, g.domain)
	if err != nil {
		return nil, err
	}
	answer := service.Run(ctx, r.Request, graphql.Options{Depth: r.depth})
	switch cause := errors.Join(answer.Causes...); {
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, ctx.Err() // nobody waits for it
	case cause != nil && !answer.Executed:
		return nil, cause
	case cause != nil:
		g.server.cfg.Logger.ErrorContext(ctx, "faults in an answer", "tool", "graphql", "domain", string(g.domain.Info.Name),
			"request", domains.RequestID(ctx), "cause", cause.Error())
	}
	return answer, nil
}

// replyOf is a reply with a body that is at hand.
func replyOf(status int, contentType string, body []byte) *domains.Reply {
	return &domains.Reply{Status: status, ContentType: contentType, Body: io.NopCloser(bytes.NewReader(body))}
}

// graphQLRequest is a request to a derived service.
type graphQLRequest struct {
	graphql.Request
	depth int // 1–8; 0 where none was given
}

// The forms in which members of a request are wrong.
const (
	noJSONRequest = `A GraphQL request is one JSON object, as UTF-8: {"query": "…", "variables": {…}, "operationName": "…"}.`
	noQuery       = `The request has no query: send one JSON object with "query", a GraphQL document as text.`
	wrongDepth    = `"depth" is how many relations an answer may follow: a whole number from 1 to 8, which is also the limit without it.`
)

// readGraphQL reads a request as GraphQL over HTTP has it, and its member depth. Of equal
// members the last counts; names are taken as written, and members of other names passed
// over.
func readGraphQL(body []byte) (r graphQLRequest, err error) {
	var members map[string]json.RawMessage
	if !utf8.Valid(body) || json.Unmarshal(body, &members) != nil || members == nil {
		if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' && json.Valid(trimmed) {
			return r, domains.Invalid("Several requests in one are not taken: send one JSON object, and one request for each.")
		}
		return r, domains.Invalid(noJSONRequest)
	}
	present := func(name string) (json.RawMessage, bool) {
		value, ok := members[name]
		return value, ok && string(value) != "null"
	}
	value, ok := present("query")
	if !ok {
		return r, domains.Invalid(withoutQuery(members["extensions"]))
	}
	if r.Query, ok = unquote(value); !ok {
		return r, domains.Invalid(noQuery)
	}
	if value, ok = present("operationName"); ok {
		if r.Operation, ok = unquote(value); !ok {
			return r, domains.Invalid(`"operationName" has to be text: the name of one of the operations in "query".`)
		}
	}
	for _, name := range []string{"variables", "extensions"} {
		if value, ok = present(name); ok && value[0] != '{' {
			return r, domains.Invalid(fmt.Sprintf("%q has to be a JSON object.", name))
		} else if ok && name == "variables" {
			r.Variables = value
		}
	}
	if value, ok = present("depth"); ok {
		if r.depth, ok = depthOf(string(value)); !ok {
			return r, domains.Invalid(wrongDepth)
		}
	}
	return r, nil
}

// withoutQuery is what a request without a query is told. Clients that first send the
// digest of a query (Apollo and urql call it persisted) know one word, after which they
// send the query itself.
func withoutQuery(extensions json.RawMessage) string {
	var sent struct {
		PersistedQuery json.RawMessage `json:"persistedQuery"`
	}
	if json.Unmarshal(extensions, &sent) == nil && sent.PersistedQuery != nil {
		return "PersistedQueryNotSupported"
	}
	return noQuery
}

// depthOf reads a depth.
func depthOf(text string) (depth int, ok bool) {
	if len(text) != 1 || text[0] < '1' || text[0] > '0'+mostDepth {
		return 0, false
	}
	return int(text[0] - '0'), true
}
