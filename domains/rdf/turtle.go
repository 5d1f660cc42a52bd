package rdf

import (
	"fmt"
	"strings"
)

// turtle reads Turtle by recursive descent over its grammar (RDF 1.1 Turtle
// §6.5). Each method begins with its first token in tok, and ends with the
// first token that is not its own.
type turtle struct {
	reader
	base     iriParts
	hasBase  bool
	prefixes map[string]string // prefix → IRI
	// names and relative hold IRIs: prefixed name or relative IRI as it is written →
	// IRI. They are good for the prefixes and the base that are in force.
	names, relative *cache
	depth           int // of "[" and "("
}

func (t *turtle) read() error {
	if err := t.begin(Turtle); err != nil {
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

// statement reads a directive or the triples of one subject, with their ".".
func (t *turtle) statement() error {
	switch t.tok.kind {
	case tokAt:
		switch string(t.tok.text) {
		case "prefix":
			return t.prefixDirective(true)
		case "base":
			return t.baseDirective(true)
		}
		return t.unexpected("@prefix, @base or " + aSubject)
	case tokWord:
		switch {
		case strings.EqualFold(string(t.tok.text), "PREFIX"):
			return t.prefixDirective(false)
		case strings.EqualFold(string(t.tok.text), "BASE"):
			return t.baseDirective(false)
		}
	}
	if err := t.triples(); err != nil {
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
		return t.unexpected(`the next statement: PREFIX and BASE end without ".", unlike @prefix and @base`)
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
		if !empty && t.tok.kind == '.' {
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
			if err := t.object(subject, predicate); err != nil {
				return err
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
		if t.tok.kind == '.' || t.tok.kind == ']' {
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
func (t *turtle) object(subject, predicate Term) error {
	var object Term
	var err error
	switch t.tok.kind {
	case '[':
		object = t.fresh()
		if err := t.say(subject, predicate, object); err != nil {
			return err
		}
		_, err = t.properties(object)
		return err
	case '(':
		return t.collection(subject, predicate)
	case tokIRI, tokName, tokBlank:
		object, err = t.resource()
	case tokString:
		object, err = t.literal(t.datatype)
	case tokInteger:
		object, err = t.shorthand(XSDInteger)
	case tokDecimal:
		object, err = t.shorthand(XSDDecimal)
	case tokDouble:
		object, err = t.shorthand(XSDDouble)
	case tokWord:
		if s := string(t.tok.text); s != "true" && s != "false" {
			return t.unexpected(anObject)
		}
		object, err = t.shorthand(XSDBoolean)
	default:
		return t.unexpected(anObject)
	}
	if err != nil {
		return err
	}
	return t.say(subject, predicate, object)
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
		return false, t.unexpected(fmt.Sprintf(`"]", ";" or "," inside the "[" of %d:%d`, open.line, open.column))
	}
	t.depth--
	return empty, t.next()
}

// collection reads "(", objects and ")" as the object of a triple.
func (t *turtle) collection(subject, predicate Term) error {
	open := t.start()
	if err := t.enter(); err != nil {
		return err
	}
	for t.tok.kind != ')' {
		cell := t.fresh()
		if err := t.say(subject, predicate, cell); err != nil {
			return err
		}
		if err := t.item(cell, open); err != nil {
			return err
		}
		subject, predicate = cell, NewIRI(RDFRest)
	}
	t.depth--
	if err := t.next(); err != nil {
		return err
	}
	return t.say(subject, predicate, NewIRI(RDFNil))
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
		return t.unexpected(fmt.Sprintf(`an object or ")" inside the "(" of %d:%d`, open.line, open.column))
	}
	return t.object(cell, NewIRI(RDFFirst))
}

// enter reads an opening bracket.
func (t *turtle) enter() error {
	if t.depth++; t.depth > MaxDepth {
		return t.fail(t.start(), fmt.Sprintf(`brackets are nested deeper than %d, which is the most that can be read: give inner blank nodes a label (_:b1) and say what they are outside`, MaxDepth))
	}
	return t.next()
}
