//go:build e2e

package e2e_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The audits of graphql-http, made by those who wrote the specification of GraphQL over
// HTTP: whatever a server MUST or SHOULD do, a derived service does, for a domain with a
// graph and one that is an ontology only.
func TestGraphQLOverHTTP(t *testing.T) {
	base := strings.TrimSuffix(serve(t), "/mcp")
	for _, address := range []string{"/graphql/customer360", "/api/v1/graphql/finance", "/graphql/hr_analytics"} {
		t.Run(address, func(t *testing.T) {
			var got struct {
				Audits []struct{ ID, Name, Status, Reason string }
			}
			runNode(t, "audits.mjs", map[string]any{"url": base + address}, &got, nil)
			held := map[string]int{} // MUST, SHOULD, MAY → audits
			for _, a := range got.Audits {
				level, _, _ := strings.Cut(a.Name, " ")
				held[level]++
				if a.Status != "ok" && level != "MAY" {
					t.Errorf("%s %s: %s: %s", a.ID, a.Name, a.Status, a.Reason)
				}
			}
			if held["MUST"] < 13 || held["SHOULD"] < 23 {
				t.Errorf("only %v audits were made", held)
			}
		})
	}
}

// contractsQuery is a query for a derived schema, as a program has it in a file.
const contractsQuery = `query Contracts($fee: Decimal!, $from: Date) {
  allContract(limit: 1, where: {monthlyFee: {ge: $fee}, startDate: {ge: $from}}, orderBy: [{monthlyFee: DESC}]) {
    id
    monthlyFee
  }
  entity(uri: "CUST00094") { __typename ...Named }
}

fragment Named on Customer { firstName }
`

// graphql-codegen writes the same types from a derived schema as from introspection of its
// service, and a query typed by it runs.
func TestDerivedCodegen(t *testing.T) {
	needNode(t)
	base := strings.TrimSuffix(serve(t), "/mcp")
	module, written := codegen(t, base, "customer360", contractsQuery)
	for _, want := range []string{
		"export type ContractsQueryVariables = Exact<{\n", "  monthlyFee?: Maybe<Scalars['Decimal']['output']>;\n",
		"as unknown as DocumentNode<ContractsQuery, ContractsQueryVariables>;",
	} {
		holds(t, "what graphql-codegen wrote", written, want)
	}
	var got any
	runNode(t, "typed.mjs", map[string]any{
		"url": base + "/graphql/customer360", "module": module, "document": "ContractsDocument", "variables": map[string]any{"fee": "90"},
	}, &got, nil)
	want := data(t, `{"allContract":[{"id":"Contract/CON00005","monthlyFee":"149"}],"entity":{"__typename":"Customer","firstName":"Jacob"}}`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the typed query (-want +got):\n%s", diff)
	}
}
