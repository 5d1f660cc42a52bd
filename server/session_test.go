package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/server"
)

const listChanged = "notifications/tools/list_changed"

// Two clients at once, each changing its selection among domains with different
// tools: every list is right for its own client, each change is announced exactly
// once to the client that made it, and selecting the same again announces nothing.
func TestSelectionIsAnnouncedOnceToItsOwnClient(t *testing.T) {
	url := serve(t, newServer(t, nil)) + "/mcp"
	names := []string{"crm", "hr", "shop", "supply_chain"}
	var wg sync.WaitGroup
	for k := range 2 {
		c := connect(t, url)
		equal(t, "tools before a selection", allTools, c.tools())
		wg.Go(func() {
			for i := range 100 {
				name := names[(i*(2*k+1)+k)%len(names)]
				equal(t, "announced with a change", []string{listChanged}, c.selects(name))
				equal(t, "tools of "+name, toolsOf[name], c.tools())
				equal(t, "announced without a change", []string(nil), c.selects(name))
			}
		})
	}
	wg.Wait()
}

// An open listening stream of either client gets nothing that belongs to the other,
// and nothing twice.
func TestListeningStreamsStaySilent(t *testing.T) {
	url := serve(t, newServer(t, nil)) + "/mcp"
	a, b := connect(t, url), connect(t, url)
	streams := []*listening{listen(t, a), listen(t, b)}
	for range 20 {
		equal(t, "announced", []string{listChanged}, a.selects("crm"))
		equal(t, "announced", []string{listChanged}, a.selects("hr"))
		b.tools()
	}
	for _, c := range []*client{a, b} {
		if r := c.do(http.MethodDelete, "", nil); r.status != http.StatusOK {
			t.Errorf("DELETE: %d", r.status)
		}
	}
	for _, s := range streams {
		if text := s.rest(t); strings.Contains(text, listChanged) {
			t.Errorf("a listening stream got %q", text)
		}
	}
}

// listening is an open listening stream.
type listening struct {
	res   *http.Response
	lines *bufio.Reader // set when its messages are read one by one
}

func listen(t *testing.T, c *client) *listening {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Mcp-Session-Id", c.session)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("GET: %d", res.StatusCode)
	}
	return &listening{res: res}
}

// rest reads the stream until the server ends it.
func (l *listening) rest(t *testing.T) string {
	t.Helper()
	defer l.res.Body.Close()
	var b strings.Builder
	buf := make([]byte, 1024)
	var from io.Reader = l.res.Body
	if l.lines != nil {
		from = l.lines
	}
	for {
		n, err := from.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

// A second listening stream takes the place of the first; both would share the
// messages otherwise. DELETE ends the one that is open.
func TestSessionHasOneListeningStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newServer(t, nil).Handler()
		id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
		var open [2]atomic.Bool
		for i := range open {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel() // or a stream that does not end would hang the test
			open[i].Store(true)
			go func() {
				directly(ctx, h, http.MethodGet, id, "")
				open[i].Store(false)
			}()
			synctest.Wait()
		}
		equal(t, "streams that are open", []bool{false, true}, []bool{open[0].Load(), open[1].Load()})
		direct(t, h, http.MethodDelete, id, "")
		synctest.Wait()
		equal(t, "the stream is open after DELETE", false, open[1].Load())
		equal(t, "status after DELETE", http.StatusNotFound, direct(t, h, http.MethodPost, id, list).Code)
	})
}

// direct sends a request to a handler, past the network.
func direct(t testing.TB, h http.Handler, method, session, body string) *httptest.ResponseRecorder {
	t.Helper()
	return directly(t.Context(), h, method, session, body)
}

// directly is direct with a context of its own.
func directly(ctx context.Context, h http.Handler, method, session, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, newRequest(ctx, method, session, body))
	return w
}

func newRequest(ctx context.Context, method, session, body string) *http.Request {
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost/mcp", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	return r
}

// Two clients with different selections and 1,000 calls side by side: no answer
// comes from the other's domain.
func TestSelectionsAreNotShared(t *testing.T) {
	url := serve(t, newServer(t, nil)) + "/mcp"
	var wg sync.WaitGroup
	for name, other := range map[string]string{"crm": "shop", "shop": "crm"} {
		c := connect(t, url)
		c.selects(name)
		for range 5 {
			mine := &client{t: t, url: url, session: c.session}
			wg.Go(func() {
				for range 100 {
					text, isError := mine.call("describe_entity", `{"search":"thing"}`)
					if isError || !strings.Contains(text, "thing of "+name) || strings.Contains(text, other) || !strings.HasSuffix(text, "["+name+", version 1]") {
						t.Errorf("%s got:\n%s", name, text)
					}
				}
			})
		}
	}
	wg.Wait()
}

// An unknown session is 404 so that clients begin anew; a session that is missing
// where one is needed is 400; other methods are 405. A session is unknown at every
// address but its own.
func TestUnknownSessions(t *testing.T) {
	base := serve(t, newServer(t, nil))
	own, fixed := connect(t, base+"/mcp"), connect(t, base+"/mcp/hr")
	for _, c := range []*client{
		{t: t, url: base + "/mcp", session: "nobody"},
		{t: t, url: base + "/mcp", session: fixed.session},
		{t: t, url: base + "/mcp/hr", session: own.session},
		{t: t, url: base + "/mcp/crm", session: fixed.session},
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			r := c.do(method, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil)
			if r.status != http.StatusNotFound {
				t.Errorf("%s %s with session %.6s: %d", method, c.url, c.session, r.status)
			}
		}
	}
	nowhere := &client{t: t, url: base + "/mcp/nope"}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		r := nowhere.do(method, list, nil)
		if r.status != http.StatusNotFound {
			t.Errorf("%s of an unknown domain: %d", method, r.status)
		}
		contains(t, method, r.body, "Unknown domain 'nope'")
	}
	none := &client{t: t, url: base + "/mcp"}
	for method, want := range map[string]int{
		http.MethodGet: http.StatusBadRequest, http.MethodDelete: http.StatusBadRequest,
		http.MethodPut: http.StatusMethodNotAllowed, http.MethodHead: http.StatusMethodNotAllowed,
	} {
		if r := none.do(method, "", nil); r.status != want {
			t.Errorf("%s without a session: %d, want %d", method, r.status, want)
		}
	}
	equal(t, "the sessions still work", allTools, own.tools())
}

// clock stands still until it is told otherwise.
type clock struct{ passed atomic.Int64 }

func (c *clock) now() time.Time       { return time.Unix(0, c.passed.Load()) }
func (c *clock) pass(d time.Duration) { c.passed.Add(int64(d)) }

// A session that rests longer than allowed is unknown at its next request; an open
// listening stream keeps it, and so does each request.
func TestIdleSessionEnds(t *testing.T) {
	var clock clock
	base := serve(t, newServer(t, func(c *server.Config) { c.Clock, c.SessionIdle = clock.now, 30*time.Minute }))
	idle, busy, listener := connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp")
	stream := listen(t, listener)
	for range 4 {
		clock.pass(29 * time.Minute)
		busy.tools()
	}
	if r := idle.request("tools/list", ""); r.status != http.StatusNotFound {
		t.Errorf("an idle session: %d", r.status)
	}
	equal(t, "a busy session", allTools, busy.tools())
	equal(t, "a listening session", allTools, listener.tools())
	listener.do(http.MethodDelete, "", nil)
	stream.rest(t)
}

// Beyond the limit a new session is refused for now; what ended or is idle makes
// room.
func TestSessionsAreLimited(t *testing.T) {
	var clock clock
	base := serve(t, newServer(t, func(c *server.Config) { c.MaxSessions, c.Clock = 2, clock.now }))
	a, _ := connect(t, base+"/mcp"), connect(t, base+"/mcp")
	refused := func() {
		t.Helper()
		c := &client{t: t, url: base + "/mcp"}
		r := c.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
		if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
			t.Errorf("a session too many: %d, Retry-After %q", r.status, r.header.Get("Retry-After"))
		}
	}
	refused()
	a.do(http.MethodDelete, "", nil)
	connect(t, base+"/mcp")
	refused()
	clock.pass(time.Hour)
	connect(t, base+"/mcp")
}

// Session ids cannot be guessed and do not repeat.
func TestSessionIDs(t *testing.T) {
	base := serve(t, newServer(t, nil))
	seen := map[string]bool{}
	for range 50 {
		id := connect(t, base+"/mcp").session
		if len(id) < 40 || seen[id] {
			t.Errorf("session id %q", id)
		}
		seen[id] = true
	}
}

// At /mcp/{domain} the list fits the domain from the first request on. Another
// selection or domain_name is refused with the address of that domain, selecting the
// same domain is fine, and announces nothing. The list changes only with the domain's
// policy, which is why it is said that it may.
func TestFixedAddress(t *testing.T) {
	base := serve(t, newServer(t, func(c *server.Config) { c.Domain = "crm" }))
	c := &client{t: t, url: base + "/mcp/shop"}
	var hello struct {
		Capabilities struct{ Tools map[string]bool }
	}
	c.decode(c.initialize(), &hello)
	if !hello.Capabilities.Tools["listChanged"] {
		t.Error("a list that a policy changes is said to be fixed")
	}
	for _, c := range []*client{c, {t: t, url: base + "/mcp/shop"}} {
		equal(t, "tools", toolsOf["shop"], c.tools())
		equal(t, "announced", []string(nil), c.selects("shop"))
		text, isError := c.call("list_entity_types", `{"domain_name":"Shop"}`)
		if isError {
			t.Errorf("its own name: %s", text)
		}
		for tool, args := range map[string]string{
			"select_domain":        `{"domain_name":"hr"}`,
			"list_domain_versions": `{"domain_name":"hr"}`,
			"describe_entity":      `{"domain_name":"hr","search":"x"}`,
		} {
			text, isError := c.call(tool, args)
			if !isError {
				t.Errorf("%s with another domain is answered", tool)
			}
			contains(t, tool, text, "fixed to domain 'shop'", base+"/mcp/hr")
		}
		equal(t, "tools", toolsOf["shop"], c.tools())
	}
	unknown := &client{t: t, url: base + "/mcp/Shop"}
	if r := unknown.request("tools/list", ""); r.status != http.StatusNotFound || !strings.Contains(r.body, "Did you mean 'shop'?") {
		t.Errorf("an unknown domain: %d %s", r.status, r.body)
	}
}

// A client that never initialises is answered without state: the full list, tools
// by domain_name, and a selection that is checked but not kept. No session id is
// sent to it.
func TestRequestsThatStandAlone(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, nil)) + "/mcp"}
	equal(t, "announced", []string(nil), c.selects("hr"))
	equal(t, "tools", allTools, c.tools())
	text, isError := c.call("describe_entity", `{"search":"thing"}`)
	if !isError {
		t.Errorf("without a domain: %s", text)
	}
	contains(t, "the error", text, "No domain selected", "domain_name", c.url+"/{domain}", "Domains: broken (unavailable), crm")
	text, isError = c.call("describe_entity", `{"search":"thing","domain_name":"crm"}`)
	if isError {
		t.Errorf("with domain_name: %s", text)
	}
	r := c.request("tools/call", `{"name":"select_domain","arguments":{"domain_name":"hr"}}`)
	if id := r.header.Get("Mcp-Session-Id"); id != "" {
		t.Errorf("a session id was sent: %q", id)
	}
	text, _ = r.text(t)
	contains(t, "the selection", text, "no session")
	if r := c.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); r.status != http.StatusAccepted {
		t.Errorf("a notification: %d %s", r.status, r.body)
	}
}

// Clients without a session use the same request ids; none can cancel the request of
// another. In a session a client can cancel its own.
func TestCancelReachesOnlyItsOwnRequest(t *testing.T) {
	started, cancelled := make(chan struct{}), make(chan struct{})
	release := make(chan struct{})
	backend := newFake()
	backend.find = func(ctx context.Context) (*matches, error) {
		started <- struct{}{}
		select {
		case <-ctx.Done():
			close(cancelled)
			return nil, ctx.Err()
		case <-release:
			return &matches{}, nil
		}
	}
	url := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend })) + "/mcp"
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
	slow := func(c *client) chan reply {
		done := make(chan reply, 1)
		go func() {
			done <- c.post(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe_entity","arguments":{"search":"x","domain_name":"crm"}}}`)
		}()
		<-started
		return done
	}
	alone, stranger, own := &client{t: t, url: url}, &client{t: t, url: url}, connect(t, url)
	other := connect(t, url)
	done := slow(alone)
	for _, c := range []*client{stranger, own, other} {
		if r := c.post(cancel); r.status != http.StatusAccepted {
			t.Errorf("cancelling: %d", r.status)
		}
	}
	close(release)
	if text, isError := (<-done).text(t); isError {
		t.Errorf("a stranger cancelled it: %s", text)
	}
	release = make(chan struct{})
	done = slow(own)
	other.post(cancel)
	select {
	case <-cancelled:
		t.Fatal("another session cancelled it")
	default:
	}
	own.post(cancel)
	<-cancelled
	<-done
}

// Nothing is left of sessions and requests that are over: no goroutine (the bubble
// would fail), no session of ours, and nothing that mcp-go keeps under their ids. Idle
// sessions end when any other request comes.
func TestNothingIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, func(c *server.Config) { c.MaxSessions = 10 })
		h := s.Handler()
		for round := range 10 {
			var ids []string
			for range 10 {
				id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
				if id == "" {
					t.Fatalf("round %d: no session", round)
				}
				ids = append(ids, id)
				ctx, gone := context.WithCancel(t.Context())
				go directly(ctx, h, http.MethodGet, id, "")
				for i := range 5 {
					direct(t, h, http.MethodPost, id, callLine(i, "select_domain", `{"domain_name":"`+[]string{"crm", "hr"}[i%2]+`"}`))
				}
				synctest.Wait()
				gone()
				synctest.Wait()
				direct(t, h, http.MethodPost, id, list)
			}
			time.Sleep(31 * time.Minute) // of the bubble's clock: all sessions are idle
			direct(t, h, http.MethodPost, "", list)
			equal(t, "sessions that are kept", 0, s.Sessions())
			for _, id := range ids {
				if s.TransportKnows(id) {
					t.Errorf("mcp-go keeps session %.6s", id)
				}
			}
		}
	})
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// With a domain of the start every session begins there, and may still change.
func TestDomainOfTheStart(t *testing.T) {
	base := serve(t, newServer(t, func(c *server.Config) { c.Domain = "Supply Chain" }))
	c := connect(t, base+"/mcp")
	equal(t, "tools", toolsOf["supply_chain"], c.tools())
	equal(t, "announced", []string(nil), c.selects("supply_chain"))
	equal(t, "announced", []string{listChanged}, c.selects("hr"))
	equal(t, "tools", toolsOf["hr"], c.tools())
	alone := &client{t: t, url: base + "/mcp"}
	equal(t, "tools of a request that stands alone", toolsOf["supply_chain"], alone.tools())
	text, _ := alone.call("describe_entity", `{"search":"thing"}`)
	contains(t, "its answer", text, "[supply_chain, version 1]")

	_, err := server.New(t.Context(), server.Config{Backend: newFake(), Domain: "chain"})
	if err == nil {
		t.Fatal("an unknown domain of the start is accepted")
	}
	equal(t, "the error", "--domain: unknown domain 'chain'. Did you mean 'supply_chain'? Domains: broken (unavailable), crm, hr, shop, supply_chain.", err.Error())
}

// An argument wins over the selection, for that call alone, and the policy is that
// of the domain in effect.
func TestArgumentOverridesSelection(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	c.selects("hr")
	text, isError := c.call("describe_entity", `{"search":"thing","domain_name":"crm"}`)
	if isError {
		t.Errorf("the tool is offered by crm: %s", text)
	}
	contains(t, "the answer", text, "[crm, version 1]")
	text, isError = c.call("describe_ontology", `{"domain_name":"shop"}`)
	if !isError {
		t.Errorf("the policy of shop forbids it: %s", text)
	}
	text, _ = c.call("describe_ontology", `{}`)
	contains(t, "the next answer", text, "[hr, version 1]")
	equal(t, "tools", toolsOf["hr"], c.tools())
}

// A client that gets its answers as plain JSON only cannot be told of a change, but
// is answered.
func TestClientWithoutEventStreams(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "select_domain", "arguments": map[string]any{"domain_name": "hr"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := c.do(http.MethodPost, string(body), http.Header{"Accept": {"application/json"}})
	equal(t, "content type", "application/json", r.header.Get("Content-Type"))
	if _, isError := r.text(t); isError {
		t.Errorf("selecting: %s", r.body)
	}
	equal(t, "tools", toolsOf["hr"], c.tools())
}
