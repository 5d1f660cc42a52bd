package server_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/server"
)

// curl is a request as docs/graphql.md shows it: -G or not, the path, and what is sent,
// JSON or a parameter.
var curl = regexp.MustCompile(`^curl (-G )?http://127\.0\.0\.1:9100(\S+)(?: -H 'Content-Type: application/json' -d '([^']*)')?(?: --data-urlencode 'query=([^']*)')?$`)

// The requests in docs/graphql.md get the answers that it shows, but for the number of
// a request: those to domains of a folder over the samples, the others over OntoBricks.
func TestGraphQLDocs(t *testing.T) {
	up := newProxy(t, nil)
	up.Change("bare", func(d *bricktest.Domain) { d.Classes = nil }) // OntoBricks does not list it then
	samples := newServer(t, func(c *server.Config) { c.Backend = backendOf(t, &txtar.Archive{}) })
	text := doctest.Page(t, "docs/graphql.md")
	for _, of := range []struct {
		request, answer string
		least           int
		server          *server.Server
	}{{"request", "answer", 6, samples}, {"upstream", "reply", 2, up.server}} {
		requests, answers := doctest.Blocks(text, of.request), doctest.Blocks(text, of.answer)
		if len(requests) < of.least || len(requests) != len(answers) {
			t.Errorf("docs/graphql.md shows %d blocks %s and %d blocks %s", len(requests), of.request, len(answers), of.answer)
		}
		for name, line := range requests {
			t.Run(of.request+" "+name, func(t *testing.T) {
				w := httptest.NewRecorder()
				of.server.Handler().ServeHTTP(w, requestOf(t, line))
				if diff := cmp.Diff(decoded(t, answers[name]), decoded(t, w.Body.String())); diff != "" {
					t.Errorf("answered with %d (-docs +server):\n%s", w.Code, diff)
				}
			})
		}
	}
}

// requestOf is the request that a command sends.
func requestOf(t *testing.T, command string) *http.Request {
	t.Helper()
	m := curl.FindStringSubmatch(strings.TrimSpace(strings.ReplaceAll(command, " \\\n ", "")))
	if m == nil || (m[1] == "") != (m[4] == "") {
		t.Fatalf("no request that this test can read:\n%s", command)
	}
	target := "http://127.0.0.1:9100" + m[2]
	if m[4] != "" {
		target += "?query=" + url.QueryEscape(m[4])
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	if m[3] != "" {
		r = httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(m[3]))
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Accept", "*/*") // as curl does
	return r
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
