package main

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdf"
)

// bigGraph is the IRI of the one graph of what is generated with graphs.
const bigGraph = domaintest.Big + "graph"

// nquads is the file of a generated graph in N-Quads.
func (b *bench) nquads(n int) (string, error) {
	return b.file(fmt.Sprintf("nq-%d/%s/graph.nq", n, bigDomain), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for t := range domaintest.Generated(n) {
			out.WriteString(strings.TrimSuffix(t.String(), ".") + "<" + bigGraph + "> .\n")
		}
		return out.Flush() // the first error of all writes
	})
}

// trig is the file of a generated graph in TriG.
func (b *bench) trig(n int) (string, error) {
	return b.file(fmt.Sprintf("trig-%d/%s/graph.trig", n, bigDomain), func(w io.Writer) error {
		return writeTurtle(n, "<"+bigGraph+"> {\n", "}\n", w)
	})
}

// jsonld is the file of a generated graph in JSON-LD.
func (b *bench) jsonld(n int) (string, error) {
	return b.file(fmt.Sprintf("jsonld-%d/%s/graph.jsonld", n, bigDomain), func(w io.Writer) error {
		return rdf.Write(w, rdf.JSONLD, rdf.WriteOptions{Prefixes: turtlePrefixes}, func(yield func(rdf.Quad) bool) {
			for t := range domaintest.Generated(n) {
				if !yield(rdf.Quad{Triple: t}) {
					return
				}
			}
		})
	})
}

// rdfxml is the file of a generated graph in RDF/XML, an element for what is said of a subject
// in a row.
func (b *bench) rdfxml(n int) (string, error) {
	return b.file(fmt.Sprintf("rdfxml-%d/%s/graph.rdf", n, bigDomain), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		out.WriteString(`<?xml version="1.0"?>` + "\n<rdf:RDF xmlns:rdf=\"" + rdf.RDF + "\"")
		for _, p := range turtlePrefixes {
			if p.Name != "" {
				out.WriteString("\n    xmlns:" + p.Name + `="` + p.IRI + `"`)
			}
		}
		out.WriteString("\n    xmlns:b=\"" + domaintest.Big + "\">\n")
		subject := ""
		for t := range domaintest.Generated(n) {
			if t.Subject.Value != subject {
				if subject != "" {
					out.WriteString("  </rdf:Description>\n")
				}
				subject = t.Subject.Value
				out.WriteString(`  <rdf:Description rdf:about="` + escaped(subject) + "\">\n")
			}
			writeElement(out, t.Predicate.Value, t.Object)
		}
		out.WriteString("  </rdf:Description>\n</rdf:RDF>\n")
		return out.Flush()
	})
}

// writeElement writes a property with its value.
func writeElement(out *bufio.Writer, property string, value rdf.Term) {
	name := property
	for _, p := range append([]rdf.Prefix{{Name: "rdf", IRI: rdf.RDF}, {Name: "b", IRI: domaintest.Big}}, turtlePrefixes...) {
		if local, ok := strings.CutPrefix(property, p.IRI); ok && p.Name != "" && !strings.ContainsAny(local, "/#") {
			name = p.Name + ":" + local
		}
	}
	out.WriteString("    <" + name)
	switch {
	case value.Kind == rdf.IRI:
		out.WriteString(` rdf:resource="` + escaped(value.Value) + "\"/>\n")
		return
	case value.Lang != "":
		out.WriteString(` xml:lang="` + value.Lang + `"`)
	case value.Datatype != "":
		out.WriteString(` rdf:datatype="` + value.Datatype + `"`)
	}
	out.WriteString(">" + escaped(value.Value) + "</" + name + ">\n")
}

// escaped is a text as it stands in XML.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes all
	return b.String()
}
