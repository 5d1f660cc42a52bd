//go:build e2e

package e2e_test

import (
	"os/exec"
	"testing"
)

// scenarios are those of the MCP conformance suite that hold for this server. Of
// the others, logging-set-level, prompts-list, resources-subscribe,
// resources-unsubscribe and completion-complete are about optional parts of the
// protocol that it neither has nor declares, and the rest call tools, prompts and
// resources with names and contents of their own.
var scenarios = []string{
	"server-initialize",
	"ping",
	"tools-list",
	"resources-list",
	"server-sse-multiple-streams",
	"server-sse-polling",
	"dns-rebinding-protection",
}

func TestConformance(t *testing.T) {
	suite := clientTool(t, "conformance")
	mcp := serve(t)
	for _, scenario := range scenarios {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), suite, "server", "--url", mcp, "--scenario", scenario)
			cmd.Dir = t.TempDir()
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
