package ontobricks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// rig is a deployment and the back end in front of it, with a clock that the test
// moves.
type rig struct {
	*bricktest.Deployment
	b    *ontobricks.Backend
	tick chan struct{} // lets Watch refresh
	log  *logBuffer

	mu  sync.Mutex
	now time.Time
}

// newRig starts both, with the sample domains and more.
func newRig(t *testing.T, more ...bricktest.Domain) *rig {
	t.Helper()
	return newRigWith(t, ontobricks.Config{}, more...)
}

func newRigWith(t *testing.T, c ontobricks.Config, more ...bricktest.Domain) *rig {
	t.Helper()
	r := &rig{Deployment: bricktest.New(t), tick: make(chan struct{}), log: &logBuffer{}, now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	r.Add(bricktest.Customer360(), bricktest.Finance(), bricktest.OntologyOnly())
	r.Add(more...)
	c.URL, c.Clock, c.Logger = r.URL, r.clock, slog.New(slog.NewTextHandler(r.log, nil))
	c.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	c.Tick = func(ctx context.Context, _ time.Duration) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-r.tick:
			return nil
		}
	}
	b, err := ontobricks.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	r.b = b
	return r
}

func (r *rig) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// wait moves the clock on.
func (r *rig) wait(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

// asked lists the requests since the last Forget, one line each: the method, the path
// and the parameters in order.
func (r *rig) asked() []string {
	var out []string
	for _, q := range r.Requests() {
		line := q.Method + " " + q.EscapedPath
		if len(q.Query) > 0 {
			text, _ := url.QueryUnescape(q.Query.Encode())
			line += "?" + text
		}
		if len(q.Body) > 0 {
			line += " " + string(q.Body)
		}
		out = append(out, line)
	}
	r.Forget()
	return out
}

// open opens a domain for a principal.
func (r *rig) open(t *testing.T, name domains.Name, p domains.Principal) *domains.Domain {
	t.Helper()
	d, err := r.b.As(p).Open(t.Context(), name)
	if err != nil {
		t.Fatalf("Open(%s): %v", name, err)
	}
	return d
}

// soft lets an address answer 200 with a JSON text, instead of what it would say.
func (r *rig) soft(path, body string) {
	r.Fault(bricktest.Path(path), bricktest.Fault{Status: 200, Body: []byte(body)})
}

// down lets everything fail with 500, which is not repeated.
func (r *rig) down(times int) {
	r.Fault(bricktest.Any, bricktest.Fault{Status: 500, Times: times, Body: []byte(`{"error":"internal_error","message":"An internal error occurred"}`)})
}

// hold lets requests for an address meet a fault, and tells when the first arrives.
func (r *rig) hold(path string, f bricktest.Fault) <-chan struct{} {
	arrived := make(chan struct{})
	var once sync.Once
	r.Fault(func(q *http.Request) bool {
		if !bricktest.Path(path)(q) {
			return false
		}
		once.Do(func() { close(arrived) })
		return true
	}, f)
	return arrived
}

// wants holds that an error is of a kind and that its message holds a text.
func wants(t *testing.T, err, kind error, text string) {
	t.Helper()
	var e *domains.Error
	if !errors.As(err, &e) || !errors.Is(err, kind) || !strings.Contains(e.Message, text) {
		t.Errorf("got %v; want %v with %q", err, kind, text)
	}
}

func names(infos []domains.Info) string {
	var out []string
	for _, i := range infos {
		out = append(out, string(i.Name))
	}
	return strings.Join(out, " ")
}

var alice, bob = domains.Principal{User: "alice", Email: "alice@example.com"}, domains.Principal{User: "bob", Email: "bob@example.com"}

// policy is an mcp_policy that disables tools.
func policy(tools ...string) map[string]any { return map[string]any{"disabled_tools": tools} }

func raw(format string, args ...any) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(format, args...))
}

// logBuffer is a log that may be written concurrently.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// lines counts the lines that hold a text.
func (l *logBuffer) lines(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(slices.DeleteFunc(strings.Split(l.buf.String(), "\n"), func(s string) bool { return !strings.Contains(s, text) }))
}
