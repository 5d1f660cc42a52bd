// Package rdf has the terms and statements of RDF, and readers and writers of
// its syntaxes.
//
// [Read] reads Turtle, TriG, N-Triples, N-Quads and RDF/XML as a stream: it hands over one
// [Quad] at a time and keeps nothing but a buffer, the prefixes and the statement it is in;
// a JSON-LD document is read as a whole. Its errors are [SyntaxError]s that say, for a person, what was found where and what
// was expected. [Statements] writes Turtle for people: everything said of one
// subject in one text.
//
// The syntaxes are those of RDF 1.2, which hold those of RDF 1.1: Turtle
// (https://www.w3.org/TR/rdf12-turtle/), TriG (https://www.w3.org/TR/rdf12-trig/), N-Triples
// (https://www.w3.org/TR/rdf12-n-triples/), N-Quads (https://www.w3.org/TR/rdf12-n-quads/) and
// RDF/XML (https://www.w3.org/TR/rdf12-xml/); and JSON-LD 1.1
// (https://www.w3.org/TR/json-ld11/). The functions may be called concurrently.
package rdf
