//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
)

// serve starts the program on a free port and returns the URL of /mcp. When the
// test ends, the program must end without fault.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"serve", "--addr", "127.0.0.1:0", "--log-level", "warn"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	first, err := out.ReadString('\n')
	url := regexp.MustCompile(`http://\S+/mcp`).FindString(first)
	if err != nil || url == "" {
		cmd.Process.Kill()
		cmd.Wait()
		t.Fatalf("serve prints %q: %v\n%s", first, err, &errs)
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		io.Copy(io.Discard, out)
	}()
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		<-drained
		if err := cmd.Wait(); err != nil {
			t.Errorf("serve ends with %v:\n%s", err, &errs)
		}
	})
	return url
}

// onStdio is how a client starts the program on standard input and output.
func onStdio(args ...string) target {
	return target{Command: program, Args: append([]string{"stdio"}, args...)}
}

// target is a server as node/client.mjs takes it: URL, or command and arguments.
type target struct {
	URL     string   `json:"url,omitempty"`
	Listen  bool     `json:"listen"`
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
}

// reply is what a raw HTTP request brought.
type reply struct {
	Status  int
	Session string // the session id in the response's header
	Type    string
	Message message
}

// message is a JSON-RPC message as far as these tests look at it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Result struct {
		IsError bool `json:"isError"`
		Content []struct {
			Type, Text string
		} `json:"content"`
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
		Contents []struct {
			Text string `json:"text"`
		} `json:"contents"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// text joins the text blocks of a tool's answer.
func (m message) text() string {
	var parts []string
	for _, c := range m.Result.Content {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, "\n")
}

// send makes one HTTP request as an MCP client does; session may be empty. Of a
// stream, the last event that is a response is the message.
func send(t *testing.T, method, url, session, body string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	// A GET that is answered with a stream would not end.
	client := http.Client{Timeout: 30 * time.Second}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := reply{Status: res.StatusCode, Session: res.Header.Get("Mcp-Session-Id"), Type: res.Header.Get("Content-Type")}
	for _, part := range strings.Split(string(data), "\n") {
		var m message
		if json.Unmarshal([]byte(strings.TrimPrefix(part, "data: ")), &m) == nil && m.ID != nil {
			r.Message = m
		}
	}
	return r
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	toolsList  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

// toolCall is a tools/call message.
func toolCall(t *testing.T, id int, tool string, args map[string]any) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// open initialises a session and returns its id.
func open(t *testing.T, url string) string {
	t.Helper()
	r := send(t, http.MethodPost, url, "", initialize)
	if r.Status != http.StatusOK || r.Session == "" {
		t.Fatalf("initialize on %s: %+v", url, r)
	}
	return r.Session
}
