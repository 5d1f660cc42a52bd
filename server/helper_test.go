package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/server"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// newServer builds a server over the fake back end; change may alter its
// configuration first.
func newServer(t testing.TB, change func(*server.Config)) *server.Server {
	t.Helper()
	c := server.Config{Backend: newFake(), Version: "test"}
	if change != nil {
		change(&c)
	}
	s, err := server.New(t.Context(), c)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
	})
	return s
}

// serve serves a server over HTTP on loopback.
func serve(t testing.TB, s *server.Server) string {
	t.Helper()
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		if err := s.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		h.Close()
	})
	return h.URL
}

// client is an MCP client over HTTP that shows what is on the wire.
type client struct {
	t       testing.TB
	url     string // with the path
	session string // the session id; empty sends none
	ids     int
}

// reply is the answer to one POST.
type reply struct {
	status  int
	header  http.Header
	body    string
	events  []string        // methods of the notifications before the answer
	result  json.RawMessage // of the JSON-RPC answer
	code    int             // of the JSON-RPC error
	message string          // of the JSON-RPC error, or the text of a plain body
}

func connect(t testing.TB, url string) *client {
	t.Helper()
	c := &client{t: t, url: url}
	c.initialize()
	return c
}

func (c *client) initialize() reply {
	c.t.Helper()
	r := c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	if r.status != http.StatusOK {
		c.t.Fatalf("initialize: %d %s", r.status, r.body)
	}
	c.session = r.header.Get("Mcp-Session-Id")
	return r
}

// request sends a JSON-RPC request; params is JSON or empty.
func (c *client) request(method, params string) reply {
	c.t.Helper()
	c.ids++
	m := map[string]any{"jsonrpc": "2.0", "id": c.ids, "method": method}
	if params != "" {
		m["params"] = json.RawMessage(params)
	}
	body, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.post(string(body))
}

// call calls a tool and returns its text.
func (c *client) call(tool, args string) (text string, isError bool) {
	c.t.Helper()
	return c.request("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`).text(c.t)
}

// selects calls select_domain and returns the notifications that came with it.
func (c *client) selects(name string) []string {
	c.t.Helper()
	r := c.request("tools/call", `{"name":"select_domain","arguments":{"domain_name":"`+name+`"}}`)
	if text, isError := r.text(c.t); isError {
		c.t.Errorf("select_domain(%s): %s", name, text)
	}
	return r.events
}

// tools are the names in tools/list.
func (c *client) tools() []string {
	c.t.Helper()
	var list struct{ Tools []struct{ Name string } }
	c.decode(c.request("tools/list", ""), &list)
	names := []string{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

func (c *client) decode(r reply, into any) {
	c.t.Helper()
	if err := json.Unmarshal(r.result, into); err != nil {
		c.t.Fatalf("decoding %q (status %d): %v", r.body, r.status, err)
	}
}

func (c *client) post(body string) reply {
	c.t.Helper()
	return c.do(http.MethodPost, body, nil)
}

func (c *client) do(method, body string, header http.Header) reply {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	for k, v := range header {
		r.Header[k] = v
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return newReply(c.t, res, data)
}

func newReply(t testing.TB, res *http.Response, data []byte) reply {
	t.Helper()
	r := reply{status: res.StatusCode, header: res.Header, body: string(data), message: strings.TrimSpace(string(data))}
	messages := []string{string(data)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		messages = eventsOf(string(data))
	}
	for _, text := range messages {
		var m struct {
			Method string
			Result json.RawMessage
			Error  *struct {
				Code    int
				Message string
			}
		}
		if json.Unmarshal([]byte(text), &m) != nil {
			continue
		}
		if m.Method != "" {
			r.events = append(r.events, m.Method)
		}
		if m.Result != nil {
			r.result = m.Result
		}
		if m.Error != nil {
			r.code, r.message = m.Error.Code, m.Error.Message
		}
	}
	return r
}

// eventsOf are the data of an event stream.
func eventsOf(stream string) []string {
	var out []string
	for line := range strings.Lines(stream) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			out = append(out, strings.TrimSpace(data))
		}
	}
	return out
}

// text is the text of a tool's result.
func (r reply) text(t testing.TB) (text string, isError bool) {
	t.Helper()
	var result struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	if err := json.Unmarshal(r.result, &result); err != nil || len(result.Content) != 1 || result.Content[0].Type != "text" {
		t.Fatalf("no tool result with one text: %d %s", r.status, r.body)
	}
	return result.Content[0].Text, result.IsError
}

// stdio sends lines to a server and returns the lines that it answers, until in is
// at its end.
func stdio(t testing.TB, s *server.Server, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.ServeStdio(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), &out); err != nil {
		t.Fatalf("ServeStdio: %v", err)
	}
	var answers []string
	for sc := bufio.NewScanner(&out); sc.Scan(); {
		answers = append(answers, sc.Text())
	}
	return answers
}

// answerTo finds the answer to a request by its id.
func answerTo(t testing.TB, lines []string, id int) reply {
	t.Helper()
	for _, line := range lines {
		var m struct{ ID *int }
		if !strings.Contains(line, fmt.Sprintf(`"id":%d`, id)) {
			continue // parsing all of them is slow
		}
		if json.Unmarshal([]byte(line), &m) == nil && m.ID != nil && *m.ID == id {
			return newReply(t, &http.Response{Header: http.Header{}}, []byte(line))
		}
	}
	t.Fatalf("no answer to request %d in\n%s", id, strings.Join(lines, "\n"))
	return reply{}
}

// golden compares a text with a file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func equal(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func contains(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s does not hold %q:\n%s", what, p, text)
		}
	}
}

// The tools that each domain of the fake back end offers.
var (
	allTools = []string{
		"list_domains", "select_domain", "list_domain_versions", "get_design_status",
		"describe_ontology", "list_entity_types", "describe_entity", "get_graphql_schema", "query_graphql",
		"get_entity_context", "compute_virtual_attributes", "invoke_entity_action", "run_entity_business_rule", "get_status",
	}
	contextTools = []string{"get_entity_context", "compute_virtual_attributes"}
	writingTools = []string{"invoke_entity_action", "run_entity_business_rule"}
	toolsOf      = map[string][]string{
		"crm": allTools,
		"hr": without(allTools, "list_entity_types", "describe_entity", "get_graphql_schema", "query_graphql", "get_entity_context", "compute_virtual_attributes",
			"invoke_entity_action", "run_entity_business_rule", "get_status"),
		"shop":         without(allTools, "get_status", "describe_ontology"),
		"supply_chain": without(allTools, "list_entity_types"),
	}
)

func without(names []string, drop ...string) []string {
	var out []string
	for _, n := range names {
		if !slices.Contains(drop, n) {
			out = append(out, n)
		}
	}
	return out
}

// initializeRaw sends initialize and accepts any answer.
func (c *client) initializeRaw() reply {
	c.t.Helper()
	return c.post(initialize)
}

// record sends a body to a handler without a session.
func record(t testing.TB, h http.Handler, body []byte, version string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if version != "" {
		r.Header["Mcp-Protocol-Version"] = []string{version}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
