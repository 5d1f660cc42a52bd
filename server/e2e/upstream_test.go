//go:build e2e

package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// toolCalls is what node/calls.mjs takes.
type toolCalls struct {
	Target target     `json:"target"`
	Calls  []callTask `json:"calls"`
}

type callTask struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
}

// The official client goes from the list of domains to one entity and its context, in
// front of OntoBricks, over HTTP and on standard input and output.
func TestUpstream(t *testing.T) {
	d := deploy(t)
	all := sorted(allTools)
	steps := []struct {
		callTask
		isError bool
		says    []string
	}{
		{callTask{"list_domains", map[string]any{}}, false, []string{"customer360", "Customer 360 with interactions and contracts", "finance"}},
		{callTask{"select_domain", map[string]any{"domain_name": "customer360"}}, false, []string{"customer360"}},
		{callTask{"get_graphql_schema", map[string]any{}}, false,
			[]string{"type Customer {", "customers(limit: Int! = 50, offset: Int! = 0, search: String = null): [Customer!]!"}},
		{callTask{"query_graphql", map[string]any{"query": pageQuery, "variables": `{"limit": 1, "offset": 1}`}}, false, []string{"CUST00095", "Ann Martin"}},
		{callTask{"query_graphql", map[string]any{"query": twoQueries, "operation_name": "Two"}}, false, []string{"CUST00095"}},
		{callTask{"query_graphql", map[string]any{"query": `{ customers(limit: 1) { nothing } }`}}, true, []string{queryFault, "nothing"}},
		{callTask{"query_graphql", map[string]any{"query": `{ customer(id: "CUST00094") { label hasInteraction { channel } } }`}}, true, []string{queryFault, "Jacob Martinez"}},
		{callTask{"describe_entity", map[string]any{"search": "jacob martinez"}}, false,
			[]string{"Jacob Martinez", bricktest.Jacob, "jacob.martinez@example.com", "finance"}},
		{callTask{"get_entity_context", map[string]any{"entity_uri": bricktest.Jacob}}, false, []string{"main.crm.customers", "finance", "recompute_risk"}},
		{callTask{"select_domain", map[string]any{"domain_name": "finance"}}, false, []string{"finance"}},
		{callTask{"query_graphql", map[string]any{"query": "{ __typename }"}}, true, []string{"finance"}},
	}
	finance := slices.DeleteFunc(slices.Clone(all), func(tool string) bool { return tool == "query_graphql" || tool == "get_status" })
	for name, to := range map[string]target{
		"HTTP":  {URL: serve(t, "--upstream", d.URL), Listen: true},
		"stdio": onStdio("--upstream", d.URL),
	} {
		t.Run(name, func(t *testing.T) {
			task := toolCalls{Target: to}
			for _, s := range steps {
				task.Calls = append(task.Calls, s.callTask)
			}
			var got struct {
				Tools, Listed []string
				Announced     int
				Answers       []struct {
					IsError bool
					Text    string
				}
			}
			runNode(t, "calls.mjs", task, &got, nil)
			if diff := cmp.Diff(all, got.Tools); diff != "" {
				t.Errorf("the tools at first (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(finance, got.Listed); diff != "" || got.Announced != 2 {
				t.Errorf("the tools of finance, after %d announcements, want 2, one for each selection (-want +got):\n%s", got.Announced, diff)
			}
			for i, s := range steps {
				a := got.Answers[i]
				lacks := slices.DeleteFunc(slices.Clone(s.says), func(want string) bool { return strings.Contains(a.Text, want) })
				if a.IsError != s.isError || len(lacks) > 0 {
					t.Errorf("%s %v: isError %v, want %v; the answer lacks %q:\n%s", s.Tool, s.Args, a.IsError, s.isError, lacks, a.Text)
				}
				if strings.Contains(a.Text, strings.TrimPrefix(d.URL, "http://")) || strings.Contains(a.Text, "a secret of the store") {
					t.Errorf("%s %v tells of what is behind the deployment:\n%s", s.Tool, s.Args, a.Text)
				}
			}
		})
	}
}
