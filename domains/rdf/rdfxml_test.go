package rdf_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
)

// beginXML is the first tag of the documents here.
const beginXML = `<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:e="http://e/">`

// Entities end at a limit wherever they stand, also when many attributes of one tag share them.
func TestEntitiesEndAtALimit(t *testing.T) {
	doctype := `<!DOCTYPE a [<!ENTITY a "` + strings.Repeat("x", rdf.MaxNamespace) + `">]>`
	references := strings.Repeat("&a;", rdf.MaxToken/rdf.MaxNamespace/8+1)
	var shared strings.Builder
	for i := range 9 {
		fmt.Fprintf(&shared, ` e:p%d="%s"`, i, references)
	}
	for name, text := range map[string]string{
		"one value":   `<e:A e:p="` + strings.Repeat(references, 9) + `"/>`,
		"many values": `<e:A` + shared.String() + `/>`,
		"namespaces":  `<e:A xmlns:n="` + strings.Repeat(references, 9) + `"/>`,
		"text":        `<e:A><e:p>` + strings.Repeat(references, 9) + `</e:p></e:A>`,
	} {
		_, err := rdftest.Parse(doctype+beginXML+text+`</rdf:RDF>`, rdf.RDFXML, rdf.Options{})
		var syntax *rdf.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), "16 MiB") {
			t.Errorf("%s: %.200v, expected the limit", name, err)
		}
	}
	// What one tag took is not counted against the next.
	apart := strings.Repeat(`<e:A e:p="`+references+`"/>`, 9)
	if quads, err := rdftest.Parse(doctype+beginXML+apart+`</rdf:RDF>`, rdf.RDFXML, rdf.Options{}); err != nil || len(quads) != 18 {
		t.Errorf("in tags of their own: %d triples, %.200v", len(quads), err)
	}
}

// A document of nothing but document types takes no stack: it ends at the second.
func TestManyDocumentTypes(t *testing.T) {
	source := &repeated{text: "<!DOCTYPE>", left: 1 << 30}
	err := rdf.Read(source, rdf.RDFXML, rdf.Options{}, func(rdf.Quad) error { return nil })
	var syntax *rdf.SyntaxError
	if !errors.As(err, &syntax) || syntax.Column != len("<!DOCTYPE>")+1 {
		t.Errorf("%v, expected an error at the second", err)
	}
	if read := 1<<30 - source.left; read > 1<<20 {
		t.Errorf("%d bytes were read", read)
	}
}

// An entity is what XML 1.0 §4.4 and its appendix D make of its value.
func TestCharactersInEntities(t *testing.T) {
	for value, want := range map[string]string{
		`a&#38;#38;b`:   "a&b",
		`a&#38;amp;b`:   "a&b",
		`&#38;#60;`:     "<",
		`&#233;`:        "é",
		`&x;&#38;#x9;.`: "in\t.",
	} {
		text := `<!DOCTYPE a [<!ENTITY x "in"><!ENTITY it "` + value + `">]>` + beginXML + `<e:A><e:p>&it;</e:p></e:A></rdf:RDF>`
		quads, err := rdftest.Parse(text, rdf.RDFXML, rdf.Options{})
		if err != nil || len(quads) != 2 || quads[1].Object.Value != want {
			t.Errorf("%s: %v, %v, expected %q", value, quads, err, want)
		}
	}
}

// Canonical XML has one space after the target of an instruction, whatever was written.
func TestInstructionsInLiterals(t *testing.T) {
	for written, want := range map[string]string{"<?t\n d?>": "<?t d?>", "<?t\td e?>": "<?t d e?>", "<?t  ?>": "<?t?>", "<?t?>": "<?t?>"} {
		text := beginXML + `<e:A><e:p rdf:parseType="Literal">` + written + `</e:p></e:A></rdf:RDF>`
		quads, err := rdftest.Parse(text, rdf.RDFXML, rdf.Options{})
		if err != nil || len(quads) != 2 || quads[1].Object.Value != want {
			t.Errorf("%q: %v, %v, expected %q", written, quads, err, want)
		}
	}
}

// Wherever a source breaks, its own error is told, and no fault of the text.
func TestBrokenSourcesOfXML(t *testing.T) {
	gone := errors.New("the disk is gone")
	text := `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "in"><!-- c --> <?p q?>]><!-- c -->` + beginXML +
		`<e:A rdf:about="http://e/&x;"><e:p xml:lang='en'>t &x; &#233;<![CDATA[ ]] ]]></e:p><?p q?><e:q rdf:parseType="Literal"><b>é</b></e:q></e:A></rdf:RDF>`
	for n := range len(text) {
		source := io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(gone))
		err := rdf.Read(source, rdf.RDFXML, rdf.Options{}, func(rdf.Quad) error { return nil })
		if !errors.Is(err, gone) {
			t.Errorf("broken after %q: %v", text[:n], err)
		}
	}
}

// RDF/XML is the same however many goroutines read it.
func TestRDFXMLInParallel(t *testing.T) {
	var text strings.Builder
	text.WriteString(beginXML)
	for i := range 5_000 {
		fmt.Fprintf(&text, "<e:A rdf:about='http://e/%d'><e:p><e:B e:q='%d'/></e:p></e:A>\n", i%977, i)
	}
	for name, end := range map[string]string{"good": "</rdf:RDF>", "with a mistake": "</oops>"} {
		o := rdf.Options{File: "a.rdf", BlankPrefix: "f1_"}
		want, wantErr := inSequence(strings.NewReader(text.String()+end), rdf.RDFXML, o)
		for _, workers := range []int{2, 5} {
			var got collector
			err := rdf.ReadParallel(strings.NewReader(text.String()+end), rdf.RDFXML, o, workers, got.emitter)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || !slices.Equal(want, got.sorted()) || len(want) != 20_000 {
				t.Errorf("%s, %d workers: %d triples, %v, expected %d, %v", name, workers, len(got.said), err, len(want), wantErr)
			}
		}
	}
}

// BenchmarkReadRDFXMLFiles reads the ontologies of FIBO and GO.
func BenchmarkReadRDFXMLFiles(b *testing.B) {
	folder := domaintest.Shared(b, "data", "ontologies")
	var texts []string
	for _, pattern := range []string{"fibo/*.rdf", "go/*.owl"} {
		files, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			b.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			texts = append(texts, string(text))
		}
	}
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range texts {
			o := rdf.Options{Base: "http://base.example/file"}
			if err := rdf.Read(strings.NewReader(text), rdf.RDFXML, o, func(rdf.Quad) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
	}
}
