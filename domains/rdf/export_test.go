package rdf

import "io"

// ReadBlocks is ReadParallel for N-Triples or N-Quads with blocks of a size.
func ReadBlocks(r io.Reader, f Format, o Options, workers, size int, emitter func() func(*Quad) error) error {
	b := newBlocks(r, f, o, workers, emitter)
	b.size = size
	return b.read()
}
