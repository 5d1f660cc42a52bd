package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/server"
)

// The upstream_*_test.go files look at a whole server from outside: in front of it a
// client, behind it an OntoBricks deployment, all in the process of the test.

// proxy is a server in front of a deployment, with a clock that the test moves.
type proxy struct {
	*bricktest.Deployment
	t      testing.TB
	server *server.Server
	tokens *programTokens
	log    *lockedBuffer
	tick   chan struct{} // lets the watch look for changes

	mu    sync.Mutex
	now   time.Time
	waits []time.Duration // slept, by the false clock
}

// newProxy starts both with the sample domains. change, which may be nil, alters how the
// deployment is asked and what the server is.
func newProxy(t testing.TB, change func(*ontobricks.Config, *server.Config)) *proxy {
	t.Helper()
	return newProxyBefore(t, func(*bricktest.Deployment) {}, change)
}

// newProxyBefore is newProxy with a deployment that is prepared before the server starts.
func newProxyBefore(t testing.TB, prepare func(*bricktest.Deployment), change func(*ontobricks.Config, *server.Config)) *proxy {
	t.Helper()
	noLeaks(t)
	p := &proxy{
		Deployment: bricktest.New(t), t: t, tokens: &programTokens{}, log: &lockedBuffer{}, tick: make(chan struct{}),
		now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC),
	}
	p.Add(bricktest.Customer360(), bricktest.Finance(), bricktest.OntologyOnly())
	prepare(p.Deployment)
	log := slog.New(slog.NewJSONHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	upstream := ontobricks.Config{
		URL: p.URL, Tokens: p.tokens, Logger: log, Clock: p.clock, Sleep: p.sleep, Tick: p.ticks,
		Random: func() float64 { return 0.5 },
	}
	front := server.Config{Version: "test", CallTimeout: 50 * time.Second, Logger: log}
	if change != nil {
		change(&upstream, &front)
	}
	b, err := ontobricks.New(upstream)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	front.Backend = b
	p.server = newServer(t, func(c *server.Config) { *c = front })
	return p
}

func (p *proxy) clock() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

func (p *proxy) sleep(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = append(p.waits, d)
	p.now = p.now.Add(d)
	return ctx.Err()
}

func (p *proxy) ticks(ctx context.Context, _ time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-p.tick:
		return nil
	}
}

// later moves the clock on.
func (p *proxy) later(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(d)
}

// look lets the watch look for changes once more, and returns when it has.
func (p *proxy) look() {
	p.t.Helper()
	p.later(10 * time.Second)
	for range 2 { // the second is taken when the look after the first is over
		select {
		case p.tick <- struct{}{}:
		case <-time.After(30 * time.Second): // or a watch that is not there would hang the test
			p.t.Fatal("nothing is watched")
		}
	}
}

// slept is the time that was waited between repeats.
func (p *proxy) slept() (all time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.waits {
		all += d
	}
	return all
}

// programTokens are the program's own: a new one after each that was refused.
type programTokens struct {
	mu     sync.Mutex
	number int
}

// programSecret begins every token of the program.
const programSecret = "token-of-the-program-"

func (p *programTokens) Token(context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf("%s%d", programSecret, p.number), nil
}

func (p *programTokens) Spoiled(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number++
}

// lockedBuffer is a log that is written concurrently.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lockedBuffer) Write(data []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(data)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// noLeaks holds that nothing runs after the test that did not run before: it is called
// before anything is started, and looks when all of it has been closed.
func noLeaks(t testing.TB) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		for range 5000 { // the goroutines of connections end a moment after they were closed
			if runtime.NumGoroutine() <= before {
				return
			}
			time.Sleep(time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d now:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
	})
}

// person is a client past the network, with headers of its own: those that the proxy of
// the platform sets for a user.
type person struct {
	t       testing.TB
	h       http.Handler
	path    string
	header  http.Header
	session string
	heard   *strings.Builder // all answers as they came
}

// newPerson begins a session at /mcp.
func newPerson(t testing.TB, h http.Handler, header http.Header) *person {
	t.Helper()
	p := &person{t: t, h: h, path: "/mcp", header: header, heard: &strings.Builder{}}
	w := p.send(http.MethodPost, p.path, initialize)
	if p.session = w.Header().Get("Mcp-Session-Id"); w.Code != http.StatusOK || p.session == "" {
		t.Fatalf("initialize: %d %s", w.Code, w.Body)
	}
	return p
}

// send sends any request as this person, in its session.
func (p *person) send(method, path, body string) *httptest.ResponseRecorder {
	p.t.Helper()
	more := http.Header{}
	if p.session != "" && strings.HasPrefix(path, "/mcp") {
		more.Set("Mcp-Session-Id", p.session)
	}
	w := send(p.t, p.h, method, path, body, p.header, more)
	p.heard.WriteString(w.Body.String())
	for name, values := range w.Header() {
		fmt.Fprintf(p.heard, "\n%s: %s\n", name, values)
	}
	return w
}

// request sends a JSON-RPC request; params is JSON.
func (p *person) request(method, params string) reply {
	p.t.Helper()
	w := p.send(http.MethodPost, p.path, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
	return newReply(p.t, w.Result(), w.Body.Bytes())
}

// call calls a tool and returns its text.
func (p *person) call(tool, args string) (text string, isError bool) {
	p.t.Helper()
	return p.request("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`).text(p.t)
}

// read reads a resource; what is no text is the refusal's message.
func (p *person) read(uri string) (text string, refused bool) {
	p.t.Helper()
	r := p.request("resources/read", `{"uri":"`+uri+`"}`)
	if r.code != 0 {
		return r.message, true
	}
	var result struct{ Contents []struct{ Text string } }
	if err := json.Unmarshal(r.result, &result); err != nil || len(result.Contents) != 1 {
		p.t.Fatalf("reading %s: %s", uri, r.body)
	}
	return result.Contents[0].Text, false
}

// exchanged are addresses that a text may hold: names of things, not of machines.
var exchanged = regexp.MustCompile(`https://(ontobricks\.com|finance\.example)/`)

// checkSecrets holds that a text shows no address of the deployment and no token.
func (p *proxy) checkSecrets(t testing.TB, what, text string, more ...string) {
	t.Helper()
	host := strings.TrimPrefix(p.URL, "http://")
	hides(t, what, exchanged.ReplaceAllString(text, ""), append([]string{programSecret, host, "Bearer abc"}, more...)...)
}

// hides holds that a text has none of some parts.
func hides(t testing.TB, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if at := strings.Index(text, part); at >= 0 {
			t.Errorf("%s shows %q: …%s…", what, part, text[max(0, at-300):min(len(text), at+len(part)+300)])
		}
	}
}

// args is a JSON object of names and values.
func args(pairs ...any) string {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return string(mustJSON(m))
}
