package catalog_test

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph/catalog"
)

// document is a catalogue of some elements.
func document(inside string) string {
	return `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<catalog prefer="public" xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
` + inside + "\n</catalog>\n"
}

func read(t *testing.T, text string) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Read(strings.NewReader(text), "catalog-v001.xml")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// found tells what a catalogue says of an IRI.
func found(c *catalog.Catalog, iri string) string {
	e, to, ok := c.Lookup(iri)
	if !ok {
		return "nothing"
	}
	return fmt.Sprintf("%d:%d %s", e.Line, e.Column, shown(to))
}

func shown(to catalog.Target) string {
	switch to.Place {
	case catalog.Beside:
		return to.Path
	case catalog.OnDisk:
		return "disk " + to.Path
	}
	return "elsewhere " + to.Text
}

func TestLookup(t *testing.T) {
	const iri = "http://e.org/o"
	for name, c := range map[string]struct{ inside, iri, want string }{
		"uri":                       {`<uri id="x" name="http://e.org/o" uri="./sub/o.rdf"/>`, iri, "3:1 sub/o.rdf"},
		"no namespace":              {`<uri xmlns="" name="http://e.org/o" uri="o.rdf"/>`, iri, "3:1 o.rdf"},
		"another name":              {`<uri name="http://e.org/p" uri="o.rdf"/>`, iri, "nothing"},
		"the first of several":      {`<uri name="http://e.org/o" uri="1"/><uri name="http://e.org/o" uri="2"/>`, iri, "3:1 1"},
		"import with a slash":       {`<uri name="http://e.org/o" uri="o.rdf"/>`, iri + "/", "3:1 o.rdf"},
		"import without a hash":     {`<uri name="http://e.org/o#" uri="o.rdf"/>`, iri, "3:1 o.rdf"},
		"the exact name wins":       {"<uri name='http://e.org/o#' uri='1'/>\n <uri name='http://e.org/o' uri='2'/>", iri, "4:2 2"},
		"columns are code points":   {`<!-- é --><uri name="http://e.org/o" uri="o.rdf"/>`, iri, "3:11 o.rdf"},
		"group with base":           {`<group xml:base="a/"><group xml:base="b/"><uri name="http://e.org/o" uri="o.rdf"/></group></group>`, iri, "3:43 a/b/o.rdf"},
		"group with an empty base":  {`<group xml:base=""><uri name="http://e.org/o" uri="o.rdf"/></group>`, iri, "3:20 o.rdf"},
		"base after a group":        {`<group xml:base="a/"/><uri name="http://e.org/o" uri="o.rdf"/>`, iri, "3:23 o.rdf"},
		"base without a slash":      {`<uri xml:base="a/b" name="http://e.org/o" uri="o.rdf"/>`, iri, "3:1 a/o.rdf"},
		"base that is an address":   {`<uri xml:base="http://e.org/" name="http://e.org/o" uri="o.rdf"/>`, iri, "3:1 elsewhere http://e.org/o.rdf"},
		"address":                   {`<uri name="http://e.org/o" uri="https://mirror.org/o.rdf"/>`, iri, "3:1 elsewhere https://mirror.org/o.rdf"},
		"address without a scheme":  {`<uri name="http://e.org/o" uri="//mirror.org/o.rdf"/>`, iri, "3:1 elsewhere //mirror.org/o.rdf"},
		"file of the disk":          {`<uri name="http://e.org/o" uri="file:/home/jo/o.rdf"/>`, iri, "3:1 disk /home/jo/o.rdf"},
		"file with three slashes":   {`<uri name="http://e.org/o" uri="file:///home/jo/o.rdf"/>`, iri, "3:1 disk /home/jo/o.rdf"},
		"file of a drive":           {`<uri name="http://e.org/o" uri="file:/C:/o.rdf"/>`, iri, "3:1 disk C:/o.rdf"},
		"path of a drive":           {`<uri name="http://e.org/o" uri="C:\jo\o.rdf"/>`, iri, "3:1 disk C:/jo/o.rdf"},
		"file of another machine":   {`<uri name="http://e.org/o" uri="file://server/o.rdf"/>`, iri, "3:1 elsewhere file://server/o.rdf"},
		"absolute path":             {`<uri name="http://e.org/o" uri="/home/o.rdf"/>`, iri, "3:1 disk /home/o.rdf"},
		"out of the folder":         {`<uri name="http://e.org/o" uri="a/../../o.rdf"/>`, iri, "3:1 ../o.rdf"},
		"out of it in code":         {`<uri name="http://e.org/o" uri="%2e%2e/o.rdf"/>`, iri, "3:1 ../o.rdf"},
		"percent is decoded once":   {`<uri name="http://e.org/o" uri="my%20o%2520.rdf"/>`, iri, "3:1 my o%20.rdf"},
		"percent that is no code":   {`<uri name="http://e.org/o" uri="100%.rdf"/>`, iri, "3:1 100%.rdf"},
		"slash in code":             {`<uri name="http://e.org/o" uri="a%2fo.rdf"/>`, iri, "3:1 elsewhere a%2fo.rdf"},
		"fragment":                  {`<uri name="http://e.org/o" uri="o.rdf#o"/>`, iri, "3:1 o.rdf"},
		"prefix":                    {`<rewriteURI uriStartString="http://e.org/" rewritePrefix="a/"/>`, iri + "/p", "3:1 a/o/p"},
		"the longest prefix":        {"<rewriteURI uriStartString='http://e.org/' rewritePrefix='a/'/>\n<rewriteURI uriStartString='http://e.org/o' rewritePrefix='b'/>", iri + "x", "4:1 bx"},
		"a name before prefixes":    {"<rewriteURI uriStartString='http://e.org/' rewritePrefix='a/'/>\n<uri name='http://e.org/o' uri='o.rdf'/>", iri, "4:1 o.rdf"},
		"prefix of an address":      {`<rewriteURI uriStartString="http://e.org/" rewritePrefix="http://m.org/"/>`, iri, "3:1 elsewhere http://m.org/o"},
		"prefix and dots":           {`<rewriteURI uriStartString="http://e.org/" rewritePrefix="a/"/>`, "http://e.org/../../etc", "3:1 ../etc"},
		"what is of no use":         {`<x:y xmlns:x="http://e.org/"><uri name="http://e.org/o" uri="o.rdf"/></x:y><system systemId="http://e.org/o" uri="o.rdf"/>`, iri, "nothing"},
		"document type and comment": {`<!-- <uri name="http://e.org/o" uri="1"/> --><uri name="http://e.org/o" uri="&#x6f;.rdf"/>`, iri, "3:46 o.rdf"},
	} {
		if got := found(read(t, document(c.inside)), c.iri); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestNextCatalogs(t *testing.T) {
	c := read(t, "\ufeff"+document(`<nextCatalog catalog="sub/other.xml"/><group xml:base="b/"><nextCatalog catalog="../x.xml"/></group>`))
	got := ""
	for _, n := range c.Next {
		got += fmt.Sprintf("%d:%d %s\n", n.Line, n.Column, shown(n.Target()))
	}
	if want := "3:1 sub/other.xml\n3:60 x.xml\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestBrokenCatalogs(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", `1:1: the file is empty: a catalogue begins with <catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">`},
		"something else": {"<?xml version='1.0'?>\n<html/>", `2:1: found <html>, expected <catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">: the file is no XML catalogue`},
		"cut off":        {"<catalog>\n<group>", "2:8: not well-formed XML: unexpected EOF"},
		"wrong end":      {"<catalog>\n<group></catalog>", "2:18: not well-formed XML: element <group> closed by </catalog>"},
		"entity":         {`<catalog><uri name="&x;" uri="o"/></catalog>`, "1:24: not well-formed XML: invalid character entity &x;"},
		"too deep":       {"<catalog>" + strings.Repeat("<group>", catalog.MaxDepth), "1:703: elements are nested more than 100 deep"},
	} {
		_, err := catalog.Read(strings.NewReader(c.text), "x/catalog-v001.xml")
		var fault *catalog.Error
		if !errors.As(err, &fault) || err.Error() != "x/catalog-v001.xml:"+c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// An element that says nothing is told with its place, and the others count.
func TestFaultsOfElements(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"uri without name":    {"<catalog>\n é<uri uri='o.rdf'/></catalog>", "2:3: <uri> has no name: write the IRI there, or remove the element"},
		"uri without uri":     {"<catalog>\n<uri name='o'/></catalog>", "2:1: <uri> has no uri: write there where the file is, or remove the element"},
		"prefix without name": {"<catalog><rewriteURI uriStartString='' rewritePrefix='o'/></catalog>", "1:10: <rewriteURI> has no uriStartString: write the IRI there, or remove the element"},
		"next without file":   {"<catalog><nextCatalog/></catalog>", "1:10: <nextCatalog> has no catalog: write there where the file is, or remove the element"},
		"a typo":              {"<catalog><ury name='o' uri='o.rdf'/></catalog>", `1:10: no catalogue has <ury>: write <uri name="IRI" uri="file"/>, or remove the element`},
	} {
		text := strings.Replace(c.text, "</catalog>", "<system systemId='s' uri='o.dtd'/><uri name='http://e.org/good' uri='good.rdf'/></catalog>", 1)
		read, err := catalog.Read(strings.NewReader(text), "x/catalog-v001.xml")
		if err != nil || len(read.Faults) != 1 || read.Faults[0].Error() != "x/catalog-v001.xml:"+c.want {
			t.Errorf("%s: %v %v, want %s", name, err, read.Faults, c.want)
			continue
		}
		if _, to, ok := read.Lookup("http://e.org/good"); !ok || to.Path != "good.rdf" {
			t.Errorf("%s: the good entry is lost", name)
		}
	}
	many, err := catalog.Read(strings.NewReader(document(strings.Repeat("<uri/>", 100))), "c")
	if err != nil || len(many.Faults) != catalog.MostFaults {
		t.Errorf("%d faults, %v", len(many.Faults), err)
	}
}

// TestTooLargeCatalog holds that no more than MaxSize is kept of a file.
func TestTooLargeCatalog(t *testing.T) {
	_, err := catalog.Read(strings.NewReader(document(strings.Repeat(" ", catalog.MaxSize))), "c")
	if err == nil || !strings.Contains(err.Error(), "more than 8 MiB") {
		t.Errorf("%v", err)
	}
}

// TestManyEntriesOfACatalog holds that places are found in one pass over the text, and that
// entries have an end.
func TestManyEntriesOfACatalog(t *testing.T) {
	entry := `<uri name="http://e.org/o" uri="o.rdf"/>`
	c := read(t, document(strings.Repeat(entry, catalog.MaxEntries)))
	last := c.Entries[catalog.MaxEntries-1]
	if want := (catalog.MaxEntries-1)*len(entry) + 1; last.Line != 3 || last.Column != want {
		t.Errorf("the last entry is in %d:%d, want 3:%d", last.Line, last.Column, want)
	}
	_, err := catalog.Read(strings.NewReader(document(strings.Repeat(entry, catalog.MaxEntries+1))), "c")
	if err == nil || !strings.Contains(err.Error(), "more than 100000 entries") {
		t.Errorf("%v", err)
	}
}

// TestRealCatalog reads the catalogue of FIBO.
func TestRealCatalog(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(domaintest.Shared(t, "data", "ontologies", "fibo"), catalog.Name))
	if err != nil {
		t.Fatal(err)
	}
	c := read(t, string(text))
	if len(c.Entries) != strings.Count(string(text), "<uri ") {
		t.Errorf("%d entries, want %d", len(c.Entries), strings.Count(string(text), "<uri "))
	}
	if got, want := found(c, "https://spec.edmcouncil.org/fibo/ontology/BE/AllBE/"), "7:5 BE/AllBE.rdf"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzRead(f *testing.F) {
	for _, inside := range []string{
		`<uri name="http://e.org/o" uri="a/../%2e%2e/o.rdf"/>`,
		`<group xml:base="a/"><rewriteURI uriStartString="http://e.org/" rewritePrefix="..//b%2"/></group>`,
		`<nextCatalog catalog="file:///C:/x"/><uri name="a:" uri=""/>`,
		`<uri xml:base="http://e.org" name="x" uri="/a?b#c"/>`,
	} {
		f.Add(document(inside), "http://e.org/o")
	}
	f.Fuzz(func(t *testing.T, text, iri string) {
		c, err := catalog.Read(strings.NewReader(text), "c")
		if err != nil {
			var fault *catalog.Error
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Column < 1 {
				t.Fatalf("an error without a place: %v", err)
			}
			return
		}
		targets := []catalog.Target{}
		if _, to, ok := c.Lookup(iri); ok {
			targets = append(targets, to)
		}
		for _, e := range append(c.Entries, c.Next...) {
			targets = append(targets, e.Target())
			if _, _, ok := c.Lookup(e.IRI); e.IRI != "" && !ok {
				t.Errorf("the entry of %q is not found", e.IRI)
			}
		}
		for _, to := range targets {
			switch {
			case to.Place == catalog.Elsewhere && to.Path != "",
				to.Place != catalog.Elsewhere && (to.Path == "" || to.Path != path.Clean(to.Path) || strings.Contains(to.Path, "\x00")),
				to.Place == catalog.Beside && path.IsAbs(to.Path):
				t.Errorf("%+v is no target", to)
			}
		}
	})
}
