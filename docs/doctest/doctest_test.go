package doctest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/docs/doctest"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"ontogate":                       {"ontogate"},
		" ontogate  call ":               {"ontogate", "call"},
		`call search="jacob martinez" b`: {"call", "search=jacob martinez", "b"},
		`check "" a`:                     {"check", "", "a"},
		`"a b"c`:                         {"a bc"},
		`q='{ a(b: "c d") }' "it's"`:     {`q={ a(b: "c d") }`, "it's"},
		"":                               nil,
	} {
		got, err := doctest.Words(line)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", line, err, diff)
		}
	}
	if got, err := doctest.Words(`call "a`); err == nil {
		t.Errorf("an open quote is read as %q", got)
	}
}

const shown = "Text.\n\n<!-- file: d/a.ttl -->\n```turtle\n# a\n```\n\n<!-- config: cursor -->\n```json\n{}\n```\n\n" +
	"```sh\nnot marked\n```\n\n<!-- file: d/e/b.ttl -->\n```turtle\n```\n"

func TestBlocks(t *testing.T) {
	for kind, want := range map[string]map[string]string{
		"file":   {"d/a.ttl": "# a\n", "d/e/b.ttl": ""},
		"config": {"cursor": "{}\n"},
		"other":  {},
	} {
		if diff := cmp.Diff(want, doctest.Blocks(shown, kind)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestWriteFiles(t *testing.T) {
	dir := t.TempDir()
	doctest.WriteFiles(t, dir, shown)
	for name, want := range doctest.Blocks(shown, "file") {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
}
