package rdfgraph

import (
	"io"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/packed"
)

// packedError says that a compressed file can't be unpacked.
type packedError = packed.Error

// unpack returns the text of a file, which is all that is stored of one that is not
// compressed. At its end all that is stored has been read.
func unpack(stored *storedReader, c rdf.Compression) (io.ReadCloser, error) {
	text, err := packed.NewReader(stored, c)
	if err != nil || c == 0 {
		return text, err
	}
	return &unpacked{text, stored}, nil
}

// unpacked is the text of a compressed file.
type unpacked struct {
	io.ReadCloser
	stored *storedReader
}

// Read looks at the context, as storedReader does: a few bytes may hold text for minutes.
func (u *unpacked) Read(p []byte) (int, error) {
	if err := u.stored.ctx.Err(); err != nil {
		return 0, err
	}
	return u.ReadCloser.Read(p)
}
