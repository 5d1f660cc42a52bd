package graphql_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/graphql"
)

// TestEveryEntityIsFoundByItsID pages through all entities of all types of the samples and
// of published ontologies: there are as many as their count says, and each is found by its
// id as what it is, among those of its type and among all. The example of each type runs.
func TestEveryEntityIsFoundByItsID(t *testing.T) {
	b := backend(t, rdfgraph.Config{FS: examples.FS()})
	list, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		t.Run(string(info.Name), func(t *testing.T) { reader(t, b, info.Name).entities() })
	}
	folders := realFolders(t)
	for i, name := range slices.Sorted(maps.Keys(folders)) {
		if domaintest.Race && i%3 > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			list, err := folders[name].Domains(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			reader(t, folders[name], list[0].Name).entities()
		})
	}
}

// domainReader asks the derived service of a domain.
type domainReader struct {
	*testing.T
	derived
	service *graphql.Service
	schema  *graphql.Schema
}

func reader(t *testing.T, b domains.Backend, name domains.Name) *domainReader {
	of := derivedFrom(t, b, name)
	d, err := b.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if d.Columns == nil {
		t.Skip("no columns")
	}
	s, err := graphql.New(graphql.Config{Model: of.Model, Columns: d.Columns, Languages: d.Languages})
	if err != nil {
		t.Fatal(err)
	}
	return &domainReader{t, of, s, schema(t, of.SDL)}
}

// ask is the data of an answer without errors.
func (r *domainReader) ask(query string, variables map[string]any, into any) {
	r.Helper()
	given, err := json.Marshal(variables)
	if err != nil {
		r.Fatal(err)
	}
	answer := r.service.Run(r.Context(), graphql.Request{Query: query, Variables: given}, graphql.Options{})
	if len(answer.Errors) > 0 {
		r.Fatalf("%.300s\n%v", query, answer.Errors)
	}
	if err := json.Unmarshal(answer.Data, into); err != nil {
		r.Fatal(err)
	}
}

type known struct{ ID, URI string }

func (r *domainReader) entities() {
	seen := 0
	for _, typ := range r.Types {
		var counts map[string]int
		r.ask("{ "+typ.Count+" }", nil, &counts)
		all := r.all(typ)
		if len(all) != counts[typ.Count] {
			r.Errorf("%s: %d are listed, %d counted", typ.Name, len(all), counts[typ.Count])
		}
		parts := slices.Collect(slices.Chunk(all, graphql.MaxAliases))
		for _, part := range parts[:min(len(parts), domaintest.Rounds(len(parts)))] {
			r.byID(typ.One, "id", part)
			r.byID("entity", "uri", part)
		}
		seen += len(all)
		r.everything(typ)
		if example := r.schema.Example(typ.Name); example == "" {
			r.Errorf("%s has no example", typ.Name)
		} else if answer := r.service.Run(r.Context(), graphql.Request{Query: example}, graphql.Options{}); otherErrors(answer) != nil {
			r.Errorf("%s: %s: %v", typ.Name, example, otherErrors(answer))
		}
	}
	r.Logf("%d types, %d entities of them", len(r.Types), seen)
}

// all pages through the entities of a type, each of which has to come once.
func (r *domainReader) all(typ *graphql.Type) (all []known) {
	met := map[string]bool{}
	for {
		var page map[string][]known
		r.ask("query($o: Int) { "+typ.All+"(limit: 1000, offset: $o) { id uri } }", map[string]any{"o": len(all)}, &page)
		for _, k := range page[typ.All] {
			if met[k.ID] {
				r.Fatalf("%s: %s comes twice", typ.Name, k.ID)
			}
			met[k.ID] = true
		}
		if all = append(all, page[typ.All]...); len(page[typ.All]) < 1000 {
			return all
		}
	}
}

// everything reads all fields of the first entities of a type.
func (r *domainReader) everything(typ *graphql.Type) {
	var fields strings.Builder
	for _, c := range typ.Fields {
		if c.Scalar != graphql.None {
			fields.WriteString(c.Name + " ")
		} else if fields.Len() < graphql.MaxQuery/3 {
			fields.WriteString(c.Name + "(limit: 3) { id types __typename } ")
		}
	}
	query := "{ " + typ.All + "(limit: 20) { id label types " + fields.String() + "} }"
	answer := r.service.Run(r.Context(), graphql.Request{Query: query}, graphql.Options{})
	if errs := otherErrors(answer); errs != nil {
		r.Errorf("%s: %v %v", typ.Name, errs, answer.Causes)
	}
}

// byID reads some entities with a field of Query by their ids.
func (r *domainReader) byID(field, argument string, some []known) {
	var define, read strings.Builder
	ids := map[string]any{}
	for i, k := range some {
		fmt.Fprintf(&define, "$i%d: String! ", i)
		fmt.Fprintf(&read, "a%d: %s(%s: $i%d) { id uri } ", i, field, argument, i)
		ids[fmt.Sprint("i", i)] = k.ID
	}
	var found map[string]*known
	r.ask("query("+define.String()+") { "+read.String()+"}", ids, &found)
	for i, k := range some {
		if got := found[fmt.Sprint("a", i)]; got == nil || *got != k {
			r.Errorf("%s(%s: %q) is %v, want %v", field, argument, k.ID, got, k)
		}
	}
}

// otherErrors are the errors of an answer other than those of literals that do not fit,
// which is what published data are like.
func otherErrors(r *graphql.Response) (out []graphql.Error) {
	for _, e := range r.Errors {
		if !strings.HasPrefix(e.Message, "The value ") {
			out = append(out, e)
		}
	}
	return out
}
