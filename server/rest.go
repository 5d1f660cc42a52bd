package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/labstack/echo/v4"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server/api"
)

// Programs that were written for OntoBricks ask at these addresses. What they ask and are
// answered is package api's; ours is who may come in, the limits, and what HTTP is about.

// restBase is where the addresses are, restDocument where the document of them.
const (
	restBase     = "/api"
	restDocument = restBase + "/openapi.json"
)

// gzipFrom is the size, in bytes, from which answers are compressed.
const gzipFrom = 1 << 10

// restRoutes adds the addresses of the REST interface.
func (s *Server) restRoutes(e *echo.Echo) {
	smaller, err := gzhttp.NewWrapper(gzhttp.MinSize(gzipFrom), gzhttp.ContentTypes([]string{jsonType}))
	if err != nil {
		panic(err) // the options are these
	}
	add := func(path, method string, ask answering) {
		methods := []string{method}
		if method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		e.Any(path, echo.WrapHandler(smaller(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serveREST(w, r, methods, ask) }))))
	}
	for _, p := range api.Paths() {
		add(p.Path, p.Method, s.answerREST)
	}
	add(restDocument, http.MethodGet, func(_ context.Context, p *passage) (*outgoing, error) {
		if p.r.Method != http.MethodGet && p.r.Method != http.MethodHead {
			return unfitReply(api.NotAllowed(http.MethodGet)), nil
		}
		return p.jsonReply(api.Document(s.cfg.Version)), nil
	})
}

// serveREST serves a request at one of the addresses.
func (s *Server) serveREST(w http.ResponseWriter, r *http.Request, methods []string, ask answering) {
	p := &passage{server: s, what: "rest " + strings.TrimPrefix(r.URL.Path, restBase), w: w, r: r, caller: &caller{}, request: secret()[:12]}
	start, out := time.Now(), ending{}
	defer func() { p.log(start, out) }()
	who, ok := s.principalOf(r)
	if !ok {
		out = p.refuse(http.StatusUnauthorized, noIdentity)
		return
	}
	p.caller = &caller{principal: who, base: s.base(r), failed: s.noteFailure, request: s.requestNumber(r)}
	p.request = cmp.Or(p.caller.request, p.request)
	if r.Method == http.MethodPost && methods[0] == http.MethodPost {
		if out = p.read(); out.status != 0 {
			return
		}
	}
	_ = p.serve(ask, &out)
}

// jsonReply is an answer with a tag of what it says, which spares whoever has it already
// from reading it again. The tag is weak, because the answer may be compressed on its way.
func (p *passage) jsonReply(body []byte) *outgoing {
	out := ourReply(jsonType, body)
	if p.r.Method == http.MethodPost {
		return out
	}
	sum := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
	return out.tagged("W/"+tag, p.has(tag))
}

// answerREST answers a request that package api knows.
func (s *Server) answerREST(ctx context.Context, p *passage) (*outgoing, error) {
	method := p.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	site := api.Site{
		Backend: s.backend(p.caller), Domain: s.cfg.Domain, Version: s.cfg.Version, ReadOnly: s.cfg.ReadOnly,
		Open: func(ctx context.Context, name domains.Name) (*domains.Domain, error) {
			return s.open(ctx, p.caller, name)
		},
	}
	answer, about, err := api.Serve(ctx, site, api.Request{Method: method, Path: p.r.URL.Path, Query: p.r.URL.Query(), Body: p.body})
	if about != "" && err == nil {
		p.opened.Store(about)
	}
	var unfit *api.Unfit
	switch {
	case errors.As(err, &unfit):
		return unfitReply(unfit), nil
	case err != nil:
		return nil, err
	}
	return p.jsonReply([]byte(jsonText(answer))), nil
}

// unfitReply is the refusal of a request for its form.
func unfitReply(u *api.Unfit) *outgoing {
	out := ourReply(jsonType, []byte(jsonText(u.Body)))
	out.Status, out.outcome = u.Status, "invalid"
	out.header.Set("Cache-Control", "no-store")
	if u.Allow != "" {
		out.header.Set("Allow", strings.Join([]string{u.Allow, http.MethodOptions}, ", "))
	}
	return out
}

// isRESTPath reports whether a path is an address of the REST interface, or would be one;
// those of GraphQL below it are not.
func isRESTPath(path string) bool {
	return (path == restBase || strings.HasPrefix(path, restBase+"/")) && !isGraphQLPath(path)
}

// isForPrograms reports whether a path is an address of GraphQL or REST, whose errors are
// JSON.
func isForPrograms(path string) bool { return isGraphQLPath(path) || isRESTPath(path) }

// refuseUnfit refuses a request that no endpoint is there for.
func refuseUnfit(w http.ResponseWriter, u *api.Unfit) {
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(u.Status)
	_, _ = io.WriteString(w, jsonText(u.Body)) // a client that has gone needs none
}
