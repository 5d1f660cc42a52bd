package rdf

import "unicode/utf8"

// name scans a prefixed name, or a word where no colon comes.
func (s *scanner) name() error {
	if s.buf[s.pos] != ':' {
		s.nameChars()
		if s.peek(0) != ':' {
			s.tok = token{kind: tokWord, text: s.buf[s.mark:s.pos]}
			return nil
		}
	}
	colon := s.pos - s.mark
	s.pos++
	escaped, err := s.local()
	if err != nil {
		return err
	}
	s.tok = token{kind: tokName, text: s.buf[s.mark:s.pos], colon: colon, escaped: escaped}
	return nil
}

// blank scans _:label.
func (s *scanner) blank() error {
	s.pos += 2
	first := s.peek(0)
	if first == '_' || classes[first]&digitChar != 0 {
		s.pos++
	} else if !s.startsName() {
		return s.stopped(0, s.here(), `expected a letter, a digit or "_" as the first character of a blank node's label`)
	}
	s.nameChars()
	s.tok = token{kind: tokBlank, text: s.buf[s.mark:s.pos]}
	return nil
}

// startsName reports whether a name may begin at pos.
func (s *scanner) startsName() bool {
	if s.pos == s.end && !s.more() {
		return false
	}
	r, _ := s.char()
	return isNameStart(r)
}

// nameChars reads PN_CHARS, and dots that more of them follow.
func (s *scanner) nameChars() {
	dots := 0
	for s.pos < s.end || s.more() {
		c := s.buf[s.pos]
		switch {
		case classes[c]&nameChar != 0:
			s.pos++
			dots = 0
			continue
		case c == '.':
			s.pos++
			dots++
			continue
		case c >= utf8.RuneSelf:
			if r, n := s.char(); isNameChar(r) {
				s.pos += n
				dots = 0
				continue
			}
		}
		break
	}
	s.pos -= dots
}

// local reads a local name, which may be empty, and reports whether it has escapes
// (PN_LOCAL).
func (s *scanner) local() (escaped bool, err error) {
	if !s.startsLocal() {
		return false, nil
	}
	dots := 0
	for s.pos < s.end || s.more() {
		c := s.buf[s.pos]
		switch {
		case classes[c]&localChar != 0:
			s.pos++
			dots = 0
			continue
		case c == '.':
			s.pos++
			dots++
			continue
		case c == '%':
			if n := s.notHex(1, 2); n > 0 {
				return false, s.stopped(n, s.here(), `expected two hexadecimal digits after "%" in a name, as in %20; for the sign itself write \%`)
			}
			s.pos += 3
			dots = 0
			continue
		case c == '\\':
			if classes[s.peek(1)]&localEscaped == 0 {
				return false, s.stopped(1, s.here(), `expected one of _~.-!$&'()*+,;=/?#@% after "\" in a name: write the IRI in full, between < and >, if it has other characters`)
			}
			s.pos += 2
			dots = 0
			escaped = true
			continue
		case c >= utf8.RuneSelf:
			if r, n := s.char(); isNameChar(r) {
				s.pos += n
				dots = 0
				continue
			}
		}
		break
	}
	s.pos -= dots
	return escaped, nil
}

// notHex is where, among the characters from first to last after pos, the first is that is
// no hexadecimal digit; 0 where all are.
func (s *scanner) notHex(first, last int) int {
	for n := first; n <= last; n++ {
		if classes[s.peek(n)]&hexChar == 0 {
			return n
		}
	}
	return 0
}

// startsLocal reports whether a local name begins at pos.
func (s *scanner) startsLocal() bool {
	c := s.peek(0)
	return c == '_' || c == ':' || c == '%' || c == '\\' || classes[c]&digitChar != 0 || c != 0 && s.startsName()
}
