package format

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded is a text without what a search forgives: case and accents.
func folded(s string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36F { // combining accents
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// words are the folded words of a text: its runs of letters and digits.
func words(s string) []string {
	return strings.FieldsFunc(folded(s), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) })
}

// holds reports whether each word of a search is part of one of the texts, in any
// order. An IRI, and a search without letters and digits, is looked for as it
// stands.
func holds(search string, texts ...string) bool {
	parts := words(search)
	if len(parts) == 0 || strings.Contains(search, "://") {
		parts = []string{folded(search)}
	}
	var in []string
	for _, t := range texts {
		in = append(in, folded(t))
	}
	for _, part := range parts {
		if !slices.ContainsFunc(in, func(t string) bool { return strings.Contains(t, part) }) {
			return false
		}
	}
	return true
}

// sought is what a search looked for, for a sentence that says that it is nowhere:
// `"x"`, `all words of "x y"`.
func sought(search string) string {
	if len(strings.Fields(search)) > 1 && !strings.Contains(search, "://") {
		return "all words of " + quoted(search)
	}
	return quoted(search)
}
