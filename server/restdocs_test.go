package server_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/server"
	"github.com/ontogate/ontogate/server/api"
)

// TestRestDocs sends the requests that docs/rest.md shows, compares the answers, and holds
// that its table has the addresses that there are.
func TestRestDocs(t *testing.T) {
	samples := newServer(t, func(c *server.Config) { c.Backend = backendOf(t, &txtar.Archive{}) })
	text := doctest.Page(t, "docs/rest.md")
	requests := doctest.Blocks(text, "rest")
	if len(requests) < 3 {
		t.Fatalf("%d requests", len(requests))
	}
	for name, line := range requests {
		target := strings.Trim(strings.TrimPrefix(strings.TrimSpace(line), "curl "), "'")
		w := httptest.NewRecorder()
		samples.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", target, nil))
		answer, ok := doctest.Blocks(text, name)["answer"]
		if !ok {
			if w.Code != 200 {
				t.Errorf("%s: status %d", target, w.Code)
			}
			continue
		}
		got := decoded(t, w.Body.String())
		delete(got, "served")
		if diff := cmp.Diff(decoded(t, answer), got); diff != "" {
			t.Errorf("%s (-docs +server):\n%s", target, diff)
		}
	}
	var told []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z]+ /api/[^`]*)` \\|").FindAllStringSubmatch(text, -1) {
		told = append(told, m[1])
	}
	var there []string
	for _, p := range api.Paths() {
		there = append(there, p.Method+" "+p.Path)
	}
	equal(t, "addresses", there, told)
}
