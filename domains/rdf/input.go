package rdf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// bufferSize is the size of an input's window until a token needs more.
const bufferSize = 64 << 10

// place is a position in a text; both count from 1.
type place struct{ line, column int }

// input is the text of a file: a window over a reader that holds checked UTF-8
// and knows where in the file it is.
//
//	 done      mark     pos          end    full
//	──────┬─────┬────────┬────────────┬──────┬─────
//	      │     │ token  │ to be read │ part of a character
//	      └ buf[0]
type input struct {
	r    io.Reader
	file string

	buf       []byte
	mark      int // what must stay in the window begins here; -1: at pos
	pos       int // next byte to be read
	end, full int

	// err says why no text follows end: io.EOF, the reader's error, or a
	// *SyntaxError about the encoding.
	err error

	// column counts the characters that the current line has before counted. Both
	// move only when a place is asked for.
	line, column, counted int
	// multiline is the place of mark when the token that begins there has
	// left its line.
	multiline place
}

// open reads the beginning of the text: it skips a byte-order mark and refuses UTF-16.
func (in *input) open() error {
	in.buf, in.line, in.mark = make([]byte, bufferSize), 1, -1
	for in.full < 4 && in.err == nil {
		in.more()
	}
	head := in.buf[:in.full]
	if bytes.HasPrefix(head, []byte{0xFE, 0xFF}) || bytes.HasPrefix(head, []byte{0xFF, 0xFE}) ||
		len(head) > 1 && (head[0] == 0) != (head[1] == 0) {
		return in.fail(place{1, 1}, "the text is UTF-16, expected UTF-8: convert the file, for example with iconv -f UTF-16 -t UTF-8")
	}
	if bytes.HasPrefix(head, []byte("\uFEFF")) {
		in.pos = len("\uFEFF")
		in.counted = in.pos
	}
	return nil
}

// more reads on, so that the window grows beyond end. It reports false when
// no text follows; err says why. What lies before mark is forgotten.
func (in *input) more() bool {
	if in.err != nil {
		return false
	}
	in.forget()
	if in.full == len(in.buf) {
		if in.full >= MaxToken {
			in.err = in.fail(in.start(), fmt.Sprintf("this token is longer than %d MiB, which is the most that can be read: is a quote or a \">\" missing?", MaxToken>>20))
			return false
		}
		in.buf = append(in.buf, make([]byte, len(in.buf))...)
	}
	for try := 0; ; try++ {
		n, err := in.r.Read(in.buf[in.full:])
		in.full += n
		if err == nil && n == 0 && try < 100 {
			continue
		}
		if err == nil && n == 0 {
			err = io.ErrNoProgress
		}
		grown := in.check(err == io.EOF)
		if in.err == nil && err != nil {
			in.err = err
			if err != io.EOF {
				in.err = fmt.Errorf("reading %s: %w", in.title(), err)
			}
		}
		if grown || in.err != nil {
			return grown
		}
	}
}

// forget drops what lies before mark from the window.
func (in *input) forget() {
	keep := in.pos
	if in.mark >= 0 {
		keep = in.mark
	}
	if keep == 0 {
		return
	}
	if in.counted < keep {
		in.column += utf8.RuneCount(in.buf[in.counted:keep])
		in.counted = keep
	}
	copy(in.buf, in.buf[keep:in.full])
	in.pos -= keep
	in.end -= keep
	in.full -= keep
	in.counted -= keep
	if in.mark >= 0 {
		in.mark = 0
	}
}

// check moves end over what was read and is UTF-8, and reports whether it
// moved.
func (in *input) check(last bool) bool {
	fresh := in.buf[in.end:in.full]
	whole := len(fresh)
	if !last {
		whole -= partial(fresh)
	}
	if utf8.Valid(fresh[:whole]) {
		in.end += whole
		return whole > 0
	}
	good := 0
	for {
		r, n := utf8.DecodeRune(fresh[good:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		good += n
	}
	in.end += good
	in.err = errEncoding
	return good > 0
}

// errEncoding stands in input.err for text that is not UTF-8; its place is known
// only when the reading has come to it.
var errEncoding = errors.New("not UTF-8")

// partial counts the bytes at the end of b that begin a character without
// ending it.
func partial(b []byte) int {
	for n := 1; n <= 3 && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// stopped is the error for text that ends where more was expected: message, at a
// place, unless the text ended for a worse reason.
func (in *input) stopped(at place, message string) error {
	switch in.err {
	case nil, io.EOF:
		return in.fail(at, message)
	case errEncoding:
		return in.fail(in.here(), fmt.Sprintf("the byte 0x%02X is not UTF-8 here: save the file as UTF-8, or convert it, for example with iconv -f LATIN1 -t UTF-8", in.buf[in.end]))
	}
	return in.err
}

// peek returns the byte that is n after pos, or 0 where the text has ended.
func (in *input) peek(n int) byte {
	for in.pos+n >= in.end {
		if !in.more() {
			return 0
		}
	}
	return in.buf[in.pos+n]
}

// newline is told that pos has just left a line.
func (in *input) newline() {
	if in.mark >= 0 && in.multiline.line == 0 {
		at := in.mark
		in.multiline = in.before(at)
	}
	in.line++
	in.column, in.counted = 0, in.pos
}

// before is the place of an offset in the window that is in the current line.
func (in *input) before(off int) place {
	if off < in.counted {
		return place{in.line, in.column - utf8.RuneCount(in.buf[off:in.counted]) + 1}
	}
	in.column += utf8.RuneCount(in.buf[in.counted:off])
	in.counted = off
	return place{in.line, in.column + 1}
}

// here is the place of pos.
func (in *input) here() place { return in.before(in.pos) }

// start is the place of the token that is being read.
func (in *input) start() place {
	switch {
	case in.multiline.line > 0:
		return in.multiline
	case in.mark < 0:
		return in.here()
	}
	return in.before(in.mark)
}

// fail returns the error for a place.
func (in *input) fail(at place, message string) error {
	return &SyntaxError{File: in.file, Line: at.line, Column: at.column, Message: message}
}

// title is the file's name, for sentences.
func (in *input) title() string {
	if in.file == "" {
		return "RDF"
	}
	return in.file
}
