package domains

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is the name of a domain, as list_domains shows it.
type Name string

// ParseName checks a name that comes from a folder or from domain.yaml: 1–64
// ASCII letters, digits, '_', '-' or '.', not starting with a dot. Names that an
// OntoBricks deployment reports are taken as they are and need no check.
func ParseName(s string) (Name, error) {
	switch {
	case s == "":
		return "", fmt.Errorf("a domain name is empty: use 1–64 letters, digits, '_', '-' or '.'")
	case len(s) > 64:
		return "", fmt.Errorf("domain name %q has %d characters: at most 64 are allowed", s, len(s))
	case s[0] == '.':
		return "", fmt.Errorf("domain name %q starts with a dot: such folders are hidden", s)
	}
	for _, r := range s {
		if r >= utf8.RuneSelf || !(unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-.", r)) {
			return "", fmt.Errorf("domain name %q holds %q: only letters, digits, '_', '-' and '.' are allowed", s, r)
		}
	}
	return Name(s), nil
}

// LocalName is the part of an IRI that people read: what follows the last '#',
// or, where there is no '#' or nothing follows it, the last '/'; the whole IRI
// where that is empty too. Percent-encoding stays as it is
// (OntoBricks contract 4.1).
func LocalName(iri string) string {
	if i := strings.LastIndexByte(iri, '#'); i >= 0 && i+1 < len(iri) {
		return iri[i+1:]
	}
	if i := strings.LastIndexByte(iri, '/'); i >= 0 && i+1 < len(iri) {
		return iri[i+1:]
	}
	return iri
}

// LocalID is the last segment of an IRI: what follows the last '/' of its local
// name, so that "…#Customer/42" and "…/Customer/42" both give "42".
func LocalID(iri string) string {
	l := LocalName(iri)
	if l == iri {
		return l
	}
	if i := strings.LastIndexByte(l, '/'); i >= 0 && i+1 < len(l) {
		return l[i+1:]
	}
	return l
}

// Prettify makes a local name readable: it drops one leading "ontology" when
// something follows, puts a space between a lower-case and an upper-case ASCII
// letter, turns '_' into a space and trims. A name of which nothing would be
// left stays as it is (OntoBricks contract 4.1, pretty_predicate).
func Prettify(local string) string {
	s := local
	if p := "ontology"; len(s) > len(p) && strings.EqualFold(s[:len(p)], p) {
		s = s[len(p):]
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if i > 0 && 'A' <= c && c <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		if c == '_' {
			c = ' '
		}
		b.WriteByte(c)
	}
	if out := strings.TrimSpace(b.String()); out != "" {
		return out
	}
	return local
}
