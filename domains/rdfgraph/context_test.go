package rdfgraph_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

const (
	crmFacts = `@prefix : <https://e/crm#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Client a owl:Class . :Vip a owl:Class ; rdfs:subClassOf :Client .
:score a owl:DatatypeProperty ; rdfs:domain :Client ; rdfs:label "Rating" .
<https://e/Client/C1> a :Vip ; rdfs:label "Ada" . <https://e/Client/C2> a :Client ; rdfs:label "Bo" .
`
	ada = "https://e/Client/C1"
)

// crm is a folder with one domain, and its domain.yaml's classes.
func crm(classes string) fstest.MapFS {
	return fstest.MapFS{
		"crm/domain.yaml": {Data: []byte("prefixes: {\"\": \"https://e/crm#\"}\n" + classes)}, "crm/a.ttl": {Data: []byte(crmFacts)},
		"crm/rows.csv": {Data: []byte("id,name\nC1,Ada\nC2,Bo\n")},
	}
}

// counted counts the requests that go through a transport.
type counted struct{ n atomic.Int64 }

func (c *counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return http.DefaultTransport.RoundTrip(r)
}

// TestFunctionsThatFail holds what is told of an action whose endpoint is not as it should
// be: one sentence that names the function and no address, and one POST at most.
func TestFunctionsThatFail(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		said   string
	}{
		"fails": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"message":"no money"}`, http.StatusInternalServerError)
		}, "refused (HTTP 500): no money."},
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/else", http.StatusTemporaryRedirect)
		}, "sends the request on to another address"},
		"is huge": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.CopyN(w, zeros{}, 2<<20) }, "more than 1 MiB"},
		"breaks":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "broke off without an answer. It may have been carried out"},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewServer(c.answer)
			defer web.Close()
			posts := &counted{}
			b := newBackend(t, rdfgraph.Config{
				FS: crm("classes: {Client: {actions: [{name: a.b.pay, url: \"" + web.URL + "/x\"}]}}"), ActionHosts: []string{"127.0.0.1"}, Transport: posts,
			})
			d, err := b.Open(t.Context(), "crm")
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Actions.Invoke(t.Context(), ada, "a.b.pay")
			var told *domains.Error
			if !errors.As(err, &told) || !strings.HasPrefix(told.Message, "Function a.b.pay ") || !strings.Contains(told.Message, c.said) || strings.Contains(told.Message, "127.0.0.1") {
				t.Errorf("told: %v", err)
			}
			if posts.n.Load() != 1 {
				t.Errorf("%d requests", posts.n.Load())
			}
			if _, err := d.Actions.Invoke(t.Context(), "https://e/Client/C9", "a.b.pay"); !errors.Is(err, domains.ErrInvalid) || posts.n.Load() != 1 {
				t.Errorf("an entity that is not there: %v, %d requests", err, posts.n.Load())
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestHostsThatAreNotAllowed holds that functions on them are noted and never called, and
// that the domain is not degraded.
func TestHostsThatAreNotAllowed(t *testing.T) {
	posts := &counted{}
	b := newBackend(t, rdfgraph.Config{Transport: posts, ActionHosts: []string{"f.example:443"}, FS: crm(`classes:
  Client:
    actions:
      - {name: a.b.no, url: "https://f.example:8443/x"}
      - {name: a.b.none}
    virtual_attributes:
      - {name: a.b.neither, url: "http://f.example/x", attributes: [{name: y}]}
`)})
	d, err := b.Open(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	st, err := d.Status(t.Context())
	if err != nil || len(st.Notes) != 3 || len(d.Problems) != 0 {
		t.Errorf("%+v, %v", st, err)
	}
	if d.Context != nil || d.Actions != nil || posts.n.Load() != 0 {
		t.Errorf("context %v, actions %v", d.Context, d.Actions)
	}
	r := b.Report(t.Context())[0]
	if len(r.Notes) != 3 || r.Notes[0].String() != "domain.yaml:5:24: a.b.no is left out: the host f.example:8443 is not allowed; to allow it, start with --allow-action-host f.example:8443" {
		t.Errorf("notes: %v", r.Notes)
	}
}

// TestContextOfClasses holds that an entity has the context of its classes and of those
// above, nearest first, and that names do not clash.
func TestContextOfClasses(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"score":1,"Rating":2,"own":3}`) }))
	defer web.Close()
	b := newBackend(t, rdfgraph.Config{ActionHosts: []string{"127.0.0.1"}, FS: crm(`classes:
  Client:
    dataset: {file: rows.csv, name: main.rows, key: id}
    virtual_attributes: [{name: a.b.f, url: "` + web.URL + `", attributes: [{name: score}, {name: rating, column: Rating}, {name: own}]}]
  Vip:
    dataset: {name: main.vips, key: id}
    bridges: [{domain: crm, class: Client, label: Is one}, {domain: nowhere, class: X}]
`)})
	d, err := b.Open(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{Rows: 5, FollowBridges: true, Compute: true})
	if err != nil {
		t.Fatal(err)
	}
	if e.Name != "Vip" || e.Dataset.FullName != "main.vips" || e.Dataset.Fetched || !strings.Contains(e.Message, "No file is configured") {
		t.Errorf("%+v, %s", e.Dataset, e.Message)
	}
	if len(e.Bridges) != 1 || !e.Bridges[0].Followed || strings.Contains(fmt.Sprint(e), "nowhere") {
		t.Errorf("bridges: %+v", e.Bridges)
	}
	if len(e.Functions) != 1 || string(e.Functions[0].Values) != `{"score_2":1,"rating_2":2,"own":3}` {
		t.Errorf("functions: %+v %s", e.Functions, e.Functions[0].Values)
	}
	for iri, rows := range map[string]string{"https://e/Client/C2": `{"id":"C2","name":"Bo"}`, "https://other/Client/C1": `{"id":"C1","name":"Ada"}`} {
		e, err := d.Context.Entity(t.Context(), iri, domains.ContextOptions{Rows: 5})
		if err != nil || e.Dataset == nil || len(e.Dataset.Rows) != 1 || string(e.Dataset.Rows[0]) != rows {
			t.Errorf("%s: %+v, %v", iri, e, err)
		}
	}
	if e, err := d.Context.Entity(t.Context(), "https://other/Thing/1", domains.ContextOptions{Rows: 1}); err != nil || !e.IsEmpty() || e.LocalID != "1" {
		t.Errorf("of no class: %+v, %v", e, err)
	}
}

// TestContextUnderPolicy holds that what is disabled is neither told nor used.
func TestContextUnderPolicy(t *testing.T) {
	posts := &counted{}
	b := newBackend(t, rdfgraph.Config{ActionHosts: []string{"f.example"}, Transport: posts, FS: crm(`policy: {context: {dataset: disabled, actions: disabled, virtual_attributes: disabled}}
classes:
  Client:
    dataset: {file: rows.csv, name: main.rows, key: id}
    actions: [{name: a.b.act, url: "https://f.example/x"}]
    virtual_attributes: [{name: a.b.f, url: "https://f.example/x", attributes: [{name: own}]}]
    bridges: [{domain: crm, class: Client}]
`)})
	d, err := b.Open(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{Rows: 5, Compute: true})
	if err != nil || e.Dataset != nil || len(e.Functions)+len(e.Actions) != 0 || len(e.Bridges) != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := d.Context.Compute(t.Context(), ada, ""); !errors.Is(err, domains.ErrRefused) {
		t.Errorf("computing: %v", err)
	}
	if d.Actions != nil || !d.ComputesNothing || posts.n.Load() != 0 {
		t.Errorf("actions %v, %d posts", d.Actions, posts.n.Load())
	}
}

// TestBridgesAmongBackends holds that joined back ends lead into each other, also as
// somebody sees them.
func TestBridgesAmongBackends(t *testing.T) {
	one := newBackend(t, rdfgraph.Config{FS: crm("classes: {Client: {bridges: [{domain: books, class: Account}]}}")})
	other := newBackend(t, rdfgraph.Config{FS: fstest.MapFS{
		"books/domain.yaml": {Data: []byte("description: Accounts")},
		"books/a.ttl":       {Data: []byte("<https://e/books#Account> a <http://www.w3.org/2002/07/owl#Class> . <https://e/books/Account/9> a <https://e/books#Account> ; <https://e/of> <" + ada + "> .")},
	}})
	alone, err := one.Open(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	if alone.Context != nil {
		t.Error("alone it has nothing to show")
	}
	joined := domains.Join(domains.Member{Label: "one", Backend: one}, domains.Member{Label: "other", Backend: other})
	for name, b := range map[string]domains.Backend{"joined": joined, "as somebody": joined.As(domains.Principal{User: "u"})} {
		d, err := b.Open(t.Context(), "crm")
		if err != nil {
			t.Fatal(err)
		}
		e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{FollowBridges: true})
		if err != nil || len(e.Bridges) != 1 || e.Bridges[0].DomainDescription != "Accounts" || len(e.Bridges[0].Entities) != 1 || e.Bridges[0].Entities[0].IRI != "https://e/books/Account/9" {
			t.Errorf("%s: %+v, %v", name, e, err)
		}
	}
}

// TestChangedTables holds that a table that changes is served anew, under another revision,
// and that one that is broken degrades a domain and takes nothing away from a served one.
func TestChangedTables(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, crm("classes: {Client: {dataset: {file: rows.csv, key: id}}}")); err != nil {
		t.Fatal(err)
	}
	b := newBackend(t, rdfgraph.Config{Dir: dir})
	row := func() (string, *domains.Domain) {
		d, err := b.Open(t.Context(), "crm")
		if err != nil {
			t.Fatal(err)
		}
		e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{Rows: 1})
		if err != nil || e.Dataset == nil {
			t.Fatalf("%+v, %v", e, err)
		}
		text, err := json.Marshal(e.Dataset.Rows)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + e.Message, d
	}
	first, before := row()
	write(t, dir, "crm/rows.csv", "id,name\nC1,Ada L.\n")
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	second, after := row()
	if diff := cmp.Diff([]string{`[{"id":"C1","name":"Ada"}]`, `[{"id":"C1","name":"Ada L."}]`}, []string{first, second}); diff != "" || before.Revision == after.Revision {
		t.Errorf("revisions %s and %s (-want +got):\n%s", before.Revision, after.Revision, diff)
	}
	write(t, dir, "crm/rows.csv", "id,name\nC1,\"Ada\n")
	_ = b.Reload(t.Context()) // says that it is refused
	if _, d := row(); len(d.Refused) != 1 || d.Refused[0].File != "rows.csv" || d.Revision != after.Revision {
		t.Errorf("refused: %v", d.Refused)
	}
	fresh := newBackend(t, rdfgraph.Config{Dir: dir})
	d, err := fresh.Open(t.Context(), "crm")
	if err != nil || len(d.Problems) != 1 || !strings.HasPrefix(d.Problems[0].String(), "rows.csv:2:") {
		t.Errorf("problems: %+v, %v", d, err)
	}
}

// failingList is a back end that cannot list its domains.
type failingList struct{ domains.Backend }

func (f failingList) As(domains.Principal) domains.Backend { return f }
func (failingList) Domains(context.Context) ([]domains.Info, error) {
	return nil, errors.New("no answer")
}

// TestHiddenTargetsAreNotNamed holds that no answer names a domain that nobody may see,
// also where another back end cannot list its domains, and that the rest is told then.
func TestHiddenTargetsAreNotNamed(t *testing.T) {
	fsys := crm("classes: {Client: {bridges: [{domain: secret, class: Client}, {domain: broken, class: Client}, {domain: crm, class: Client, label: Knows}, {domain: elsewhere, class: X}]}}")
	fsys["secret/domain.yaml"] = &fstest.MapFile{Data: []byte("publish: false")}
	fsys["secret/a.ttl"] = &fstest.MapFile{Data: []byte(crmFacts)}
	fsys["broken/domain.yaml"] = &fstest.MapFile{Data: []byte("pubish: true")}
	fsys["broken/a.ttl"] = &fstest.MapFile{Data: []byte(crmFacts)}
	b := newBackend(t, rdfgraph.Config{FS: fsys})
	for _, r := range b.Report(t.Context()) {
		if r.Name == "crm" && (len(r.Warnings) != 3 || !strings.Contains(r.Warnings[0].Message, "not published") || !strings.Contains(r.Warnings[2].Message, "no such domain")) {
			t.Errorf("check warns: %v", r.Warnings)
		}
	}
	joined := domains.Join(domains.Member{Label: "one", Backend: b}, domains.Member{Label: "other", Backend: failingList{b}})
	for _, c := range []struct {
		b     domains.Backend
		names []domains.Name
	}{{b, []domains.Name{"crm"}}, {joined, []domains.Name{"crm", "elsewhere"}}} {
		d, err := c.b.Open(t.Context(), "crm")
		if err != nil {
			t.Fatal(err)
		}
		e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{FollowBridges: true})
		if err != nil {
			t.Fatal(err)
		}
		var names []domains.Name
		for _, b := range e.Bridges {
			names = append(names, b.Domain)
		}
		if diff := cmp.Diff(c.names, names); diff != "" || strings.Contains(e.Message, "secret") || strings.Contains(e.Message, "broken") {
			t.Errorf("message %q (-want +got):\n%s", e.Message, diff)
		}
		if len(c.names) > 1 && !strings.Contains(e.Message, "could not be listed") {
			t.Errorf("message %q", e.Message)
		}
	}
}

// TestSameIRIBehindBridges holds that an entity is found behind a bridge that has its very
// IRI there, and that attributes of a class and of one above it have names of their own.
func TestSameIRIBehindBridges(t *testing.T) {
	fsys := crm(`classes:
  Vip:
    bridges: [{domain: twin, class: Client}]
    virtual_attributes: [{name: a.b.f, url: "https://f.example/", attributes: [{name: own}]}]
  Client:
    virtual_attributes: [{name: a.b.g, url: "https://f.example/", attributes: [{name: own}, {name: score}]}]
`)
	fsys["twin/a.ttl"] = &fstest.MapFile{Data: []byte(crmFacts)}
	b := newBackend(t, rdfgraph.Config{FS: fsys, ActionHosts: []string{"f.example"}})
	d, err := b.Open(t.Context(), "crm")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.Context.Entity(t.Context(), ada, domains.ContextOptions{FollowBridges: true})
	if err != nil || len(e.Bridges) != 1 || len(e.Bridges[0].Entities) != 1 || e.Bridges[0].Entities[0].IRI != ada {
		t.Errorf("%+v, %v", e.Bridges, err)
	}
	var names []string
	for _, f := range e.Functions {
		for _, a := range f.Attributes {
			names = append(names, a.Name)
		}
	}
	if diff := cmp.Diff([]string{"own", "own_2", "score_2"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOneNameOfActionAndFunction holds that computing never reaches the endpoint of an
// action with the same full name, whichever class has it and whatever policy says of actions.
func TestOneNameOfActionAndFunction(t *testing.T) {
	var paths []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		fmt.Fprint(w, `{"own":1}`)
	}))
	defer web.Close()
	action, function := `actions: [{name: a.b.x, url: "`+web.URL+`/act"}]`, `virtual_attributes: [{name: a.b.x, url: "`+web.URL+`/compute", attributes: [{name: own}]}]`
	for name, classes := range map[string]string{
		"of one class":           "classes:\n  Client:\n    " + action + "\n    " + function + "\n",
		"action nearer":          "classes:\n  Vip:\n    " + action + "\n  Client:\n    " + function + "\n",
		"action nearer, refused": "policy: {context: {actions: disabled}}\nclasses:\n  Vip:\n    " + action + "\n  Client:\n    " + function + "\n",
		"function nearer":        "classes:\n  Vip:\n    " + function + "\n  Client:\n    " + action + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			paths = nil
			d, err := newBackend(t, rdfgraph.Config{ActionHosts: []string{"127.0.0.1"}, FS: crm(classes)}).Open(t.Context(), "crm")
			if err != nil {
				t.Fatal(err)
			}
			e, err := d.Context.Compute(t.Context(), ada, "")
			if err != nil || len(e.Functions) != 1 || string(e.Functions[0].Values) != `{"own":1}` {
				t.Errorf("computing: %+v, %v", e, err)
			}
			want := []string{"/compute"}
			if d.Actions != nil {
				if _, err := d.Actions.Invoke(t.Context(), ada, "a.b.x"); err != nil {
					t.Error(err)
				}
				want = append(want, "/act")
			}
			if diff := cmp.Diff(want, paths); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
		})
	}
}
