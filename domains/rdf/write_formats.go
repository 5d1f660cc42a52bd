package rdf

import (
	"bufio"
	"fmt"
	"io"
	"iter"
)

// WriteOptions say how to write. The zero WriteOptions writes every IRI in full.
type WriteOptions struct {
	// Prefixes shorten IRIs in the formats that have prefixes; those that are used are
	// declared. Of two with one name the later counts, as when a file is read.
	Prefixes []Prefix
	// Canonical writes N-Quads and N-Triples in the one way that all equal graphs share:
	// blank nodes are named by RDFC-1.0, lines are ordered and each is there once, language
	// tags are in small letters. The other formats have no such form.
	Canonical bool
}

// Write writes quads in a format.
//
// N-Triples and N-Quads are written as the quads come, in constant memory; their blank nodes
// keep their labels. For Turtle, TriG, JSON-LD and canonical text all quads are held in memory.
// Turtle and TriG write subjects in the order in which they first come (see Statements) and the
// default graph before the named graphs; equal quads in equal order give equal text.
//
// Where something needs RDF 1.2, triple terms or base directions, the text announces that
// version; canonical text doesn't.
//
// Errors: an *UnsayableError for a quad that the format can't say; w's error, wrapped. What was
// written before an error stands, so that callers should write to where half a text does no harm.
func Write(w io.Writer, f Format, o WriteOptions, quads iter.Seq[Quad]) error {
	if o.Canonical && f != NTriples && f != NQuads {
		return fmt.Errorf("writing %s: there is no canonical form of it: write N-Quads or N-Triples", f)
	}
	if f == RDFXML {
		return fmt.Errorf("writing %s: it can only be read: write Turtle or another format", f)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch {
	case o.Canonical:
		err = writeCanonicalLines(out, f, quads)
	case f == NTriples || f == NQuads:
		err = writeLines(out, f, quads)
	case f == Turtle:
		err = writeTurtle(out, o, quads)
	case f == TriG:
		err = writeTriG(out, o, quads)
	case f == JSONLD:
		err = writeJSONLD(out, o, quads)
	default:
		return fmt.Errorf("writing %s: there is no such format", f)
	}
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", f, err)
	}
	return nil
}

// writeLines writes a quad a line, after the version that the first one that needs it needs:
// the directive may be any line (RDF 1.2 N-Triples §2.5).
func writeLines(out *bufio.Writer, f Format, quads iter.Seq[Quad]) error {
	terms := termWriter{blank: writtenLabel}
	announced := false
	for q := range quads {
		if err := sayable(f, q); err != nil {
			return err
		}
		if !announced && isNew(q.Object) {
			announced = true
			out.WriteString("VERSION \"1.2\"\n")
		}
		if _, err := out.WriteString(terms.line(q)); err != nil {
			return fmt.Errorf("writing %s: %w", f, err)
		}
	}
	return nil
}

// line is a quad as a line of N-Quads.
func (w *termWriter) line(q Quad) string {
	graph := ""
	if !q.Graph.IsZero() {
		graph = w.term(q.Graph) + " "
	}
	return w.term(q.Subject) + " " + w.term(q.Predicate) + " " + w.term(q.Object) + " " + graph + ".\n"
}

// isNew reports whether an object needs RDF 1.2.
func isNew(t Term) bool { return t.Kind == TripleTerm || t.Dir != "" }
