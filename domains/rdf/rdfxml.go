package rdf

import (
	"fmt"
	"slices"
	"strings"
)

// rdfXML reads RDF/XML by recursive descent over its grammar (RDF 1.2 XML Syntax §6, which
// holds that of RDF 1.1). Each method begins with the start tag of its element as the part
// that was read last, and ends with the end tag of that.
type rdfXML struct {
	xmlScanner
	ids map[string]bool // IRIs made by rdf:ID, which must not come twice
	// captured collects triples where they are the content of a triple term; nil elsewhere.
	captured *[]Triple
	checked  string // the namespace that was found to be an IRI last
	content  []byte // text of the property element that is read
}

// xmlScope is what an element passes on to those inside it.
type xmlScope struct {
	base iriParts
	// document is the base as text without fragment; empty where there is no base.
	document string
	lang     string
	dir      direction
	// is12 is set by rdf:version.
	is12 bool
}

// itsSpace is the namespace of the attribute that gives a base direction.
const itsSpace = "http://www.w3.org/2005/11/its"

func (x *rdfXML) read() error {
	if err := x.xmlScanner.input.open(); err != nil {
		return err
	}
	scope := xmlScope{}
	if x.opts.Base != "" {
		scope.setBase(x.opts.Base)
	}
	if err := x.beginXML(); err != nil {
		return err
	}
	if err := x.root(scope); err != nil {
		return err
	}
	for {
		if err := x.next(); err != nil {
			return err
		}
		switch {
		case x.kind == xmlEnd:
			return nil
		case x.kind == xmlStart || x.kind == xmlText && !isSpace(x.text):
			return x.fail(x.at, "found more after the end of the first element, expected the end of the file: put all elements into one <rdf:RDF>")
		}
	}
}

// beginXML reads up to the first start tag.
func (x *rdfXML) beginXML() error {
	for {
		if err := x.next(); err != nil {
			return err
		}
		switch x.kind {
		case xmlStart:
			return nil
		case xmlEnd:
			return x.fail(x.at, "found the end of the file, expected <rdf:RDF>")
		case xmlText:
			if !isSpace(x.text) {
				return x.fail(x.afterSpace(), fmt.Sprintf("found %s, expected XML: if the file is Turtle, name it .ttl", quoted(strings.TrimSpace(string(x.text)))))
			}
		}
	}
}

// root reads rdf:RDF, or the only node element of a document without it.
func (x *rdfXML) root(scope xmlScope) error {
	if x.name.iri != RDF || x.name.local != "RDF" {
		if err := x.checkRoot(); err != nil {
			return err
		}
		_, err := x.node(scope)
		return err
	}
	if err := x.inherit(&scope); err != nil {
		return err
	}
	for _, a := range x.attrs {
		if !isForAll(a.name) {
			return x.fail(a.at, fmt.Sprintf("found the attribute %s, expected only xml:base, xml:lang, rdf:version and namespaces in %s", a.name, x.name))
		}
	}
	for {
		more, err := x.child("a description of something, which is an element", nil)
		if err != nil || !more {
			return err
		}
		if _, err := x.node(scope); err != nil {
			return err
		}
	}
}

// otherXML are namespaces of documents that are no RDF: namespace → what it is. Any other
// element can describe something.
var otherXML = map[string]string{
	"urn:oasis:names:tc:entity:xmlns:xml:catalog": "a catalogue of files (OASIS XML Catalog)",
	"http://www.w3.org/1999/xhtml":                "a page (XHTML)",
	"http://www.w3.org/2000/svg":                  "a drawing (SVG)",
	"http://www.w3.org/2001/XMLSchema":            "an XML schema",
	"http://www.w3.org/1999/XSL/Transform":        "an XSLT stylesheet",
	"http://www.w3.org/2004/03/trix/trix-1/":      "TriX, which can't be read",
}

// checkRoot refuses a document whose first element shows that it is no RDF/XML.
func (x *rdfXML) checkRoot() error {
	switch what := otherXML[x.name.iri]; {
	case what != "":
		return x.fail(x.at, fmt.Sprintf("found <%s>, which begins %s, expected <rdf:RDF>", x.name, what))
	case x.name.iri == OWL && x.name.local == "Ontology":
		// OWL/XML says ontologyIRI and the like, and may well declare rdf.
		own := slices.ContainsFunc(x.attrs, func(a xmlAttr) bool { return a.name.iri == "" && !unqualified[a.name.local] })
		if _, hasRDF := x.declares(RDF); !hasRDF || own {
			return x.fail(x.at, "this is OWL/XML, expected RDF/XML: convert the file, for example with robot convert")
		}
	case x.name.iri == "":
		return x.fail(x.at, fmt.Sprintf("the first element is <%s>, without a namespace, so that this XML is no RDF/XML: expected <rdf:RDF>", x.name))
	}
	return nil
}

// declares is a prefix for a namespace that is in force.
func (x *rdfXML) declares(iri string) (prefix string, ok bool) {
	for _, b := range x.spaces {
		if b.iri == iri {
			return b.prefix, true
		}
	}
	return "", false
}

// child reads up to the next start tag inside an element, or to the end of that: then more is
// false. Anything but white space between them is an error that says what was expected, in
// which "<>" stands for the property element.
func (x *rdfXML) child(want string, in *xmlProperty) (more bool, err error) {
	for {
		if err := x.next(); err != nil {
			return false, err
		}
		switch {
		case x.kind == xmlStart:
			return true, nil
		case x.kind == xmlClose:
			return false, nil
		case x.kind == xmlText && !isSpace(x.text):
			x.at = x.afterSpace()
			return false, x.notChild("the text "+quoted(strings.TrimSpace(string(x.text))), want, in)
		}
	}
}

// notChild is the error for something that an element can't hold.
func (x *rdfXML) notChild(found, want string, in *xmlProperty) error {
	if in != nil {
		want = strings.ReplaceAll(want, "<>", "<"+in.name.String()+">")
	}
	return x.fail(x.at, fmt.Sprintf("found %s, expected %s", found, want))
}

// afterSpace is the place of the first character in the text that is no white space.
func (x *rdfXML) afterSpace() place {
	at := x.at
	for _, c := range x.text {
		switch c {
		case '\n':
			at = place{at.line + 1, 1}
		case ' ', '\t':
			at.column++
		default:
			return at
		}
	}
	return at
}

// isSpace reports whether a text is white space of XML and nothing else.
func isSpace(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}

// isForAll reports whether an attribute may be in every element and says nothing by itself.
func isForAll(n xmlName) bool {
	return n.iri == xmlSpace || n.iri == itsSpace || n.iri == RDF && n.local == "version"
}

// inherit changes a scope by the attributes of the start tag.
func (x *rdfXML) inherit(scope *xmlScope) error {
	for _, a := range x.attrs {
		if a.name.iri == RDF && a.name.local == "version" {
			scope.is12 = strings.HasPrefix(a.value, "1.2")
		}
	}
	for _, a := range x.attrs {
		switch {
		case a.name.iri == xmlSpace && a.name.local == "base":
			iri, err := x.resolve(*scope, a, a.value)
			if err != nil {
				return err
			}
			if len(iri) > MaxNamespace {
				return x.fail(a.at, fmt.Sprintf("the IRI of this base has %d bytes once it is resolved, and at most %d can be read: give a shorter one", len(iri), MaxNamespace))
			}
			scope.setBase(iri)
		case a.name.iri == xmlSpace && a.name.local == "lang":
			if a.value != "" && !isLanguage(a.value) {
				return x.fail(a.at, fmt.Sprintf("%s is no language tag: write one such as en or en-GB", quoted(a.value)))
			}
			scope.lang = a.value
		case a.name.iri == itsSpace && a.name.local == "dir" && scope.is12:
			switch a.value {
			case "ltr":
				scope.dir = leftToRight
			case "rtl":
				scope.dir = rightToLeft
			default:
				return x.fail(a.at, fmt.Sprintf("found the direction %s, expected ltr or rtl", quoted(a.value)))
			}
		}
	}
	return nil
}

// setBase makes an IRI the base.
func (s *xmlScope) setBase(iri string) {
	s.base = splitIRI(iri)
	s.base.fragment, s.base.hasFragment = "", false
	s.document = s.base.String()
}

// resolve is the IRI that a value of an attribute stands for.
func (x *rdfXML) resolve(scope xmlScope, a xmlAttr, ref string) (string, error) {
	for _, c := range []byte(ref) {
		if c < 0x80 && classes[c]&iriChar == 0 {
			return "", x.fail(a.at, fmt.Sprintf("the IRI %s in %s can't contain %s: write %%%02X if that is meant", quoted(ref), a.name, quoted(string(rune(c))), c))
		}
	}
	switch {
	case schemeLen(ref) > 0:
		return ref, nil
	case scope.document == "":
		return "", x.fail(a.at, fmt.Sprintf("the IRI %s in %s is relative and there is no base: write it in full, or add xml:base=\"…\" with the IRI of the file to <rdf:RDF>", quoted(ref), a.name))
	case ref == "":
		return scope.document, nil
	case ref[0] == '#':
		return scope.document + ref, nil
	}
	return resolveIRI(scope.base, ref), nil
}

// id is the IRI that rdf:ID makes; one document has each once (RDF/XML §5.1).
func (x *rdfXML) id(scope xmlScope, a xmlAttr) (Term, error) {
	if !isNCName(a.value) {
		return Term{}, x.fail(a.at, fmt.Sprintf("%s is no name for %s: it has to begin with a letter or \"_\" and to have letters, digits, \"_\", \"-\" and \".\" only; rdf:about takes any IRI", quoted(a.value), a.name))
	}
	iri, err := x.resolve(scope, a, "#"+a.value)
	if err != nil {
		return Term{}, err
	}
	if x.ids[iri] {
		return Term{}, x.fail(a.at, fmt.Sprintf("the name %s comes twice in %s of this document: use rdf:about for what is described again", quoted(a.value), a.name))
	}
	x.ids[iri] = true
	return NewIRI(iri), nil
}

// labelled is the blank node of rdf:nodeID or rdf:annotationNodeID.
func (x *rdfXML) labelled(a xmlAttr) (Term, error) {
	if !isNCName(a.value) {
		return Term{}, x.fail(a.at, fmt.Sprintf("%s is no name for %s: it has to begin with a letter or \"_\" and to have letters, digits, \"_\", \"-\" and \".\" only", quoted(a.value), a.name))
	}
	name := a.value
	if strings.HasSuffix(strings.TrimRight(name, "_"), ".") {
		name += "_" // other syntaxes have no label that ends with a dot: a. → a._ → a.__
	}
	return NewBlank(x.label("_:" + name)), nil
}

// isNCName reports whether a text is a name without a colon.
func isNCName(s string) bool {
	for i, r := range s {
		switch {
		case r == '_' || isNameStart(r):
		case i > 0 && (isNameChar(r) || r == '.'):
		default:
			return false
		}
	}
	return s != ""
}

// say emits a triple, or keeps it for the triple term that it is the content of.
func (x *rdfXML) say(subject, predicate, object Term) error {
	if x.captured != nil {
		*x.captured = append(*x.captured, Triple{subject, predicate, object})
		return nil
	}
	x.quad.Triple = Triple{subject, predicate, object}
	return x.emit(&x.quad)
}
