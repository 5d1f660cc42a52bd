package format

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Escape makes text from data harmless to read: control characters other than
// line feed, and all that are not seen (see rdf.Hidden), are written as \u202e; CR LF and CR become line feeds;
// invalid UTF-8 becomes U+FFFD. Escape(Escape(s)) is Escape(s).
func Escape(s string) string {
	if isPlain(s) || !strings.ContainsFunc(s, special) {
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
		case !rdf.Hidden(r):
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
func special(r rune) bool { return r == utf8.RuneError || rdf.Hidden(r) }

// isPlain reports at a glance that a text is on one line and stays as it is: printable
// ASCII without two spaces together and without one at an end. Nearly all names, IRIs and
// values are.
func isPlain(s string) bool {
	space := true // as at the start
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return s == "" || !space
}

// oneLine is Escape for text that has to stay on one line: white space around
// is cut and each run of it inside becomes one space.
func oneLine(s string) string {
	if isPlain(s) {
		return s
	}
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
