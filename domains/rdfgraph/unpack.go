package rdfgraph

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ontogate/ontogate/domains/rdf"
)

// maxWindow is how far back compressed text may refer, and so what unpacking keeps in memory:
// as much as the program zstd takes without being asked. gzip's is 32 KiB.
const maxWindow = 128 << 20

// unpack returns the text of a file, which is all that is stored of one that is not
// compressed. At its end all that is stored has been read.
func unpack(stored *storedReader, c rdf.Compression) (io.ReadCloser, error) {
	buffered := bufio.NewReaderSize(stored, 64<<10)
	switch c {
	case rdf.Gzip:
		r, err := gzip.NewReader(buffered) // all its members
		if err != nil {
			return nil, packedFault(stored, c, err)
		}
		return &unpacked{stored: stored, compression: c, r: r, close: r.Close}, nil
	case rdf.Zstd:
		if _, err := buffered.Peek(1); err != nil { // the decoder takes nothing for an empty text
			return nil, packedFault(stored, c, err)
		}
		r, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, packedFault(stored, c, err)
		}
		return &unpacked{stored: stored, compression: c, r: r, close: func() error { r.Close(); return nil }}, nil
	}
	return io.NopCloser(stored), nil
}

// unpacked is the text of a compressed file.
type unpacked struct {
	stored      *storedReader
	compression rdf.Compression
	r           io.Reader
	close       func() error
}

// Read looks at the context, as storedReader does: a few bytes may hold text for minutes.
func (u *unpacked) Read(p []byte) (int, error) {
	if err := u.stored.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF {
		err = packedFault(u.stored, u.compression, err)
	}
	return n, err
}

func (u *unpacked) Close() error { return u.close() }

// packedError says that a compressed file can't be unpacked.
type packedError struct {
	compression rdf.Compression
	cause       error
}

// packedFault is why unpacking ends: what reading the file failed with, or else what is wrong
// with what it holds.
func packedFault(stored *storedReader, c rdf.Compression, err error) error {
	if stored.err != nil && stored.err != io.EOF {
		return stored.err
	}
	return &packedError{c, err}
}

func (e *packedError) Error() string { return e.fault() }
func (e *packedError) Unwrap() error { return e.cause }

// fault is the reason, for the end of a sentence that begins with the file.
func (e *packedError) fault() string {
	tool := map[rdf.Compression]string{rdf.Gzip: "gzip", rdf.Zstd: "zstd"}[e.compression]
	switch {
	case errors.Is(e.cause, io.EOF), errors.Is(e.cause, io.ErrUnexpectedEOF):
		return fmt.Sprintf("is cut short: the %s data ends too early; copy or compress the file again (%s -t checks it)", tool, tool)
	case errors.Is(e.cause, zstd.ErrWindowSizeExceeded):
		return fmt.Sprintf("takes too much memory to unpack: its window is over %d MiB; compress it again without --long", maxWindow>>20)
	case errors.Is(e.cause, zstd.ErrUnknownDictionary):
		return "was compressed with a dictionary, which is not here: compress it again without one"
	}
	return fmt.Sprintf("is damaged, or is no %s file (%s): copy or compress the file again (%s -t checks it)", tool, e.cause, tool)
}
