package rdf

import "io"

// ReadBlocks is ReadParallel for N-Triples or N-Quads with blocks of a size.
func ReadBlocks(r io.Reader, f Format, o Options, workers, size int, emitter func() func(*Quad) error) error {
	b := newBlocks(r, f, o, workers, emitter)
	b.size = size
	return b.read()
}

// CanonicalizeWithin is Canonicalize with a number of steps.
func CanonicalizeWithin(quads []Quad, work int) ([]Quad, error) { return canonicalize(quads, work) }

// CanonicalLine is a quad in canonical N-Quads, with the labels that it has.
func CanonicalLine(q Quad) string {
	q.Object = inSmallLetters(q.Object)
	w := termWriter{blank: writtenLabel, canonical: true}
	return w.line(q)
}
