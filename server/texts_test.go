package server_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

var (
	// snakeWord is how tools, arguments and fields of answers are written.
	snakeWord = regexp.MustCompile(`[a-z]+(?:_[a-z0-9]+)+`)
	// assignment is how texts advise an argument: limit=50, search="…".
	assignment = regexp.MustCompile(`\b([a-z]+(?:_[a-z0-9]+)*)=`)
	// lastLine is the line that says what an answer speaks of.
	lastLine = regexp.MustCompile(`\[([^\s,\]]+)(?:, version [^\]]*)?\]\s*$`)
)

// fieldsOfAnswers are the words of answers that are neither tools nor arguments; the last
// stand in the hints of OntoBricks.
var fieldsOfAnswers = []string{
	"ready", "has_owl", "classes", "props", "tables", "progress", "status", "has_r2rml", "build_ready", "in_progress", "not_started",
	"target_domain", "key_column",
}

// Answers and errors never name an argument or a tool that does not exist, and an answer
// about a domain names no tool that the domain does not offer. Words that stand in the
// data or in the call are not ours.
func TestAnswersNameWhatExists(t *testing.T) {
	list, _ := listed(t)
	var arguments []string
	for _, d := range list {
		for name := range d.InputSchema.Properties {
			arguments = append(arguments, name)
		}
	}
	samples := textsOf(t, examples.FS())
	files, err := filepath.Glob(filepath.Join("testdata", "tools", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	seen := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		given, backend := samples, backendOf(t, a)
		for _, f := range a.Files {
			if !strings.HasPrefix(f.Name, "answer ") && !strings.HasPrefix(f.Name, "error ") {
				given += string(f.Data) + f.Name + "\n"
			}
		}
		for _, f := range a.Files {
			if !strings.HasPrefix(f.Name, "answer ") && !strings.HasPrefix(f.Name, "error ") {
				continue
			}
			what, text := filepath.Base(file)+", "+f.Name, string(f.Data)
			for _, m := range assignment.FindAllStringSubmatch(text, -1) {
				if seen++; !slices.Contains(arguments, m[1]) && !slices.Contains(fieldsOfAnswers, m[1]) && !strings.Contains(given, m[0]) {
					t.Errorf("%s advises %s, which is no argument", what, m[0])
				}
			}
			offered := allTools
			if m := lastLine.FindStringSubmatch(text); m != nil {
				offered = offeredBy(t, backend, domains.Name(m[1]))
			}
			text = regexp.MustCompile(`(?m)^Not available for this domain:.*$`).ReplaceAllString(text, "")
			for _, w := range snakeWord.FindAllString(text, -1) {
				seen++
				switch {
				case slices.Contains(allTools, w) && !slices.Contains(offered, w):
					t.Errorf("%s names %s, which the domain does not offer", what, w)
				case !slices.Contains(allTools, w) && !slices.Contains(arguments, w) && !slices.Contains(fieldsOfAnswers, w) && !strings.Contains(given, w):
					t.Errorf("%s names %s, which does not exist", what, w)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("only %d words were looked at", seen)
	}
}

// offeredBy are the tools that a domain offers; all when it cannot be opened.
func offeredBy(t *testing.T, b domains.Backend, name domains.Name) []string {
	t.Helper()
	if _, err := b.Open(context.WithoutCancel(t.Context()), name); err != nil {
		return allTools
	}
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = b, name })
	c := &client{t: t, url: serve(t, s) + "/mcp"}
	return c.tools()
}

// textsOf are all files in one text.
func textsOf(t *testing.T, files fs.FS) string {
	t.Helper()
	var b strings.Builder
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		b.WriteString(path + "\n" + string(data) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
