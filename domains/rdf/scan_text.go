package rdf

import (
	"fmt"
	"unicode/utf8"
)

// iri scans <IRI>.
func (s *scanner) iri() error {
	s.pos++
	from := 1 // what is not in scratch yet begins here, counted from mark
	s.scratch = s.scratch[:0]
	for {
		for s.pos < s.end && classes[s.buf[s.pos]]&iriChar != 0 {
			s.pos++
		}
		if s.pos == s.end {
			if s.more() {
				continue
			}
			return s.stopped(0, s.start(), `the IRI that begins here has no ">"`)
		}
		switch c := s.buf[s.pos]; c {
		case '>':
			s.tok = token{kind: tokIRI, text: s.taken(from)}
			s.pos++
			return nil
		case '\\':
			s.scratch = append(s.scratch, s.buf[s.mark+from:s.pos]...)
			at := s.here()
			r, err := s.codePoint()
			if err != nil {
				return err
			}
			if r < utf8.RuneSelf && classes[r]&iriChar == 0 {
				return s.fail(at, fmt.Sprintf("an IRI can't contain %s, not even as an escape: write %%%02X if that is meant", quoted(string(r)), r))
			}
			s.scratch = utf8.AppendRune(s.scratch, r)
			from = s.pos - s.mark
		case '\n', '\r':
			return s.fail(s.start(), `the IRI that begins here has no ">" in its line`)
		default:
			return s.fail(s.here(), fmt.Sprintf(`an IRI can't contain %s: write %%%02X if that is meant, or is the ">" of the IRI missing?`, quoted(string(rune(c))), c))
		}
	}
}

// taken is the text of a token: what was put into scratch, and what follows it from
// an offset after mark up to pos.
func (s *scanner) taken(from int) []byte {
	rest := s.buf[s.mark+from : s.pos]
	if len(s.scratch) == 0 {
		return rest
	}
	s.scratch = append(s.scratch, rest...)
	return s.scratch
}

// string scans a string that begins with a quote, in any of the four ways to
// write one.
func (s *scanner) string(quote byte) error {
	size := 1
	if s.peek(1) == quote && s.peek(2) == quote {
		size = 3
	}
	if s.lines && (quote == '\'' || size == 3) {
		return s.fail(s.start(), s.format.String()+` has only strings in plain double quotes: write "…", with \n for a new line and \" for a quote`)
	}
	s.pos += size
	from := size
	s.scratch = s.scratch[:0]
	for {
		for s.pos < s.end && classes[s.buf[s.pos]]&plainChar != 0 {
			s.pos++
		}
		if s.pos == s.end {
			if s.more() {
				continue
			}
			return s.unclosed(quote, size, "end of the file")
		}
		switch c := s.buf[s.pos]; {
		case c == quote && (size == 1 || s.peek(1) == quote && s.peek(2) == quote):
			s.tok = token{kind: tokString, text: s.taken(from)}
			s.pos += size
			return nil
		case c == '\\':
			s.scratch = append(s.scratch, s.buf[s.mark+from:s.pos]...)
			r, err := s.escape()
			if err != nil {
				return err
			}
			s.scratch = utf8.AppendRune(s.scratch, r)
			from = s.pos - s.mark
		case c == '\n' || c == '\r':
			if size == 1 {
				return s.unclosed(quote, size, "end of its line")
			}
			s.endLine()
		default:
			s.pos++
		}
	}
}

// unclosed is the error for a string that goes on to where it can't.
func (s *scanner) unclosed(quote byte, size int, end string) error {
	closing := "\"\"\""[:size]
	if quote == '\'' {
		closing = "'''"[:size]
	}
	message := fmt.Sprintf("the string that begins here has no closing %s before the %s", closing, end)
	if size == 1 && !s.lines {
		message += fmt.Sprintf(": put it between %s if it has several lines", "\"\"\"")
	}
	return s.stopped(0, s.start(), message)
}

// escapes maps the character after "\" to what the two stand for (ECHAR).
var escapes = [256]byte{'t': '\t', 'b': '\b', 'n': '\n', 'r': '\r', 'f': '\f', '"': '"', '\'': '\'', '\\': '\\'}

// escape reads the escape at pos and returns the character it stands for.
func (s *scanner) escape() (rune, error) {
	c := s.peek(1)
	if c == 'u' || c == 'U' {
		return s.codePoint()
	}
	if escapes[c] == 0 {
		return 0, s.stopped(1, s.here(), `expected one of t b n r f " ' \ u U after "\" in a string: write \\ for the sign itself`)
	}
	s.pos += 2
	return rune(escapes[c]), nil
}

// codePoint reads the escape \uXXXX or \UXXXXXXXX at pos (UCHAR).
func (s *scanner) codePoint() (rune, error) {
	digits := 4
	switch s.peek(1) {
	case 'u':
	case 'U':
		digits = 8
	default:
		return 0, s.stopped(1, s.here(), `expected u and 4 hexadecimal digits, or U and 8, after "\" in an IRI: write %5C for the sign itself`)
	}
	bad := s.notHex(2, 1+digits)
	var r uint32 // eight digits fit
	for i := 2; bad == 0 && i < 2+digits; i++ {
		r = r<<4 | uint32(hexValue(s.peek(i)))
	}
	if bad > 0 || r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
		return 0, s.stopped(bad, s.here(), fmt.Sprintf(`expected %d hexadecimal digits after "\%c" that are the code of a character (0 to 10FFFF without D800 to DFFF)`, digits, s.peek(1)))
	}
	s.pos += 2 + digits
	return rune(r), nil
}

// hexValue is the value of a hexadecimal digit.
func hexValue(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c <= 'F':
		return c - 'A' + 10
	}
	return c - 'a' + 10
}
