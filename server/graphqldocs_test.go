package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// curl is a request as docs/graphql.md shows it: the path, then what -d sends.
var curl = regexp.MustCompile(`^curl http://127\.0\.0\.1:9100(\S+)(?: -H 'Content-Type: application/json' -d '([^']*)')?$`)

// The requests in docs/graphql.md get the answers that it shows, but for the number of
// a request.
func TestGraphQLDocs(t *testing.T) {
	p := newProxy(t, nil)
	p.Change("bare", func(d *bricktest.Domain) { d.Classes = nil }) // OntoBricks does not list it then
	page := doctest.Page(t, "docs/graphql.md")
	requests, answers := doctest.Blocks(page, "request"), doctest.Blocks(page, "answer")
	if len(requests) == 0 || len(requests) != len(answers) {
		t.Errorf("docs/graphql.md shows %d requests and %d answers", len(requests), len(answers))
	}
	for name, line := range requests {
		t.Run(name, func(t *testing.T) {
			m := curl.FindStringSubmatch(strings.TrimSpace(strings.ReplaceAll(line, " \\\n ", "")))
			if m == nil {
				t.Fatalf("no request that this test can read:\n%s", line)
			}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:9100"+m[1], nil)
			if m[2] != "" {
				r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:9100"+m[1], strings.NewReader(m[2]))
				r.Header.Set("Content-Type", "application/json")
			}
			w := httptest.NewRecorder()
			p.server.Handler().ServeHTTP(w, r)
			if diff := cmp.Diff(decoded(t, answers[name]), decoded(t, w.Body.String())); diff != "" {
				t.Errorf("answered with %d (-docs +server):\n%s", w.Code, diff)
			}
		})
	}
}

// decoded is JSON without what differs each time.
func decoded(t *testing.T, text string) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if _, ok := v["request_id"]; ok {
		v["request_id"] = "…"
	}
	return v
}

// The page for browsers names the addresses of GraphQL.
func TestFrontPageNamesGraphQL(t *testing.T) {
	w := send(t, newServer(t, nil).Handler(), http.MethodGet, "/", "", http.Header{"Accept": {"text/html"}})
	equal(t, "status", http.StatusOK, w.Code)
	contains(t, "the page", w.Body.String(), "http://localhost/graphql/DOMAIN", `<a href="http://localhost/graphql">`)
}
