package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/ontogate/ontogate/domains"
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
		if !c.Response().Committed {
			refuse(c.Response(), status, http.StatusText(status))
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
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		e.Add(method, healthPath, echo.WrapHandler(http.HandlerFunc(s.health)))
		e.Add(method, "/", echo.WrapHandler(http.HandlerFunc(s.front)))
	}
	return s.recovering(s.guard(e))
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
			refuse(w, http.StatusInternalServerError, "internal error (request "+id+")")
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
	if answer := unfit(body); answer != nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(answer) // the client has gone
		return
	}
	id := r.Header.Get(mcpserver.HeaderKeySessionID)
	c := &caller{fixed: fixed, selected: s.cfg.Domain, base: s.base(r), failed: s.noteFailure}
	initializes := isInitialize(body)
	if (initializes || id == "") && !s.addressExists(w, r, c) {
		return
	}
	switch {
	case initializes && len(body) > initializeLimit:
		refuse(w, http.StatusRequestEntityTooLarge, tooLargeToBegin)
		return
	case initializes:
		session, done, ok := s.sessions.begin(fixed, s.cfg.Domain)
		if !ok {
			w.Header().Set("Retry-After", "30")
			refuse(w, http.StatusServiceUnavailable, "No new sessions now: try again later.")
			return
		}
		defer done()
		c.session, id = session, session.id
	case id != "":
		session, done, ok := s.sessions.use(id, fixed)
		if !ok {
			refuse(w, http.StatusNotFound, unknownSession)
			return
		}
		defer done()
		c.session, c.selected = session, session.selection()
	default:
		// Under one shared id, such as the empty one, clients could cancel each
		// other's requests.
		id = secret()
	}
	stream := newPostStream(w, r)
	c.notify = stream.notify
	s.http.ServeHTTP(stream, withMessage(r, c, id, body))
	if err := stream.finish(); err != nil {
		s.noteFailure(err)
	}
	if initializes && !c.introduced {
		s.sessions.end(id) // it was refused, and nobody will end it
	}
}

// withMessage is a request as the transport has to see it.
func withMessage(r *http.Request, c *caller, id string, body []byte) *http.Request {
	r = r.Clone(withTransportID(withCaller(r.Context(), c), id))
	r.Header.Set(mcpserver.HeaderKeySessionID, id)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return r
}

// ofSession serves a listening stream (GET) or the end of a session (DELETE).
func (s *Server) ofSession(w http.ResponseWriter, r *http.Request, fixed domains.Name) {
	id := r.Header.Get(mcpserver.HeaderKeySessionID)
	if id == "" {
		if !s.addressExists(w, r, &caller{fixed: fixed}) {
			return
		}
		refuse(w, http.StatusBadRequest, "This address speaks MCP (Streamable HTTP): connect an MCP client to it. "+
			r.Method+" needs the header Mcp-Session-Id.")
		return
	}
	session, done, ok := s.sessions.use(id, fixed)
	if !ok {
		refuse(w, http.StatusNotFound, unknownSession)
		return
	}
	defer done()
	ctx := withTransportID(r.Context(), id)
	if r.Method == http.MethodGet {
		var release func()
		ctx, release = session.listen(ctx)
		defer release()
		w = newBoundedWriter(w)
	}
	s.http.ServeHTTP(w, r.WithContext(ctx))
}

// addressExists reports whether an address stands for a domain, and answers 404 when
// it does not.
func (s *Server) addressExists(w http.ResponseWriter, r *http.Request, c *caller) bool {
	if c.fixed == "" {
		return true
	}
	infos, err := s.backend(c).Domains(r.Context())
	if err != nil {
		s.noteFailure(err)
		refuse(w, http.StatusBadGateway, "The domains cannot be listed now: try again later.")
		return false
	}
	for _, i := range infos {
		if i.Name == c.fixed {
			return true
		}
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

// isInitialize reports whether a message begins a session. It reads the message as
// the transport does.
func isInitialize(body []byte) bool {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	return json.Unmarshal(body, &m) == nil && m.Method == "initialize" && len(m.ID) > 0 && string(m.ID) != "null"
}

// base is the address by which clients know this server.
func (s *Server) base(r *http.Request) string {
	if s.cfg.PublicURL != "" {
		return s.cfg.PublicURL
	}
	scheme := "http"
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// noteFailure logs what could not be delivered to a client.
func (s *Server) noteFailure(err error) {
	if errors.Is(err, errNoEvents) || errors.Is(err, context.Canceled) {
		return
	}
	s.cfg.Logger.Warn("not delivered", "cause", err.Error())
}
