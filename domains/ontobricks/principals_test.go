package ontobricks_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks"
)

// personal is a deployment in which everything that is answered names who asked, and
// only that.
func personal(t *testing.T) (url string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := r.Header.Get("X-Forwarded-Email")
		if who == "" {
			who = "program"
		}
		if c := r.Header.Get("Cookie"); c != "" {
			t.Errorf("%s sent a cookie: %s", who, c)
		}
		if got, want := r.Header.Get("X-Forwarded-Access-Token"), "token of "+who; who != "program" && !strings.HasPrefix(got, want) {
			t.Errorf("%s sent %q", who, got)
		}
		http.SetCookie(w, &http.Cookie{Name: "ontobricks_session", Value: who})
		answers := map[string]string{
			"/api/v1/digitaltwin/registry": `{"catalog":"c","schema":"s","volume":"","configured":true}`,
			"/api/v1/domains":              `{"success":true,"domains":[{"name":"d","description":"%[1]s","mcp_policy":{"disabled_tools":["%[1]s"]}},{"name":"only %[1]s"}]}`,
			"/api/v1/domain/versions":      `{"success":true,"versions":[{"version":"1.%[2]d","status":"PUBLISHED"}]}`,
			"/api/v1/domain/classes":       `{"success":true,"classes":[{"name":"%[1]s","uri":"urn:C","actions":[{"fullName":"%[1]s"}],"bridges":[{"target_domain":"only %[1]s"}]}]}`,
			"/api/v1/domain/ontology":      `{"success":true,"content":"<urn:%[1]s> a <http://www.w3.org/2002/07/owl#Class> .","base_uri":"urn:%[1]s"}`,
			"/api/v1/digitaltwin/status":   `{"success":true,"view_table":"%[1]s"}`,
			"/api/v1/digitaltwin/stats":    `{"success":true,"total_triples":%[2]d}`,
			"/graphql/d/schema":            `{"sdl":"type Query { %[1]s: String }","ready":true}`,
		}
		format, ok := answers[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// The versions differ too: a revision of one is not another's.
		_, _ = fmt.Fprintf(w, format, strings.TrimSuffix(who, "@example.com"), len(who))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestPrincipalsShareNothing asks everything as several principals at once, again and
// again, and holds that nobody gets what was answered to another.
func TestPrincipalsShareNothing(t *testing.T) {
	b, err := ontobricks.New(ontobricks.Config{URL: personal(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	var all sync.WaitGroup
	for _, who := range []string{"a", "bb", "ccc", "dddd", ""} {
		for i := range 4 {
			all.Go(func() {
				for range 5 {
					p := domains.Principal{}
					if who != "" {
						p = domains.Principal{User: who, Email: who + "@example.com", Token: fmt.Sprintf("token of %s@example.com, %d", who, i)}
					}
					checkPersonal(t, b.As(p), who)
				}
			})
		}
	}
	all.Wait()
}

func checkPersonal(t *testing.T, b domains.Backend, who string) {
	length := len("program")
	if who != "" {
		length = len(who) + len("@example.com")
	} else {
		who = "program"
	}
	equal := func(what, got, want string) {
		if got != want {
			t.Errorf("%s: %s is %q, want %q", who, what, got, want)
		}
	}
	ctx := t.Context()
	infos, err := b.Domains(ctx)
	if err != nil {
		t.Error(err)
		return
	}
	equal("list", names(infos), "d only "+who)
	equal("description", infos[0].Description, who)
	d, err := b.Open(ctx, "d")
	if err != nil {
		t.Error(err)
		return
	}
	equal("policy", strings.Join(d.Info.Policy.DisabledTools, " "), who)
	equal("version", d.Version, fmt.Sprintf("1.%d", length))
	onto, err1 := d.Ontology(ctx)
	status, err2 := d.Status(ctx)
	classes, err3 := d.Context.Classes(ctx)
	schema, err4 := d.GraphQL.Schema(ctx)
	stats, err5 := d.Facts.Stats(ctx)
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if err != nil {
			t.Error(err)
			return
		}
	}
	equal("ontology", onto.Classes[0].IRI, "urn:"+who)
	equal("base", onto.Base, "urn:"+who)
	equal("status", status.View, who)
	equal("class", classes[0].Name, who)
	equal("bridge", string(classes[0].Bridges[0].Domain), "only "+who)
	equal("schema", schema.SDL, "type Query { "+who+": String }")
	if stats.Triples != length {
		t.Errorf("%s: %d triples, want %d", who, stats.Triples, length)
	}
	_, err = b.Open(ctx, "only somebody else")
	wants(t, err, domains.ErrUnknownDomain, "no domain named")
}

// TestTokensAreNotKept holds that a request carries the token of its own principal,
// also where the answer of an earlier one is known, and that no log line or error has one.
func TestTokensAreNotKept(t *testing.T) {
	r := newRig(t)
	for i, token := range []string{"first-secret", "second-secret"} {
		p := alice
		p.Token = token
		d := r.open(t, "finance", p)
		r.Forget()
		if _, err := d.Status(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := r.Requests()[0].Header.Get("X-Forwarded-Access-Token"); got != token {
			t.Errorf("request %d carries %q", i, got)
		}
	}
	if n := r.log.lines("secret"); n != 0 {
		t.Errorf("%d log lines hold a token", n)
	}
	_, err := r.b.As(domains.Principal{User: "x", Token: "third-secret"}).Open(t.Context(), "nowhere")
	if text, _ := json.Marshal(fmt.Sprintf("%+v", err)); strings.Contains(string(text), "secret") {
		t.Errorf("an error holds a token: %s", text)
	}
}

// TestPrincipalsAreForgotten holds the bounds on how many principals are remembered,
// and for how long.
func TestPrincipalsAreForgotten(t *testing.T) {
	r := newRig(t)
	user := func(i int) domains.Principal { return domains.Principal{User: fmt.Sprintf("user %d", i)} }
	for i := range ontobricks.MostTenants {
		r.b.As(user(i))
		r.wait(time.Millisecond)
	}
	r.open(t, "finance", user(0)) // is used last
	r.wait(time.Millisecond)
	r.b.As(user(-1)) // user 1 goes
	if n := r.b.Tenants(); n != ontobricks.MostTenants {
		t.Errorf("%d principals are remembered", n)
	}
	r.Forget()
	r.open(t, "finance", user(0))
	if n := r.Count("/api/v1/domains"); n != 0 {
		t.Error("a principal in use was forgotten")
	}
	r.wait(ontobricks.TenantIdle)
	r.b.As(user(0))
	if n := r.b.Tenants(); n != 1 {
		t.Errorf("%d principals are remembered when all but one are idle", n)
	}
}
