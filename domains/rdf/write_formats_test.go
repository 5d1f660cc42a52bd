package rdf_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// written is a text of quads in a format.
func written(t testing.TB, f rdf.Format, o rdf.WriteOptions, quads []rdf.Quad) string {
	t.Helper()
	var b strings.Builder
	if err := rdf.Write(&b, f, o, slices.Values(quads)); err != nil {
		t.Fatalf("writing %s: %v", f, err)
	}
	return b.String()
}

func TestWrite(t *testing.T) {
	prefixes := []rdf.Prefix{{Name: "e", IRI: "http://e/"}, {Name: "not", IRI: "http://used/"}}
	for _, c := range []struct {
		name, in string // TriG
		format   rdf.Format
		want     string
	}{
		{"nothing", "", rdf.Turtle, ""},
		{"nothing as lines", "", rdf.NQuads, ""},
		{"statements", "e:s e:p [ e:q 1, \"x\"@en-GB ] . e:t a e:C .", rdf.Turtle,
			"@prefix e: <http://e/> .\n\ne:s e:p [ e:q 1, \"x\"@en-GB ] .\n\ne:t a e:C .\n"},
		{"without prefixes", "<http://f/s> <http://f/p> 1 .", rdf.Turtle, "<http://f/s> <http://f/p> 1 .\n"},
		{"a version is announced in Turtle", "e:s e:p <<( _:b e:p \"x\"@ar--rtl )>> .", rdf.Turtle,
			"@version \"1.2\" .\n@prefix e: <http://e/> .\n\ne:s e:p <<( _:b1 e:p \"x\"@ar--rtl )>> .\n"},
		{"a version is announced before the line that needs it", "e:s e:p 1 . e:s e:p \"x\"@ar--rtl, \"y\"@ar--rtl .", rdf.NTriples,
			"<http://e/s> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\nVERSION \"1.2\"\n" +
				"<http://e/s> <http://e/p> \"x\"@ar--rtl .\n<http://e/s> <http://e/p> \"y\"@ar--rtl .\n"},
		{"graphs as lines", "e:g { e:s e:p _:x } _:x { _:x e:p e:s }", rdf.NQuads,
			"<http://e/s> <http://e/p> _:x <http://e/g> .\n_:x <http://e/p> <http://e/s> _:x .\n"},
		{"the default graph comes first", "e:g { e:s e:p 1 } e:s e:p 2 .", rdf.TriG,
			"@prefix e: <http://e/> .\n\ne:s e:p 2 .\n\ne:g {\n    e:s e:p 1 .\n}\n"},
		{"blank nodes of one graph are nested", "e:g { e:s e:p [ e:q 1 ] , (2) . e:t e:p [] }", rdf.TriG,
			"@prefix e: <http://e/> .\n\ne:g {\n    e:s e:p [ e:q 1 ], ( 2 ) .\n    e:t e:p [] .\n}\n"},
		{"blank nodes of several graphs have one label", "e:s e:p _:x . e:g { _:x e:q [ e:r _:y ] } e:h { e:t e:q _:y . _:z e:q 1 }", rdf.TriG,
			"@prefix e: <http://e/> .\n\ne:s e:p _:b1 .\n\ne:g {\n    _:b1 e:q [ e:r _:b2 ] .\n}\n\ne:h {\n    e:t e:q _:b2 .\n    [] e:q 1 .\n}\n"},
		{"blank nodes that name graphs have a label", "_:g { e:s e:p [ e:q 1 ] } e:h { e:s e:p _:g } _:h { _:h e:p 1 }", rdf.TriG,
			"@prefix e: <http://e/> .\n\n_:b1 {\n    e:s e:p [ e:q 1 ] .\n}\n\ne:h {\n    e:s e:p _:b1 .\n}\n\n_:b2 {\n    _:b2 e:p 1 .\n}\n"},
		{"blank nodes in triple terms of another graph", "e:g { e:s e:p _:x } e:h { e:s e:q <<( e:a e:b _:x )>> }", rdf.TriG,
			"@version \"1.2\" .\n@prefix e: <http://e/> .\n\ne:g {\n    e:s e:p _:b1 .\n}\n\ne:h {\n    e:s e:q <<( e:a e:b _:b1 )>> .\n}\n"},
	} {
		quads := rdftest.ReadString(t, "PREFIX e: <http://e/>\n"+c.in, rdf.TriG, rdf.Options{})
		got := written(t, c.format, rdf.WriteOptions{Prefixes: prefixes}, quads)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if diff := rdftest.Diff(quads, rdftest.ReadString(t, got, c.format, rdf.Options{})); diff != "" {
			t.Errorf("%s: it is another graph (-want +got):\n%s", c.name, diff)
		}
	}
}

// Each quad can't be said by each format of a row; the error names what it is.
func TestUnsayable(t *testing.T) {
	s, p := rdf.NewIRI("http://e/s"), rdf.NewIRI("http://e/p")
	quad := func(s, p, o rdf.Term, g ...rdf.Term) rdf.Quad {
		q := rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: p, Object: o}}
		if len(g) > 0 {
			q.Graph = g[0]
		}
		return q
	}
	triples := []rdf.Format{rdf.NTriples, rdf.Turtle}
	lines := []rdf.Format{rdf.NTriples, rdf.NQuads}
	all := []rdf.Format{rdf.NTriples, rdf.NQuads, rdf.Turtle, rdf.TriG}
	deep := s
	for range rdf.MaxDepth + 1 {
		deep = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: s, Predicate: p, Object: deep}}
	}
	for _, c := range []struct {
		formats []rdf.Format
		quad    rdf.Quad
		want    string // after "cannot say"
	}{
		{triples, quad(s, p, s, s), "that a triple is in a graph: write N-Quads or TriG"},
		{lines, quad(rdf.NewBlank("a b"), p, s), `the label "a b" of a blank node: write Turtle or TriG, which give new labels`},
		{lines, quad(rdf.NewBlank(""), p, s), `the label "" of a blank node: write Turtle or TriG, which give new labels`},
		{all, quad(rdf.NewString("x"), p, s), `the subject "x": only IRIs and blank nodes are subjects`},
		{all, quad(rdf.Term{}, p, s), `that the subject is missing: only IRIs and blank nodes are subjects`},
		{all, quad(s, rdf.NewBlank("b"), s), `the predicate "_:b": only IRIs are predicates`},
		{all, quad(s, p, rdf.Term{}), "a triple that has no object"},
		{all, quad(s, p, rdf.Term{Kind: rdf.TripleTerm}), "a triple term without a triple"},
		{all, quad(rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: s, Predicate: p, Object: s}}, p, s), "a triple term as the subject: only IRIs and blank nodes are subjects"},
		{all, quad(s, p, rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: s, Predicate: rdf.NewString("x"), Object: s}}), `the predicate "x": only IRIs are predicates`},
		{all, quad(s, p, deep), "triple terms that are nested deeper than 500"},
		{all, quad(s, p, rdf.NewIRI("a/b")), `the relative IRI "a/b": give a base when reading, so that it becomes absolute`},
		{all, quad(s, p, rdf.NewIRI("http://e/a b")), `the IRI "http://e/a b": " " can't be in an IRI; percent-encode it in the data (%20)`},
		{all, quad(s, p, rdf.NewIRI("http://e/\xff")), "the IRI \"http://e/\uFFFD\": it is not UTF-8"},
		{all, quad(s, p, rdf.NewString("a\xff")), "the text \"a\uFFFD\": it is not UTF-8"},
		{all, quad(s, p, rdf.NewTyped("x", "int")), `the relative IRI "int": give a base when reading, so that it becomes absolute`},
		{all, quad(s, p, rdf.NewTyped("x", rdf.RDFLangString)), `the text "x" with the datatype <http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>: that needs a language, and it has none`},
		{all, quad(s, p, rdf.Term{Kind: rdf.Literal, Value: "x", Lang: "e n"}), `the language "e n" of the text "x": a tag is such as en or en-GB, of parts of at most 8 letters and digits`},
		{all, quad(s, p, rdf.Term{Kind: rdf.Literal, Value: "x", Dir: "ltr"}), `the base direction "ltr" of the text "x": it is ltr or rtl, beside a language`},
		{[]rdf.Format{rdf.NQuads, rdf.TriG}, quad(s, p, s, rdf.NewString("x")), `a graph "x": only IRIs and blank nodes name graphs`},
	} {
		for _, f := range c.formats {
			err := rdf.Write(&strings.Builder{}, f, rdf.WriteOptions{}, slices.Values([]rdf.Quad{c.quad}))
			var cannot *rdf.UnsayableError
			if !errors.As(err, &cannot) || cannot.Format != f || cannot.Quad != c.quad {
				t.Errorf("%s: %v, expected an UnsayableError with the quad", f, err)
				continue
			}
			if diff := cmp.Diff(f.String()+" cannot say "+c.want, err.Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", f, diff)
			}
		}
	}
}

func TestFormatsThatAreNotWritten(t *testing.T) {
	for _, c := range []struct {
		format rdf.Format
		o      rdf.WriteOptions
		want   string
	}{
		{rdf.RDFXML, rdf.WriteOptions{}, "writing RDF/XML: it can only be read: write Turtle or another format"},
		{rdf.Turtle, rdf.WriteOptions{Canonical: true}, "writing Turtle: there is no canonical form of it: write N-Quads or N-Triples"},
		{99, rdf.WriteOptions{}, "writing Format(99): there is no such format"},
	} {
		err := rdf.Write(&strings.Builder{}, c.format, c.o, slices.Values([]rdf.Quad(nil)))
		if got := fmt.Sprint(err); got != c.want {
			t.Errorf("the error is %s, expected %s", got, c.want)
		}
	}
}

// full is a disk that is full.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A writer that fails ends the writing, however much there is to be written.
func TestWriteSaysWhatTheWriterFailsWith(t *testing.T) {
	one := rdf.Quad{Triple: rdf.Triple{Subject: node(1), Predicate: rdf.NewIRI("http://e/p"), Object: node(2)}}
	for _, f := range []rdf.Format{rdf.NTriples, rdf.NQuads, rdf.Turtle, rdf.TriG} {
		endless, asked := f == rdf.NTriples || f == rdf.NQuads, 0
		err := rdf.Write(full{}, f, rdf.WriteOptions{}, func(yield func(rdf.Quad) bool) {
			for yield(one) && endless {
				asked++
			}
		})
		if !errors.Is(err, errFull) || asked > 1<<20 {
			t.Errorf("%s: %v, expected %v", f, err, errFull)
		}
	}
}
