package server_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/server"
)

// faultCall is a call whose own request to the deployment meets a fault.
type faultCall struct {
	tool, args string
	path       string // how the path of the request ends
	writes     bool
}

// endpoint stands for a GraphQL program at its address.
const endpoint = "POST /graphql/customer360"

var faultCalls = []faultCall{
	{tool: "list_domains", args: `{}`, path: "/api/v1/domains"},
	{tool: "select_domain", args: args("domain_name", "customer360"), path: "/api/v1/domains"},
	{tool: "list_entity_types", args: args("domain_name", "customer360"), path: "/digitaltwin/stats"},
	{tool: "describe_entity", args: args("domain_name", "customer360", "search", "Jacob"), path: "/triples/find"},
	{tool: "describe_ontology", args: args("domain_name", "customer360"), path: "/domain/ontology"},
	{tool: "query_graphql", args: args("domain_name", "customer360", "query", "{ customers(limit: 2) { id label } }"), path: "/graphql/customer360"},
	{tool: "get_entity_context", args: args("domain_name", "customer360", "entity_uri", bricktest.Jacob), path: "/nodes/context"},
	{tool: "invoke_entity_action", args: args("domain_name", "customer360", "entity_uri", bricktest.Jacob, "action", "main.ops.recompute_risk"), path: "/nodes/action", writes: true},
	{tool: "run_entity_business_rule", args: args("domain_name", "customer360", "entity_uri", bricktest.Jacob, "rule", "Vip"), path: "/nodes/business-rule", writes: true},
	{tool: endpoint, args: args("query", "{ customers(limit: 2) { id label } }"), path: "/graphql/customer360"},
}

// upstreamFault is one row: what goes wrong, and how a write that meets it is counted.
type upstreamFault struct {
	name  string
	fault bricktest.Fault
	// timeout bounds one request, limit the whole call; 0 means what they are usually.
	timeout, limit time.Duration
	// repeated is set where a refused write was not executed and is sent once more.
	repeated bool
}

const (
	signIn   = "<!DOCTYPE html><html><title>Sign in</title></html>"
	jsonKind = "application/json"
	tooMuch  = 100 << 20
)

// upstreamFaults are the rows; elsewhere is another host, to which nothing may be sent.
func upstreamFaults(elsewhere, home string) []upstreamFault {
	said := func(status, times int, body string, header ...string) bricktest.Fault {
		h := http.Header{"Content-Type": {jsonKind}}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return bricktest.Fault{Status: status, Times: times, Body: []byte(body), Header: h}
	}
	leaky := fmt.Sprintf(`{"error":"infrastructure","message":"GET %s/api?x=1 failed with Bearer abc.def-1 and %s0 at %s","request_id":"r-1"}`,
		home, programSecret, strings.TrimPrefix(home, "http://"))
	return []upstreamFault{
		{name: "slow", fault: bricktest.Fault{HangInBody: true}, timeout: 300 * time.Millisecond},
		{name: "hung", fault: bricktest.Fault{Hang: true}, timeout: 50 * time.Millisecond},
		{name: "hung for longer than a call may take", fault: bricktest.Fault{Hang: true}, limit: 100 * time.Millisecond},
		{name: "reset before the answer", fault: bricktest.Fault{ResetBeforeAnswer: true}},
		{name: "reset before the answer, after it was done", fault: bricktest.Fault{ResetBeforeAnswer: true, Handled: true}},
		{name: "reset in the body", fault: bricktest.Fault{ResetInBody: true}},
		{name: "truncated JSON", fault: bricktest.Fault{Rewrite: func(b []byte) []byte { return b[:len(b)/2] }}},
		{name: "wrong types", fault: bricktest.Fault{Rewrite: wrongTypes}},
		{name: "HTML error page", fault: said(500, 0, signIn, "Content-Type", "text/html")},
		{name: "HTML login page", fault: said(200, 0, signIn, "Content-Type", "text/html")},
		{name: "401 then good", fault: said(401, 1, "Unauthorized", "Content-Type", "text/plain"), repeated: true},
		{name: "401 always", fault: said(401, 0, "Unauthorized", "Content-Type", "text/plain"), repeated: true},
		{name: "403", fault: said(403, 0, `{"error":"authorization","message":"You are not a member of this domain's team","request_id":"r-1"}`)},
		{name: "404", fault: said(404, 0, `{"error":"not_found","message":"Nothing of that name is here","request_id":"r-1"}`)},
		{name: "404 of an older version", fault: said(404, 0, `{"detail":"Not Found"}`)},
		{name: "422", fault: said(422, 0, `{"detail":[{"type":"x","loc":["query","limit"],"msg":"Input should be less than or equal to 1000","input":"5000"}]}`)},
		{name: "429 with Retry-After", fault: said(429, 1, `{}`, "Retry-After", "3")},
		{name: "429 with a long Retry-After", fault: said(429, 0, `{}`, "Retry-After", "60")},
		{name: "502 once", fault: said(502, 1, "bad gateway", "Content-Type", "text/plain")},
		{name: "502 always", fault: said(502, 0, "bad gateway", "Content-Type", "text/plain")},
		{name: "502 of its warehouse, with secrets", fault: said(502, 0, leaky)},
		{name: "200 with success:false", fault: said(200, 0, `{"success":false,"message":"The graph store is being rebuilt"}`)},
		{name: "200 with success:false alone", fault: said(200, 0, `{"success":false}`)},
		{name: "100 MB", fault: bricktest.Fault{Huge: tooMuch}},
		{name: "a redirect elsewhere", fault: bricktest.Fault{Redirect: elsewhere + "/login?state=1"}},
		{name: "invalid UTF-8", fault: bricktest.Fault{Rewrite: func(b []byte) []byte { return bytes.Replace(b, []byte("{"), []byte("{\"x\":\"\xff\xfe\","), 1) }}},
	}
}

// wrongTypes makes numbers of all members of an answer.
func wrongTypes(b []byte) []byte {
	var members map[string]any
	if json.Unmarshal(b, &members) != nil {
		return []byte("7")
	}
	for name := range members {
		members[name] = 7
	}
	return mustJSON(members)
}

// faultEnd is what became of a call.
type faultEnd struct {
	text     string
	isError  bool
	requests int // that arrived at the address with the fault
	waits    time.Duration
}

// TestUpstreamFaults holds what reaches a model, and a GraphQL program, when the
// deployment fails: every tool of the table under every fault. Nothing secret is told or
// logged, what writes is sent once, no call waits longer than it may, and nothing is
// left running.
func TestUpstreamFaults(t *testing.T) {
	var strayed atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { strayed.Add(1) }))
	defer elsewhere.Close()
	healthy := map[string]string{}
	for _, c := range faultCalls {
		healthy[c.tool] = underFault(t, c, upstreamFault{name: "none", fault: bricktest.Fault{Times: -1}}).text
	}
	got := &txtar.Archive{Comment: []byte("What a model is told when OntoBricks fails (TestUpstreamFaults). In brackets: how often the request arrived, and what was waited between.\n\n")}
	for _, f := range upstreamFaults(elsewhere.URL, "http://127.0.0.1:8") {
		t.Run(f.name, func(t *testing.T) {
			var file faultFile
			for _, c := range faultCalls {
				r := underFault(t, c, f)
				checkFault(t, c, f, r)
				if !r.isError && r.text == healthy[c.tool] {
					r.text = "(as always)"
				}
				file.add(c.tool, r)
			}
			got.Files = append(got.Files, txtar.File{Name: f.name, Data: file.bytes()})
		})
	}
	if n := strayed.Load(); n != 0 {
		t.Errorf("%d requests went to another host", n)
	}
	golden(t, "testdata/upstream/faults.txtar", string(txtar.Format(got)))
}

// underFault is oneUnderFault. Where little time is given, a busy machine may take all of it
// before the request arrives: that says nothing, and the call is made again.
func underFault(t *testing.T, c faultCall, f upstreamFault) (out faultEnd) {
	t.Helper()
	for range 5 {
		out = oneUnderFault(t, c, f)
		if f.limit == 0 && f.timeout == 0 || out.requests > 0 {
			break
		}
	}
	return out
}

// oneUnderFault makes one call of a server that has just been started, and to which
// nothing of the deployment is known that is not older than the fault.
func oneUnderFault(t *testing.T, c faultCall, f upstreamFault) (out faultEnd) {
	t.Helper()
	t.Run(c.tool, func(t *testing.T) {
		transport := rest.NewTransport()
		transport.DisableKeepAlives = !c.writes // or it asks again itself when a kept connection ends
		p := newProxy(t, func(u *ontobricks.Config, s *server.Config) {
			u.Transport, u.Timeout = transport, f.timeout
			s.CallTimeout = cmp.Or(f.limit, s.CallTimeout)
		})
		base := serve(t, p.server)
		client := connect(t, base+"/mcp")
		client.call("list_domains", "{}")
		p.later(time.Hour)
		fault := f.fault
		if bytes.Contains(fault.Body, []byte("127.0.0.1:8")) {
			fault.Body = bytes.ReplaceAll(fault.Body, []byte("127.0.0.1:8"), []byte(strings.TrimPrefix(p.URL, "http://")))
		}
		if fault.Times >= 0 {
			p.Fault(bricktest.Path(c.path), fault)
		}
		before := p.Count(c.path)
		if c.tool == endpoint {
			out.text, out.isError = program(t, base+"/graphql/customer360", c.args)
		} else {
			out.text, out.isError = client.call(c.tool, c.args)
		}
		out.requests, out.waits = p.Count(c.path)-before, p.slept()
		out.text = requestNumbers.ReplaceAllString(strings.ReplaceAll(out.text, strings.TrimPrefix(p.URL, "http://"), "HOST"), "${1}…${2}")
		if c.tool != endpoint { // a program gets the body of the service as it is
			p.checkSecrets(t, "the text", out.text, "://")
		}
		hides(t, "the log", p.log.String(), "://", programSecret, "Bearer abc", "CUST00094", "Jacob")
		p.Heal()
	})
	return out
}

var requestNumbers = regexp.MustCompile(`(\(request |"request_id\\":\\")[A-Za-z0-9_-]{12}(\)|\\")`)

// program sends what a GraphQL program sends, and tells what it gets: the status and
// the body, or that it broke off.
func program(t *testing.T, url, body string) (text string, isError bool) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", jsonKind)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(res.Body, tooMuch+1))
	text = fmt.Sprintf("%d %q", res.StatusCode, data)
	if len(data) > 1000 {
		text = fmt.Sprintf("%d and at most 32 MiB: %t", res.StatusCode, len(data) <= 32<<20)
	}
	if after := res.Header.Get("Retry-After"); after != "" {
		text += ", Retry-After: " + after
	}
	if err != nil {
		text += ", broken off"
	}
	return text, err != nil || res.StatusCode >= 400
}

// checkFault holds what is true of every row.
func checkFault(t *testing.T, c faultCall, f upstreamFault, r faultEnd) {
	t.Helper()
	if c.tool != endpoint && r.isError && (len(r.text) < 40 || !strings.HasSuffix(strings.TrimSpace(r.text), ".")) {
		t.Errorf("%s: no sentences: %q", c.tool, r.text)
	}
	want := 1
	if f.repeated {
		want = 2
	}
	if (c.writes || c.path == "/graphql/customer360") && r.requests != want {
		t.Errorf("%s: the request arrived %d times, want %d", c.tool, r.requests, want)
	}
	if c.writes && !f.repeated && r.isError && strings.Contains(r.text, "ry again.") {
		t.Errorf("%s: a write is to be tried again: %q", c.tool, r.text)
	}
	if r.waits > 10*time.Second {
		t.Errorf("%s: %s between repeats", c.tool, r.waits)
	}
}

// faultFile is the part of the golden file about one fault: equal endings of calls
// stand together.
type faultFile struct {
	order []string            // text with how it came about
	calls map[string][]string // the calls that ended so
}

func (f *faultFile) add(tool string, r faultEnd) {
	how := "answer"
	if r.isError {
		how = "error"
	}
	ending := fmt.Sprintf("%s [%d, %s]\n  %s\n", how, r.requests, r.waits, strings.ReplaceAll(strings.TrimRight(r.text, "\n"), "\n", "\n  "))
	if f.calls == nil {
		f.calls = map[string][]string{}
	}
	if f.calls[ending] == nil {
		f.order = append(f.order, ending)
	}
	f.calls[ending] = append(f.calls[ending], tool)
}

func (f *faultFile) bytes() []byte {
	var b strings.Builder
	for _, ending := range f.order {
		b.WriteString(strings.Join(f.calls[ending], ", ") + ": " + ending)
	}
	return []byte(b.String())
}
