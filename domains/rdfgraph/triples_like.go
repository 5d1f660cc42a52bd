package rdfgraph

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestPattern is how many bytes a pattern has: what a search costs grows with it.
const longestPattern = 1_000

// likePattern is a pattern of SQL's LIKE, compared in lower case: % is any text, _ any
// one character, and nothing else is special. It is not for concurrent use.
type likePattern struct {
	parts [][]byte // what is between the %, in lower case
	// anyFirst and anyLast are set where the pattern begins and ends with %.
	anyFirst, anyLast bool
	buffer            []byte // the text in lower case
}

func newLike(pattern string) *likePattern {
	p := &likePattern{anyFirst: strings.HasPrefix(pattern, "%"), anyLast: strings.HasSuffix(pattern, "%")}
	for part := range strings.SplitSeq(pattern, "%") {
		if part != "" {
			p.parts = append(p.parts, appendLower(nil, part))
		}
	}
	if len(p.parts) == 0 { // nothing, or % alone
		p.anyLast = pattern != ""
	}
	return p
}

// matches reports whether the pattern fits the whole text.
func (p *likePattern) matches(text string) bool {
	p.buffer = appendLower(p.buffer[:0], text)
	return p.fits(p.buffer)
}

// fits is matches of a text in lower case. Each part is taken where it comes first: what
// is left for those behind it is never more elsewhere.
func (p *likePattern) fits(left []byte) bool {
	for i, part := range p.parts {
		last := i == len(p.parts)-1
		switch {
		case i == 0 && !p.anyFirst:
			n, ok := fitsAt(left, part)
			if !ok {
				return false
			}
			left = left[n:]
		case last && !p.anyLast:
			return endsWith(left, part)
		default:
			n, ok := endOfFirst(left, part)
			if !ok {
				return false
			}
			left = left[n:]
		}
	}
	return p.anyLast || len(left) == 0
}

// fitsAt reports whether a text begins with a part, and how many bytes that takes.
func fitsAt(text, part []byte) (n int, ok bool) {
	for _, want := range string(part) {
		r, size := utf8.DecodeRune(text[n:])
		if size == 0 || want != '_' && want != r {
			return 0, false
		}
		n += size
	}
	return n, true
}

// endOfFirst finds where the first place ends that a part fits. What is before its first
// _ is looked for, and compared further where it is.
func endOfFirst(text, part []byte) (end int, ok bool) {
	plain := bytes.IndexByte(part, '_')
	if plain < 0 {
		i := bytes.Index(text, part)
		return i + len(part), i >= 0
	}
	for at := 0; ; {
		i := bytes.Index(text[at:], part[:plain])
		if i < 0 {
			return 0, false
		}
		at += i
		if n, ok := fitsAt(text[at:], part); ok {
			return at + n, true
		}
		_, size := utf8.DecodeRune(text[at:])
		if size == 0 {
			return 0, false
		}
		at += size
	}
}

// endsWith reports whether a text ends with a part.
func endsWith(text, part []byte) bool {
	if bytes.IndexByte(part, '_') < 0 {
		return bytes.HasSuffix(text, part)
	}
	skip := utf8.RuneCount(text) - utf8.RuneCount(part)
	if skip < 0 {
		return false
	}
	for ; skip > 0; skip-- {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	_, ok := fitsAt(text, part)
	return ok
}

// appendLower adds a text in lower case, character by character.
func appendLower(to []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			for _, r := range text[i:] {
				to = utf8.AppendRune(to, unicode.ToLower(r))
			}
			return to
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}
