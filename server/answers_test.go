package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// Results are one text and nothing else: a structured copy that is null, or that no
// output schema announces, breaks clients, and so does a list that is null.
func TestResultsAreTextOnly(t *testing.T) {
	backend := newFake()
	backend.find = func(context.Context) (*matches, error) { return &matches{}, nil }
	empty := newFake()
	empty.infos = nil
	for name, c := range map[string]*client{
		"no matches": connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" }))+"/mcp"),
		"no domains": connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = empty }))+"/mcp"),
	} {
		for _, tool := range allTools {
			args := `{}`
			switch tool {
			case "describe_entity":
				args = `{"search":"nothing"}`
			case "select_domain":
				args = `{"domain_name":"crm"}`
			}
			r := c.request("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)
			text, _ := r.text(t)
			if strings.Contains(r.body, "structuredContent") || strings.Contains(r.body, "null") || text == "" {
				t.Errorf("%s, %s: %s", name, tool, r.body)
			}
		}
	}
}

// Every answer names the domain and version that it read, the empty ones too; with no
// domain chosen the tool says so and lists the domains.
func TestAnswersNameTheirDomain(t *testing.T) {
	full, bare := newFake(), newFake()
	bare.bare = true
	for name, backend := range map[string]*fakeBackend{"full": full, "bare": bare} {
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		for _, tool := range without(allTools, "list_domains") {
			text, isError, err := s.Call(t.Context(), tool, argumentsOf(tool))
			if err != nil || isError || !strings.HasSuffix(strings.TrimSpace(text), "[crm, version 1]") {
				t.Errorf("%s, %s: %v\n%s", name, tool, err, text)
			}
			if name == "bare" && text == "" {
				t.Errorf("%s says nothing of nothing", tool)
			}
			text, isError, err = s.Call(t.Context(), tool, nil)
			if err != nil || !isError {
				t.Errorf("%s without a domain: %v\n%s", tool, err, text)
			}
			contains(t, tool+" without a domain", text, "select_domain", "Domains: broken (unavailable), crm, hr, shop, supply_chain.")
		}
		for _, args := range []map[string]any{{"search": "nothing at all"}, {"entity_uri": "https://example.org/none"}, {"entity_type": "SmallThing"}} {
			if backend.bare && args["entity_type"] != nil {
				continue // there are no types
			}
			args["domain_name"] = "crm"
			text, isError, err := s.Call(t.Context(), "describe_entity", args)
			if err != nil || isError || !strings.HasSuffix(strings.TrimSpace(text), "[crm, version 1]") {
				t.Errorf("%s, %v: %v\n%s", name, args, err, text)
			}
			contains(t, "the empty answer", text, "No matching entities found for")
		}
	}
}

// Case and spaces of a domain's name are forgiven; other names get suggestions.
func TestNearDomainNames(t *testing.T) {
	s := newServer(t, nil)
	for _, name := range []string{"supply_chain", "Supply Chain", "SUPPLY-CHAIN", " supplychain "} {
		text, isError, err := s.Call(t.Context(), "get_status", map[string]any{"domain_name": name})
		if err != nil || isError {
			t.Errorf("%q: %v %s", name, err, text)
		}
		contains(t, name, text, "[supply_chain, version 1]")
	}
	for name, want := range map[string]string{
		"suply_chain": "Unknown domain 'suply_chain'. Did you mean 'supply_chain'? Domains: broken (unavailable), crm",
		"chain":       "Did you mean 'supply_chain'?",
		"weather":     "Unknown domain 'weather'. Domains: broken (unavailable), crm, hr, shop, supply_chain.",
	} {
		for _, tool := range []string{"select_domain", "get_status", "list_domain_versions", "get_design_status"} {
			text, isError, err := s.Call(t.Context(), tool, map[string]any{"domain_name": name})
			if err != nil || !isError {
				t.Errorf("%s(%q): %v", tool, name, err)
			}
			contains(t, tool, text, want)
		}
	}
	text, isError, err := s.Call(t.Context(), "select_domain", map[string]any{"domain_name": "broken"})
	if err != nil || !isError {
		t.Errorf("an unavailable domain: %v", err)
	}
	contains(t, "the refusal", text, "broken.ttl:1:1: expected a subject")
}

// The name of a file that is in the reason why a domain is unavailable cannot begin a
// line of the refusal, or hide in it.
func TestReasonsStayOnTheirLine(t *testing.T) {
	backend := newFake()
	backend.infos[0].Unavailable = "evil\x1b[31m\r\nfake: domain ok\u2028fake.ttl:1:1: expected a subject."
	s := newServer(t, func(c *server.Config) { c.Backend = backend })
	for _, tool := range []string{"select_domain", "describe_ontology"} {
		text, isError, err := s.Call(t.Context(), tool, map[string]any{"domain_name": "broken"})
		if err != nil || !isError {
			t.Errorf("%s: %v", tool, err)
		}
		equal(t, tool, `Domain 'broken' is not available: evil\u001b[31m fake: domain ok\u2028fake.ttl:1:1: expected a subject. Ask the person who runs this server to mend it, or use another domain.`, text)
	}
}

// A tool that a policy hides, or that needs a graph where there is none, is refused
// with domain and reason. Registry tools are never hidden.
func TestRefusals(t *testing.T) {
	s := newServer(t, nil)
	for _, tc := range []struct{ tool, domain, want string }{
		{"get_status", "shop", "The tool 'get_status' is not available for domain 'shop' — its MCP policy does not expose it."},
		{"describe_ontology", "shop", "The tool 'describe_ontology' is not available for domain 'shop' — its MCP policy does not expose it."},
		{"list_entity_types", "supply_chain", "The tool 'list_entity_types' is not available for domain 'supply_chain' — its MCP policy does not expose it."},
		{"describe_entity", "hr", "The tool 'describe_entity' is not available for domain 'hr' — it is published with an ontology only (no graph). Use describe_ontology to read its structure."},
	} {
		text, isError, err := s.Call(t.Context(), tc.tool, map[string]any{"domain_name": tc.domain})
		if err != nil || !isError {
			t.Errorf("%s: %v", tc.tool, err)
		}
		equal(t, tc.tool, tc.want, text)
	}
	c := connect(t, serve(t, s)+"/mcp")
	c.selects("shop")
	text, isError := c.call("get_status", `{}`)
	if !isError {
		t.Error("a hidden tool can be called")
	}
	contains(t, "the refusal", text, "not available for domain 'shop'")
	text, _ = c.call("select_domain", `{"domain_name":"shop"}`)
	contains(t, "the selection", text, "Not available for this domain: describe_ontology, get_status")
}

// A fault of the back end stays in the log, under the number that the client sees.
func TestFaultsStayInTheLog(t *testing.T) {
	backend := newFake()
	backend.find = func(context.Context) (*matches, error) { return nil, errors.New("disk /data/7 is gone") }
	var log bytes.Buffer
	s := newServer(t, func(c *server.Config) {
		c.Backend, c.Logger = backend, slog.New(slog.NewTextHandler(&log, nil))
	})
	text, isError, err := s.Call(t.Context(), "describe_entity", map[string]any{"search": "password", "domain_name": "crm"})
	if err == nil || isError || text != "" {
		t.Fatalf("%q, %v, %v", text, isError, err)
	}
	var request string
	if _, err := fmt.Sscanf(err.Error(), "internal error (request %12s)", &request); err != nil {
		t.Fatalf("%v: %v", err, err)
	}
	line := log.String()[strings.Index(log.String(), "msg=call"):]
	contains(t, "the log", line, "tool=describe_entity", "domain=crm", "duration=", "size=0", "outcome=internal", "request="+request, "disk /data/7 is gone")
	if strings.Contains(log.String(), "password") {
		t.Errorf("the log holds arguments: %s", log.String())
	}
}

// One line a call, with how much of what; the start tells how many tools and domains
// there are.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(c *server.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch a.Key {
			case "time", "duration", "request":
				return slog.Attr{}
			}
			return a
		}}))
	})
	want := fmt.Sprintf("level=INFO msg=ready tools=%d domains=5\n", len(allTools))
	for _, tc := range []struct {
		args            map[string]any
		domain, outcome string
	}{
		{map[string]any{"domain_name": "crm"}, "crm", "ok"},
		{map[string]any{"domain_name": "shop"}, "shop", "refused"},
		{map[string]any{"domain_name": "no"}, `""`, "unknown"},
		{map[string]any{"no": 1}, `""`, "invalid"},
		{map[string]any{"domain_name": "broken"}, "broken", "unavailable"},
	} {
		text, _, err := s.Call(t.Context(), "get_status", tc.args)
		if err != nil {
			t.Error(err)
		}
		want += fmt.Sprintf("level=INFO msg=call tool=get_status domain=%s size=%d outcome=%s\n", tc.domain, utf8.RuneCountInString(text), tc.outcome)
	}
	equal(t, "the log", want, log.String())
}

// A server without domains says so: in its log, in the instructions and in answers.
func TestNoDomains(t *testing.T) {
	var log bytes.Buffer
	c := &client{t: t, url: serve(t, newServer(t, func(c *server.Config) {
		c.Backend, c.Logger = &fakeBackend{}, slog.New(slog.NewTextHandler(&log, nil))
	})) + "/mcp"}
	contains(t, "the log", log.String(), fmt.Sprintf("tools=%d", len(allTools)), "domains=0", "there are no domains")
	var hello struct{ Instructions string }
	c.decode(c.initialize(), &hello)
	contains(t, "the instructions", hello.Instructions, "There are no domains yet")
	equal(t, "tools", allTools, c.tools())
	text, isError := c.call("get_status", `{}`)
	if !isError {
		t.Error("no error without a domain")
	}
	contains(t, "the error", text, "There are no domains")
}

// A client runs 16 calls at once, all clients together 256; further calls wait, within
// their deadline.
func TestCallsWaitForTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		var running, most atomic.Int64
		backend.find = func(ctx context.Context) (*matches, error) {
			if n := running.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer running.Add(-1)
			time.Sleep(time.Second) // of the bubble's clock
			return &matches{}, ctx.Err()
		}
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		lines := []string{}
		for i := range 100 {
			lines = append(lines, callLine(i, "describe_entity", `{"search":"x","domain_name":"crm"}`))
		}
		answers := stdio(t, s, lines...)
		equal(t, "answers", 100, len(answers))
		equal(t, "calls of one client at once", int64(server.MaxCallsPerSession), most.Load())

		most.Store(0)
		results := make(chan string)
		const calls = 30 * server.MaxCallsPerProcess
		for range calls {
			go func() {
				text, _, _ := s.Call(t.Context(), "describe_entity", map[string]any{"search": "x", "domain_name": "crm"})
				results <- text
			}()
		}
		late := 0
		for range calls {
			if strings.Contains(<-results, "busy") {
				late++
			}
		}
		equal(t, "calls at once", int64(server.MaxCallsPerProcess), most.Load())
		if late == 0 || late > 6*server.MaxCallsPerProcess {
			t.Errorf("%d of %d calls did not get their turn", late, calls)
		}
	})
}

// No answer is longer than its tool's budget, nor than the limit of the whole server.
func TestBudgets(t *testing.T) {
	backend := newFake()
	for i := range 500 {
		backend.infos = append(backend.infos, domains.Info{Name: domains.Name(fmt.Sprintf("z%03d", i)), Description: strings.Repeat("word ", 40), HasGraph: true})
	}
	for limit, most := range map[int]int{0: 4_000, 1_000: 1_000} {
		s := newServer(t, func(c *server.Config) { c.Backend, c.MaxAnswer = backend, limit })
		text, isError, err := s.Call(t.Context(), "list_domains", nil)
		if err != nil || isError || len([]rune(text)) > most || !strings.Contains(text, "cursor") {
			t.Errorf("limit %d: %d characters, %v", limit, len([]rune(text)), err)
		}
	}
}

// A degraded domain says so in each answer.
func TestDegradedDomain(t *testing.T) {
	backend := newFake()
	backend.problems = []domains.Problem{{File: "data/a.ttl", Line: 3, Column: 7, Message: "expected an object"}}
	s := newServer(t, func(c *server.Config) { c.Backend = backend })
	for _, tool := range []string{"select_domain", "get_status", "list_domain_versions"} {
		text, _, err := s.Call(t.Context(), tool, map[string]any{"domain_name": "crm"})
		if err != nil {
			t.Error(err)
		}
		contains(t, tool, text, "[crm, version 1, degraded: ", "data/a.ttl:3:7")
	}
}

// Shutdown waits for calls that run and refuses those that come later; it can be
// called again.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		release := make(chan struct{})
		backend.find = func(context.Context) (*matches, error) { <-release; return &matches{}, nil }
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		answer := make(chan bool, 1)
		go func() {
			_, isError, err := s.Call(t.Context(), "describe_entity", map[string]any{"search": "x", "domain_name": "crm"})
			answer <- err == nil && !isError
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a call in flight: %v", err)
		}
		text, isError, err := s.Call(t.Context(), "get_status", map[string]any{"domain_name": "crm"})
		if err != nil || !isError {
			t.Errorf("a later call: %v", err)
		}
		contains(t, "a later call", text, "stopping")
		close(release)
		if err := s.Shutdown(t.Context()); err != nil || !<-answer {
			t.Errorf("the call in flight was not answered, or %v", err)
		}
	})
}

// A selected domain may go away while a session lasts: calls say so and name those
// that there are, and the list shows all tools again.
func TestSelectedDomainGoesAway(t *testing.T) {
	backend := newFake()
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "hr" })
	backend.infos = backend.infos[:2]
	text, isError, err := s.Call(t.Context(), "describe_ontology", nil)
	if err != nil || !isError {
		t.Errorf("%q, %v", text, err)
	}
	equal(t, "the answer", "Unknown domain 'hr'. Domains: broken (unavailable), crm.", text)
	answers := stdio(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	equal(t, "tools", len(allTools), strings.Count(answers[0], `"inputSchema"`))
}
