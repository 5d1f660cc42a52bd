package server

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
)

// toolsChanged is the notification that a client's tools changed.
const toolsChanged = mcp.MethodNotificationToolsListChanged

// newMCP builds the protocol server. Its tools never change after this: mcp-go
// would announce a change to every session. What one client may see is decided
// when it asks for a list (see visible), and again when it calls.
func (s *Server) newMCP() *mcpserver.MCPServer {
	hooks := &mcpserver.Hooks{}
	hooks.AddOnRequestInitialization(refuseStateless)
	hooks.AddAfterInitialize(s.introduce)
	hooks.AddBeforeListTools(func(_ context.Context, _ any, r *mcp.ListToolsRequest) { spoil(&r.Params.Cursor) })
	hooks.AddAfterListTools(func(ctx context.Context, _ any, _ *mcp.ListToolsRequest, r *mcp.ListToolsResult) {
		r.Tools = r.Tools[:0:0]
		for _, t := range s.visible(ctx) {
			r.Tools = append(r.Tools, t.defined)
		}
	})
	hooks.AddBeforeCallTool(func(_ context.Context, _ any, r *mcp.CallToolRequest) { s.redirect(r) })
	hooks.AddBeforeListResources(func(_ context.Context, _ any, r *mcp.ListResourcesRequest) { spoil(&r.Params.Cursor) })
	hooks.AddAfterListResources(func(ctx context.Context, _ any, _ *mcp.ListResourcesRequest, r *mcp.ListResourcesResult) {
		r.Resources = s.visibleResources(ctx)
	})
	m := mcpserver.NewMCPServer(s.cfg.Name, s.cfg.Version,
		mcpserver.WithTitle(s.cfg.title()),
		mcpserver.WithToolCapabilities(true),
		mcpserver.WithResourceCapabilities(false, false),
		mcpserver.WithHooks(hooks))
	for _, t := range s.tools {
		m.AddTool(t.defined, s.handler(func(mcp.CallToolRequest) string { return t.Name }))
	}
	m.AddTool(mcp.NewToolWithRawSchema(anyOther, "", schemaOf(nil)), s.handler(askedName))
	s.addResources(m)
	return m
}

// newHTTP builds the transport. Sessions are ours: mcp-go gets their ids from
// transportIDs, and its own idle sweep stays off. Its Host check is off too, because
// the guard's knows about --allow-host.
func (s *Server) newHTTP() *mcpserver.StreamableHTTPServer {
	return mcpserver.NewStreamableHTTPServer(s.mcp,
		mcpserver.WithSessionIdManagerResolver(transportIDs{s}),
		mcpserver.WithHeartbeatInterval(25*time.Second),
		mcpserver.WithStreamableHTTPProtocolVersions(mcp.LegacyProtocolVersions()...),
		mcpserver.WithDisableLocalhostProtection(true),
		mcpserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)))
}

// definition is what clients are told of a tool.
func (t *tool) definition() mcp.Tool {
	d := mcp.NewToolWithRawSchema(t.Name, t.description+" Example: "+t.example, schemaOf(t.params))
	d.Title = t.title
	// Selecting changes nothing but the client's own session. A tool that writes without
	// acting only adds what follows from the facts.
	reads, repeatable, acts := !t.Writes, !t.acts, t.acts
	d.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &reads, DestructiveHint: &acts, IdempotentHint: &repeatable, OpenWorldHint: &acts}
	return d
}

// anyOther is the name under which mcp-go calls tools that do not exist: it would
// answer those itself, without the names that do. It is not listed, and no tool can
// have it.
const anyOther = "any other"

// redirect sends a call of a tool that does not exist to anyOther, with the name in
// the place of arguments.
func (s *Server) redirect(r *mcp.CallToolRequest) {
	if s.tool(r.Params.Name) == nil {
		r.Params.RawArguments = json.RawMessage(jsonText(r.Params.Name))
		r.Params.Name = anyOther
	}
}

// askedName is the name of a tool that does not exist.
func askedName(r mcp.CallToolRequest) string {
	name, _ := unquote(r.Params.RawArguments)
	return name
}

// handler runs a tool for mcp-go.
func (s *Server) handler(name func(mcp.CallToolRequest) string) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text, isError, err := s.callTool(ctx, callerOf(ctx), name(r), r.Params.RawArguments)
		if err != nil {
			return nil, err
		}
		if isError {
			return mcp.NewToolResultError(text), nil
		}
		return mcp.NewToolResultText(text), nil
	}
}

// visible are the tools that the caller of a request may see, in our order: those that
// the domain in effect offers, and all when there is none.
func (s *Server) visible(ctx context.Context) []*tool {
	before := s.watcher.changes.Load()
	d := s.domainInEffect(ctx, listLimit)
	s.listed(ctx, callerOf(ctx), d, before)
	out := make([]*tool, 0, len(s.tools))
	for _, t := range s.tools {
		if s.shows(d, t) {
			out = append(out, t)
		}
	}
	return out
}

// shows reports whether a tool is told of where a domain is in effect, nil for none.
func (s *Server) shows(d *domains.Domain, t *tool) bool {
	if d == nil {
		return t != nil && !s.withholds(t)
	}
	return offers(d, t)
}

// domainInEffect opens the domain that a request without arguments speaks of. nil
// when there is none, or it cannot be opened within limit: then calls say why.
func (s *Server) domainInEffect(ctx context.Context, limit time.Duration) *domains.Domain {
	c := callerOf(ctx)
	name := c.inEffect()
	if name == "" {
		return nil
	}
	d, err := soon(ctx, s, limit, func(ctx context.Context) (*domains.Domain, error) { return s.open(ctx, c, name) })
	if err != nil {
		return nil
	}
	return d
}

// refuseStateless keeps every client on the protocol versions that have sessions:
// the stateless one begins with server/discover, and a client that is refused
// there initialises instead. Requests that name that version are refused too; over
// HTTP the transport does that before us.
func refuseStateless(_ context.Context, _ any, message any) error {
	raw, _ := message.(json.RawMessage)
	var m struct {
		Method string `json:"method"`
		Params struct {
			Meta *mcp.Meta `json:"_meta"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	if m.Method == string(mcp.MethodServerDiscover) || mcp.IsModernProtocol(m.Params.Meta.ProtocolVersion()) {
		return errors.New("this protocol version is not supported: use initialize, with " + mcp.LATEST_LEGACY_PROTOCOL_VERSION)
	}
	return nil
}

// spoil makes any cursor of a list unreadable: our lists have one page, so no
// cursor is ours, and an unreadable one is answered with "invalid params".
func spoil(cursor *mcp.Cursor) {
	if *cursor != "" {
		*cursor = "?"
	}
}

// transportIDs hands our sessions to the transport: the guard has already found
// or begun the session of a request and put it into the request's caller.
type transportIDs struct{ s *Server }

func (t transportIDs) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	if r == nil {
		return requestID{s: t.s}
	}
	return requestID{s: t.s, id: transportID(r.Context())}
}

// requestID is the session id manager of one request.
type requestID struct {
	s  *Server
	id string
}

// Generate names the session that begins with an initialize request.
func (r requestID) Generate() string { return r.id }

// Validate accepts the id that the guard has checked.
func (r requestID) Validate(id string) (terminated bool, err error) {
	if id == "" || id != r.id {
		return false, errors.New("unknown session")
	}
	return false, nil
}

// Terminate ends a session.
func (r requestID) Terminate(id string) (notAllowed bool, err error) {
	r.s.sessions.end(id)
	return false, nil
}

// transportIDKey finds the id under which the transport knows a request.
type transportIDKey struct{}

func withTransportID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, transportIDKey{}, id)
}

func transportID(ctx context.Context) string {
	id, _ := ctx.Value(transportIDKey{}).(string)
	return id
}

// forget makes the transport drop what it keeps of a session that has ended. It
// has no call for that, but a DELETE request does it.
func (s *Server) forget(id string) {
	h := http.Header{}
	h.Set(mcpserver.HeaderKeySessionID, id)
	s.http.Handle(nowhere{http.Header{}}, &mcpserver.HTTPRequest{Method: http.MethodDelete, Header: h, Context: context.Background()})
}

// nowhere is a response that nobody reads.
type nowhere struct{ header http.Header }

func (n nowhere) Header() http.Header         { return n.header }
func (n nowhere) WriteHeader(int)             {}
func (n nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n nowhere) Flush()                      {}
func (n nowhere) CanStream() bool             { return false }
