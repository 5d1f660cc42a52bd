package rdf

import (
	"fmt"
	"strings"
)

// propertySyntax are the attributes of RDF that a property element may have.
var propertySyntax = map[string]bool{
	"ID": true, "parseType": true, "resource": true, "nodeID": true, "datatype": true, "annotation": true, "annotationNodeID": true,
}

// xmlProperty is a property element while it is read.
type xmlProperty struct {
	name      xmlName
	predicate Term
	subject   Term
	reified   Term      // by rdf:ID; zero for none
	reifiers  []Term    // by rdf:annotation and rdf:annotationNodeID
	syntax    xmlAttr   // the other attribute of RDF; without a name for none
	said      []xmlAttr // properties of the object
}

// has reports whether the property element has an attribute of RDF.
func (p *xmlProperty) has(name string) bool { return p.syntax.name.local == name }

// property reads a property element of a subject.
func (x *rdfXML) property(scope xmlScope, subject Term) error {
	if err := x.checkElement("a property", "Description"); err != nil {
		return err
	}
	if err := x.checkName(x.at, x.name); err != nil {
		return err
	}
	if err := x.inherit(&scope); err != nil {
		return err
	}
	p := xmlProperty{name: x.name, subject: subject}
	var err error
	if p.said, err = x.attributes(propertySyntax); err != nil {
		return err
	}
	p.predicate = NewIRI(x.whole(p.name))
	if err := x.syntaxOf(scope, &p); err != nil {
		return err
	}
	switch {
	case p.has("parseType"):
		return x.parsed(scope, &p)
	case p.has("resource") || p.has("nodeID") || len(p.said) > 0:
		return x.emptyProperty(scope, &p)
	}
	return x.textOrNode(scope, &p)
}

// syntaxOf reads the attributes of RDF in a property element, and refuses those that do not
// go together.
func (x *rdfXML) syntaxOf(scope xmlScope, p *xmlProperty) (err error) {
	var reifier Term
	for _, a := range x.attrs {
		switch a.name.local {
		case "ID":
			p.reified, err = x.id(scope, a)
		case "annotation":
			var iri string
			iri, err = x.resolve(scope, a, a.value)
			p.reifiers = append(p.reifiers, NewIRI(iri))
		case "annotationNodeID":
			reifier, err = x.labelled(a)
			p.reifiers = append(p.reifiers, reifier)
		default:
			if !p.has("") {
				return x.fail(a.at, fmt.Sprintf("found %s beside %s, expected only one of rdf:resource, rdf:nodeID, rdf:datatype and rdf:parseType in <%s>", a.name, p.syntax.name, p.name))
			}
			p.syntax = a
		}
		if err != nil {
			return err
		}
	}
	if len(p.said) > 0 && (p.has("datatype") || p.has("parseType")) {
		return x.fail(p.said[0].at, fmt.Sprintf("found the property %s beside %s, which can't be together in <%s>", p.said[0].name, p.syntax.name, p.name))
	}
	return nil
}

// tell says that a property element has an object, and what stands for that triple.
func (x *rdfXML) tell(p *xmlProperty, object Term) error {
	if err := x.say(p.subject, p.predicate, object); err != nil {
		return err
	}
	if !p.reified.IsZero() {
		for _, part := range []struct {
			property string
			value    Term
		}{{RDFType, NewIRI(RDF + "Statement")}, {RDF + "subject", p.subject}, {RDF + "predicate", p.predicate}, {RDF + "object", object}} {
			if err := x.say(p.reified, NewIRI(part.property), part.value); err != nil {
				return err
			}
		}
	}
	if len(p.reifiers) == 0 {
		return nil
	}
	term := Term{Kind: TripleTerm, Triple: &Triple{p.subject, p.predicate, object}}
	for _, reifier := range p.reifiers {
		if err := x.say(reifier, NewIRI(RDFReifies), term); err != nil {
			return err
		}
	}
	return nil
}

// emptyProperty reads a property element whose object is given by attributes.
func (x *rdfXML) emptyProperty(scope xmlScope, p *xmlProperty) error {
	var object Term
	switch {
	case p.has("resource"):
		iri, err := x.resolve(scope, p.syntax, p.syntax.value)
		if err != nil {
			return err
		}
		object = NewIRI(iri)
	case p.has("nodeID"):
		var err error
		if object, err = x.labelled(p.syntax); err != nil {
			return err
		}
	default:
		object = x.fresh()
	}
	if err := x.tell(p, object); err != nil {
		return err
	}
	if err := x.sayAttributes(scope, object, p.said); err != nil {
		return err
	}
	return x.nothing(p)
}

// nothing reads up to the end of a property element that can hold nothing.
func (x *rdfXML) nothing(p *xmlProperty) error {
	const want = "nothing in <>, whose attributes say what its value is"
	more, err := x.child(want, p)
	if err == nil && more {
		err = x.notChild("<"+x.name.String()+">", want, p)
	}
	return err
}

// textOrNode reads a property element that holds text, or one node element.
func (x *rdfXML) textOrNode(scope xmlScope, p *xmlProperty) error {
	x.content = x.content[:0]
	for {
		if err := x.next(); err != nil {
			return err
		}
		switch x.kind {
		case xmlText:
			if len(x.content)+len(x.text) > MaxToken {
				return x.fail(x.at, fmt.Sprintf("the text of <%s> is longer than %d MiB, which is the most that can be read", p.name, MaxToken>>20))
			}
			x.content = append(x.content, x.text...)
		case xmlClose:
			object := scope.text(x.terms.text(x.content))
			if a := p.syntax; p.has("datatype") {
				iri, err := x.resolve(scope, a, a.value)
				if err != nil {
					return err
				}
				if iri == RDFLangString || iri == RDFDirLangString {
					return x.fail(a.at, `a text has this datatype by its language alone: write xml:lang="en", or leave the datatype out`)
				}
				object = NewTyped(object.Value, x.terms.text([]byte(iri)))
			}
			return x.tell(p, object)
		case xmlStart:
			switch {
			case p.has("datatype"):
				return x.fail(x.at, fmt.Sprintf("found <%s>, expected text in <%s>, which has %s", x.name, p.name, p.syntax.name))
			case !isSpace(x.content):
				return x.fail(x.at, fmt.Sprintf("found <%s> after text in <%s>, expected text alone or one element: write &lt; for a \"<\", or rdf:parseType=\"Literal\" for XML as a value", x.name, p.name))
			}
			object, err := x.node(scope)
			if err != nil {
				return err
			}
			if err := x.tell(p, object); err != nil {
				return err
			}
			more, err := x.child("the end of <> after its value", p)
			if err == nil && more {
				err = x.fail(x.at, fmt.Sprintf("found a second element <%s> in <%s>, expected one: repeat <%s> for each value, or write rdf:parseType=\"Collection\" for a list", x.name, p.name, p.name))
			}
			return err
		}
	}
}

// parsed reads a property element with rdf:parseType.
func (x *rdfXML) parsed(scope xmlScope, p *xmlProperty) error {
	switch parse := p.syntax; {
	case parse.value == "Resource":
		object := x.fresh()
		if err := x.tell(p, object); err != nil {
			return err
		}
		return x.properties(scope, object)
	case parse.value == "Collection":
		return x.collection(scope, p)
	case parse.value == "Triple" && scope.is12:
		return x.triple(scope, p)
	case parse.value == "Triple": // of a version that the document does not announce
		_, err := x.literalContent()
		return err
	}
	text, err := x.literalContent()
	if err != nil {
		return err
	}
	return x.tell(p, NewTyped(text, RDF+"XMLLiteral"))
}

// collection reads node elements as the members of a list.
func (x *rdfXML) collection(scope xmlScope, p *xmlProperty) error {
	var cell Term
	for {
		more, err := x.child("a member of the collection, which is an element", nil)
		if err != nil {
			return err
		}
		next := NewIRI(RDFNil)
		if more {
			next = x.fresh()
		}
		if cell.IsZero() {
			err = x.tell(p, next)
		} else {
			err = x.say(cell, NewIRI(RDFRest), next)
		}
		if err != nil || !more {
			return err
		}
		cell = next
		member, err := x.node(scope)
		if err != nil {
			return err
		}
		if err := x.say(cell, NewIRI(RDFFirst), member); err != nil {
			return err
		}
	}
}

// triple reads a node element that says one triple, which is the object.
func (x *rdfXML) triple(scope xmlScope, p *xmlProperty) error {
	more, err := x.child("an element with one triple", nil)
	if err != nil {
		return err
	}
	if !more {
		return x.fail(x.at, fmt.Sprintf("<%s> has no element, expected one with one triple", p.name))
	}
	at, name := x.at, x.name
	var said []Triple
	outer := x.captured
	x.captured = &said
	_, err = x.node(scope)
	x.captured = outer
	switch {
	case err != nil:
		return err
	case len(said) != 1:
		return x.fail(at, fmt.Sprintf("<%s> says %d triples, expected one: it is the content of a triple term", name, len(said)))
	}
	if err := x.tell(p, Term{Kind: TripleTerm, Triple: &said[0]}); err != nil {
		return err
	}
	if more, err = x.child("the end of <> after its triple", p); err == nil && more {
		err = x.fail(x.at, fmt.Sprintf("found a second element <%s> in <%s>, expected one with one triple", x.name, strings.TrimSpace(p.name.String())))
	}
	return err
}
