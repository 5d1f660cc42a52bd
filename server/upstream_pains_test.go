package server_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/domains/ontobricks/login"
	"github.com/ontogate/ontogate/server"
)

// What people suffered from in other servers, seen from outside of this one.

// A sign-in that does not work, or an address that is not the right one, is told in a
// sentence of its own, with a next step of its own.
func TestUpstreamSignInFailuresDiffer(t *testing.T) {
	html := http.Header{"Content-Type": {"text/html"}}
	rows := []struct {
		name  string
		fault bricktest.Fault
		want  []string
	}{
		{"a refused token", bricktest.Fault{Status: 401}, []string{"refused the access token", "(apps refuse personal access tokens)"}},
		{"no permission", bricktest.Fault{Status: 403}, []string{"forbids this (status 403)", "CAN USE"}},
		{"a redirect to a login page", bricktest.Fault{Status: 302, Redirect: "https://login.example.com/oidc"}, []string{"another login", "of the same workspace"}},
		{"a login page", bricktest.Fault{Status: 200, Header: html, Body: []byte(signIn)}, []string{"a web page instead of data", "--upstream (ONTOBRICKS_URL)"}},
		{"another app", bricktest.Fault{Status: 404, Body: []byte(`{"detail":"Not Found"}`)}, []string{"does not know this kind of request", "--upstream (ONTOBRICKS_URL)"}},
		{"an app that does not run", bricktest.Fault{Status: 502, Header: html, Body: []byte("<html>Bad Gateway")}, []string{"does not answer behind its gateway", "check that the app runs"}},
	}
	seen := map[string]string{}
	for _, row := range rows {
		p := newProxy(t, inApp)
		p.Fault(bricktest.Path("/domains"), row.fault)
		text, isError := newPerson(t, p.server.Handler(), ann(1)).call("list_domains", "{}")
		if !isError || strings.Contains(text, "html") {
			t.Errorf("%s: %q", row.name, text)
		}
		contains(t, row.name, text, row.want...)
		if other, ok := seen[text]; ok {
			t.Errorf("%s and %s are told the same: %s", row.name, other, text)
		}
		seen[text] = row.name
	}
}

// Tokens that live 2 s: for 10 s, four calls at a time never fail, tokens are fetched one
// at a time, and each before the one in use expires.
func TestUpstreamTokensAreRenewedInTime(t *testing.T) {
	short := newShortTokens(t)
	p := newProxy(t, func(u *ontobricks.Config, _ *server.Config) { u.Tokens = short.source(t) })
	p.RequireToken(short.accepts)
	h := p.server.Handler()
	for range 50 {
		short.later(200 * time.Millisecond)
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				w := send(t, h, http.MethodPost, "/mcp", callLine(1, "get_status", args("domain_name", "customer360")))
				if !strings.Contains(w.Body.String(), "[customer360, version 2]") {
					t.Errorf("a call failed: %s", w.Body)
				}
			})
		}
		all.Wait()
	}
	if fetches, refused, most := short.counts(); refused != 0 || most != 1 || fetches < 5 || fetches > 8 {
		t.Errorf("%d fetches, %d at once, %d requests refused", fetches, most, refused)
	}
}

// A token that is refused before its time is replaced once, and the call is made again
// once; what writes was not executed the first time.
func TestUpstreamRefusedTokensAreReplacedOnce(t *testing.T) {
	short := newShortTokens(t)
	p := newProxy(t, func(u *ontobricks.Config, _ *server.Config) { u.Tokens = short.source(t) })
	p.RequireToken(short.accepts)
	c := newPerson(t, p.server.Handler(), nil)
	c.call("select_domain", args("domain_name", "customer360"))
	for _, call := range []struct{ tool, args, path string }{
		{"invoke_entity_action", anAction, "/nodes/action"}, {"get_status", "{}", "/digitaltwin/status"},
	} {
		c.call("get_status", "{}") // with a token that is new
		short.revoke()
		p.Forget()
		fetched, refused, _ := short.counts()
		text, isError := c.call(call.tool, call.args)
		if isError {
			t.Errorf("%s: %s", call.tool, text)
		}
		if now, again, _ := short.counts(); now != fetched+1 || again != refused+1 || p.Count(call.path) == 0 {
			t.Errorf("%s: %d new tokens, %d requests refused, %d requests", call.tool, now-fetched, again-refused, p.Count(call.path))
		}
		short.later(2 * time.Minute)
	}
}

// shortTokens is a token endpoint whose tokens live 2 s.
type shortTokens struct {
	url string

	mu                              sync.Mutex
	now                             time.Time
	fetches, refused, running, most int
	valid                           map[string]time.Time
}

func newShortTokens(t *testing.T) *shortTokens {
	t.Helper()
	noLeaks(t)
	s := &shortTokens{valid: map[string]time.Time{}, now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	h := httptest.NewServer(http.HandlerFunc(s.give))
	t.Cleanup(h.Close)
	s.url = h.URL
	return s
}

func (s *shortTokens) give(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	s.fetches++
	s.running++
	s.most = max(s.most, s.running)
	token := fmt.Sprintf("short-%d", s.fetches)
	s.valid[token] = s.now.Add(2 * time.Second)
	s.mu.Unlock()
	w.Header().Set("Content-Type", jsonKind)
	_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":2}`, token)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

func (s *shortTokens) accepts(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.now.Before(s.valid[token])
	if !ok {
		s.refused++
	}
	return ok
}

// revoke makes all tokens invalid.
func (s *shortTokens) revoke() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.valid)
}

func (s *shortTokens) counts() (fetches, refused, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fetches, s.refused, s.most
}

func (s *shortTokens) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// later moves the clock on.
func (s *shortTokens) later(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *shortTokens) source(t *testing.T) *login.Source {
	t.Helper()
	source, _, err := login.New(login.Settings{Host: s.url, ClientID: "id", ClientSecret: clientSecret, Clock: s.clock})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// A fresh install has no domain, or not even a registry: every tool answers with what to
// do next, none fails as a fault of ours, and so do resources and addresses.
func TestUpstreamWithoutDomains(t *testing.T) {
	for name, c := range map[string]struct {
		registry bricktest.Registry
		want     string
		isError  bool // of list_domains
	}{
		"no domains":  {bricktest.Registry{Catalog: "main", Schema: "registry"}, "", false},
		"no registry": {bricktest.Registry{}, "Registry not configured. Start this server with REGISTRY_CATALOG and REGISTRY_SCHEMA, or choose a registry in the settings of OntoBricks.", true},
	} {
		p := newProxyBefore(t, func(d *bricktest.Deployment) {
			for _, name := range []string{"customer360", "finance", "bare"} {
				d.Remove(name)
			}
			d.SetRegistry(c.registry)
		}, nil)
		who := newPerson(t, p.server.Handler(), nil)
		text, isError := who.call("list_domains", "{}")
		equal(t, name+": isError", c.isError, isError)
		contains(t, name, text, c.want)
		if c.want == "" {
			contains(t, name, text, "No domains found in the registry.", "Of a deployment of OntoBricks (--upstream) each domain of its registry with a published version is one.")
		}
		for _, call := range faultCalls {
			if call.tool == endpoint || call.tool == "list_domains" {
				continue
			}
			text, isError := who.call(call.tool, call.args)
			if !isError {
				t.Errorf("%s, %s: %s", name, call.tool, text)
			}
			contains(t, name+", "+call.tool, text, cmp.Or(c.want, "Unknown domain 'customer360'. There are no domains: the person who runs this server has to add or publish one"))
		}
		if log := p.log.String(); strings.Contains(log, `"ERROR"`) {
			t.Errorf("%s: a fault of ours: %s", name, log)
		}
	}
}

// A read-only server in front of a deployment lists nothing that writes, and forged calls
// send nothing; nor do GraphQL mutations at its address.
func TestUpstreamReadOnlySendsNoWrites(t *testing.T) {
	p := newProxy(t, func(_ *ontobricks.Config, s *server.Config) { s.ReadOnly = true })
	base := serve(t, p.server)
	c := connect(t, base+"/mcp")
	c.selects("customer360")
	for _, tool := range writingTools {
		if slices.Contains(c.tools(), tool) {
			t.Errorf("%s is listed", tool)
		}
	}
	p.Forget()
	for _, call := range faultCalls {
		if !call.writes {
			continue
		}
		text, isError := c.call(call.tool, call.args)
		if !isError {
			t.Errorf("%s: %s", call.tool, text)
		}
		contains(t, call.tool, text, "read-only")
	}
	const mutation = `mutation { flag }`
	if text, isError := c.call("query_graphql", args("query", mutation)); !isError {
		t.Errorf("a mutation: %s", text)
	}
	if text, isError := program(t, base+"/graphql/customer360", args("query", mutation)); !isError {
		t.Errorf("a mutation at the address: %s", text)
	}
	for _, r := range p.Requests() {
		if r.Method != http.MethodGet {
			t.Errorf("sent: %s %s", r.Method, r.Path)
		}
	}
	if text, isError := c.call("query_graphql", faultCalls[5].args); isError {
		t.Errorf("a query: %s", text)
	}
}
