package graphql_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gql "github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/graphql"
)

// derived is a schema and what it was derived from.
type derived struct {
	*graphql.Model
	from graphql.Derivation
}

// derivedFrom derives the schema of a domain of a back end.
func derivedFrom(t testing.TB, b domains.Backend, name domains.Name) derived {
	t.Helper()
	ctx := context.Background()
	d, err := b.Open(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	from := graphql.Derivation{Name: string(name), Languages: d.Languages}
	if from.Ontology, err = d.Ontology(ctx); err != nil {
		t.Fatal(err)
	}
	if d.Columns != nil {
		if from.Usage, err = d.Columns.Usage(ctx); err != nil {
			t.Fatal(err)
		}
	}
	return derived{derive(t, from), from}
}

func derive(t testing.TB, d graphql.Derivation) *graphql.Model {
	t.Helper()
	m, err := graphql.Derive(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// backend serves a folder of domains, or one domain.
func backend(t testing.TB, c rdfgraph.Config) domains.Backend {
	t.Helper()
	b, err := rdfgraph.New(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// realFolders are the folders of published ontologies, each as a domain that can be served.
func realFolders(t testing.TB) map[string]domains.Backend {
	t.Helper()
	folder := domaintest.Shared(t, "data", "ontologies")
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]domains.Backend{}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		b := backend(t, rdfgraph.Config{Dir: filepath.Join(folder, e.Name())})
		if list, err := b.Domains(context.Background()); err == nil && len(list) == 1 && list[0].Unavailable == "" {
			out[e.Name()] = b
		}
	}
	if len(out) < 9 {
		t.Fatalf("only %d folders are served", len(out))
	}
	return out
}

var legalName = regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)

// legalSchema holds that both parsers accept a schema, that its names are legal, and
// that it and its model say the same.
func legalSchema(t testing.TB, m *graphql.Model) *ast.Schema {
	t.Helper()
	s, err := gqlparser.LoadSchema(&ast.Source{Name: "schema", Input: m.SDL})
	if err != nil {
		t.Fatalf("gqlparser: %v\n%s", err, excerpt(m.SDL))
	}
	if _, err := gql.ParseSchema(m.SDL, nil, gql.UseStringDescriptions()); err != nil {
		t.Fatalf("graph-gophers: %v\n%s", err, excerpt(m.SDL))
	}
	agree(t, m, s)
	return s
}

func excerpt(s string) string { return s[:min(len(s), 3000)] }

// agree holds that the schema has what the model says and nothing else.
func agree(t testing.TB, m *graphql.Model, s *ast.Schema) {
	t.Helper()
	roots := 2
	for _, typ := range m.Types {
		d := s.Types[typ.Name]
		if d == nil || m.Type(typ.Name) != typ {
			t.Fatalf("type %s is not in the schema", typ.Name)
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") || !legalName.MatchString(f.Name) {
				t.Errorf("%s.%s is no legal name", typ.Name, f.Name)
			}
			checkColumn(t, typ, f)
		}
		if len(d.Fields) != len(typ.Fields)+4 {
			t.Errorf("%s has %d fields, the model %d", typ.Name, len(d.Fields)-4, len(typ.Fields))
		}
		for _, in := range []string{typ.Filter, typ.Order} {
			if s.Types[in] == nil || s.Types[in].Kind != ast.InputObject {
				t.Errorf("%s has no input %s", typ.Name, in)
			}
		}
		for kind, name := range map[graphql.RootKind]string{graphql.RootAll: typ.All, graphql.RootOne: typ.One, graphql.RootCount: typ.Count} {
			if r, ok := m.Root(name); !ok || r.Kind != kind || r.Type != typ {
				t.Errorf("root %s of %s is %v", name, typ.Name, r)
			}
			roots++
		}
	}
	n := 0
	for _, f := range s.Query.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			n++
			if _, ok := m.Root(f.Name); !ok {
				t.Errorf("no root %s in the model", f.Name)
			}
		}
	}
	if n != roots {
		t.Errorf("%d roots, want %d", n, roots)
	}
	for name := range s.Types {
		if !s.Types[name].BuiltIn && (strings.HasPrefix(name, "__") || !legalName.MatchString(name)) {
			t.Errorf("%s is no legal name", name)
		}
	}
}

// checkColumn compares a field of the schema with the model's column.
func checkColumn(t testing.TB, typ *graphql.Type, f *ast.FieldDefinition) {
	t.Helper()
	switch f.Name {
	case "id", "uri", "types", "label":
		if typ.Column(f.Name) != nil {
			t.Errorf("%s has a column %s", typ.Name, f.Name)
		}
		return
	}
	c := typ.Column(f.Name)
	if c == nil {
		t.Errorf("%s.%s has no column", typ.Name, f.Name)
		return
	}
	if (f.Type.Elem != nil) != c.List || (f.Arguments.ForName("lang") != nil) != c.Language || (f.Arguments.ForName("limit") != nil) != (c.Scalar == graphql.None) {
		t.Errorf("%s.%s is %v in the schema and %+v in the model", typ.Name, f.Name, f.Type, *c)
	}
	if c.Target != "" && f.Type.Name() != c.Target || len(c.Steps) == 0 {
		t.Errorf("%s.%s leads to %v in the schema, %+v in the model", typ.Name, f.Name, f.Type, *c)
	}
}

// TestDeriveSamples derives the schemas of the sample domains.
func TestDeriveSamples(t *testing.T) {
	b := backend(t, rdfgraph.Config{FS: examples.FS()})
	list, err := b.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range list {
		t.Run(string(info.Name), func(t *testing.T) {
			d := derivedFrom(t, b, info.Name)
			legalSchema(t, d.Model)
		})
	}
}

// TestDeriveRealOntologies derives the schemas of published ontologies, each from a
// folder as it is served.
func TestDeriveRealOntologies(t *testing.T) {
	folders := realFolders(t)
	for i, name := range slices.Sorted(maps.Keys(folders)) {
		b := folders[name]
		if domaintest.Race && i%3 > 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			list, err := b.Domains(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d := derivedFrom(t, b, list[0].Name)
			legalSchema(t, d.Model)
			distinctNames(t, d.Model)
			if again := derive(t, d.from); again.SDL != d.SDL {
				t.Errorf("derived twice, two schemas:\n%s", cmp.Diff(d.SDL, again.SDL))
			}
		})
	}
}

// TestOrderOfTriplesDoesNotMatter derives the schemas of published ontologies and of what
// their graphs use from their triples in several orders.
func TestOrderOfTriplesDoesNotMatter(t *testing.T) {
	folder := domaintest.Shared(t, "data", "ontologies")
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"brick", "dcat-examples", "fhir", "ies", "music", "ontoaxiom", "qudt", "schemaorg", "skos", "w3c-ns"} {
		if domaintest.Race && (name == "schemaorg" || name == "brick" || name == "qudt") {
			continue // the largest
		}
		t.Run(name, func(t *testing.T) {
			triples := readable(t, filepath.Join(folder, name))
			from := derivationOf(t, triples, "")
			want := derive(t, from)
			legalSchema(t, want)
			turns := []func(){
				func() { r.Shuffle(len(triples), func(i, k int) { triples[i], triples[k] = triples[k], triples[i] }) },
				func() { slices.Reverse(triples) },
			}
			for _, turn := range turns[:domaintest.Rounds(len(turns))] {
				turn()
				if got := derive(t, derivationOf(t, triples, "")); got.SDL != want.SDL {
					t.Fatalf("another order gives another schema (-want +got):\n%s", cmp.Diff(want.SDL, got.SDL))
				}
			}
		})
	}
}

// readable are the triples of the Turtle files of a folder that can be read.
func readable(t *testing.T, folder string) (out []rdf.Triple) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.ttl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		start := len(out)
		err = rdf.Read(bytes.NewReader(text), rdf.Turtle, rdf.Options{Base: "https://example.org/", BlankPrefix: fmt.Sprintf("f%d_", i)}, func(q rdf.Quad) error {
			out = append(out, q.Triple)
			return nil
		})
		if err != nil {
			out = out[:start]
		}
	}
	return out
}

// schemaOrg is the folder of schema.org.
func schemaOrg(t testing.TB) string { return domaintest.Shared(t, "data", "ontologies", "schemaorg") }
