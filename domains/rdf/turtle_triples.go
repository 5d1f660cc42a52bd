package rdf

// The parts of Turtle that RDF 1.2 has added: triple terms, reified triples and
// annotations (RDF 1.2 Turtle §2.8 to §2.10).

// tripleTerm reads "<<(", a triple and ")>>".
func (t *turtle) tripleTerm() (Term, error) {
	open := t.start()
	if err := t.enter(); err != nil {
		return Term{}, err
	}
	said := new(Triple)
	if err := t.inner(said, false); err != nil {
		return Term{}, err
	}
	if t.tok.kind != tokCloseTerm {
		return Term{}, t.unexpected(closing(")>>", "<<(", open))
	}
	t.depth--
	return Term{Kind: TripleTerm, Triple: said}, t.next()
}

// reified reads "<<", a triple that may be followed by its reifier, and ">>". It returns
// the reifier.
func (t *turtle) reified() (reifier Term, err error) {
	open := t.start()
	if err := t.enter(); err != nil {
		return Term{}, err
	}
	said := new(Triple)
	if err := t.inner(said, true); err != nil {
		return Term{}, err
	}
	if t.tok.kind == '~' {
		reifier, err = t.reifier()
	} else {
		reifier = t.fresh()
	}
	if err != nil {
		return reifier, err
	}
	if t.tok.kind != tokCloseReified {
		return reifier, t.unexpected(`"~" and a reifier, or ` + closing(">>", "<<", open))
	}
	t.depth--
	if err := t.next(); err != nil {
		return reifier, err
	}
	return reifier, t.reify(reifier, said)
}

// reify says that a reifier stands for a triple.
func (t *turtle) reify(reifier Term, said *Triple) error {
	return t.say(reifier, NewIRI(RDFReifies), Term{Kind: TripleTerm, Triple: said})
}

// inner reads the triple inside brackets; in those of a reified triple, subject and object
// may be reified triples too.
func (t *turtle) inner(said *Triple, mayReify bool) (err error) {
	switch {
	case t.tok.kind == tokIRI || t.tok.kind == tokName || t.tok.kind == tokBlank:
		said.Subject, err = t.resource()
	case t.tok.kind == '[':
		said.Subject, err = t.anonymous()
	case t.tok.kind == tokOpenReified && mayReify:
		said.Subject, err = t.reified()
	default:
		return t.unexpected("a subject inside a triple: an IRI, a prefixed name or a blank node")
	}
	if err != nil {
		return err
	}
	if said.Predicate, err = t.verb(); err != nil {
		return err
	}
	switch t.tok.kind {
	case '[':
		said.Object, err = t.anonymous()
	case tokOpenReified:
		if !mayReify {
			return t.unexpected(`an object inside a triple term: an IRI, a prefixed name, a literal, a blank node or "<<("`)
		}
		said.Object, err = t.reified()
	default:
		said.Object, err = t.simple()
	}
	return err
}

// anonymous reads "[" and "]" with nothing between them.
func (t *turtle) anonymous() (Term, error) {
	if err := t.next(); err != nil {
		return Term{}, err
	}
	if t.tok.kind != ']' {
		return Term{}, t.unexpected(`"]" after "[" inside a triple: give the blank node a label (_:b1) and say what it is outside`)
	}
	return t.fresh(), t.next()
}

// reifier reads "~" and the name of a reifier; one that has none is a new blank node.
func (t *turtle) reifier() (Term, error) {
	if err := t.next(); err != nil {
		return Term{}, err
	}
	switch t.tok.kind {
	case tokIRI, tokName, tokBlank:
		return t.resource()
	case '[':
		return t.anonymous()
	}
	return t.fresh(), nil
}

// annotations reads what follows the object of a triple: reifiers, and blocks that say
// something of the reifier before them or, where none is, of a new one.
func (t *turtle) annotations(said *Triple) error {
	var reifier Term // that a block may still use
	for {
		var err error
		switch t.tok.kind {
		case '~':
			if reifier, err = t.reifier(); err == nil {
				err = t.reify(reifier, said)
			}
		case tokOpenNote:
			if reifier.IsZero() {
				reifier = t.fresh()
				err = t.reify(reifier, said)
			}
			if err == nil {
				err = t.note(reifier)
			}
			reifier = Term{}
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// note reads "{|", what is said of a reifier, and "|}".
func (t *turtle) note(reifier Term) error {
	open := t.start()
	if err := t.enter(); err != nil {
		return err
	}
	if err := t.predicates(reifier); err != nil {
		return err
	}
	if t.tok.kind != tokCloseNote {
		return t.unexpected(`";", "," or ` + closing("|}", "{|", open))
	}
	t.depth--
	return t.next()
}
