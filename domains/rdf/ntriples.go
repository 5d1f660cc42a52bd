package rdf

import "fmt"

// nTriples reads N-Triples: one triple a line (RDF 1.1 N-Triples §2).
type nTriples struct{ reader }

func (n *nTriples) read() error {
	if err := n.begin(NTriples); err != nil {
		return err
	}
	return n.statements()
}

// statements reads from the beginning of a line to the end of the text.
func (n *nTriples) statements() error {
	for {
		if err := n.next(); err != nil {
			return err
		}
		switch n.tok.kind {
		case tokEnd:
			return nil
		case tokLine:
			continue
		}
		if err := n.triple(&n.quad.Triple); err != nil {
			return err
		}
		if err := n.emit(&n.quad); err != nil {
			return err
		}
		if n.tok.kind == tokEnd {
			return nil
		}
	}
}

// triple reads a triple, and the end of its line.
func (n *nTriples) triple(t *Triple) (err error) {
	if n.tok.kind != tokIRI && n.tok.kind != tokBlank {
		return n.unexpected("a subject: an IRI between < and >, or a blank node" + n.looksLikeTurtle())
	}
	if t.Subject, err = n.resource(); err != nil {
		return err
	}
	if n.tok.kind != tokIRI {
		return n.unexpected("a predicate: an IRI between < and >")
	}
	if t.Predicate, err = n.resource(); err != nil {
		return err
	}
	switch n.tok.kind {
	case tokIRI, tokBlank:
		t.Object, err = n.resource()
	case tokString:
		t.Object, err = n.literal(n.datatype)
	default:
		return n.unexpected("an object: an IRI between < and >, a literal in double quotes, or a blank node")
	}
	if err != nil {
		return err
	}
	if n.tok.kind != '.' {
		want := `"." at the end of the triple`
		if n.tok.kind == tokIRI || n.tok.kind == tokBlank {
			want += "; a fourth term is N-Quads, which can't be read yet"
		}
		return n.unexpected(want)
	}
	if err := n.next(); err != nil {
		return err
	}
	if n.tok.kind != tokLine && n.tok.kind != tokEnd {
		return n.unexpected("the end of the line: N-Triples has one triple a line")
	}
	return nil
}

// resource reads the IRI or blank node in tok.
func (n *nTriples) resource() (Term, error) {
	if n.tok.kind == tokBlank {
		return n.blankNode(), n.next()
	}
	text := n.tok.text
	if schemeLen(text) == 0 {
		return Term{}, n.fail(n.start(), fmt.Sprintf("the IRI %s is relative: N-Triples has only absolute ones, such as <http://example.org/a>", quoted("<"+string(text)+">")))
	}
	return NewIRI(n.terms.text(text)), n.next()
}

// datatype reads the IRI of a literal's datatype.
func (n *nTriples) datatype() (Term, error) {
	if n.tok.kind != tokIRI {
		return Term{}, n.unexpected("a datatype: an IRI between < and >")
	}
	return n.resource()
}

// looksLikeTurtle is advice for a file whose extension says N-Triples and that holds
// what only Turtle has.
func (n *nTriples) looksLikeTurtle() string {
	switch n.tok.kind {
	case tokAt, tokName, tokWord, '[', '(':
		return "; if the file is Turtle, name it .ttl"
	}
	return ""
}
