package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// syntaxes names the syntaxes that can be read: "Turtle, N-Triples or TriG".
func syntaxes(word string) string {
	var names []string
	for _, f := range rdf.Formats() {
		names = append(names, f.String())
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// fileTable is a line for each file of a domain, in columns.
func fileTable(d rdfgraph.DomainReport) string {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range d.FileReports {
		name := f.Path
		if _, outside, is := rdfgraph.OnOntologyPath(f.Path); is {
			name = outside + " (on the ontology path)"
		}
		cells := []string{
			name, f.Syntax.String(), readableSize(f.Bytes), count(f.Statements, "statement"), distinct(f.Classes, "class"),
			distinct(f.Properties, "property"), distinct(f.Individuals, "individual"), fileExtras(f),
		}
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(oneLine(cell), "\t", " ")
		}
		fmt.Fprintln(t, "  "+strings.Join(cells, "\t"))
	}
	t.Flush()
	lines := strings.Split(b.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

// distinct is a number of different things with their noun.
func distinct(d rdfgraph.Distinct, noun string) string {
	text := count(d.N, noun)
	if d.AtLeast {
		text = "at least " + text
	}
	return text
}

// mostShown bounds what the table names of one file; the JSON document has all.
const mostShown = 3

// fileExtras is what only some files have.
func fileExtras(f rdfgraph.FileReport) string {
	var parts []string
	if f.Graphs.N > 0 {
		parts = append(parts, distinct(f.Graphs, "named graph"))
	}
	var languages []string
	for _, l := range f.Languages[:min(len(f.Languages), mostShown)] {
		languages = append(languages, l.IRI+" "+domains.Number(l.Count))
	}
	if more := len(f.Languages) - len(languages); more > 0 {
		languages = append(languages, count(more, "more language"))
	}
	if len(languages) > 0 {
		parts = append(parts, strings.Join(languages, ", "))
	}
	for _, list := range []struct {
		what string
		iris []string
	}{{"ontology", f.Ontologies}, {"version", f.Versions}} {
		shown := strings.Join(list.iris[:min(len(list.iris), mostShown)], ", ")
		if more := len(list.iris) - mostShown; more > 0 {
			shown += fmt.Sprintf(" and %s more", domains.Number(more))
		}
		if shown != "" {
			parts = append(parts, list.what+" "+shown)
		}
	}
	return strings.Join(parts, "; ")
}

// readableSize is a number of bytes as people read it.
func readableSize(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
