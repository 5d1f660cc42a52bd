package rest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// The secrets of every request of these tests: none may be in an error or a log line.
const (
	userToken   = "user-secret-5531"
	querySecret = "query-secret-9024"
	bodySecret  = "body-secret-7719"
	tokenPrefix = "token-secret-"
)

// tokens gives tokens with a number, a new one after each that was refused.
type tokens struct {
	mu      sync.Mutex
	number  int
	spoiled []string
	err     error // of every Token after the first was refused
}

func (s *tokens) Token(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil && len(s.spoiled) > 0 {
		return "", s.err
	}
	return fmt.Sprintf("%s%d", tokenPrefix, s.number), nil
}

func (s *tokens) Spoiled(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoiled = append(s.spoiled, token)
	s.number++
}

// upstream is a service in process with a client in front of it.
type upstream struct {
	*rest.Client
	server   *httptest.Server
	requests atomic.Int64
	tokens   *tokens
	log      *bytes.Buffer
	mu       sync.Mutex
	waits    []time.Duration // slept, by a fake clock
	now      time.Time
}

// handler answers the n-th request, from 1.
type handler func(n int64, w http.ResponseWriter, r *http.Request)

// serve starts an upstream; change, which may be nil, changes its client's config. When
// the test ends, no goroutine may be left.
func serve(t *testing.T, h handler, change func(*rest.Config)) *upstream {
	t.Helper()
	before := runtime.NumGoroutine()
	u := &upstream{tokens: &tokens{}, log: &bytes.Buffer{}, now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	u.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h(u.requests.Add(1), w, r)
	}))
	u.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	config := rest.Config{
		URL: u.server.URL, Tokens: u.tokens, Random: func() float64 { return 0.5 },
		Logger: slog.New(slog.NewTextHandler(u.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Clock:  u.clock, Sleep: u.sleep,
	}
	if change != nil {
		change(&config)
	}
	client, err := rest.New(config)
	if err != nil {
		t.Fatal(err)
	}
	u.Client = client
	t.Cleanup(func() {
		client.Close()
		u.server.CloseClientConnections()
		u.server.Close()
		noGoroutines(t, before)
	})
	return u
}

func (u *upstream) clock() time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.now
}

func (u *upstream) sleep(ctx context.Context, d time.Duration) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.waits = append(u.waits, d)
	u.now = u.now.Add(d)
	return ctx.Err()
}

// noGoroutines waits until the goroutines of connections that were closed have ended.
func noGoroutines(t *testing.T, before int) {
	t.Helper()
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d now:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}

// get and post are a read and a write with secrets in them.
func get() rest.Request {
	return rest.Request{
		Method: http.MethodGet, Path: "/api/v1/domains", Query: url.Values{"search": {querySecret}},
		Principal: domains.Principal{User: "u1", Email: "ada@example.com", Token: userToken},
		Domain:    "customer360", Doing: "listing the domains",
	}
}

func post() rest.Request {
	r := get()
	r.Method, r.Body, r.Writes, r.Doing = http.MethodPost, []byte(`{"iri":"`+bodySecret+`"}`), true, "running the action"
	return r
}

// request is the number of each call, as it is in logs.
func request(t *testing.T) context.Context { return domains.WithRequestID(t.Context(), "req-17") }

// message is the text for the caller of an error, which must be a domains.Error with a
// Failure.
func message(t *testing.T, err error) (string, *rest.Failure) {
	t.Helper()
	var (
		e *domains.Error
		f *rest.Failure
	)
	if !errors.As(err, &e) || !errors.As(err, &f) {
		t.Fatalf("%v (%T) is not a domains.Error with a Failure", err, err)
	}
	return e.Message, f
}

// noSecrets holds that neither error nor log has what nobody may read there.
func (u *upstream) noSecrets(t *testing.T, err error) {
	t.Helper()
	said := u.log.String()
	if err != nil {
		text, f := message(t, err)
		host := strings.TrimPrefix(u.server.URL, "http://")
		for _, hidden := range []string{"://", host, "127.0.0.1"} {
			if strings.Contains(strings.ReplaceAll(text, "https://ontobricks.com/ontology#", ""), hidden) {
				t.Errorf("the message has %q: %s", hidden, text)
			}
		}
		said += fmt.Sprintf("\n%v\n%+v\n%v\n%+v\n%s", err, err, f, f, text)
	}
	for _, hidden := range []string{tokenPrefix, userToken, querySecret, bodySecret, "ada@example.com"} {
		if strings.Contains(said, hidden) {
			t.Errorf("error or log has %q:\n%s", hidden, said)
		}
	}
}

// record is what a handler answers when it is asked without a client between.
func record(h handler) *http.Response {
	w := httptest.NewRecorder()
	h(1, w, httptest.NewRequest(http.MethodGet, "/", nil))
	return w.Result()
}
