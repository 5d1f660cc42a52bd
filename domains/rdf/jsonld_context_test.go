package rdf_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// documents answer for contexts, and note what they were asked for.
type documents struct {
	texts map[string]string // IRI → text
	asked []string
}

func (d *documents) context(iri string) ([]byte, error) {
	d.asked = append(d.asked, iri)
	if text, ok := d.texts[iri]; ok {
		return []byte(text), nil
	}
	return nil, errors.New("no such document")
}

// Contexts that are not in the text are asked of Options.Context, each once, resolved.
func TestJSONLDContextDocuments(t *testing.T) {
	d := &documents{texts: map[string]string{
		"http://c/dir/all":   `{"@context": ["one", "/two", {"p": {"@id": "http://e/p", "@context": "../scoped"}}]}`,
		"http://c/dir/one":   "\uFEFF" + `{"@context": {"@base": "http://ignored/", "one": "http://e/one"}}`,
		"http://c/two":       `{"@context": {"@version": 1.1, "@import": "three", "q": "http://e/q2"}}`,
		"http://c/three":     `{"@context": {"q": "http://e/q3", "r": "http://e/r"}}`,
		"http://c/scoped":    `{"@context": {"one": "http://e/inner"}}`,
		"http://b/beside":    `{"@context": {"s": "http://e/s"}}`,
		"http://c/recursive": `{"@context": {"p": {"@id": "http://e/p", "@context": "recursive"}}}`,
	}}
	for _, c := range []struct{ name, in, want string }{
		{"one that names others", `{"@context": "http://c/dir/all", "@id": "http://e/a", "one": 1, "q": 2, "r": 3, "p": {"one": 4}}`, `:a :one 1 ; :q2 2 ; :r 3 ; :p [ :inner 4 ] .`},
		{"used twice, with an import", `[{"@context": "http://c/two", "q": 1}, {"@context": ["http://c/two", {"q": "http://e/x"}], "q": 2}, {"@context": "http://c/two", "q": 3}]`, `[] :q2 1 . [] :x 2 . [] :q2 3 .`},
		{"relative to the base", `{"@context": "beside", "@id": "x", "s": 1}`, `<http://b/x> :s 1 .`},
		{"a scoped context that names itself", `{"@context": "http://c/recursive", "p": {"p": {"p": {}}}}`, `[] :p [ :p [ :p [] ] ] .`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d.asked = nil
			got := rdftest.ReadString(t, c.in, rdf.JSONLD, rdf.Options{Base: "http://b/doc", Context: d.context})
			want := rdftest.ReadString(t, `@prefix : <http://e/> .`+c.want, rdf.Turtle, rdf.Options{})
			if diff := rdftest.Diff(want, got); diff != "" {
				t.Errorf("another graph (-want +got):\n%s", diff)
			}
			seen := map[string]bool{}
			for _, iri := range d.asked {
				if seen[iri] {
					t.Errorf("asked for %s again: %v", iri, d.asked)
				}
				seen[iri] = true
			}
		})
	}
}

// What is wrong with a context document is said where the text names it.
func TestJSONLDContextErrors(t *testing.T) {
	d := &documents{texts: map[string]string{
		"http://c/syntax": "{\n  \"@context\": }",
		"http://c/html":   `["<html>"]`,
		"http://c/other":  `{"name": "x"}`,
		"http://c/self":   `{"@context": ["self"]}`,
		"http://c/a":      `{"@context": "b"}`,
		"http://c/b":      `{"@context": {"@import": "a"}}`,
		"http://c/gap":    `{"@context": "http://c/missing"}`,
		"http://c/deep":   `{"@context": ` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`,
		"http://c/wrong":  `{"@context": {"p": 1}}`,
	}}
	for i := range 100 {
		d.texts[fmt.Sprintf("http://c/chain%d", i)] = fmt.Sprintf(`{"@context": "chain%d"}`, i+1)
	}
	for name, want := range map[string]string{
		"http://c/syntax":  `a.jsonld:2:15: the document of the context "http://c/syntax" can't be read, 2:15: not JSON: invalid character '}'`,
		"http://c/html":    `a.jsonld:2:15: the document of the context "http://c/html" is an array without "@context": is it the right file?`,
		"http://c/other":   `a.jsonld:2:15: the document of the context "http://c/other" is an object without "@context"`,
		"http://c/self":    `a.jsonld:2:15: the context "http://c/self" includes itself, by way of "http://c/self"`,
		"http://c/a":       `a.jsonld:2:15: the context "http://c/a" includes itself, by way of "http://c/b"`,
		"http://c/gap":     `a.jsonld:2:15: the context "http://c/missing" is not in the text, and nothing is fetched (no such document): put its document as a file`,
		"http://c/deep":    `a.jsonld:2:15: the document of the context "http://c/deep" can't be read, 1:513: arrays and objects are nested more than 500 deep`,
		"http://c/wrong":   `a.jsonld:2:3: invalid term definition: 1`,
		"http://c/chain0":  `a.jsonld:2:15: more than 32 context documents name each other`,
		"relative":         `a.jsonld:2:15: the context "http://b/relative" is not in the text`,
		"http://c/missing": `a.jsonld:2:15: the context "http://c/missing" is not in the text, and nothing is fetched (no such document): put its document as a file into the domain's folder and name it for this IRI in catalog-v001.xml`,
	} {
		_, err := rdftest.Parse("{\n  \"@context\": \""+name+"\",\n  \"p\": 1\n}", rdf.JSONLD, rdf.Options{File: "a.jsonld", Base: "http://b/doc", Context: d.context})
		var syntax *rdf.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, expected %s", name, err, want)
		}
	}
}

// Nothing is ever fetched, however a document asks for it.
func TestJSONLDFetchesNothing(t *testing.T) {
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		fmt.Fprint(w, `{"@context": {"@vocab": "http://e/"}}`)
	}))
	defer server.Close()
	url := server.URL + "/context.jsonld"
	inputs := []string{
		`"%s"`, `["%s"]`, `{"@context": "%s"}`, `{"@context": ["%s", {}]}`, `{"@context": {"@import": "%s"}}`, `{"@context": {"@context": "%s"}}`,
		`{"@context": {"p": {"@id": "http://e/p", "@context": "%s"}}, "p": {"q": 1}}`,
		`{"@context": {"T": {"@id": "http://e/T", "@context": ["%s"]}}, "@type": "T", "q": 1}`,
		`{"http://e/p": {"@list": [{"@context": "%s", "q": 1}]}}`,
		`{"@included": [{"@context": "%s", "q": 1}]}`, `{"@graph": [{"@context": "%s", "q": 1}]}`,
	}
	for _, o := range []rdf.Options{
		{}, {Base: server.URL + "/"},
		{Context: func(string) ([]byte, error) { return nil, errors.New("not here") }},
		{Context: func(string) ([]byte, error) { return []byte(`{"@context": "` + url + `2"}`), nil }},
	} {
		for _, in := range inputs {
			in = fmt.Sprintf(in, url)
			_, err := rdftest.Parse(in, rdf.JSONLD, o)
			if syntax := (*rdf.SyntaxError)(nil); !errors.As(err, &syntax) {
				t.Errorf("%s: the error is %v, expected a SyntaxError", in, err)
			}
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests, expected none", n)
	}
}

// What is too much is refused, with the place.
func TestJSONLDLimits(t *testing.T) {
	var chain strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&chain, `"t%d": "t%d:x", `, i, i+1)
	}
	long := strings.Repeat("x", 1100)
	for _, c := range []struct{ name, in, want string }{
		{"arrays", strings.Repeat("[", 501), `1:501: arrays and objects are nested more than 500 deep`},
		{"objects", strings.Repeat(`{"@graph": `, 501), `1:5501: arrays and objects are nested`},
		{"contexts", `{"@context": [` + strings.Repeat("null,", 100_000) + `null]}`, `1:2: a context of 100001 contexts, at most 500`},
		{"terms", `{"@context": {` + chain.String() + `"t1000": "http://e/"}}`, `1:15: the term "t0" is defined by way of more than 64 others`},
		{"contexts in contexts", `{"@context": {` + manyTerms(2000) + `}, "@graph": [` + strings.Repeat(`{"@context": {"a": "http://e/"}},`, 20_000) + `{}]}`, `1:2: the document has too many contexts inside contexts`},
		{"prefix", `{"@context": {"a": "http://e/` + strings.Repeat("x", rdf.MaxNamespace) + `"}}`, `1:15: the context gives "a" an IRI of 2057 bytes, and at most 2048`},
		{"prefixes of prefixes", `{"@context": [{"a": "http://e/` + long + `"}, {"b": "a:` + long + `"}, {"c": {"@id": "b:x"}}]}`, `1:1136: the context gives "b" an IRI of `},
		{"text", `{"@id": "` + strings.Repeat("x", rdf.MaxToken) + `"}`, `1:9: this text is longer than 16 MiB`},
		{"document", strings.Repeat(" ", rdf.MaxJSONLD) + "{}", `1:1: the document has more than 64 MiB, and a JSON-LD document has to be held in memory as a whole: convert it to N-Triples or Turtle`},
		{"UTF-16", "\xFF\xFE{\x00}\x00", `1:1: the text is UTF-16`},
		{"Latin-1", "{\n\"é\": \"\xE9\"}", `2:7: the byte 0xE9 is not UTF-8 here`},
	} {
		_, err := rdftest.Parse(c.in, rdf.JSONLD, rdf.Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: the error is %.300v, expected %s", c.name, err, c.want)
		}
	}
}

// The deepest document is read, and the widest context.
func TestJSONLDWithinLimits(t *testing.T) {
	const depth = 480
	in := `{"@id": "_:x", "http://e/p": ` + strings.Repeat(`{"http://e/p": `, depth) + "1" + strings.Repeat("}", depth) + "}"
	if got := rdftest.ReadString(t, in, rdf.JSONLD, rdf.Options{}); len(got) != depth+1 {
		t.Errorf("%d quads, expected %d", len(got), depth+1)
	}
	lists := `{"http://e/p": ` + strings.Repeat(`{"@list": [`, 240) + strings.Repeat("]}", 240) + "}"
	if got := rdftest.ReadString(t, lists, rdf.JSONLD, rdf.Options{}); len(got) != 2*239+1 {
		t.Errorf("%d quads, expected %d", len(got), 2*239+1)
	}
}

// An error of emit ends the reading, and one of the reader is told.
func TestJSONLDErrorsOfOthers(t *testing.T) {
	stop := errors.New("enough")
	n := 0
	err := rdf.Read(strings.NewReader(`{"http://e/p": [1, 2, 3]}`), rdf.JSONLD, rdf.Options{}, func(rdf.Quad) error {
		if n++; n == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || n != 2 {
		t.Errorf("after %d quads the error is %v, expected %v after 2", n, err, stop)
	}
	_, err = rdftest.Parse(`{}`, rdf.JSONLD, rdf.Options{File: "a.jsonld", Base: "relative"})
	if diff := cmp.Diff(`reading a.jsonld: the base "relative" is not an absolute IRI`, fmt.Sprint(err)); diff != "" {
		t.Errorf("the error (-want +got):\n%s", diff)
	}
}

// manyTerms are the members of a context of n terms.
func manyTerms(n int) string {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = fmt.Sprintf(`"t%d": "http://e/%d"`, i, i)
	}
	return strings.Join(terms, ", ")
}

// json-gold's loaders fetch, and its default options have one: nothing here makes either.
func TestJSONLDTakesNoLoaderOfJSONGold(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	uses := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		uses += strings.Count(string(text), "ld.JsonLdOptions{")
		for _, fetching := range []string{"ld.NewDefault", "ld.NewCaching", "ld.NewRFC", "ld.NewJsonLdOptions", "DocumentLoader{", "ld.NewContext(nil, nil)"} {
			if strings.Contains(string(text), fetching) {
				t.Errorf("%s uses %s, which may fetch", file, fetching)
			}
		}
	}
	if uses != 1 {
		t.Errorf("options for json-gold are made in %d places, expected one, with our loader", uses)
	}
}
