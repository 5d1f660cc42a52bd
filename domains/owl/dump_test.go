package owl_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

var kindNames = map[domains.PropertyKind]string{
	domains.DataProperty: "data", domains.ObjectProperty: "object",
	domains.AnnotationProperty: "annotation", domains.MixedProperty: "mixed",
}

// model writes an ontology line by line.
func model(o *domains.Ontology) string {
	var b strings.Builder
	if o.IRI != "" {
		fmt.Fprintf(&b, "ontology <%s>\n", o.IRI)
	}
	for _, c := range o.Classes {
		fmt.Fprintf(&b, "class <%s>%s\n", c.IRI, flags("undeclared", !c.Declared, "deprecated", c.Deprecated))
		writeTexts(&b, "label", c.Labels)
		writeTexts(&b, "synonym", c.Synonyms)
		writeTexts(&b, "comment", c.Comments)
		writeIRIs(&b, "super", c.Supers)
	}
	for _, p := range o.Properties {
		fmt.Fprintf(&b, "%s property <%s>%s\n", kindNames[p.Kind], p.IRI, flags("undeclared", !p.Declared, "deprecated", p.Deprecated,
			"functional", p.Functional, "inverse-functional", p.InverseFunctional))
		writeTexts(&b, "label", p.Labels)
		writeTexts(&b, "comment", p.Comments)
		writeIRIs(&b, "domain", p.Domains)
		writeIRIs(&b, "range", p.Ranges)
		writeIRIs(&b, "super", p.Supers)
		writeIRIs(&b, "inverse", p.Inverses)
		for _, c := range p.Cardinalities {
			upper := "*"
			if c.Max >= 0 {
				upper = fmt.Sprint(c.Max)
			}
			fmt.Fprintf(&b, "  %d..%s on <%s>\n", c.Min, upper, c.Class)
		}
	}
	for _, scheme := range o.Schemes {
		fmt.Fprintf(&b, "scheme <%s> of %d\n", scheme.IRI, scheme.Concepts)
		writeTexts(&b, "label", scheme.Labels)
		for _, c := range scheme.Top {
			writeIRIs(&b, "top", []string{c.IRI})
			writeTexts(&b, "  label", c.Labels)
		}
	}
	return b.String()
}

// flags takes names and whether each is set.
func flags(pairs ...any) string {
	s := ""
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			s += " " + pairs[i].(string)
		}
	}
	return s
}

func writeTexts(b *strings.Builder, what string, texts []domains.Text) {
	for _, t := range texts {
		fmt.Fprintf(b, "  %s %q", what, t.Value)
		if t.Lang != "" {
			b.WriteString("@" + t.Lang)
		}
		b.WriteByte('\n')
	}
}

func writeIRIs(b *strings.Builder, what string, iris []string) {
	for _, iri := range iris {
		fmt.Fprintf(b, "  %s <%s>\n", what, iri)
	}
}

// entities lists the subjects that are not schema terms.
func entities(g *store.Snapshot, terms owl.Terms) string {
	var lines []string
	for tr := range g.Match(rdf.Term{}, rdf.Term{}, rdf.Term{}) {
		if line := show(tr.Subject) + "\n"; !terms[tr.Subject] && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// subjects lists the subjects of an ontology's triples, each run of one once.
func subjects(o *domains.Ontology) string {
	var lines []string
	for tr := range o.Triples {
		if line := show(tr.Subject) + "\n"; len(lines) == 0 || lines[len(lines)-1] != line {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func show(t rdf.Term) string {
	if t.Kind == rdf.Blank {
		return "_:" + t.Value
	}
	return "<" + t.Value + ">"
}
