package rdf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// UnsayableError is that a format can't say a quad.
type UnsayableError struct {
	Format Format
	// What can't be said and what to do, as the end of a sentence that begins with the
	// format and "cannot say".
	What string
	// Quad is the one that can't be said.
	Quad Quad
}

// Error is a sentence that names the format and what it can't say.
func (e *UnsayableError) Error() string { return e.Format.String() + " cannot say " + e.What }

// sayable refuses a quad that a format of the Turtle family can't say, or not so that it is the
// same when it is read: the error is an *UnsayableError.
func sayable(f Format, q Quad) error {
	if what := unsayable(f, q); what != "" {
		return &UnsayableError{Format: f, What: what, Quad: q}
	}
	return nil
}

// unsayable is what a format can't say of a quad.
func unsayable(f Format, q Quad) string {
	if what := unsayableTriple(f, q.Triple, 0); what != "" {
		return what
	}
	switch {
	case q.Graph.IsZero():
		return ""
	case f == NTriples || f == Turtle:
		return "that a triple is in a graph: write N-Quads or TriG"
	case q.Graph.Kind != IRI && q.Graph.Kind != Blank:
		return named("a graph", q.Graph) + ": only IRIs and blank nodes name graphs"
	}
	return unsayableTerm(f, q.Graph, 0)
}

// unsayableTriple is the same for a triple, which is in triple terms to a depth.
func unsayableTriple(f Format, t Triple, depth int) string {
	if t.Subject.Kind != IRI && t.Subject.Kind != Blank {
		return named("the subject", t.Subject) + ": only IRIs and blank nodes are subjects"
	}
	if t.Predicate.Kind != IRI {
		return named("the predicate", t.Predicate) + ": only IRIs are predicates"
	}
	for _, term := range []Term{t.Subject, t.Predicate, t.Object} {
		if what := unsayableTerm(f, term, depth); what != "" {
			return what
		}
	}
	return ""
}

func unsayableTerm(f Format, t Term, depth int) string {
	switch t.Kind {
	case IRI:
		return unsayableIRI(t.Value)
	case Blank:
		if (f == NTriples || f == NQuads) && !isNodeLabel(t.Value) {
			return fmt.Sprintf("the label %s of a blank node: write Turtle or TriG, which give new labels", shown(t.Value))
		}
		return ""
	case Literal:
		return unsayableLiteral(t)
	case TripleTerm:
		switch {
		case t.Triple == nil:
			return "a triple term without a triple"
		case depth >= MaxDepth:
			return fmt.Sprintf("triple terms that are nested deeper than %d", MaxDepth)
		}
		return unsayableTriple(f, *t.Triple, depth+1)
	}
	return "a triple that has no object"
}

func unsayableIRI(iri string) string {
	switch {
	case schemeLen(iri) == 0:
		return fmt.Sprintf("the relative IRI %s: give a base when reading, so that it becomes absolute", shown(iri))
	case !utf8.ValidString(iri):
		return fmt.Sprintf("the IRI %s: it is not UTF-8", shown(iri))
	}
	for i := range len(iri) {
		if classes[iri[i]]&iriChar == 0 {
			return fmt.Sprintf("the IRI %s: %s can't be in an IRI; percent-encode it in the data (%%%02X)", shown(iri), shown(iri[i:i+1]), iri[i])
		}
	}
	return ""
}

func unsayableLiteral(t Term) string {
	switch {
	case !utf8.ValidString(t.Value):
		return fmt.Sprintf("the text %s: it is not UTF-8", shown(t.Value))
	case t.Lang != "" && !isLanguage(t.Lang):
		return fmt.Sprintf("the language %s of the text %s: a tag is such as en or en-GB, of parts of at most %d letters and digits", shown(t.Lang), shown(t.Value), longestSubtag)
	case t.Dir != "" && (t.Lang == "" || t.Dir != "ltr" && t.Dir != "rtl"):
		return fmt.Sprintf("the base direction %s of the text %s: it is ltr or rtl, beside a language", shown(t.Dir), shown(t.Value))
	case t.Lang != "" || t.Datatype == "":
		return ""
	case t.Datatype == RDFLangString || t.Datatype == RDFDirLangString:
		return fmt.Sprintf("the text %s with the datatype <%s>: that needs a language, and it has none", shown(t.Value), t.Datatype)
	}
	return unsayableIRI(t.Datatype)
}

// named says which term has a part that it can't have.
func named(part string, t Term) string {
	switch t.Kind {
	case IRI:
		return part + " " + shown(t.Value)
	case Blank:
		return part + " " + shown("_:"+t.Value)
	case Literal:
		return part + " " + shown(t.Value)
	case TripleTerm:
		return "a triple term as " + part
	}
	return "that " + part + " is missing"
}

// shown is a text of data for a message: quoted, and short.
func shown(s string) string {
	const most = 120
	if len(s) <= most {
		return QuoteLiteral(s)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return QuoteLiteral(s[:cut] + "…")
}

// isLanguage reports whether a text is a language tag that can be read.
func isLanguage(tag string) bool {
	for i, part := range strings.Split(tag, "-") {
		if part == "" || len(part) > longestSubtag {
			return false
		}
		for _, c := range []byte(part) {
			if letter := classes[c]&nameStart != 0; !letter && (i == 0 || classes[c]&digitChar == 0) {
				return false
			}
		}
	}
	return true
}

// isNodeLabel reports whether a label can be written after "_:" (BLANK_NODE_LABEL).
func isNodeLabel(label string) bool {
	for i, r := range label {
		switch {
		case r == utf8.RuneError && !utf8.ValidString(label[i:]):
			return false
		case r == '_' || '0' <= r && r <= '9' || isNameStart(r):
		case i > 0 && (isNameChar(r) || r == '.' && i < len(label)-1):
		default:
			return false
		}
	}
	return label != ""
}
