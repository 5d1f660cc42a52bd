package ontobricks_test

import (
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/ontobricks"
	"github.com/ontogate/ontogate/domains/ontobricks/bricktest"
)

// TestBackend holds the back end to the meaning of domains.Backend, with a deployment
// of today and with one that leaves out what older versions do.
func TestBackend(t *testing.T) {
	// Older deployments have graphs only, and no policies.
	older := []bricktest.Domain{bricktest.Customer360(), bricktest.Finance()}
	today := append([]bricktest.Domain{bricktest.OntologyOnly(), {Name: "unreadable", Policy: 7}}, older...)
	for i := range older {
		older[i].Omit = []string{"has_graph", "mcp_policy", "graph_backend", "has_more", "cache_used", "cache_mode", "business_rules", "virtualAttributes"}
	}
	for name, samples := range map[string][]bricktest.Domain{"today": today, "older": older} {
		t.Run(name, func(t *testing.T) {
			domaintest.Run(t, func(t *testing.T) domains.Backend {
				d := bricktest.New(t)
				d.Add(samples...)
				b, err := ontobricks.New(ontobricks.Config{URL: d.URL})
				if err != nil {
					t.Fatal(err)
				}
				return b
			})
		})
	}
}
