//go:build e2e

package e2e_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// On /mcp/{domain} the list fits from the first request, another domain is refused
// with its URL, nothing is ever announced, and sessions are unknown on other paths.
func TestFixedDomain(t *testing.T) {
	mcp := serve(t)
	for domain, other := range map[string]string{"finance": "customer360", "hr_analytics": "supply_chain"} {
		var v struct {
			Announced int
			Faults    []string
		}
		runNode(t, "fixed.mjs", map[string]any{
			"base": mcp, "domain": domain, "other": other, "tools": lists[domain], "rounds": 40,
		}, &v, nil)
		if v.Announced != 0 || len(v.Faults) > 0 {
			t.Errorf("/mcp/%s: %d announcements, want 0; faults:\n%s", domain, v.Announced, strings.Join(v.Faults, "\n"))
		}
	}
	if r := send(t, http.MethodPost, mcp+"/no_such_domain", "", initialize); r.Status != http.StatusNotFound {
		t.Errorf("an unknown domain's path is answered %d, want 404", r.Status)
	}
}

// An id that the server never gave, or that it has ended, opens nothing.
func TestForeignSession(t *testing.T) {
	mcp := serve(t)
	closed := open(t, mcp)
	if r := send(t, http.MethodDelete, mcp, closed, ""); r.Status/100 != 2 {
		t.Fatalf("DELETE is answered %d", r.Status)
	}
	for name, id := range map[string]string{
		"invented": "00000000-0000-4000-8000-000000000000",
		"guessed":  strings.Repeat("A", len(closed)),
		"stdio's":  "stdio",
		"closed":   closed,
	} {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
			if r := send(t, method, mcp, id, toolsList); r.Status != http.StatusNotFound {
				t.Errorf("%s with an id that is %s: %d, want 404", method, name, r.Status)
			}
		}
	}
}

// A session that rests too long ends; one that is used lives on.
func TestExpiredSession(t *testing.T) {
	const idle = time.Second
	mcp := serve(t, "--session-idle", idle.String())
	resting, used := open(t, mcp), open(t, mcp)
	over := time.After(4 * idle)
	for tick := time.Tick(idle / 5); ; {
		select {
		case <-tick:
			if r := send(t, http.MethodPost, mcp, used, toolsList); r.Status != http.StatusOK {
				t.Fatalf("a session in use is answered %d", r.Status)
			}
			continue
		case <-over:
		}
		break
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		if r := send(t, method, mcp, resting, toolsList); r.Status != http.StatusNotFound {
			t.Errorf("%s with an expired session: %d, want 404, upon which a client begins anew", method, r.Status)
		}
	}
}

// Clients that never initialise are strangers to each other: equal request ids do
// not mix, one cannot cancel the other's request, and nothing is remembered.
func TestWithoutSession(t *testing.T) {
	mcp := serve(t)
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"not mine"}}`
	done := make(chan struct{})
	var askers, canceller sync.WaitGroup
	canceller.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				send(t, http.MethodPost, mcp, "", cancel)
			}
		}
	})
	for _, domain := range []string{"customer360", "supply_chain"} {
		askers.Go(func() {
			for range 100 {
				r := send(t, http.MethodPost, mcp, "", toolCall(t, 1, "describe_ontology", map[string]any{"domain_name": domain}))
				if text := r.Message.text(); string(r.Message.ID) != "1" || !strings.Contains(text, "["+domain+", version ") {
					t.Errorf("request 1 about %s is answered %+v", domain, r)
				}
				if r.Session != "" {
					t.Errorf("a request without a session is told the id %q", r.Session)
				}
				send(t, http.MethodPost, mcp, "", toolCall(t, 1, "select_domain", map[string]any{"domain_name": domain}))
				if got := toolNames(send(t, http.MethodPost, mcp, "", toolsList)); !slices.Equal(got, sorted(allTools)) {
					t.Errorf("without a session the tools are %v, want all", got)
				}
			}
		})
	}
	askers.Wait()
	close(done)
	canceller.Wait()
}

func toolNames(r reply) []string {
	var out []string
	for _, tool := range r.Message.Result.Tools {
		out = append(out, tool.Name)
	}
	return sorted(out)
}

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }
