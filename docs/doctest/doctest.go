// Package doctest reads what README.md and the pages in docs/ show, for the tests that
// hold it, and command lines as documentation and golden archives write them.
//
// A block that a test uses is marked by a comment right before it, which gives its kind
// and its name:
//
//	<!-- file: my-domains/library/data.ttl -->
//	```turtle
//	…
//	```
package doctest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// Readme is the text of README.md.
func Readme(t testing.TB) string { return Page(t, "README.md") }

// Page is the text of a file of the repository; name has slashes.
func Page(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(domaintest.Root(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// block matches a mark with the fenced block after it: kind, name, text.
var block = regexp.MustCompile("(?s)<!-- ([a-z]+): (\\S+) -->\n```[a-z]+\n(.*?)```\n")

// Blocks are the texts of the blocks of a kind, by name.
func Blocks(text, kind string) map[string]string {
	out := map[string]string{}
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		if m[1] == kind {
			out[m[2]] = m[3]
		}
	}
	return out
}

// WriteFiles writes the files that a text shows below dir: its blocks of the kind
// "file". A text without any is a fault.
func WriteFiles(t testing.TB, dir, text string) {
	t.Helper()
	files := Blocks(text, "file")
	if len(files) == 0 {
		t.Fatal("the text shows no file")
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Words splits a command line at spaces; quotes keep words together, which may be empty,
// and between single quotes double ones stand for themselves, and the reverse. Nothing else
// means something.
func Words(line string) ([]string, error) {
	var out []string
	quote, open := rune(0), false
	for _, r := range line {
		if r == ' ' && quote == 0 {
			open = false
			continue
		}
		if !open {
			out = append(out, "")
			open = true
		}
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		default:
			out[len(out)-1] += string(r)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%s: a quote is not closed", line)
	}
	return out, nil
}
