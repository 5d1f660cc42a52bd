package wire_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/wire"
)

// TestRecordedAnswersAreRead reads every answer of the recorded exchanges, of which
// many leave members out.
func TestRecordedAnswersAreRead(t *testing.T) {
	text, err := os.ReadFile(domaintest.Shared(t, "reference", "ontobricks-tool-cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	into := map[string]func() any{
		"/domains": func() any { return new(wire.Domains) }, "/domain/versions": func() any { return new(wire.Versions) },
		"/domain/design-status": func() any { return new(wire.Design) }, "/domain/classes": func() any { return new(wire.Classes) },
		"/domain/ontology": func() any { return new(wire.Ontology) }, "/digitaltwin/status": func() any { return new(wire.Status) },
		"/digitaltwin/stats": func() any { return new(wire.Stats) }, "/digitaltwin/triples/find": func() any { return new(wire.Found) },
		"/nodes/context": func() any { return new(wire.NodeContext) }, "/nodes/virtual-attributes": func() any { return new(wire.NodeContext) },
		"/nodes/action": func() any { return new(wire.ActionResult) }, "/nodes/business-rule": func() any { return new(wire.RuleResult) },
		"/schema": func() any { return new(wire.GraphQLSchema) },
	}
	seen := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var scenario struct {
			Scenario string
			Steps    []struct {
				HTTP []struct {
					Path     string
					Status   int
					Response json.RawMessage
				}
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &scenario); err != nil {
			t.Fatal(err)
		}
		for _, step := range scenario.Steps {
			for _, h := range step.HTTP {
				for suffix, as := range into {
					if h.Status != 200 || !strings.HasSuffix(h.Path, suffix) {
						continue
					}
					seen[suffix] = true
					if err := json.Unmarshal(h.Response, as()); err != nil {
						t.Errorf("%s: %s: %v\n%s", scenario.Scenario, h.Path, err, h.Response)
					}
				}
			}
		}
	}
	if lines.Err() != nil || len(seen) < 8 {
		t.Errorf("read %v, %v", seen, lines.Err())
	}
}
