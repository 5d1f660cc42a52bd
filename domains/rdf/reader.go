package rdf

import (
	"fmt"
	"strings"
)

// reader is what the readers of all formats share.
type reader struct {
	scanner
	opts Options
	// emit is given quad, which is made anew for each triple.
	emit  func(*Quad) error
	quad  Quad
	terms *cache // literals, language tags and absolute IRIs
	// labels holds blank nodes: text of the file → label.
	labels *cache
	// generates says that the format has blank nodes without label, so that written
	// labels must keep clear of those that fresh makes.
	generates bool
	generated int // labels made
}

func newReader(in input, f Format, o Options, emit func(*Quad) error) reader {
	return reader{scanner: scanner{input: in, format: f}, opts: o, emit: emit, terms: newCache(), labels: newCache()}
}

// blankNode returns the blank node in tok.
func (r *reader) blankNode() Term {
	text := r.tok.text
	if len(text) > cacheLongest {
		return NewBlank(r.label(string(text)))
	}
	slot := r.labels.slot(text)
	if slot.text != string(text) {
		s := string(text)
		*slot = cached{s, r.label(s)}
	}
	return NewBlank(slot.value)
}

// label is the label of the blank node that the file writes as text. One that looks as
// if fresh had made it gets a "_" after the g, and so does one that looks as if it had
// got one: g1 → g_1 → g__1.
func (r *reader) label(text string) string {
	label := text[len("_:"):]
	if rest, ok := strings.CutPrefix(label, "g"); ok && r.generates && isNumber(strings.TrimLeft(rest, "_")) {
		label = "g_" + rest
	}
	return r.opts.BlankPrefix + label
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// fresh returns a blank node that the file gives no label.
func (r *reader) fresh() Term {
	r.generated++
	return NewBlank(fmt.Sprintf("%sg%d", r.opts.BlankPrefix, r.generated))
}

// literal reads the string in tok with its language and base direction or its datatype;
// datatype reads the datatype's IRI.
func (r *reader) literal(datatype func() (Term, error)) (Term, error) {
	term := NewString(r.terms.text(r.tok.text))
	if err := r.next(); err != nil {
		return term, err
	}
	switch r.tok.kind {
	case tokAt:
		term.Lang, term.Dir = r.terms.text(r.tok.text), r.tok.dir.String()
		return term, r.next()
	case tokTyped:
		if err := r.next(); err != nil {
			return term, err
		}
		iri, err := datatype()
		return NewTyped(term.Value, iri.Value), err
	}
	return term, nil
}

// checkDatatype refuses the datatypes in tok that only a language tag can give (RDF 1.2
// Concepts §3.4).
func (r *reader) checkDatatype(iri string) error {
	switch iri {
	case RDFLangString:
		return r.fail(r.start(), `a text has this datatype by its language tag alone: write "text"@en, or leave the datatype out`)
	case RDFDirLangString:
		return r.fail(r.start(), `a text has this datatype by its language tag and base direction alone: write "text"@ar--rtl, or leave the datatype out`)
	}
	return nil
}

// isVersion reports whether tok is the version that a directive announces: a string with
// one quote on each side (RDF 1.2 Turtle, VersionSpecifier).
func (r *reader) isVersion() bool {
	if r.tok.kind != tokString {
		return false
	}
	quote := r.buf[r.mark]
	return !(r.buf[r.mark+1] == quote && r.pos-r.mark >= 6 && r.buf[r.mark+2] == quote)
}

// aVersion is what an announcement of a version needs.
const aVersion = `a version in one pair of quotes, such as "1.2"`
