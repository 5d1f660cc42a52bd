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
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/ontogate/ontogate/domains"
)

// GraphQL programs speak to a domain's own service through these addresses: a request
// is passed on as it came, and so is the reply, whatever its status (OntoBricks contract
// 2.1). What is ours is who may come in, the limits, and the errors of a service that
// cannot be asked.

// graphQLBases are the addresses of GraphQL, which are equal.
var graphQLBases = []string{"/graphql", "/api/v1/graphql"}

// graphQLRoutes adds the addresses of GraphQL.
func (s *Server) graphQLRoutes(e *echo.Echo) {
	for _, base := range graphQLBases {
		s.graphQLRoute(e, base, http.MethodGet, "graphql domains", s.listGraphQL)
		s.graphQLRoute(e, base+"/settings/depth", http.MethodGet, "graphql depth", s.graphQLDepth)
		s.graphQLRoute(e, base+"/:domain", http.MethodPost, "graphql", s.sendGraphQL)
		s.graphQLRoute(e, base+"/:domain/schema", http.MethodGet, "graphql schema", s.sendSchema)
	}
}

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

// graphQLRoute serves one address with one method. ask gets what is passed on.
func (s *Server) graphQLRoute(e *echo.Echo, path, method, what string, ask func(context.Context, *passage) (*domains.Reply, error)) {
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
		if p.r.Method != method {
			p.w.Header().Set("Allow", method+", OPTIONS")
			out = p.refuse(http.StatusMethodNotAllowed, p.instead(method))
			return nil
		}
		if method == http.MethodPost {
			if out = p.read(); out.status != 0 {
				return nil
			}
		}
		return p.serve(ask, &out)
	})
}

// instead says what an address is for.
func (p *passage) instead(method string) string {
	if method == http.MethodPost {
		return "Send GraphQL requests with POST and Content-Type: application/json. GET " + p.r.URL.EscapedPath() + "/schema reads the schema."
	}
	return "This address is read with GET."
}

// read reads what was posted, and refuses what is no JSON or too large. The status of
// its ending is 0 when it was read.
func (p *passage) read() ending {
	if kind, _, err := mime.ParseMediaType(p.r.Header.Get("Content-Type")); err != nil || kind != jsonType {
		return p.refuse(http.StatusUnsupportedMediaType, "A GraphQL request is JSON: send it with Content-Type: application/json.")
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

// sendGraphQL passes a request on to the service of a domain.
func (s *Server) sendGraphQL(ctx context.Context, p *passage) (*domains.Reply, error) {
	g, err := p.service(ctx)
	if err != nil {
		return nil, err
	}
	if s.cfg.ReadOnly {
		if err := onlyQueries(p.body); err != nil {
			return nil, err
		}
	}
	return g.Query(ctx, p.body)
}

// sendSchema passes on a request for the schema of a domain.
func (s *Server) sendSchema(ctx context.Context, p *passage) (*domains.Reply, error) {
	g, err := p.service(ctx)
	if err != nil {
		return nil, err
	}
	return g.SchemaReply(ctx)
}

// errNoService is the cause of the error for a domain without GraphQL.
var errNoService = errors.New("the domain has no GraphQL service")

// service is the GraphQL service of the domain in the address. What agents may see of a
// domain through MCP says nothing of it; the domain's settings can close it.
func (p *passage) service(ctx context.Context) (domains.GraphQL, error) {
	d, err := p.server.open(ctx, p.caller, p.domain)
	if err != nil {
		return nil, err
	}
	p.opened.Store(d.Info.Name)
	return serviceOf(d)
}

// serviceOf is the GraphQL service of a domain, if its settings leave it open.
func serviceOf(d *domains.Domain) (domains.GraphQL, error) {
	name := d.Info.Name
	switch {
	case d.Info.Policy.Closes(domains.EndpointGraphQL):
		return nil, &domains.Error{Kind: domains.ErrRefused, Domain: name,
			Message: fmt.Sprintf("The GraphQL endpoint of domain '%s' is closed by the domain's settings.", shown(string(name)))}
	case d.GraphQL == nil:
		return nil, &domains.Error{Kind: domains.ErrRefused, Domain: name, Err: errNoService,
			Message: fmt.Sprintf("Domain '%s' has no GraphQL service. GET /graphql lists the domains that have one.", shown(string(name)))}
	}
	return d.GraphQL, nil
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

// listGraphQL passes on the list of domains of a back end that has such a list, and
// makes one for others.
func (s *Server) listGraphQL(ctx context.Context, p *passage) (*domains.Reply, error) {
	b := s.backend(p.caller)
	if reply, err := forward(ctx, b, "graphql"); !errors.Is(err, errNoService) {
		return reply, err
	}
	infos, err := b.Domains(ctx)
	if err != nil && len(infos) == 0 {
		return nil, err
	}
	type entry struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	list := struct {
		Success bool    `json:"success"`
		Domains []entry `json:"domains"`
		Message *string `json:"message"`
	}{Success: true, Domains: []entry{}}
	for _, i := range infos {
		if i.Unavailable != "" {
			continue
		}
		d, err := b.Open(ctx, i.Name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			continue
		}
		if _, err := serviceOf(d); err == nil {
			list.Domains = append(list.Domains, entry{string(i.Name), i.Description})
		}
	}
	body := io.NopCloser(bytes.NewReader([]byte(jsonText(list))))
	return &domains.Reply{Status: http.StatusOK, ContentType: jsonType, Body: body}, nil
}

// graphQLDepth passes on how deep queries may go.
func (s *Server) graphQLDepth(ctx context.Context, p *passage) (*domains.Reply, error) {
	return forward(ctx, s.backend(p.caller), "graphql/settings/depth")
}

// forward passes on a request for an address without a domain. The cause of its error is
// errNoService where the back end has none: joined ones say so when they are asked.
func forward(ctx context.Context, b domains.Backend, path string) (*domains.Reply, error) {
	if f, ok := b.(domains.Forwarder); ok {
		if reply, err := f.Forward(ctx, path); !errors.Is(err, domains.ErrUnavailable) {
			return reply, err
		}
	}
	return nil, &domains.Error{Kind: domains.ErrRefused, Err: errNoService, Message: "The services behind this server have no setting of depth."}
}
