//go:build e2e

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// writtenAs are the formats that the program writes, as others call them.
var writtenAs = map[string]string{
	".ttl": "text/turtle", ".trig": "application/trig", ".nq": "application/n-quads", ".jsonld": "application/ld+json",
}

// TestRefereeSyntaxes holds that what convert writes of a real file is, to readers that others
// wrote (n3 and jsonld), what was in the file: the canonical form of it, by rdf-canonize, is
// byte for byte that of the program.
func TestRefereeSyntaxes(t *testing.T) {
	needNode(t)
	folder := domaintest.Shared(t, "data", "ontologies")
	files, err := filepath.Glob(filepath.Join(folder, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	type written struct {
		Path   string `json:"path"`
		Format string `json:"format"`
	}
	var asked []written
	canonical := map[string]string{} // file that was written → canonical form by the program
	dir := t.TempDir()
	convert := func(args ...string) error {
		cmd := exec.Command(program, append([]string{"convert", "--base", "https://base.example/"}, args...)...)
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // else each of 300 waits for a second
		return cmd.Run()
	}
	for _, file := range files {
		own := filepath.Join(dir, filepath.Base(filepath.Dir(file))+"-"+filepath.Base(file))
		if convert("--canonical", file, own+".canonical.nq") != nil {
			continue // broken, or no RDF; other tests hold which
		}
		text, err := os.ReadFile(own + ".canonical.nq")
		if err != nil {
			t.Fatal(err)
		}
		for ext, format := range writtenAs {
			if err := convert(file, own+ext); err != nil {
				if strings.HasSuffix(file, "diverse_quads.trig") && ext == ".ttl" {
					continue // it has graphs
				}
				t.Errorf("%s as %s: %v", file, ext, err)
				continue
			}
			if strings.HasSuffix(file, "VOCAB_QUDT-PREFIXES.ttl") && ext == ".jsonld" {
				continue // jsonld writes doubles anew, such as 1024E0 as 1.024E3
			}
			asked = append(asked, written{own + ext, format})
			canonical[own+ext] = string(text)
		}
	}
	if len(asked) < 230 {
		t.Fatalf("only %d files were written", len(asked))
	}
	var outcomes []struct{ Path, Fault string }
	runNode(t, "syntaxes.mjs", map[string]any{"files": asked}, &outcomes, nil)
	if len(outcomes) != len(asked) {
		t.Fatalf("%d outcomes of %d files", len(outcomes), len(asked))
	}
	for _, o := range outcomes {
		name := filepath.Base(o.Path)
		if o.Fault != "" {
			t.Errorf("%s is refused: %s", name, o.Fault)
			continue
		}
		text, err := os.ReadFile(o.Path + ".canonical")
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != canonical[o.Path] {
			t.Errorf("%s is read as something else (-program +others):\n%.3000s", name,
				cmp.Diff(strings.Split(canonical[o.Path], "\n"), strings.Split(string(text), "\n")))
		}
	}
}
