package format

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// Escape makes text from data harmless to read: control characters other than
// line feed, bidirectional controls, line separators and invisible characters
// that can hide text are written as \u202e; CR LF and CR become line feeds;
// invalid UTF-8 becomes U+FFFD. Escape(Escape(s)) is Escape(s).
func Escape(s string) string {
	if !strings.ContainsFunc(s, special) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\r':
			b.WriteByte('\n')
		case r == utf8.RuneError:
			b.WriteRune(utf8.RuneError)
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// special reports whether Escape has something to do for r.
func special(r rune) bool { return r == utf8.RuneError || hidden(r) }

// hidden reports whether a character is not seen, or changes how its
// neighbours are seen: bytes can be smuggled to a model in such characters. Joiners
// and the selectors of the basic plane are left alone: scripts and emoji need them.
func hidden(r rune) bool {
	switch r {
	case '\n', 0x200C, 0x200D:
		return false
	case 0x2028, 0x2029, 0x2800: // line and paragraph separator, the empty Braille pattern
		return true
	}
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) // those are seen
	}
	return 0xE0100 <= r && r <= 0xE01EF // selectors of the supplementary plane
}

// oneLine is Escape for text that has to stay on one line: white space around
// is cut and each run of it inside becomes one space.
func oneLine(s string) string {
	s = Escape(strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		return r
	}, s))
	if !strings.ContainsFunc(s, unicode.IsSpace) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// size is the length of a text in code points.
func size(s string) int { return utf8.RuneCountInString(s) }

// shorten cuts a text to at most n code points, the ellipsis included; n is at
// least 1.
func shorten(s string, n int) string {
	if len(s) <= n || size(s) <= n {
		return s
	}
	return strings.TrimRightFunc(prefix(s, n-1), unicode.IsSpace) + "…"
}

// prefix is the first n code points of a text, or all of it.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// quoted is a text from a caller, in quotes and on one line, shortened.
func quoted(s string) string { return `"` + shorten(oneLine(s), 80) + `"` }

// number writes n with thousands separators.
func number(n int) string { return domains.Number(n) }

// count is a number with its noun: "1 instance", "1,598 instances".
func count(n int, one, many string) string {
	return number(n) + " " + plural(n, one, many)
}

// plural is the form of a noun that goes with n.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// yes writes a truth value for people.
func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// orNA is a text on one line, or N/A when there is none.
func orNA(s string) string {
	if s = oneLine(s); s == "" {
		return "N/A"
	}
	return s
}
