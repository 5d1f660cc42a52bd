//go:build e2e

// Package e2e_test runs the built program against clients that others wrote: the
// official TypeScript SDK, MCP Inspector and the MCP conformance suite. DESIGN.md
// beside this file says what is tested where.
package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var (
	// root is the folder of the repository.
	root string
	// program is the ontogate that the tests run.
	program string
	// noNode says why the Node clients cannot run; nil when they can.
	noNode error
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run builds the program once, installs the Node clients and runs the tests.
func run(m *testing.M) int {
	var err error
	if root, err = filepath.Abs("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "ontogate-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	program = filepath.Join(dir, "ontogate")
	args := []string{"build", "-o", program}
	if raceDetector {
		args = append(args, "-race")
	}
	build := exec.Command("go", append(args, "./cmd/ontogate")...)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the program: %v\n%s", err, out)
		return 1
	}
	noNode = installNode()
	return m.Run()
}

// installNode installs the packages of node/package-lock.json, unless these are
// the ones that it installed last.
func installNode() error {
	if _, err := exec.LookPath("node"); err != nil {
		return err
	}
	lock, err := os.ReadFile("node/package-lock.json")
	if err != nil {
		return err
	}
	const installed = "node/node_modules/.installed-lock.json"
	if last, err := os.ReadFile(installed); err == nil && bytes.Equal(last, lock) {
		return nil
	}
	// Nothing that is used here needs an install script.
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = "node"
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return os.WriteFile(installed, lock, 0o666)
}

// needNode skips a test that needs Node clients where there are none; with CI set
// it fails.
func needNode(t *testing.T) {
	t.Helper()
	switch {
	case noNode == nil:
	case os.Getenv("CI") != "":
		t.Fatalf("the Node clients are missing: %v", noNode)
	default:
		t.Skipf("needs Node and the packages of server/e2e/node: %v", noNode)
	}
}

// clientTool is the path of a command that an npm package brings.
func clientTool(t *testing.T, name string) string {
	t.Helper()
	needNode(t)
	path, err := filepath.Abs(filepath.Join("node/node_modules/.bin", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// runNode runs a script of node/ and decodes the last line that it prints into
// verdict. each, if not nil, gets every line as it comes.
func runNode(t *testing.T, script string, task, verdict any, each func(string)) {
	t.Helper()
	needNode(t)
	last, err := node(t.Context(), script, task, each)
	if err == nil {
		err = json.Unmarshal([]byte(last), verdict)
	}
	if err != nil {
		t.Fatalf("node %s: %v; its last line: %s", script, err, last)
	}
}

// node runs a script of node/ until it or ctx ends and returns its last line.
func node(ctx context.Context, script string, task any, each func(string)) (last string, err error) {
	arg, err := json.Marshal(task)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "node", script, string(arg))
	cmd.Dir = "node"
	var errs bytes.Buffer
	out := &lastLine{each: each}
	cmd.Stdout, cmd.Stderr = out, &errs
	if err := cmd.Run(); err != nil {
		return out.last, fmt.Errorf("%w\n%s", err, &errs)
	}
	return out.last, nil
}

// lastLine keeps the last whole line written to it.
type lastLine struct {
	rest []byte
	last string
	each func(string)
}

func (l *lastLine) Write(data []byte) (int, error) {
	l.rest = append(l.rest, data...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte("\n"))
		if !ok {
			return len(data), nil
		}
		l.last, l.rest = string(line), rest
		if l.each != nil {
			l.each(l.last)
		}
	}
}
