package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
)

// exchange is a recorded call of OntoBricks and its answer.
type exchange struct {
	Method, Path string
	Query, Body  map[string]any
	Status       int
	Response     json.RawMessage
}

// String names the call.
func (e *exchange) String() string {
	params := e.Query
	if params == nil {
		params = e.Body
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(params)) {
		out = append(out, fmt.Sprintf("%s=%s", k, scalar(params[k])))
	}
	return e.Method + " " + e.Path + "?" + strings.Join(out, "&")
}

// member is a text in the recorded answer.
func (e *exchange) member(name string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(e.Response, &members) != nil || json.Unmarshal(members[name], &text) != nil {
		return ""
	}
	return text
}

// scalar is a value of a recorded parameter as it is on the wire.
func scalar(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// paging are the parameters of a call that are ours to choose ("limit and cursor over
// matches"): one recorded call of triples/find is a call for each page.
var paging = map[string]bool{"limit": true, "offset": true}

// fits reports whether a request is the recorded call: method, path and all recorded
// parameters but those of paging. A parameter that was not recorded is none of those
// that say what is asked for.
func (e *exchange) fits(r *http.Request, body map[string]any) bool {
	if r.Method != e.Method || r.URL.EscapedPath() != e.Path {
		return false
	}
	query := r.URL.Query()
	for k, v := range e.Query {
		if !paging[k] && query.Get(k) != scalar(v) {
			return false
		}
	}
	for k, v := range e.Body {
		if got, ok := body[k]; !ok || scalar(got) != scalar(v) {
			return false
		}
	}
	for _, k := range []string{"domain_name", "entity_uri", "search", "entity_type", "function", "cache", "registry_catalog", "registry_schema", "registry_volume"} {
		if _, recorded := e.Query[k]; e.Query != nil && !recorded && query.Has(k) {
			return false
		}
	}
	return true
}

// upstream answers as recorded. Calls that were not recorded at that step are answered
// from what was recorded elsewhere in the scenario, and with what OntoBricks answers
// about a plain domain otherwise; which of them are allowed is said by extraReads.
type upstream struct {
	url     string
	catalog string
	schema  string

	mu       sync.Mutex
	step     []*exchange        // what is to be answered now
	all      []*exchange        // of the whole scenario
	seen     map[*exchange]bool // happened at any time
	happened map[*exchange]int  // how often it happened in this step
	extra    []string           // calls that no rule allows
	post     string             // the body of the last POST
	reads    map[string]bool    // names of the rules of extraReads that were needed
}

func newUpstream(t *testing.T, catalog, schema string, all []*exchange) *upstream {
	t.Helper()
	u := &upstream{catalog: catalog, schema: schema, all: all, seen: map[*exchange]bool{}, reads: map[string]bool{}}
	h := httptest.NewServer(u)
	t.Cleanup(h.Close)
	u.url = h.URL
	return u
}

// begin sets what is recorded of the next step.
func (u *upstream) begin(step []*exchange) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.step, u.happened = step, map[*exchange]int{}
}

// posted is the body of the last POST.
func (u *upstream) posted() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.post
}

// end tells what did not happen in the step, and what happened that nothing allows.
func (u *upstream) end() (missing []*exchange, extra []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, e := range u.step {
		if u.happened[e] == 0 {
			missing = append(missing, e)
		}
		if strings.Contains(e.Path, "/nodes/") && e.Method == "POST" && u.happened[e] > 1 { // what writes is never repeated
			u.extra = append(u.extra, fmt.Sprintf("%d times %s", u.happened[e], e))
		}
	}
	extra, u.extra = u.extra, nil
	return missing, extra
}

func (u *upstream) before(e *exchange) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for other := range u.seen {
		if other.String() == e.String() {
			return true
		}
	}
	return false
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	var body map[string]any
	_ = json.Unmarshal(data, &body) // a body that is no object fits no recorded one
	if r.Method == http.MethodPost {
		u.mu.Lock()
		u.post = string(data)
		u.mu.Unlock()
	}
	status, answer := u.answer(r, body)
	kind := "application/json"
	if text := ""; json.Unmarshal(answer, &text) == nil { // recorded as the text that it was
		answer, kind = []byte(text), "text/html"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(answer) // a client that has gone reads nothing
}

func (u *upstream) answer(r *http.Request, body map[string]any) (int, json.RawMessage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, e := range u.step {
		if e.fits(r, body) {
			u.seen[e] = true
			u.happened[e]++
			return e.Status, e.page(r.URL.Query())
		}
	}
	if i := slices.IndexFunc(extraReads, func(x extraRead) bool { return x.allows(r) }); i < 0 {
		u.extra = append(u.extra, r.Method+" "+r.URL.EscapedPath()+"?"+r.URL.RawQuery)
	} else {
		u.reads[extraReads[i].name] = true
	}
	for _, e := range u.all {
		if e.fits(r, body) {
			u.seen[e] = true
			return e.Status, e.page(r.URL.Query())
		}
	}
	return u.plain(r.URL)
}

// page is the recorded answer, or what follows it: an answer of triples/find is the
// first page. Of further ones nothing was recorded, and so nothing comes although there
// is more.
func (e *exchange) page(query url.Values) json.RawMessage {
	var found struct {
		Triples []json.RawMessage `json:"triples"`
	}
	if offset := query.Get("offset"); offset == "" || offset == "0" || json.Unmarshal(e.Response, &found) != nil {
		return e.Response
	}
	var members map[string]any
	if json.Unmarshal(e.Response, &members) != nil {
		return e.Response
	}
	members["triples"], members["count"] = []any{}, 0
	data, err := json.Marshal(members)
	if err != nil {
		return e.Response
	}
	return data
}

// plain is the answer about a domain of which nothing was recorded: it is published in
// version 1, has an ontology without terms, and nothing else.
func (u *upstream) plain(at *url.URL) (int, json.RawMessage) {
	name := at.Query().Get("domain_name")
	var answer any
	switch path := at.EscapedPath(); {
	case path == "/api/v1/digitaltwin/registry":
		answer = map[string]any{"catalog": u.catalog, "schema": u.schema, "volume": "", "configured": u.catalog != "" && u.schema != ""}
	case path == "/api/v1/domains":
		answer = map[string]any{"success": true, "domains": u.named(), "message": nil}
	case path == "/api/v1/domain/versions":
		answer = map[string]any{"success": true, "domain_name": name, "latest_version": "1", "message": nil,
			"versions": []any{map[string]any{"version": "1", "is_latest": true, "status": "PUBLISHED", "is_published": true}}}
	case path == "/api/v1/domain/classes":
		answer = map[string]any{"success": true, "domain_name": name, "classes": []any{}}
	case path == "/api/v1/domain/ontology":
		answer = map[string]any{"success": true, "format": "turtle", "base_uri": plainBase, "class_count": 0, "property_count": 0, "message": nil,
			"content": "<" + plainBase + "> a <http://www.w3.org/2002/07/owl#Ontology> ."}
	case strings.HasPrefix(path, "/graphql/") && strings.HasSuffix(path, "/schema"):
		answer = map[string]any{"sdl": "type Query {\n  a: String\n}", "ready": true}
	default:
		return http.StatusNotFound, json.RawMessage(`{"error":"not_found","message":"nothing recorded"}`)
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return http.StatusOK, data
}

const plainBase = "https://acme.example/onto"

// named lists every domain that a recorded call names.
func (u *upstream) named() []any {
	names := map[string]bool{}
	for _, e := range u.all {
		for _, params := range []map[string]any{e.Query, e.Body} {
			if name, ok := params["domain_name"].(string); ok {
				names[name] = true
			}
		}
		if rest, ok := strings.CutPrefix(e.Path, "/graphql/"); ok {
			name, _, _ := strings.Cut(rest, "/")
			names[name] = true
		}
	}
	out := []any{}
	for _, n := range slices.Sorted(maps.Keys(names)) {
		out = append(out, map[string]any{"name": n, "description": ""})
	}
	return out
}

// extraRead is a call that may happen although it was not recorded.
type extraRead struct {
	name, why string
	paths     []string
}

func (x extraRead) allows(r *http.Request) bool {
	path := r.URL.EscapedPath()
	if rest, ok := strings.CutPrefix(path, "/graphql/"); ok {
		_, rest, _ = strings.Cut(rest, "/")
		path = "/graphql/*/" + rest
	}
	return r.Method == http.MethodGet && slices.Contains(x.paths, path)
}

// extraReads are the reads that are allowed besides the recorded calls.
var extraReads = []extraRead{
	{name: "policy", why: "Policies are refreshed and never fail open once known", paths: []string{"/api/v1/domains"}},
	{name: "version", why: "the last line with domain and version", paths: []string{"/api/v1/domain/versions"}},
	{name: "schema", why: "predicates prettified and labels used; the SDL is the single source", paths: []string{"/api/v1/domain/ontology", "/api/v1/domain/classes", "/graphql/*/schema"}},
	{name: "registry", why: "registry discovery and REG parameters", paths: []string{"/api/v1/digitaltwin/registry"}},
}

// mustJSON is a value as JSON.
func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}
