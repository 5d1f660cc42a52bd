package server

import (
	"encoding/json"
	"testing"
)

// An answer is the same to the byte as mcp-go would write it.
func FuzzAppendQuoted(f *testing.F) {
	f.Add("plain \"text\" \\ with\n\r\t\b\f\x00\x1f\x7f <b>&amp;</b> é ■ \u2028\u2029\u2027\u202a \U0001F600 \xff\xc3 \ufffd")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(appendQuoted(nil, s)); got != string(want) {
			t.Errorf("-want +got\n-%s\n+%s", want, got)
		}
	})
}
