//go:build e2e

package e2e_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// deployment is an OntoBricks deployment for clients of GraphQL: bricktest, with
// graphql-js in the place of its canned answers for the domain customer360.
type deployment struct {
	*bricktest.Deployment
	// URL is what the program is given; requests there are not in Requests.
	URL string

	mu     sync.Mutex
	posted []json.RawMessage // bodies of GraphQL requests for customer360
}

// deploy starts a deployment with the domains customer360, whose field
// Interaction.channel fails; finance, whose policy disables two tools; empty, which
// declares nothing and so has no schema; and bare, an ontology without a graph.
func deploy(t *testing.T) *deployment {
	t.Helper()
	needNode(t)
	customers, finance, yes := bricktest.Customer360(), bricktest.Finance(), true
	finance.Policy = map[string]any{"disabled_tools": []string{"query_graphql", "get_status"}}
	d := &deployment{Deployment: bricktest.New(t)}
	d.Add(customers, finance, bricktest.Domain{Name: "empty", HasGraph: &yes}, bricktest.OntologyOnly())
	rest, service := proxyTo(t, d.Deployment.URL), proxyTo(t, startService(t, customers))
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/graphql/customer360") {
			rest.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the program has gone
		}
		d.mu.Lock()
		d.posted = append(d.posted, body)
		d.mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		service.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	d.URL = front.URL
	return d
}

// Posted are the bodies of the GraphQL requests for customer360 that came so far.
func (d *deployment) Posted() []json.RawMessage {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]json.RawMessage(nil), d.posted...)
}

func proxyTo(t *testing.T, base string) *httputil.ReverseProxy {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	return httputil.NewSingleHostReverseProxy(u)
}

// startService starts node/deployment.mjs on the facts of a domain and returns its
// URL. It ends with the test.
func startService(t *testing.T, domain bricktest.Domain) string {
	t.Helper()
	task, err := json.Marshal(map[string]any{
		"sdl": domain.SDL, "triples": domain.Triples, "classes": bricktest.Onto, "properties": bricktest.Base,
		"broken": "Interaction.channel",
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "deployment.mjs", string(task))
	cmd.Dir = "node"
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(stdout).ReadBytes('\n') // a line that is missing has no URL
	t.Cleanup(func() {
		stdin.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the GraphQL service ends with %v:\n%s", err, &errs)
		}
	})
	var serving struct{ URL string }
	if err := json.Unmarshal(line, &serving); err != nil {
		t.Fatalf("the GraphQL service prints %q: %v", line, err)
	}
	return serving.URL
}
