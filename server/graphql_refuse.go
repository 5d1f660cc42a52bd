package server

import (
	"cmp"
	"io"
	"log/slog"
	"net/http"
	"strings"
)

// requestHeader carries the number of a request, as OntoBricks does.
const requestHeader = "X-Request-Id"

// errorCodes are the words for statuses in errors (OntoBricks contract 1.0); those that
// it does not have are ours.
var errorCodes = map[int]string{
	http.StatusBadRequest: "validation", http.StatusUnauthorized: "unauthorized", http.StatusForbidden: "authorization",
	http.StatusNotFound: "not_found", http.StatusMethodNotAllowed: "method_not_allowed", http.StatusNotAcceptable: "validation",
	http.StatusRequestEntityTooLarge: "validation", http.StatusUnsupportedMediaType: "validation",
	http.StatusBadGateway: "infrastructure", http.StatusServiceUnavailable: "infrastructure", http.StatusGatewayTimeout: "infrastructure",
	http.StatusInternalServerError: "internal_error",
}

// isGraphQLPath reports whether a path is an address of GraphQL, or would be one.
func isGraphQLPath(path string) bool {
	for _, base := range graphQLBases {
		if path == base || strings.HasPrefix(path, base+"/") {
			return true
		}
	}
	return false
}

// noGraphQLAddress says which addresses there are.
const noGraphQLAddress = "There is no such address. POST /graphql/{domain} takes GraphQL requests, GET /graphql/{domain}/schema reads a schema, " +
	"GET /graphql lists the domains that have one, and GET /graphql/settings/depth tells how deep queries may go. The name of a domain is percent-encoded."

// refuse answers with an error of ours.
func (p *passage) refuse(status int, message string) ending {
	size := refuseGraphQL(p.w, p.r, status, message, p.request)
	return ending{status: status, size: size, outcome: "invalid", level: slog.LevelInfo}
}

// refuseAs answers with a sentence, in the form in which errors have to be at an address.
func (s *Server) refuseAs(w http.ResponseWriter, r *http.Request, status int, message string) {
	if !isForPrograms(r.URL.Path) {
		refuse(w, status, message)
		return
	}
	refuseGraphQL(w, r, status, message, cmp.Or(s.requestNumber(r), secret()[:12]))
}

// refuseGraphQL answers with an error of ours, in the form of OntoBricks, and for GraphQL
// requests also in that of GraphQL, which is what its clients show. Who takes answers of
// the type of GraphQL gets one that is nothing else: clients such as Apollo pass over a
// body with members that GraphQL does not have. It gives the size of the answer, in bytes.
func refuseGraphQL(w http.ResponseWriter, r *http.Request, status int, message, request string) int64 {
	type graphQLError struct {
		Message string `json:"message"`
	}
	type facts struct {
		Error   string `json:"error"`
		Message string `json:"message,omitempty"`
		Request string `json:"request_id"`
		// Service tells another Ontogate in front of this one who says so.
		Service string `json:"service,omitempty"`
	}
	type refusal struct {
		*facts
		Errors     []graphQLError `json:"errors,omitempty"`
		Extensions *facts         `json:"extensions,omitempty"`
	}
	said, kind := []graphQLError{{message}}, errorType(r)
	asksGraphQL := isGraphQLPath(r.URL.Path)
	if !asksGraphQL {
		kind = jsonType
	}
	body := refusal{facts: &facts{Error: errorCodes[status], Message: message, Request: request}}
	if !asksGraphQL {
		body.Service = "ontogate"
	}
	switch {
	case kind == responseType:
		body = refusal{Errors: said, Extensions: &facts{Error: errorCodes[status], Request: request}}
	case asksGraphQL && (r.Method == http.MethodPost || strings.Contains(r.URL.RawQuery, "query")):
		body.Errors = said
	}
	text := jsonText(body)
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set(requestHeader, request)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // a client that has gone needs none
	return int64(len(text))
}
