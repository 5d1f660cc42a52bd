package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// post sends one JSON-RPC message and returns the body and the session's id.
func post(t *testing.T, ctx context.Context, url, session, message string) (body, newSession string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		req.Header.Set("Mcp-Session-Id", session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), res.Header.Get("Mcp-Session-Id")
}

// listening opens a session with a listening stream, which ends with the test.
func listening(t *testing.T, url string) {
	t.Helper()
	_, session := post(t, t.Context(), url, "", initialize)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Mcp-Session-Id", session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the listening stream is answered %s", res.Status)
	}
}

func TestPortInUse(t *testing.T) {
	first := start(t, "real", nil, "serve", "--addr", "127.0.0.1:0")
	addr := strings.TrimSuffix(strings.TrimPrefix(first.serving(), "http://"), "/mcp")
	second := start(t, "real", nil, "serve", "--addr", addr)
	if lines := second.rest(); len(lines) > 0 {
		t.Errorf("standard output: %q", lines)
	}
	if code := second.exit(); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	if got := second.stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, addr) || !strings.Contains(got, "--addr") {
		t.Errorf("want one line that names %s and --addr, got:\n%s", addr, got)
	}
}

// A server that was killed with clients connected starts again at once.
func TestKillAndRestart(t *testing.T) {
	p := start(t, "real", nil, "serve", "--addr", "127.0.0.1:0")
	url := p.serving()
	addr := strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
	for range 3 {
		listening(t, url)
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.rest()
		p.exit()
		p = start(t, "real", nil, "serve", "--addr", addr)
		if again := p.serving(); again != url {
			t.Fatalf("serves on %s after the restart, want %s", again, url)
		}
	}
}

// A signal ends the program although a client listens.
func TestSignalEndsServing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		p := start(t, "real", nil, "serve", "--addr", "127.0.0.1:0")
		listening(t, p.serving())
		if err := p.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		p.rest()
		if code := p.exit(); code != 0 {
			t.Errorf("%v: exit code %d, want 0; standard error:\n%s", sig, code, p.stderr)
		}
	}
}

// A second signal ends a program that waits for a call which does not end.
func TestSecondSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	p := start(t, "hangs", nil, "serve", "--addr", "127.0.0.1:0")
	url := p.serving()
	_, session := post(t, t.Context(), url, "", initialize)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		req, _ := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(listVersions))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Mcp-Session-Id", session)
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
		}
	}()
	p.saysOnStderr("hanging")
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.saysOnStderr("shutting down")
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	p.rest()
	if code := p.exit(); code == 0 {
		t.Error("exit code 0, want the end by a signal")
	}
}

// A call that runs when the program is told to end is answered whole.
func TestShutdownDrains(t *testing.T) {
	entered, released := make(chan struct{}), make(chan struct{})
	b := troubled{versions: func() []domains.Version {
		close(entered)
		<-released
		return []domains.Version{{Name: "1.2.3-released", State: domains.StatePublished}}
	}}
	out, in := io.Pipe()
	p := programFor(in, io.Discard, nil)
	p.open = func(context.Context, rdfgraph.Config) (domains.Backend, error) { return b, nil }
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan int, 1)
	go func() { ended <- p.run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}) }()
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	url := regexp.MustCompile(`http://\S+/mcp`).FindString(first)

	_, session := post(t, t.Context(), url, "", initialize)
	answer := make(chan string, 1)
	go func() {
		body, _ := post(t, t.Context(), url, session, listVersions)
		answer <- body
	}()
	<-entered
	stop()
	close(released)
	if got := <-answer; !strings.Contains(got, "1.2.3-released") {
		t.Errorf("the running call is answered %q", got)
	}
	if code := <-ended; code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// Who opens the server to other machines is told what that means.
func TestPublicAddress(t *testing.T) {
	p := start(t, "real", nil, "serve", "--addr", "0.0.0.0:0", "--allow-anonymous")
	p.saysOnStderr("there is no authentication")
	if url := p.serving(); !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("tells the address %s, want one that works on this machine", url)
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct {
		addr           string
		allowAnonymous bool
		ok             bool
	}{
		{"127.0.0.1:9100", false, true},
		{"127.8.9.10:0", false, true},
		{"localhost:9100", false, true},
		{"[::1]:9100", false, true},
		{"0.0.0.0:9100", false, false},
		{":9100", false, false},
		{"[::]:9100", false, false},
		{"192.0.2.7:9100", false, false},
		{"example.org:9100", false, false},
		{"localhost.example.org:9100", false, false},
		{"0.0.0.0:9100", true, true},
		{"9100", true, false},
		{"", true, false},
	} {
		if err := checkAddr(c.addr, c.allowAnonymous); (err == nil) != c.ok {
			t.Errorf("checkAddr(%q, %v): %v, want ok %v", c.addr, c.allowAnonymous, err, c.ok)
		}
	}
}
