package server_test

import (
	"path/filepath"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/server"
)

// docs/tools.md says what the program does; -update rewrites it.
func TestToolDocs(t *testing.T) {
	golden(t, filepath.Join(domaintest.Root(t), "docs", "tools.md"), server.ToolDocs())
}
