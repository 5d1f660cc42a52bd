package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/ontogate/ontogate/domains"
)

// GraphQL programs ask domains at these addresses. A request for a domain with a service
// of its own is passed on as it came, and so is the reply, whatever its status (OntoBricks
// contract 2.1); derived services are asked as GraphQL over HTTP has it
// (graphql_derived.go). For both, ours is who may come in, the limits, and the errors of a
// service that cannot be asked.

// graphQLBases are the addresses of GraphQL, which are equal.
var graphQLBases = []string{"/graphql", "/api/v1/graphql"}

// graphQLRoutes adds the addresses of GraphQL.
func (s *Server) graphQLRoutes(e *echo.Echo) {
	get := []string{http.MethodGet, http.MethodHead}
	for _, base := range graphQLBases {
		s.graphQLRoute(e, base, get, "graphql domains", s.listGraphQL)
		s.graphQLRoute(e, base+"/settings/depth", get, "graphql depth", s.graphQLDepth)
		s.graphQLRoute(e, base+"/:domain", slices.Concat(get, []string{http.MethodPost}), "graphql", s.answerGraphQL)
		s.graphQLRoute(e, base+"/:domain/schema", get, "graphql schema", s.answerSchema)
	}
}

// answering answers a request at an address of GraphQL. It may end after its client was
// answered, and so it does not write.
type answering func(context.Context, *passage) (*outgoing, error)

// passage is a request at an address of GraphQL while it is served.
type passage struct {
	server *Server
	caller *caller
	// what stands for a tool in the log.
	what, request string
	// domain is the name in the address; empty where there is none. opened is the
	// domains.Name of the domain that was found, which the log may hold.
	domain domains.Name
	opened atomic.Value
	// body is what was posted.
	body []byte
	w    http.ResponseWriter
	r    *http.Request
}

// graphQLRoute serves one address with some methods.
func (s *Server) graphQLRoute(e *echo.Echo, path string, methods []string, what string, ask answering) {
	e.Any(path, func(ec echo.Context) error {
		p := &passage{server: s, what: what, w: ec.Response(), r: ec.Request(), caller: &caller{}, request: secret()[:12]}
		name, unfit := pathName(p.r, ec.Param("domain"))
		if p.domain = name; unfit != nil {
			p.domain = ""
		}
		start, out := time.Now(), ending{}
		defer func() { p.log(start, out) }()
		who, ok := s.principalOf(p.r)
		switch {
		case !ok:
			out = p.refuse(http.StatusUnauthorized, noIdentity)
			return nil
		case unfit != nil:
			out = p.refuse(http.StatusBadRequest, "The address is not one: percent-encode the name of the domain.")
			return nil
		}
		p.caller = &caller{principal: who, base: s.base(p.r), failed: s.noteFailure, request: s.requestNumber(p.r)}
		p.request = cmp.Or(p.caller.request, p.request)
		if !slices.Contains(methods, p.r.Method) {
			out = p.fail(p.r.Context(), &notServed{http.StatusMethodNotAllowed, p.instead(methods), methods})
			return nil
		}
		if p.r.Method == http.MethodPost {
			if out = p.read(); out.status != 0 {
				return nil
			}
		}
		return p.serve(ask, &out)
	})
}

// instead says what an address is for.
func (p *passage) instead(methods []string) string {
	if slices.Contains(methods, http.MethodPost) {
		return "Send GraphQL requests with POST and Content-Type: application/json. GET " + p.r.URL.EscapedPath() + "/schema reads the schema."
	}
	return "This address is read with GET."
}

// notServed refuses a request for what HTTP says of it.
type notServed struct {
	status  int
	message string
	allowed []string // methods, for 405
}

// Error is what the client is told.
func (n *notServed) Error() string { return n.message }

// read reads what was posted, and refuses what is no JSON or too large. The status of
// its ending is 0 when it was read.
func (p *passage) read() ending {
	if kind, _, err := mime.ParseMediaType(p.r.Header.Get("Content-Type")); err != nil || kind != jsonType {
		return p.refuse(http.StatusUnsupportedMediaType, "A request is JSON: send it with Content-Type: application/json.")
	}
	if coding := p.r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		p.w.Header().Set("Accept-Encoding", "identity") // RFC 9110 §12.5.3
		return p.refuse(http.StatusUnsupportedMediaType, "The request is compressed: send it as it is, without Content-Encoding.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(p.w, p.r.Body, bodyLimit))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return p.refuse(http.StatusRequestEntityTooLarge, "The request is larger than 1 MiB.")
	case err != nil:
		return p.refuse(http.StatusBadRequest, "The request could not be read.")
	}
	p.body = body
	return ending{}
}

// answerGraphQL answers a request to the service of a domain.
func (s *Server) answerGraphQL(ctx context.Context, p *passage) (*outgoing, error) {
	d, err := p.open(ctx)
	post := p.r.Method == http.MethodPost
	switch {
	case err != nil:
		return nil, err
	case !post && wantsPage(p.r) && !p.r.URL.Query().Has("query"):
		return queryPage(), nil
	case isDerived(d):
		return p.askDerived(ctx, &derivedGraphQL{s, d})
	case !post:
		posts := []string{http.MethodPost}
		return nil, &notServed{http.StatusMethodNotAllowed, p.instead(posts), posts}
	}
	if s.cfg.ReadOnly {
		if err := onlyQueries(p.body); err != nil {
			return nil, err
		}
	}
	return passedOn(d.GraphQL.Query(ctx, p.body))
}

// open opens the domain in the address, if it has GraphQL that its settings leave open.
// What agents may see of a domain through MCP says nothing of that.
func (p *passage) open(ctx context.Context) (*domains.Domain, error) {
	d, err := p.server.open(ctx, p.caller, p.domain)
	if err != nil {
		return nil, err
	}
	p.opened.Store(d.Info.Name)
	return d, hasGraphQL(d)
}

// errNoService is the cause of the error for a domain without GraphQL.
var errNoService = errors.New("the domain has no GraphQL service")

// hasGraphQL refuses a domain that has no GraphQL, or whose settings close it.
func hasGraphQL(d *domains.Domain) error {
	name := d.Info.Name
	switch {
	case d.Info.Policy.Closes(domains.EndpointGraphQL):
		return &domains.Error{Kind: domains.ErrRefused, Domain: name,
			Message: fmt.Sprintf("The GraphQL endpoint of domain '%s' is closed by the domain's settings.", shown(string(name)))}
	case d.GraphQL == nil && !isDerived(d):
		return &domains.Error{Kind: domains.ErrRefused, Domain: name, Err: errNoService,
			Message: fmt.Sprintf("Domain '%s' has no GraphQL service. GET /graphql lists the domains that have one.", shown(string(name)))}
	}
	return nil
}

// onlyQueries refuses a request in read-only mode unless it is known to hold nothing
// but queries. Services differ in which of several equal members they read, and so all
// of them have to be queries.
func onlyQueries(body []byte) error {
	refusal := func(message string) error { return &domains.Error{Kind: domains.ErrRefused, Message: message} }
	const form = `This server is read-only and has to understand a request: send one JSON object with "query", as UTF-8.`
	queries, ok := queriesOf(body)
	if !ok {
		return refusal(form)
	}
	for _, q := range queries {
		writes, err := writesSomething(q)
		switch {
		case err != nil:
			return domains.Invalid(err.Error())
		case writes:
			return refusal("This server is read-only: send a query, not a mutation or subscription.")
		}
	}
	return nil
}

// queriesOf are all members "query" of a request; ok is false for what is no JSON
// object, and when one of them is no text, there is none, or another differs from them
// in case only, which some services do not see.
func queriesOf(body []byte) (queries []string, ok bool) {
	if !json.Valid(body) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil, false
		}
		if text, _ := name.(string); !strings.EqualFold(text, "query") {
			continue
		}
		q, isText := unquote(value)
		if !isText || name != "query" {
			return nil, false
		}
		queries = append(queries, q)
	}
	return queries, len(queries) > 0
}
