package server_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/server"
)

// Clients leave "arguments" out, or send null or {}: a tool without required
// arguments answers the same to all of them.
func TestMissingArguments(t *testing.T) {
	c := connect(t, serve(t, newServer(t, func(c *server.Config) { c.Domain = "crm" }))+"/mcp")
	for _, tool := range []string{"list_domains", "list_domain_versions", "get_design_status", "describe_ontology", "list_entity_types", "get_status"} {
		want, isError := c.request("tools/call", `{"name":"`+tool+`"}`).text(t)
		if isError || want == "" {
			t.Errorf("%s without arguments: %s", tool, want)
		}
		for _, args := range []string{`null`, `{}`, `""`, `"{}"`, `{"domain_name":null}`, `{"domain_name":""}`} {
			if tool == "list_domains" {
				args = strings.ReplaceAll(args, "domain_name", "search")
			}
			got, _ := c.call(tool, args)
			equal(t, tool+" with "+args, want, got)
		}
	}
}

// A misspelt argument is an error that names the nearest valid one and lists them
// all; answering from defaults would look right and be wrong.
func TestUnknownArgument(t *testing.T) {
	s := newServer(t, func(c *server.Config) { c.Domain = "crm" })
	for _, tc := range []struct {
		tool, arg string
		want      []string
	}{
		{"describe_entity", "serch", []string{"Unknown argument 'serch' of describe_entity.", "Did you mean 'search'?", "Valid arguments: search, entity_type, entity_uri, depth, limit, detail, lang, cache, domain_name, cursor."}},
		{"describe_entity", "entityType", []string{"Did you mean 'entity_type'?"}},
		{"get_status", "verbose", []string{"Valid arguments: domain_name."}},
		{"list_domains", "domain_name", []string{"Valid arguments: search, cursor."}},
		{"list_domains", "cache", []string{"Unknown argument 'cache'"}},
		{"list_domains", "a\x1b[31m\u202e" + strings.Repeat("x", 500), []string{`Unknown argument 'a\u001b[31m\u202exxx`, "…'"}},
	} {
		text, isError, err := s.Call(t.Context(), tc.tool, map[string]any{tc.arg: "x", "search": nil})
		if err != nil || !isError {
			t.Errorf("%s(%s): %q, %v", tc.tool, tc.arg, text, err)
		}
		contains(t, tc.tool, text, tc.want...)
	}
}

// The argument cache reaches the back end as it was meant; absent it leaves the choice
// to the back end.
func TestCacheIsPassedOn(t *testing.T) {
	backend := &recording{fakeBackend: newFake()}
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for args, want := range map[string]domains.CacheUse{
		`{"search":"thing"}`:                 domains.CacheAuto,
		`{"search":"thing","cache":null}`:    domains.CacheAuto,
		`{"search":"thing","cache":""}`:      domains.CacheAuto,
		`{"search":"thing","cache":true}`:    domains.CacheOn,
		`{"search":"thing","cache":false}`:   domains.CacheOff,
		`{"search":"thing","cache":"False"}`: domains.CacheOff,
	} {
		text, isError, err := call(t, s, "describe_entity", args)
		if err != nil || isError {
			t.Errorf("%s: %q, %v", args, text, err)
		}
		equal(t, args, want, backend.last.Cache)
	}
}

// What a model means is taken: numbers and booleans as text, text as numbers, arrays
// as their JSON text, any case of a word, and a number out of range is clamped, which
// the answer says.
func TestLenientArguments(t *testing.T) {
	backend := &recording{fakeBackend: newFake()}
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "crm" })
	for _, tc := range []struct {
		args string
		text string // what of the query is looked for
		want int    // the limit
		note string
	}{
		{`{"search":"a","limit":7}`, "a", 7, ""},
		{`{"search":"a","limit":"7"}`, "a", 7, ""},
		{`{"search":"a","limit":7.0}`, "a", 7, ""},
		{`{"search":"a","limit":" 7 "}`, "a", 7, ""},
		{`{"search":"  a  ","limit":null}`, "a", 5, ""},
		{`{"search":42}`, "42", 5, ""},
		{`{"search":true}`, "true", 5, ""},
		{`{"search":"a","limit":0}`, "a", 1, "limit 0 is out of range: 1 was used (1–50)."},
		{`{"search":"a","limit":"-3"}`, "a", 1, "limit -3 is out of range"},
		{`{"search":"a","limit":"1e400"}`, "a", 50, "limit 1e400 is out of range: 50 was used"},
		{`{"search":"a","limit":99999999999999999999}`, "a", 50, "50 was used"},
		{`{"search":"a","depth":11}`, "a", 5, "depth 11 is out of range: 10 was used (0–10)."},
		{`{"search":"a","detail":"COMPACT"}`, "a", 5, ""},
		{`"{\"search\":\"a\"}"`, "a", 5, ""},
	} {
		text, isError, err := call(t, s, "describe_entity", tc.args)
		if err != nil || isError {
			t.Errorf("%s: %q, %v", tc.args, text, err)
			continue
		}
		if q := backend.last; q.Text != tc.text || q.Limit != tc.want {
			t.Errorf("%s: looked for %q, limit %d; want %q, %d", tc.args, q.Text, q.Limit, tc.text, tc.want)
		}
		if strings.Contains(text, "out of range") != (tc.note != "") || !strings.Contains(text, tc.note) {
			t.Errorf("%s: the note %q is wrong in\n%s", tc.args, tc.note, text)
		}
	}
	for _, args := range []string{`{"classes":["Thing"]}`, `{"classes":"[\"Thing\"]"}`, `{"classes":"Thing"}`, `{"classes":" thing "}`, `{"classes":"Thing,SmallThing"}`} {
		if text, isError, err := call(t, s, "describe_ontology", args); err != nil || isError {
			t.Errorf("%s: %q, %v", args, text, err)
		}
	}
}

// What cannot be meant is an error that says what would be right.
func TestWrongArguments(t *testing.T) {
	s := newServer(t, func(c *server.Config) { c.Domain = "crm" })
	for _, tc := range []struct{ tool, args, want string }{
		{"describe_entity", `[]`, "must be a JSON object. Valid arguments: search"},
		{"describe_entity", `7`, "must be a JSON object"},
		{"describe_entity", `"x"`, "must be a JSON object"},
		{"describe_entity", `{"search":{}}`, "'search' must be text"},
		{"describe_entity", `{"search":["a"]}`, "'search' must be text"},
		{"describe_entity", `{"search":"a","limit":2.5}`, "'limit' must be a whole number, not '2.5'"},
		{"describe_entity", `{"search":"a","limit":"many"}`, "'limit' must be a whole number, not 'many'"},
		{"describe_entity", `{"search":"a","limit":"NaN"}`, "whole number"},
		{"describe_entity", `{"search":"a","depth":true}`, "'depth' must be a whole number"},
		{"describe_entity", `{"search":"a","detail":"huge"}`, "'detail' must be one of compact, standard, full, not 'huge'"},
		{"describe_entity", `{}`, "at least a search term, an entity type or an entity URI"},
		{"describe_entity", `{"entity_type":"Thingy"}`, "No entity type is called 'Thingy'. Did you mean 'Thing'"},
		{"describe_entity", `{"search":"thing","cursor":"AAAA"}`, "damaged"},
		{"describe_ontology", `{"classes":["Nothing else"]}`, "No class is called 'Nothing else'."},
		{"describe_ontology", `{"classes":[{}]}`, "'classes' must be an array of strings"},
		{"describe_ontology", `{"classes":"[1"}`, "'classes' must be an array of strings"},
		{"describe_ontology", `{"format":"xml"}`, "one of summary, turtle"},
		{"select_domain", `{}`, "select_domain needs 'domain_name'. Domains: broken (unavailable), crm"},
		{"describe", `{}`, "Unknown tool 'describe'. Did you mean 'describe_entity'? Tools: list_domains"},
	} {
		text, isError, err := call(t, s, tc.tool, tc.args)
		if err != nil || !isError {
			t.Errorf("%s(%s) = %q, %v", tc.tool, tc.args, text, err)
		}
		contains(t, tc.tool+tc.args, text, tc.want)
	}
}

// Arguments of every kind are taken in the ways in which models write them: numbers and
// booleans also as text, text also as a number or boolean, lists also as JSON text.
func TestKindsOfArguments(t *testing.T) {
	s, err := server.NewProbe(t.Context(), server.Config{Backend: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{}`:                             `{"text":"","word":"","number":3,"truth":false,"list":null}`,
		`{"truth":true,"number":4}`:      `{"text":"","word":"","number":4,"truth":true,"list":null}`,
		`{"truth":"True","number":"4"}`:  `{"text":"","word":"","number":4,"truth":true,"list":null}`,
		`{"truth":"yes","word":" ONE "}`: `{"text":"","word":"one","number":3,"truth":true,"list":null}`,
		`{"truth":1,"text":1.50}`:        `{"text":"1.50","word":"","number":3,"truth":true,"list":null}`,
		`{"truth":"no","text":false}`:    `{"text":"false","word":"","number":3,"truth":false,"list":null}`,
		`{"truth":0,"list":["a",2,""]}`:  `{"text":"","word":"","number":3,"truth":false,"list":["a","2"]}`,
		`{"truth":"","list":"[\"a\"]"}`:  `{"text":"","word":"","number":3,"truth":false,"list":["a"]}`,
		`{"truth":"perhaps"}`:            `The argument 'truth' must be true or false, not 'perhaps'.`,
		`{"truth":[]}`:                   `The argument 'truth' must be true or false, not '[]'.`,
	} {
		text, isError, err := call(t, s, "probe", args)
		if err != nil || isError != strings.HasPrefix(want, "The argument") {
			t.Errorf("%s: isError %v, %v", args, isError, err)
		}
		equal(t, args, want, text)
	}
}

// call calls a tool with arguments of any JSON, over stdio.
func call(t testing.TB, s *server.Server, tool, args string) (text string, isError bool, err error) {
	t.Helper()
	text, isError = answerTo(t, stdio(t, s, callLine(1, tool, args)), 1).text(t)
	return text, isError, nil
}

// recording keeps the last query.
type recording struct {
	*fakeBackend
	last domains.Query
}

func (b *recording) As(domains.Principal) domains.Backend { return b }

func (b *recording) Open(ctx context.Context, name domains.Name) (*domains.Domain, error) {
	d, err := b.fakeBackend.Open(ctx, name)
	if err == nil && d.Facts != nil {
		d.Facts = recordingFacts{d.Facts, b}
	}
	return d, err
}

type recordingFacts struct {
	domains.Facts
	b *recording
}

func (f recordingFacts) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	f.b.last = q
	return f.Facts.Find(ctx, q)
}

// Whatever JSON comes as arguments, the answer is a text or an error for the caller,
// never a fault of ours.
func FuzzArguments(f *testing.F) {
	s := newServer(f, func(c *server.Config) { c.Domain = "crm" })
	for _, args := range []string{
		`{}`, `null`, `[]`, `"{}"`, `{"search":"a"}`, `{"search":"a","limit":"x"}`, `{"limit":1e999}`, `{"depth":-0}`,
		`{"classes":"[\"a\"]"}`, `{"classes":[null,1,"x"]}`, `{"search":"\u202e","cursor":"AAAA"}`, `{"entity_uri":"<a"}`,
		`{"entity_type":":Thing","lang":"en"}`, `{"domain_name":"hr"}`, `{"format":"turtle","detail":"full"}`, `{"":{}}`,
	} {
		for i := range allTools {
			f.Add(uint8(i), []byte(args))
		}
	}
	f.Fuzz(func(t *testing.T, tool uint8, args []byte) {
		// mcp-go refuses numbers that do not fit a float64 before we see them.
		var decoded any
		if json.Unmarshal(args, &decoded) != nil || strings.ContainsAny(string(args), "\n\r") {
			t.Skip("not one line of JSON")
		}
		name := allTools[int(tool)%len(allTools)]
		r := answerTo(t, stdio(t, s, callLine(1, name, string(args))), 1)
		if r.code != 0 {
			t.Fatalf("%s(%s): error %d %s", name, args, r.code, r.message)
		}
		r.text(t)
	})
}

// Whatever comes as the body of a request, the server answers and nothing is a fault
// of ours.
func FuzzRequest(f *testing.F) {
	s := newServer(f, nil)
	h := s.Handler()
	for _, body := range []string{
		initialize, list, callLine(1, "list_domains", `{}`), callLine(1, "select_domain", `{"domain_name":"crm"}`),
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ontobricks://domains"}}`,
		`{"jsonrpc":"2.0","id":"x","method":"resources/list","params":{"cursor":"eA=="}}`, `[` + list + `]`, `{`, ``, `{"id":{},"method":1}`,
	} {
		f.Add([]byte(body), "")
		f.Add([]byte(body), "2025-11-25")
		f.Add([]byte(body), "2026-07-28")
	}
	f.Fuzz(func(t *testing.T, body []byte, version string) {
		w := record(t, h, body, version)
		if w.Code >= 500 && w.Code != 503 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if strings.Contains(w.Body.String(), "internal error") || strings.Contains(w.Body.String(), "panic") {
			t.Fatalf("%q: %s", body, w.Body)
		}
	})
}
