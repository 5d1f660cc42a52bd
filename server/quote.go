package server

import (
	"sync"
	"unicode/utf8"
)

// appendQuoted adds a text as a JSON string, to the byte as encoding/json writes it.
func appendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0 // what follows stands as it is, up to the next that does not
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plainInJSON[c] {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			case '\b':
				b = append(b, '\\', 'b')
			case '\f':
				b = append(b, '\\', 'f')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(append(b, s[from:i]...), `\ufffd`...)
			from = i + n
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, s[from:i]...), `\u202`...)
			b = append(b, hex[r&15])
			from = i + n
		}
		i += n
	}
	return append(append(b, s[from:]...), '"')
}

// plainInJSON are the ASCII characters that stand as they are in a string that may be put
// into HTML.
var plainInJSON = func() (plain [utf8.RuneSelf]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return plain
}()

// answers is memory for answers, each used by one at a time.
var answers = sync.Pool{New: func() any { return new([]byte) }}

// mostKept is the most bytes of an answer whose memory is kept.
const mostKept = 64 << 10

// keepAnswer gives memory back.
func keepAnswer(memory *[]byte, answer []byte) {
	if cap(answer) <= mostKept {
		*memory = answer[:0]
		answers.Put(memory)
	}
}
