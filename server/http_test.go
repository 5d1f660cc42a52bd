package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/server"
)

const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// A page in a browser must not reach the server under a name that it controls. A
// proxy drops or adds ports: a port that is missing on either side does not count.
func TestHosts(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, func(c *server.Config) {
		c.AllowHosts = []string{"graphs.example.org", "other.example.org:8443"}
	})) + "/mcp"}
	for host, want := range map[string]int{
		"127.0.0.1": 200, "127.0.0.1:9100": 200, "localhost": 200, "LOCALHOST:1": 200, "[::1]:9100": 200, "127.8.8.8": 200,
		"graphs.example.org": 200, "graphs.example.org:443": 200, "Graphs.Example.org": 200,
		"other.example.org": 200, "other.example.org:8443": 200, "other.example.org:1": 403,
		"evil.example.org": 403, "graphs.example.org.evil.org": 403, "localhost.evil.org": 403, "10.0.0.1": 403,
	} {
		r := c.do(http.MethodPost, list, http.Header{"Host": {host}})
		if r.status != want {
			t.Errorf("Host %s: %d, want %d", host, r.status, want)
		}
		if want == 403 && !strings.Contains(r.body, "--allow-host") {
			t.Errorf("Host %s: the refusal does not say what to do: %s", host, r.body)
		}
	}
	every := &client{t: t, url: serve(t, newServer(t, func(c *server.Config) { c.AllowHosts = []string{"*"} })) + "/mcp"}
	if r := every.do(http.MethodPost, list, http.Header{"Host": {"any.example.org"}}); r.status != 200 {
		t.Errorf("with *: %d", r.status)
	}
}

// Pages of other sites must not use the server in a visitor's name.
func TestOrigins(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, func(c *server.Config) {
		c.AllowHosts = []string{"graphs.example.org"}
		c.AllowOrigins = []string{"https://app.example.org", "plain.example.org", "https://port.example.org:8443"}
	})) + "/mcp"}
	for origin, want := range map[string]int{
		"http://localhost:6274": 200, "http://127.0.0.1": 200, "https://[::1]:1": 200,
		"https://app.example.org": 200, "https://app.example.org:8443": 200, "http://app.example.org": 403,
		"http://plain.example.org:80": 200, "https://port.example.org:8443": 200, "https://port.example.org:1": 403,
		"https://evil.example.org": 403, "null": 403, "http://localhost.evil.org": 403, "https://app.example.org.evil.org": 403,
	} {
		r := c.do(http.MethodPost, list, http.Header{"Origin": {origin}})
		if r.status != want {
			t.Errorf("Origin %s: %d, want %d", origin, r.status, want)
		}
		allowed := r.header.Get("Access-Control-Allow-Origin")
		if (want == 200) != (allowed == origin) {
			t.Errorf("Origin %s: allowed origin %q", origin, allowed)
		}
	}
	same := http.Header{"Origin": {"https://graphs.example.org"}, "Host": {"graphs.example.org"}}
	if r := c.do(http.MethodPost, list, same); r.status != 200 {
		t.Errorf("a page of the same host: %d %s", r.status, r.body)
	}
}

// A browser asks before it sends; every header that MCP clients send is allowed, and
// the session id may be read.
func TestPreflight(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, nil)) + "/mcp"}
	r := c.do(http.MethodOptions, "", http.Header{"Origin": {"http://localhost:6274"}, "Access-Control-Request-Method": {"POST"}})
	if r.status != http.StatusNoContent {
		t.Errorf("preflight: %d", r.status)
	}
	allowed := strings.Split(strings.ToLower(r.header.Get("Access-Control-Allow-Headers")), ", ")
	equal(t, "allowed headers", []string{
		"content-type", "accept", "authorization", "mcp-protocol-version", "mcp-session-id", "last-event-id", "mcp-method", "mcp-name",
	}, allowed)
	contains(t, "allowed methods", r.header.Get("Access-Control-Allow-Methods"), "GET", "POST", "DELETE")
	r = c.do(http.MethodPost, list, http.Header{"Origin": {"http://localhost:6274"}})
	contains(t, "exposed headers", strings.ToLower(r.header.Get("Access-Control-Expose-Headers")), "mcp-session-id")
	if r := c.do(http.MethodOptions, "", http.Header{"Origin": {"https://evil.example.org"}}); r.status != http.StatusForbidden {
		t.Errorf("preflight of a foreign page: %d", r.status)
	}
}

// A request larger than 1 MiB is refused, whether or not it says its length.
func TestBodyLimit(t *testing.T) {
	s := newServer(t, nil)
	big := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`
	for name, body := range map[string]io.Reader{"length known": strings.NewReader(big), "in chunks": io.MultiReader(strings.NewReader(big))} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", body)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		if w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
}

// Only the protocol versions with sessions are served: the stateless one shares what
// clients keep under one empty id. Its opening request is refused, and so clients
// fall back to initialize.
func TestProtocolVersions(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, nil)) + "/mcp"}
	modern := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modern + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modern + `}}`,
	} {
		r := c.do(http.MethodPost, body, http.Header{"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"}})
		if r.code == 0 || r.result != nil {
			t.Errorf("%s is answered: %s", body, r.body)
		}
	}
	if r := c.post(`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`); r.code == 0 {
		t.Errorf("server/discover is answered: %s", r.body)
	}
	for asked, want := range map[string]string{"2024-11-05": "2024-11-05", "2025-06-18": "2025-06-18", "2026-07-28": "2025-11-25", "?": "2025-11-25"} {
		var hello struct{ ProtocolVersion string }
		c.decode(c.request("initialize", `{"protocolVersion":"`+asked+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`), &hello)
		if hello.ProtocolVersion != want {
			t.Errorf("asked for %s: %s, want %s", asked, hello.ProtocolVersion, want)
		}
	}
}

// Only what is served is promised.
func TestCapabilities(t *testing.T) {
	var hello struct {
		Capabilities map[string]any
		ServerInfo   struct{ Name, Title, Version string }
	}
	c := &client{t: t, url: serve(t, newServer(t, nil)) + "/mcp"}
	c.decode(c.initialize(), &hello)
	equal(t, "capabilities", map[string]any{"tools": map[string]any{"listChanged": true}, "resources": map[string]any{}}, hello.Capabilities)
	equal(t, "the server", struct{ Name, Title, Version string }{"ontogate", "Ontogate", "test"}, hello.ServerInfo)
	for _, method := range []string{"prompts/list", "logging/setLevel", "completion/complete", "resources/subscribe"} {
		if r := c.request(method, `{"uri":"ontobricks://status","level":"debug"}`); r.code != -32601 {
			t.Errorf("%s: code %d, want method not found", method, r.code)
		}
	}
}

// An unknown tool is answered over MCP with the words of Call, and its name cannot reach
// the handler that answers for it.
func TestUnknownTool(t *testing.T) {
	s := newServer(t, nil)
	c := connect(t, serve(t, s)+"/mcp")
	for name, nearest := range map[string]string{"nope": "", "describe_entities": "Did you mean 'describe_entity'? ", "any other": "", "": ""} {
		want := "Unknown tool '" + name + "'. " + nearest + "Tools: " + strings.Join(allTools, ", ") + "."
		text, isError := c.call(name, `{"search":"x"}`)
		if !isError {
			t.Errorf("%q is no error", name)
		}
		equal(t, "over MCP", want, text)
		text, isError, err := s.Call(t.Context(), name, nil)
		if err != nil || !isError {
			t.Errorf("%q: %v", name, err)
		}
		equal(t, "by Call", want, text)
	}
}

// Behind a proxy that holds every answer back until it is whole, and packs it, clients
// get whole answers, since answers are plain JSON unless something is announced.
func TestBufferingProxy(t *testing.T) {
	target := serve(t, newServer(t, nil))
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out, err := http.NewRequestWithContext(r.Context(), r.Method, target+r.URL.Path, r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		out.Header = r.Header.Clone()
		res, err := http.DefaultClient.Do(out)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := io.Copy(z, res.Body); err != nil {
			t.Error(err)
		}
		z.Close()
		for k, v := range res.Header {
			w.Header()[k] = v
		}
		w.Header().Del("Content-Length")
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(res.StatusCode)
		_, _ = w.Write(packed.Bytes())
	}))
	defer proxy.Close()
	c := connect(t, proxy.URL+"/mcp")
	r := c.request("tools/list", "")
	equal(t, "content type", "application/json", r.header.Get("Content-Type"))
	equal(t, "announced", []string{listChanged}, c.selects("crm"))
	r = c.request("tools/call", `{"name":"describe_entity","arguments":{"search":"thing"}}`)
	equal(t, "content type", "application/json", r.header.Get("Content-Type"))
	text, _ := r.text(t)
	contains(t, "the answer", text, "thing of crm", "[crm, version 1]")
}

// The front says to programs that the server is healthy and to people what it is;
// names from the back end cannot become markup.
func TestFront(t *testing.T) {
	backend := newFake()
	backend.infos[1].Description = `<script>alert("1")</script>`
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	for _, path := range []string{"/", "/healthz"} {
		c := &client{t: t, url: base + path}
		r := c.do(http.MethodGet, "", nil)
		var health map[string]string
		if err := json.Unmarshal([]byte(r.body), &health); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		equal(t, path, map[string]string{"status": "healthy", "service": "ontogate", "version": "test", "mcp": base + "/mcp"}, health)
	}
	page := (&client{t: t, url: base + "/"}).do(http.MethodGet, "", http.Header{"Accept": {"text/html,*/*"}})
	contains(t, "the page", page.body, base+"/mcp", base+"/mcp/supply_chain", "(unavailable)", "&lt;script&gt;")
	if strings.Contains(page.body, "<script>") {
		t.Error("a description became markup")
	}
	if r := (&client{t: t, url: base + "/nowhere"}).do(http.MethodGet, "", nil); r.status != http.StatusNotFound {
		t.Errorf("an unknown path: %d", r.status)
	}
}

// Addresses in texts are those that clients know.
func TestPublicURL(t *testing.T) {
	base := serve(t, newServer(t, func(c *server.Config) { c.PublicURL = "https://graphs.example.org/" }))
	c := connect(t, base+"/mcp/crm")
	text, _ := c.call("select_domain", `{"domain_name":"hr"}`)
	contains(t, "the refusal", text, "https://graphs.example.org/mcp/hr")
}

// A domain's name may hold any character; in an address it is encoded.
func TestEncodedNames(t *testing.T) {
	backend := newFake()
	backend.infos = append(backend.infos, backend.infos[1], backend.infos[1])
	backend.infos[5].Name, backend.infos[6].Name = "a/b c", "50%25"
	base := serve(t, newServer(t, func(c *server.Config) { c.Backend = backend }))
	for path, name := range map[string]string{"/mcp/a%2Fb%20c": "a/b c", "/mcp/50%2525": "50%25"} {
		c := connect(t, base+path)
		text, _ := c.call("get_status", `{}`)
		contains(t, path, text, "["+name+", version 1]")
	}
}

// The client's connection is not left hanging, and the cause of a fault stays in the
// log, when a message makes the program panic outside of a tool.
func TestPanicOutsideOfTools(t *testing.T) {
	backend := &panicking{fakeBackend: newFake()}
	s := newServer(t, func(c *server.Config) { c.Backend = backend })
	c := &client{t: t, url: serve(t, s) + "/mcp"}
	backend.armed.Store(true)
	r := c.initializeRaw()
	if r.status != http.StatusInternalServerError || strings.Contains(r.body, "secret") {
		t.Errorf("%d %s", r.status, r.body)
	}
	contains(t, "the answer", r.body, "internal error (request ")
	answers := stdio(t, s, initialize)
	contains(t, "the answer", answers[0], "internal error (request ", "-32603")
}
