package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// personal is the fake back end as each principal sees it: everybody has a domain that
// carries the user's name. It notes whom it was asked for.
type personal struct {
	*fakeBackend
	who domains.Principal
	all *asked
}

type asked struct {
	mu  sync.Mutex
	as  []domains.Principal
	ids []string // request ids
}

func newPersonal() *personal { return &personal{fakeBackend: newFake(), all: &asked{}} }

func (b *personal) As(p domains.Principal) domains.Backend {
	b.all.mu.Lock()
	b.all.as = append(b.all.as, p)
	b.all.mu.Unlock()
	own := newFake()
	if !p.IsProgram() {
		name := domains.Name("of_" + p.User + p.Email)
		own.infos = append(own.infos, domains.Info{Name: name, Description: "private", HasGraph: true})
	}
	return &personal{own, p, b.all}
}

func (b *personal) Domains(ctx context.Context) ([]domains.Info, error) {
	b.note(ctx)
	return b.fakeBackend.Domains(ctx)
}

func (b *personal) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	b.note(ctx)
	return b.fakeBackend.Open(ctx, name)
}

func (b *personal) note(ctx context.Context) {
	b.all.mu.Lock()
	defer b.all.mu.Unlock()
	b.all.ids = append(b.all.ids, domains.RequestID(ctx))
}

// seen are the principals that the back end was asked for since the last time.
func (b *personal) seen() []domains.Principal {
	b.all.mu.Lock()
	defer b.all.mu.Unlock()
	out := b.all.as
	b.all.as = nil
	return out
}

const token = "eyJhbGciOi.J9-secret_token~+/="

// forwarded are the headers of the platform's proxy; what is empty is left out.
func forwarded(user, email, token string) http.Header {
	h := http.Header{}
	for name, value := range map[string]string{"X-Forwarded-User": user, "X-Forwarded-Email": email, "X-Forwarded-Access-Token": token} {
		if value != "" {
			h.Set(name, value)
		}
	}
	return h
}

func app(backend domains.Backend) func(*server.Config) {
	return func(c *server.Config) { c.Backend, c.App = backend, true }
}

// send sends a request to a handler, past the network and its checks of headers.
func send(t testing.TB, h http.Handler, method, path, body string, header ...http.Header) *httptest.ResponseRecorder {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // or a stream that opens by mistake would hang the test
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, more := range header {
		for name, values := range more {
			r.Header[name] = values
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// In App mode a request that names nobody, or in a way that no proxy would, is refused
// at every address but those of health, before anything of it is read.
func TestIdentityIsNeeded(t *testing.T) {
	backend := newPersonal()
	h := newServer(t, app(backend)).Handler()
	backend.seen() // New asks as the program
	requests := []struct{ method, path string }{
		{"POST", "/mcp"}, {"GET", "/mcp"}, {"DELETE", "/mcp"}, {"PUT", "/mcp"}, {"POST", "/mcp/crm"}, {"GET", "/mcp/crm"}, {"POST", "/mcp/nowhere"},
		{"POST", "/graphql/crm"}, {"GET", "/graphql/crm/schema"}, {"GET", "/graphql"}, {"POST", "/api/v1/graphql/crm"},
		{"GET", "/api/v1/domains"}, {"GET", "/nowhere"}, {"GET", "/healthz/x"}, {"GET", "//healthz"}, {"POST", "/%2e/mcp"},
	}
	many := http.Header{"X-Forwarded-User": {"ann", "bob"}}
	for name, header := range map[string]http.Header{
		"nothing": {}, "a token alone": forwarded("", "", token), "a bearer token": {"Authorization": {"Bearer " + token}},
		"spaces": forwarded(" \t ", "  ", token), "several users": many, "a list": forwarded("ann, bob", "", ""),
		"a long user": forwarded(strings.Repeat("u", 257), "", ""), "a long address": forwarded("ann", strings.Repeat("e", 321), ""),
		"a long token": forwarded("ann", "", strings.Repeat("t", 16<<10+1)), "a control character": forwarded("ann\x01", "", ""),
		"a line": forwarded("ann", "a@b\r\nx: y", ""), "reversed text": forwarded("ann\u202e", "", ""), "no text": forwarded("ann\xff", "", ""),
		"a token with spaces": forwarded("ann", "", "a b"), "several tokens": {"X-Forwarded-User": {"ann"}, "X-Forwarded-Access-Token": {"a", "b"}},
		"another's name": {"X-Forwarded-Preferred-Username": {"ann"}, "X_forwarded_user": {"ann"}},
	} {
		for _, r := range requests {
			body := &unread{}
			w := httptest.NewRecorder()
			req := httptest.NewRequestWithContext(t.Context(), r.method, "http://localhost"+r.path, body)
			for k, v := range header {
				req.Header[k] = v
			}
			h.ServeHTTP(w, req)
			if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
				t.Errorf("%s, %s %s: %d %v", name, r.method, r.path, w.Code, w.Header())
			}
			contains(t, name+" "+r.path, w.Body.String(), "does not say who asks", "with an OAuth token of the workspace")
			if body.read {
				t.Errorf("%s, %s %s: the body was read", name, r.method, r.path)
			}
			if strings.HasPrefix(r.path, "/graphql") && json.Unmarshal(w.Body.Bytes(), &struct{ Errors []struct{ Message string } }{}) != nil {
				t.Errorf("%s: no JSON: %s", r.path, w.Body)
			}
		}
	}
	page := http.Header{"Accept": {"text/html"}}
	for _, c := range []struct {
		method, path string
		header       http.Header
		want         int
	}{
		{"GET", "/", nil, 200}, {"HEAD", "/", nil, 200}, {"GET", "/healthz", nil, 200}, {"GET", "/readyz", nil, 200},
		{"GET", "/", page, 401}, {"HEAD", "/", page, 401}, {"GET", "/healthz", page, 200},
		{"OPTIONS", "/mcp", nil, 204}, {"OPTIONS", "/graphql/crm", nil, 204},
	} {
		if w := send(t, h, c.method, c.path, "", c.header); w.Code != c.want {
			t.Errorf("%s %s %v: %d, want %d", c.method, c.path, c.header, w.Code, c.want)
		}
	}
	if seen := backend.seen(); len(seen) > 0 {
		t.Errorf("the back end was asked as %#v", seen)
	}
}

// unread is a body that notes whether it was read.
type unread struct{ read bool }

func (u *unread) Read([]byte) (int, error) { u.read = true; return 0, http.ErrBodyReadAfterClose }

// In App mode each request reaches the back end as the principal of its own headers:
// calls, lists, resources and the page alike.
func TestIdentityReachesBackend(t *testing.T) {
	for name, c := range map[string]struct {
		header http.Header
		want   domains.Principal
	}{
		"all":       {forwarded("ann", "ann@example.org", token), domains.Principal{User: "ann", Email: "ann@example.org", Token: token}},
		"a user":    {forwarded("ann", "", ""), domains.Principal{User: "ann"}},
		"a mail":    {forwarded("", "ann@example.org", ""), domains.Principal{Email: "ann@example.org"}},
		"spaces":    {forwarded("\tann ", " ann@example.org", " "+token+" "), domains.Principal{User: "ann", Email: "ann@example.org", Token: token}},
		"not ASCII": {forwarded("änn", "", ""), domains.Principal{User: "änn"}},
		"longest": {forwarded(strings.Repeat("u", 256), strings.Repeat("e", 320), strings.Repeat("t", 16<<10)),
			domains.Principal{User: strings.Repeat("u", 256), Email: strings.Repeat("e", 320), Token: strings.Repeat("t", 16<<10)}},
	} {
		backend := newPersonal()
		h := newServer(t, app(backend)).Handler()
		backend.seen()
		for _, r := range []struct{ path, body string }{
			{"/mcp", initialize}, {"/mcp/crm", list}, {"/mcp", callLine(1, "list_domains", "{}")}, {"/mcp", callLine(1, "get_status", `{"domain_name":"crm"}`)},
			{"/mcp", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ontobricks://domains"}}`},
		} {
			if w := send(t, h, "POST", r.path, r.body, c.header); w.Code != http.StatusOK {
				t.Errorf("%s, %s: %d %s", name, r.body, w.Code, w.Body)
			}
		}
		send(t, h, "GET", "/", "", c.header, http.Header{"Accept": {"text/html"}})
		seen := backend.seen()
		if len(seen) < 6 {
			t.Errorf("%s: the back end was asked %d times", name, len(seen))
		}
		for _, p := range seen {
			equal(t, name, fmt.Sprint(c.want.User, c.want.Email, c.want.Token), fmt.Sprint(p.User, p.Email, p.Token))
		}
	}
}

// Outside App mode anybody could write these headers: nothing of them reaches the back
// end, an address or a log, and sessions do not differ by them.
func TestForwardedHeadersAreIgnoredOutsideApps(t *testing.T) {
	backend := newPersonal()
	var log bytes.Buffer
	s := newServer(t, func(c *server.Config) {
		c.Backend, c.Logger = backend, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	h := s.Handler()
	mine := forwarded("ann", "ann@example.org", token)
	mine.Set("X-Forwarded-Host", "app.example.org")
	mine.Set("X-Request-Id", "chosen-by-the-client")
	w := send(t, h, "POST", "/mcp", initialize, mine)
	id := http.Header{"Mcp-Session-Id": {w.Header().Get("Mcp-Session-Id")}}
	for _, header := range []http.Header{mine, forwarded("bob", "", ""), {"X-Forwarded-User": {"a", "b", "\x01"}}, {}} {
		w := send(t, h, "POST", "/mcp", callLine(1, "get_status", `{"domain_name":"crm"}`), header, id)
		contains(t, "the answer", w.Body.String(), "[crm, version 1]")
	}
	send(t, h, "GET", "/", "", mine, http.Header{"Accept": {"text/html"}})
	for _, p := range backend.seen() {
		if !p.IsProgram() || p.Token != "" {
			t.Errorf("the back end was asked as user %q", p.User)
		}
	}
	health := send(t, h, "GET", "/healthz", "", mine).Body.String()
	contains(t, "the address", health, `"http://localhost/mcp"`)
	for _, text := range []string{"ann", "token", "app.example.org", "chosen-by-the-client"} {
		if strings.Contains(log.String(), text) {
			t.Errorf("%q is in the log", text)
		}
	}
	origin := http.Header{"Origin": {"https://app.example.org"}}
	if w := send(t, h, "POST", "/mcp", list, mine, origin); w.Code != http.StatusForbidden {
		t.Errorf("the origin of the forwarded host: %d", w.Code)
	}
}

// A session is unknown to everybody but the principal that began it, and its selection
// with it; a new token is the same principal.
func TestSessionsBelongToPrincipals(t *testing.T) {
	backend := newPersonal()
	h := newServer(t, app(backend)).Handler()
	ann, bob := forwarded("ann", "ann@example.org", token), forwarded("bob", "bob@example.org", token)
	begin := func(who http.Header) http.Header {
		return http.Header{"Mcp-Session-Id": {send(t, h, "POST", "/mcp", initialize, who).Header().Get("Mcp-Session-Id")}}
	}
	annID, bobID := begin(ann), begin(bob)
	for _, method := range []string{"POST", "GET", "DELETE"} {
		for name, stranger := range map[string]http.Header{
			"another": bob, "another with her address": forwarded("bob", "ann@example.org", token),
			"her address alone": forwarded("", "ann@example.org", token), "her id alone": forwarded("ann", "", token),
		} {
			w := send(t, h, method, "/mcp", callLine(1, "select_domain", `{"domain_name":"hr"}`), stranger, annID)
			if w.Code != http.StatusNotFound {
				t.Errorf("%s of %s: %d %s", method, name, w.Code, w.Body)
			}
			contains(t, method, w.Body.String(), "Unknown session")
		}
		if w := send(t, h, method, "/mcp", list, annID); w.Code != http.StatusUnauthorized {
			t.Errorf("%s of nobody: %d", method, w.Code)
		}
	}
	send(t, h, "POST", "/mcp", callLine(1, "select_domain", `{"domain_name":"crm"}`), ann, annID)
	send(t, h, "POST", "/mcp", callLine(1, "select_domain", `{"domain_name":"hr"}`), bob, bobID)
	later := forwarded("ann", "ann@example.org", "another-token")
	contains(t, "hers", send(t, h, "POST", "/mcp", callLine(1, "get_status", "{}"), later, annID).Body.String(), "[crm, version 1]")
	contains(t, "his", send(t, h, "POST", "/mcp", callLine(1, "describe_ontology", "{}"), bob, bobID).Body.String(), "[hr, version 1]")

	text := send(t, h, "POST", "/mcp", callLine(1, "list_domains", "{}"), ann, annID).Body.String()
	contains(t, "her domains", text, "of_annann@example.org")
	if strings.Contains(text, "of_bob") {
		t.Errorf("she sees his domains: %s", text)
	}
	text = send(t, h, "POST", "/mcp", callLine(1, "get_status", `{"domain_name":"of_bobbob@example.org"}`), ann, annID).Body.String()
	contains(t, "his domain for her", text, "Unknown domain", `"isError":true`)
	if w := send(t, h, "DELETE", "/mcp", "", ann, annID); w.Code != http.StatusOK {
		t.Errorf("her own DELETE: %d", w.Code)
	}
}

// No token and nobody's name is in any log line or answer, whatever goes wrong.
func TestTokensAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	backend := &panicking{fakeBackend: newFake()}
	s := newServer(t, func(c *server.Config) {
		c.Backend, c.App = backend, true
		c.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	h := s.Handler()
	who := forwarded("ann-user", "ann@example.org", token)
	var answers strings.Builder
	ask := func(method, path, body string, more ...http.Header) http.Header {
		w := send(t, h, method, path, body, append(more, who)...)
		answers.WriteString(w.Body.String())
		return w.Header()
	}
	id := http.Header{"Mcp-Session-Id": {ask("POST", "/mcp", initialize).Get("Mcp-Session-Id")}}
	for _, tool := range append([]string{"nope"}, allTools...) {
		args, err := json.Marshal(argumentsOf(tool))
		if err != nil {
			t.Fatal(err)
		}
		ask("POST", "/mcp", callLine(1, tool, string(args)), id)
	}
	ask("POST", "/mcp", `{"jsonrpc":"2.0"`, id)
	ask("GET", "/mcp/nowhere", "")
	ask("POST", "/mcp/nowhere", initialize)
	backend.fail = fmt.Errorf("asking: %w", context.DeadlineExceeded)
	ask("POST", "/mcp", callLine(1, "list_domains", "{}"), id)
	ask("POST", "/mcp/crm", initialize)
	backend.armed.Store(true)
	ask("POST", "/mcp", callLine(1, "list_domains", "{}"), id)
	ask("POST", "/mcp", initialize)
	ask("DELETE", "/mcp", "", id)
	contains(t, "the log", log.String(), `"tool":"list_domains"`, `"panic`)
	for _, secret := range []string{token, "secret_token", "ann-user", "ann@example.org"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q is in the log:\n%s", secret, log.String())
		}
		if strings.Contains(answers.String(), secret) {
			t.Errorf("%q is in an answer", secret)
		}
	}
}

// A listening stream, which may stay for days, keeps no token.
func TestStreamsKeepNoToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newServer(t, app(newFake())).Handler()
		who := forwarded("ann", "", token)
		id := send(t, h, http.MethodPost, "/mcp", initialize, who).Header().Get("Mcp-Session-Id")
		ctx, cancel := context.WithCancel(t.Context())
		r := newRequest(ctx, http.MethodGet, id, "")
		r.Header.Set("Authorization", "Bearer "+token)
		for k, v := range who {
			r.Header[k] = v
		}
		go h.ServeHTTP(httptest.NewRecorder(), r)
		synctest.Wait()
		for name, values := range r.Header {
			if strings.Contains(strings.Join(values, " "), token) {
				t.Errorf("the token is kept in %s", name)
			}
		}
		cancel()
		synctest.Wait()
	})
}

// An App is known by the host that its proxy forwards: whatever Host is asked, pages of
// that origin and of the list are allowed, and no others, loopback ones included.
func TestAppHostAndOrigins(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Backend, c.App, c.AllowOrigins = newFake(), true, []string{"https://console.example.org"}
	}).Handler()
	who := forwarded("ann", "", "")
	for _, c := range []struct {
		host, proto, origin string
		want                int
	}{
		{"app.example.org", "https", "", 200},
		{"app.example.org", "https", "https://app.example.org", 200},
		{"APP.example.org:443", "", "https://app.example.org", 200},
		{"app.example.org", "", "https://app.example.org:443", 200},
		{"app.example.org", "https", "http://app.example.org", 403},
		{"app.example.org", "http", "http://app.example.org", 200},
		{"app.example.org", "https", "https://app.example.org:8443", 403},
		{"app.example.org", "https", "https://evil.example.org", 403},
		{"app.example.org", "https", "https://app.example.org.evil.org", 403},
		{"app.example.org", "https", "http://localhost:6274", 403},
		{"app.example.org", "https", "http://10.0.0.7:8000", 403}, // the Host that is asked
		{"app.example.org", "https", "https://console.example.org", 200},
		{"", "https", "https://app.example.org", 403},
		{"", "", "http://localhost", 403},
		{"a b", "https", "https://a b", 403},
		{"app.example.org", "https", "null", 403},
	} {
		header := http.Header{"X-Forwarded-Host": {c.host}, "X-Forwarded-Proto": {c.proto}}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://10.0.0.7:8000/mcp", strings.NewReader(list))
		r.Header.Set("Content-Type", "application/json")
		for _, more := range []http.Header{header, who} {
			for k, v := range more {
				r.Header[k] = v
			}
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
		preflight := send(t, h, "OPTIONS", "/mcp", "", header)
		if want := map[int]int{200: 204, 403: 403}[c.want]; preflight.Code != want {
			t.Errorf("preflight of %+v: %d", c, preflight.Code)
		}
	}
}

// The addresses that an App tells are those of the forwarded host.
func TestAppAddresses(t *testing.T) {
	h := newServer(t, app(newFake())).Handler()
	for _, c := range []struct{ host, proto, want string }{
		{"app.example.org", "https", "https://app.example.org/mcp"},
		{"app.example.org", "", "https://app.example.org/mcp"},
		{"app.example.org:8443", "http", "http://app.example.org:8443/mcp"},
		{"", "", "http://localhost/mcp"},
		{`evil"><b`, "", "http://localhost/mcp"},
		{"a,b", "https", "https://localhost/mcp"},
	} {
		header := http.Header{"X-Forwarded-Host": {c.host}, "X-Forwarded-Proto": {c.proto}}
		var health struct{ MCP string }
		if err := json.Unmarshal(send(t, h, "GET", "/", "", header).Body.Bytes(), &health); err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("%+v", c), c.want, health.MCP)
	}
}

// A call has one number, for the log, for the caller of a fault and for the back end. In
// App mode it is that of the platform's proxy, when it is fit for a log.
func TestRequestNumbers(t *testing.T) {
	for inbound, kept := range map[string]bool{
		"3f2a-4b.c_9": true, strings.Repeat("a", 64): true, strings.Repeat("a", 65): false, "": false, "a b": false, "a\"b": false, "a\nb": false, "ä": false,
	} {
		var log bytes.Buffer
		backend := newPersonal()
		h := newServer(t, func(c *server.Config) {
			c.Backend, c.App, c.Logger = backend, true, slog.New(slog.NewJSONHandler(&log, nil))
		}).Handler()
		log.Reset()
		backend.all.ids = nil
		send(t, h, "POST", "/mcp", callLine(1, "list_domains", "{}"), forwarded("ann", "", ""), http.Header{"X-Request-Id": {inbound}})
		var line struct{ Request string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, log.String())
		}
		equal(t, "of the back end", []string{line.Request}, backend.all.ids)
		if (line.Request == inbound) != kept || line.Request == "" {
			t.Errorf("%q became %q", inbound, line.Request)
		}
	}
}
