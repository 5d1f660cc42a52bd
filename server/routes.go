package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
	"github.com/ontogate/ontogate/server/api"
)

// bodyLimit is the most bytes of a request.
const bodyLimit = 1 << 20

func (s *Server) routes() http.Handler {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		status := http.StatusInternalServerError
		var of *echo.HTTPError
		if errors.As(err, &of) {
			status = of.Code
		}
		message := http.StatusText(status)
		if isRESTPath(c.Request().URL.Path) && status == http.StatusNotFound {
			refuseUnfit(c.Response(), api.NotFound())
			return
		}
		if status == http.StatusNotFound && isGraphQLPath(c.Request().URL.Path) {
			message = noGraphQLAddress
		}
		if !c.Response().Committed {
			s.refuseAs(c.Response(), c.Request(), status, message)
		}
	}
	e.Any("/mcp", echo.WrapHandler(s.endpoint("")))
	e.Any("/mcp/:domain", func(c echo.Context) error {
		name, err := pathName(c.Request(), c.Param("domain"))
		if err != nil {
			return echo.NewHTTPError(http.StatusBadRequest)
		}
		s.endpoint(name).ServeHTTP(c.Response(), c.Request())
		return nil
	})
	s.graphQLRoutes(e)
	s.restRoutes(e)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, healthPath, echo.WrapHandler(http.HandlerFunc(s.health)))
		e.Add(method, readyPath, echo.WrapHandler(http.HandlerFunc(s.sayReady)))
		e.Add(method, "/", echo.WrapHandler(http.HandlerFunc(s.front)))
		e.Add(method, cardPath, echo.WrapHandler(http.HandlerFunc(s.sayCard)))
	}
	return s.recovering(s.guard(s.identified(s.shortcut(e))))
}

// shortcut serves the address to which nearly all requests go without asking the router.
func (s *Server) shortcut(router http.Handler) http.Handler {
	mcp := s.endpoint("")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/mcp" && r.URL.RawPath == "" {
			mcp.ServeHTTP(w, r)
			return
		}
		router.ServeHTTP(w, r)
	})
}

// recovering answers a request whose handler panics, and logs why.
func (s *Server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			id := secret()[:12]
			s.cfg.Logger.ErrorContext(r.Context(), "panic", "request", id, "cause", p, "stack", string(debug.Stack()))
			s.refuseAs(w, r, http.StatusInternalServerError, "internal error (request "+id+")")
		}()
		next.ServeHTTP(w, r)
	})
}

// pathName is the domain in a path. Echo leaves it encoded when it holds a
// character that a path cannot.
func pathName(r *http.Request, param string) (domains.Name, error) {
	if r.URL.RawPath == "" {
		return domains.Name(param), nil
	}
	name, err := url.PathUnescape(param)
	return domains.Name(name), err
}

// endpoint serves MCP at one address; fixed is empty at /mcp.
func (s *Server) endpoint(fixed domains.Name) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.sessions.sweep(time.Minute)
		switch r.Method {
		case http.MethodPost:
			s.post(w, r, fixed)
		case http.MethodGet, http.MethodDelete:
			s.ofSession(w, r, fixed)
		default:
			w.Header().Set("Allow", mcpMethods)
			refuse(w, http.StatusMethodNotAllowed, "This address speaks MCP: POST, GET or DELETE.")
		}
	})
}

const unknownSession = "Unknown session: it has ended, or belongs to another address. Send initialize again."

// post serves one message of a client, in the session that it names, in a new one
// for initialize, or alone.
func (s *Server) post(w http.ResponseWriter, r *http.Request, fixed domains.Name) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	direct, isDirect := messageOf(body)
	m := envelope{direct.id, direct.method}
	if !isDirect {
		if answer := unfit(body); answer != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(answer) // the client has gone
			return
		}
		m = envelopeOf(body)
	}
	id := r.Header.Get(mcpserver.HeaderKeySessionID)
	c, ok := s.callerFrom(w, r, fixed)
	if !ok {
		return
	}
	if (m.begins() || id == "") && !s.addressExists(w, r, c) {
		return
	}
	if m.begins() && len(body) > initializeLimit {
		refuse(w, http.StatusRequestEntityTooLarge, tooLargeToBegin)
		return
	}
	id, done, ok := s.enter(w, c, m, id)
	if !ok {
		return
	}
	defer done()
	stream := newPostStream(w, r)
	c.notify = stream.notify
	// What nobody listened for goes with the answer to a call.
	if c.session != nil && m.calls() && c.session.takeDueAlone() && stream.notify(toolsChanged) != nil {
		c.session.announce() // a list will tell it
	}
	if m.cancels() && c.session != nil {
		c.session.cancel(body)
	}
	if !isDirect || !s.directly(stream, r, c, direct) {
		if id == "" {
			// Under one shared id, such as the empty one, clients could cancel each other's
			// requests.
			id = secret()
		}
		s.http.ServeHTTP(stream, withMessage(r, c, id, body))
	}
	if err := stream.finish(); err != nil {
		s.noteFailure(err)
	}
	if m.begins() && !c.introduced {
		s.sessions.end(id) // it was refused, and nobody will end it
	}
}

// enter finds the session of a message by the id that it names, begins one for
// initialize, or lets it stand alone, and gives the id of the session, empty when there is
// none. done ends that; ok is false when the message was refused.
func (s *Server) enter(w http.ResponseWriter, c *caller, m envelope, named string) (id string, done func(), ok bool) {
	switch {
	case m.begins():
		session, done, ok := s.sessions.begin(c.principal.Key(), c.fixed, s.cfg.Domain)
		if !ok {
			w.Header().Set("Retry-After", "30")
			refuse(w, http.StatusServiceUnavailable, "No new sessions now: try again later.")
			return "", nil, false
		}
		c.session = session
		if c.inEffect() != "" {
			s.watch()
		}
		return session.id, done, true
	case named != "":
		session, done, ok := s.sessions.use(named, c.principal.Key(), c.fixed)
		if !ok {
			refuse(w, http.StatusNotFound, unknownSession)
			return "", nil, false
		}
		c.session = session
		c.selected, c.gone = session.selection()
		return named, done, true
	}
	return "", func() {}, true
}

// withMessage is a request as the transport has to see it.
func withMessage(r *http.Request, c *caller, id string, body []byte) *http.Request {
	r = r.Clone(withTransportID(withCaller(r.Context(), c), id))
	r.Header.Set(mcpserver.HeaderKeySessionID, id)
	forgetToken(r) // the transport has no use for it
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// ofSession serves a listening stream (GET) or the end of a session (DELETE).
func (s *Server) ofSession(w http.ResponseWriter, r *http.Request, fixed domains.Name) {
	id := r.Header.Get(mcpserver.HeaderKeySessionID)
	c, ok := s.callerFrom(w, r, fixed)
	if !ok {
		return
	}
	if id == "" {
		if !s.addressExists(w, r, c) {
			return
		}
		refuse(w, http.StatusBadRequest, "This address speaks MCP (Streamable HTTP): connect an MCP client to it. "+
			r.Method+" needs the header Mcp-Session-Id.")
		return
	}
	session, done, ok := s.sessions.use(id, c.principal.Key(), fixed)
	if !ok {
		refuse(w, http.StatusNotFound, unknownSession)
		return
	}
	defer done()
	ctx := withTransportID(r.Context(), id)
	if r.Method == http.MethodGet {
		forgetToken(r) // a stream may stay for days
		var release func()
		ctx, release = session.listen(ctx)
		stream, over := newListenStream(w), make(chan struct{})
		go func() {
			defer close(over)
			session.tellWhile(ctx, stream.open, stream.tell)
		}()
		defer func() { release(); <-over }()
		w = stream
	}
	s.http.ServeHTTP(w, r.WithContext(ctx))
}

// callerFrom is who sent a request over HTTP, before a session is known. It answers
// 401 when nobody can be made out: never trust that another place did.
func (s *Server) callerFrom(w http.ResponseWriter, r *http.Request, fixed domains.Name) (c *caller, ok bool) {
	p, ok := s.principalOf(r)
	if !ok {
		refuse(w, http.StatusUnauthorized, noIdentity)
		return nil, false
	}
	return &caller{
		principal: p, fixed: fixed, selected: s.cfg.Domain, base: s.base(r),
		request: s.requestNumber(r), failed: s.noteFailure,
	}, true
}

// addressExists reports whether an address stands for a domain, and answers 404 when
// it does not.
func (s *Server) addressExists(w http.ResponseWriter, r *http.Request, c *caller) bool {
	if c.fixed == "" {
		return true
	}
	infos, err := soon(r.Context(), s, listLimit, s.backend(c).Domains)
	for _, i := range infos {
		if i.Name == c.fixed {
			return true
		}
	}
	if err != nil {
		s.noteFailure(err)
		refuse(w, http.StatusBadGateway, format.Fit(notListed(err), ordinaryBudget))
		return false
	}
	// An address has to be exact, or one domain would have several.
	meant, near, ok := domains.MatchName(string(c.fixed), infos)
	if ok {
		near = []string{string(meant)}
	}
	refuse(w, http.StatusNotFound, s.unknownDomain(string(c.fixed), near, infos).Error())
	return false
}

// readBody reads a request's body and answers when it cannot.
func readBody(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, "The request is larger than 1 MiB.")
	case err != nil:
		refuse(w, http.StatusBadRequest, "The request could not be read.")
	}
	return body, err == nil
}

// envelope is what a message says of itself.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// envelopeOf reads a message as the transport does; nothing of one that is no message.
func envelopeOf(body []byte) envelope {
	var m envelope
	if json.Unmarshal(body, &m) != nil {
		return envelope{}
	}
	return m
}

func (m envelope) isRequest() bool { return len(m.ID) > 0 && string(m.ID) != "null" }

// begins reports whether the message begins a session.
func (m envelope) begins() bool { return m.Method == "initialize" && m.isRequest() }

// calls reports whether the message calls a tool.
func (m envelope) calls() bool { return m.Method == "tools/call" && m.isRequest() }

// cancels reports whether the message cancels a request.
func (m envelope) cancels() bool { return m.Method == "notifications/cancelled" && !m.isRequest() }

// base is the address by which clients know this server.
func (s *Server) base(r *http.Request) string {
	if s.cfg.PublicURL != "" {
		return s.cfg.PublicURL
	}
	return s.forwardedScheme(r) + "://" + cmp.Or(s.forwardedHost(r), r.Host)
}

// noteFailure logs what could not be delivered to a client.
func (s *Server) noteFailure(err error) {
	if errors.Is(err, errNoEvents) || errors.Is(err, context.Canceled) {
		return
	}
	s.cfg.Logger.Warn("not delivered", "cause", err.Error())
}
