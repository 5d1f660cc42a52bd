package graphql_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/graphql"
)

var update = flag.Bool("update", false, "rewrite the out/ files of the golden archives")

// TestExecute runs the archives of testdata/execute. Each has a comment with the rule it
// holds, graph.ttl with facts for toyOntology, and requests: query/NAME, and where it
// matters variables/NAME and options (max=N for MaxEntities). out/NAME is the answer, and
// below it the calls that it took.
func TestExecute(t *testing.T) {
	files, err := filepath.Glob("testdata/execute/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { goldenExecution(t, file) })
	}
}

func goldenExecution(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(bytes.TrimSpace(a.Comment)) == 0 {
		t.Fatal("the archive's comment has to say which rule it holds")
	}
	in, kept := map[string]string{}, &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		in[f.Name] = string(f.Data)
	}
	for _, f := range a.Files {
		if strings.HasPrefix(f.Name, "out/") {
			continue
		}
		kept.Files = append(kept.Files, f)
		name, ok := strings.CutPrefix(f.Name, "query/")
		if !ok {
			continue
		}
		got := execution(t, in, name)
		kept.Files = append(kept.Files, txtar.File{Name: "out/" + name, Data: []byte(got)})
		if want, ok := in["out/"+name]; !ok && !*update {
			t.Errorf("out/%s is missing: run go test -update and read what it writes", name)
		} else if diff := cmp.Diff(want, got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(kept), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// execution is the answer to a request of an archive, and the calls it took.
func execution(t *testing.T, in map[string]string, name string) string {
	t.Helper()
	g := newToy(turtle(t, "@prefix : <"+toyBase+"> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"+in["graph.ttl"]))
	c := graphql.Config{Model: toyModel(t), Columns: g, Languages: []string{"en"}}
	if most, ok := strings.CutPrefix(strings.TrimSpace(in["options"]), "max="); ok {
		c.MaxEntities, _ = strconv.Atoi(most)
	}
	s, err := graphql.New(c)
	if err != nil {
		t.Fatal(err)
	}
	request := graphql.Request{Query: in["query/"+name], Variables: json.RawMessage(in["variables/"+name])}
	r := s.Run(t.Context(), request, graphql.Options{})
	for _, cause := range r.Causes {
		t.Errorf("%s: %v", name, cause)
	}
	out, calls := spread(t, r), strings.Join(g.calls, "\n")+"\n"
	s.ReadAheadFrom(1)
	if diff := cmp.Diff(out, spread(t, s.Run(t.Context(), request, graphql.Options{}))); diff != "" {
		t.Errorf("%s: reading ahead changes the answer (-want +got):\n%s", name, diff)
	}
	return out + calls
}

// spread is a response, with a line for each error.
func spread(t testing.TB, r *graphql.Response) string {
	t.Helper()
	body := r.JSON()
	var parts struct {
		Data   json.RawMessage
		Errors []json.RawMessage
	}
	if err := json.Unmarshal(body, &parts); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	var out bytes.Buffer
	if parts.Data != nil {
		fmt.Fprintf(&out, "%s\n", bytes.ReplaceAll(parts.Data, []byte("},{"), []byte("},\n{")))
	}
	for _, e := range parts.Errors {
		fmt.Fprintf(&out, "%s\n", e)
	}
	return out.String()
}
