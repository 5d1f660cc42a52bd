package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// graphQLBackend is the fake back end with a service of its own for crm, and what was
// asked of it.
type graphQLBackend struct {
	*fakeBackend
	service fakeGraphQL

	mu     *sync.Mutex
	as     *[]domains.Principal
	bodies *[]string
	ids    *[]string
}

func newGraphQL() *graphQLBackend {
	b := &graphQLBackend{fakeBackend: newFake(), mu: &sync.Mutex{}, as: &[]domains.Principal{}, bodies: &[]string{}, ids: &[]string{}}
	b.service = fakeGraphQL{domain: "crm", hold: b.held}
	return b
}

func (b *graphQLBackend) As(p domains.Principal) domains.Backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	*b.as = append(*b.as, p)
	return b
}

func (b *graphQLBackend) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.fakeBackend.Open(ctx, name)
	if err != nil || d.Facts == nil {
		return d, err
	}
	g := b.service
	g.query = func(ctx context.Context, body []byte) (*domains.Reply, error) {
		b.mu.Lock()
		*b.bodies = append(*b.bodies, string(body))
		*b.ids = append(*b.ids, domains.RequestID(ctx))
		b.mu.Unlock()
		if b.service.query == nil {
			return replyOf(http.StatusOK, `{"data":{"things":[{"id":"1"}]}}`), nil
		}
		return b.service.query(ctx, body)
	}
	d.GraphQL = g
	return d, nil
}

// answering makes the service answer every query.
func (b *graphQLBackend) answering(status int, body string) *graphQLBackend {
	b.service.query = func(context.Context, []byte) (*domains.Reply, error) { return replyOf(status, body), nil }
	return b
}

// sent are the bodies that the service got.
func (b *graphQLBackend) sent() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string{}, *b.bodies...)
}

// ask sends one request to a server over the back end.
func ask(t testing.TB, b domains.Backend, change func(*server.Config), method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	s := newServer(t, func(c *server.Config) {
		c.Backend = b
		if change != nil {
			change(c)
		}
	})
	r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost"+target, strings.NewReader(body))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == ":host" {
			r.Host = header[i+1]
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

const someQuery = "{ \"query\" :\"{ things { id } }\", \"variables\":{\"n\": 1.50, \"é\":\"<&>\"}, \"depth\": 3,\t\"other\": null }\n"

// A request and its reply are passed on byte for byte, whatever the status.
func TestGraphQLIsForwardedAsItIs(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		kind   string
		body   string
	}{
		"data":         {200, "application/json", `{"data": {"things" :[]}}` + "\n"},
		"partial":      {400, "application/json; charset=utf-8", `{"data":{"things":null},"errors":[{"message":"The query could not be executed.","path":null}]}`},
		"refused":      {403, "application/json", `{"error":"authorization","message":"You are not a member of this domain's team","request_id":"x"}`},
		"validation":   {422, "application/json", `{"detail":[{"type":"missing"}]}`},
		"failed":       {502, "application/json", `{"error":"infrastructure","message":"Graph backend not configured or unreachable."}`},
		"page":         {500, "text/html", "<html>oops</html>"},
		"other type":   {200, "application/graphql-response+json", "{}"},
		"without type": {200, "", "\xff\x00"},
		"empty":        {200, "application/json", ""},
	} {
		for _, base := range []string{"/graphql", "/api/v1/graphql"} {
			b := newGraphQL()
			b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
				r := replyOf(c.status, c.body)
				r.ContentType, r.RetryAfter = c.kind, "7"
				return r, nil
			}
			w := ask(t, b, nil, http.MethodPost, base+"/crm", someQuery, "Accept", "application/graphql-response+json, application/json")
			equal(t, name+": status", c.status, w.Code)
			equal(t, name+": body", c.body, w.Body.String())
			equal(t, name+": type", c.kind, w.Header().Get("Content-Type"))
			equal(t, name+": Retry-After", "7", w.Header().Get("Retry-After"))
			equal(t, name+": kept by caches", "no-store", w.Header().Get("Cache-Control"))
			equal(t, name+": what a page may do", "default-src 'none'; sandbox", w.Header().Get("Content-Security-Policy"))
			equal(t, name+": what the service got", []string{someQuery}, b.sent())
			if id := w.Header().Get("X-Request-Id"); id == "" || id != (*b.ids)[0] {
				t.Errorf("%s: the request has the number %q, and the service was told %q", name, id, (*b.ids)[0])
			}
		}
	}
	for _, base := range []string{"/graphql", "/api/v1/graphql"} {
		w := ask(t, newGraphQL(), nil, http.MethodGet, base+"/crm/schema", "")
		equal(t, "schema", `{"sdl": "of crm", "ready": true}`, w.Body.String())
	}
}

// A reply is passed on while it comes: its beginning is there before its end is written.
func TestGraphQLIsStreamed(t *testing.T) {
	from, to := io.Pipe()
	b := newGraphQL()
	b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
		return &domains.Reply{Status: http.StatusOK, ContentType: "application/json", Body: from}, nil
	}
	url := serve(t, newServer(t, func(c *server.Config) { c.Backend = b }))
	first := strings.Repeat("x", 100<<10)
	go func() { _, _ = io.WriteString(to, first) }()
	res, err := http.Post(url+"/graphql/crm", "application/json", strings.NewReader(someQuery))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got := make([]byte, len(first))
	if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != first {
		t.Fatalf("the beginning does not come before the end: %v", err)
	}
	go func() { _, _ = io.WriteString(to, "end"); _ = to.Close() }()
	rest, err := io.ReadAll(res.Body)
	if err != nil || string(rest) != "end" {
		t.Errorf("the end is %q, %v", rest, err)
	}
}

// A reply that breaks off does not look whole to a client.
func TestGraphQLThatBreaksOff(t *testing.T) {
	b := newGraphQL()
	b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
		body := io.MultiReader(strings.NewReader(`{"data":`), broken{})
		return &domains.Reply{Status: http.StatusOK, ContentType: "application/json", Body: io.NopCloser(body)}, nil
	}
	var log syncBuffer
	url := serve(t, newServer(t, func(c *server.Config) {
		c.Backend, c.Logger = b, slog.New(slog.NewJSONHandler(&log, nil))
	}))
	res, err := http.Post(url+"/graphql/crm", "application/json", strings.NewReader(someQuery))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if data, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("%q looks whole", data)
	}
	contains(t, "the log", log.String(), `"outcome":"broken"`, `"cause":"it broke"`)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("it broke") }

// syncBuffer is a buffer that handlers write while tests read.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// What is refused here is told in the form of OntoBricks, with the status that clients
// decide by.
func TestGraphQLRefusals(t *testing.T) {
	upstream := func(kind, cause error) func(*graphQLBackend) {
		return func(b *graphQLBackend) {
			b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
				return nil, &domains.Error{Kind: kind, Message: "Told.", Err: cause}
			}
		}
	}
	closed := func(b *graphQLBackend) { b.infos[1].Policy.Closed = []domains.Endpoint{domains.EndpointGraphQL} }
	for name, c := range map[string]struct {
		method, target, body string
		change               func(*graphQLBackend)
		header               []string
		status               int
		code, message        string
	}{
		"unknown domain":  {"POST", "/graphql/crn", someQuery, nil, nil, 404, "not_found", "Unknown domain 'crn'. Did you mean 'crm'?"},
		"unknown schema":  {"GET", "/graphql/crn/schema", "", nil, nil, 404, "not_found", "Unknown domain 'crn'."},
		"other case":      {"POST", "/graphql/CRM", someQuery, nil, nil, 404, "not_found", "Unknown domain 'CRM'."},
		"unavailable":     {"POST", "/graphql/broken", someQuery, nil, nil, 503, "infrastructure", "Domain 'broken' is not available"},
		"no service":      {"POST", "/graphql/hr", someQuery, nil, nil, 404, "not_found", "Domain 'hr' has no GraphQL service. GET /graphql lists"},
		"closed":          {"POST", "/graphql/crm", someQuery, closed, nil, 403, "authorization", "The GraphQL endpoint of domain 'crm' is closed by the domain's settings."},
		"closed schema":   {"GET", "/graphql/crm/schema", "", closed, nil, 403, "authorization", "is closed"},
		"unreachable":     {"POST", "/graphql/crm", someQuery, upstream(domains.ErrUpstream, nil), nil, 502, "infrastructure", "Told."},
		"upstream slow":   {"POST", "/graphql/crm", someQuery, upstream(domains.ErrUpstream, context.DeadlineExceeded), nil, 504, "infrastructure", "Told."},
		"limit":           {"POST", "/graphql/crm", someQuery, upstream(domains.ErrLimit, nil), nil, 503, "infrastructure", "Told."},
		"refused":         {"POST", "/graphql/crm", someQuery, upstream(domains.ErrRefused, nil), nil, 403, "authorization", "Told."},
		"invalid":         {"POST", "/graphql/crm", someQuery, upstream(domains.ErrInvalid, nil), nil, 400, "validation", "Told."},
		"not JSON":        {"POST", "/graphql/crm", someQuery, nil, []string{"Content-Type", "text/plain"}, 415, "validation", "Content-Type: application/json"},
		"compressed":      {"POST", "/graphql/crm", someQuery, nil, []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}, 415, "validation", "without Content-Encoding"},
		"no type":         {"POST", "/graphql/crm", someQuery, nil, []string{"Content-Type", ""}, 415, "validation", "Content-Type: application/json"},
		"form":            {"POST", "/graphql/crm", someQuery, nil, []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "validation", "application/json"},
		"large":           {"POST", "/graphql/crm", strings.Repeat(" ", 1<<20+1), nil, nil, 413, "validation", "larger than 1 MiB"},
		"page":            {"GET", "/graphql/crm", "", nil, nil, 405, "method_not_allowed", "Send GraphQL requests with POST and Content-Type: application/json. GET /graphql/crm/schema reads the schema."},
		"delete":          {"DELETE", "/graphql/crm/schema", "", nil, nil, 405, "method_not_allowed", "GET"},
		"post of list":    {"POST", "/graphql", someQuery, nil, nil, 405, "method_not_allowed", "GET"},
		"depth":           {"GET", "/graphql/settings/depth", "", nil, nil, 404, "not_found", "no setting of depth"},
		"called settings": {"POST", "/graphql/settings", someQuery, nil, nil, 404, "not_found", "Unknown domain 'settings'."},
		"no address":      {"GET", "/graphql/crm/schemas", "", nil, nil, 404, "not_found", "GET /graphql/{domain}/schema"},
		"its version":     {"POST", "/api/v1/graphql/crm/v2/x", someQuery, nil, nil, 404, "not_found", "POST /graphql/{domain}"},
		"other host":      {"POST", "/graphql/crm", someQuery, nil, []string{":host", "evil.example.org"}, 403, "authorization", "--allow-host evil.example.org"},
		"other origin":    {"GET", "/api/v1/graphql", "", nil, []string{"Origin", "https://evil.example.org"}, 403, "authorization", "--allow-origin https://evil.example.org"},
		"its schema":      {"GET", "/api/v1/graphql/settings/schema", "", nil, nil, 404, "not_found", "Unknown domain 'settings'."},
	} {
		b := newGraphQL()
		if c.change != nil {
			c.change(b)
		}
		w := ask(t, b, nil, c.method, c.target, c.body, c.header...)
		var got struct {
			Error, Message string
			RequestID      string `json:"request_id"`
			Errors         []struct{ Message string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Errorf("%s: %q: %v", name, w.Body, err)
			continue
		}
		equal(t, name+": status", c.status, w.Code)
		equal(t, name+": error", c.code, got.Error)
		contains(t, name, got.Message, c.message)
		equal(t, name+": type", "application/json", w.Header().Get("Content-Type"))
		if got.RequestID == "" || got.RequestID != w.Header().Get("X-Request-Id") {
			t.Errorf("%s: the request number is %q", name, got.RequestID)
		}
		if (c.method == http.MethodPost) != (len(got.Errors) == 1 && got.Errors[0].Message == got.Message) {
			t.Errorf("%s: errors are %v", name, got.Errors)
		}
		if c.status == 405 && w.Header().Get("Allow") == "" {
			t.Errorf("%s: no method is said to be allowed", name)
		}
		if c.change == nil && len(b.sent()) > 0 {
			t.Errorf("%s: the service was asked", name)
		}
	}
}

// An error that says when to try again is 503 with that time, in whole seconds.
func TestGraphQLTryAgain(t *testing.T) {
	for after, want := range map[time.Duration]string{11 * time.Second: "11", 1500 * time.Millisecond: "2", time.Millisecond: "1"} {
		b := newGraphQL()
		b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
			return nil, &domains.Error{Kind: domains.ErrUpstream, Message: "Told.", RetryAfter: after}
		}
		w := ask(t, b, nil, http.MethodPost, "/graphql/crm", someQuery)
		equal(t, "status", http.StatusServiceUnavailable, w.Code)
		equal(t, "Retry-After", want, w.Header().Get("Retry-After"))
		contains(t, "the answer", w.Body.String(), `"error":"infrastructure","message":"Told."`, `"errors":[{"message":"Told."}]`)
	}
}

// A fault of ours shows nothing but the request's number.
func TestGraphQLFaultsOfOurs(t *testing.T) {
	for name, query := range map[string]func(context.Context, []byte) (*domains.Reply, error){
		"error":  func(context.Context, []byte) (*domains.Reply, error) { return nil, errors.New("secret") },
		"panic":  func(context.Context, []byte) (*domains.Reply, error) { panic("secret") },
		"status": func(context.Context, []byte) (*domains.Reply, error) { return replyOf(101, "secret"), nil },
	} {
		b := newGraphQL()
		b.service.query = query
		var log syncBuffer
		w := ask(t, b, func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(&log, nil)) }, http.MethodPost, "/graphql/crm", someQuery)
		if strings.Contains(w.Body.String(), "secret") || w.Code < 500 {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if name != "status" {
			contains(t, name, w.Body.String(), `"error":"internal_error","message":"internal error (request `)
			contains(t, name+" log", log.String(), "secret", w.Header().Get("X-Request-Id"))
		}
	}
}

// A service that does not answer is given up within the deadline; a late reply is
// thrown away, and its place is free again.
func TestGraphQLDeadline(t *testing.T) {
	late, shut := make(chan struct{}), make(chan struct{})
	b := newGraphQL()
	b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
		<-late // it does not listen
		return &domains.Reply{Status: 200, Body: closing{strings.NewReader("late"), shut}}, nil
	}
	w := ask(t, b, func(c *server.Config) { c.CallTimeout = 50 * time.Millisecond }, http.MethodPost, "/graphql/crm", someQuery)
	equal(t, "status", http.StatusGatewayTimeout, w.Code)
	contains(t, "the answer", w.Body.String(), `"infrastructure"`, "did not answer within 50ms")
	close(late)
	<-shut // Shutdown, at the end of the test, waits for the place
}

type closing struct {
	io.Reader
	done chan struct{}
}

func (c closing) Close() error { close(c.done); return nil }

// A body that stops in the middle is given up too.
func TestGraphQLThatStops(t *testing.T) {
	from, to := io.Pipe()
	b := newGraphQL()
	b.service.query = func(context.Context, []byte) (*domains.Reply, error) {
		return &domains.Reply{Status: 200, Body: from}, nil
	}
	url := serve(t, newServer(t, func(c *server.Config) { c.Backend, c.CallTimeout = b, 50*time.Millisecond }))
	go func() { _, _ = io.WriteString(to, "begin") }()
	res, err := http.Post(url+"/graphql/crm", "application/json", strings.NewReader(someQuery))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if data, err := io.ReadAll(res.Body); err == nil {
		t.Errorf("%q looks whole", data)
	}
}

// Who asks is who the back end is asked as, and without one nothing is asked.
func TestGraphQLIsAskedAsThePrincipal(t *testing.T) {
	app := func(c *server.Config) { c.App = true }
	for _, target := range []string{"/graphql/crm", "/api/v1/graphql/crm"} {
		b := newGraphQL()
		w := ask(t, b, app, http.MethodPost, target, someQuery, "X-Forwarded-Email", "ann@example.org", "X-Forwarded-Access-Token", "t0ken")
		equal(t, "status", 200, w.Code)
		as := (*b.as)[len(*b.as)-1]
		if as.Email != "ann@example.org" || as.Token != "t0ken" {
			t.Errorf("%s: asked as %q with the token %q", target, as.Email, as.Token)
		}
		b = newGraphQL()
		w = ask(t, b, app, http.MethodPost, target, someQuery)
		equal(t, "status without a user", 401, w.Code)
		if len(b.sent()) > 0 {
			t.Error("the service was asked for nobody")
		}
	}
	b := newGraphQL()
	ask(t, b, nil, http.MethodPost, "/graphql/crm", someQuery, "X-Forwarded-Email", "ann@example.org")
	if as := (*b.as)[len(*b.as)-1]; !as.IsProgram() {
		t.Error("outside App mode a header decides who asks")
	}
}

// What agents may see through MCP does not close the endpoint.
func TestGraphQLPolicyOfToolsIsNotOfEndpoints(t *testing.T) {
	b := newGraphQL()
	b.infos[1].Policy.DisabledTools = []string{"query_graphql", "get_graphql_schema"}
	equal(t, "query", 200, ask(t, b, nil, http.MethodPost, "/graphql/crm", someQuery).Code)
	equal(t, "schema", 200, ask(t, b, nil, http.MethodGet, "/graphql/crm/schema", "").Code)
}

// In read-only mode nothing but queries comes through, however a request is written.
func TestGraphQLReadOnly(t *testing.T) {
	readOnly := func(c *server.Config) { c.ReadOnly = true }
	for body, status := range map[string]int{
		`{"query":"{ things { id } }"}`:                                      200,
		`{"query":"query A { a } query B { b }","operationName":"B"}`:        200,
		`{"query":"mutation { x }"}`:                                         403,
		`{"query":"query A { a } mutation B { b }","operationName":"A"}`:     403,
		`{"query":"subscription { x }"}`:                                     403,
		`{"query":"mutation { x }","query":"{ a }"}`:                         403,
		`{"query":"{ a }","query":"mutation { x }"}`:                         403,
		`{"query":"mutation { x }","Query":"{ a }"}`:                         403,
		`{"Query":"{ a }"}`:                                                  403,
		`{"query":"{ a }","QUERY":"mutation { x }"}`:                         403,
		`{"\u0071uery":"mutation { x }"}`:                                    403,
		`[{"query":"{ a }"}]`:                                                403,
		`{"query":["{ a }"]}`:                                                403,
		`{"query":"{ a"}`:                                                    400,
		`{"query":"{ a }"`:                                                   403,
		"\xff\xfe{\x00}\x00":                                                 403,
		`{"id":"persisted"}`:                                                 403,
		`{"query":"` + strings.Repeat("{a", 3000) + `"}`:                     400,
		`{"query":"# { a }\nmutation { x }"}`:                                403,
		`{"query":"fragment F on Mutation { x } mutation M { ...F }"}`:       403,
		`{"query":"\ufeff{ a }","variables":{"query":"mutation { never }"}}`: 200,
	} {
		b := newGraphQL()
		w := ask(t, b, readOnly, http.MethodPost, "/graphql/crm", body)
		equal(t, body, status, w.Code)
		if (status == 200) != (len(b.sent()) == 1) {
			t.Errorf("%s: the service got %q", body, b.sent())
		}
	}
	b := newGraphQL()
	ask(t, b, nil, http.MethodPost, "/graphql/crm", `{"query":"mutation { x }"}`)
	equal(t, "otherwise the service decides", 1, len(b.sent()))
}

// forwarding is a back end that passes on the addresses without a domain.
type forwarding struct {
	*graphQLBackend
	asked *[]string
}

func (f forwarding) As(p domains.Principal) domains.Backend {
	f.graphQLBackend.As(p)
	return f
}

func (f forwarding) Forward(_ context.Context, path string) (*domains.Reply, error) {
	*f.asked = append(*f.asked, path)
	return replyOf(200, `{"of": "`+path+`"}`), nil
}

func TestGraphQLAddressesWithoutADomain(t *testing.T) {
	for _, base := range []string{"/graphql", "/api/v1/graphql"} {
		f := forwarding{newGraphQL(), &[]string{}}
		equal(t, "list", `{"of": "graphql"}`, ask(t, f, nil, http.MethodGet, base, "").Body.String())
		equal(t, "depth", `{"of": "graphql/settings/depth"}`, ask(t, f, nil, http.MethodGet, base+"/settings/depth", "").Body.String())
		equal(t, "asked", []string{"graphql", "graphql/settings/depth"}, *f.asked)

		b := newGraphQL()
		b.infos[4].Policy.Closed = []domains.Endpoint{domains.EndpointGraphQL}
		w := ask(t, b, nil, http.MethodGet, base, "")
		equal(t, "our own list", `{"success":true,"domains":[{"name":"crm","description":"customers and contracts"},{"name":"shop","description":"orders"}],"message":null}`, w.Body.String())
		equal(t, "its type", "application/json", w.Header().Get("Content-Type"))
	}
	j := domains.Join(domains.Member{Label: "a folder", Backend: newFake()})
	w := ask(t, j, nil, http.MethodGet, "/graphql", "")
	contains(t, "joined back ends without such an address", w.Body.String(), `{"success":true,"domains":[{"name":"crm",`)
	equal(t, "their depth", http.StatusNotFound, ask(t, j, nil, http.MethodGet, "/graphql/settings/depth", "").Code)
	equal(t, "no domains", `{"success":true,"domains":[],"message":null}`, ask(t, &fakeBackend{}, nil, http.MethodGet, "/graphql", "").Body.String())
}

// Names are percent-decoded once, as at /mcp/{domain}.
func TestGraphQLNamesInAddresses(t *testing.T) {
	b := newGraphQL()
	b.infos[1].Name = "a/b %25é"
	w := ask(t, b, nil, http.MethodPost, "/graphql/a%2Fb%20%2525%C3%A9", someQuery)
	equal(t, "status", 200, w.Code)
	w = ask(t, b, nil, http.MethodGet, "/api/v1/graphql/a%2Fb%20%2525%C3%A9/schema", "")
	equal(t, "schema", 200, w.Code)
}

// Pages of other sites get nothing, those that are allowed get the headers they need.
func TestGraphQLForBrowsers(t *testing.T) {
	allow := func(c *server.Config) { c.AllowOrigins = []string{"https://app.example.org"} }
	for _, target := range []string{"/graphql/crm", "/graphql", "/api/v1/graphql/crm/schema"} {
		w := ask(t, newGraphQL(), allow, http.MethodOptions, target, "", "Origin", "https://app.example.org", "Access-Control-Request-Method", "POST")
		equal(t, target+": preflight", http.StatusNoContent, w.Code)
		equal(t, target+": methods", "GET, POST, OPTIONS", w.Header().Get("Access-Control-Allow-Methods"))
		equal(t, target+": methods", "GET, POST, OPTIONS", w.Header().Get("Allow"))
		contains(t, target, w.Header().Get("Access-Control-Allow-Headers"), "Content-Type", "Authorization")
	}
	w := ask(t, newGraphQL(), allow, http.MethodPost, "/graphql/crm", someQuery, "Origin", "https://app.example.org")
	equal(t, "allowed", "https://app.example.org", w.Header().Get("Access-Control-Allow-Origin"))
	b := newGraphQL()
	w = ask(t, b, allow, http.MethodPost, "/graphql/crm", someQuery, "Origin", "https://evil.example.org")
	equal(t, "another site", http.StatusForbidden, w.Code)
	equal(t, "what the service got", 0, len(b.sent()))
}

// One line for each request, without what was asked.
func TestGraphQLLogLine(t *testing.T) {
	for target, want := range map[string]string{
		"POST /graphql/crm": `"tool":"graphql","domain":"crm"`, "GET /graphql/crm/schema": `"tool":"graphql schema","domain":"crm"`,
		"GET /graphql": `"tool":"graphql domains","domain":""`, "GET /graphql/crm": `"outcome":"invalid"`, "POST /graphql/hr": `"outcome":"refused"`,
		"POST /graphql/things": `"tool":"graphql","domain":""`,
	} {
		var log syncBuffer
		method, path, _ := strings.Cut(target, " ")
		w := ask(t, newGraphQL(), func(c *server.Config) {
			c.Logger = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
		}, method, path, someQuery)
		var lines []string
		for line := range strings.Lines(log.String()) {
			if strings.Contains(line, `"msg":"call"`) {
				lines = append(lines, line)
			}
		}
		if len(lines) != 1 {
			t.Fatalf("%s: %d lines:\n%s", target, len(lines), log.String())
		}
		contains(t, target, lines[0], want, `"duration":`, `"size":`, `"request":"`+w.Header().Get("X-Request-Id")+`"`)
		if strings.Contains(log.String(), "things") {
			t.Errorf("%s: the log holds what was asked:\n%s", target, log.String())
		}
	}
}
