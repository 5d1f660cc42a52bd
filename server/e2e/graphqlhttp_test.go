//go:build e2e

package e2e_test

import (
	"strings"
	"testing"
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
