// Package domaintest holds what tests of several packages share: where the
// shared test data is, and the acceptance suite of back ends.
package domaintest

import (
	"os"
	"path/filepath"
	"testing"
)

// Shared returns the path of a file or folder of the shared test data, which
// lies in the folder "shared" beside the repository. Where it is missing the test
// is skipped, and fails when the environment has CI set.
func Shared(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{filepath.Dir(Root(t)), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("shared test data is missing: %v", err)
		}
		t.Skipf("needs the shared test data beside the repository: %v", err)
	}
	return path
}

// Root returns the folder of the repository: the nearest one above the test that
// holds go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}
