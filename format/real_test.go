package format_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/format"
)

// open serves a folder of the shared ontologies as a domain.
func open(t testing.TB, name string) (*domains.Domain, *domains.Ontology) {
	t.Helper()
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", name)})
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.Open(t.Context(), domains.Name(name))
	if err != nil {
		t.Fatal(err)
	}
	o, err := d.Ontology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d, o
}

func frame(d *domains.Domain, tool string) format.Frame {
	return format.Frame{Budget: budgets[tool], Source: format.SourceOf(d), Languages: d.Languages,
		Scope: format.Scope{Tool: tool, Args: "{}", Domain: d.Info.Name, Revision: d.Revision}}
}

var leftOut = regexp.MustCompile(`\((\d[\d,]*) classes left out`)

// A schema that is too large for a model is the first complaint about such
// servers: the first page of schema.org, 1,010 classes, is short, shows the top of
// the tree, says what it left out, and a call that names classes gives those.
func TestBigOntologyFirstPage(t *testing.T) {
	d, o := open(t, "schemaorg")
	text := must(format.OntologySummary(t.Context(), frame(d, "describe_ontology"), d, o, format.OntologyOptions{}))
	if n := utf8.RuneCountInString(text); n > 8000 || n < 4000 {
		t.Errorf("the first page has %d code points, want most of a page of 8,000", n)
	}
	if !leftOut.MatchString(text) {
		t.Errorf("the first page does not say how many classes it leaves out:\n%s", text)
	}
	for _, top := range []string{"• Thing", "• CreativeWork", "• Organization", "• Person", "• Place", "• Product", "• Event"} {
		if !strings.Contains(text, top) {
			t.Errorf("the first page does not show %s", top)
		}
	}
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		t.Error("the first page is not clean UTF-8")
	}
	three := []string{"https://schema.org/Taxon", "https://schema.org/Gene", "https://schema.org/Protein"}
	text = must(format.OntologySummary(t.Context(), frame(d, "describe_ontology"), d, o, format.OntologyOptions{Classes: three}))
	if got := strings.Count(text, "■ "); got != 3 {
		t.Errorf("three classes were named and %d are described:\n%s", got, text)
	}
}

// Following the cursors describes every class once.
func TestBigOntologyWhole(t *testing.T) {
	d, o := open(t, "schemaorg")
	all := pages(t, frame(d, "describe_ontology"), func(f format.Frame) string {
		text := must(format.OntologySummary(t.Context(), f, d, o, format.OntologyOptions{}))
		if n := utf8.RuneCountInString(text); n > f.Budget {
			t.Errorf("a page has %d code points, the budget is %d", n, f.Budget)
		}
		return text
	})
	classes, section := 0, ""
	for _, page := range all {
		lines := strings.Split(page, "\n")
		for i, l := range lines {
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "----") {
				section = l
			}
			if section == "Classes" && strings.HasPrefix(strings.TrimSpace(l), "• ") && !strings.HasSuffix(l, "(continued)") {
				classes++
			}
		}
	}
	if classes != len(o.Classes) {
		t.Errorf("%d pages describe %d classes, the ontology has %d", len(all), classes, len(o.Classes))
	}
}

// Every page of Turtle is Turtle, and together the pages are the ontology.
func TestTurtlePagesAreTheOntology(t *testing.T) {
	d, o := open(t, "schemaorg")
	want := map[string]int{}
	for tr := range o.Triples {
		want[key(tr)]++
	}
	got := map[string]int{}
	f := frame(d, "describe_ontology")
	f.Budget = 150_000 // fewer pages, because each reads the ontology from its start
	for i, page := range pages(t, f, func(f format.Frame) string { return must(format.OntologyTurtle(t.Context(), f, d, o, nil)) }) {
		err := rdf.Read(strings.NewReader(page), rdf.Turtle, rdf.Options{File: "page"}, func(q rdf.Quad) error {
			got[key(q.Triple)]++
			return nil
		})
		if err != nil {
			t.Fatalf("page %d is not Turtle: %v\n%s", i+1, err, page)
		}
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%d times on the pages, %d times in the ontology: %s", got[k], n, k)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d distinct triples on the pages, %d in the ontology", len(got), len(want))
	}
}

// key is a triple in which blank nodes have no names.
func key(t rdf.Triple) string {
	term := func(t rdf.Term) string {
		if t.Kind == rdf.Blank {
			return "[]"
		}
		return fmt.Sprintf("%d %q %s %s", t.Kind, t.Value, t.Datatype, strings.ToLower(t.Lang))
	}
	return term(t.Subject) + " " + term(t.Predicate) + " " + term(t.Object)
}

// A list without paging filled the window of models: a page of list_entity_types
// is at most 4,000 code points, says what is left, and a search makes it smaller.
func TestTypeListIsBounded(t *testing.T) {
	d, o := open(t, "schemaorg")
	st, err := d.Facts.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := frame(d, "list_entity_types")
	whole := format.EntityTypes(f, d, o, st, format.EntityTypesOptions{})
	if n := utf8.RuneCountInString(whole); n > 4000 {
		t.Errorf("the page has %d code points", n)
	}
	if !strings.Contains(whole, "left out: cursor=") {
		t.Errorf("the page does not say how to go on:\n%s", whole)
	}
	lines := map[string]bool{}
	for _, l := range strings.Split(whole, "\n") {
		if strings.HasPrefix(l, "    URI: ") && lines[l] {
			t.Errorf("twice: %s", l)
		}
		lines[l] = true
	}
	some := format.EntityTypes(f, d, o, st, format.EntityTypesOptions{Search: "medical"})
	if len(some) > len(whole)/2 {
		t.Errorf("with a search the answer has %d bytes, without %d", len(some), len(whole))
	}
	if whole != format.EntityTypes(f, d, o, st, format.EntityTypesOptions{}) {
		t.Error("two equal calls give different text")
	}
}
