// Package packed unpacks and packs RDF files that are compressed.
package packed

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

// NewReader returns the text of a compressed file, or r's own for the zero Compression. At the
// text's end r was read to its end. An error is r's own, or an *Error when it is about what r
// holds. The caller closes what is returned; r stays open.
func NewReader(r io.Reader, c rdf.Compression) (io.ReadCloser, error) {
	if c == 0 {
		return io.NopCloser(r), nil
	}
	u := &unpacked{compression: c}
	u.from.r = r
	buffered := bufio.NewReaderSize(&u.from, 64<<10)
	switch c {
	case rdf.Gzip:
		z, err := gzip.NewReader(buffered) // all its members
		if err != nil {
			return nil, u.fault(err)
		}
		u.text, u.close = z, z.Close
		return u, nil
	case rdf.Zstd:
		if _, err := buffered.Peek(1); err != nil { // the decoder takes nothing for an empty text
			return nil, u.fault(err)
		}
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, u.fault(err)
		}
		u.text, u.close = z, func() error { z.Close(); return nil }
		return u, nil
	}
	return nil, fmt.Errorf("unpacking: there is no compression %d", c)
}

// NewWriter compresses what is written to it into w. Closing it completes the data and
// leaves w open; for the zero Compression it does nothing.
func NewWriter(w io.Writer, c rdf.Compression) (io.WriteCloser, error) {
	switch c {
	case 0:
		return plain{w}, nil
	case rdf.Gzip:
		return gzip.NewWriter(w), nil
	case rdf.Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("packing: there is no compression %d", c)
}

// plain is a writer that does not compress.
type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// unpacked is the text of a compressed file.
type unpacked struct {
	from        source
	compression rdf.Compression
	text        io.Reader
	close       func() error
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.text.Read(p)
	if err != nil && err != io.EOF {
		err = u.fault(err)
	}
	return n, err
}

func (u *unpacked) Close() error { return u.close() }

// fault is why unpacking ends: what reading the file failed with, or else what is wrong with
// what it holds.
func (u *unpacked) fault(err error) error {
	if u.from.err != nil && u.from.err != io.EOF {
		return u.from.err
	}
	return &Error{u.compression, err}
}

// source is the file as it is stored.
type source struct {
	r   io.Reader
	err error // what r failed with
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.err = err
	return n, err
}

// Error says that a compressed file can't be unpacked.
type Error struct {
	Compression rdf.Compression
	Cause       error
}

func (e *Error) Error() string { return e.Fault() }
func (e *Error) Unwrap() error { return e.Cause }

// Fault is the reason, for the end of a sentence that begins with the file.
func (e *Error) Fault() string {
	tool := map[rdf.Compression]string{rdf.Gzip: "gzip", rdf.Zstd: "zstd"}[e.Compression]
	switch {
	case errors.Is(e.Cause, io.EOF), errors.Is(e.Cause, io.ErrUnexpectedEOF):
		return fmt.Sprintf("is cut short: the %s data ends too early; copy or compress the file again (%s -t checks it)", tool, tool)
	case errors.Is(e.Cause, zstd.ErrWindowSizeExceeded):
		return fmt.Sprintf("takes too much memory to unpack: its window is over %d MiB; compress it again without --long", maxWindow>>20)
	case errors.Is(e.Cause, zstd.ErrUnknownDictionary):
		return "was compressed with a dictionary, which is not here: compress it again without one"
	}
	return fmt.Sprintf("is damaged, or is no %s file (%s): copy or compress the file again (%s -t checks it)", tool, e.Cause, tool)
}
