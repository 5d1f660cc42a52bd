package rdf

import "io"

// ReadBlocks is ReadParallel for N-Triples with blocks of a size.
func ReadBlocks(r io.Reader, o Options, workers, size int, emitter func() func(*Quad) error) error {
	b := newBlocks(r, NTriples, o, workers, emitter)
	b.size = size
	return b.read()
}
