// Package rdf has the terms and statements of RDF, and readers and writers of
// its syntaxes.
//
// [Read] reads Turtle, TriG, N-Triples and N-Quads as a stream: it hands over one [Quad] at a
// time and keeps nothing but a buffer, the prefixes and the statement it is in. Its
// errors are [SyntaxError]s that say, for a person, what was found where and what
// was expected. [Statements] writes Turtle for people: everything said of one
// subject in one text.
//
// The syntaxes are those of RDF 1.1: Turtle (https://www.w3.org/TR/turtle/) and
// N-Triples (https://www.w3.org/TR/n-triples/). The package imports nothing but
// the standard library, and its functions may be called concurrently.
package rdf
