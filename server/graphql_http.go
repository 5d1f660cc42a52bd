package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
	"github.com/ontogate/ontogate/graphql"
	"github.com/ontogate/ontogate/server/page"
)

// Derived services are asked as the specification of GraphQL over HTTP has it: with POST
// and JSON, or GET and parameters. A client that takes answers of the type
// application/graphql-response+json sees in the status whether its request was refused;
// for the others, older than that type, an answer of GraphQL is 200 whatever it says.

const (
	responseType = "application/graphql-response+json"
	inUTF8       = "; charset=utf-8"
	sdlType      = "application/graphql"
	plainType    = "text/plain"
)

// ourReply is a reply of ours that is the same for everybody who may see it, until it changes.
func ourReply(contentType string, body []byte) *outgoing {
	return &outgoing{Reply: replyOf(http.StatusOK, contentType, body), header: http.Header{
		"Content-Length": {strconv.Itoa(len(body))}, "Cache-Control": {"private, no-cache"}, "Vary": {"Accept"},
	}}
}

// tagged is the reply under a tag, or without body where the client has it already.
func (o *outgoing) tagged(tag string, has bool) *outgoing {
	o.header["Etag"] = []string{tag}
	if has {
		o.Reply = replyOf(http.StatusNotModified, "", nil)
		delete(o.header, "Content-Length")
	}
	return o
}

// queryPage is the page for people.
func queryPage() *outgoing {
	body, policy := page.HTML()
	out := ourReply("text/html"+inUTF8, body)
	out.header.Set("Content-Security-Policy", policy)
	return out
}

// tag is a strong ETag over what an answer follows from: the domain at its revision, and
// the parts of the request.
func (p *passage) tag(d *domains.Domain, parts ...string) string {
	introspection := "open"
	if d.Info.Policy.Closes(domains.EndpointIntrospection) {
		introspection = "closed"
	}
	all := slices.Concat([]string{p.server.cfg.Version, string(d.Info.Name), d.Revision, introspection}, parts)
	sum := sha256.Sum256([]byte(jsonText(all)))
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// has reports whether the client has what a tag stands for (RFC 9110 §13.1.2).
func (p *passage) has(tag string) bool {
	for _, known := range strings.Split(strings.Join(p.r.Header.Values("If-None-Match"), ","), ",") {
		if known = strings.TrimSpace(known); known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}

// answerSchema answers a request for the schema of a domain: in the form of OntoBricks, or
// as SDL for those who prefer that.
func (s *Server) answerSchema(ctx context.Context, p *passage) (*outgoing, error) {
	d, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	kind, ok := accepted(p.r.Header.Values("Accept"), jsonType, jsonType, sdlType, plainType)
	if !ok {
		kind = jsonType // a service of its own does not ask either
	}
	if !isDerived(d) {
		if kind == jsonType {
			return passedOn(d.GraphQL.SchemaReply(ctx))
		}
		return onlySDL(kind)(d.GraphQL.SchemaReply(ctx))
	}
	_, model, err := s.derived(ctx, d)
	if err != nil {
		return nil, err
	}
	out := ourReply(kind+inUTF8, []byte(model.SDL))
	if kind == jsonType {
		out = ourReply(jsonType, []byte(jsonText(wire.NewGraphQLSchema(&domains.GraphQLSchema{SDL: model.SDL}))))
	}
	tag := p.tag(d, "schema", kind)
	return out.tagged(tag, p.has(tag)), nil
}

// onlySDL takes the SDL out of a service's answer. An answer without one is passed on.
func onlySDL(kind string) func(*domains.Reply, error) (*outgoing, error) {
	return func(reply *domains.Reply, err error) (*outgoing, error) {
		if err != nil || reply.Status != http.StatusOK {
			return passedOn(reply, err)
		}
		body, err := readReply(reply)
		if err != nil {
			return nil, err
		}
		var said wire.GraphQLSchema
		if json.Unmarshal(body, &said) != nil || said.SDL == nil || *said.SDL == "" {
			return passedOn(&domains.Reply{Status: reply.Status, ContentType: reply.ContentType, RetryAfter: reply.RetryAfter, Body: replyOf(0, "", body).Body}, nil)
		}
		return &outgoing{Reply: replyOf(http.StatusOK, kind+inUTF8, []byte(*said.SDL)), header: http.Header{"Vary": {"Accept"}}}, nil
	}
}

// askDerived answers a request to a derived service.
func (p *passage) askDerived(ctx context.Context, g *derivedGraphQL) (*outgoing, error) {
	kind, ok := accepted(p.r.Header.Values("Accept"), jsonType, responseType, jsonType)
	if !ok {
		return nil, &notServed{status: http.StatusNotAcceptable, message: "Answers are of the type " + responseType + " or " + jsonType + ": accept one of them."}
	}
	if p.r.Method == http.MethodPost {
		if err := p.isUTF8(); err != nil {
			return nil, err
		}
		r, err := readGraphQL(p.body)
		if err != nil {
			return nil, err
		}
		out, _, err := p.runDerived(ctx, g, r, kind)
		return out, err
	}
	r, err := requestIn(p.r.URL)
	if err != nil {
		return nil, err
	}
	if err := onlyReads(r); err != nil {
		return nil, err
	}
	tag := p.tag(g.domain, "query", kind, r.Query, string(r.Variables), r.Operation, strconv.Itoa(r.depth))
	if p.has(tag) && !slices.Contains(p.r.Header.Values("If-None-Match"), "*") {
		return ourReply("", nil).tagged(tag, true), nil
	}
	out, whole, err := p.runDerived(ctx, g, r, kind)
	if err != nil || !whole {
		return out, err
	}
	out.header.Set("Cache-Control", "private, no-cache")
	return out.tagged(tag, p.has(tag)), nil
}

// runDerived runs a request and makes its answer; whole is false where that has errors,
// such as those of a deadline, which come once and not again.
func (p *passage) runDerived(ctx context.Context, g *derivedGraphQL, r graphQLRequest, kind string) (out *outgoing, whole bool, err error) {
	answer, err := g.run(ctx, r)
	if err != nil {
		return nil, false, err
	}
	out = ourReply(kind+inUTF8, answer.JSON())
	out.header.Set("Cache-Control", "no-store")
	out.outcome = "ok"
	switch {
	case !answer.Executed:
		out.outcome = "invalid"
		if kind == responseType {
			out.Status = http.StatusBadRequest
		}
	case len(answer.Errors) > 0:
		out.outcome = "partial"
	}
	return out, answer.Executed && len(answer.Errors) == 0, nil
}

// isUTF8 refuses what was posted in another encoding.
func (p *passage) isUTF8() error {
	_, params, err := mime.ParseMediaType(p.r.Header.Get("Content-Type"))
	if charset, ok := params["charset"]; err == nil && ok && !strings.EqualFold(charset, "utf-8") {
		return &notServed{status: http.StatusUnsupportedMediaType, message: "A GraphQL request is JSON as UTF-8: send it with Content-Type: application/json."}
	}
	return nil
}

// requestIn reads a request from the parameters of an address.
func requestIn(address *url.URL) (r graphQLRequest, err error) {
	values, err := url.ParseQuery(address.RawQuery)
	switch {
	case err != nil:
		return r, domains.Invalid("The parameters of the address can't be read: percent-encode them.")
	case !values.Has("query") && !values.Has("extensions"):
		return r, domains.Invalid("This address answers queries, and none was sent: POST {\"query\": \"…\"} with Content-Type: " + jsonType +
			", or GET with the parameter query. GET " + address.EscapedPath() + "/schema reads the schema.")
	}
	members := map[string]json.RawMessage{}
	for _, name := range []string{"query", "variables", "operationName", "extensions", "depth"} {
		given := values[name]
		if len(given) > 1 {
			return r, domains.Invalid("The address has the parameter " + name + " more than once: give it once.")
		}
		if len(given) == 0 || given[0] == "" && name != "query" {
			continue
		}
		members[name] = json.RawMessage(jsonText(given[0]))
		if name == "variables" || name == "extensions" || name == "depth" {
			if members[name] = json.RawMessage(given[0]); !json.Valid(members[name]) {
				return r, domains.Invalid("The parameter " + name + " is not JSON.")
			}
		}
	}
	return readGraphQL([]byte(jsonText(members)))
}

// onlyReads refuses a request with GET that would run something else than a query: an
// address is not to be followed for its effect. Documents with faults are refused later,
// with reasons.
func onlyReads(r graphQLRequest) error {
	operations, err := graphql.Operations(r.Query)
	if err != nil {
		return nil // the service tells what is wrong
	}
	for _, o := range operations {
		if o.Kind != graphql.Query && (o.Name == r.Operation || r.Operation == "") {
			posts := []string{http.MethodPost}
			return &notServed{http.StatusMethodNotAllowed, "With GET only queries are run, not a " + string(o.Kind) + ".", posts}
		}
	}
	return nil
}

// errorType is the type of an error of ours: one that the client takes, else JSON.
func errorType(r *http.Request) string {
	if kind, ok := accepted(r.Header.Values("Accept"), jsonType, responseType, jsonType); ok {
		return kind
	}
	return jsonType
}
