package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/server/page"
)

// The document and its policy are the same in each call, and nobody's to change by
// accident.
func TestSameEachTime(t *testing.T) {
	body, csp := page.HTML()
	again, cspAgain := page.HTML()
	if !bytes.Equal(body, again) || csp != cspAgain {
		t.Error("two calls differ")
	}
	if !bytes.HasPrefix(body, []byte("<!doctype html>")) || !bytes.HasSuffix(bytes.TrimSpace(body), []byte("</html>")) {
		t.Errorf("the document begins %.40q", body)
	}
	if bytes.Contains(body, []byte("{{")) && regexp.MustCompile(`\{\{\w+\}\}`).Match(body) {
		t.Error("a place of the document is not filled")
	}
}

// The policy names what is inline by its digest, and allows nothing else but requests to
// the page's own origin.
func TestPolicy(t *testing.T) {
	body, csp := page.HTML()
	want := strings.Join([]string{
		"default-src 'none'",
		"script-src '" + digest(t, body, "script") + "'",
		"style-src '" + digest(t, body, "style") + "'",
		"connect-src 'self'",
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
	if diff := cmp.Diff(want, csp); diff != "" {
		t.Errorf("the policy (-want +got):\n%s", diff)
	}
}

// digest is the digest of the one element of a name, as browsers take it.
func digest(t *testing.T, body []byte, element string) string {
	t.Helper()
	found := regexp.MustCompile(`(?s)<`+element+`[^>]*>(.*?)</`+element+`>`).FindAllSubmatch(body, -1)
	if len(found) != 1 {
		t.Fatalf("%d elements %s, want 1", len(found), element)
	}
	sum := sha256.Sum256(found[0][1])
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// The document loads nothing, and runs nothing that stands in attributes.
func TestNothingOutside(t *testing.T) {
	body, _ := page.HTML()
	for what, pattern := range map[string]string{
		"an address":                `https?://`,
		"an address without scheme": `(src|href|url\()\s*=?\s*["']?//`,
		"an import in styles":       `@import|url\(`,
		"a source":                  `<[^>]*\ssrc=`,
		"a handler in an attribute": `<[^>]*\son\w+=`,
		"a style in an attribute":   `<[^>]*\sstyle=`,
	} {
		if found := regexp.MustCompile(pattern).Find(body); found != nil {
			t.Errorf("the document has %s: %s", what, found)
		}
	}
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllSubmatch(body, -1) {
		if !bytes.HasPrefix(link[1], []byte("#")) && string(link[1]) != "data:," {
			t.Errorf("the document links to %s", link[1])
		}
	}
}

var (
	topLevel   = regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:const|let|var|function|class) +(\w+)`)
	importLine = regexp.MustCompile(`(?m)^import \{[^}\n]+\} from '\./([\w.]+)';$`)
)

// The scripts keep to what joining them needs: imports of one line, from modules that
// come before, and names that no other has.
func TestModules(t *testing.T) {
	body, _ := page.HTML()
	owner, done := map[string]string{}, []string{}
	for _, file := range modules(t, body) {
		text := read(t, file)
		if first := topLevel.FindString(text); first == "" || !bytes.Contains(body, []byte(strings.TrimPrefix(first, "export "))) {
			t.Errorf("%s is not in the document", file)
		}
		for _, name := range topLevel.FindAllStringSubmatch(text, -1) {
			if other := owner[name[1]]; other != "" {
				t.Errorf("%s and %s both declare %s: they share one scope", other, file, name[1])
			}
			owner[name[1]] = file
		}
		imports := importLine.FindAllStringSubmatch(text, -1)
		if n := strings.Count("\n"+text, "\nimport "); n != len(imports) {
			t.Errorf("%s has %d imports, of which %d are one line of names from a module beside it", file, n, len(imports))
		}
		for _, from := range imports {
			if !slices.Contains(done, from[1]) {
				t.Errorf("%s imports from %s, which comes later or is not there", file, from[1])
			}
		}
		done = append(done, file)
		if n := strings.Count(text, "\n"); n >= 400 {
			t.Errorf("%s has %d lines: split it by idea", file, n)
		}
	}
}

// Text from data becomes text: nothing that makes elements or scripts of it is used.
func TestTextStaysText(t *testing.T) {
	body, _ := page.HTML()
	unsafe := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|createContextualFragment|DOMParser|setHTML|srcdoc|javascript:|</script[^>]|<!--`)
	for _, file := range modules(t, body) {
		if found := unsafe.FindString(read(t, file)); found != "" {
			t.Errorf("%s has %s", file, found)
		}
	}
}

// modules are the scripts in the order in which the document has them.
func modules(t *testing.T, body []byte) []string {
	t.Helper()
	files, err := filepath.Glob("*.mjs")
	if err != nil || len(files) < 10 {
		t.Fatalf("%v, %v", files, err)
	}
	place := func(file string) int {
		first := strings.TrimPrefix(topLevel.FindString(read(t, file)), "export ")
		return bytes.Index(body, []byte("\n"+first))
	}
	slices.SortFunc(files, func(a, b string) int { return place(a) - place(b) })
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
