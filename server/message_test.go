package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/server"
)

// An id comes back as it was written, or is refused in an error that bears it: a client
// waits for ever for an id that it did not send.
func TestIDsComeBackAsTheyCame(t *testing.T) {
	c := connect(t, serve(t, newServer(t, nil))+"/mcp")
	for id, status := range map[string]int{
		`1`: 200, `-7`: 200, `9007199254740991`: 200, `"1764500000000000123"`: 200, `"a b"`: 200,
		`9007199254740992`: 400, `1764500000000000123`: 400, `-9007199254740993`: 400, `1e400`: 400, `123456789012345678901234567890`: 400,
	} {
		message := `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`
		r := c.post(message)
		lines := stdio(t, newServer(t, nil), message)
		if r.status != status || len(lines) != 1 {
			t.Errorf("id %s: status %d, want %d; %d lines on stdio", id, r.status, status, len(lines))
			continue
		}
		for _, answer := range []string{r.body, lines[0]} {
			var got struct{ ID, Error json.RawMessage }
			if err := json.Unmarshal([]byte(answer), &got); err != nil || string(got.ID) != id || (got.Error != nil) != (status == 400) {
				t.Errorf("id %s: %v, answered with %s", id, err, answer)
			}
		}
	}
}

// A session begins only with an initialize that was answered, and what a client says
// of itself is kept within a bound: otherwise few clients could fill the table or the memory.
func TestRefusedInitializeKeepsNothing(t *testing.T) {
	base := serve(t, newServer(t, func(c *server.Config) { c.MaxSessions = 1 }))
	c := &client{t: t, url: base + "/mcp"}
	large := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":%q}},"clientInfo":{"name":"t","version":"1"}}}`,
		strings.Repeat("x", 16<<10))
	for range 3 {
		if r := c.post(large); r.status != http.StatusRequestEntityTooLarge {
			t.Errorf("a large initialize: %d %s", r.status, r.body)
		}
		c.post(`{"jsonrpc":"1.0","id":1,"method":"initialize","params":[]}`)
	}
	if r := c.initialize(); r.status != http.StatusOK {
		t.Errorf("the only session there may be: %d %s", r.status, r.body)
	}
}

// Probes of a cluster name the address of a machine as Host; nothing else may.
func TestHealthForProbes(t *testing.T) {
	c := &client{t: t, url: serve(t, newServer(t, nil))}
	for path, want := range map[string]int{"/healthz": http.StatusOK, "/": http.StatusForbidden, "/mcp": http.StatusForbidden} {
		probe := &client{t: t, url: c.url + path}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if r := probe.do(method, "", http.Header{"Host": {"10.244.0.5:8000"}}); r.status != want {
				t.Errorf("%s %s: %d, want %d", method, path, r.status, want)
			}
		}
	}
}

// A client takes notifications when its Accept allows an event stream, however the
// header is written.
func TestAcceptIsReadAsHTTPMeansIt(t *testing.T) {
	base := serve(t, newServer(t, nil))
	for _, row := range []struct {
		accept []string
		events bool
	}{
		{[]string{"application/json, text/event-stream"}, true},
		{[]string{"application/json", "Text/Event-Stream"}, true},
		{[]string{"*/*"}, true},
		{[]string{"application/json"}, false},
	} {
		c := connect(t, base+"/mcp")
		r := c.do(http.MethodPost, callLine(1, "select_domain", `{"domain_name":"crm"}`), http.Header{"Accept": row.accept})
		if got := strings.Contains(r.body, "list_changed"); got != row.events {
			t.Errorf("Accept %q: notified %v\n%s", row.accept, got, r.body)
		}
	}
}
