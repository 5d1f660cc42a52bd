package rdf_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// lines are quads as N-Triples, in their order.
func lines(quads []rdf.Quad) []string {
	var out []string
	for _, q := range quads {
		out = append(out, q.Triple.String())
	}
	return out
}

func TestTriplesComeInTheOrderOfTheFile(t *testing.T) {
	in := `PREFIX : <http://e/>
:a :p [ :q ( 1 [] ) ] , true ; :r -2.5e3, .5 , 'x'@en-GB .
( :b ) :p "y"^^:T .`
	want := []string{
		`<http://e/a> <http://e/p> _:f_g1 .`,
		`_:f_g1 <http://e/q> _:f_g2 .`,
		`_:f_g2 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
		`_:f_g2 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:f_g3 .`,
		`_:f_g3 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> _:f_g4 .`,
		`_:f_g3 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`,
		`<http://e/a> <http://e/p> "true"^^<http://www.w3.org/2001/XMLSchema#boolean> .`,
		`<http://e/a> <http://e/r> "-2.5e3"^^<http://www.w3.org/2001/XMLSchema#double> .`,
		`<http://e/a> <http://e/r> ".5"^^<http://www.w3.org/2001/XMLSchema#decimal> .`,
		`<http://e/a> <http://e/r> "x"@en-GB .`,
		`_:f_g5 <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> <http://e/b> .`,
		`_:f_g5 <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> <http://www.w3.org/1999/02/22-rdf-syntax-ns#nil> .`,
		`_:f_g5 <http://e/p> "y"^^<http://e/T> .`,
	}
	got := lines(rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{BlankPrefix: "f_"}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("triples (-want +got):\n%s", diff)
	}
}

// Labels that are written may look like those that are made.
func TestBlankNodesStayDistinct(t *testing.T) {
	const p = "<http://e/p>"
	in := "[] " + p + " _:g1 . _:g_1 " + p + " _:g__1 . _:g " + p + " _:g1x . _:b1 " + p + " [] ."
	quads := rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{})
	labels := make(map[string]bool)
	for _, q := range quads {
		labels[q.Subject.Value], labels[q.Object.Value] = true, true
	}
	if len(labels) != 8 {
		t.Errorf("8 blank nodes have %d labels: %v", len(labels), labels)
	}
	if again := rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{}); cmp.Diff(quads, again) != "" {
		t.Error("a second reading gives other labels")
	}
	nt := lines(rdftest.ReadString(t, "_:g1 "+p+" _:x .", rdf.NTriples, rdf.Options{BlankPrefix: "f_"}))
	if diff := cmp.Diff([]string{"_:f_g1 " + p + " _:f_x ."}, nt); diff != "" {
		t.Errorf("N-Triples (-want +got):\n%s", diff)
	}
}

func TestPrefixesAreTold(t *testing.T) {
	in := `@base <http://e/dir/> . @prefix a: <x#> . PREFIX : <../y/> @prefix a: <http://f/> .`
	var got []rdf.Prefix
	rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{Prefix: func(p rdf.Prefix) { got = append(got, p) }})
	want := []rdf.Prefix{{Name: "a", IRI: "http://e/dir/x#"}, {Name: "", IRI: "http://e/y/"}, {Name: "a", IRI: "http://f/"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prefixes (-want +got):\n%s", diff)
	}
}

// A name or relative IRI that comes again is read by what is declared then.
func TestDeclarationsCanChange(t *testing.T) {
	in := `@prefix p: <http://a/> . @base <http://a/> . p:x p:x <x> .
@prefix p: <http://b/> . @base <http://b/> . p:x p:x <x> .`
	want := []string{"<http://a/x> <http://a/x> <http://a/x> .", "<http://b/x> <http://b/x> <http://b/x> ."}
	if diff := cmp.Diff(want, lines(rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{}))); diff != "" {
		t.Errorf("triples (-want +got):\n%s", diff)
	}
}

func TestIRIsStayAsWritten(t *testing.T) {
	in := `@base <http://e/a/b> . @prefix p: <http://e/%7E/> .
p:%41\~ <HTTP://E:80/x/../y%2F> <../%7euser/./c%2e%2E> , <http:rel> , <#> , <> .`
	want := []string{
		"<http://e/%7E/%41~> <HTTP://E:80/x/../y%2F> <http://e/%7euser/c%2e%2E> .",
		"<http://e/%7E/%41~> <HTTP://E:80/x/../y%2F> <http:rel> .",
		"<http://e/%7E/%41~> <HTTP://E:80/x/../y%2F> <http://e/a/b#> .",
		"<http://e/%7E/%41~> <HTTP://E:80/x/../y%2F> <http://e/a/b> .",
	}
	if diff := cmp.Diff(want, lines(rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{}))); diff != "" {
		t.Errorf("triples (-want +got):\n%s", diff)
	}
}

// However the reader cuts the text, the result is one.
func TestPiecesOfAnySize(t *testing.T) {
	file := domaintest.Shared(t, "data", "ontologies", "skos", "test.ttl")
	want := rdftest.ReadFile(t, file, rdf.Turtle, rdf.Options{})
	for name, cut := range map[string]func(io.Reader) io.Reader{
		"one byte":      iotest.OneByteReader,
		"half":          iotest.HalfReader,
		"data with EOF": iotest.DataErrReader,
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got []rdf.Quad
			err = rdf.Read(cut(f), rdf.Turtle, rdf.Options{}, func(q rdf.Quad) error {
				got = append(got, q)
				return nil
			})
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v, quads (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestErrorsOfOthers(t *testing.T) {
	stop := errors.New("stop")
	const triples = "_:a <http://e/p> 1 .\n_:b <http://e/p> 2 .\n"
	seen := 0
	err := rdf.Read(strings.NewReader(triples), rdf.Turtle, rdf.Options{}, func(rdf.Quad) error {
		seen++
		return stop
	})
	if err != stop || seen != 1 {
		t.Errorf("emit's error came back as %v after %d quads, expected the same after 1", err, seen)
	}
	broken := io.MultiReader(strings.NewReader(triples), iotest.ErrReader(stop))
	err = rdf.Read(broken, rdf.Turtle, rdf.Options{File: "a.ttl"}, func(rdf.Quad) error { return nil })
	if !errors.Is(err, stop) || err.Error() != "reading a.ttl: stop" {
		t.Errorf("the reader's error came back as %v", err)
	}
	if err := rdf.Read(strings.NewReader(""), rdf.Turtle, rdf.Options{Base: "folder/"}, nil); err == nil {
		t.Error("a relative base was accepted")
	}
	if err := rdf.Read(strings.NewReader(""), 0, rdf.Options{}, nil); err == nil {
		t.Error("format 0 was accepted")
	}
}

func TestEncodings(t *testing.T) {
	const text = "<http://e/é> <http://e/p> \"ü\" .\n"
	units := utf16.Encode([]rune(text))
	encode := func(high, low int) string {
		var b []byte
		for _, u := range units {
			pair := [2]byte{byte(u >> 8), byte(u)}
			b = append(b, pair[high], pair[low])
		}
		return string(b)
	}
	const utf16Advice = "1:1: the text is UTF-16, expected UTF-8: convert the file, for example with iconv -f UTF-16 -t UTF-8"
	for _, c := range []struct{ name, in, want string }{
		{"UTF-8", text, ""},
		{"byte-order mark", "\uFEFF" + text, ""},
		{"byte-order mark counts no column", "\uFEFF?", `1:1: found "?", expected a subject`},
		{"byte-order mark inside", text + "\uFEFF", `2:1: found the word "\ufeff", expected a subject`},
		{"UTF-16 big end first", "\xFE\xFF" + encode(0, 1), utf16Advice},
		{"UTF-16 little end first", "\xFF\xFE" + encode(1, 0), utf16Advice},
		{"UTF-16 without mark", encode(1, 0), utf16Advice},
		{"UTF-16 that is no UTF-8", "\xFC\x00", utf16Advice},
		{"Latin-1", "<http://e/é> <http://e/p> \"\xFC\" .\n", "1:28: the byte 0xFC is not UTF-8 here"},
		{"cut character", text + "# \xC3", "2:3: the byte 0xC3 is not UTF-8 here"},
		{"behind a word that is wrong", "word\xFC", `1:1: found the word "word", expected a subject`},
		{"in an escape", "<http://e/é> <http://e/p> \"\\u00\xFC\" .\n", "1:32: the byte 0xFC is not UTF-8 here"},
		{"surrogate", "# \xED\xA0\x80", "1:3: the byte 0xED is not UTF-8 here"},
		{"NUL", text + "\x00", `2:1: found "\x00", expected a subject`},
		{"nothing", "", ""},
		{"one byte", "\n", ""},
	} {
		for _, f := range []rdf.Format{rdf.Turtle, rdf.NTriples} {
			_, err := rdftest.Parse(c.in, f, rdf.Options{})
			if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s, %v: %v, expected %q", c.name, f, err, c.want)
			}
		}
	}
}

// The triples before a broken place are told.
func TestTriplesBeforeAnError(t *testing.T) {
	quads, err := rdftest.Parse("_:a <http://e/p> 1 .\n_:b <http://e/p> \xFF", rdf.Turtle, rdf.Options{})
	if len(quads) != 1 || err == nil {
		t.Errorf("%d triples and %v, expected 1 and an error", len(quads), err)
	}
}

func TestTermsShareStrings(t *testing.T) {
	in := "@prefix p: <http://e/> .\np:a p:b \"c\"@en . p:a p:b \"c\"@en . _:x p:b <http://e/d> . _:x p:b <http://e/d> ."
	quads := rdftest.ReadString(t, in, rdf.Turtle, rdf.Options{BlankPrefix: "f_"})
	for i := 0; i < len(quads); i += 2 {
		a, b := quads[i], quads[i+1]
		for _, pair := range [][2]string{
			{a.Subject.Value, b.Subject.Value},
			{a.Predicate.Value, b.Predicate.Value},
			{a.Object.Value, b.Object.Value},
			{a.Object.Lang, b.Object.Lang},
		} {
			if unsafe.StringData(pair[0]) != unsafe.StringData(pair[1]) {
				t.Errorf("%q is held twice", pair[0])
			}
		}
	}
}
