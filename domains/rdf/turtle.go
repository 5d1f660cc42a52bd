package rdf

import (
	"fmt"
	"strings"
)

// turtle reads Turtle and TriG by recursive descent over their grammars (RDF 1.2 Turtle
// §6.5, RDF 1.2 TriG §4.5, which hold those of RDF 1.1). Each method begins with its first
// token in tok, and ends with the first token that is not its own.
type turtle struct {
	reader
	base     iriParts
	hasBase  bool
	prefixes map[string]string // prefix → IRI
	// names and relative hold IRIs: prefixed name or relative IRI as it is written →
	// IRI. They are good for the prefixes and the base that are in force.
	names, relative *cache
	depth           int // of "[", "(", "{|", triple terms and reified triples
}

func (t *turtle) read() error {
	if err := t.begin(); err != nil {
		return err
	}
	if err := t.next(); err != nil {
		return err
	}
	for t.tok.kind != tokEnd {
		if err := t.statement(); err != nil {
			return err
		}
	}
	return nil
}

// statement reads a directive, or the triples of one subject with their ".", or a graph.
func (t *turtle) statement() error {
	switch t.tok.kind {
	case tokAt:
		switch keyword := string(t.tok.text); {
		case t.tok.dir != 0:
		case keyword == "prefix":
			return t.prefixDirective(true)
		case keyword == "base":
			return t.baseDirective(true)
		case keyword == "version":
			return t.versionDirective(true)
		}
		return t.unexpected("@prefix, @base or " + aSubject)
	case tokWord:
		switch {
		case strings.EqualFold(string(t.tok.text), "PREFIX"):
			return t.prefixDirective(false)
		case strings.EqualFold(string(t.tok.text), "BASE"):
			return t.baseDirective(false)
		case strings.EqualFold(string(t.tok.text), "VERSION"):
			return t.versionDirective(false)
		}
	}
	if t.format == TriG {
		if isGraph, err := t.graph(); isGraph || err != nil {
			return err
		}
	} else if err := t.triples(); err != nil {
		return err
	}
	if t.tok.kind != '.' {
		return t.unexpected(afterObject)
	}
	return t.next()
}

// prefixDirective reads @prefix, which ends with ".", or PREFIX, which does not.
func (t *turtle) prefixDirective(dot bool) error {
	if err := t.next(); err != nil {
		return err
	}
	if t.tok.kind != tokName || t.tok.colon != len(t.tok.text)-1 {
		return t.unexpected(`a prefix with a colon, as in "@prefix ex: <http://example.org/> ."`)
	}
	name := string(t.tok.text[:t.tok.colon])
	if err := t.next(); err != nil {
		return err
	}
	if t.tok.kind != tokIRI {
		return t.unexpected("the IRI of the prefix between < and >")
	}
	iri, err := t.namespace("prefix")
	if err != nil {
		return err
	}
	if err := t.endDirective(dot); err != nil {
		return err
	}
	if old, ok := t.prefixes[name]; ok && old != iri {
		t.names.clear()
	}
	t.prefixes[name] = iri
	if t.opts.Prefix != nil {
		t.opts.Prefix(Prefix{Name: name, IRI: iri})
	}
	return nil
}

// baseDirective reads @base or BASE.
func (t *turtle) baseDirective(dot bool) error {
	if err := t.next(); err != nil {
		return err
	}
	if t.tok.kind != tokIRI {
		return t.unexpected("the IRI of the base between < and >")
	}
	iri, err := t.namespace("base")
	if err != nil {
		return err
	}
	if err := t.endDirective(dot); err != nil {
		return err
	}
	t.base, t.hasBase = splitIRI(iri), true
	t.relative.clear()
	return nil
}

// versionDirective reads @version or VERSION. What it announces changes nothing: all of RDF
// 1.2 is read in any case.
func (t *turtle) versionDirective(dot bool) error {
	if err := t.next(); err != nil {
		return err
	}
	if !t.isVersion() {
		return t.unexpected(aVersion)
	}
	return t.endDirective(dot)
}

// endDirective reads the last token of a directive, and its "." where it has one.
func (t *turtle) endDirective(dot bool) error {
	if err := t.next(); err != nil {
		return err
	}
	switch {
	case dot && t.tok.kind == '.':
		return t.next()
	case dot:
		return t.unexpected(afterDirective)
	case t.tok.kind == '.':
		return t.unexpected(`the next statement: PREFIX, BASE and VERSION end without ".", unlike @prefix, @base and @version`)
	}
	return nil
}

// triples reads a subject and what is said of it, without the ".".
func (t *turtle) triples() error {
	var subject Term
	var err error
	switch t.tok.kind {
	case '[':
		var empty bool
		subject = t.fresh()
		if empty, err = t.properties(subject); err != nil {
			return err
		}
		if !empty && (t.tok.kind == '.' || t.tok.kind == '}') {
			return nil
		}
	case '(':
		if subject, err = t.subjectCollection(); err != nil {
			return err
		}
	case tokIRI, tokName, tokBlank:
		if subject, err = t.resource(); err != nil {
			return err
		}
	case tokOpenReified:
		if subject, err = t.reified(); err != nil {
			return err
		}
		if t.tok.kind == '.' || t.tok.kind == '}' {
			return nil
		}
	default:
		return t.unexpected(aSubject)
	}
	return t.predicates(subject)
}

// predicates reads predicates with their objects (predicateObjectList).
func (t *turtle) predicates(subject Term) error {
	for {
		predicate, err := t.verb()
		if err != nil {
			return err
		}
		for {
			object, err := t.object(subject, predicate)
			if err != nil {
				return err
			}
			if t.tok.kind == '~' || t.tok.kind == tokOpenNote {
				if err := t.annotations(&Triple{subject, predicate, object}); err != nil {
					return err
				}
			}
			if t.tok.kind != ',' {
				break
			}
			if err := t.next(); err != nil {
				return err
			}
		}
		if t.tok.kind != ';' {
			return nil
		}
		for t.tok.kind == ';' {
			if err := t.next(); err != nil {
				return err
			}
		}
		switch t.tok.kind {
		case '.', ']', '}', tokCloseNote:
			return nil
		}
	}
}

// verb reads a predicate.
func (t *turtle) verb() (Term, error) {
	switch {
	case t.tok.kind == tokIRI || t.tok.kind == tokName:
		return t.resource()
	case t.tok.kind == tokWord && string(t.tok.text) == "a":
		return NewIRI(RDFType), t.next()
	}
	return Term{}, t.unexpected(aPredicate)
}

// object reads an object and emits its triple, before the triples inside it.
func (t *turtle) object(subject, predicate Term) (object Term, err error) {
	switch t.tok.kind {
	case '[':
		object = t.fresh()
		if err := t.say(subject, predicate, object); err != nil {
			return object, err
		}
		_, err = t.properties(object)
		return object, err
	case '(':
		return t.collection(subject, predicate)
	case tokOpenReified:
		object, err = t.reified()
	default:
		object, err = t.simple()
	}
	if err != nil {
		return object, err
	}
	return object, t.say(subject, predicate, object)
}

// simple reads an object that has no triples inside it.
func (t *turtle) simple() (Term, error) {
	switch t.tok.kind {
	case tokIRI, tokName, tokBlank:
		return t.resource()
	case tokString:
		return t.literal(t.datatype)
	case tokInteger:
		return t.shorthand(XSDInteger)
	case tokDecimal:
		return t.shorthand(XSDDecimal)
	case tokDouble:
		return t.shorthand(XSDDouble)
	case tokOpenTerm:
		return t.tripleTerm()
	case tokWord:
		if s := string(t.tok.text); s == "true" || s == "false" {
			return t.shorthand(XSDBoolean)
		}
	}
	return Term{}, t.unexpected(anObject)
}

// say emits a triple.
func (t *turtle) say(subject, predicate, object Term) error {
	t.quad.Triple = Triple{subject, predicate, object}
	return t.emit(&t.quad)
}

// properties reads "[", what is said of a blank node, and "]". It reports whether
// nothing was said.
func (t *turtle) properties(subject Term) (empty bool, err error) {
	open := t.start()
	if err := t.enter(); err != nil {
		return false, err
	}
	empty = t.tok.kind == ']'
	if !empty {
		if err := t.predicates(subject); err != nil {
			return false, err
		}
	}
	if t.tok.kind != ']' {
		return false, t.unexpected(`";", "," or ` + closing("]", "[", open))
	}
	t.depth--
	return empty, t.next()
}

// collection reads "(", objects and ")" as the object of a triple, which it returns.
func (t *turtle) collection(subject, predicate Term) (first Term, err error) {
	open := t.start()
	if err := t.enter(); err != nil {
		return first, err
	}
	first = NewIRI(RDFNil)
	for t.tok.kind != ')' {
		cell := t.fresh()
		if first.Kind == IRI {
			first = cell
		}
		if err := t.say(subject, predicate, cell); err != nil {
			return first, err
		}
		if err := t.item(cell, open); err != nil {
			return first, err
		}
		subject, predicate = cell, NewIRI(RDFRest)
	}
	t.depth--
	if err := t.next(); err != nil {
		return first, err
	}
	return first, t.say(subject, predicate, NewIRI(RDFNil))
}

// subjectCollection reads "(", objects and ")" as a subject, which it returns.
func (t *turtle) subjectCollection() (Term, error) {
	open := t.start()
	if err := t.enter(); err != nil {
		return Term{}, err
	}
	first := NewIRI(RDFNil)
	if t.tok.kind != ')' {
		first = t.fresh()
		if err := t.item(first, open); err != nil {
			return first, err
		}
		cell := first
		for t.tok.kind != ')' {
			next := t.fresh()
			if err := t.say(cell, NewIRI(RDFRest), next); err != nil {
				return first, err
			}
			if err := t.item(next, open); err != nil {
				return first, err
			}
			cell = next
		}
		if err := t.say(cell, NewIRI(RDFRest), NewIRI(RDFNil)); err != nil {
			return first, err
		}
	}
	t.depth--
	return first, t.next()
}

// item reads one object of the collection that was opened at a place.
func (t *turtle) item(cell Term, open place) error {
	switch t.tok.kind {
	case tokEnd, '.', ';', ',', ']':
		return t.unexpected("an object or " + closing(")", "(", open))
	}
	_, err := t.object(cell, NewIRI(RDFFirst))
	return err
}

// enter reads an opening bracket.
func (t *turtle) enter() error {
	if t.depth++; t.depth > MaxDepth {
		return t.fail(t.start(), fmt.Sprintf(`brackets are nested deeper than %d, which is the most that can be read: give inner blank nodes a label (_:b1) and say what they are outside`, MaxDepth))
	}
	return t.next()
}
