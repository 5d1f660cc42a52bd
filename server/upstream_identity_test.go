package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/server"
)

// ownerMark stands in the answers of the deployment for whoever asked: the transport of
// these tests replaces it, so that every answer names its user.
const ownerMark = "OWNER"

// marks are what it is replaced by, by address.
var marks = map[string]string{"ann@example.com": "Annmark", "bob@example.com": "Bobmark", "": "Progmark"}

// marking is a transport that marks answers.
type marking struct{ inner http.RoundTripper }

func (m marking) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Accept-Encoding", "identity")
	res, err := m.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	for mark, what := range map[string]string{
		ownerMark: marks[r.Header.Get("X-Forwarded-Email")], "HISTOKEN": r.Header.Get("X-Forwarded-Access-Token"), "ITSTOKEN": r.Header.Get("Authorization"),
	} {
		body = bytes.ReplaceAll(body, []byte(mark), []byte(what))
	}
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	res.Header.Del("Content-Length")
	return res, nil
}

func (m marking) CloseIdleConnections() { m.inner.(*http.Transport).CloseIdleConnections() }

// marked is a domain in whose answers everything names whoever asked.
func marked(name string) bricktest.Domain {
	const class = `[{"name":"OWNERClass","uri":"https://ontobricks.com/ontology#OWNERClass","dataset":{"fullName":"main.OWNER.t","key_column":"k"},
		"actions":[{"fullName":"main.OWNER.act"}],"business_rules":[{"name":"OWNERRule"}],"virtualAttributes":[{"fullName":"main.OWNER.f"}]}]`
	const iri = bricktest.Base + "OWNERClass/1"
	return bricktest.Domain{
		Name: name, Description: "for OWNER alone", BaseURI: bricktest.Onto, Classes: json.RawMessage(class),
		Versions: []bricktest.Version{{Version: "1", Status: "PUBLISHED"}, {Version: "2"}},
		Triples: [][3]string{
			{iri, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", bricktest.Onto + "OWNERClass"},
			{iri, "http://www.w3.org/2000/01/rdf-schema#label", "common OWNER"},
		},
		Ontology: "@prefix : <https://ontobricks.com/ontology#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n:OWNERClass a owl:Class .\n:p a owl:DatatypeProperty .",
		SDL:      "type Query {\n  OWNERfield: String\n}",
		GraphQL: func(string, json.RawMessage) (int, []byte) {
			return 200, []byte(`{"data":{"field":"OWNER data"}}`)
		},
		Action: func(string, string) ([]json.RawMessage, error) {
			return []json.RawMessage{json.RawMessage(`{"r":"OWNER ran"}`)}, nil
		},
	}
}

// clientSecret is that of the program; workspaceSecret begins the tokens it gets for it.
const (
	clientSecret    = "client-secret-4417"
	workspaceSecret = "token-of-the-workspace-"
)

// workspace gives the program tokens for its secret.
func workspace(t *testing.T) string {
	t.Helper()
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		if _, secret, _ := r.BasicAuth(); secret != clientSecret {
			t.Errorf("the token endpoint got %q", secret)
		}
		w.Header().Set("Content-Type", jsonKind)
		_, _ = fmt.Fprintf(w, `{"access_token":"%s%d","token_type":"Bearer","expires_in":3600}`, workspaceSecret, n)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// shared is an App for Ann and Bob, who share the domain "mine" by name alone. "annland"
// is there for her, "bobland" for him, and only she may read the graph of customer360.
func shared(t *testing.T) *proxy {
	t.Helper()
	noLeaks(t)
	source, _, err := login.New(login.Settings{Host: workspace(t), ClientID: "id", ClientSecret: clientSecret})
	if err != nil {
		t.Fatal(err)
	}
	p := newProxy(t, func(u *ontobricks.Config, s *server.Config) {
		u.Tokens, u.Transport, s.App = source, marking{rest.NewTransport()}, true
	})
	p.RequireToken(func(token string) bool { return strings.HasPrefix(token, workspaceSecret) })
	p.Add(marked("mine"), marked("annland"), marked("bobland"))
	p.Show(func(email, domain string) bool {
		owner, private := map[string]string{"annland": "ann@example.com", "bobland": "bob@example.com"}[domain]
		return !private || owner == email
	})
	p.Gate(func(email, domain string) bool { return domain != "customer360" || email == "ann@example.com" })
	return p
}

// ann and bob are users of an App; each request of theirs has the n-th token.
func ann(n int) http.Header {
	return forwarded("ann-1", "ann@example.com", fmt.Sprintf("token-of-ann-%d", n))
}
func bob(n int) http.Header {
	return forwarded("bob-2", "bob@example.com", fmt.Sprintf("token-of-bob-%d", n))
}

// asMarked makes every kind of request about a marked domain.
func (p *person) asMarked(domain string) {
	iri := bricktest.Base + marks[p.header.Get("X-Forwarded-Email")] + "Class/1"
	for _, call := range []struct {
		tool string
		more []any
	}{
		{"list_domains", nil}, {"select_domain", nil}, {"list_domain_versions", nil}, {"get_design_status", nil}, {"describe_ontology", nil}, {"describe_ontology", []any{"syntax", "turtle"}},
		{"list_entity_types", nil}, {"describe_entity", []any{"search", "common"}}, {"get_graphql_schema", nil}, {"query_graphql", []any{"query", "{ field }"}},
		{"get_entity_context", []any{"entity_uri", iri}}, {"invoke_entity_action", []any{"entity_uri", iri, "action", "main." + ownerMark + ".act"}}, {"get_status", nil},
	} {
		arguments := args(append(call.more, "domain_name", domain)...)
		if call.tool == "list_domains" {
			arguments = "{}"
		}
		p.call(call.tool, arguments)
	}
	for _, uri := range []string{"domains", "status", "stats", "graphql-schema"} {
		p.read("ontobricks://" + uri)
	}
	p.send(http.MethodGet, "/graphql/"+domain+"/schema", "")
	p.send(http.MethodPost, "/graphql/"+domain, `{"query":"{ field }"}`)
	p.send(http.MethodGet, "/graphql", "")
	p.send(http.MethodGet, "/", "")
}

// TestUpstreamUsersAreApart lets two users work at once and in turn, and holds that each
// gets what is said to that user, that each request of theirs carries their own identity
// and a token of their own, and that the program's requests carry none.
func TestUpstreamUsersAreApart(t *testing.T) {
	p := shared(t)
	h := p.server.Handler()
	var said [2]strings.Builder
	for round := range 3 {
		a, b := newPerson(t, h, ann(round)), newPerson(t, h, bob(round))
		var both sync.WaitGroup
		for i, who := range []*person{a, b} {
			both.Go(func() {
				for _, domain := range []string{"mine", []string{"annland", "bobland"}[i], "mine"} {
					who.asMarked(domain)
				}
			})
		}
		both.Wait()
		for range 2 { // in turn
			a.asMarked("mine")
			b.asMarked("mine")
		}
		said[0].WriteString(a.heard.String())
		said[1].WriteString(b.heard.String())
		p.later(50 * time.Second) // some of what is known is too old
	}
	for i, own := range []string{"Annmark", "Bobmark"} {
		contains(t, own, said[i].String(), own+"Class", own+"field", own+" data", "main."+own+".t", "for "+own+" alone", "common "+own)
		hides(t, own, said[i].String(), []string{"Bobmark", "Annmark"}[i], []string{"bobland", "annland"}[i], "Progmark", ownerMark+"Class")
		p.checkSecrets(t, own, said[i].String(), "token-of", clientSecret, "ontobricks_session")
	}
	checkIdentities(t, p.Requests())
	p.checkSecrets(t, "the log", p.log.String(), "token-of", clientSecret, "ann@example", "bob@example", "ann-1", "bob-2", "Annmark", "Bobmark")
}

// checkIdentities holds that no request mixes two users, or has a cookie, and that the
// program asks for nothing but what belongs to nobody.
func checkIdentities(t *testing.T, requests []bricktest.Recorded) {
	t.Helper()
	seen := map[string]int{}
	for _, r := range requests {
		email, user, token := r.Header.Get("X-Forwarded-Email"), r.Header.Get("X-Forwarded-User"), r.Header.Get("X-Forwarded-Access-Token")
		seen[email]++
		name, _, _ := strings.Cut(email, "@")
		switch {
		case len(r.Header.Values("X-Forwarded-Email")) > 1 || r.Header.Get("Cookie") != "":
			t.Errorf("%s: two users, or a cookie: %v", r.Path, r.Header["Cookie"])
		case !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer "+workspaceSecret):
			t.Errorf("%s: Authorization is not the program's", r.Path)
		case email == "" && (user != "" || token != ""):
			t.Errorf("%s: half a user: %q", r.Path, user)
		case email == "" && !slices.Contains([]string{"/api/v1/digitaltwin/registry", "/api/v1/domains", "/api/v1/domain/versions", "/api/v1/health"}, r.Path):
			t.Errorf("the program asked for %s", r.Path)
		case email != "" && (!strings.HasPrefix(user, name+"-") || !strings.HasPrefix(token, "token-of-"+name+"-")):
			t.Errorf("%s of %s: user %q, token %q", r.Path, email, user, token)
		}
	}
	if seen["ann@example.com"] == 0 || seen["bob@example.com"] == 0 {
		t.Errorf("requests of %v", seen)
	}
}

// What is there for one user alone is not there for the other: it is not listed, named,
// found, described or read, by whatever way, also when the other just read it.
func TestUpstreamUsersCannotReach(t *testing.T) {
	p := shared(t)
	h := p.server.Handler()
	a, b := newPerson(t, h, ann(1)), newPerson(t, h, bob(1))
	a.asMarked("annland")
	contains(t, "hers", a.heard.String(), "AnnmarkClass")
	p.Forget()
	for _, tool := range without(allTools, "list_domains") {
		for _, name := range []string{"annland", "annlan", "Annland"} {
			more := []any{"domain_name", name, "search", "common", "query", "{ field }", "entity_uri", bricktest.Base + "AnnmarkClass/1", "action", "main.OWNER.act", "rule", "OWNERRule"}
			text, isError := b.call(tool, onlyKnown(t, b, tool, more))
			if !isError || !strings.Contains(text, "Unknown domain") {
				t.Errorf("%s(%s): %s", tool, name, text)
			}
			hides(t, tool, strings.Replace(text, "'"+name+"'", "", 1), "annland", "Annmark")
		}
	}
	for _, r := range []struct{ method, path, body string }{
		{"POST", "/mcp/annland", initialize}, {"POST", "/mcp/annland", callLine(1, "get_status", "{}")}, {"POST", "/mcp/annland", list},
		{"POST", "/graphql/annland", `{"query":"{ field }"}`}, {"POST", "/api/v1/graphql/annland", `{"query":"{ field }"}`}, {"GET", "/graphql/annland/schema", ""},
	} {
		w := send(t, h, r.method, r.path, r.body, bob(1))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s %s: %d %s", r.method, r.path, w.Code, w.Body)
		}
		hides(t, r.path, w.Body.String(), "Annmark", "alone")
	}
	for _, r := range p.Requests() {
		if strings.Contains(r.Path, "annland") || strings.HasPrefix(r.Path, "/api/v1/digitaltwin/") && r.Query.Get("domain_name") == "annland" {
			t.Errorf("the deployment was asked: %s", r.Path)
		}
	}
	b.session = a.session
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if w := b.send(method, "/mcp", callLine(1, "get_status", "{}")); w.Code != http.StatusNotFound {
			t.Errorf("%s with her session: %d %s", method, w.Code, w.Body)
		}
	}
	if text, isError := a.call("get_status", "{}"); isError || !strings.Contains(text, "[annland, version 1]") {
		t.Errorf("her session afterwards: %s", text)
	}
}

// onlyKnown keeps the arguments that a tool has.
func onlyKnown(t *testing.T, p *person, tool string, pairs []any) string {
	t.Helper()
	var listed struct {
		Tools []struct {
			Name        string
			InputSchema struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal(p.request("tools/list", "{}").result, &listed); err != nil {
		t.Fatal(err)
	}
	for _, d := range listed.Tools {
		if d.Name != tool {
			continue
		}
		var kept []any
		for i := 0; i < len(pairs); i += 2 {
			if _, ok := d.InputSchema.Properties[pairs[i].(string)]; ok {
				kept = append(kept, pairs[i], pairs[i+1])
			}
		}
		return args(kept...)
	}
	t.Fatalf("%s is not listed", tool)
	return ""
}

// Where the deployment refuses one user, what another read before is not given out.
func TestUpstreamGateHoldsForEachUser(t *testing.T) {
	p := shared(t)
	h := p.server.Handler()
	a, b := newPerson(t, h, ann(1)), newPerson(t, h, bob(1))
	for _, call := range faultCalls {
		if call.tool == endpoint || call.tool == "describe_ontology" || call.path == "/graphql/customer360" || call.path == "/api/v1/domains" {
			continue // the deployment refuses the graph alone
		}
		if text, isError := a.call(call.tool, call.args); isError {
			t.Errorf("hers, %s: %s", call.tool, text)
		}
		text, isError := b.call(call.tool, call.args)
		if !isError {
			t.Errorf("his, %s: %s", call.tool, text)
		}
		contains(t, call.tool, text, "You are not a member of this domain's team. Ask an owner of the domain for a role in its team")
	}
	for _, uri := range []string{"status", "stats"} {
		b.call("select_domain", args("domain_name", "customer360"))
		a.call("select_domain", args("domain_name", "customer360"))
		if _, refused := a.read("ontobricks://" + uri); refused {
			t.Errorf("her %s", uri)
		}
		if text, refused := b.read("ontobricks://" + uri); !refused {
			t.Errorf("his %s: %s", uri, text)
		}
	}
}

// The look for changes is the program's own: no user's identity or token is at hand for
// it, however many users there are.
func TestUpstreamWatchIsTheProgram(t *testing.T) {
	p := shared(t)
	h := p.server.Handler()
	for i := range 3 {
		for _, who := range []http.Header{ann(i), bob(i)} {
			newPerson(t, h, who).call("select_domain", args("domain_name", "mine"))
		}
	}
	p.look()
	p.policy("mine", modes("disabled", "actions"))
	p.Forget()
	for range 3 {
		p.look()
	}
	if n := p.Count("/api/v1/domains"); n < 3 {
		t.Errorf("%d looks", n)
	}
	for _, r := range p.Requests() {
		for _, name := range []string{"X-Forwarded-Email", "X-Forwarded-User", "X-Forwarded-Access-Token"} {
			if v := r.Header.Get(name); v != "" {
				t.Errorf("%s carries %s %q", r.Path, name, v)
			}
		}
	}
}

// Under faults whose texts hold everything secret, no answer, error or log line does; the
// same for users who come again with another token.
func TestUpstreamSecretsUnderFaults(t *testing.T) {
	for _, status := range []int{200, 302, 400, 401, 403, 404, 422, 429, 500, 502, 503} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			p := shared(t)
			h := p.server.Handler()
			a := newPerson(t, h, ann(7))
			a.asMarked("mine")
			p.later(time.Hour)
			host := strings.TrimPrefix(p.URL, "http://")
			said := fmt.Sprintf("at %s/x (%s) with ITSTOKEN, HISTOKEN", p.URL, host)
			body := mustJSON(map[string]any{"success": false, "error": "infrastructure", "message": said, "detail": said})
			p.Fault(bricktest.Any, bricktest.Fault{Status: status, Body: body, Header: http.Header{"Location": {p.URL + "/login?token=token-of-ann-7"}, "Content-Type": {jsonKind}}})
			a.heard.Reset()
			for _, call := range faultCalls {
				if call.tool != endpoint && call.tool != "query_graphql" {
					a.call(call.tool, strings.Replace(call.args, "customer360", "mine", 1))
				}
			}
			for _, uri := range []string{"domains", "status", "stats"} {
				a.read("ontobricks://" + uri)
			}
			a.send(http.MethodGet, "/readyz", "")
			p.checkSecrets(t, "an answer", a.heard.String(), "token-of", clientSecret)
			contains(t, "an answer", a.heard.String(), "at (address) ((host)) with ")
			p.checkSecrets(t, "the log", p.log.String(), "token-of", clientSecret, "ann@example.com", "ann-1")
		})
	}
}

// TestUpstreamGraphQLAnswersAreCleaned holds that what the GraphQL service says of its
// own affairs reaches a model without addresses and tokens.
func TestUpstreamGraphQLAnswersAreCleaned(t *testing.T) {
	for _, body := range []string{`{"message":%q}`, `{"errors":[{"message":%q}]}`} {
		p := shared(t)
		p.Fault(bricktest.Path("/graphql/mine"), bricktest.Fault{Status: 502, Header: http.Header{"Content-Type": {jsonKind}},
			Body: []byte(fmt.Sprintf(body, "at "+p.URL+"/x with ITSTOKEN, HISTOKEN"))})
		text, _ := newPerson(t, p.server.Handler(), ann(1)).call("query_graphql", args("domain_name", "mine", "query", "{ field }"))
		p.checkSecrets(t, "query_graphql", text, "token-of", "127.0.0.1")
	}
}
