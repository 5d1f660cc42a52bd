package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/server"
)

// What is answered without mcp-go is answered as it does, to the byte: each message is
// sent as it is, and with a member that only mcp-go reads.
func TestDirectly(t *testing.T) {
	s := overSamples(t)
	h := s.Handler()
	post := func(body string, header http.Header) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json")
		for k, v := range header {
			r.Header[k] = v
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return fmt.Sprintf("%d %s\n%s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	call := func(params string) string { return `"method":"tools/call","params":` + params }
	for _, rest := range []string{
		`"method":"tools/list"`,
		`"method":"tools/list","params":{}`,
		`"method":"tools/list","params":{"_meta":{"progressToken":1}}`,
		call(`{"name":"describe_entity","arguments":{"entity_uri":"` + smallInSamples + `"}}`),
		call(` { "name" : "list_domains" , "arguments" : { } } `),
		call(`{"name":"list_domains"}`),
		call(`{"name":"list_domains","arguments":null,"_meta":{"progressToken":"a","other":[{}]}}`),
		call(`{"name":"describe_entity","arguments":{}}`),                                        // isError
		call(`{"name":"describe_entity","arguments":{"search":"<é>&\u2028\"]}","limit":"500"}}`), // escapes, notes
		call(`{"name":"describe_entity","arguments":[1]}`),
		call(`{"name":"no_such_tool","arguments":{"a":[1,{"b":"}"}]}}`),
		call(`{"name":"select_domain","arguments":{"domain_name":"finance"}}`),
	} {
		for _, id := range []string{`7`, `"a b"`, `-3`, `""`, `0`} {
			body := `{"jsonrpc":"2.0","id":` + id + `,` + rest + `}`
			if !server.AnsweredDirectly(body) {
				t.Errorf("%s goes through mcp-go", body)
			}
			other := strings.TrimSuffix(body, "}") + `,"x":0}`
			if server.AnsweredDirectly(other) {
				t.Errorf("%s does not go through mcp-go", other)
			}
			if diff := cmp.Diff(maskCursor(post(other, nil)), maskCursor(post(body, nil))); diff != "" {
				t.Errorf("%s (-mcp-go +directly):\n%s", body, diff)
			}
		}
	}
}

// Whatever leaves something to decide is mcp-go's.
func TestNotDirectly(t *testing.T) {
	for _, body := range []string{
		``, `[]`, `7`, `{`, `{}`, `{"jsonrpc":"2.0","id":7,"method":"ping"}`,
		`{"jsonrpc":"1.0","id":7,"method":"tools/list"}`,
		`{"id":7,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":1e3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":-0,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"<a>","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":"\u0061","method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":{},"method":"tools/list"}`,
		`{"jsonrpc":"2.0","ID":7,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools\/list"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","result":{}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[]}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"x"}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.\u006dodelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"é"}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","task":{}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a","_meta":7}}`,
	} {
		if server.AnsweredDirectly(body) {
			t.Errorf("%s does not go through mcp-go", body)
		}
	}
}

// Reading the members of an object gives what encoding/json gives.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{
		`{}`, ` { "a" : 1 , "b":"x\"}" } `, `{"a":[1,{"b":"]"}],"c":-1.5e3}`, `{"a":null,"a":true}`, `{"\u0061":1}`, `{"":{}}`, `[1]`, `"a"`, `{"a":`, "{\"a\":1\n}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !json.Valid([]byte(s)) {
			t.Skip()
		}
		got, ok := server.Members(s)
		if !ok {
			return // encoding/json reads it
		}
		want := map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Errorf("%s: %q is %s, want %s", s, name, got[name], value)
			}
		}
		if len(got) != len(want) && strings.ToValidUTF8(s, "") == s {
			t.Errorf("%s: %d members, want %d", s, len(got), len(want))
		}
	})
}
