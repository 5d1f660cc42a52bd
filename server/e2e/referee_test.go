//go:build e2e

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// refereeDocument is a request that graphql-js and the program both get.
type refereeDocument struct {
	name      string
	Query     string          `json:"query"`
	Variables json.RawMessage `json:"variables,omitempty"`
	Operation string          `json:"operationName,omitempty"`
}

// verdict is what became of a document.
type verdict struct {
	// Accepted is set when it was executed.
	Accepted bool
	// Data is JSON; Errors are the paths of errors in it, in order of their text.
	Data   string
	Errors []string
	// messages are those of the errors, for people who read a failure.
	messages []string
}

// refereed is what node/referee.mjs prints.
type refereed struct {
	// Printed is the schema as graphql-js prints it, Client what it prints of the schema
	// that introspection gives.
	Printed, Client string
	Outcomes        []struct {
		Accepted bool
		Data     string
		Errors   []string
		Messages []string
	}
}

// refereeInput is what node/referee.mjs reads.
type refereeInput struct {
	SDL           string             `json:"sdl"`
	Introspection json.RawMessage    `json:"introspection,omitempty"`
	Namespace     string             `json:"namespace,omitempty"`
	Base          string             `json:"base,omitempty"`
	Languages     []string           `json:"languages,omitempty"`
	Files         []string           `json:"files,omitempty"`
	Documents     []*refereeDocument `json:"documents,omitempty"`
}

// referee asks node/referee.mjs, by a file: schemas are too long for arguments.
func referee(t *testing.T, in, out any) {
	t.Helper()
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "referee.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	runNode(t, "referee.mjs", map[string]string{"file": file}, out, nil)
}

// refereeDocuments reads testdata/referee/documents.txtar.
func refereeDocuments(t *testing.T) []*refereeDocument {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/referee/documents.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var out []*refereeDocument
	for _, f := range archive.Files {
		d := &refereeDocument{name: f.Name, Query: string(f.Data)}
		for line := range strings.Lines(d.Query) {
			if text, ok := strings.CutPrefix(line, "# variables: "); ok {
				d.Variables = json.RawMessage(strings.TrimSpace(text))
			}
			if text, ok := strings.CutPrefix(line, "# operation: "); ok {
				d.Operation = strings.TrimSpace(text)
			}
		}
		out = append(out, d)
	}
	return out
}

// graphQLReply posts a request to a GraphQL address as a program does.
func graphQLReply(t *testing.T, url string, body any) []byte {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/graphql-response+json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// sdlOf reads the schema of a domain.
func sdlOf(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url + "/schema")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var schema struct{ SDL string }
	if err := json.NewDecoder(resp.Body).Decode(&schema); err != nil || schema.SDL == "" {
		t.Fatalf("no schema at %s: %v", url, err)
	}
	return schema.SDL
}

// verdictOf reads an answer.
func verdictOf(t *testing.T, answer []byte) verdict {
	t.Helper()
	var r struct {
		Data   json.RawMessage
		Errors []graphQLError
	}
	if err := json.Unmarshal(answer, &r); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, answer)
	}
	v := verdict{Accepted: r.Data != nil, Errors: []string{}}
	if v.Accepted {
		var compact bytes.Buffer
		if err := json.Compact(&compact, r.Data); err != nil {
			t.Fatal(err)
		}
		v.Data = compact.String()
	}
	for _, e := range r.Errors {
		var path []string
		for _, p := range e.Path {
			path = append(path, fmt.Sprint(p))
		}
		if v.Accepted {
			v.Errors = append(v.Errors, strings.Join(path, "."))
		}
		v.messages = append(v.messages, e.Message)
	}
	slices.Sort(v.Errors)
	return v
}

// graphql-js agrees with the program on which documents are executed, on the data of
// each answer, letter by letter, and on where errors are.
func TestRefereeDocuments(t *testing.T) {
	url := strings.TrimSuffix(serve(t, "--domains", "testdata/referee/library"), "/mcp") + "/graphql/library"
	folder, err := filepath.Abs("testdata/referee/library")
	if err != nil {
		t.Fatal(err)
	}
	documents := refereeDocuments(t)
	var by refereed
	referee(t, refereeInput{
		SDL: sdlOf(t, url), Namespace: "https://library.example/ontology#", Base: "https://library.example/", Languages: []string{"en", "fr"},
		Files: []string{filepath.Join(folder, "ontology.ttl"), filepath.Join(folder, "data.ttl")}, Documents: documents,
	}, &by)
	executed, judged := 0, len(documents)
	for i, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			o := by.Outcomes[i]
			want := verdict{Accepted: o.Accepted, Errors: []string{}}
			if o.Accepted {
				executed++
				want.Data, want.Errors = o.Data, append(want.Errors, o.Errors...)
				slices.Sort(want.Errors)
			}
			got := verdictOf(t, graphQLReply(t, url, d))
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(verdict{})); diff != "" {
				t.Errorf("graphql-js and the program differ (-graphql-js +program):\n%s\ngraphql-js says %q\nthe program says %q", diff, o.Messages, got.messages)
			}
		})
	}
	if executed < 40 || judged-executed < 40 {
		t.Errorf("%d documents are executed and %d refused: they are meant to be more", executed, judged-executed)
	}
}

// What introspection tells is the schema: graphql-js, which knows nothing else, prints
// from it what the program wrote.
func TestRefereeIntrospection(t *testing.T) {
	var ask struct {
		Query string `json:"query"`
	}
	referee(t, map[string]string{"ask": "introspection query"}, &ask)
	samples := strings.TrimSuffix(serve(t), "/mcp")
	library := strings.TrimSuffix(serve(t, "--domains", "testdata/referee/library"), "/mcp")
	for _, url := range []string{
		samples + "/graphql/customer360", samples + "/graphql/finance", samples + "/graphql/hr_analytics", samples + "/graphql/supply_chain", library + "/graphql/library",
	} {
		t.Run(url[strings.LastIndex(url, "/")+1:], func(t *testing.T) {
			sdl := sdlOf(t, url)
			var answer struct{ Data json.RawMessage }
			if err := json.Unmarshal(graphQLReply(t, url, ask), &answer); err != nil || answer.Data == nil {
				t.Fatalf("introspection gives nothing: %v", err)
			}
			var by refereed
			referee(t, refereeInput{SDL: sdl, Introspection: answer.Data}, &by)
			if diff := cmp.Diff(by.Client, by.Printed); diff != "" {
				t.Errorf("introspection tells another schema (-told +written):\n%s", diff)
			}
			if diff := cmp.Diff(strings.TrimSpace(by.Client), strings.TrimSpace(sdl)); diff != "" {
				t.Errorf("the schema is not written as graphql-js prints it (-graphql-js +program):\n%s", diff)
			}
		})
	}
}

// graphql-js reads the schemas of all real ontologies, and prints them as the program
// does.
func TestRefereeRealOntologies(t *testing.T) {
	url := strings.TrimSuffix(serve(t, "--domains", domaintest.Shared(t, "data", "ontologies")), "/mcp")
	var list struct{ Domains []struct{ Name string } }
	resp, err := http.Get(url + "/graphql")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	if len(list.Domains) < 8 {
		t.Fatalf("only %d of the folders are served: %v", len(list.Domains), list.Domains)
	}
	for _, d := range list.Domains {
		t.Run(d.Name, func(t *testing.T) {
			sdl := sdlOf(t, url+"/graphql/"+d.Name)
			var by refereed
			referee(t, refereeInput{SDL: sdl}, &by)
			if diff := cmp.Diff(strings.TrimSpace(by.Printed), strings.TrimSpace(withoutNotes(sdl))); diff != "" {
				t.Errorf("the schema is not written as graphql-js prints it (-graphql-js +program):\n%.2000s", diff)
			}
		})
	}
}

// withoutNotes is a schema without the comments at its head, which graphql-js does not
// keep.
func withoutNotes(sdl string) string {
	for strings.HasPrefix(sdl, "#") {
		_, sdl, _ = strings.Cut(sdl, "\n")
	}
	return sdl
}
