package ontogate_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/docs/doctest"
)

var update = flag.Bool("update", false, "write what the program prints into README.md")

// TestReadme holds that the commands in README.md print what it shows. They run in
// a folder that holds the files which README.md shows.
func TestReadme(t *testing.T) {
	readme := doctest.Readme(t)
	dir := t.TempDir()
	doctest.WriteFiles(t, dir, readme)
	program := buildProgram(t)
	commands := 0
	got := consoleBlock.ReplaceAllStringFunc(readme, func(block string) string {
		commands++
		line := consoleBlock.FindStringSubmatch(block)[1]
		return "```console\n$ " + line + "\n" + output(t, program, dir, line) + "```\n"
	})
	if commands == 0 {
		t.Error("README.md shows no command")
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(readme, got); diff != "" {
		t.Errorf("commands print something else than README.md shows; go test . -run Readme -update writes it (-README +program):\n%s", diff)
	}
}

// consoleBlock is a command after "$ " with what it prints.
var consoleBlock = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```\n")

func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "ontogate")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/ontogate").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}

// output is what a command prints to standard output. Exit codes other than 0 and 1
// mean that the command line itself is wrong.
func output(t *testing.T, program, dir, line string) string {
	t.Helper()
	args, err := doctest.Words(line)
	if err != nil || len(args) == 0 || args[0] != "ontogate" {
		t.Fatalf("README.md shows a command that is not ontogate: %q, %v", line, err)
	}
	cmd := exec.CommandContext(t.Context(), program, args[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), isSetting)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Errorf("%s: %v\n%s", line, err, &errs)
	}
	return out.String()
}

// isSetting reports whether a variable of the environment changes what ontogate does.
func isSetting(v string) bool {
	return slices.ContainsFunc([]string{"ONTOGATE_", "ONTOBRICKS_", "REGISTRY_", "DATABRICKS_", "MCP_"}, func(p string) bool { return strings.HasPrefix(v, p) })
}

// TestReadmeLinks holds that the files which README.md links to exist.
func TestReadmeLinks(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(doctest.Readme(t), -1)
	if len(links) == 0 {
		t.Error("README.md has no link")
	}
	for _, link := range links {
		if strings.Contains(link[1], "://") {
			continue
		}
		if _, err := os.Stat(filepath.FromSlash(link[1])); err != nil {
			t.Errorf("README.md links to %s: %v", link[1], err)
		}
	}
}
