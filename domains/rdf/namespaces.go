package rdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// namespaces shortens IRIs to prefixed names.
type namespaces []Prefix // longest IRI first

// newNamespaces takes the prefixes that can be written: of two with one name the
// later, as when a file is read; none with an illegal name or a relative IRI.
func newNamespaces(prefixes []Prefix) namespaces {
	var n namespaces
	for i, p := range prefixes {
		again := slices.ContainsFunc(prefixes[i+1:], func(q Prefix) bool { return q.Name == p.Name })
		if !again && isPrefix(p.Name) && schemeLen(p.IRI) > 0 && isPlainIRI(p.IRI) {
			n = append(n, p)
		}
	}
	slices.SortFunc(n, func(a, b Prefix) int {
		return cmp.Or(cmp.Compare(len(b.IRI), len(a.IRI)), cmp.Compare(a.Name, b.Name))
	})
	return n
}

// PrefixLines are the declarations of the prefixes for which used says yes, ordered by
// name, one a line. Of two prefixes with one name the later counts, as when a
// file is read; those that Turtle can't have are left out, by Statements too. A nil
// used takes all.
func PrefixLines(prefixes []Prefix, used func(name string) bool) string {
	list := newNamespaces(prefixes)
	slices.SortFunc(list, func(a, b Prefix) int { return cmp.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, p := range list {
		if used == nil || used(p.Name) {
			b.WriteString("@prefix " + p.Name + ": <" + p.IRI + "> .\n")
		}
	}
	return b.String()
}

// shorten returns an IRI as a prefixed name, and the prefix in it; ok is false
// where no prefix fits.
func (n namespaces) shorten(iri string) (name, prefix string, ok bool) {
	for _, p := range n {
		rest, fits := strings.CutPrefix(iri, p.IRI)
		if !fits {
			continue
		}
		if local, ok := localName(rest); ok {
			return p.Name + ":" + local, p.Name, true
		}
	}
	return "", "", false
}

// localName writes the end of an IRI as the local part of a prefixed name
// (PN_LOCAL). An end with "/", "#" or "?" could be written with escapes, but is
// easier to read in the whole IRI; there ok is false.
func localName(s string) (local string, ok bool) {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError || r == '/' || r == '#' || r == '?':
			return "", false
		case r == '_' || r == ':' || '0' <= r && r <= '9' || isNameStart(r):
			b.WriteRune(r)
		case r == '%' && isPercent(s[i:]):
			b.WriteByte('%')
		case r == '.' && i > 0 && i < len(s)-1:
			b.WriteByte('.')
		case i > 0 && isNameChar(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf && classes[r]&localEscaped != 0:
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			return "", false
		}
	}
	return b.String(), true
}

// isPercent reports whether s begins with "%" and two hexadecimal digits.
func isPercent(s string) bool {
	return len(s) >= 3 && s[0] == '%' && classes[s[1]]&classes[s[2]]&hexChar != 0
}

// isPrefix reports whether a name can be that of a prefix (PN_PREFIX).
func isPrefix(name string) bool {
	for i, r := range name {
		switch {
		case r == utf8.RuneError:
			return false
		case isNameStart(r) || i > 0 && isNameChar(r):
		case r == '.' && i > 0 && i < len(name)-1:
		default:
			return false
		}
	}
	return true
}

// isPlainIRI reports whether an IRI can be written between < and > as it is.
func isPlainIRI(iri string) bool {
	for i := range len(iri) {
		if classes[iri[i]]&iriChar == 0 {
			return false
		}
	}
	return utf8.ValidString(iri)
}
