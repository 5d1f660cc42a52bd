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

func newReader(in input, o Options, emit func(*Quad) error) reader {
	return reader{scanner: scanner{input: in}, opts: o, emit: emit, terms: newCache(), labels: newCache()}
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

// literal reads the string in tok with its language or datatype; datatype
// reads the datatype's IRI.
func (r *reader) literal(datatype func() (Term, error)) (Term, error) {
	term := NewString(r.terms.text(r.tok.text))
	if err := r.next(); err != nil {
		return term, err
	}
	switch r.tok.kind {
	case tokAt:
		term.Lang = r.terms.text(r.tok.text)
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
