package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// actionHost is where the functions of the samples are answered.
const actionHost = "127.0.0.1:9101"

// TestHop holds what a user does who follows a bridge from one sample domain into
// another, with the example program behind the functions: the same messages come back
// over both transports.
//
// Each line of "in" is TOOL [JSON] or METHOD; "out" has what comes back in its order,
// texts unescaped.
func TestHop(t *testing.T) {
	file := filepath.Join("testdata", "hop.txtar")
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	messages := hopMessages(t, string(a.Files[0].Data))
	program := buildActions(t)
	for transport, talk := range map[string]func(*testing.T, *server.Server, []string) []string{"stdio": hopStdio, "http": hopHTTP} {
		t.Run(transport, func(t *testing.T) {
			s := newServer(t, func(c *server.Config) { c.Backend = samplesWithFunctions(t, runActions(t, program)) })
			var out strings.Builder
			for _, line := range talk(t, s, messages) {
				out.WriteString(showMessage(t, line))
			}
			golden(t, file, string(txtar.Format(&txtar.Archive{Comment: a.Comment, Files: []txtar.File{a.Files[0], {Name: "out", Data: []byte(out.String())}}})))
		})
	}
}

// hopMessages are the JSON-RPC messages of the lines, after those that begin a session.
func hopMessages(t *testing.T, in string) []string {
	t.Helper()
	out := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	}
	for i, line := range strings.Split(strings.TrimSpace(in), "\n") {
		name, args, isCall := strings.Cut(line, " ")
		if !isCall {
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i+1, name))
			continue
		}
		if !json.Valid([]byte(args)) {
			t.Fatalf("line %d: the arguments are no JSON: %s", i+1, args)
		}
		out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, i+1, name, args))
	}
	return out
}

// hopStdio sends each message when the one before is answered.
func hopStdio(t *testing.T, s *server.Server, messages []string) (out []string) {
	in, feed := io.Pipe()
	answers, write := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := s.ServeStdio(t.Context(), in, write)
		write.Close()
		done <- err
	}()
	lines := bufio.NewScanner(answers)
	lines.Buffer(nil, 1<<20)
	for _, m := range messages {
		fmt.Fprintln(feed, m)
		for answered := !strings.Contains(m, `"id"`); !answered && lines.Scan(); {
			out = append(out, lines.Text())
			answered = strings.Contains(lines.Text()[:min(len(lines.Text()), 30)], `"id"`)
		}
	}
	feed.Close()
	for lines.Scan() {
		out = append(out, lines.Text())
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	return out
}

// hopHTTP sends each message with a POST of one session.
func hopHTTP(t *testing.T, s *server.Server, messages []string) (out []string) {
	c := &client{t: t, url: serve(t, s) + "/mcp"}
	for _, m := range messages {
		r := c.post(m)
		if id := r.header.Get("Mcp-Session-Id"); id != "" {
			c.session = id
		}
		for line := range strings.Lines(r.body) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "data: ")
			if strings.HasPrefix(line, "{") {
				out = append(out, line)
			}
		}
	}
	return out
}

// showMessage writes a message to be read: a line that says what it is, and its text.
func showMessage(t *testing.T, line string) string {
	t.Helper()
	var m struct {
		ID     *int
		Method string
		Error  json.RawMessage
		Result struct {
			Content []struct{ Text string }
			IsError bool
			Tools   []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if m.ID == nil {
		return "=== " + m.Method + "\n"
	}
	head, text := fmt.Sprintf("=== answer %d", *m.ID), ""
	if m.Result.IsError {
		head = fmt.Sprintf("=== error %d", *m.ID)
	}
	var names []string
	for _, tool := range m.Result.Tools {
		names = append(names, tool.Name)
	}
	if len(names) > 0 {
		text = strings.Join(names, "\n") + "\n"
	}
	for _, content := range m.Result.Content {
		text += maskCursor(content.Text) + "\n"
	}
	return head + "\n" + string(m.Error) + text
}

// samplesWithFunctions serves the samples; the host of their functions is reached at
// addr.
func samplesWithFunctions(t *testing.T, addr string) domains.Backend {
	t.Helper()
	transport := sender(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != actionHost {
			t.Errorf("a function is called at %s", r.URL)
		}
		r = r.Clone(r.Context())
		r.URL.Host = addr
		return http.DefaultTransport.RoundTrip(r)
	})
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS(), ActionHosts: []string{actionHost}, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// sender is a function as a transport.
type sender func(*http.Request) (*http.Response, error)

func (f sender) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// buildActions builds the program that answers the functions of the samples.
func buildActions(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "actions.exe") // Windows wants the ending, others take it
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../examples/actions").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}

// runActions runs it until the test ends and returns its address.
func runActions(t *testing.T, program string) (addr string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, program, "-addr", "127.0.0.1:0")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // it is killed
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, addr, ok := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !ok {
		t.Fatalf("the program says %q, %v; %s", line, err, &errs)
	}
	return addr
}
