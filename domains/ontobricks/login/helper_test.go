package login_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/login"
)

// The secrets of these tests: none may be in an error, a log line or a text.
const (
	clientSecret = "client-secret-4417"
	patSecret    = "dapi-secret-8830"
	tokenPrefix  = "token-secret-"
)

// clock is a time that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// workspace is a token endpoint that knows which of its tokens are valid.
type workspace struct {
	*httptest.Server
	clock *clock
	life  time.Duration

	mu      sync.Mutex
	fetches int
	running int // fetches at this moment
	most    int // the most of them
	valid   map[string]time.Time
	answer  http.HandlerFunc // instead of a token, where not nil
	gate    chan struct{}    // where not nil, fetches wait for it
	form    string           // of the last fetch, with its credentials
}

func newWorkspace(t *testing.T, life time.Duration) *workspace {
	t.Helper()
	w := &workspace{clock: newClock(), life: life, valid: map[string]time.Time{}}
	w.Server = httptest.NewServer(w)
	t.Cleanup(w.Close)
	return w
}

func (w *workspace) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.fetches++
	w.running++
	w.most = max(w.most, w.running)
	gate, answer, n := w.gate, w.answer, w.fetches
	id, secret, _ := r.BasicAuth()
	w.form = fmt.Sprintf("%s %s %s:%s %s %s", r.Method, r.URL.Path, id, secret, r.FormValue("grant_type"), r.FormValue("scope"))
	w.mu.Unlock()
	if gate != nil {
		<-gate
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running--
	if answer != nil {
		answer(out, r)
		return
	}
	token := fmt.Sprintf("%s%d", tokenPrefix, n)
	w.valid[token] = w.clock.Now().Add(w.life)
	out.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(out, `{"access_token":%q,"token_type":"Bearer","expires_in":%d}`, token, int(w.life.Seconds()))
}

// accepts reports whether a token is valid now.
func (w *workspace) accepts(token string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock.Now().Before(w.valid[token])
}

func (w *workspace) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

func (w *workspace) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fetches
}

// settings are those of client credentials for the workspace.
func (w *workspace) settings(log *bytes.Buffer) login.Settings {
	return login.Settings{
		Host: w.URL + "/", ClientID: "sp-1", ClientSecret: clientSecret, Clock: w.clock.Now,
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	}
}

func source(t *testing.T, s login.Settings) *login.Source {
	t.Helper()
	out, _, err := login.New(s)
	if err != nil || out == nil {
		t.Fatalf("%v, %v", out, err)
	}
	return out
}

// home is a home directory with a configuration file.
func home(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".databrickscfg"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// told is the text for people of an error; neither it nor the error may hold a secret.
func told(t *testing.T, err error) string {
	t.Helper()
	var e *domains.Error
	if !errors.As(err, &e) || e.Message == "" {
		t.Fatalf("%v (%T) has no text for people", err, err)
	}
	noSecret(t, fmt.Sprintf("%v %+v %#v", err, err, err))
	return e.Message
}

func noSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{clientSecret, patSecret, tokenPrefix} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in %s", secret, text)
		}
	}
}

// cli answers as the Databricks CLI, and counts.
type cli struct {
	calls []string
	out   string
	err   error
}

func (c *cli) run(_ context.Context, name string, args ...string) ([]byte, error) {
	c.calls = append(c.calls, name+" "+strings.Join(args, " "))
	return []byte(c.out), c.err
}
