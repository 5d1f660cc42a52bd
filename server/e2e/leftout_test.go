//go:build !e2e

package e2e_test

import "testing"

// TestLeftOut stands for the tests of this folder where they are not asked for. It
// skips with CI set too: there "make check" asks for them in a task of their own.
func TestLeftOut(t *testing.T) {
	t.Skip(`tests with real clients are left out: they need Node.js and a C compiler; "make e2e" runs them, or "go test -tags e2e ./server/e2e/..." without the race detector`)
}
