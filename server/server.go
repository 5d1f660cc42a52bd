package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
)

// Server offers the domains of a back end to MCP clients. Its methods may be
// called concurrently.
type Server struct {
	cfg   Config
	tools []*tool
	// slots holds a token for each call that runs, in all sessions together.
	slots chan struct{}
	// places are those of each user.
	places  places
	workers workers
	// looks holds one for each question of soon.
	looks    chan struct{}
	closing  chan struct{} // closed when no further call may begin
	close    func()
	mcp      *mcpserver.MCPServer
	http     *mcpserver.StreamableHTTPServer
	sessions *sessions
	watcher  watcher
	ready    readiness
	services *services
}

// New checks the tools and the domain of the start, and logs how many tools and
// domains there are. A back end that cannot list its domains now is no error: they are
// looked for again when they are needed, and then the domain of the start is checked.
// New starts nothing that has to be ended, but sessions, the watch over the domains that
// the first selection starts, and GraphQL services that are made for domains in use live
// until Shutdown.
func New(ctx context.Context, c Config) (*Server, error) { return newServer(ctx, c, tools()) }

// newServer is New with a list of tools.
func newServer(ctx context.Context, c Config, list []*tool) (*Server, error) {
	if c.Backend == nil {
		return nil, errors.New("building the server: Config.Backend is missing")
	}
	if c.MaxAnswer > 0 && c.MaxAnswer < MinAnswer {
		return nil, fmt.Errorf("building the server: Config.MaxAnswer is %d; at least %d characters are needed", c.MaxAnswer, MinAnswer)
	}
	s := &Server{
		cfg: c.withDefaults(), tools: list,
		slots: make(chan struct{}, callsPerProcess), looks: make(chan struct{}, looksAtOnce), closing: make(chan struct{}),
	}
	s.close = sync.OnceFunc(func() { close(s.closing) })
	if err := s.disableTools(); err != nil {
		return nil, err
	}
	if err := checkTools(s.tools); err != nil {
		return nil, fmt.Errorf("building the server: %w", err)
	}
	infos, listErr := s.listAtStart(ctx)
	if asked := string(s.cfg.Domain); asked != "" {
		name, near, ok := domains.MatchName(asked, infos)
		switch {
		case ok:
			s.cfg.Domain = name
		case listErr == nil:
			return nil, errors.New("--domain: unknown " + s.noSuchDomain(asked, near, infos))
		}
	}
	s.sessions = newSessions(s.cfg, s.forget)
	s.mcp = s.newMCP()
	s.http = s.newHTTP()
	s.services = newServices(s)
	s.cfg.Logger.InfoContext(ctx, "ready", "tools", s.offered(), "domains", len(infos))
	if len(infos) == 0 && listErr == nil && !s.cfg.OneCall {
		s.cfg.Logger.WarnContext(ctx, "there are no domains: every answer will say so")
	}
	return s, nil
}

// listAtStart lists the domains as New needs them. Its request is not repeated, so that
// the reason of a failure is known and not only that time ran out.
func (s *Server) listAtStart(ctx context.Context) ([]domains.Info, error) {
	if s.cfg.OneCall && s.cfg.Domain == "" {
		return nil, nil
	}
	infos, err := soon(domains.Once(ctx), s, listLimit, s.backend(&caller{}).Domains)
	if err != nil && !s.cfg.OneCall {
		cause := err.Error()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			cause = fmt.Sprintf("no answer within %s", listLimit)
		}
		s.cfg.Logger.WarnContext(ctx, "the domains could not be listed at the start", "listed", len(infos), "cause", cause)
	}
	return infos, err
}

// Call runs one tool call in a session that ends with it, and so gives the text
// that a client with a session gets; a selection says that it ends too. isError marks an answer that says what the
// caller did wrong; err is a fault of our own, without its cause, which is in the
// log.
func (s *Server) Call(ctx context.Context, tool string, args map[string]any) (text string, isError bool, err error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return "", false, fmt.Errorf("encoding the arguments: %w", err)
	}
	c := &caller{session: newSession("", "", s.cfg.Domain), selected: s.cfg.Domain, once: true}
	return s.callTool(ctx, c, tool, raw)
}

// tool finds a tool by name, or nil.
func (s *Server) tool(name string) *tool {
	for _, t := range s.tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// unknownTool names the tools there are.
func (s *Server) unknownTool(name string) error {
	var names []string
	for _, t := range s.tools {
		if s.shows(nil, t) {
			names = append(names, t.Name)
		}
	}
	message := fmt.Sprintf("Unknown tool '%s'. ", shown(name))
	if near := domains.Nearest(name, names, 1); len(near) > 0 {
		message += fmt.Sprintf("Did you mean '%s'? ", near[0])
	}
	return domains.Invalid(message + "Tools: " + strings.Join(names, ", ") + ".")
}

// Shutdown ends all sessions and their listening streams, the watch over the domains and
// what is being made, and waits for these and for calls in flight, at most until ctx ends. Calls that wait for their turn are refused, and so
// are later ones. An http.Server around Handler can be shut down afterwards: no
// stream keeps it open.
func (s *Server) Shutdown(ctx context.Context) error {
	s.close()
	s.sessions.shutdown()
	if err := errors.Join(s.endWatch(ctx), s.services.close(ctx)); err != nil {
		return err
	}
	// All places taken means that no call runs. They are given back, so that this
	// can be called again.
	for _, places := range []chan struct{}{s.slots, s.looks} {
		for taken := range cap(places) {
			select {
			case places <- struct{}{}:
				defer func() { <-places }()
			case <-ctx.Done():
				return fmt.Errorf("waiting for calls in flight (%d of %d places free): %w", taken, cap(places), ctx.Err())
			}
		}
	}
	s.workers.end()
	return nil
}

// Handler serves /mcp, /mcp/{domain}, /graphql and what is below it (the same at
// /api/v1/graphql), /healthz, /readyz, /.well-known/mcp/server-card.json and /. The
// http.Server around it should set ReadHeaderTimeout (5 s), ReadTimeout (30 s) and
// IdleTimeout (2 min), and must leave WriteTimeout at 0: it would cut listening streams.
// Writes are bounded one by one instead.
func (s *Server) Handler() http.Handler { return s.routes() }
