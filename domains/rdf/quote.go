package rdf

import (
	"fmt"
	"strings"
)

// String writes the term in N-Triples; the zero Term is "".
func (t Term) String() string {
	w := termWriter{blank: writtenLabel}
	return w.term(t)
}

// String writes the triple in N-Triples, without the end of the line.
func (t Triple) String() string {
	return t.Subject.String() + " " + t.Predicate.String() + " " + t.Object.String() + " ."
}

func writtenLabel(label string) string { return "_:" + label }

// termWriter writes terms.
type termWriter struct {
	names namespaces
	// blank writes the blank node with a label.
	blank func(label string) string
	// used is told the prefix of each prefixed name; it may be nil.
	used func(prefix string)
	// shorthand allows numbers and booleans without quotes.
	shorthand bool
	// canonical writes strings as canonical N-Triples has them.
	canonical bool
}

func (w *termWriter) term(t Term) string {
	switch t.Kind {
	case IRI:
		return w.iri(t.Value)
	case Blank:
		return w.blank(t.Value)
	case Literal:
		return w.literal(t)
	case TripleTerm:
		if t.Triple == nil {
			return ""
		}
		return "<<( " + w.term(t.Triple.Subject) + " " + w.term(t.Triple.Predicate) + " " + w.term(t.Triple.Object) + " )>>"
	}
	return ""
}

func (w *termWriter) iri(iri string) string {
	if name, prefix, ok := w.names.shorten(iri); ok {
		if w.used != nil {
			w.used(prefix)
		}
		return name
	}
	if isPlainIRI(iri) {
		return "<" + iri + ">"
	}
	var b strings.Builder
	b.WriteByte('<')
	for _, r := range iri {
		if r < 0x80 && classes[r]&iriChar == 0 {
			fmt.Fprintf(&b, `\u%04X`, r)
			continue
		}
		b.WriteRune(r)
	}
	b.WriteByte('>')
	return b.String()
}

func (w *termWriter) literal(t Term) string {
	text := ""
	switch {
	case w.shorthand && t.Datatype != "" && t.Datatype == shorthandType(t.Value):
		return t.Value
	case w.canonical:
		text = quoteCanonical(t.Value)
	default:
		text = QuoteLiteral(t.Value)
	}
	switch {
	case t.Lang != "" && t.Dir != "":
		return text + "@" + t.Lang + "--" + t.Dir
	case t.Lang != "":
		return text + "@" + t.Lang
	case t.Datatype != "":
		return text + "^^" + w.iri(t.Datatype)
	}
	return text
}

// QuoteLiteral writes a text as a string in one line, in double quotes, as Turtle
// and N-Triples have it. Characters that are not seen (see Hidden) are
// escaped, so that the text can't hide anything; and in one line it can't
// imitate the lines around it, as the long strings of Turtle could.
func QuoteLiteral(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		writeEscaped(&b, r)
	}
	b.WriteByte('"')
	return b.String()
}

// quoteCanonical writes a text as a string of canonical N-Triples: escaped is what has to be,
// and the shortest escape is used (RDF 1.2 N-Triples §3.1).
func quoteCanonical(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r == '"', r == '\\', r == '\n', r == '\r', r == '\t':
			writeEscaped(&b, r)
		case r < ' ', r == 0x7F, r == 0xFFFE, r == 0xFFFF: // no characters of XML 1.1
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// writeEscaped writes a character of a string, as an escape where it needs one.
func writeEscaped(b *strings.Builder, r rune) {
	switch {
	case r == '"' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case Hidden(r) && r > 0xFFFF:
		fmt.Fprintf(b, `\U%08X`, r)
	case Hidden(r):
		fmt.Fprintf(b, `\u%04X`, r)
	default:
		b.WriteRune(r)
	}
}

// shorthandType is the datatype that a lexical form has when it is written without
// quotes; empty where it can't be.
func shorthandType(s string) string {
	if s == "true" || s == "false" {
		return XSDBoolean
	}
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	whole, s := cutDigits(s)
	if s == "" && whole > 0 {
		return XSDInteger
	}
	fraction := 0
	if dot, ok := strings.CutPrefix(s, "."); ok {
		fraction, s = cutDigits(dot)
		if s == "" && fraction > 0 {
			return XSDDecimal
		}
	}
	if whole+fraction == 0 || s == "" || s[0] != 'e' && s[0] != 'E' {
		return ""
	}
	if s = s[1:]; s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	if digits, rest := cutDigits(s); digits > 0 && rest == "" {
		return XSDDouble
	}
	return ""
}

// cutDigits counts the digits that s begins with and returns what follows.
func cutDigits(s string) (n int, rest string) {
	for n < len(s) && classes[s[n]]&digitChar != 0 {
		n++
	}
	return n, s[n:]
}
