package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/docs/doctest"
	"github.com/ontogate/ontogate/domains/domaintest"
)

// TestPage holds that docs/library.md shows this program.
func TestPage(t *testing.T) {
	code, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(code), doctest.Blocks(doctest.Page(t, "docs/library.md"), "library")["main.go"]); diff != "" {
		t.Errorf("docs/library.md shows something else (-main.go +docs):\n%s", diff)
	}
}

// TestServes holds that the domains are served below the path, under addresses that lead
// there, beside the program's other parts.
func TestServes(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := ln.Addr().String()
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- run(ctx, domaintest.Root(t)+"/examples/hr_analytics", addr, false) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	untilListening(t, addr, done)
	var card struct{ Remotes []struct{ URL string } }
	if err := json.Unmarshal([]byte(get(t, addr, "/graphs/.well-known/mcp/server-card.json")), &card); err != nil || len(card.Remotes) != 1 {
		t.Fatalf("%v %+v", err, card)
	}
	if at := "http://" + addr + "/graphs/mcp"; card.Remotes[0].URL != at {
		t.Fatalf("the address is %s, want %s", card.Remotes[0].URL, at)
	}
	if text := get(t, addr, "/else"); !strings.Contains(text, "another part") {
		t.Errorf("/else: %s", text)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, card.Remotes[0].URL,
		strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_domains","arguments":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if text := do(t, req); !strings.Contains(text, "hr_analytics") {
		t.Errorf("list_domains: %s", text)
	}
	if text := get(t, addr, "/graphs/graphql"); !strings.Contains(text, "hr_analytics") {
		t.Errorf("/graphs/graphql: %s", text)
	}
}

func untilListening(t *testing.T, addr string, done <-chan error) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		if c, err := net.Dial("tcp", addr); err == nil {
			_ = c.Close()
			return
		}
		select {
		case err := <-done:
			t.Fatalf("it ended: %v", err)
		case <-t.Context().Done():
			t.Fatal("it does not listen")
		case <-tick.C:
		}
	}
}

func get(t *testing.T, addr, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return do(t, req)
}

func do(t *testing.T, req *http.Request) string {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v\n%s", req.URL, res.StatusCode, err, data)
	}
	return string(data)
}
