package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/server"
)

// What follows replays what was recorded of OntoBricks' own MCP server against this
// one: a real server over a real back end, whose upstream answers as recorded. The
// calls of the upstream have to be the recorded ones, and the text has to be the
// recorded text after the deliberate differences (replay_rules_test.go).

// scenario is one recorded MCP session.
type scenario struct {
	Scenario string
	Registry struct{ Catalog, Schema, Volume string }
	Steps    []step
}

// step is one tool call of a session.
type step struct {
	Tool     string
	Args     map[string]any
	HTTP     []*exchange
	Expected struct {
		Text    string
		IsError bool
	}
}

// exchanges are those of all steps.
func (s scenario) exchanges() []*exchange {
	var out []*exchange
	for _, st := range s.Steps {
		out = append(out, st.HTTP...)
	}
	return out
}

// readCases reads a file of recorded cases, one a line.
func readCases[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(domaintest.Shared(t, "reference", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s, line %d: %v", name, len(out)+1, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("%s holds no cases", name)
	}
	return out
}

// replaying is a client of a server over an upstream that answers as recorded.
func replaying(t *testing.T, u *upstream) *client {
	t.Helper()
	b, err := ontobricks.New(ontobricks.Config{
		URL:      u.url,
		Registry: ontobricks.Registry{Catalog: u.catalog, Schema: u.schema},
		Sleep:    func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	return connect(t, serve(t, s)+"/mcp")
}

// asRecorded are the arguments of a recorded call with those that this server needs
// to tell as much as OntoBricks does.
func asRecorded(tool string, args map[string]any) string {
	all := maps.Clone(args)
	if tool == "describe_entity" {
		if all == nil {
			all = map[string]any{}
		}
		all["detail"], all["limit"] = "standard", 50
	}
	data, err := json.Marshal(all)
	if err != nil {
		return "{}"
	}
	return string(data)
}

// TestReplayTools replays every recorded session.
func TestReplayTools(t *testing.T) {
	used := map[string]bool{}
	for _, s := range readCases[scenario](t, "ontobricks-tool-cases.jsonl") {
		t.Run(s.Scenario, func(t *testing.T) {
			in := situation{all: s.exchanges()}
			u := newUpstream(t, s.Registry.Catalog, s.Registry.Schema, in.all)
			u.begin(nil)
			c := replaying(t, u)
			for _, st := range s.Steps {
				in = in.at(st)
				u.begin(st.HTTP)
				text, isError := c.call(st.Tool, asRecorded(st.Tool, st.Args))
				got := said{text, isError}
				checkCalls(t, u, in, used)
				compare(t, in, said{st.Expected.Text, st.Expected.IsError}, got)
				in = in.after(got)
			}
			maps.Copy(used, u.reads)
		})
	}
	for _, x := range extraReads {
		if !used[x.name] {
			t.Errorf("%s: nothing is read by this rule", x.name)
		}
	}
	for _, s := range skips {
		if !used[s.name] {
			t.Errorf("%s: no recorded call is skipped by this rule", s.name)
		}
	}
}

// checkCalls checks that what was recorded of a step happened, and nothing else that no
// rule allows.
func checkCalls(t *testing.T, u *upstream, in situation, used map[string]bool) {
	t.Helper()
	missing, extra := u.end()
	for _, call := range extra {
		t.Errorf("%s: this call was not recorded, and no rule allows it: %s", in.tool, call)
	}
	for _, e := range missing {
		i := slices.IndexFunc(skips, func(s skip) bool { return s.applies(u, in, e) })
		if i < 0 {
			t.Errorf("%s: this recorded call did not happen: %s", in.tool, e)
			continue
		}
		used[skips[i].name] = true
	}
}

// skip is a recorded call that this server does not need.
type skip struct {
	name, why string
	applies   func(u *upstream, in situation, e *exchange) bool
}

// skips are the recorded calls that may not happen.
var skips = []skip{
	{
		name: "what is known is not asked again", why: "Caches with a time to live, invalidated by version",
		applies: func(u *upstream, _ situation, e *exchange) bool {
			kept := slices.ContainsFunc([]string{"/domains", "/classes", "/ontology", "/schema"}, func(end string) bool { return strings.HasSuffix(e.Path, end) })
			return e.Method == "GET" && kept && u.before(e)
		},
	},
	{
		name: "an unknown domain is refused from the list", why: "checks the name and says so",
		applies: func(_ *upstream, in situation, e *exchange) bool {
			return in.tool == "select_domain" && strings.HasSuffix(e.Path, "/status") && e.Status == 404
		},
	},
	{
		name: "a domain whose policy cannot be read is refused", why: "Policies are refreshed and never fail open once known",
		applies: func(_ *upstream, in situation, e *exchange) bool {
			listed := in.answer("/api/v1/domains")
			return e.Path != "/api/v1/domains" && listed != nil && listed.Status >= 400
		},
	},
}
