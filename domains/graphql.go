package domains

import (
	"context"
	"io"
)

// GraphQL is a GraphQL service that a back end has for a domain. All methods may be
// called concurrently.
type GraphQL interface {
	// Schema reads the schema.
	Schema(ctx context.Context) (*GraphQLSchema, error)
	// Query passes a request on; body is JSON as GraphQL over HTTP has it: query,
	// variables, operationName, and depth where the service knows it. A reply of any
	// status is a reply; an error means that there is none.
	Query(ctx context.Context, body []byte) (*Reply, error)
	// SchemaReply is the service's own answer to a request for the schema, to be passed
	// on.
	SchemaReply(ctx context.Context) (*Reply, error)
}

// GraphQLSchema is a schema as text.
type GraphQLSchema struct {
	// SDL is empty when there is no schema; Reason then says why, in words for the
	// caller.
	SDL, Reason string
}

// Reply is an answer over HTTP that is passed on as it is.
type Reply struct {
	Status int // HTTP status code
	// ContentType and RetryAfter are the headers of those names; empty when absent.
	ContentType, RetryAfter string
	// Body is read and closed by whoever gets the reply. It ends with an error where
	// the answer breaks off or grows too large.
	Body io.ReadCloser
	// Clean makes a text of the service, taken from Body, fit for whoever asked: without
	// addresses of the deployment and without tokens. nil where nothing has to be hidden.
	// Who passes Body on as it is does not use it.
	Clean func(string) string
}

// Endpoint is a way into a domain that is not MCP.
type Endpoint string

// The endpoints that a domain's settings can close. Introspection is a part of the
// GraphQL endpoint of a domain whose schema is derived: the questions __schema and __type.
// REST is the interface of OntoBricks below /api/v1, GraphQL there excepted.
const (
	EndpointGraphQL       Endpoint = "graphql"
	EndpointIntrospection Endpoint = "introspection"
	EndpointREST          Endpoint = "rest"
	EndpointSPARQL        Endpoint = "sparql"
)

// Forwarder is a Backend that passes on requests for addresses of its GraphQL service
// that belong to no domain.
type Forwarder interface {
	// Forward answers a GET of path, which is "graphql" (the list of domains) or
	// "graphql/settings/depth".
	Forward(ctx context.Context, path string) (*Reply, error)
}
