package server_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/server"
)

// slowBackends never answer in time: one listens to ctx, the other does not.
var slowBackends = map[string]func(ctx context.Context) error{
	"listens": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
	"deaf":    func(context.Context) error { time.Sleep(time.Hour); return nil },
}

// argumentsOf are arguments with which each tool asks the back end.
func argumentsOf(tool string) map[string]any {
	switch tool {
	case "list_domains":
		return nil
	case "query_graphql":
		return map[string]any{"query": "{ things { id } }", "domain_name": "crm"}
	case "describe_entity":
		return map[string]any{"search": "thing", "domain_name": "crm"}
	case "get_entity_context", "compute_virtual_attributes":
		return map[string]any{"entity_uri": "https://example.org/crm#1", "domain_name": "crm"}
	case "invoke_entity_action":
		return map[string]any{"entity_uri": "https://example.org/crm#1", "action": "main.ops.risk", "domain_name": "crm"}
	case "run_entity_business_rule":
		return map[string]any{"entity_uri": "https://example.org/crm#1", "rule": "Vip", "domain_name": "crm"}
	}
	return map[string]any{"domain_name": "crm"}
}

// Every call is answered when its time is over, whatever the back end does: clients
// give up after 60 seconds without knowing why. The answer names what the tool has to
// make the call smaller, and no argument that it lacks; a call that writes is not to be
// repeated without a look, because it may have had its effect.
func TestDeadline(t *testing.T) {
	narrowing := map[string]string{
		"describe_entity":            "Narrow it: a more exact search, an entity_type, an entity_uri, a smaller depth or a smaller limit.",
		"describe_ontology":          "Narrow it: only some classes.",
		"get_graphql_schema":         "Narrow it: only some types.",
		"query_graphql":              "Narrow it: fewer fields or a smaller limit in the query.",
		"get_entity_context":         "Narrow it: no fetch_dataset_rows, no follow_bridges or no compute_virtual_attributes.",
		"compute_virtual_attributes": "Narrow it: one function.",
	}
	for name, hold := range slowBackends {
		for _, tool := range allTools {
			t.Run(name+"/"+tool, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					backend := newFake()
					s := newServer(t, func(c *server.Config) { c.Backend, c.CallTimeout = backend, 7*time.Second })
					backend.hold = hold
					start := time.Now()
					text, isError, err := s.Call(t.Context(), tool, argumentsOf(tool))
					if took := time.Since(start); took != 7*time.Second || err != nil || !isError {
						t.Errorf("after %s: isError %v, %v", took, isError, err)
					}
					want := narrowing[tool]
					if want == "" {
						want = "It has no argument that makes it smaller: try again, and if it stays slow, tell the person who runs this server."
					}
					want = "The call did not finish within 7s and was stopped. " + want
					if slices.Contains(writingTools, tool) {
						want = "No answer came within 7s. It is not known whether the call had its effect: look before you repeat it."
					}
					equal(t, "the answer", want, text)
				})
			})
		}
	}
}

// Without a setting a call has 25 seconds; a search that is slow is told apart from a
// fault.
func TestUsualDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		backend.find = func(ctx context.Context) (*matches, error) { <-ctx.Done(); return nil, ctx.Err() }
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		text, isError, err := s.Call(t.Context(), "describe_entity", argumentsOf("describe_entity"))
		if err != nil || !isError {
			t.Errorf("%q, %v", text, err)
		}
		contains(t, "the answer", text, "did not finish within 25s")
	})
}

// A resource is answered in time like a call.
func TestDeadlineOfResources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
		backend.hold = slowBackends["deaf"]
		answers := stdio(t, s, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ontobricks://status"}}`)
		contains(t, "the error", answerTo(t, answers, 1).message, "did not finish within 25s", "try again")
	})
}

// Work that goes on after its answer keeps its place until it ends, so that a back end
// that hangs is not asked more and more.
func TestLateWorkKeepsItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		release := make(chan struct{})
		var asked atomic.Int64
		backend.find = func(context.Context) (*matches, error) { asked.Add(1); <-release; return &matches{}, nil }
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		var lines []string
		for i := range server.MaxCallsPerSession + 5 {
			lines = append(lines, callLine(i, "describe_entity", `{"search":"x","domain_name":"crm"}`))
		}
		busy := 0
		for _, line := range stdio(t, s, lines...) {
			if strings.Contains(line, "did not get its turn") {
				busy++
			}
		}
		equal(t, "searches that began", int64(server.MaxCallsPerSession), asked.Load())
		equal(t, "calls that did not", 5, busy)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shut down while work goes on: %v", err)
		}
		close(release)
	})
}

// A selection that is answered as too late does not count, and nothing announces it.
func TestLateSelectionDoesNotCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "hr" })
		in, feed := io.Pipe()
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.ServeStdio(t.Context(), in, &out) }()
		send := func(line string) {
			if _, err := io.WriteString(feed, line+"\n"); err != nil {
				t.Error(err)
			}
		}
		backend.hold = func(context.Context) error { time.Sleep(20 * time.Second); return nil }
		send(callLine(1, "select_domain", `{"domain_name":"crm"}`))
		time.Sleep(5 * time.Minute) // of the bubble's clock
		synctest.Wait()
		backend.hold = nil
		send(callLine(2, "list_domains", `{}`))
		feed.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		answers := strings.Split(out.String(), "\n")
		text, isError := answerTo(t, answers, 1).text(t)
		if !isError || strings.Contains(out.String(), listChanged) {
			t.Errorf("a late selection counts: %s", text)
		}
		text, _ = answerTo(t, answers, 2).text(t)
		contains(t, "the list", text, "Currently selected: hr")
	})
}

// A fault in work that goes on after its answer is logged, under the number of its call.
func TestLateFaultIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newFake()
		backend.find = func(context.Context) (*matches, error) { time.Sleep(time.Minute); panic("too late") }
		var log bytes.Buffer
		s := newServer(t, func(c *server.Config) { c.Backend, c.Logger = backend, slog.New(slog.NewTextHandler(&log, nil)) })
		text, _, err := s.Call(t.Context(), "describe_entity", argumentsOf("describe_entity"))
		if err != nil {
			t.Fatal(err)
		}
		contains(t, "the answer", text, "did not finish")
		if err := s.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		contains(t, "the log", log.String(), "fault after the answer", "tool=describe_entity", "panic: too late")
	})
}
