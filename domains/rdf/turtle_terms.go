package rdf

import (
	"fmt"
	"strings"
)

// resource reads the IRI, prefixed name or blank node in tok.
func (t *turtle) resource() (Term, error) {
	if t.tok.kind == tokBlank {
		return t.blankNode(), t.next()
	}
	iri, err := t.reference()
	if err != nil {
		return Term{}, err
	}
	return NewIRI(iri), t.next()
}

// reference is the IRI that tok stands for, an IRI or a prefixed name.
func (t *turtle) reference() (string, error) {
	if t.tok.kind == tokName {
		return t.expand()
	}
	return t.iriRef()
}

// iriRef is the IRI in tok, resolved against the base when it is relative. Absolute
// ones are not changed: "http://a/b/../c" stays (Turtle §6.3: only relative IRIs
// are resolved).
func (t *turtle) iriRef() (string, error) {
	text := t.tok.text
	if schemeLen(text) > 0 {
		return t.terms.text(text), nil
	}
	if !t.hasBase {
		return "", t.fail(t.start(), fmt.Sprintf(`the IRI %s is relative and there is no base: write it in full, or add "@base <…> ." with the IRI of the file`, quoted("<"+string(text)+">")))
	}
	if len(text) > cacheLongest {
		return resolveIRI(t.base, string(text)), nil
	}
	slot := t.relative.slot(text)
	if slot.text != string(text) || slot.value == "" {
		*slot = cached{string(text), resolveIRI(t.base, string(text))}
	}
	return slot.value, nil
}

// namespace is the IRI in tok, of a directive: "prefix" or "base".
func (t *turtle) namespace(directive string) (string, error) {
	iri, err := t.iriRef()
	if err == nil && len(iri) > MaxNamespace {
		err = t.fail(t.start(), fmt.Sprintf("the IRI of this %s has %d bytes once it is resolved, and at most %d can be read: give a shorter one, and write the long IRIs in full", directive, len(iri), MaxNamespace))
	}
	return iri, err
}

// expand is the IRI of the prefixed name in tok.
func (t *turtle) expand() (string, error) {
	text := t.tok.text
	slot := t.names.slot(text)
	if slot.text == string(text) {
		return slot.value, nil
	}
	namespace, ok := t.prefixes[string(text[:t.tok.colon])]
	if !ok {
		return "", t.undeclared()
	}
	local := string(text[t.tok.colon+1:])
	if t.tok.escaped {
		local = unescapeLocal(local)
	}
	iri := namespace + local
	if len(text) <= cacheLongest {
		*slot = cached{string(text), iri}
	}
	return iri, nil
}

// unescapeLocal takes the "\" out of a local name; "%" stays with its digits.
func unescapeLocal(local string) string {
	var b strings.Builder
	for i := 0; i < len(local); i++ {
		if local[i] == '\\' {
			i++
		}
		b.WriteByte(local[i])
	}
	return b.String()
}

// shorthand reads the number or boolean in tok.
func (t *turtle) shorthand(datatype string) (Term, error) {
	return NewTyped(t.terms.text(t.tok.text), datatype), t.next()
}

// datatype reads the IRI of a literal's datatype.
func (t *turtle) datatype() (Term, error) {
	if t.tok.kind != tokIRI && t.tok.kind != tokName {
		return Term{}, t.unexpected("a datatype: an IRI or a prefixed name")
	}
	iri, err := t.reference()
	if err == nil {
		err = t.checkDatatype(iri)
	}
	if err != nil {
		return Term{}, err
	}
	return NewIRI(iri), t.next()
}
