package server

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// Server offers the domains of a back end to MCP clients. Its methods may be
// called concurrently.
type Server struct {
	cfg Config
}

// New checks the tools and builds a server.
func New(ctx context.Context, c Config) (*Server, error) {
	if c.Backend == nil {
		return nil, errors.New("building the server: Config.Backend is missing")
	}
	return &Server{cfg: c.withDefaults()}, nil
}

// Handler serves /mcp, /mcp/{domain}, /healthz and /. The http.Server around it
// should set ReadHeaderTimeout (5 s), ReadTimeout (30 s) and IdleTimeout (2 min),
// and must leave WriteTimeout at 0: it would cut listening streams. Each write is
// bounded here.
func (s *Server) Handler() http.Handler { return http.NotFoundHandler() }

// ServeStdio serves one client over a pair of streams, one JSON-RPC message a
// line, until in ends or ctx does. Only messages are written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return errors.ErrUnsupported
}

// Call runs one tool call without a session. isError marks an answer that says
// what the caller did wrong; err is a fault of our own.
func (s *Server) Call(ctx context.Context, tool string, args map[string]any) (text string, isError bool, err error) {
	return "", false, errors.ErrUnsupported
}

// Shutdown ends all sessions and their listening streams and waits for calls in
// flight, at most until ctx ends.
func (s *Server) Shutdown(ctx context.Context) error { return nil }

// ToolDocs is the reference of all tools in Markdown (docs/tools.md).
func ToolDocs() string { return "" }
