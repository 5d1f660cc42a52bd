package server_test

import (
	"strings"
	"testing"

	"github.com/ontogate/ontogate/server"
)

// What is wanted of an answer's types, "usual" where nothing is said.
func TestAccepted(t *testing.T) {
	const (
		response = "application/graphql-response+json"
		plain    = "application/json"
		none     = ""
	)
	for accept, want := range map[string]string{
		"":                           plain,
		"*/*":                        plain,
		"*":                          plain,
		"text/html, *; q=.2":         plain,
		"application/*":              plain,
		"application/json":           plain,
		"application/json, */*":      plain,
		response:                     response,
		response + "; charset=utf-8": response,
		response + "; charset=UTF-8, application/json; charset=utf-8":     response,
		response + "; charset=latin1, application/json; charset=utf-8":    plain,
		"application/json, " + response:                                   response,
		response + ", */*":                                                response,
		response + ";q=0.5, application/json":                             plain,
		response + ";q=0.5, application/json;q=0.4":                       response,
		response + ";q=0, */*":                                            plain,
		"application/json;q=0, */*":                                       response,
		"application/json;q=0, " + response + ";q=0":                      none,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": plain,
		"text/html":                    none,
		"application/xml, text/*":      none,
		"application/json;q=7":         plain,
		"application/json;q=NaN":       plain,
		"APPLICATION/JSON":             plain,
		";;;":                          plain,
		"a/b/c, ,":                     plain,
		response + "|application/json": response, // two headers
	} {
		got, ok := server.Accepted(strings.Split(accept, "|"), plain, response, plain)
		if got != want || ok != (want != none) {
			t.Errorf("%q: %q, %v; want %q", accept, got, ok, want)
		}
	}
}
