package rdf

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// tokenKind says what a token is. A punctuation mark (. ; , [ ] ( ) { } ~) is its own
// kind: its ASCII code.
type tokenKind uint8

const (
	tokEnd     tokenKind = iota + 128 // the end of the text
	tokLine                           // the end of a line, when lines count; read with the next token
	tokIRI                            // <text>, with escapes replaced
	tokName                           // text is prefix:local as it is written
	tokBlank                          // text is _:label
	tokString                         // text is what is between the quotes, with escapes replaced
	tokAt                             // text follows the @
	tokTyped                          // ^^
	tokInteger                        // text is the number, here and in the next two
	tokDecimal
	tokDouble
	tokWord  // text is letters without a colon: a, true, PREFIX
	tokOther // text is what no token begins with

	// Of RDF 1.2.
	tokOpenTerm     // <<( of a triple term
	tokCloseTerm    // )>>
	tokOpenReified  // << of a reified triple
	tokCloseReified // >>
	tokOpenNote     // {| of an annotation
	tokCloseNote    // |}
)

// marks are the texts of the tokens that have several characters and are always
// written the same.
var marks = map[tokenKind]string{
	tokOpenTerm: "<<(", tokCloseTerm: ")>>", tokOpenReified: "<<", tokCloseReified: ">>",
	tokOpenNote: "{|", tokCloseNote: "|}",
}

// token is one token of the syntaxes that have grown from N-Triples and Turtle. Its
// text is good until the next token is scanned.
type token struct {
	kind tokenKind
	text []byte
	// colon is where the prefix of a tokName ends; escaped says that its local
	// name has escapes (\-).
	colon   int
	escaped bool
	// dir is the base direction that follows a language tag in tokAt.
	dir direction
}

// direction is the base direction of a text; the zero direction is none.
type direction uint8

const (
	leftToRight direction = iota + 1
	rightToLeft
)

// String is the direction as it is written.
func (d direction) String() string { return [...]string{"", "ltr", "rtl"}[d] }

// scanner cuts a text into tokens.
type scanner struct {
	input
	// format is that of the text, for messages.
	format Format
	// lines makes ends of lines tokens and refuses strings that only Turtle has.
	lines bool
	// tok is the token that was scanned last; start() is its place.
	tok token
	// before is the kind of the token that ends where tok begins; 0 where there is
	// none.
	before tokenKind
	// ended is the line in which the token before tok ends.
	ended   int
	scratch []byte // text of a token with escapes
}

// next scans the next token into tok.
func (s *scanner) next() error {
	s.mark, s.multiline = -1, place{}
	s.before, s.ended = s.tok.kind, s.line
	if s.tok.kind == tokLine {
		s.endLine()
	}
	for {
		if s.pos == s.end && !s.more() {
			s.tok = token{kind: tokEnd}
			if s.err != io.EOF {
				return s.stopped(0, place{}, "")
			}
			return nil
		}
		switch c := s.buf[s.pos]; c {
		case ' ', '\t':
			s.pos++
			s.before = 0
		case '\n', '\r':
			s.before = 0
			if s.lines {
				s.mark = s.pos
				s.tok = token{kind: tokLine}
				return nil
			}
			s.endLine()
		case '#':
			s.comment()
		default:
			s.mark = s.pos
			if err := s.token(c); err != nil {
				return err
			}
			if s.err == errTooLong {
				return s.tooLong()
			}
			return nil
		}
	}
}

// endLine reads one end of line: LF, CR or both.
func (s *scanner) endLine() {
	n := 1
	if s.buf[s.pos] == '\r' && s.peek(1) == '\n' {
		n = 2
	}
	s.pos += n
	s.newline()
}

// comment reads up to the end of the line.
func (s *scanner) comment() {
	for s.pos < s.end || s.more() {
		if c := s.buf[s.pos]; c == '\n' || c == '\r' {
			return
		}
		s.pos++
	}
}

// token scans the token that begins with c at pos.
func (s *scanner) token(c byte) error {
	switch c {
	case '<':
		switch {
		case s.peek(1) != '<':
			return s.iri()
		case s.peek(2) == '(':
			return s.take(tokOpenTerm, 3)
		}
		return s.take(tokOpenReified, 2)
	case ')':
		if s.peek(1) == '>' && s.peek(2) == '>' {
			return s.take(tokCloseTerm, 3)
		}
		return s.punctuation(c)
	case '>':
		if s.peek(1) == '>' {
			return s.take(tokCloseReified, 2)
		}
	case '{':
		if s.peek(1) == '|' {
			return s.take(tokOpenNote, 2)
		}
		return s.punctuation(c)
	case '|':
		if s.peek(1) == '}' {
			return s.take(tokCloseNote, 2)
		}
	case '"', '\'':
		return s.string(c)
	case '.':
		if classes[s.peek(1)]&digitChar != 0 {
			return s.number()
		}
		return s.punctuation(c)
	case ';', ',', '[', ']', '(', '}', '~':
		return s.punctuation(c)
	case '@':
		return s.at()
	case '^':
		if s.peek(1) == '^' {
			return s.take(tokTyped, 2)
		}
		return s.other(1)
	case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number()
	case '_':
		if s.peek(1) == ':' {
			return s.blank()
		}
	case ':':
		return s.name()
	}
	if r, _ := s.char(); isNameStart(r) {
		return s.name()
	}
	return s.other(1)
}

func (s *scanner) punctuation(c byte) error { return s.take(tokenKind(c), 1) }

// take takes n bytes for a token that has no text.
func (s *scanner) take(kind tokenKind, n int) error {
	s.pos += n
	s.tok = token{kind: kind}
	return nil
}

// other takes n characters for a token that the syntaxes don't have.
func (s *scanner) other(n int) error {
	for range n {
		_, size := s.char()
		s.pos += size
	}
	s.tok = token{kind: tokOther, text: s.buf[s.mark:s.pos]}
	return nil
}

// char decodes the character at pos, which must not be the end of the window.
func (s *scanner) char() (rune, int) {
	if c := s.buf[s.pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRune(s.buf[s.pos:s.end])
}

// longestSubtag is the most characters of a part of a language tag (BCP 47 §2.1).
const longestSubtag = 8

// at scans @word: the keyword of a directive, or a language tag and the base direction
// that may follow it (RDF 1.2 Turtle, LANG_DIR).
func (s *scanner) at() error {
	s.pos++
	for part := 0; ; part++ {
		n := 0
		for classes[s.peek(n)]&nameStart != 0 || part > 0 && classes[s.peek(n)]&digitChar != 0 {
			n++
		}
		if n == 0 {
			return s.stopped(0, s.here(), `expected letters after "@": a language tag such as @en, or @prefix or @base`)
		}
		if n > longestSubtag {
			return s.fail(s.here(), fmt.Sprintf("a part of a language tag has at most %d characters, found %d: write a tag such as @en or @en-GB", longestSubtag, n))
		}
		s.pos += n
		if s.peek(0) != '-' || s.peek(1) == '-' {
			break
		}
		s.pos++
	}
	size := s.pos - s.mark
	dir, err := s.direction()
	if err != nil {
		return err
	}
	s.tok = token{kind: tokAt, text: s.buf[s.mark+1 : s.mark+size], dir: dir}
	return nil
}

// direction scans the base direction that may be at pos.
func (s *scanner) direction() (direction, error) {
	if s.peek(0) != '-' {
		return 0, nil
	}
	n := 2
	for classes[s.peek(n)]&nameStart != 0 {
		n++
	}
	for _, d := range []direction{leftToRight, rightToLeft} {
		if string(s.buf[s.pos+2:s.pos+n]) == d.String() {
			s.pos += n
			return d, nil
		}
	}
	return 0, s.stopped(n, s.here(), `expected --ltr or --rtl, in small letters, as the base direction after a language tag`)
}

// number scans an integer, decimal or double. The "." that ends a statement is not
// part of it.
func (s *scanner) number() error {
	if c := s.buf[s.pos]; c == '+' || c == '-' {
		s.pos++
	}
	kind := tokInteger
	whole := s.digits()
	fraction := 0
	if s.peek(0) == '.' {
		switch {
		case classes[s.peek(1)]&digitChar != 0:
			s.pos++
			fraction = s.digits()
			kind = tokDecimal
		case whole > 0 && s.exponent(1) > 0:
			s.pos++
		}
	}
	if whole+fraction == 0 {
		return s.stopped(0, s.start(), "expected a number after the sign")
	}
	if n := s.exponent(0); n > 0 {
		s.pos += n
		s.digits()
		kind = tokDouble
	}
	s.tok = token{kind: kind, text: s.buf[s.mark:s.pos]}
	return nil
}

// digits reads digits and counts them.
func (s *scanner) digits() int {
	n := 0
	for ; classes[s.peek(0)]&digitChar != 0; n++ {
		s.pos++
	}
	return n
}

// exponent is the length of an exponent's mark and sign that begin n after pos and are
// followed by a digit; 0 where there is none.
func (s *scanner) exponent(n int) int {
	if c := s.peek(n); c != 'e' && c != 'E' {
		return 0
	}
	size := 1
	if c := s.peek(n + 1); c == '+' || c == '-' {
		size = 2
	}
	if classes[s.peek(n+size)]&digitChar == 0 {
		return 0
	}
	return size
}
