package rdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

func TestDepth(t *testing.T) {
	for name, brackets := range map[string][2]string{
		"brackets": {"[ <http://e/p> ", " ]"}, "collections": {"( ", " )"},
		"triple terms": {"<<( <http://e/s> <http://e/p> ", " )>>"},
	} {
		open, closing := brackets[0], brackets[1]
		nested := func(depth int) string {
			return "<http://e/s> <http://e/p> " + strings.Repeat(open, depth) + "1" + strings.Repeat(closing, depth) + " ."
		}
		quads, err := rdftest.Parse(nested(rdf.MaxDepth), rdf.Turtle, rdf.Options{})
		if err != nil {
			t.Errorf("%s, deepest: %v", name, err)
		}
		back := rdftest.ReadString(t, page(quads, nil), rdf.Turtle, rdf.Options{})
		if !rdftest.Isomorphic(quads, back) {
			t.Errorf("%s: the deepest graph does not survive writing", name)
		}
		_, err = rdftest.Parse(nested(rdf.MaxDepth+1), rdf.Turtle, rdf.Options{})
		if err == nil || !strings.Contains(err.Error(), "nested deeper than 500") {
			t.Errorf("%s, too deep: %v", name, err)
		}
		if _, err := rdftest.Parse("<http://e/s> <http://e/p> "+strings.Repeat(open, 1_000_000), rdf.Turtle, rdf.Options{}); err == nil {
			t.Errorf("%s: a million open brackets were accepted", name)
		}
	}
}

func TestLongTokens(t *testing.T) {
	long := strings.Repeat("long line\n", rdf.MaxToken/10-10)
	quads, err := rdftest.Parse("<http://e/s> <http://e/p> \"\"\""+long+"\"\"\" .", rdf.Turtle, rdf.Options{})
	if err != nil || len(quads) != 1 || quads[0].Object.Value != long {
		t.Errorf("%d triples, %v: expected the longest literal", len(quads), err)
	}
	for name, token := range map[string]string{
		"long string": `"""` + long + strings.Repeat("\n", 200) + `"""`,
		"IRI":         "<" + strings.Repeat("x", rdf.MaxToken) + ">",
		"name":        "x:" + strings.Repeat("x", rdf.MaxToken),
		"dots":        "a" + strings.Repeat(".", rdf.MaxToken) + "a",
	} {
		_, err := rdftest.Parse("<http://e/s> <http://e/p>\n  "+token+" .", rdf.Turtle, rdf.Options{})
		var syntax *rdf.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != 2 || !strings.Contains(err.Error(), "longer than 16 MiB") {
			t.Errorf("%s: %.200v, expected the limit in line 2", name, err)
		}
	}
}

// repeated reads a text again and again, up to a size.
type repeated struct {
	text string
	from int // in text
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && (r.left > 0 || r.from > 0) {
		copied := copy(p[n:], r.text[r.from:])
		n += copied
		r.left -= copied
		r.from = (r.from + copied) % len(r.text)
	}
	return n, nil
}

// What is read is not kept: neither triples nor comments and blank lines.
func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	const size = 4 << 20
	for name, text := range map[string]string{
		"triples":  "<http://e/s> <http://e/p> \"o\" .\n",
		"comment":  "# and so on",
		"space":    " \n\n",
		"brackets": "_:a <http://e/p> [ <http://e/q> 1 ] .\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		triples := 0
		err := rdf.Read(&repeated{text: text, left: size}, rdf.Turtle, rdf.Options{}, func(rdf.Quad) error {
			triples++
			return nil
		})
		runtime.ReadMemStats(&after)
		// A blank node without a label costs a string; nothing else is new.
		allowed := uint64(1<<20 + 64*triples*strings.Count(text, "["))
		if used := after.TotalAlloc - before.TotalAlloc; err != nil || used > allowed {
			t.Errorf("%s: error %v, %d bytes were taken to read %d, expected at most %d", name, err, used, size, allowed)
		}
	}
}

// A place in a long line is found without counting the line again for each.
func TestManyPlacesInOneLine(t *testing.T) {
	text := bytes.Repeat([]byte("_:a <http://e/é> [] , ( [] ) . "), 10_000)
	_, err := rdftest.Parse(string(text)+"?", rdf.Turtle, rdf.Options{})
	var syntax *rdf.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 1 || syntax.Column != 31*10_000+1 {
		t.Errorf("%v, expected 1:%d", err, 31*10_000+1)
	}
}

// A name costs little more than what is written for it: the IRIs that names repeat
// are short, however they came about.
func TestLongNamespaces(t *testing.T) {
	iri := func(size int) string { return "http://e/" + strings.Repeat("x", size-len("http://e/")-1) + "/" }
	longest, long := iri(rdf.MaxNamespace), iri(rdf.MaxNamespace+1)
	base := rdf.Options{Base: iri(1 << 10)}
	for name, c := range map[string]struct {
		text    string
		options rdf.Options
		column  int // of the fault in line 2; 0 when there is none
	}{
		"longest prefix":  {text: "\n@prefix p: <" + longest + "> . p:a p:b \"\"^^p:c ."},
		"long prefix":     {text: "\n@prefix p: <" + long + "> . p:a p:b p:c .", column: 12},
		"long PREFIX":     {text: "\nPREFIX p: <" + long + ">", column: 11},
		"longest base":    {text: "\n@base <" + longest + "> . <a> <b> <c> ."},
		"long base":       {text: "\n@base <" + long + "> . <a> <b> <c> .", column: 7},
		"relative base":   {text: "\n@base <" + strings.Repeat("y", 1<<10) + "/a> .", options: base, column: 7},
		"relative prefix": {text: "\n@prefix p: <" + strings.Repeat("y", 1<<10) + "/a> .", options: base, column: 12},
		"growing base":    {text: "@base <http://e/> .\n" + strings.Repeat("@base <aaaaaaaaa/> . ", 204), column: 203*21 + 7},
		"escaped":         {text: "\n@prefix p: <http://e/" + strings.Repeat(`\u00e9`, 1<<10) + "> .", column: 12},
		"IRIs in full":    {text: "\n<" + long + "> <" + long + "> \"\"^^<" + long + "> ."},
		"long names":      {text: "\n@prefix p: <http://e/> . p:a p:b p:" + long[len("http://e/"):len(long)-1] + " ."},
	} {
		_, err := rdftest.Parse(c.text, rdf.Turtle, c.options)
		if c.column == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		var syntax *rdf.SyntaxError
		if !errors.As(err, &syntax) || syntax.Line != 2 || !strings.Contains(syntax.Message, "bytes once it is resolved, and at most 2048 can be read") {
			t.Errorf("%s: %.300v, expected the limit in line 2", name, err)
		} else if syntax.Column != c.column {
			t.Errorf("%s: column %d, want %d", name, syntax.Column, c.column)
		}
	}
	if _, err := rdftest.Parse("<a> <b> <c> .", rdf.Turtle, rdf.Options{Base: long}); err == nil || !strings.Contains(err.Error(), "the base has 2049 bytes") {
		t.Errorf("a long base of the options: %.200v", err)
	}
}

// Hostile XML ends at a limit: deep elements, tags with many attributes or namespaces, long
// texts, and entities that grow.
func TestLimitsOfXML(t *testing.T) {
	begin := `<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:e="http://e/">`
	many := func(attribute string) string {
		var b strings.Builder
		for i := range 1_100 {
			fmt.Fprintf(&b, attribute, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ text, want string }{
		"deep":       {begin + strings.Repeat("<e:A><e:p>", 100_000), "nested deeper than 500"},
		"attributes": {begin + "<e:A" + many(` e:p%d=""`) + "/>", "more than 1000 attributes"},
		"namespaces": {begin + "<e:A" + many(` xmlns:p%d="http://e/"`) + "/>", "more than 1000 namespaces"},
		"text":       {begin + "<e:A><e:p>" + strings.Repeat("text ", rdf.MaxToken/5+10), "longer than 16 MiB"},
		"pieces":     {begin + "<e:A><e:p>" + strings.Repeat(strings.Repeat("text ", 100_000)+"<!-- -->", 40), "longer than 16 MiB"},
		"value":      {begin + `<e:A e:p="` + strings.Repeat("text ", rdf.MaxToken/5+10), "longer than 16 MiB"},
		"XML":        {begin + `<e:A><e:p rdf:parseType="Literal">` + strings.Repeat("<b>text</b>", rdf.MaxToken/10), "longer than 16 MiB"},
		"comment":    {begin + `<!--` + strings.Repeat("text ", rdf.MaxToken/5+10), "longer than 16 MiB"},
		"namespace":  {`<e:A xmlns:e="http://e/` + strings.Repeat("e", rdf.MaxNamespace) + `"/>`, "at most 2048 can be read"},
		"subset":     {"<!DOCTYPE a [" + many(`<!ENTITY e%d "text">`), `expected a declaration or "]"`},
	} {
		_, err := rdftest.Parse(c.text, rdf.RDFXML, rdf.Options{})
		var syntax *rdf.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, expected %s", name, err, c.want)
		}
	}
	nested := begin + strings.Repeat("<e:A><e:p>", 249) + "1" + strings.Repeat("</e:p></e:A>", 249) + "</rdf:RDF>"
	if quads, err := rdftest.Parse(nested, rdf.RDFXML, rdf.Options{}); err != nil || len(quads) != 2*249 {
		t.Errorf("deepest: %d triples, %.200v", len(quads), err)
	}
}
