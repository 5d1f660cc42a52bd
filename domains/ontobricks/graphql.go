package ontobricks

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// graphQL implements domains.GraphQL with the deployment's own service. Who asks is
// sent with it, as on REST: the deployment's answers are those of the user.
type graphQL struct{ *view }

// Schema reads the schema.
func (g graphQL) Schema(ctx context.Context) (*domains.GraphQLSchema, error) {
	s, err := g.mine.schemas.get(ctx, g.key(), g.readSchema)
	if not := notReady(""); errors.As(err, &not) {
		return &domains.GraphQLSchema{Reason: string(not)}, nil
	}
	return s, err
}

// notReady is why there is no schema. It is kept no longer than a failure: somebody may
// be at work on the ontology.
type notReady string

// Error is the reason.
func (n notReady) Error() string { return string(n) }

func (g graphQL) readSchema(ctx context.Context) (*domains.GraphQLSchema, error) {
	r, err := g.request(ctx, http.MethodGet, "/schema", nil, "reading the GraphQL schema")
	if err != nil {
		return nil, err
	}
	var in wire.GraphQLSchema
	if err := g.client.JSON(ctx, r, &in); err != nil {
		return nil, err
	}
	if in.SDL != nil && strings.TrimSpace(*in.SDL) != "" {
		return g.deployment.schemas.get(ctx, g.flights, digest(*in.SDL), func(context.Context) (*domains.GraphQLSchema, error) {
			return &domains.GraphQLSchema{SDL: *in.SDL}, nil
		})
	}
	why := ""
	if in.Message != nil {
		why = g.clean(*in.Message)
	}
	if why == "" {
		why = "GraphQL schema is empty — the domain may have no ontology classes."
	}
	return nil, notReady(why)
}

// Query passes a request on. It is sent once: what it asks for may be expensive, and
// its clients handle every status themselves.
func (g graphQL) Query(ctx context.Context, body []byte) (*domains.Reply, error) {
	r, err := g.request(ctx, http.MethodPost, "", body, "querying GraphQL")
	if err != nil {
		return nil, err
	}
	reply, err := g.client.Reply(ctx, r)
	if err != nil {
		return nil, err
	}
	reply.Clean = g.clean
	return reply, nil
}

// SchemaReply is the service's own answer.
func (g graphQL) SchemaReply(ctx context.Context) (*domains.Reply, error) {
	r, err := g.request(ctx, http.MethodGet, "/schema", nil, "reading the GraphQL schema")
	if err != nil {
		return nil, err
	}
	return g.client.Reply(ctx, r)
}

// request is one of the domain's own addresses. The domain is in the path, the registry
// in the parameters.
func (g graphQL) request(ctx context.Context, method, below string, body []byte, doing string) (rest.Request, error) {
	w, err := g.whereabouts(ctx, "")
	return rest.Request{
		Method: method, Path: "/graphql/" + pathSegment(string(g.info.Name)) + below, Query: query(w), Body: body,
		Principal: g.who, Domain: g.info.Name, Doing: doing,
	}, err
}

// pathSegment escapes a name so that it is one segment of a path, whatever it holds:
// clients and servers drop "." and ".." as they stand.
func pathSegment(name string) string {
	if name == "." || name == ".." {
		return strings.ReplaceAll(name, ".", "%2E")
	}
	return url.PathEscape(name)
}

// Forward answers the addresses of the GraphQL service that belong to no domain.
func (b *Backend) Forward(ctx context.Context, path string) (*domains.Reply, error) {
	const doing = "asking the GraphQL service"
	if path != "graphql" && path != "graphql/settings/depth" {
		return nil, &domains.Error{Kind: domains.ErrInvalid, Op: doing, Message: "There is no such address: use /graphql or /graphql/settings/depth."}
	}
	w, err := b.whereabouts(ctx, "")
	if err != nil {
		return nil, err
	}
	return b.client.Reply(ctx, rest.Request{
		Method: http.MethodGet, Path: "/" + path, Query: query(w), Principal: b.who, Doing: doing,
	})
}
