package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// runTurtle loads one graph from N-Triples and from Turtle.
func runTurtle(ctx context.Context, b *bench) ([]result, error) {
	size := b.middle()
	nt, err := b.ntriples(size)
	if err != nil {
		return nil, err
	}
	ttl, err := b.turtle(size)
	if err != nil {
		return nil, err
	}
	lines := result{Row: "turtle", Case: "N-Triples", Triples: size, Unit: "s"}
	grouped := result{Row: "turtle", Case: "Turtle", Triples: size, Unit: "s", Baseline: lines.Case}
	for r, path := range map[*result]string{&lines: nt, &grouped: ttl} {
		if err := b.load(ctx, r, task{Do: "load", Dir: domainsOf(path)}); err != nil {
			return nil, err
		}
	}
	return []result{lines, grouped}, nil
}

// turtle is the file of a generated graph in Turtle, as ntriples has it.
func (b *bench) turtle(n int) (string, error) {
	return b.file(fmt.Sprintf("ttl-%d/%s/graph.ttl", n, bigDomain), func(w io.Writer) error { return writeTurtle(n, "", "", w) })
}

// turtlePrefixes are the prefixes of the file, the longer namespaces first.
var turtlePrefixes = []rdf.Prefix{
	{Name: "c", IRI: domaintest.Big + "Customer/"}, {Name: "l", IRI: domaintest.Big + "Call/"}, {Name: "t", IRI: domaintest.Big + "Town/"},
	{Name: "", IRI: domaintest.Big}, {Name: "rdfs", IRI: rdf.RDFS}, {Name: "owl", IRI: rdf.OWL}, {Name: "xsd", IRI: rdf.XSD},
}

// writeTurtle writes a generated graph, what is said of a subject in a row as one
// statement; begin and end are put around all statements.
func writeTurtle(n int, begin, end string, w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, p := range turtlePrefixes {
		fmt.Fprintf(b, "@prefix %s: <%s> .\n", p.Name, p.IRI)
	}
	b.WriteString(begin)
	subject := ""
	for t := range domaintest.Generated(n) {
		switch {
		case t.Subject.Value == subject:
			b.WriteString(" ;\n    ")
		case subject != "":
			b.WriteString(" .\n")
			fallthrough
		default:
			subject = t.Subject.Value
			b.WriteString(turtleTerm(t.Subject) + " ")
		}
		predicate := turtleTerm(t.Predicate)
		if t.Predicate.Value == rdf.RDFType {
			predicate = "a"
		}
		b.WriteString(predicate + " " + turtleTerm(t.Object))
	}
	b.WriteString(" .\n" + end)
	return b.Flush() // the first error of all writes
}

func turtleTerm(t rdf.Term) string {
	switch {
	case t.Kind == rdf.Literal && t.Datatype == rdf.XSDInteger:
		return t.Value
	case t.Kind != rdf.IRI:
		return t.String()
	}
	for _, p := range turtlePrefixes {
		if local, ok := strings.CutPrefix(t.Value, p.IRI); ok && !strings.Contains(local, "/") {
			return p.Name + ":" + local
		}
	}
	return t.String()
}
