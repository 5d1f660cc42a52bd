package ontogate_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
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
	got := doctest.Consoles(t, readme, func(line string) string { return doctest.Output(t, program, dir, os.Environ(), line) })
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
