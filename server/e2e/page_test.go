//go:build e2e

package e2e_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/server/page"
)

// browser is the path of the Chromium of this machine. Without one the test is skipped;
// with CI set it fails.
func browser(t *testing.T) string {
	t.Helper()
	needNode(t)
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("there is no Chromium: .ci/tools installs it")
	}
	t.Skip("needs Chromium")
	return ""
}

// complaints are what a browser let through to nobody, and what it complained of.
type complaints struct {
	Outside, Console []string
}

func (c complaints) none(t *testing.T) {
	t.Helper()
	if len(c.Outside) > 0 || len(c.Console) > 0 {
		t.Errorf("the page asked others for %q; the browser complains: %q", c.Outside, c.Console)
	}
}

// pageSeen is what node/page.mjs saw.
type pageSeen struct {
	Title, Heading, Example, ExampleState     string
	Suggested                                 []string
	Announced, Completed, Answer, Table       string
	Problems, Errors, Jumped                  string
	Fixed, Prettified                         string
	Explorer, Found, Type, Implements, Crumbs string
	Inserted, Draft, Recalled                 string
	History, Linked                           []string
	Cleared, Overflow                         int
	Axe                                       map[string][]string // state of the page → rules of axe-core that it breaks
	complaints
}

// People write a query with the keyboard, look things up, come back and follow links.
func TestPage(t *testing.T) {
	task := map[string]any{"chromium": browser(t), "origin": strings.TrimSuffix(serve(t), "/mcp"), "domain": "customer360"}
	var seen pageSeen
	runNode(t, "page.mjs", task, &seen, nil)
	seen.none(t)
	t.Run("query", func(t *testing.T) { checkQuery(t, seen) })
	t.Run("marks", func(t *testing.T) { checkMarks(t, seen) })
	t.Run("explorer", func(t *testing.T) { checkExplorer(t, seen) })
	t.Run("return", func(t *testing.T) { checkReturn(t, seen) })
	t.Run("accessible", func(t *testing.T) {
		for _, state := range []string{"suggestions", "table", "problems", "type", "history", "light, 1280", "dark, 1280", "light, 360", "dark, 360"} {
			if broken, looked := seen.Axe[state]; !looked || len(broken) > 0 {
				t.Errorf("%s: looked at %v; breaks\n%s", state, looked, strings.Join(broken, "\n"))
			}
		}
		if seen.Overflow != 0 {
			t.Errorf("the page is %d pixels wider than the window", seen.Overflow)
		}
	})
}

func checkQuery(t *testing.T, seen pageSeen) {
	holds(t, "the title", seen.Title, "customer360 · GraphQL · Ontogate")
	holds(t, "the heading", seen.Heading, "customer360")
	holds(t, "the example", seen.Example, "(limit: 3) {", "id")
	holds(t, "its result", seen.ExampleState, "200", " ms", "bytes")
	if len(seen.Suggested) == 0 || seen.Suggested[0] != "firstName" {
		t.Errorf("suggestions for fir: %q", seen.Suggested)
	}
	holds(t, "what a screen reader says", seen.Announced, "suggestion", "firstName")
	holds(t, "the completed query", seen.Completed, "{ allCustomer(limit: 2) { firstName}}")
	holds(t, "the answer", seen.Answer, `"allCustomer": [`, `"firstName": "`)
	holds(t, "the table", seen.Table, "allCustomer: 2 rows", "firstName")
}

func checkMarks(t *testing.T, seen pageSeen) {
	holds(t, "the mark", seen.Problems, "1:17", "Customer has no field fristname. Did you mean firstName?")
	holds(t, "the error", seen.Errors, "1 error", "fristname", "line 1, column 17")
	holds(t, "the place of the error", seen.Jumped, "true fristname")
	holds(t, "the query that was put right", seen.Fixed, "{ allCustomer { firstName } }")
	if want := "{\n  allCustomer {\n    firstName\n  }\n}\n"; seen.Prettified != want {
		t.Errorf("laid out:\n%s", cmp.Diff(want, seen.Prettified))
	}
}

func checkExplorer(t *testing.T, seen pageSeen) {
	holds(t, "the explorer", seen.Explorer, "Queries", "allCustomer", "Types", "Interaction", "Inputs")
	holds(t, "what was found", seen.Found, "Customer.hasInteraction")
	holds(t, "the type", seen.Type, "Customer", "type")
	holds(t, "what it implements", seen.Implements, "Implements Entity")
	holds(t, "the way there", seen.Crumbs, "Schema", "Customer")
	holds(t, "the query", seen.Inserted, "{\n  allCustomer {\n    firstName\n    email\n  }\n}\n")
}

func checkReturn(t *testing.T, seen pageSeen) {
	holds(t, "the draft", seen.Draft, "    email\n")
	if len(seen.History) != 3 || seen.History[0] != "allCustomer { fristname }" {
		t.Errorf("the history after a reload: %q, want the three queries, newest first", seen.History)
	}
	if seen.Recalled != seen.Example {
		t.Errorf("the oldest entry brings back:\n%s", seen.Recalled)
	}
	if seen.Cleared != 0 {
		t.Error("the history is still there after it was cleared")
	}
	if len(seen.Linked) != 4 {
		t.Fatalf("the link brings %q", seen.Linked)
	}
	holds(t, "the query of the link", seen.Linked[0], "query One($n: Int)")
	holds(t, "its variables", seen.Linked[1], `{"n": 1}`)
	holds(t, "its operation", seen.Linked[2], "Two")
	holds(t, "its answer", seen.Linked[3], `"countCustomer": `)
}

// holds expects a text to have some parts.
func holds(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s has no %q:\n%s", what, part, text)
		}
	}
}

// probe would leave a trace in the page if it were taken for anything but text.
const probe = `</script><img src=x onerror="globalThis.probed=1"><svg onload=probed=1>"'{{7*7}}`

// Text of any kind stays text, faults are said in words, and large answers are shown in
// part.
func TestPageHostile(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serveHostile))
	t.Cleanup(server.Close)
	domains := []string{probe, "closed", "missing", "unready", "signed-out", "elsewhere", "large", "gone", "no-json"}
	var seen struct {
		complaints
		Domains map[string]struct {
			State, Faults, Answer, Schema, History, Body, Probed string
			Nodes                                                int
		}
	}
	runNode(t, "hostile.mjs", map[string]any{"chromium": browser(t), "origin": server.URL, "domains": domains, "probe": probe}, &seen, nil)
	if len(seen.Outside) > 0 {
		t.Errorf("the page asked others for %q", seen.Outside)
	}
	for _, complaint := range seen.Console {
		if !strings.HasPrefix(complaint, "Failed to load resource: net::ERR_") { // of the server that hangs up
			t.Errorf("the browser complains: %s", complaint)
		}
	}
	for name, d := range seen.Domains {
		if d.Probed != "undefined 0" {
			t.Errorf("%s: text became more than text: %s", name, d.Probed)
		}
		holds(t, name+": the history", d.History, probe)
		if d.Nodes > 5000 {
			t.Errorf("%s: the answer is shown with %d elements", name, d.Nodes)
		}
	}
	hostile := seen.Domains[probe]
	holds(t, "the heading", hostile.Body, probe)
	holds(t, "the errors", hostile.Faults, "1 error", probe, "line 1, column 3")
	holds(t, "the answer", hostile.Answer, strings.ReplaceAll(probe, `"`, `\"`), probe+"\t", "12345678901234567890")
	if n := strings.Count(hostile.Schema, probe); n < 6 {
		t.Errorf("the schema shows the probe %d times:\n%s", n, hostile.Schema)
	}
	for name, parts := range map[string][]string{
		"closed":     {"This GraphQL endpoint is closed.", "closed by the settings"},
		"missing":    {"There is no such domain here."},
		"unready":    {"The schema is not ready.", "no classes"},
		"signed-out": {"You are not signed in."},
		"elsewhere":  {"You are not signed in."},
	} {
		holds(t, name, seen.Domains[name].State, parts...)
	}
	holds(t, "closed", seen.Domains["closed"].Faults, "This GraphQL endpoint is closed.", "closed by the settings")
	holds(t, "signed out", seen.Domains["elsewhere"].Faults, "You are not signed in.", "Load this page again")
	holds(t, "gone", seen.Domains["gone"].Faults, "The server cannot be reached.")
	holds(t, "no JSON", seen.Domains["no-json"].Faults, "This is no answer of GraphQL.")
	holds(t, "large", seen.Domains["large"].Answer, "Show 100 more of 59,900 items")
}

// hostileSchema has the probe wherever a schema has free text.
func hostileSchema() string {
	quoted, _ := json.Marshal(probe) // a text, which cannot fail
	return strings.ReplaceAll(`# PROBE
"""PROBE"""
schema { query: Query }
"""PROBE"""
type Query {
  "PLACE"
  thing("PLACE" of: String = "PLACE"): [Thing] @deprecated(reason: "PLACE")
}
"PLACE"
type Thing { "PLACE" thing: String @deprecated(reason: "PLACE") }
scalar Odd @specifiedBy(url: "javascript:probed=1")
`, `"PLACE"`, string(quoted)) // the block strings keep PROBE
}

// serveHostile serves the page for domains that are named after what is wrong with them.
func serveHostile(w http.ResponseWriter, r *http.Request) {
	domain, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/graphql/"), "/schema")
	if strings.HasPrefix(domain, "<") { // the probe has a slash of its own
		domain = "hostile"
	}
	isSchema := strings.HasSuffix(r.URL.Path, "/schema")
	answer := func(status int, body any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // a browser that has gone needs none
	}
	said := func(message string) any { return map[string]any{"message": message, "error": "e"} }
	switch {
	case r.Method == http.MethodGet && !isSchema && rest == "":
		body, csp := page.HTML()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", csp)
		_, _ = w.Write(body)
	case domain == "closed":
		answer(http.StatusForbidden, said("The GraphQL endpoint of domain 'closed' is closed by the settings of the domain."))
	case domain == "missing":
		answer(http.StatusNotFound, said("There is no domain 'missing'."))
	case domain == "signed-out":
		answer(http.StatusUnauthorized, said("Sign in."))
	case domain == "elsewhere":
		http.Redirect(w, r, "https://login.example/", http.StatusFound)
	case domain == "unready" && isSchema:
		answer(http.StatusOK, map[string]any{"sdl": nil, "ready": false, "reason": "no_classes"})
	case isSchema:
		answer(http.StatusOK, map[string]any{"ready": true, "sdl": strings.ReplaceAll(hostileSchema(), "PROBE", probe)})
	case domain == "gone":
		panic(http.ErrAbortHandler)
	case domain == "no-json":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, probe)
	case domain == "large":
		rows := make([]map[string]any, 60_000)
		for i := range rows {
			rows[i] = map[string]any{"id": i, "label": strings.Repeat("long ", 30)}
		}
		answer(http.StatusOK, map[string]any{"data": map[string]any{"thing": rows}})
	default:
		answer(http.StatusOK, map[string]any{
			"data": map[string]any{"thing": []any{map[string]any{probe: probe + "\t", "n": json.Number("12345678901234567890")}}, probe: nil},
			"errors": []any{map[string]any{"message": probe, "path": []any{probe, 1},
				"locations": []any{map[string]any{"line": 1, "column": 3}, map[string]any{"line": probe}, probe}}},
		})
	}
}

// The page is there for the domains of a deployment too, under both addresses of GraphQL.
func TestPageUpstream(t *testing.T) {
	chromium := browser(t)
	origin := strings.TrimSuffix(serve(t, "--upstream", deploy(t).URL), "/mcp")
	var seen struct {
		Schema, Example, State, Answer string
		complaints
	}
	runNode(t, "upstream.mjs", map[string]any{
		"chromium": chromium, "origin": origin, "domain": "customer360", "query": `{ customer(id: "CUST00094") { label } }`,
	}, &seen, nil)
	seen.none(t)
	holds(t, "the schema", seen.Schema, "customers", "Contract")
	holds(t, "the example", seen.Example, "(limit: 3) {", "id")
	holds(t, "the state", seen.State, "200", " ms")
	holds(t, "the answer", seen.Answer, `"label": "Jacob Martinez"`)
}

// The scripts of the page do what they should without a browser too, for the schemas of
// all sample domains; graphql-js is the referee.
func TestPageScripts(t *testing.T) {
	needNode(t)
	base, dir := strings.TrimSuffix(serve(t), "/mcp"), t.TempDir()
	for _, domain := range []string{"customer360", "finance", "supply_chain", "hr_analytics"} {
		res, err := http.Get(base + "/graphql/" + domain + "/schema")
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ SDL string }
		err = json.NewDecoder(res.Body).Decode(&schema)
		res.Body.Close()
		if err != nil || schema.SDL == "" {
			t.Fatalf("the schema of %s: %d, %v", domain, res.StatusCode, err)
		}
		if err := os.WriteFile(filepath.Join(dir, domain+".graphql"), []byte(schema.SDL), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "node", "--test", "--test-reporter=spec", "page.test.mjs")
	cmd.Dir, cmd.Env = "node", append(os.Environ(), "PAGE_SCHEMAS="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
