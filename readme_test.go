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
)

var update = flag.Bool("update", false, "write what the program prints into README.md")

// TestReadme holds that the commands in README.md print what it shows. They run in
// a folder that holds the files which README.md shows.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeShownFiles(t, dir, string(readme))
	program := buildProgram(t)
	commands := 0
	got := consoleBlock.ReplaceAllStringFunc(string(readme), func(block string) string {
		commands++
		line := consoleBlock.FindStringSubmatch(block)[1]
		return "```console\n$ " + line + "\n" + output(t, program, dir, words(line)) + "```\n"
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
	if diff := cmp.Diff(string(readme), got); diff != "" {
		t.Errorf("commands print something else than README.md shows; go test . -run Readme -update writes it (-README +program):\n%s", diff)
	}
}

var (
	// consoleBlock is a command after "$ " with what it prints.
	consoleBlock = regexp.MustCompile("(?s)```console\n\\$ ([^\n]*)\n(.*?)```\n")
	// shownFile is a file's path in a comment, with the block that follows it.
	shownFile = regexp.MustCompile("(?s)<!-- file: ([^ ]+) -->\n```[a-z]+\n(.*?)```\n")
)

// writeShownFiles writes the files that README.md shows.
func writeShownFiles(t *testing.T, dir, readme string) {
	t.Helper()
	files := shownFile.FindAllStringSubmatch(readme, -1)
	if len(files) == 0 {
		t.Fatal("README.md shows no file")
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f[1]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f[2]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

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
func output(t *testing.T, program, dir string, args []string) string {
	t.Helper()
	if args[0] != "ontogate" {
		t.Fatalf("README.md shows a command that is not ontogate: %q", args)
	}
	cmd := exec.CommandContext(t.Context(), program, args[1:]...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ONTOGATE_") })
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Errorf("%q: %v\n%s", args, err, &errs)
	}
	return out.String()
}

// words splits a command line at spaces outside double quotes.
func words(line string) []string {
	var out []string
	inQuotes := false
	for _, word := range strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			inQuotes = !inQuotes
		}
		return r == ' ' && !inQuotes
	}) {
		out = append(out, strings.ReplaceAll(word, `"`, ""))
	}
	return out
}

// TestReadmeLinks holds that the files which README.md links to exist.
func TestReadmeLinks(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`\]\(([^)#]+)\)`).FindAllStringSubmatch(string(readme), -1)
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
