package server_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
	"github.com/ontogate/ontogate/server"
)

const (
	responseType = "application/graphql-response+json"
	asResponse   = responseType + "; charset=utf-8"
	asJSON       = "application/json; charset=utf-8"
)

// in is a query as a parameter.
func in(query string) string { return "?query=" + url.QueryEscape(query) }

// A domain from a folder is asked as GraphQL over HTTP has it.
func TestDerivedGraphQL(t *testing.T) {
	const leo = `{"data":{"animal":{"label":"Leo","keptBy":[{"label":"Ann"}]}}}`
	const leoQuery = `{ animal(id: "leo") { label keptBy { label } } }`
	const syntax = `{"query":"{"}`
	for name, c := range map[string]struct {
		method, target, body string
		header               []string
		status               int
		kind, answer         string // answer is in the body
	}{
		"query":             {"POST", "/zoo", `{"query":"{ animal(id: \"leo\") { label keptBy { label } } }"}`, nil, 200, asJSON, leo},
		"response":          {"POST", "/zoo", countAnimals, []string{"Accept", responseType}, 200, asResponse, `{"data":{"countAnimal":2}}`},
		"get":               {"GET", "/zoo" + in(leoQuery), "", nil, 200, asJSON, leo},
		"get response":      {"GET", "/zoo" + in(leoQuery), "", []string{"Accept", responseType}, 200, asResponse, leo},
		"variables":         {"POST", "/zoo", `{"query":"query Q($i: String!) { animal(id: $i) { label } } query R { countAnimal }","variables":{"i":"leo"},"operationName":"Q","extensions":{"x":1}}`, nil, 200, asJSON, `{"data":{"animal":{"label":"Leo"}}}`},
		"get variables":     {"GET", "/zoo" + in(`query Q($i: String!) { animal(id: $i) { label } } query R { countAnimal }`) + "&operationName=Q&extensions=%7B%7D&variables=" + url.QueryEscape(`{"i":"leo"}`), "", nil, 200, asJSON, `{"data":{"animal":{"label":"Leo"}}}`},
		"nulls":             {"POST", "/zoo", `{"query":"{ countAnimal }","variables":null,"operationName":null,"extensions":null,"depth":null,"other":[1]}`, nil, 200, asJSON, `{"data":{"countAnimal":2}}`},
		"empty parameters":  {"GET", "/zoo" + in("{ countAnimal }") + "&variables=&operationName=&extensions=&depth=", "", nil, 200, asJSON, `{"data":{"countAnimal":2}}`},
		"charset":           {"POST", "/zoo", countAnimals, []string{"Content-Type", "application/json; charset=UTF-8"}, 200, asJSON, `"countAnimal":2`},
		"field error":       {"POST", "/zoo", `{"query":"{ animal(id: \"odd\") { label legs } }"}`, []string{"Accept", responseType}, 200, asResponse, `{"data":{"animal":{"label":"Odd","legs":null}},"errors":[`},
		"syntax":            {"POST", "/zoo", syntax, nil, 200, asJSON, `{"errors":[{"message":`},
		"syntax response":   {"POST", "/zoo", syntax, []string{"Accept", responseType}, 400, asResponse, `{"errors":[{"message":`},
		"unknown field":     {"POST", "/zoo", `{"query":"{ animal(id: \"leo\") { lable } }"}`, []string{"Accept", responseType}, 400, asResponse, `Did you mean 'label'?`},
		"get unknown field": {"GET", "/zoo" + in("{ countAnimals }"), "", nil, 200, asJSON, `{"errors":[`},
		"mutation":          {"POST", "/zoo", `{"query":"mutation { x }"}`, []string{"Accept", responseType}, 400, asResponse, `{"errors":[`},
		"get mutation":      {"GET", "/zoo" + in("mutation { x }"), "", nil, 405, "application/json", "With GET only queries are run, not a mutation."},
		"get one mutation":  {"GET", "/zoo" + in("query A { countAnimal } mutation B { x }") + "&operationName=B", "", nil, 405, "application/json", "not a mutation"},
		"get the query":     {"GET", "/zoo" + in("query A { countAnimal } mutation B { x }") + "&operationName=A", "", []string{"Accept", responseType}, 200, asResponse, `{"data":{"countAnimal":2}}`},
		"introspection":     {"POST", "/zoo", `{"query":"{ __schema { queryType { name } } }"}`, nil, 200, asJSON, `{"data":{"__schema":{"queryType":{"name":"Query"}}}}`},
		"introspection off": {"POST", "/quiet", `{"query":"{ __schema { queryType { name } } }"}`, []string{"Accept", responseType}, 400, asResponse, `"errors"`},
		"typename stays":    {"POST", "/quiet", `{"query":"{ __typename }"}`, nil, 200, asJSON, `{"data":{"__typename":"Query"}}`},
		"hidden tools":      {"POST", "/hidden", countAnimals, nil, 200, asJSON, `{"data":{"countAnimal":2}}`},
		"depth":             {"POST", "/zoo", `{"query":"{ animal(id: \"leo\") { keptBy { label } } }","depth":1}`, nil, 200, asJSON, `"Ann"`},
		"get depth":         {"GET", "/zoo" + in(leoQuery) + "&depth=8", "", nil, 200, asJSON, leo},
		"depth 0":           {"POST", "/zoo", `{"query":"{ countAnimal }","depth":0}`, nil, 400, "application/json", "a whole number from 1 to 8"},
		"depth 9":           {"POST", "/zoo", `{"query":"{ countAnimal }","depth":9}`, nil, 400, "application/json", "a whole number from 1 to 8"},
		"depth 1.5":         {"POST", "/zoo", `{"query":"{ countAnimal }","depth":1.5}`, nil, 400, "application/json", "a whole number from 1 to 8"},
		"depth text":        {"POST", "/zoo", `{"query":"{ countAnimal }","depth":"3"}`, nil, 400, "application/json", "a whole number from 1 to 8"},
		"get depth 9":       {"GET", "/zoo" + in("{ countAnimal }") + "&depth=9", "", nil, 400, "application/json", "a whole number from 1 to 8"},
		"persisted":         {"POST", "/zoo", `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}`, nil, 400, "application/json", `"errors":[{"message":"PersistedQueryNotSupported"}]`},
		"get persisted":     {"GET", "/zoo?extensions=" + url.QueryEscape(`{"persistedQuery":{"version":1,"sha256Hash":"00"}}`), "", []string{"Accept", responseType}, 400, responseType, `"errors":[{"message":"PersistedQueryNotSupported"}]`},
		"get nothing":       {"GET", "/zoo", "", nil, 400, "application/json", "or GET with the parameter query"},
		"no JSON":           {"POST", "/zoo", `{"query":`, nil, 400, "application/json", "one JSON object"},
		"no UTF-8":          {"POST", "/zoo", "{\"query\":\"{ countAnimal } # \xff\"}", nil, 400, "application/json", "as UTF-8"},
		"empty":             {"POST", "/zoo", "", nil, 400, "application/json", "one JSON object"},
		"null":              {"POST", "/zoo", "null", nil, 400, "application/json", "one JSON object"},
		"batch":             {"POST", "/zoo", `[{"query":"{ countAnimal }"}]`, nil, 400, "application/json", "Several requests in one are not taken"},
		"no query":          {"POST", "/zoo", `{"Query":"{ countAnimal }"}`, []string{"Accept", responseType}, 400, responseType, "The request has no query"},
		"query null":        {"POST", "/zoo", `{"query":null}`, nil, 400, "application/json", "The request has no query"},
		"query of list":     {"POST", "/zoo", `{"query":["{ countAnimal }"]}`, nil, 400, "application/json", "The request has no query"},
		"operation":         {"POST", "/zoo", `{"query":"{ countAnimal }","operationName":7}`, nil, 400, "application/json", `\"operationName\" has to be text`},
		"variables list":    {"POST", "/zoo", `{"query":"{ countAnimal }","variables":[]}`, nil, 400, "application/json", `\"variables\" has to be a JSON object`},
		"variables text":    {"POST", "/zoo", `{"query":"{ countAnimal }","variables":"{}"}`, nil, 400, "application/json", `\"variables\" has to be a JSON object`},
		"extensions":        {"POST", "/zoo", `{"query":"{ countAnimal }","extensions":7}`, nil, 400, "application/json", `\"extensions\" has to be a JSON object`},
		"get no JSON":       {"GET", "/zoo" + in("{ countAnimal }") + "&variables={", "", nil, 400, "application/json", "The parameter variables is not JSON."},
		"get twice":         {"GET", "/zoo" + in("{ countAnimal }") + "&query=x", "", nil, 400, "application/json", "query more than once"},
		"get bad escape":    {"GET", "/zoo?query=%zz", "", nil, 400, "application/json", "percent-encode"},
		"charset wrong":     {"POST", "/zoo", countAnimals, []string{"Content-Type", "application/json; charset=iso-8859-1"}, 415, "application/json", "as UTF-8"},
		"media type":        {"POST", "/zoo", countAnimals, []string{"Content-Type", "application/graphql"}, 415, "application/json", "Content-Type: application/json"},
		"not acceptable":    {"POST", "/zoo", countAnimals, []string{"Accept", "text/csv"}, 406, "application/json", "accept one of them"},
		"delete":            {"DELETE", "/zoo", "", nil, 405, "application/json", "Send GraphQL requests with POST"},
		"closed":            {"POST", "/shut", countAnimals, []string{"Accept", responseType}, 403, responseType, "is closed by the domain's settings"},
		"closed get":        {"GET", "/shut" + in("{ countAnimal }"), "", nil, 403, "application/json", `"errors":[`},
		"closed schema":     {"GET", "/shut/schema", "", nil, 403, "application/json", "is closed"},
		"closed page":       {"GET", "/shut", "", []string{"Accept", "text/html"}, 403, "application/json", "is closed"},
		"unknown":           {"POST", "/zo", countAnimals, nil, 404, "application/json", "Did you mean 'zoo'?"},
		"unknown page":      {"GET", "/zo", "", []string{"Accept", "text/html"}, 404, "application/json", "Did you mean 'zoo'?"},
		"depth of all":      {"GET", "/settings/depth", "", nil, 200, "application/json", `{"default":8,"max":8}`},
		"list":              {"GET", "", "", nil, 200, "application/json", `{"success":true,"domains":[{"name":"hidden","description":"animals"},{"name":"quiet","description":"animals"},{"name":"zoo","description":"animals"}],"message":null}`},
		"page":              {"GET", "/zoo", "", []string{"Accept", "text/html,*/*;q=0.8"}, 200, "text/html; charset=utf-8", "<!doctype html>"},
		"page with query":   {"GET", "/zoo" + in("{ countAnimal }"), "", []string{"Accept", "text/html,*/*;q=0.8"}, 200, asJSON, `{"data":{"countAnimal":2}}`},
	} {
		for _, base := range []string{"/graphql", "/api/v1/graphql"} {
			w := ask(t, folders(t), nil, c.method, base+c.target, c.body, c.header...)
			equal(t, name+": status", c.status, w.Code)
			equal(t, name+": type", c.kind, w.Header().Get("Content-Type"))
			contains(t, name, w.Body.String(), c.answer)
			if !strings.HasPrefix(c.kind, "text/") && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: no JSON: %s", name, w.Body)
			}
			asked := c.method == http.MethodPost || strings.Contains(c.target, "?query")
			if asked && c.status >= 400 && !strings.Contains(w.Body.String(), `"errors":[{"message":`) {
				t.Errorf("%s: no errors as GraphQL has them: %s", name, w.Body)
			}
			if c.kind == responseType {
				equal(t, name+": members", []string{"errors", "extensions"}, membersOf(t, w.Body.Bytes()))
			}
			if c.status == 405 && w.Header().Get("Allow") == "" {
				t.Errorf("%s: no method is allowed", name)
			}
		}
	}
}

// membersOf are the names of the members of an object, in order.
func membersOf(t testing.TB, body []byte) []string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(members))
}

// The schema comes as OntoBricks answers it, or as SDL for those who prefer that.
func TestDerivedSchema(t *testing.T) {
	b := folders(t)
	var said struct {
		SDL   string
		Ready bool
	}
	w := ask(t, b, nil, http.MethodGet, "/graphql/zoo/schema", "")
	if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || !said.Ready {
		t.Fatalf("%v: %s", err, w.Body)
	}
	contains(t, "the schema", said.SDL, "type Animal implements Entity")
	for accept, kind := range map[string]string{
		"application/graphql": "application/graphql; charset=utf-8", "text/plain": "text/plain; charset=utf-8",
		"text/plain, application/json;q=0.5": "text/plain; charset=utf-8", "text/html, */*": "application/json",
		"application/json, text/plain, */*": "application/json", "image/png": "application/json",
	} {
		w := ask(t, b, nil, http.MethodGet, "/api/v1/graphql/zoo/schema", "", "Accept", accept)
		equal(t, accept+": status", 200, w.Code)
		equal(t, accept+": type", kind, w.Header().Get("Content-Type"))
		if kind != "application/json" && w.Body.String() != said.SDL {
			t.Errorf("%s: another schema:\n%s", accept, w.Body)
		}
	}
}

// An answer to GET has a tag of the domain's revision and the request; the client that has
// it is told so, as long as both are the same.
func TestDerivedTags(t *testing.T) {
	b := &derivedFrom{Backend: folders(t)}
	b.revision.Store("first")
	s := newServer(t, func(c *server.Config) { c.Backend = b })
	get := func(target, tag string, header ...http.Header) *http.Response {
		h := http.Header{"If-None-Match": {tag}, "Accept": {"*/*"}}
		return send(t, s.Handler(), http.MethodGet, target, "", append([]http.Header{h}, header...)...).Result()
	}
	seen := map[string]string{} // tag → target
	for _, target := range []string{
		"/graphql/zoo" + in("{ countAnimal }"), "/graphql/zoo" + in("{ countKeeper }"), "/graphql/quiet" + in("{ countAnimal }"),
		"/graphql/zoo" + in("{ countAnimal }") + "&depth=2", "/graphql/zoo" + in("{ countAnimal }") + "&variables=%7B%7D",
		"/graphql/zoo/schema", "/graphql/quiet/schema",
	} {
		first := get(target, `"other", W/"another"`)
		tag := first.Header.Get("ETag")
		if before, ok := seen[tag]; first.StatusCode != 200 || tag == "" || ok {
			t.Errorf("%s: %d, the tag %q is also of %s", target, first.StatusCode, tag, before)
		}
		seen[tag] = target
		equal(t, target, []string{"private, no-cache"}, first.Header["Cache-Control"])
		contains(t, target, strings.Join(first.Header["Vary"], ","), "Accept")
		for _, known := range []string{tag, `"x", W/` + tag, "*"} {
			again := get(target, known)
			equal(t, target+" with "+known, 304, again.StatusCode)
			equal(t, target+": the tag again", tag, again.Header.Get("ETag"))
			equal(t, target+": length", int64(-1), again.ContentLength)
		}
		other := get(target, tag, http.Header{"Accept": {responseType + ", text/plain"}})
		equal(t, target+" in another form", 200, other.StatusCode)
		b.revision.Store("next")
		equal(t, target+" at another revision", 200, get(target, tag).StatusCode)
		b.revision.Store("first")
	}
	for name, target := range map[string]string{
		"refused": "/graphql/zoo" + in("{ nothing }"), "partial": "/graphql/zoo" + in(`{ animal(id: "odd") { legs } }`),
	} {
		w := get(target, "*")
		if tag := w.Header.Get("ETag"); w.StatusCode != 200 || tag != "" {
			t.Errorf("%s: %d with the tag %q", name, w.StatusCode, tag)
		}
		equal(t, name, []string{"no-store"}, w.Header["Cache-Control"])
	}
	w := send(t, s.Handler(), http.MethodPost, "/graphql/zoo", countAnimals)
	equal(t, "the answer to POST", []string{"no-store"}, w.Header()["Cache-Control"])
}

// HEAD is GET without the body.
func TestDerivedHead(t *testing.T) {
	url := serve(t, newServer(t, func(c *server.Config) { c.Backend = folders(t) }))
	for _, target := range []string{"/graphql/zoo" + in("{ countAnimal }"), "/graphql/zoo/schema", "/graphql", "/graphql/settings/depth", "/graphql/zoo"} {
		got := map[string]*http.Response{}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequestWithContext(t.Context(), method, url+target, nil)
			if err != nil {
				t.Fatal(err)
			}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			got[method] = res
		}
		a, b := got[http.MethodGet], got[http.MethodHead]
		equal(t, target+": status", a.StatusCode, b.StatusCode)
		for _, name := range []string{"Content-Type", "Content-Length", "Etag", "Cache-Control"} {
			equal(t, target+": "+name, a.Header[name], b.Header[name])
		}
	}
}

// The page for people may run its own scripts only, and is there for every domain that has
// GraphQL, with a service of its own or a derived one.
func TestQueryPage(t *testing.T) {
	html := []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}
	zoo := ask(t, folders(t), nil, http.MethodGet, "/graphql/zoo", "", html...)
	crm := ask(t, newGraphQL(), nil, http.MethodGet, "/api/v1/graphql/crm", "", html...)
	for _, w := range []*httptest.ResponseRecorder{zoo, crm} {
		equal(t, "status", http.StatusOK, w.Code)
		equal(t, "type", "text/html; charset=utf-8", w.Header().Get("Content-Type"))
		contains(t, "the policy", w.Header().Get("Content-Security-Policy"), "default-src 'none'", "script-src 'sha256-")
		equal(t, "sniffing", "nosniff", w.Header().Get("X-Content-Type-Options"))
	}
	equal(t, "the page", zoo.Body.String(), crm.Body.String())
	equal(t, "without a service", http.StatusNotFound, ask(t, newGraphQL(), nil, http.MethodGet, "/graphql/hr", "", html...).Code)
}

// The SDL of another service is given as text where its answer has one.
func TestUpstreamSDL(t *testing.T) {
	w := ask(t, newGraphQL(), nil, http.MethodGet, "/graphql/crm/schema", "", "Accept", "text/plain")
	equal(t, "the schema", "of crm", w.Body.String())
	equal(t, "type", "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
	equal(t, "kept by caches", "no-store", w.Header().Get("Cache-Control"))

	p := newProxy(t, nil)
	p.Change("bare", func(d *bricktest.Domain) { d.SDL = "" })
	h := http.Header{"Accept": {"application/graphql"}}
	w = send(t, p.server.Handler(), http.MethodGet, "/graphql/bare/schema", "", h)
	contains(t, "without a schema", w.Body.String(), `"ready":false`)
	equal(t, "type without a schema", "application/json", w.Header().Get("Content-Type"))
	w = send(t, p.server.Handler(), http.MethodGet, "/graphql/customer360/schema", "", h)
	equal(t, "type", "application/graphql; charset=utf-8", w.Header().Get("Content-Type"))
	contains(t, "the schema", w.Body.String(), "type Query")
}

// Where domains of folders stand beside others, one list has both, and each is asked in its
// own way.
func TestDerivedBesideOthers(t *testing.T) {
	up := forwarding{newGraphQL(), &[]string{}}
	list := `{"success":true,"domains":[{"name":"crm","description":"customers"},{"name":"zulu","description":""}],"message":null}`
	joined := domains.Join(domains.Member{Label: "there", Backend: listedAs{up, &list}}, domains.Member{Label: "here", Backend: folders(t)})
	get := func() string { return ask(t, joined, nil, http.MethodGet, "/graphql", "").Body.String() }
	const own = `{"name":"hidden","description":"animals"},{"name":"quiet","description":"animals"},{"name":"zoo","description":"animals"}`
	equal(t, "list", `{"success":true,"domains":[{"name":"crm","description":"customers"},`+own+`,{"name":"zulu","description":""}],"message":null}`, get())
	list = "<html>no list</html>"
	equal(t, "without the other list", `{"success":true,"domains":[`+own+`],"message":"Not all domains could be listed: try again later."}`, get())
	equal(t, "depth", `{"of": "graphql/settings/depth"}`, ask(t, joined, nil, http.MethodGet, "/graphql/settings/depth", "").Body.String())
	equal(t, "derived", `{"data":{"countAnimal":2}}`, ask(t, joined, nil, http.MethodPost, "/graphql/zoo", countAnimals).Body.String())
	equal(t, "passed on", `{"data":{"things":[{"id":"1"}]}}`, ask(t, joined, nil, http.MethodPost, "/graphql/crm", countAnimals).Body.String())
}

// listedAs is a back end with a list of its GraphQL domains.
type listedAs struct {
	forwarding
	list *string
}

func (l listedAs) As(domains.Principal) domains.Backend { return l }

func (l listedAs) Forward(ctx context.Context, path string) (*domains.Reply, error) {
	if path == "graphql" {
		return replyOf(200, *l.list), nil
	}
	return l.forwarding.Forward(ctx, path)
}

// The guard, who asks, read-only mode and the log are those of all addresses of GraphQL.
func TestDerivedIsGuarded(t *testing.T) {
	app := func(c *server.Config) { c.App = true }
	for _, target := range []string{"/graphql/zoo" + in("{ countAnimal }"), "/graphql/zoo/schema", "/graphql", "/graphql/settings/depth", "/graphql/zoo"} {
		equal(t, target+" for nobody", 401, ask(t, folders(t), app, http.MethodGet, target, "", "Accept", "text/html, */*").Code)
		equal(t, target+" for somebody", 200, ask(t, folders(t), app, http.MethodGet, target, "", "Accept", "text/html, */*", "X-Forwarded-Email", "ann@example.org").Code)
		equal(t, target+" under another name", 403, ask(t, folders(t), nil, http.MethodGet, target, "", ":host", "evil.example.org").Code)
		equal(t, target+" from elsewhere", 403, ask(t, folders(t), nil, http.MethodGet, target, "", "Origin", "https://evil.example.org").Code)
	}
	w := ask(t, folders(t), nil, http.MethodGet, "/graphql/zoo"+in("{ countAnimal }"), "", "Origin", "http://localhost:3000")
	equal(t, "a page of this machine", "http://localhost:3000", w.Header().Get("Access-Control-Allow-Origin"))
	equal(t, "Vary", []string{"Origin", "Accept"}, w.Header()["Vary"])

	var log syncBuffer
	w = ask(t, folders(t), func(c *server.Config) {
		c.ReadOnly, c.Logger = true, slog.New(slog.NewJSONHandler(&log, nil))
	}, http.MethodPost, "/graphql/zoo", `{"query":"query Secret { countAnimal } "}`)
	equal(t, "read-only", 200, w.Code)
	contains(t, "the log", log.String(), `"tool":"graphql","domain":"zoo"`, `"outcome":"ok"`, w.Header().Get("X-Request-Id"))
	if strings.Contains(log.String(), "Secret") {
		t.Errorf("the log has the query:\n%s", log.String())
	}
}

// A page of another site cannot make a browser run queries, in images, frames or scripts,
// for which browsers send no Origin; a person who follows a link can.
func TestPagesOfOthersRunNothing(t *testing.T) {
	b := &derivedFrom{Backend: folders(t)}
	app := func(c *server.Config) { c.App = true }
	for name, c := range map[string]struct {
		site, mode, dest string
		status           int
	}{
		"image":             {"cross-site", "no-cors", "image", 403},
		"script":            {"cross-site", "no-cors", "script", 403},
		"fetch":             {"cross-site", "no-cors", "empty", 403},
		"frame":             {"cross-site", "navigate", "iframe", 403},
		"another port":      {"same-site", "no-cors", "image", 403},
		"no mode":           {"cross-site", "", "", 403},
		"link":              {"cross-site", "navigate", "document", 200},
		"address line":      {"none", "navigate", "document", 200},
		"the page itself":   {"same-origin", "cors", "empty", 200},
		"not of a browser":  {"", "", "", 200},
		"image of our page": {"same-origin", "no-cors", "image", 200},
	} {
		for _, target := range []string{"/graphql/zoo" + in("{ countAnimal }"), "/graphql/zoo/schema", "/api/v1/graphql"} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := ask(t, b, app, method, target, "", "X-Forwarded-Email", "ann@example.org",
					"Sec-Fetch-Site", c.site, "Sec-Fetch-Mode", c.mode, "Sec-Fetch-Dest", c.dest)
				equal(t, name+": "+method+" "+target, c.status, w.Code)
			}
		}
	}
	own := []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty", "Origin", "http://localhost:3000"}
	equal(t, "a page of this machine", 200, ask(t, b, nil, http.MethodGet, "/graphql/zoo"+in("{ countAnimal }"), "", own...).Code)
	for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""} {
		equal(t, "posted as "+kind, 415, ask(t, b, nil, http.MethodPost, "/graphql/zoo", countAnimals, "Content-Type", kind).Code)
	}
}

// Whatever is sent, the answer is one of HTTP with JSON, and no fault of ours.
func FuzzGraphQLEndpoint(f *testing.F) {
	s := newServer(f, func(c *server.Config) { c.Backend = folders(f) })
	for _, target := range []string{"/zoo", "/zoo/schema", "", "/settings/depth", "/shut", "/quiet", "/no", "/zoo?query={countAnimal}&depth=3", "/zoo?query=%7B__typename%7D&variables={", "/%zz", "/zoo?query=%"} {
		f.Add("GET", target, "", "", "*/*", "", false)
		f.Add("POST", target, countAnimals, "application/json", responseType, "", true)
		f.Add("HEAD", target, "", "", "text/html", "*", true)
	}
	for _, body := range []string{
		`{"query":"{ allAnimal { id label legs keptBy(limit: 1) { ...F } } } fragment F on Keeper { uri types }"}`, `{"query":"{ entity(uri: \"leo\") { __typename ... on Animal { legs } } }","depth":1}`,
		`{"query":"query($w: AnimalFilter) { allAnimal(where: $w, orderBy: [{legs: DESC}]) { label } }","variables":{"w":{"legs":{"gt":1}}}}`,
		`[{"query":"{ a }"}]`, `{"query":"mutation { a }"}`, `{"query":"subscription { a }"}`, `{"query":"{ a`, "{\"query\":\"\xff\"}", `{"query":"{ __schema { types { name } } }"}`,
	} {
		f.Add("POST", "/zoo", body, "application/json", "", "", false)
		f.Add("POST", "/quiet", body, "application/json; charset=utf-8", responseType+", */*;q=0.1", `"x"`, true)
	}
	f.Fuzz(func(t *testing.T, method, target, body, contentType, accept, tag string, other bool) {
		base := "/graphql"
		if other {
			base = "/api/v1/graphql"
		}
		u, err := url.ParseRequestURI("http://localhost" + base + target)
		if err != nil || method == http.MethodOptions || method == http.MethodConnect {
			return // net/http or the guard answers
		}
		r := (&http.Request{
			Method: method, URL: u, Host: "localhost", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{"Content-Type": {contentType}, "Accept": {accept}, "If-None-Match": {tag}},
			Body:   io.NopCloser(strings.NewReader(body)),
		}).WithContext(t.Context())
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, r)
		kind, _, err := mime.ParseMediaType(w.Header().Get("Content-Type"))
		switch {
		case w.Code >= 500 || w.Code < 200:
			t.Errorf("the status is %d: %s", w.Code, w.Body)
		case w.Code == http.StatusNotModified && w.Body.Len() == 0:
		case !strings.HasPrefix(u.Path, base): // dots led elsewhere
		case err != nil:
			t.Errorf("the type is %q: %v", w.Header().Get("Content-Type"), err)
		case (kind == "application/json" || kind == responseType) && !json.Valid(w.Body.Bytes()):
			t.Errorf("no JSON: %q", w.Body)
		}
	})
}
