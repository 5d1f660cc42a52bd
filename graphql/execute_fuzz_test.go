package graphql_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/graphql"
)

// FuzzRun sends any query with any variables to a small service: there is no panic, and
// the answer is a response as the specification has it (section 7), valid JSON in UTF-8.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob("testdata/execute/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	var facts strings.Builder
	facts.WriteString("@prefix : <" + toyBase + "> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		in := map[string]string{}
		for _, part := range a.Files {
			in[part.Name] = string(part.Data)
		}
		facts.WriteString(in["graph.ttl"])
		for name, query := range in {
			if name, ok := strings.CutPrefix(name, "query/"); ok {
				f.Add(query, in["variables/"+name])
			}
		}
	}
	f.Add(`query ($w: PersonFilter) { allPerson(where: $w) { id } }`, `{"w": {"not": {"or": [{"big": {"in": ["1e5", 2, null, 3.5]}}, null, {"knows": {"exists": null}}]}}}`)
	f.Add(`query ($o: [PersonOrder!], $n: Int) { allPerson(orderBy: $o, limit: $n) { id } }`, `{"o": {"age": "DESC"}, "n": null}`)
	f.Add(`{ __schema { types { name } } __type(name: "Person") { fields { name } } }`, ``)
	f.Add("{ allPerson(where: {big: {eq: 1e999999999}}) { id } }", `{}`)
	f.Add("{", `null`)
	s := service(f, graphql.Config{Columns: newToy(turtle(f, facts.String())), MaxEntities: 50})
	f.Fuzz(func(t *testing.T, query, variables string) {
		r := s.Run(context.Background(), graphql.Request{Query: query, Variables: json.RawMessage(variables)}, graphql.Options{})
		if len(r.Causes) > 0 {
			t.Errorf("our fault: %v", r.Causes)
		}
		body := r.JSON()
		if !utf8.Valid(body) {
			t.Errorf("not UTF-8: %q", body)
		}
		var parts map[string]json.RawMessage
		if err := json.Unmarshal(body, &parts); err != nil {
			t.Fatalf("%v: %q", err, body)
		}
		data, executed := parts["data"]
		_, failed := parts["errors"]
		if executed != r.Executed || !executed && !failed || len(parts) > 2 || len(parts) == 2 && !failed {
			t.Errorf("not a response: %q", body)
		}
		if executed && string(data) != "null" && data[0] != '{' || string(data) == "null" && !failed {
			t.Errorf("not data: %q", body)
		}
	})
}
