package server_test

import (
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/server"
)

// A refusal names what the domain lacks.
func TestNeedsHaveNames(t *testing.T) {
	equal(t, "tools that do not name what they need", []string(nil), server.NamelessNeeds())
}

// docs/tools.md says what the program does; -update rewrites it.
func TestToolDocs(t *testing.T) {
	golden(t, filepath.Join(domaintest.Root(t), "docs", "tools.md"), server.ToolDocs())
}
