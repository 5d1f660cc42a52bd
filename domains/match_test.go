package domains_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

// Case and spaces are forgiven where that leaves one domain; a typo is not, but
// the names nearby are told.
func TestMatchName(t *testing.T) {
	infos := []domains.Info{{Name: "customer360"}, {Name: "supply_chain"}, {Name: "hr-a"}, {Name: "HR_A"}}
	for _, tc := range []struct {
		asked string
		want  domains.Name
		near  []string
	}{
		{"customer360", "customer360", nil},
		{"Customer 360", "customer360", nil},
		{"supply chain", "supply_chain", nil},
		{"HR_A", "HR_A", nil},
		{"hr a", "", []string{"HR_A", "hr-a"}},
		{"custmer360", "", []string{"customer360"}},
		{"weather", "", []string{}},
	} {
		name, near, ok := domains.MatchName(tc.asked, infos)
		if name != tc.want || ok != (tc.want != "") {
			t.Errorf("MatchName(%q) = %q, %v; want %q", tc.asked, name, ok, tc.want)
		}
		if diff := cmp.Diff(tc.near, near); diff != "" {
			t.Errorf("MatchName(%q) near (-want +got):\n%s", tc.asked, diff)
		}
	}
}
