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
	broken := &net.OpError{Op: "read", Err: syscall.ECONNRESET}
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

// TestRefusedConnections holds that connections which are refused are tried again only
// where the service has answered before: one that never has is not restarting, its
// address is wrong or it does not run.
func TestRefusedConnections(t *testing.T) {
	sent, down := 0, true
	u := serve(t, says(200, good), func(c *rest.Config) {
		c.Transport = trip(func(r *http.Request) (*http.Response, error) {
			sent++
			if down {
				return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
			}
			return record(says(200, good)), nil
		})
	})
	for _, step := range []struct {
		name string
		down bool
		sent int
	}{{"never answered", true, 1}, {"answers", false, 1}, {"restarts", true, 6}} {
		sent, down = 0, step.down
		if err := u.JSON(t.Context(), get(), nil); (err != nil) != step.down || sent != step.sent {
			t.Errorf("%s: %v after %d requests, want %d", step.name, err, sent, step.sent)
		}
	}
}
