//go:build e2e

package e2e_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounds is how often each client changes its selection.
const rounds = 300

// registryTools are listed whatever is selected.
var registryTools = []string{"get_design_status", "list_domain_versions", "list_domains", "select_domain"}

// lists are the tools that each sample domain shows: no two are equal.
var lists = map[string][]string{
	"customer360":  visible("describe_entity", "describe_ontology", "get_entity_context", "get_graphql_schema", "get_status", "list_entity_types", "query_graphql"),
	"finance":      visible("describe_entity", "describe_ontology", "get_graphql_schema", "list_entity_types", "query_graphql"),
	"supply_chain": visible("describe_entity", "describe_ontology", "get_graphql_schema", "get_status", "query_graphql"),
	"hr_analytics": visible("describe_ontology"),
}

// allTools are what clients see before a domain is selected.
var allTools = visible(
	"compute_virtual_attributes", "describe_entity", "describe_ontology", "get_entity_context", "get_graphql_schema", "get_status",
	"invoke_entity_action", "list_entity_types", "query_graphql", "run_entity_business_rule",
)

func visible(domainTools ...string) []string { return slices.Concat(registryTools, domainTools) }

type selectionTask struct {
	Targets []target            `json:"targets"`
	Lists   map[string][]string `json:"lists"`
	Rounds  int                 `json:"rounds"`
}

type selectionVerdict struct {
	Clients []struct {
		// Announced counts the list_changed notifications received, Listening is
		// the status with which the listening stream was answered; 0 on stdio.
		Selections, Announced, Listening int
		Faults                           []string
	}
}

// check expects every client to have changed its selection n times and once at the
// start, to have selected one domain twice, and to have heard of each change once.
func (v selectionVerdict) check(t *testing.T, n int, listening ...int) {
	t.Helper()
	if len(v.Clients) != len(listening) {
		t.Fatalf("%d clients report, want %d", len(v.Clients), len(listening))
	}
	for i, c := range v.Clients {
		if c.Selections != n+2 || c.Announced != n+1 || c.Listening != listening[i] || len(c.Faults) > 0 {
			t.Errorf("client %d: %d selections, want %d; %d announcements, want %d; listening %d, want %d; faults: %s",
				i, c.Selections, n+2, c.Announced, n+1, c.Listening, listening[i], strings.Join(c.Faults, "\n"))
		}
	}
}

// Two clients at once, each with its own selection: every list is right, every
// change is announced once to the client that made it and never to the other.
func TestSelection(t *testing.T) {
	mcp := serve(t)
	for name, c := range map[string]struct {
		targets   []target
		listening []int
	}{
		"listening":     {[]target{{URL: mcp, Listen: true}, {URL: mcp, Listen: true}}, []int{200, 200}},
		"not listening": {[]target{{URL: mcp}, {URL: mcp}}, []int{405, 405}},
		"one listens":   {[]target{{URL: mcp, Listen: true}, {URL: mcp}}, []int{200, 405}},
		"stdio":         {[]target{onStdio(), onStdio()}, []int{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			var v selectionVerdict
			runNode(t, "selection.mjs", selectionTask{c.targets, lists, rounds}, &v, nil)
			v.check(t, rounds, c.listening...)
		})
	}
}

// A client that is killed in the middle takes nothing from the other.
func TestKilledClient(t *testing.T) {
	needNode(t)
	mcp := serve(t)
	victim, kill := context.WithCancel(t.Context())
	defer kill()
	started, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		seen := 0
		_, err := node(victim, "selection.mjs", selectionTask{[]target{{URL: mcp, Listen: true}}, lists, 1_000_000}, func(string) {
			if seen++; seen == 5 {
				close(started)
			}
		})
		ended <- err
	}()
	select {
	case <-started:
	case err := <-ended:
		t.Fatalf("the client ended before it was killed: %v", err)
	}
	var v selectionVerdict
	runNode(t, "selection.mjs", selectionTask{[]target{{URL: mcp, Listen: true}}, lists, rounds}, &v, func(line string) {
		if line == `{"round":`+strconv.Itoa(rounds/3)+`}` {
			kill()
			<-ended
		}
	})
	v.check(t, rounds, 200)
}

// A proxy that compresses and holds back every answer until it is whole delivers
// the same: notifications travel in the answer to the request that caused them.
func TestBufferingProxy(t *testing.T) {
	upstream, err := url.Parse(strings.TrimSuffix(serve(t), "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	proxy.ModifyResponse = holdAndCompress
	ts := httptest.NewServer(proxy)
	defer ts.Close()
	mcp := ts.URL + "/mcp"

	var v selectionVerdict
	runNode(t, "selection.mjs", selectionTask{[]target{{URL: mcp}, {URL: mcp}}, lists, 40}, &v, nil)
	v.check(t, 40, 405, 405)

	session := open(t, mcp)
	r := send(t, http.MethodPost, mcp, session, toolCall(t, 2, "describe_ontology", map[string]any{"domain_name": "customer360"}))
	if r.Type != "application/json" || !strings.Contains(r.Message.text(), "[customer360, version 1]") {
		t.Errorf("an answer without notifications comes as %s, want application/json and whole:\n%s", r.Type, r.Message.text())
	}
}

func holdAndCompress(res *http.Response) error {
	data, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	res.Header.Set("Content-Encoding", "gzip")
	res.Header.Set("Content-Length", strconv.Itoa(packed.Len()))
	res.ContentLength = int64(packed.Len())
	res.Body = io.NopCloser(&packed)
	return nil
}
