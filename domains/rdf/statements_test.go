package rdf_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// TestStatements holds the writer's layout: each archive has a graph and the text that
// it is written as, which must be the same graph.
func TestStatements(t *testing.T) {
	archives, err := filepath.Glob("testdata/statements/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			var prefixes []rdf.Prefix
			quads := rdftest.ReadString(t, string(a.Files[0].Data), rdf.Turtle, rdf.Options{
				Prefix: func(p rdf.Prefix) { prefixes = append(prefixes, p) },
			})
			text := page(quads, prefixes)
			golden(t, archive, "out/statements.ttl", text)
			if diff := rdftest.Diff(quads, rdftest.ReadString(t, text, rdf.Turtle, rdf.Options{})); diff != "" {
				t.Errorf("what was written is another graph (-want +got):\n%s", diff)
			}
			if again := page(quads, prefixes); again != text {
				t.Errorf("written again it is another text:\n%s", cmp.Diff(text, again))
			}
		})
	}
}

// page is a graph as a Turtle file that declares the prefixes that it uses.
func page(quads []rdf.Quad, prefixes []rdf.Prefix) string {
	used := make(map[string]bool)
	var text strings.Builder
	for s := range rdf.Statements(slices.Values(rdftest.Triples(quads)), prefixes) {
		text.WriteString("\n" + s.Text + "\n")
		for _, name := range s.Prefixes {
			used[name] = true
		}
	}
	return rdf.PrefixLines(prefixes, func(name string) bool { return used[name] }) + text.String()
}

func TestStatementsStopWhenTheReaderDoes(t *testing.T) {
	quads := rdftest.ReadString(t, "_:a <http://e/p> 1 . _:b <http://e/p> 2 .", rdf.Turtle, rdf.Options{})
	n := 0
	for range rdf.Statements(slices.Values(rdftest.Triples(quads)), nil) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("%d statements, expected 1", n)
	}
	for s := range rdf.Statements(slices.Values([]rdf.Triple(nil)), nil) {
		t.Errorf("an empty graph has the statement %q", s.Text)
	}
}

// The reader can't make such a term; the program can.
func TestTripleTermsAreWritten(t *testing.T) {
	b := rdf.NewBlank("x")
	p := rdf.NewIRI("http://e/p")
	about := rdf.Triple{Subject: b, Predicate: p, Object: rdf.Term{Kind: rdf.Literal, Value: "v", Lang: "ar", Dir: "rtl"}}
	triples := []rdf.Triple{
		{Subject: rdf.NewIRI("http://e/s"), Predicate: p, Object: rdf.Term{Kind: rdf.TripleTerm, Triple: &about}},
		{Subject: rdf.NewIRI("http://e/s"), Predicate: p, Object: b},
		{Subject: b, Predicate: p, Object: rdf.NewIRI("http://e/o")},
	}
	var got []string
	for s := range rdf.Statements(slices.Values(triples), []rdf.Prefix{{Name: "e", IRI: "http://e/"}}) {
		got = append(got, s.Text)
	}
	want := []string{
		"e:s e:p <<( _:b1 e:p \"v\"@ar--rtl )>>, _:b1 .",
		"_:b1 e:p e:o .",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
}

func TestPrefixLines(t *testing.T) {
	got := rdf.PrefixLines([]rdf.Prefix{
		{Name: "b", IRI: "http://old/"},
		{Name: "", IRI: "http://e/"},
		{Name: "no good", IRI: "http://e/"},
		{Name: "relative", IRI: "e/"},
		{Name: "broken", IRI: "http://e/ >"},
		{Name: "é.x", IRI: "http://f/"},
		{Name: "b", IRI: "http://new/"},
	}, nil)
	want := "@prefix : <http://e/> .\n@prefix b: <http://new/> .\n@prefix é.x: <http://f/> .\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestTermString(t *testing.T) {
	for _, c := range []struct {
		term rdf.Term
		want string
	}{
		{rdf.Term{}, ""},
		{rdf.NewBlank("a1"), "_:a1"},
		{rdf.NewIRI(rdf.XSDInteger), "<" + rdf.XSDInteger + ">"},
		{rdf.NewTyped("42", rdf.XSDInteger), `"42"^^<` + rdf.XSDInteger + ">"},
		{rdf.NewTyped("2024-01-01", rdf.XSD+"date"), `"2024-01-01"^^<` + rdf.XSD + "date>"},
		{rdf.NewString("two\nlines"), `"two\nlines"`},
		{rdf.Term{Kind: rdf.Literal, Value: "chat", Lang: "fr"}, `"chat"@fr`},
		{rdf.NewIRI("http://e/a b"), `<http://e/a\u0020b>`},
		{rdf.NewString("soft\u00ADfill\u3164sel\U000E0101"), `"soft\u00ADfill\u3164sel\U000E0101"`},
		{rdf.NewString("\u200D\u0600 stay"), "\"\u200D\u0600 stay\""},
		{rdf.NewString("\xFF"), "\"\uFFFD\""},
	} {
		if got := c.term.String(); got != c.want {
			t.Errorf("String is %s, expected %s", got, c.want)
		}
	}
}
