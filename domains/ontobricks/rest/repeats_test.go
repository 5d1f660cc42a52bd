package rest_test

import (
	"context"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
)

// TestRepeatsInTheLog holds that a line about a repeat has no keys without a value, and
// that whoever asks once is answered after one request.
func TestRepeatsInTheLog(t *testing.T) {
	broken := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for name, row := range map[string]struct {
		ctx      context.Context
		r        rest.Request
		requests int
		line     string
	}{
		"nothing known": {t.Context(), rest.Request{Method: http.MethodGet, Path: "/x", Doing: "looking"}, 6, `msg="upstream repeat" doing=looking repeat=1 wait=250ms`},
		"all known":     {request(t), get(), 6, `msg="upstream repeat" request=req-17 domain=customer360 doing="listing the domains" repeat=1 wait=250ms`},
		"once":          {domains.Once(request(t)), get(), 1, ""},
	} {
		requests := 0
		u := serve(t, says(200, good), func(c *rest.Config) {
			c.Transport = trip(func(*http.Request) (*http.Response, error) { requests++; return nil, broken })
		})
		if err := u.JSON(row.ctx, row.r, nil); err == nil || requests != row.requests {
			t.Errorf("%s: %v after %d requests, want %d", name, err, requests, row.requests)
		}
		if log := u.log.String(); !strings.Contains(log, row.line) || (row.line == "") != !strings.Contains(log, "repeat") {
			t.Errorf("%s: logged\n%s", name, log)
		}
	}
}
