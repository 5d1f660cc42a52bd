package rdfgraph_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestLabelsOfManyNodes holds that a label is the best in its language of all label
// properties, the first of equals, for more nodes than are read at once.
func TestLabelsOfManyNodes(t *testing.T) {
	const n, title = 1_300, big + "title"
	b := store.NewBuilder()
	add := func(s, p string, o rdf.Term) {
		b.Add(rdf.Triple{Subject: rdf.NewIRI(s), Predicate: rdf.NewIRI(p), Object: o})
	}
	tagged := func(text, lang string) rdf.Term { return rdf.Term{Kind: rdf.Literal, Value: text, Lang: lang} }
	iris, english, french := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		s := fmt.Sprintf("%sn%04d", big, i)
		add(s, rdf.RDFType, rdf.NewIRI(big+"Thing"))
		text := func(of string) string { return fmt.Sprint(of, i) }
		iris[i] = s
		switch i % 5 {
		case 0:
			add(s, title, tagged(text("titre "), "fr"))
			add(s, rdf.RDFSLabel, tagged(text("label "), "en"))
			english[i], french[i] = text("label "), text("titre ")
		case 1:
			add(s, rdf.RDFSLabel, rdf.NewString(text("label ")))
			english[i], french[i] = text("label "), text("label ")
		case 2: // entities as labels, more than are read at once, do not hide a text
			for j := range 600 {
				add(s, title, rdf.NewIRI(fmt.Sprint(big, "name", j)))
			}
			add(s, title, rdf.NewString(text("title ")))
			english[i], french[i] = text("title "), text("title ")
		case 3:
			add(s, title, rdf.NewString(" "))
			add(s, title, tagged(text("title "), "en"))
			add(s, rdf.RDFSLabel, tagged(text("label "), "en"))
			english[i], french[i] = text("title "), text("title ")
		}
	}
	_, c := rdfgraph.NewColumns(b.Build(), nil, []string{title})
	nodes := must(t, c.Nodes)(iris)
	nodes[7] = 0
	english[7], french[7] = "", ""
	for lang, want := range map[string][]string{"en": english, "fr": french} {
		got, err := c.Labels(t.Context(), nodes, []string{lang})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("labels in %s (-want +got):\n%s", lang, diff)
		}
	}
}
