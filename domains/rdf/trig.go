package rdf

import "strings"

// What TriG adds to Turtle: graphs (RDF 1.1 TriG §2.2).

// graph reads a graph, or the triples of one subject in the default graph without their
// ".". It reports whether it was a graph.
func (t *turtle) graph() (isGraph bool, err error) {
	switch t.tok.kind {
	case '{':
		return true, t.wrapped(Term{})
	case tokWord:
		if strings.EqualFold(string(t.tok.text), "GRAPH") {
			return true, t.named()
		}
	case tokIRI, tokName, tokBlank:
		subject, err := t.resource()
		if err != nil {
			return false, err
		}
		if t.tok.kind == '{' {
			return true, t.wrapped(subject)
		}
		return false, t.predicates(subject)
	case '[':
		subject := t.fresh()
		empty, err := t.properties(subject)
		switch {
		case err != nil:
			return false, err
		case empty && t.tok.kind == '{':
			return true, t.wrapped(subject)
		case !empty && t.tok.kind == '.':
			return false, nil
		}
		return false, t.predicates(subject)
	}
	return false, t.triples()
}

// named reads GRAPH, the name of a graph, and the graph.
func (t *turtle) named() error {
	if err := t.next(); err != nil {
		return err
	}
	var name Term
	var err error
	switch t.tok.kind {
	case tokIRI, tokName, tokBlank:
		name, err = t.resource()
	case '[':
		name, err = t.anonymous()
	default:
		return t.unexpected("the name of a graph after GRAPH: an IRI, a prefixed name or a blank node")
	}
	if err != nil {
		return err
	}
	if t.tok.kind != '{' {
		return t.unexpected(`"{" after the name of a graph`)
	}
	return t.wrapped(name)
}

// wrapped reads "{", triples and "}". The last "." may be missing.
func (t *turtle) wrapped(name Term) error {
	open := t.start()
	if err := t.next(); err != nil {
		return err
	}
	t.quad.Graph = name
	for t.tok.kind != '}' {
		switch t.tok.kind {
		case tokEnd:
			return t.unexpected("a subject or " + closing("}", "{", open))
		case tokAt, tokWord:
			return t.unexpected(aSubject + "; directives and graphs stand outside of graphs")
		}
		if err := t.triples(); err != nil {
			return err
		}
		if t.tok.kind == '.' {
			if err := t.next(); err != nil {
				return err
			}
		} else if t.tok.kind != '}' {
			return t.unexpected(`".", ";" or "," after an object, or ` + closing("}", "{", open))
		}
	}
	t.quad.Graph = Term{}
	return t.next()
}
