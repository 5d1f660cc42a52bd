//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// maxLine is the longest line that this client takes.
const maxLine = 1 << 20

// lineClient speaks JSON-RPC over the standard streams of a program.
type lineClient struct {
	t     *testing.T
	in    io.WriteCloser
	lines *bufio.Scanner
	next  int
}

func startLineClient(t *testing.T, args ...string) *lineClient {
	t.Helper()
	s := onStdio(args...)
	cmd := exec.Command(s.Command, s.Args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &lineClient{t: t, in: in, lines: bufio.NewScanner(out), next: 1}
	c.lines.Buffer(make([]byte, 0, maxLine), maxLine)
	// The program ends with its input.
	t.Cleanup(func() {
		in.Close()
		for c.lines.Scan() {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("stdio ends with %v:\n%s", err, &errs)
		}
	})
	c.send(initialize)
	c.answer(1)
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *lineClient) send(message string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, message+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// answer reads up to the answer to a request.
func (c *lineClient) answer(id int) message {
	c.t.Helper()
	for c.lines.Scan() {
		line := c.lines.Bytes()
		var m message
		if err := json.Unmarshal(line, &m); err != nil || !utf8.Valid(line) {
			c.t.Fatalf("a line is no JSON in UTF-8: %v\n%.500q", err, line)
		}
		if string(m.ID) == fmt.Sprint(id) {
			return m
		}
	}
	c.t.Fatalf("no answer to request %d: %v", id, c.lines.Err())
	return message{}
}

// request sends one request and waits for its answer.
func (c *lineClient) request(method string, params any) message {
	c.t.Helper()
	c.next++
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(string(data))
	return c.answer(c.next)
}

// A client that does not wait: what it sends after select_domain already sees the
// new selection.
func TestStdioOrder(t *testing.T) {
	c := startLineClient(t)
	names := []string{"customer360", "finance", "supply_chain", "hr_analytics"}
	for i := range 100 {
		id, domain := 1000+3*i, names[i%len(names)]
		c.send(strings.Join([]string{
			toolCall(t, id, "select_domain", map[string]any{"domain_name": domain}),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id+1),
			toolCall(t, id+2, "describe_ontology", nil),
		}, "\n"))
		got := map[int]message{}
		for len(got) < 3 {
			if !c.lines.Scan() {
				t.Fatalf("the program ended: %v", c.lines.Err())
			}
			var m message
			if err := json.Unmarshal(c.lines.Bytes(), &m); err != nil {
				t.Fatal(err)
			}
			var n int
			if json.Unmarshal(m.ID, &n) == nil && n >= id {
				got[n] = m
			}
		}
		if tools := toolNames(reply{Message: got[id+1]}); !slices.Equal(tools, sorted(lists[domain])) {
			t.Fatalf("round %d: after select_domain %s the tools are %v", i, domain, tools)
		}
		if text := got[id+2].text(); !strings.Contains(text, "["+domain+", version ") {
			t.Fatalf("round %d: after select_domain %s an answer says:\n%s", i, domain, text)
		}
	}
}

// The largest answers about a large schema go through a client that takes lines of
// at most 1 MB, and a schema stays under 80 kB of text.
func TestLongLines(t *testing.T) {
	dir := domaintest.Shared(t, "data", "ontologies", "schemaorg")
	c := startLineClient(t, "--domains", dir, "--domain", filepath.Base(dir))
	c.request("tools/list", map[string]any{})
	for _, call := range []struct {
		tool string
		args map[string]any
	}{
		{"describe_ontology", map[string]any{}},
		{"describe_ontology", map[string]any{"format": "turtle"}},
		{"list_entity_types", map[string]any{}},
		{"describe_entity", map[string]any{"search": "Person", "detail": "full", "limit": 50, "depth": 10}},
		{"list_domains", map[string]any{}},
		{"get_status", map[string]any{}},
	} {
		m := c.request("tools/call", map[string]any{"name": call.tool, "arguments": call.args})
		if m.Error != nil || len(m.Result.Content) != 1 || m.Result.Content[0].Type != "text" {
			t.Errorf("%s %v: %d blocks, error %+v; want one block of text", call.tool, call.args, len(m.Result.Content), m.Error)
		}
		if n := len(m.text()); n == 0 || n >= 80_000 {
			t.Errorf("%s %v: %d bytes, want some and less than 80,000", call.tool, call.args, n)
		}
	}
	for _, uri := range []string{"ontobricks://domains", "ontobricks://status", "ontobricks://stats"} {
		if m := c.request("resources/read", map[string]any{"uri": uri}); m.Error != nil && m.Error.Code == -32603 {
			t.Errorf("%s: %+v", uri, m.Error)
		}
	}
}
