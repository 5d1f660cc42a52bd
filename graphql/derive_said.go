package graphql

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// saidOfTerms is what the statements of an ontology say besides classes and properties.
type saidOfTerms struct {
	labels, comments []domains.Text      // of the ontology itself
	replaced         map[string][]string // deprecated term → those to use instead, by IRI
}

// Predicates that are read here. Ontologies describe themselves with Dublin Core.
var (
	ontologyLabels   = []string{rdf.RDFSLabel, "http://purl.org/dc/terms/title", "http://purl.org/dc/elements/1.1/title"}
	ontologyComments = []string{rdf.RDFSComment, "http://purl.org/dc/terms/description", "http://purl.org/dc/elements/1.1/description"}
	replacements     = map[string]bool{
		"https://schema.org/supersededBy": true, "http://schema.org/supersededBy": true,
		"http://purl.org/dc/terms/isReplacedBy": true, "http://purl.obolibrary.org/obo/IAO_0100001": true,
	}
)

// readTerms reads what the ontology says of itself, and of terms that are replaced.
func (b *deriver) readTerms(ctx context.Context) {
	b.said.replaced = map[string][]string{}
	if b.Ontology.Triples == nil {
		return
	}
	labels, comments := make([][]domains.Text, len(ontologyLabels)), make([][]domains.Text, len(ontologyComments))
	n := 0
	for tr := range b.Ontology.Triples {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return
		}
		switch o := tr.Object; {
		case tr.Subject.Kind != rdf.IRI:
		case replacements[tr.Predicate.Value]:
			b.said.replaced[tr.Subject.Value] = append(b.said.replaced[tr.Subject.Value], o.Value)
		case tr.Subject.Value == b.Ontology.IRI && o.Kind == rdf.Literal && strings.TrimSpace(o.Value) != "":
			collectText(labels, ontologyLabels, tr)
			collectText(comments, ontologyComments, tr)
		}
	}
	b.said.labels, b.said.comments = firstText(labels), firstText(comments)
}

func collectText(texts [][]domains.Text, predicates []string, tr rdf.Triple) {
	for i, p := range predicates {
		if tr.Predicate.Value == p {
			texts[i] = append(texts[i], domains.Text{Value: tr.Object.Value, Lang: tr.Object.Lang})
		}
	}
}

// firstText is the first list that holds anything, in an order of its own.
func firstText(lists [][]domains.Text) []domains.Text {
	for _, l := range lists {
		if len(l) > 0 {
			slices.SortFunc(l, func(a, b domains.Text) int { return cmp.Or(cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Value, b.Value)) })
			return l
		}
	}
	return nil
}
