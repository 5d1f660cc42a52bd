package rest_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// FuzzAnswer gives any answer to a read and holds that a message is one line of valid
// text without host or token and of bounded length, and that the waits are bounded.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []struct{ status, retryAfter, body string }{
		{"n", "", infrastructure}, {"\x02", "3", page}, {"e", "Mon, 04 May 2026 12:00:05 GMT", `{"detail":[{"loc":["query",1],"msg":"no"}]}`},
		{"a", "-1", `{"message":"at https://ada:x@bricks.example.com:8443/a?b=` + tokenPrefix + `0\u2028, bricks.EXAMPLE.com"}`},
		{"d", "99999999999999999999", `{"errors":[{"message":1},{"message":"\ud800"}],"error":{"a":1}}`}, {"Z", "", `{"message":"."}`},
	} {
		f.Add(int(seed.status[0])+400, seed.retryAfter, []byte(seed.body))
	}
	f.Fuzz(func(t *testing.T, status int, retryAfter string, body []byte) {
		waited := time.Duration(0)
		c, err := rest.New(rest.Config{
			URL: "https://bricks.example.com:8443/base", Tokens: &tokens{},
			Sleep: func(_ context.Context, d time.Duration) error { waited += d; return nil },
			Transport: trip(func(r *http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: 200 + (status%400+400)%400, Header: http.Header{"Retry-After": {retryAfter}},
					Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: -1, Request: r,
				}, nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		var into struct{ N int }
		err = c.JSON(t.Context(), get(), &into)
		if err == nil {
			return
		}
		text, _ := message(t, err)
		switch lower := strings.ToLower(text); {
		case !utf8.ValidString(text), strings.ContainsFunc(text, unicode.IsControl), utf8.RuneCountInString(text) > 900:
			t.Errorf("not a line of text: %q", text)
		case strings.Contains(lower, "bricks.example.com"), strings.Contains(lower, tokenPrefix+"0"), strings.Contains(lower, tokenPrefix+"1"):
			t.Errorf("host or token in %q", text)
		case !strings.HasSuffix(text, "."):
			t.Errorf("no next step at the end: %q", text)
		}
		if waited > time.Minute {
			t.Errorf("waited %s", waited)
		}
	})
}
