package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// hostile is a text that clears the screen, colours it, sets its title, rings, turns
// the direction of reading, is no UTF-8, and begins a line of its own.
const hostile = "evil\x1b[2J\x1b[31m\x1b]0;t\x07\u202e\u009b\xff\nfake: domain ok"

// checkHarmless fails where a text has something of hostile as it is.
func checkHarmless(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("%s: %q as it is:\n%q", what, r, text)
			break
		}
	}
	if strings.Contains(text, "\xff") || strings.Contains(text, "\nfake") {
		t.Errorf("%s: no UTF-8, or a line from data:\n%q", what, text)
	}
	if !strings.Contains(text, `evil\u001b[2J`) {
		t.Errorf("%s: lacks the escaped text:\n%q", what, text)
	}
}

// What check tells of files cannot command the terminal or pass for a line of check.
func TestCheckIsHarmless(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("needs a file system that takes any name")
	}
	class := "<https://zoo.test/A> a <http://www.w3.org/2002/07/owl#Class> .\n"
	for name, files := range map[string]map[string]string{
		"a file that cannot be read": {"zoo/" + hostile + ".ttl": "bad", "zoo/a.ttl": class},
		"no file can be read":        {"zoo/" + hostile + ".ttl": "bad"},
		"a folder that is no domain": {hostile + "/a.ttl": class},
		"no domain":                  {hostile + "/readme.txt": ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for name, data := range files {
				writeFile(t, filepath.Join(dir, name), []byte(data))
			}
			if name == "no domain" {
				dir = filepath.Join(dir, hostile)
			}
			r := execute(t, nil, "check", dir)
			checkHarmless(t, "standard output", r.Stdout)
		})
	}
}

// The same holds for what serve tells when it is ready.
func TestGuideIsHarmless(t *testing.T) {
	for name, g := range map[string]guide{
		"description":        {domains: []domains.Info{{Name: "zoo", Description: hostile}}},
		"unavailable":        {domains: []domains.Info{{Name: "zoo", Unavailable: hostile}}},
		"name":               {domains: []domains.Info{{Name: hostile}}},
		"folder":             {folder: hostile, domains: []domains.Info{{Name: "zoo"}}},
		"folder, no domains": {folder: hostile},
		"program":            {self: hostile, program: hostile, domains: []domains.Info{{Name: "zoo"}}},
	} {
		g.addr = "127.0.0.1:9100"
		checkHarmless(t, name, g.String())
	}
}

// And for the error that a command ends with.
func TestFailureIsHarmless(t *testing.T) {
	var errs bytes.Buffer
	p := programFor(&bytes.Buffer{}, &errs, nil)
	p.open = func(context.Context, rdfgraph.Config) (domains.Backend, error) {
		return nil, errors.New("opening " + hostile)
	}
	if code := p.run(t.Context(), []string{"call", "list_domains"}); code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	checkHarmless(t, "standard error", errs.String())
}
