package rdf

import (
	"fmt"
	"strconv"
	"strings"
)

// The names that the RDF namespace keeps for the syntax itself (RDF/XML §6.2.1 to §6.2.6).
var (
	coreTerms = map[string]bool{
		"RDF": true, "ID": true, "about": true, "parseType": true, "resource": true, "nodeID": true, "datatype": true,
		"annotation": true, "annotationNodeID": true, "version": true,
	}
	oldTerms = map[string]bool{"aboutEach": true, "aboutEachPrefix": true, "bagID": true}
)

// nodeSyntax are the attributes of RDF that a node element may have.
var nodeSyntax = map[string]bool{"ID": true, "about": true, "nodeID": true}

// unqualified are the attributes of RDF that may stand without a prefix, as old documents have
// them (RDF/XML §6.1.4).
var unqualified = map[string]bool{"ID": true, "about": true, "resource": true, "parseType": true, "type": true}

// misplaced is the error for a name of the RDF namespace where it can't be.
func (x *rdfXML) misplaced(at place, n xmlName, want string) error {
	if oldTerms[n.local] {
		return x.fail(at, fmt.Sprintf("%s was taken out of RDF/XML in 2004: describe each thing by itself", n))
	}
	return x.fail(at, fmt.Sprintf("found %s, expected %s", n, want))
}

// checkElement refuses names that an element can't have; not are those of RDF that it can't
// have besides the terms of the syntax.
func (x *rdfXML) checkElement(want string, not ...string) error {
	if x.name.iri == "" {
		return x.fail(x.at, fmt.Sprintf("the element <%s> has no namespace, expected %s: declare one with xmlns=\"…\"", x.name, want))
	}
	if x.name.iri != RDF {
		return nil
	}
	bad := coreTerms[x.name.local] || oldTerms[x.name.local]
	for _, n := range not {
		bad = bad || x.name.local == n
	}
	if bad {
		return x.misplaced(x.at, x.name, want)
	}
	return x.checkName(x.at, x.name)
}

// checkName refuses an IRI made of a name that no IRI can be.
func (x *rdfXML) checkName(at place, n xmlName) error {
	if n.iri == x.checked && n.iri != "" {
		return nil
	}
	for _, c := range []byte(n.iri) { // the name itself has letters and digits
		if c < 0x80 && classes[c]&iriChar == 0 {
			return x.fail(at, fmt.Sprintf("the namespace of %s can't contain %s: write %%%02X if that is meant", n, quoted(string(rune(c))), c))
		}
	}
	if schemeLen(n.iri) == 0 {
		return x.fail(at, fmt.Sprintf("the namespace %s of %s is no absolute IRI", quoted(n.iri), n))
	}
	x.checked = n.iri
	return nil
}

// node reads a node element and returns what it describes.
func (x *rdfXML) node(scope xmlScope) (subject Term, err error) {
	if err = x.checkElement("a class or rdf:Description", "li"); err != nil {
		return subject, err
	}
	if err = x.inherit(&scope); err != nil {
		return subject, err
	}
	name, at := x.name, x.at
	said, err := x.attributes(nodeSyntax)
	if err != nil {
		return subject, err
	}
	if subject, err = x.subject(scope); err != nil {
		return subject, err
	}
	if name.iri != RDF || name.local != "Description" {
		if err = x.checkName(at, name); err == nil {
			err = x.say(subject, NewIRI(RDFType), NewIRI(x.whole(name)))
		}
		if err != nil {
			return subject, err
		}
	}
	if err = x.sayAttributes(scope, subject, said); err != nil {
		return subject, err
	}
	return subject, x.properties(scope, subject)
}

// whole is the IRI of a name, as one string for all its uses.
func (x *rdfXML) whole(n xmlName) string {
	x.text = append(append(x.text[:0], n.iri...), n.local...)
	return x.terms.text(x.text)
}

// properties reads the property elements inside an element.
func (x *rdfXML) properties(scope xmlScope, subject Term) error {
	for members := 0; ; {
		more, err := x.child("a property, which is an element", nil)
		if err != nil || !more {
			return err
		}
		if x.name.iri == RDF && x.name.local == "li" {
			members++
			x.name.local = "_" + strconv.Itoa(members)
		}
		if err := x.property(scope, subject); err != nil {
			return err
		}
	}
}

// attributes sorts those of the start tag: what is for the syntax stays in attrs, the names of
// which must be among syntax; properties are returned.
func (x *rdfXML) attributes(syntax map[string]bool) (said []xmlAttr, err error) {
	kept := x.attrs[:0]
	for _, a := range x.attrs {
		if a.name.iri == "" {
			if len(a.name.local) >= 3 && strings.EqualFold(a.name.local[:3], "xml") {
				continue // kept for XML itself
			}
			if !unqualified[a.name.local] {
				return nil, x.fail(a.at, fmt.Sprintf("the attribute %s has no namespace: give it a prefix", a.name))
			}
			a.name.iri = RDF
		}
		switch {
		case isForAll(a.name):
		case a.name.iri == RDF && syntax[a.name.local]:
			kept = append(kept, a)
		case a.name.iri == RDF && (coreTerms[a.name.local] || oldTerms[a.name.local] || a.name.local == "li" || a.name.local == "Description"):
			return nil, x.misplaced(a.at, a.name, fmt.Sprintf("another attribute in <%s>", x.name))
		default:
			if err := x.checkName(a.at, a.name); err != nil {
				return nil, err
			}
			said = append(said, a)
		}
	}
	x.attrs = kept
	return said, nil
}

// subject is what a node element describes, by its attributes.
func (x *rdfXML) subject(scope xmlScope) (Term, error) {
	if len(x.attrs) == 0 {
		return x.fresh(), nil
	}
	if len(x.attrs) > 1 {
		a := x.attrs[1]
		return Term{}, x.fail(a.at, fmt.Sprintf("found %s beside %s, expected one of rdf:about, rdf:ID and rdf:nodeID", a.name, x.attrs[0].name))
	}
	switch a := x.attrs[0]; a.name.local {
	case "ID":
		return x.id(scope, a)
	case "nodeID":
		return x.labelled(a)
	default:
		iri, err := x.resolve(scope, a, a.value)
		return NewIRI(iri), err
	}
}

// sayAttributes says what attributes say of a subject.
func (x *rdfXML) sayAttributes(scope xmlScope, subject Term, said []xmlAttr) error {
	for _, a := range said {
		object := scope.text(a.value)
		if a.name.iri == RDF && a.name.local == "type" {
			iri, err := x.resolve(scope, a, a.value)
			if err != nil {
				return err
			}
			object = NewIRI(iri)
		}
		if err := x.say(subject, NewIRI(x.whole(a.name)), object); err != nil {
			return err
		}
	}
	return nil
}

// text is a literal in the language of the scope.
func (s *xmlScope) text(value string) Term {
	t := NewString(value)
	if s.lang != "" {
		t.Lang, t.Dir = s.lang, s.dir.String()
	}
	return t
}
