package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

var errDown = &domains.Error{
	Kind: domains.ErrUpstream, Op: "listing domains", Message: "OntoBricks does not answer: try again in a minute.",
	Err: errors.New("dial tcp: https://bricks.internal: connection refused"),
}

// down is a fake back end of which nothing can be listed.
func down() *fakeBackend {
	b := newFake()
	b.infos, b.fail = nil, errDown
	return b
}

// A back end that is down does not keep the server from starting, or clients from
// connecting: they see all tools, and each says in the back end's own words what is
// wrong. When it answers again everything works, the domain of the start included.
func TestOutageAtTheStart(t *testing.T) {
	backend := down()
	var log bytes.Buffer
	base := serve(t, newServer(t, func(c *server.Config) {
		c.Backend, c.Domain, c.Logger = backend, "crm", slog.New(slog.NewTextHandler(&log, nil))
	}))
	contains(t, "the log", log.String(), "level=WARN", "could not be listed at the start", "connection refused")
	c := connect(t, base+"/mcp")
	equal(t, "tools", allTools, c.tools())
	for _, tool := range allTools {
		args, err := json.Marshal(argumentsOf(tool))
		if err != nil {
			t.Fatal(err)
		}
		text, isError := c.call(tool, string(args))
		if !isError {
			t.Errorf("%s: %s", tool, text)
		}
		equal(t, tool, errDown.Message, text)
	}
	r := (&client{t: t, url: base + "/mcp/crm"}).initializeRaw()
	equal(t, "an address", http.StatusBadGateway, r.status)
	equal(t, "an address", errDown.Message, r.message)
	r = (&client{t: t, url: base + "/"}).do(http.MethodGet, "", http.Header{"Accept": {"text/html"}})
	equal(t, "the page", errDown.Message, r.message)

	backend.infos, backend.fail = newFake().infos, nil
	text, isError := c.call("get_status", "{}")
	if isError {
		t.Errorf("after the outage: %s", text)
	}
	contains(t, "the answer", text, "[crm, version 1]")
	connect(t, base+"/mcp/crm")
}

// listing is a fake back end that notes each list: whether it was asked for once.
type listing struct {
	*fakeBackend
	once *[]bool
}

func (b listing) As(domains.Principal) domains.Backend { return b }

func (b listing) Domains(ctx context.Context) ([]domains.Info, error) {
	*b.once = append(*b.once, domains.AsksOnce(ctx))
	return b.fakeBackend.Domains(ctx)
}

// The start asks for the domains once, and tells the reason once when there are none.
// A server for one call lists them only to find its domain, and leaves it to the call
// to say what is wrong.
func TestListsAtTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		one    bool
		domain domains.Name
		start  []bool
		warns  bool
	}{
		"serving":               {false, "", []bool{true}, true},
		"one call":              {true, "", nil, false},
		"one call of a domain":  {true, "crm", []bool{true}, false},
		"serving with a domain": {false, "crm", []bool{true}, true},
	} {
		var log bytes.Buffer
		once := []bool{}
		s := newServer(t, func(config *server.Config) {
			config.Backend, config.OneCall, config.Domain = listing{down(), &once}, c.one, c.domain
			config.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		})
		equal(t, name+": lists at the start", len(c.start), len(once))
		for _, o := range once {
			equal(t, name+": asked once", true, o)
		}
		equal(t, name+": warnings", c.warns, log.Len() > 0)
		equal(t, name+": the reason is told", c.warns, strings.Count(log.String(), errDown.Message) == 1)
		once = nil
		text, isError, err := s.Call(t.Context(), "list_domains", nil)
		equal(t, name+": answer", []any{errDown.Message, true, nil}, []any{text, isError, err})
		equal(t, name+": lists of the call", []bool{false}, once)
	}
}

// A back end that does not answer at the start is said to be that, not a deadline.
func TestHungAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		backend := newFake()
		backend.hold = slowBackends["listens"]
		newServer(t, func(c *server.Config) { c.Backend, c.Logger = backend, slog.New(slog.NewTextHandler(&log, nil)) })
		contains(t, "the log", log.String(), `cause="no answer within 5s"`)
	})
}

// A domain of the start that could not be checked is checked when it is used.
func TestUncheckedDomainOfTheStart(t *testing.T) {
	backend := down()
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "nowhere" }))+"/mcp")
	backend.infos, backend.fail = newFake().infos, nil
	text, isError := c.call("get_status", "{}")
	if !isError {
		t.Error("an unknown domain is served")
	}
	contains(t, "the answer", text, "Unknown domain 'nowhere'. ", "Domains: ")
}

// A list that is not whole is used, and says so: a name that it holds is found, and one
// that it lacks may be among those that could not be listed.
func TestPartialList(t *testing.T) {
	backend := newFake()
	backend.fail = errDown
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, " CRM" }))
	c := connect(t, base+"/mcp")
	text, isError := c.call("list_domains", "{}")
	if isError {
		t.Error("what could be listed is not shown")
	}
	contains(t, "the list", text, "Available Domains (5)", "• supply_chain", "(Not all domains could be listed: "+errDown.Message+")", "crm")
	text, _ = c.call("get_status", "{}")
	contains(t, "the domain of the start", text, "[crm, version 1]")
	equal(t, "announced", []string{listChanged}, c.selects("Supply Chain"))
	text, isError = c.call("select_domain", `{"domain_name":"finance"}`)
	if !isError {
		t.Error("an unknown domain is selected")
	}
	equal(t, "an unknown name", errDown.Message+" Domains: broken (unavailable), crm, hr, shop, supply_chain.", text)
	text, _ = c.call("select_domain", `{}`)
	contains(t, "no name", text, "select_domain needs 'domain_name'.", "Domains: broken", "(Not all domains could be listed: ")
	connect(t, base+"/mcp/hr")
	r := (&client{t: t, url: base + "/mcp/finance"}).initializeRaw()
	equal(t, "an address that may exist", http.StatusBadGateway, r.status)
	page := (&client{t: t, url: base + "/"}).do(http.MethodGet, "", http.Header{"Accept": {"text/html"}}).body
	contains(t, "the page", page, base+"/mcp/hr", "Not all domains could be listed")
	r = c.request("resources/read", `{"uri":"ontobricks://domains"}`)
	contains(t, "the resource", r.body, "supply_chain")
}

// With no domain every tool says what to do next, and none fails.
func TestEveryToolWithoutDomains(t *testing.T) {
	backend := newFake()
	backend.infos = nil
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))+"/mcp")
	equal(t, "tools", allTools, c.tools())
	for _, tool := range allTools {
		for _, args := range []map[string]any{nil, argumentsOf(tool)} {
			data, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			if args == nil {
				data = []byte("{}")
			}
			if args == nil && len(argumentsOf(tool)) > 1 {
				continue // told first which arguments it needs
			}
			r := c.request("tools/call", `{"name":"`+tool+`","arguments":`+string(data)+`}`)
			text, _ := r.text(t)
			contains(t, tool, text, "the person who runs this server")
		}
	}
}

// A back end that hangs keeps no client waiting for what can do without: initialize has
// two seconds, lists have five, and then everything is listed. The server starts, too.
func TestHungBackend(t *testing.T) {
	for name, hold := range slowBackends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				backend := newFake()
				backend.hold = hold
				start := time.Now()
				took := func(what string, most time.Duration) {
					t.Helper()
					if d := time.Since(start); d > most {
						t.Errorf("%s took %s", what, d)
					}
					start = time.Now()
				}
				s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
				took("New", 5*time.Second)
				h := s.Handler()
				w := direct(t, h, http.MethodPost, "", initialize)
				took("initialize", 2*time.Second)
				contains(t, "initialize", w.Body.String(), "Ontogate serves ontology domains")
				id := w.Header().Get("Mcp-Session-Id")
				for _, method := range []string{"tools/list", "resources/list"} {
					w := direct(t, h, http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)
					took(method, 5*time.Second)
					if w.Code != http.StatusOK || (method == "tools/list" && strings.Count(w.Body.String(), `"inputSchema"`) != len(allTools)) {
						t.Errorf("%s: %d %s", method, w.Code, w.Body)
					}
				}
				w = send(t, h, http.MethodPost, "/mcp/crm", initialize)
				took("an address", 5*time.Second)
				equal(t, "an address", http.StatusBadGateway, w.Code)
				w = send(t, h, http.MethodGet, "/", "", http.Header{"Accept": {"text/html"}})
				took("the page", 5*time.Second)
				equal(t, "the page", http.StatusBadGateway, w.Code)
			})
		})
	}
}

// probed is a back end that can say whether it is ready.
type probed struct {
	*fakeBackend
	probes atomic.Int32
	mu     sync.Mutex
	ready  func(context.Context) error
}

func (b *probed) becomes(ready func(context.Context) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready = ready
}

func (b *probed) Ready(ctx context.Context) error {
	b.probes.Add(1)
	b.mu.Lock()
	ready := b.ready
	b.mu.Unlock()
	return ready(ctx)
}

// Readiness is asked of the back end once in ten seconds, for all who ask, and from any
// host; the reason is one sentence without an address.
func TestReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var err error
		backend := &probed{fakeBackend: newFake()}
		backend.becomes(func(context.Context) error { time.Sleep(time.Second); return err })
		var log bytes.Buffer
		s := newServer(t, func(c *server.Config) {
			c.Backend, c.App, c.Logger = backend, true, slog.New(slog.NewTextHandler(&log, nil))
		})
		h := s.Handler()
		ask := func() (int, string) {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://10.1.2.3/readyz", nil))
			return w.Code, strings.TrimSpace(w.Body.String())
		}
		all := func(probes int32, status int, body string) {
			t.Helper()
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					code, text := ask()
					equal(t, "status", status, code)
					equal(t, "body", body, text)
				})
			}
			wg.Wait()
			equal(t, "probes", probes, backend.probes.Load())
		}
		all(1, 200, `{"status":"ready"}`)
		time.Sleep(9 * time.Second)
		err = errDown
		all(1, 200, `{"status":"ready"}`)
		time.Sleep(time.Second)
		all(2, 503, `{"status":"not ready","reason":"`+errDown.Message+`"}`)
		err = errors.New("dial tcp: https://bricks.internal: refused")
		time.Sleep(10 * time.Second)
		all(3, 503, `{"status":"not ready","reason":"The back end does not answer; the log says why."}`)
		equal(t, "log lines", 2, strings.Count(log.String(), `msg="not ready"`))
		time.Sleep(10 * time.Second)
		backend.becomes(func(context.Context) error { panic("out of order") })
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://10.1.2.3/readyz", nil))
		equal(t, "a panic", 500, w.Code)
		all(4, 503, `{"status":"not ready","reason":"The back end could not be asked."}`)
		for name, hold := range slowBackends {
			time.Sleep(10 * time.Second)
			backend.becomes(hold)
			start := time.Now()
			code, text := ask()
			if took := time.Since(start); took != 5*time.Second || code != 503 {
				t.Errorf("%s: %d after %s", name, code, took)
			}
			equal(t, "the reason", `{"status":"not ready","reason":"The back end did not answer within 5s."}`, text)
		}
		go s.Shutdown(t.Context())
		synctest.Wait()
		code, text := ask()
		equal(t, "while stopping", 503, code)
		equal(t, "while stopping", `{"status":"not ready","reason":"The server is stopping."}`, text)
	})
}

// A back end that depends on nothing is ready; health never asks it.
func TestReadinessWithoutProbe(t *testing.T) {
	h := newServer(t, func(c *server.Config) { c.Backend = down() }).Handler()
	equal(t, "readiness", `{"status":"ready"}`, strings.TrimSpace(send(t, h, http.MethodGet, "/readyz", "").Body.String()))
	equal(t, "health", 200, send(t, h, http.MethodGet, "/healthz", "").Code)
	equal(t, "the front", 200, send(t, h, http.MethodGet, "/", "").Code)
}

// In front of a deployment the front says which, as OntoBricks' own server does; health
// does not.
func TestDeployment(t *testing.T) {
	h := newServer(t, func(c *server.Config) {
		c.Deployment = server.Deployment{URL: "https://bricks.example.org", Registry: "main.reg.OntoBricksRegistry"}
	}).Handler()
	equal(t, "the front", `{"status":"healthy","service":"ontogate","ontobricks_url":"https://bricks.example.org","warehouse_id":"",`+
		`"registry":"main.reg.OntoBricksRegistry","version":"test","mcp":"http://localhost/mcp"}`,
		strings.TrimSpace(send(t, h, http.MethodGet, "/", "").Body.String()))
	equal(t, "health", `{"status":"healthy","service":"ontogate","version":"test","mcp":"http://localhost/mcp"}`,
		strings.TrimSpace(send(t, h, http.MethodGet, "/healthz", "").Body.String()))
}

// Two servers in one client's configuration can be told apart by their names.
func TestServerName(t *testing.T) {
	var hello struct {
		ServerInfo struct{ Name, Title, Version string }
	}
	c := &client{t: t, url: serve(t, newServer(t, func(c *server.Config) { c.Name = "sales" })) + "/mcp"}
	c.decode(c.initialize(), &hello)
	equal(t, "the server", struct{ Name, Title, Version string }{"sales", "sales", "test"}, hello.ServerInfo)
}
