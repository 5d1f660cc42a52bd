package graphql

import (
	"context"
	"encoding/json"

	"github.com/ontogate/ontogate/domains"
)

// Config says what a Service serves.
type Config struct {
	Model   *Model
	Columns domains.Columns
	// Languages choose labels, best first.
	Languages []string
	// NoIntrospection refuses __schema and __type; __typename stays.
	NoIntrospection bool
	// MaxEntities is how many entities an answer may hold in all; 0 means 20,000.
	MaxEntities int
}

// Service answers requests about one domain at one revision. It may be used concurrently.
type Service struct{ config Config }

// New parses a model's schema. Its cost grows with the schema. The error says why the SDL
// is not legal, which is a fault of Derive.
func New(c Config) (*Service, error) { return &Service{c}, nil }

// Options are what a request may say besides GraphQL.
type Options struct {
	// Depth is how many relations an answer may follow from a field of Query, 1–8; 0
	// means 8.
	Depth int
}

// Run answers a request within the limits and the deadline of ctx.
func (s *Service) Run(ctx context.Context, r Request, o Options) *Response { return &Response{} }

// Response is the answer to a request (GraphQL specification, section 7).
type Response struct {
	// Data is a JSON object or null; nil where the request was refused and nothing was
	// executed.
	Data json.RawMessage
	// Errors are what went wrong.
	Errors []Error
}

// Error is an error in a response.
type Error struct {
	Message string
	// Locations are places in the document.
	Locations []Location
	// Path says where in the data it happened: names and indexes; nil for a request that
	// was refused.
	Path []any
}

// Location is a place in a document, counted from 1.
type Location struct{ Line, Column int }
