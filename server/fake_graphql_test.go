package server_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
)

// fakeSDL is the schema of each domain of the fake back end that has a graph.
const fakeSDL = `type Thing {
  id: ID!
  uri: String!
  label: String
  firstName: String
  part: [Thing!]
}

type Query {
  """List Thing entities from the knowledge graph."""
  things(limit: Int! = 50, offset: Int! = 0, search: String): [Thing!]!

  """Get a single Thing by ID."""
  thing(id: ID!): Thing
}`

// fakeGraphQL is the GraphQL service of a domain. It answers every query with one
// entity that carries the domain's name, unless one of the functions is set.
type fakeGraphQL struct {
	domain domains.Name
	hold   func(ctx context.Context) error
	schema func(ctx context.Context) (*domains.GraphQLSchema, error)
	query  func(ctx context.Context, body []byte) (*domains.Reply, error)
}

func (g fakeGraphQL) Schema(ctx context.Context) (*domains.GraphQLSchema, error) {
	if err := g.hold(ctx); err != nil {
		return nil, err
	}
	if g.schema != nil {
		return g.schema(ctx)
	}
	return &domains.GraphQLSchema{SDL: fakeSDL}, nil
}

func (g fakeGraphQL) Query(ctx context.Context, body []byte) (*domains.Reply, error) {
	if err := g.hold(ctx); err != nil {
		return nil, err
	}
	if g.query != nil {
		return g.query(ctx, body)
	}
	return replyOf(http.StatusOK, `{"data":{"things":[{"id":"1","label":"thing of `+string(g.domain)+`"}]}}`), nil
}

func (g fakeGraphQL) SchemaReply(ctx context.Context) (*domains.Reply, error) {
	if err := g.hold(ctx); err != nil {
		return nil, err
	}
	return replyOf(http.StatusOK, `{"sdl": "of `+string(g.domain)+`", "ready": true}`), nil
}

// replyOf is a reply of JSON.
func replyOf(status int, body string) *domains.Reply {
	return &domains.Reply{Status: status, ContentType: "application/json", Body: io.NopCloser(strings.NewReader(body))}
}

// withGraphQL gives domains of a back end a GraphQL service: that of the files
// graphql/DOMAIN/sdl and graphql/DOMAIN/replies of an archive. A line of replies is the
// status and the body of one answer; the last one is repeated.
func withGraphQL(b domains.Backend, a *txtar.Archive) domains.Backend {
	out := servedBackend{b, map[domains.Name]*fakeGraphQL{}}
	for _, f := range a.Files {
		rest, ok := strings.CutPrefix(f.Name, "graphql/")
		if !ok {
			continue
		}
		name, file, _ := strings.Cut(rest, "/")
		g := out.services[domains.Name(name)]
		if g == nil {
			g = &fakeGraphQL{hold: func(context.Context) error { return nil }}
			out.services[domains.Name(name)] = g
		}
		if text := string(f.Data); file == "sdl" {
			g.schema = func(context.Context) (*domains.GraphQLSchema, error) {
				return &domains.GraphQLSchema{SDL: strings.TrimSuffix(text, "\n")}, nil
			}
		} else {
			g.query = inOrder(strings.Split(strings.TrimSpace(text), "\n"))
		}
	}
	if len(out.services) == 0 {
		return b
	}
	return out
}

func inOrder(lines []string) func(context.Context, []byte) (*domains.Reply, error) {
	next := 0
	return func(context.Context, []byte) (*domains.Reply, error) {
		status, body, _ := strings.Cut(lines[next], " ")
		next = min(next+1, len(lines)-1)
		n, err := strconv.Atoi(status)
		return replyOf(n, body), err
	}
}

type servedBackend struct {
	domains.Backend
	services map[domains.Name]*fakeGraphQL
}

func (b servedBackend) As(p domains.Principal) domains.Backend {
	return servedBackend{b.Backend.As(p), b.services}
}

func (b servedBackend) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.Backend.Open(ctx, name)
	if g := b.services[name]; err == nil && g != nil {
		with := *d
		with.GraphQL = *g
		return &with, nil
	}
	return d, err
}
