package server_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// changing is the fake back end with domains that change while they are watched.
type changing struct {
	*fakeBackend

	mu       sync.Mutex
	current  []domains.Info
	down     error
	changed  func(domains.Name)
	watching chan struct{} // closed when the watch begins
	watches  atomic.Int32
	breaks   error // ends the first watch
}

func newChanging() *changing {
	b := newFake()
	return &changing{fakeBackend: b, current: b.infos, watching: make(chan struct{})}
}

// now is the back end as it is at this moment.
func (b *changing) now() *fakeBackend {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := *b.fakeBackend
	now.infos, now.fail = slices.Clone(b.current), b.down
	return &now
}

func (b *changing) As(domains.Principal) domains.Backend { return b }

func (b *changing) Domains(ctx context.Context) ([]domains.Info, error) { return b.now().Domains(ctx) }

func (b *changing) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	now := b.now()
	if now.fail != nil {
		return nil, now.fail
	}
	return now.Open(ctx, name)
}

func (b *changing) Watch(ctx context.Context, changed func(domains.Name)) error {
	b.mu.Lock()
	b.changed = changed
	if b.watches.Add(1) == 1 {
		close(b.watching)
		if b.breaks != nil {
			b.mu.Unlock()
			return b.breaks
		}
	}
	b.mu.Unlock()
	<-ctx.Done()
	return nil
}

// change alters the domains, and tells whoever watches that some may differ. It returns
// when that is dealt with.
func (b *changing) change(alter func([]domains.Info) []domains.Info, told ...domains.Name) {
	<-b.watching
	b.mu.Lock()
	b.current = alter(slices.Clone(b.current))
	changed := b.changed
	b.mu.Unlock()
	for _, name := range told {
		changed(name)
	}
}

// hide is a change of a domain's policy.
func hide(name domains.Name, tools ...string) func([]domains.Info) []domains.Info {
	return func(infos []domains.Info) []domains.Info {
		for i := range infos {
			if infos[i].Name == name {
				infos[i].Policy = domains.Policy{DisabledTools: tools}
			}
		}
		return infos
	}
}

// drop is a domain that is gone.
func drop(name domains.Name) func([]domains.Info) []domains.Info {
	return func(infos []domains.Info) []domains.Info {
		return slices.DeleteFunc(infos, func(i domains.Info) bool { return i.Name == name })
	}
}

func same(infos []domains.Info) []domains.Info { return infos }

// event waits for the next message on a listening stream.
func (l *listening) event(t *testing.T) string {
	t.Helper()
	if l.lines == nil {
		l.lines = bufio.NewReader(l.res.Body)
	}
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the listening stream ended: %v", err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data)
		}
	}
}

const announcement = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// A policy that changes is announced once to each client that selected the domain, or is
// connected to its address, and to no other; each then gets the new list.
func TestPolicyChangesAreAnnounced(t *testing.T) {
	backend := newChanging()
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	crm, hr, none := connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp")
	fixed, unread := connect(t, base+"/mcp/crm"), connect(t, base+"/mcp/crm")
	crm.selects("crm")
	hr.selects("hr")
	for _, c := range []*client{hr, none, fixed} {
		c.tools()
	}
	streams := map[*client]*listening{}
	for _, c := range []*client{crm, hr, none, fixed, unread} {
		streams[c] = listen(t, c)
	}
	for _, tools := range [][]string{{"get_status"}, {"get_status", "describe_entity"}, nil} {
		backend.change(hide("crm", tools...), "crm", "crm", "hr")
		for _, c := range []*client{crm, fixed} {
			equal(t, "announced", announcement, streams[c].event(t))
			equal(t, "tools", without(toolsOf["crm"], tools...), c.tools())
		}
	}
	backend.change(same, "crm", "hr", "shop", "nowhere")
	for _, c := range []*client{crm, hr, none, fixed, unread} {
		c.do(http.MethodDelete, "", nil)
		if text := streams[c].rest(t); strings.Contains(text, listChanged) {
			t.Errorf("announced without reason: %q", text)
		}
	}
}

// Without a listening stream a change is announced with the answer to the next call, or
// told by the next list, or goes to the stream that is opened next: once in any case.
func TestChangesWithoutListeningStream(t *testing.T) {
	backend := newChanging()
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	a, b, c := connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp")
	for _, client := range []*client{a, b, c} {
		client.selects("crm")
	}
	backend.change(hide("crm", "get_status"), "crm")
	status := func(c *client) reply { return c.request("tools/call", `{"name":"list_domains","arguments":{}}`) }
	equal(t, "with a ping", []string(nil), a.request("ping", "").events)
	r := a.do(http.MethodPost, callLine(9, "list_domains", "{}"), http.Header{"Accept": {"application/json"}})
	equal(t, "where only JSON is accepted", "application/json", r.header.Get("Content-Type"))
	r = status(a)
	equal(t, "with the next call", []string{listChanged}, r.events)
	if text, isError := r.text(t); isError || !strings.Contains(text, "crm") {
		t.Errorf("the answer beside it: %s", r.body)
	}
	equal(t, "with the call after", []string(nil), status(a).events)

	equal(t, "the list", without(toolsOf["crm"], "get_status"), b.tools())
	equal(t, "after the list", []string(nil), status(b).events)

	stream := listen(t, c)
	equal(t, "on the next stream", announcement, stream.event(t))
	equal(t, "after the stream", []string(nil), status(c).events)
	c.do(http.MethodDelete, "", nil)
	if text := stream.rest(t); strings.Contains(text, listChanged) {
		t.Errorf("announced twice: %q", text)
	}
}

// A domain that goes ends its selections, which is announced once; calls say what
// happened until another is selected. One that comes back has to be selected again.
func TestDomainsThatVanish(t *testing.T) {
	backend := newChanging()
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	c, other, fixed := connect(t, base+"/mcp"), connect(t, base+"/mcp"), connect(t, base+"/mcp/crm")
	c.selects("crm")
	other.selects("hr")
	fixed.tools()
	streams := map[*client]*listening{c: listen(t, c), other: listen(t, other), fixed: listen(t, fixed)}
	was := backend.now().infos
	backend.change(drop("crm"), "crm", "crm")
	equal(t, "announced", announcement, streams[c].event(t))
	equal(t, "announced at its address", announcement, streams[fixed].event(t))
	equal(t, "tools", allTools, c.tools())
	const gone = "Domain 'crm', which was selected, is gone: it was removed, renamed, or is not published any more. " +
		"To go on, call select_domain with another one (or pass domain_name). Domains: broken (unavailable), hr, shop, supply_chain."
	for _, tool := range []string{"get_status", "get_status", "list_domain_versions"} {
		text, isError := c.call(tool, "{}")
		equal(t, tool+" is an error", true, isError)
		equal(t, "the answer", gone, text)
	}
	text, isError := fixed.call("get_status", "{}")
	equal(t, "at its address an error", true, isError)
	equal(t, "the answer at its address", "Domain 'crm', to which this connection is fixed, is gone: it was removed, renamed, or is not published any more. "+
		"To go on, connect to "+base+"/mcp/{domain} for another one. Domains: broken (unavailable), hr, shop, supply_chain.", text)

	backend.change(func([]domains.Info) []domains.Info { return was }, "crm")
	equal(t, "announced at its address", announcement, streams[fixed].event(t))
	text, _ = fixed.call("get_status", "{}")
	contains(t, "the answer at its address", text, "[crm, version 1]")
	text, _ = c.call("get_status", "{}")
	contains(t, "the answer", text, "Domain 'crm', which was selected, is gone")
	c.selects("crm")
	text, _ = c.call("get_status", "{}")
	contains(t, "the answer", text, "[crm, version 1]")
	for _, client := range []*client{c, other, fixed} {
		client.do(http.MethodDelete, "", nil)
		if text := streams[client].rest(t); strings.Contains(text, listChanged) {
			t.Errorf("announced without reason: %q", text)
		}
	}
}

// A back end that cannot be asked changes nothing for clients; what it says when it
// answers again is compared with what they were told.
func TestOutageIsNoChange(t *testing.T) {
	backend := newChanging()
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))+"/mcp")
	c.selects("crm")
	c.tools()
	down := func(err error) {
		backend.mu.Lock()
		defer backend.mu.Unlock()
		backend.down = err
	}
	down(errors.New("connection refused"))
	backend.change(same, "crm")
	down(nil)
	backend.change(same, "crm")
	equal(t, "announced", []string(nil), c.request("tools/call", `{"name":"list_domains","arguments":{}}`).events)

	// A client that could list nothing but all tools hears of the right ones.
	down(errors.New("connection refused"))
	equal(t, "tools in the outage", allTools, c.tools())
	down(nil)
	backend.change(same, "crm")
	equal(t, "announced", []string{listChanged}, c.request("tools/call", `{"name":"list_domains","arguments":{}}`).events)
}

// On stdio a change is announced at once, between the answers.
func TestChangesOnStdio(t *testing.T) {
	backend := newChanging()
	s := newServer(t, func(c *server.Config) { c.Backend = backend })
	in, feed := io.Pipe()
	from, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(t.Context(), in, out); out.Close() }()
	lines := bufio.NewScanner(from)
	next := func() string {
		t.Helper()
		if !lines.Scan() {
			t.Fatalf("no more lines: %v", lines.Err())
		}
		return lines.Text()
	}
	fmt.Fprintln(feed, initialize)
	next()
	fmt.Fprintln(feed, callLine(1, "select_domain", `{"domain_name":"crm"}`))
	equal(t, "announced with the selection", announcement, next())
	next()
	backend.change(hide("crm", "get_status"), "crm", "hr")
	equal(t, "announced", announcement, next())
	backend.change(same, "crm")
	fmt.Fprintln(feed, callLine(2, "get_status", "{}"))
	contains(t, "the next line", next(), `"id":2`, "does not expose it")
	feed.Close()
	if lines.Scan() {
		t.Errorf("after the end: %s", lines.Text())
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A domain of the start is watched from the first session on; without a domain nothing
// is watched.
func TestWatchBegins(t *testing.T) {
	for name, watched := range map[domains.Name]bool{"crm": true, "": false} {
		backend := newChanging()
		c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, name }))+"/mcp")
		c.tools()
		if !watched {
			select {
			case <-backend.watching:
				t.Error("watched without a domain")
			default:
			}
			continue
		}
		backend.change(hide("crm", "get_status"), "crm")
		equal(t, "announced", []string{listChanged}, c.request("tools/call", `{"name":"list_domains","arguments":{}}`).events)
	}
}

// A watch that breaks off begins again after a minute, and ends with the server.
func TestWatchThatBreaksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newChanging()
		backend.breaks = errors.New("gone")
		s := newServer(t, func(c *server.Config) { c.Backend = backend })
		h := s.Handler()
		id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
		direct(t, h, http.MethodPost, id, callLine(1, "select_domain", `{"domain_name":"crm"}`))
		synctest.Wait()
		equal(t, "watches", int32(1), backend.watches.Load())
		time.Sleep(time.Minute) // of the bubble's clock
		synctest.Wait()
		equal(t, "watches", int32(2), backend.watches.Load())
		backend.change(hide("crm", "get_status"), "crm")
		contains(t, "the next answer", direct(t, h, http.MethodPost, id, callLine(2, "list_domains", "{}")).Body.String(), listChanged)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		synctest.Wait() // a goroutine that is left fails the bubble
	})
}

// What could not be written to a listening stream goes with the answer to the next call,
// once the stream is found to be gone.
func TestChangeOnBrokenStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		backend := newChanging()
		h := newServer(t, func(c *server.Config) { c.Backend = backend }).Handler()
		id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
		direct(t, h, http.MethodPost, id, callLine(1, "select_domain", `{"domain_name":"crm"}`))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel() // or a stream that does not end would hang the test
		go h.ServeHTTP(brokenResponse{httptest.NewRecorder()}, newRequest(ctx, http.MethodGet, id, ""))
		synctest.Wait()
		backend.change(hide("crm", "get_status"), "crm")
		time.Sleep(time.Minute) // of the bubble's clock: a heartbeat fails
		synctest.Wait()
		contains(t, "the next answer", direct(t, h, http.MethodPost, id, callLine(2, "list_domains", "{}")).Body.String(), listChanged)
	})
}

// viewed is a back end that shows users fewer tools than the program.
type viewed struct {
	*changing
	user bool
}

func (b viewed) As(p domains.Principal) domains.Backend { return viewed{b.changing, !p.IsProgram()} }

func (b viewed) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.changing.Open(ctx, name)
	if err == nil && b.user {
		d.Facts = nil
	}
	return d, err
}

// Where users see other tools than the program does, they are not told again and again:
// only when the program sees a change is there one.
func TestViewsThatDiffer(t *testing.T) {
	backend := newChanging()
	h := newServer(t, app(viewed{changing: backend})).Handler()
	who := forwarded("ann", "", "")
	id := http.Header{"Mcp-Session-Id": {send(t, h, http.MethodPost, "/mcp", initialize, who).Header().Get("Mcp-Session-Id")}}
	next := func() bool {
		defer send(t, h, http.MethodPost, "/mcp", list, who, id) // as a client does that is told
		text := send(t, h, http.MethodPost, "/mcp", callLine(2, "list_domains", "{}"), who, id).Body.String()
		return strings.Contains(text, listChanged)
	}
	send(t, h, http.MethodPost, "/mcp", callLine(1, "select_domain", `{"domain_name":"crm"}`), who, id)
	backend.change(same, "crm")
	next() // nothing is known of what the program saw before: either answer is right
	for range 3 {
		backend.change(same, "crm")
		equal(t, "announced without a change", false, next())
	}
	backend.change(hide("crm", "describe_ontology"), "crm")
	equal(t, "announced with a change", true, next())
}
