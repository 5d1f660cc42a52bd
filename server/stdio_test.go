package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// callLine is a request that calls a tool.
func callLine(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// A client may send many requests without waiting: each sees the selection as of its
// own place in that order, before and after, and every change is announced once.
func TestPipelinedSelections(t *testing.T) {
	s := newServer(t, nil)
	lines := []string{initialize}
	names := []string{"crm", "shop", "supply_chain"}
	for i := range 60 {
		lines = append(lines,
			callLine(3*i+1, "select_domain", `{"domain_name":"`+names[i%3]+`"}`),
			callLine(3*i+2, "describe_entity", `{"search":"thing"}`),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, 3*i+3))
	}
	answers := stdio(t, s, lines...)
	for i := range 60 {
		name := names[i%3]
		text, _ := answerTo(t, answers, 3*i+2).text(t)
		contains(t, "the answer after the selection", text, "["+name+", version 1]")
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(answerTo(t, answers, 3*i+3).result, &list); err != nil {
			t.Fatal(err)
		}
		equal(t, "number of tools of "+name, len(toolsOf[name]), len(list.Tools))
	}
	announced := 0
	for _, line := range answers {
		if strings.Contains(line, listChanged) {
			announced++
		}
	}
	equal(t, "announced", 60, announced)
	again := stdio(t, s, initialize, callLine(1, "select_domain", `{"domain_name":"crm"}`), callLine(2, "select_domain", `{"domain_name":"crm"}`))
	equal(t, "lines when the same is selected again", 4, len(again))
}

// Whatever happens, every line on stdout is a JSON-RPC message: with debug logging, a
// tool that panics, a fault of the back end, lines that are no JSON, and calls that
// are wrong. A client would give up at the first line that is not.
func TestEveryLineIsAMessage(t *testing.T) {
	backend := newFake()
	var calls atomic.Int64
	backend.find = func(context.Context) (*matches, error) {
		if calls.Add(1) == 1 {
			return nil, errors.New("secret path /data")
		}
		panic("secret panic\nwith lines")
	}
	var log bytes.Buffer
	s := newServer(t, func(c *server.Config) {
		c.Backend = backend
		c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	lines := []string{
		initialize, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "   ", "no json", `[1,2]`, `"text"`, "null", "{}",
		`{"jsonrpc":"1.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":6,"method":"no/such"}`, `{"jsonrpc":"2.0","id":7}`,
		`{"jsonrpc":"2.0","id":8,"result":{}}`, strings.Repeat("x", 2<<20), "\x00\xff\u2028",
		callLine(9, "no_such_tool", `{}`), callLine(10, "describe_entity", `[]`), callLine(11, "list_domains", `{"no":1}`),
		callLine(20, "describe_entity", `{"search":"x","domain_name":"crm"}`), callLine(21, "describe_entity", `{"search":"y","domain_name":"crm"}`),
		`{"jsonrpc":"2.0","id":30,"method":"ping"}`,
	}
	answers := stdio(t, s, lines...)
	for _, line := range answers {
		var m struct {
			JSONRPC string
			ID      any
			Method  string
			Result  json.RawMessage
			Error   json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			t.Errorf("not a message: %q", line)
		}
		if strings.Contains(line, "secret") {
			t.Errorf("the cause of a fault was sent: %s", line)
		}
	}
	for _, id := range []int{20, 21} {
		r := answerTo(t, answers, id)
		if r.code != -32603 || !strings.HasPrefix(r.message, "internal error (request ") {
			t.Errorf("request %d: %d %q", id, r.code, r.message)
		}
		request := strings.TrimSuffix(strings.TrimPrefix(r.message, "internal error (request "), ")")
		contains(t, "the log", log.String(), "request="+request)
	}
	contains(t, "the log", log.String(), "secret path /data", "secret panic")
	if r := answerTo(t, answers, 30); r.result == nil {
		t.Errorf("the last request is not answered: %s", r.body)
	}
}

// When the input ends, answers that are due are still sent.
func TestAnswersThatAreDueAreSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		ended := make(chan struct{})
		backend.find = func(ctx context.Context) (*matches, error) {
			<-ended
			return &matches{}, ctx.Err()
		}
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		in, feed := io.Pipe()
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(t.Context(), in, &out) }()
		for i := range 20 {
			fmt.Fprintln(feed, callLine(i, "describe_entity", `{"search":"x","domain_name":"crm"}`))
		}
		feed.Close()
		synctest.Wait()
		close(ended)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if n := strings.Count(out.String(), "\n"); n != 20 {
			t.Errorf("%d answers:\n%s", n, out.String())
		}
	})
}

// A call that waits can be cancelled by a later line.
func TestCancelOnStdio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		cancelled := false
		backend.find = func(ctx context.Context) (*matches, error) {
			<-ctx.Done()
			cancelled = errors.Is(ctx.Err(), context.Canceled)
			return nil, ctx.Err()
		}
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		in, feed := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(t.Context(), in, io.Discard) }()
		fmt.Fprintln(feed, callLine(7, "describe_entity", `{"search":"x","domain_name":"crm"}`))
		synctest.Wait()
		fmt.Fprintln(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		feed.Close()
		err := <-done
		synctest.Wait() // until the work has ended too
		if err != nil || !cancelled {
			t.Errorf("cancelled %v, %v", cancelled, err)
		}
	})
}

// When ctx ends nothing more is read, and calls that run end in their own time and are
// answered; a call that would never end is answered when its time is over.
func TestStdioDrains(t *testing.T) {
	for name, tc := range map[string]struct {
		needs, takes time.Duration
		want         string
	}{
		"in time":  {10 * time.Second, 10 * time.Second, "No matching entities"},
		"too slow": {time.Hour, server.DefaultCallTimeout, "did not finish within 25s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := newFake()
				backend.find = func(ctx context.Context) (*matches, error) {
					time.Sleep(tc.needs) // of the bubble's clock
					return &matches{}, ctx.Err()
				}
				s := newServer(t, func(c *server.Config) { c.Backend = backend })
				ctx, cancel := context.WithCancel(t.Context())
				in, feed := io.Pipe()
				var out bytes.Buffer
				done := make(chan error, 1)
				go func() { done <- s.ServeStdio(ctx, in, &out) }()
				fmt.Fprintln(feed, callLine(1, "describe_entity", `{"search":"x","domain_name":"crm"}`))
				synctest.Wait()
				start := time.Now()
				cancel()
				synctest.Wait()
				select {
				case <-done:
					t.Fatal("ended before the call that runs")
				default:
				}
				go fmt.Fprintln(feed, callLine(2, "list_domains", `{}`))
				if err := <-done; err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != tc.takes {
					t.Errorf("ended after %s, want %s", took, tc.takes)
				}
				text, _ := answerTo(t, strings.Split(out.String(), "\n"), 1).text(t)
				contains(t, "the answer", text, tc.want)
				if strings.Contains(out.String(), `"id":2`) {
					t.Error("a call that came later is answered")
				}
				feed.Close()
			})
		})
	}
}

// Messages that wait behind others when ctx ends do not make the end come later than
// one call may take.
func TestStdioDrainIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		backend.hold = slowBackends["listens"]
		ctx, cancel := context.WithCancel(t.Context())
		in, feed := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(ctx, in, io.Discard) }()
		for i := range 5 { // each waits until the one before is done
			fmt.Fprintln(feed, callLine(i, "select_domain", `{"domain_name":"crm"}`))
		}
		synctest.Wait()
		start := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > server.DefaultCallTimeout+server.DrainGrace {
			t.Errorf("ended after %s", took)
		}
		feed.Close()
	})
}

// A client that cannot be written to ends the service with that error, and at once.
func TestStdioEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		backend.find = func(ctx context.Context) (*matches, error) { <-ctx.Done(); return nil, ctx.Err() }
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		in, feed := io.Pipe()
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(t.Context(), in, brokenPipe{}) }()
		start := time.Now()
		fmt.Fprintln(feed, callLine(1, "describe_entity", `{"search":"x","domain_name":"crm"}`))
		synctest.Wait()
		fmt.Fprintln(feed, initialize)
		if err := <-done; !errors.Is(err, io.ErrClosedPipe) || time.Since(start) > 0 {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
		feed.Close()
	})
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// On stdio too only the protocol versions with sessions are served.
func TestStdioRefusesStatelessProtocol(t *testing.T) {
	answers := stdio(t, newServer(t, nil),
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		initialize)
	for _, id := range []int{1, 2} {
		if r := answerTo(t, answers, id); r.code == 0 {
			t.Errorf("request %d is answered: %s", id, r.body)
		}
	}
	if r := answerTo(t, answers, 0); r.result == nil {
		t.Errorf("initialize: %s", r.body)
	}
}

// Two clients on stdio in one process do not see each other's selection.
func TestStdioClientsAreApart(t *testing.T) {
	s := newServer(t, func(c *server.Config) { c.Domain = domains.Name("hr") })
	stdio(t, s, initialize, callLine(1, "select_domain", `{"domain_name":"crm"}`))
	answers := stdio(t, s, initialize, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	contains(t, "the list", answerTo(t, answers, 1).body, "describe_ontology")
	if strings.Contains(answerTo(t, answers, 1).body, "describe_entity") {
		t.Error("the second client sees the tools of crm")
	}
}
