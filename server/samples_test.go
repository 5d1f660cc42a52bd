package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/server"
)

// An archive holds calls and their answers, word for word, over the sample domains, or
// over the domains that stand in it under domains/, with what they can do besides facts
// under contexts/ (see told) and graphql/ (see withGraphQL), and with what their functions
// answer in "functions" (see functionsOf). The comment says what it shows.
// Each line of "calls" is
//
//	TOOL [@DOMAIN] [JSON]    a call, with a domain selected from the start
//	next                     the call before, with the cursor that its answer gave
//
// and its answer stands in the file "answer N", or "error N" when it is an error.
func TestToolArchives(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "tools", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	shown := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			backend := backendOf(t, a)
			kept := a.Files[:0:0]
			var previous sampleCall
			for _, f := range a.Files {
				if strings.HasPrefix(f.Name, "domains/") || strings.HasPrefix(f.Name, "contexts/") || strings.HasPrefix(f.Name, "graphql/") || f.Name == "functions" || f.Name == "calls" {
					kept = append(kept, f)
				}
				if f.Name != "calls" {
					continue
				}
				for i, line := range strings.Split(strings.TrimSpace(string(f.Data)), "\n") {
					previous = previous.follow(t, backend, line)
					shown[previous.tool] = true
					name := fmt.Sprintf("answer %d", i+1)
					if previous.isError {
						name = fmt.Sprintf("error %d", i+1)
					}
					kept = append(kept, txtar.File{Name: name, Data: []byte(maskCursor(previous.text) + "\n")})
				}
			}
			a.Files = kept
			golden(t, file, string(txtar.Format(a)))
		})
	}
	for _, tool := range allTools {
		if !shown[tool] {
			t.Errorf("no archive shows %s", tool)
		}
	}
}

// backendOf serves the domains in an archive, or the samples when it holds none.
func backendOf(t *testing.T, a *txtar.Archive) domains.Backend {
	t.Helper()
	files := examples.FS()
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "domains/") {
			all, err := txtar.FS(a)
			if err != nil {
				t.Fatal(err)
			}
			if files, err = fs.Sub(all, "domains"); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	c := rdfgraph.Config{FS: files}
	c.ActionHosts, c.Transport = functionsOf(t, a)
	b, err := rdfgraph.New(t.Context(), c)
	if err != nil {
		t.Fatalf("loading the domains: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return withGraphQL(withContexts(t, b, a), a)
}

// functionsOf answers the functions of the domains in an archive: each line of its file
// "functions" is URL STATUS [BODY]. Their hosts are allowed.
func functionsOf(t *testing.T, a *txtar.Archive) (hosts []string, transport sender) {
	t.Helper()
	type answer struct {
		status int
		body   string
	}
	answers := map[string]answer{}
	for _, f := range a.Files {
		if f.Name != "functions" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			at, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			status, body, _ := strings.Cut(rest, " ")
			code, err := strconv.Atoi(status)
			u, bad := url.Parse(at)
			if err != nil || bad != nil {
				t.Fatalf("%q is no function: %v, %v", line, err, bad)
			}
			answers[at] = answer{code, body}
			if !slices.Contains(hosts, u.Host) {
				hosts = append(hosts, u.Host)
			}
		}
	}
	return hosts, func(r *http.Request) (*http.Response, error) {
		got, ok := answers[r.URL.String()]
		if !ok {
			t.Errorf("%s is called, and the archive has no answer of it", r.URL)
		}
		return &http.Response{StatusCode: got.status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(got.body)), Request: r}, nil
	}
}

// sampleCall is a call in an archive, with its answer.
type sampleCall struct {
	tool    string
	domain  domains.Name
	args    map[string]any
	text    string
	isError bool
}

var cursors = regexp.MustCompile(`cursor="([^"]+)"`)

// maskCursor hides cursors: they change with every byte of the data.
func maskCursor(text string) string { return cursors.ReplaceAllString(text, `cursor="…"`) }

// follow makes the call of a line.
func (c sampleCall) follow(t *testing.T, b domains.Backend, line string) sampleCall {
	t.Helper()
	if line == "next" {
		m := cursors.FindStringSubmatch(c.text)
		if m == nil {
			t.Fatalf("the answer before %q has no cursor:\n%s", line, c.text)
		}
		args := map[string]any{"cursor": m[1]}
		for k, v := range c.args {
			if k != "cursor" {
				args[k] = v
			}
		}
		c.args = args
	} else {
		words, args := line, "{}"
		if i := strings.Index(line, "{"); i >= 0 {
			words, args = line[:i], line[i:]
		}
		fields := strings.Fields(words)
		c = sampleCall{tool: fields[0]}
		if len(fields) > 1 {
			c.domain = domains.Name(strings.TrimPrefix(fields[1], "@"))
		}
		if err := json.Unmarshal([]byte(args), &c.args); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	s, err := server.New(t.Context(), server.Config{Backend: b, Domain: c.domain})
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if c.text, c.isError, err = s.Call(t.Context(), c.tool, c.args); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	if n := utf8.RuneCountInString(c.text); n > budgets[c.tool] {
		t.Errorf("%s: the answer has %d characters, more than %d", line, n, budgets[c.tool])
	}
	return c
}

// The most characters of each tool's answers.
var budgets = map[string]int{
	"list_domains": 4_000, "list_entity_types": 4_000, "describe_entity": 6_000, "describe_ontology": 8_000,
	"select_domain": 3_000, "list_domain_versions": 3_000, "get_design_status": 3_000, "get_status": 3_000,
	"get_graphql_schema": 8_000, "query_graphql": 8_000,
	"get_entity_context": 8_000, "compute_virtual_attributes": 6_000, "invoke_entity_action": 12_000, "run_entity_business_rule": 3_000,
}

// The examples in the definitions work on the samples as they stand, each on a domain
// that offers the tool: the folder has no context yet, and gets that of an archive.
func TestExamplesWorkOnTheSamples(t *testing.T) {
	list, _ := listed(t)
	a, err := txtar.ParseFile(filepath.Join("testdata", "tools", "context.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	a.Files = append(a.Files, txtar.File{Name: "graphql/customer360/sdl", Data: []byte(fakeSDL)},
		txtar.File{Name: "graphql/customer360/replies", Data: []byte(`200 {"data":{"__typename":"Query"}}`)})
	b := backendOf(t, a)
	for _, d := range list {
		_, example, _ := strings.Cut(d.Description, "Example: ")
		c := sampleCall{}.follow(t, b, d.Name+" @customer360 "+example)
		if c.isError || strings.Contains(c.text, "No match") {
			t.Errorf("%s %s:\n%s", d.Name, example, c.text)
		}
	}
}
