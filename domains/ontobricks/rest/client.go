package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Tokens gives access tokens. All methods may be called concurrently.
type Tokens interface {
	// Token is valid for the next requests. It is cheap when cached; concurrent callers
	// share one fetch. Errors with a text for the caller are a domains.Error.
	Token(ctx context.Context) (string, error)
	// Spoiled says that the service refused this token: the next Token is a new one.
	Spoiled(token string)
}

// Config says how a Client reaches its deployment.
type Config struct {
	// URL is the base: http(s)://host[:port][/path], without query and user info.
	// Required.
	URL string
	// Tokens gives the token of each request; nil sends no Authorization.
	Tokens Tokens
	// Transport sends requests; nil means an own pooled transport: 20 connections to
	// the host, 10 of them idle, no proxy.
	Transport http.RoundTripper
	// Timeout bounds one request; 0 means 20 s.
	Timeout time.Duration
	// RetryFor bounds all repeats of one call together; 0 means 10 s.
	RetryFor time.Duration
	// MostBytes bounds one answer after decompression; 0 means 32 MiB.
	MostBytes int64
	// UserAgent is the header of that name; "" means "ontogate".
	UserAgent string
	// Logger is told of repeats and of the circuit; nil means silence.
	Logger *slog.Logger
	// Clock, Sleep and Random (0 ≤ x < 1) serve the repeats; nil means the real ones.
	Clock  func() time.Time
	Sleep  func(context.Context, time.Duration) error
	Random func() float64
}

// Client sends requests to one deployment. It may be used concurrently.
type Client struct {
	config Config
}

// New returns a client. It sends nothing yet.
func New(c Config) (*Client, error) { return &Client{config: c}, nil }

// Request is one call of a deployment.
type Request struct {
	// Method is http.MethodGet or http.MethodPost.
	Method string
	// Path starts with a slash and is escaped by the caller: "/api/v1/domains".
	Path  string
	Query url.Values
	// Body is JSON; nil sends none.
	Body []byte
	// Writes is set for a call that has an effect: it is never repeated once it may
	// have been executed.
	Writes bool
	// Principal is who asks: sent on, never stored.
	Principal domains.Principal
	// Domain and Doing (a gerund: "listing the domains") are for errors and logs.
	Domain domains.Name
	Doing  string
}

// JSON sends a request and decodes a 2xx answer into into, which may be nil. Every
// other answer is an error.
func (c *Client) JSON(ctx context.Context, r Request, into any) error {
	return errors.New("not built yet")
}

// Reply sends a request and passes on any answer. The caller closes the body.
func (c *Client) Reply(ctx context.Context, r Request) (*domains.Reply, error) {
	return nil, errors.New("not built yet")
}

// Close ends idle connections.
func (c *Client) Close() error { return nil }

// Failure is what went wrong, found with errors.As in every error of JSON and Reply.
type Failure struct {
	// Status is that of the answer; 0 means that there was none.
	Status int
	// Code is the "error" member of the answer, such as "not_found"; Message its own
	// text in one line.
	Code, Message string
	// Err is the cause where there was no answer, or an answer that cannot be used.
	Err error
}

// Error is for logs.
func (f *Failure) Error() string { return fmt.Sprintf("status %d %s", f.Status, f.Code) }

// Unwrap gives the cause.
func (f *Failure) Unwrap() error { return f.Err }
