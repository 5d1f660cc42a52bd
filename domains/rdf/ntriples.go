package rdf

import "fmt"

// nQuads reads N-Quads, one quad a line (RDF 1.1 N-Quads §2), and N-Triples, the quads
// of which are all in the default graph (RDF 1.1 N-Triples §2), both with what RDF 1.2
// adds.
type nQuads struct{ reader }

func (n *nQuads) read() error {
	if err := n.begin(); err != nil {
		return err
	}
	return n.statements()
}

// statements reads from the beginning of a line to the end of the text.
func (n *nQuads) statements() error {
	for {
		if err := n.next(); err != nil {
			return err
		}
		var err error
		switch n.tok.kind {
		case tokEnd:
			return nil
		case tokLine:
			continue
		case tokWord:
			err = n.version()
		default:
			if err = n.statement(); err == nil {
				err = n.emit(&n.quad)
			}
		}
		if err != nil || n.tok.kind == tokEnd {
			return err
		}
	}
}

// version reads the announcement of a version, and the end of its line.
func (n *nQuads) version() error {
	if string(n.tok.text) != "VERSION" {
		return n.notSubject()
	}
	if err := n.next(); err != nil {
		return err
	}
	if !n.isVersion() {
		return n.unexpected(aVersion)
	}
	return n.endOfLine()
}

// statement reads a triple with its graph, and the end of its line.
func (n *nQuads) statement() (err error) {
	if n.tok.kind != tokIRI && n.tok.kind != tokBlank {
		return n.notSubject()
	}
	if err = n.triple(&n.quad.Triple, 0); err != nil {
		return err
	}
	n.quad.Graph = Term{}
	if n.format == NQuads && (n.tok.kind == tokIRI || n.tok.kind == tokBlank) {
		if n.quad.Graph, err = n.resource(); err != nil {
			return err
		}
	}
	if n.tok.kind != '.' {
		return n.unexpected(n.afterObject())
	}
	return n.endOfLine()
}

// afterObject is what can follow the object of a statement.
func (n *nQuads) afterObject() string {
	switch fourth := n.tok.kind == tokIRI || n.tok.kind == tokBlank; {
	case n.format == NTriples && fourth:
		return `"." at the end of the triple; a fourth term is N-Quads: if the file is that, name it .nq`
	case n.format == NTriples:
		return `"." at the end of the triple`
	case !n.quad.Graph.IsZero():
		return `"." at the end of the quad`
	}
	return `"." at the end of the quad, or its graph: an IRI between < and >, or a blank node`
}

// endOfLine reads a last token, and sees to it that the line ends after it.
func (n *nQuads) endOfLine() error {
	if err := n.next(); err != nil {
		return err
	}
	if n.tok.kind != tokLine && n.tok.kind != tokEnd {
		return n.unexpected(fmt.Sprintf("the end of the line: %s has one statement a line", n.format))
	}
	return nil
}

// triple reads subject, predicate and object, that many triple terms deep.
func (n *nQuads) triple(t *Triple, depth int) (err error) {
	if n.tok.kind != tokIRI && n.tok.kind != tokBlank {
		return n.notSubject()
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
	case tokOpenTerm:
		t.Object, err = n.tripleTerm(depth + 1)
	default:
		return n.unexpected("an object: an IRI between < and >, a literal in double quotes, or a blank node")
	}
	return err
}

// tripleTerm reads the triple term that begins in tok.
func (n *nQuads) tripleTerm(depth int) (Term, error) {
	open := n.start()
	if depth > MaxDepth {
		return Term{}, n.fail(open, tooDeep)
	}
	if err := n.next(); err != nil {
		return Term{}, err
	}
	t := new(Triple)
	if err := n.triple(t, depth); err != nil {
		return Term{}, err
	}
	if n.tok.kind != tokCloseTerm {
		// A place in the message would be one in the block, when lines are read in blocks.
		return Term{}, n.unexpected(fmt.Sprintf(`")>>" for the "<<(" in column %d`, open.column))
	}
	return Term{Kind: TripleTerm, Triple: t}, n.next()
}

// tooDeep refuses triples that are too deep in each other.
var tooDeep = fmt.Sprintf("triple terms are nested deeper than %d, which is the most that can be read", MaxDepth)

// resource reads the IRI or blank node in tok.
func (n *nQuads) resource() (Term, error) {
	if n.tok.kind == tokBlank {
		return n.blankNode(), n.next()
	}
	iri, err := n.absolute()
	if err != nil {
		return Term{}, err
	}
	return NewIRI(iri), n.next()
}

// absolute is the IRI in tok.
func (n *nQuads) absolute() (string, error) {
	text := n.tok.text
	if schemeLen(text) == 0 {
		return "", n.fail(n.start(), fmt.Sprintf("the IRI %s is relative: %s has only absolute ones, such as <http://example.org/a>", quoted("<"+string(text)+">"), n.format))
	}
	return n.terms.text(text), nil
}

// datatype reads the IRI of a literal's datatype.
func (n *nQuads) datatype() (Term, error) {
	if n.tok.kind != tokIRI {
		return Term{}, n.unexpected("a datatype: an IRI between < and >")
	}
	iri, err := n.absolute()
	if err == nil {
		err = n.checkDatatype(iri)
	}
	if err != nil {
		return Term{}, err
	}
	return NewIRI(iri), n.next()
}

// notSubject is the error for what cannot begin a triple. A file whose extension says
// that it has one statement a line may hold what only Turtle or TriG has.
func (n *nQuads) notSubject() error {
	want := "a subject: an IRI between < and >, or a blank node"
	switch n.tok.kind {
	case tokAt, tokName, tokWord, '[', '(', tokOpenReified:
		want += "; if the file is Turtle, name it .ttl"
	case '{':
		want += "; if the file is TriG, name it .trig"
	}
	return n.unexpected(want)
}
