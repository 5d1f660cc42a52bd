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

	// err says why no text follows end: io.EOF, the reader's error, errEncoding or
	// errTooLong. broken is the reader's error as it came.
	err, broken error

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
	for in.full < 4 && in.broken == nil {
		in.fetch()
	}
	head := in.buf[:in.full]
	if bytes.HasPrefix(head, []byte{0xFE, 0xFF}) || bytes.HasPrefix(head, []byte{0xFF, 0xFE}) ||
		len(head) > 1 && (head[0] == 0) != (head[1] == 0) {
		return in.fail(place{1, 1}, "the text is UTF-16, expected UTF-8: convert the file, for example with iconv -f UTF-16 -t UTF-8")
	}
	if name := packedAs(head); name != "" {
		return in.fail(place{1, 1}, "the file is compressed with "+name+": write that extension after its name, or unpack it")
	}
	in.check()
	if bytes.HasPrefix(head, []byte("\uFEFF")) {
		in.pos = len("\uFEFF")
		in.counted = in.pos
	}
	return nil
}

// packedAs says by its first bytes how a file is compressed; empty for one that is not.
func packedAs(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		return "gzip (.gz)"
	case bytes.HasPrefix(head, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return "zstd (.zst)"
	}
	return ""
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
			in.err = errTooLong
			return false
		}
		in.buf = append(in.buf, make([]byte, len(in.buf))...)
	}
	for in.err == nil {
		in.fetch()
		if in.check() {
			return true
		}
	}
	return false
}

// fetch reads once.
func (in *input) fetch() {
	for range 100 {
		n, err := in.r.Read(in.buf[in.full:])
		in.full += n
		if in.broken = err; n > 0 || err != nil {
			return
		}
	}
	in.broken = io.ErrNoProgress
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

// check moves end over what was fetched and is UTF-8, and reports whether it
// moved. It sets err where no more can come.
func (in *input) check() bool {
	fresh := in.buf[in.end:in.full]
	whole := len(fresh)
	if in.broken != io.EOF {
		whole -= partial(fresh)
	}
	switch {
	case !utf8.Valid(fresh[:whole]):
		in.err = errEncoding
		whole = 0
		for r, n := utf8.DecodeRune(fresh); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(fresh[whole:]) {
			whole += n
		}
	case in.broken == io.EOF:
		in.err = io.EOF
	case in.broken != nil:
		in.err = fmt.Errorf("reading %s: %w", in.title(), in.broken)
	}
	in.end += whole
	return whole > 0
}

// What stands in input.err for a text that can't be read; the place is known only
// when the reading has come to it.
var (
	errEncoding = errors.New("not UTF-8")
	errTooLong  = errors.New("a token beyond MaxToken")
)

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

// stopped is the error for a character, n after pos, that is not what had to come:
// message, at a place. Where the text ends before that character for a worse reason than
// the end of the file, it is that reason.
func (in *input) stopped(n int, at place, message string) error {
	switch {
	case in.pos+n < in.end || in.err == nil || in.err == io.EOF:
		return in.fail(at, message)
	case in.err == errEncoding:
		return in.fail(in.before(in.end), fmt.Sprintf("the byte 0x%02X is not UTF-8 here: save the file as UTF-8, or convert it, for example with iconv -f LATIN1 -t UTF-8", in.buf[in.end]))
	case in.err == errTooLong:
		return in.tooLong()
	}
	return in.err
}

// tooLong is the error for a token that the window can't hold.
func (in *input) tooLong() error {
	return in.fail(in.start(), fmt.Sprintf(`this token is longer than %d MiB, which is the most that can be read: is a quote or a ">" missing?`, MaxToken>>20))
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
