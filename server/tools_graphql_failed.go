package server

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// failed is the error for an answer over HTTP that is none of GraphQL.
func (c *call) failed(reply *domains.Reply, body []byte) error {
	message := serviceMessage(body)
	if reply.Clean != nil {
		message = reply.Clean(message)
	}
	message = address.ReplaceAllString(format.Line(message, 500), "(an address)")
	if message == "" && reply.Status/100 != 2 {
		message = http.StatusText(reply.Status)
	}
	message = cmp.Or(message, noGraphQL(reply.ContentType, body))
	e := &domains.Error{Kind: domains.ErrUpstream, Op: "querying GraphQL", Domain: c.domain.Info.Name}
	e.Message = fmt.Sprintf("GraphQL query failed (%d): %s %s", reply.Status, asSentence(message), c.afterFailure(reply))
	return e
}

// address finds addresses in what a service says of a failure: inside they may be those
// of its own network.
var address = regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s'"<>)\]]+`)

// serviceMessage is what a service says of a failure: its message, else its error or
// detail where that is text, else the arguments that it does not take (OntoBricks
// contract 1.0); empty when it says nothing.
func serviceMessage(body []byte) string {
	var said struct{ Message, Error, Detail json.RawMessage }
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	for _, raw := range []json.RawMessage{said.Message, said.Error, said.Detail} {
		if text, ok := unquote(raw); ok && text != "" {
			return text
		}
	}
	var details []struct {
		Loc []any
		Msg string
	}
	if json.Unmarshal(said.Detail, &details) != nil {
		return ""
	}
	var out []string
	for _, d := range details {
		where := ""
		if len(d.Loc) > 0 {
			where = fmt.Sprint(d.Loc[len(d.Loc)-1]) + ": "
		}
		if d.Msg != "" {
			out = append(out, where+d.Msg)
		}
	}
	return strings.Join(out, "; ")
}

// noGraphQL says what came with a good status instead of an answer.
func noGraphQL(contentType string, body []byte) string {
	switch {
	case strings.HasPrefix(contentType, "text/html"):
		return "a web page came instead of an answer"
	case !json.Valid(body):
		return "the answer is no JSON, or ends in the middle"
	}
	return "the answer is not one of GraphQL"
}

// afterFailure is the next step after a failure.
func (c *call) afterFailure(reply *domains.Reply) string {
	const tell = "if it stays so, tell the person who runs this server."
	switch reply.Status {
	case http.StatusUnauthorized:
		return "Tell the person who runs this server that the service refused its access token."
	case http.StatusForbidden:
		return "Ask whoever owns the domain for access, or use another domain."
	case http.StatusNotFound:
		return "list_domains shows the domains there are."
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		when := "in a moment"
		if n, err := strconv.Atoi(reply.RetryAfter); err == nil && n > 1 {
			when = fmt.Sprintf("in %d seconds", n)
		}
		return "Try again " + when + "; " + tell
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		if c.offers("get_graphql_schema") {
			return "get_graphql_schema shows whether there is a schema, and what can be asked."
		}
	}
	return "I" + tell[1:]
}
