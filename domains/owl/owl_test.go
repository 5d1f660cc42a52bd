package owl_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

var update = flag.Bool("update", false, "write golden files instead of comparing")

// TestBuild reads the Turtle of each archive and compares the ontology ("model"),
// the entities that are left ("entities") and the order of the schema's subjects
// ("subjects"). An archive holds those of the three that it is about.
func TestBuild(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			g := graphOf(t, a.Files[0].Data)
			onto, terms := build(t, g, owl.Options{})
			stages := map[string]func() string{
				"model":    func() string { return model(onto) },
				"entities": func() string { return entities(g, terms) },
				"subjects": func() string { return subjects(onto) },
			}
			if len(a.Files) < 2 {
				t.Fatal("the archive compares nothing: add a file named model, entities or subjects")
			}
			for i, f := range a.Files[1:] {
				stage, ok := stages[f.Name]
				if !ok {
					t.Fatalf("no stage is named %q", f.Name)
				}
				got := stage()
				if *update {
					a.Files[i+1].Data = []byte(got)
				} else if diff := cmp.Diff(string(f.Data), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", f.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestBuildDoesNotScan holds the claim that what is read does not grow with the
// facts.
func TestBuildDoesNotScan(t *testing.T) {
	reads := func(people int) int {
		var b strings.Builder
		b.WriteString(`@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Person a rdfs:Class . :knows rdfs:domain :Person .
`)
		for i := range people {
			fmt.Fprintf(&b, ":p%d a :Person, :Friend ; :knows :p%d ; :age %d ; :note [ :by :p0 ], \"n%d\" .\n", i, i/2, i, i)
		}
		g := graphOf(t, []byte(b.String()))
		before := g.Work()
		onto, _ := build(t, g, owl.Options{})
		if onto.Class("http://e/Friend") == nil || onto.Property("http://e/note").Kind != domains.MixedProperty {
			t.Fatalf("the ontology misses what is used:\n%s", model(onto))
		}
		return g.Work().Reads() - before.Reads()
	}
	few, many := reads(10), reads(10_000)
	// Of many, the distinct objects of rdf:type and of predicates are the same.
	if many > few+10 {
		t.Errorf("reading grows with the facts: %d rows for 10 entities, %d for 10,000", few, many)
	}
}

// TestBuildStopsWithItsConsumer holds that Triples is lazy and can be read again.
func TestBuildStopsWithItsConsumer(t *testing.T) {
	g := graphOf(t, []byte(`@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . <http://e/A> a rdfs:Class ; rdfs:label "a" .`))
	onto, _ := build(t, g, owl.Options{})
	for range 2 {
		n := 0
		for range onto.Triples {
			n++
			break
		}
		if n != 1 {
			t.Fatalf("read %d triples, want 1", n)
		}
	}
}

// TestBuildOptions covers what the triples do not say.
func TestBuildOptions(t *testing.T) {
	g := graphOf(t, []byte(`@prefix : <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:A a rdfs:Class ; rdfs:label "standard" ; :title "own" .`))
	onto, _ := build(t, g, owl.Options{Base: "http://b/", Labels: []string{"http://e/title"}, Prefixes: []rdf.Prefix{{Name: "e", IRI: "http://e/"}}})
	want := []domains.Text{{Value: "own"}, {Value: "standard"}}
	if diff := cmp.Diff(want, onto.Class("http://e/A").Labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	if onto.Base != "http://b/" || onto.Expand("e:A") != "http://e/A" {
		t.Errorf("base %q, e:A is %q", onto.Base, onto.Expand("e:A"))
	}
}

func build(t *testing.T, g owl.Graph, o owl.Options) (*domains.Ontology, owl.Terms) {
	t.Helper()
	onto, terms, err := owl.Build(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return onto, terms
}

func graphOf(t *testing.T, turtle []byte) *store.Snapshot {
	t.Helper()
	return graphIn(t, rdf.Turtle, turtle)
}

func graphIn(t *testing.T, f rdf.Format, text []byte) *store.Snapshot {
	t.Helper()
	b := store.NewBuilder()
	err := rdf.Read(bytes.NewReader(text), f, rdf.Options{File: "in"}, func(q rdf.Quad) error {
		b.Add(q.Triple)
		return nil
	})
	var syntax *rdf.SyntaxError
	if errors.As(err, &syntax) || err != nil {
		t.Fatal(err)
	}
	return b.Build()
}
