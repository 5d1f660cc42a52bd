package rdf

import (
	"fmt"
	"io"
)

// Limits of Read. A file that goes beyond one is refused with the place.
const (
	// MaxDepth is the deepest nesting: of "[", "(", "{|", triple terms and reified
	// triples in Turtle and its relatives, of elements and of arrays and objects elsewhere.
	MaxDepth = 500
	// MaxToken is the size in bytes of the longest literal, IRI or name, as it
	// is written.
	MaxToken = 16 << 20
	// MaxNamespace is the size in bytes of the longest IRI of a prefix or a base,
	// resolved. Every short name repeats it, so that a long one would make memory
	// of thousands of times the file's size.
	MaxNamespace = 2 << 10
)

// Options say how to read. The zero Options reads a file that has no name and no
// base.
type Options struct {
	// File is the file's name in errors.
	File string
	// Base is the absolute IRI against which relative IRIs are resolved until the
	// file declares its own; where both are missing, a relative IRI is an error.
	// N-Triples and N-Quads have no relative IRIs.
	Base string
	// BlankPrefix is put before the label of every blank node, so that files do
	// not share them. No file's prefix may begin another's: "f1_" and "f11_" are
	// right, "f1" and "f11" are not.
	BlankPrefix string
	// Context returns the JSON-LD context document for an IRI, as it is in the text or,
	// where it was relative, resolved against Base. Nothing is ever fetched: where it is
	// nil, or returns an error, a context that is not in the text is an error.
	Context func(iri string) ([]byte, error)
	// Prefix is told every prefix declaration, in the order of the file, with its
	// IRI resolved. It may be nil.
	Prefix func(Prefix)
}

// SyntaxError says where a file breaks the rules of its syntax.
type SyntaxError struct {
	// File is Options.File.
	File string
	// Line and Column count from 1, columns in code points.
	Line, Column int
	// Message says what was found and what was expected and, where that helps,
	// what to do. Text from the file is quoted, with control and other
	// invisible characters escaped.
	Message string
}

// Error is the error as file:line:column: message.
func (e *SyntaxError) Error() string {
	if e.File == "" {
		return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Read reads r to its end and calls emit with each quad, in the order of the
// file. What was emitted before an error stands.
//
// Errors: a *SyntaxError for what the file does wrong; emit's error, as it is, which
// ends the reading; r's error, wrapped with the file's name.
//
// The text is UTF-8, with or without byte-order mark. Memory is bounded by MaxToken,
// MaxNamespace and the number of prefixes, not by the size of the file, except for JSON-LD,
// which is held in memory and has at most MaxJSONLD bytes, and for the names of rdf:ID in
// RDF/XML, which must not come twice. No term is more than MaxNamespace longer than what is
// written for it, for each entity of a document type that is in it. IRIs are taken as they are
// written, except that relative ones are resolved (RFC 3986 §5.2, strict) and escapes
// are replaced; percent-encoding is never touched.
//
// Blank nodes keep their labels after BlankPrefix. Those that have none get g1, g2 and
// so on; a label that is written like these in Turtle gets a "_" after the g, which keeps all
// labels distinct.
func Read(r io.Reader, f Format, o Options, emit func(Quad) error) error {
	document, err := o.reader(input{r: r, file: o.File}, f, func(q *Quad) error { return emit(*q) })
	if err != nil {
		return err
	}
	return document()
}

// reader returns what reads a text of a format, which is given to emit.
func (o Options) reader(in input, f Format, emit func(*Quad) error) (document func() error, err error) {
	shared := newReader(in, f, o, emit)
	switch {
	case o.Base == "" || f == NTriples || f == NQuads:
	case schemeLen(o.Base) == 0:
		return nil, fmt.Errorf("reading %s: the base %q is not an absolute IRI", shared.title(), o.Base)
	case len(o.Base) > MaxNamespace:
		return nil, fmt.Errorf("reading %s: the base has %d bytes, and at most %d can be read: give a shorter one", shared.title(), len(o.Base), MaxNamespace)
	}
	switch f {
	case NTriples, NQuads:
		shared.lines = true
		return (&nQuads{shared}).read, nil
	case Turtle, TriG:
		shared.generates = true
		t := &turtle{reader: shared, prefixes: make(map[string]string), names: newCache(), relative: newCache()}
		if o.Base != "" {
			t.base, t.hasBase = splitIRI(o.Base), true
		}
		return t.read, nil
	case RDFXML:
		shared.generates = true
		return (&rdfXML{xmlScanner: xmlScanner{reader: shared}, ids: make(map[string]bool)}).read, nil
	case JSONLD:
		return newJSONLD(shared).read, nil
	}
	return nil, fmt.Errorf("reading %s: there is no reader for %s", shared.title(), f)
}
