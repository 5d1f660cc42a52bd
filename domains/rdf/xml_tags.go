package rdf

import (
	"fmt"
	"slices"
)

// Namespaces of XML.
const (
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
	xmlnsSpace = "http://www.w3.org/2000/xmlns/"
)

// Limits of tags: looking names up takes as many steps as there are.
const (
	mostAttributes = 1000 // of one tag
	mostNamespaces = 1000 // declarations that are in force at one place
)

// startTag reads <name attributes> or <name attributes/>.
func (x *xmlScanner) startTag() (err error) {
	x.kind = xmlStart
	if len(x.open) == MaxDepth {
		return x.fail(x.at, fmt.Sprintf("elements are nested deeper than %d, which is the most that can be read: describe inner nodes outside, and name them by rdf:about or rdf:nodeID", MaxDepth))
	}
	x.pos++
	if x.name, err = x.qName(anElementName); err != nil {
		return err
	}
	x.attrs = x.attrs[:0]
	for {
		spaced := x.skipSpace()
		switch c := x.peek(0); {
		case c == '>':
			x.pos++
			return x.opened()
		case c == '/' && x.peek(1) == '>':
			x.pos += 2
			x.closes = true
			return x.opened()
		case !spaced:
			return x.stopped(0, x.here(), fmt.Sprintf(`found %s, expected a space, ">" or "/>" in the tag of %s`, x.found(), x.name))
		}
		if err := x.attribute(); err != nil {
			return err
		}
	}
}

// attribute reads name="value", which may declare a namespace.
func (x *xmlScanner) attribute() error {
	a := xmlAttr{at: x.here()}
	var err error
	if a.name, err = x.qName(anAttributeName); err != nil {
		return err
	}
	x.skipSpace()
	if x.peek(0) != '=' {
		return x.stopped(0, x.here(), fmt.Sprintf(`found %s, expected "=" after the attribute %s`, x.found(), a.name))
	}
	x.pos++
	x.skipSpace()
	if a.value, err = x.value(); err != nil {
		return err
	}
	switch {
	case a.name.prefix == "xmlns":
		return x.bind(a.name.local, a)
	case a.name.prefix == "" && a.name.local == "xmlns":
		return x.bind("", a)
	}
	if len(x.attrs) == mostAttributes {
		return x.fail(a.at, fmt.Sprintf("the tag of %s has more than %d attributes, which is the most that can be read: write them as elements", x.name, mostAttributes))
	}
	x.attrs = append(x.attrs, a)
	return nil
}

// bind declares a namespace for the element whose tag is read.
func (x *xmlScanner) bind(prefix string, a xmlAttr) error {
	switch {
	case prefix == "xml" && a.value == xmlSpace:
		return nil
	case prefix == "xml" || prefix == "xmlns" || a.value == xmlSpace || a.value == xmlnsSpace:
		return x.fail(a.at, fmt.Sprintf("the namespace %s can't be declared for the prefix %s", quoted(a.value), quoted(prefix)))
	case prefix != "" && a.value == "":
		return x.fail(a.at, fmt.Sprintf("the prefix %s has no namespace: give it an IRI", quoted(prefix)))
	case len(a.value) > MaxNamespace:
		return x.fail(a.at, fmt.Sprintf("the IRI of this namespace has %d bytes, and at most %d can be read: give a shorter one", len(a.value), MaxNamespace))
	}
	if len(x.spaces) == mostNamespaces {
		return x.fail(a.at, fmt.Sprintf("more than %d namespaces are declared here and around here, which is the most that can be read", mostNamespaces))
	}
	depth := len(x.open) + 1
	before, known := x.namespace(prefix)
	for _, b := range x.spaces {
		if b.depth == depth && b.prefix == prefix {
			return x.fail(a.at, fmt.Sprintf("the attribute %s comes twice in one tag: remove one", a.name))
		}
	}
	x.spaces = append(x.spaces, xmlBinding{prefix, a.value, depth})
	if x.opts.Prefix != nil && a.value != "" && (!known || before != a.value) {
		x.opts.Prefix(Prefix{Name: prefix, IRI: a.value})
	}
	return nil
}

// namespace is what a prefix stands for.
func (x *xmlScanner) namespace(prefix string) (iri string, ok bool) {
	for _, b := range slices.Backward(x.spaces) {
		if b.prefix == prefix {
			return b.iri, true
		}
	}
	return "", prefix == ""
}

// opened finds the namespaces of the names in a start tag.
func (x *xmlScanner) opened() error {
	if err := x.expand(&x.name, x.at); err != nil {
		return err
	}
	for i := range x.attrs {
		a := &x.attrs[i]
		if a.name.prefix != "" {
			if err := x.expand(&a.name, a.at); err != nil {
				return err
			}
		}
		for j := range i {
			if b := &x.attrs[j]; b.name.local == a.name.local && b.name.iri == a.name.iri {
				return x.fail(a.at, fmt.Sprintf("the attribute %s comes twice in one tag: remove one", a.name))
			}
		}
	}
	x.open, x.begun = append(x.open, x.name), true
	return nil
}

// expand finds the namespace of a name.
func (x *xmlScanner) expand(n *xmlName, at place) error {
	if n.prefix == "xml" {
		n.iri = xmlSpace
		return nil
	}
	iri, ok := x.namespace(n.prefix)
	if !ok {
		known := wellKnown[n.prefix]
		if known == "" {
			known = "…"
		}
		return x.fail(at, fmt.Sprintf("prefix %s is not declared: add xmlns:%s=\"%s\" to the first tag", quoted(n.prefix), n.prefix, known))
	}
	n.iri = iri
	return nil
}

// endTag reads </name>.
func (x *xmlScanner) endTag() error {
	x.pos += 2
	name, err := x.qName(anEndName)
	if err != nil {
		return err
	}
	x.skipSpace()
	if x.peek(0) != '>' {
		return x.stopped(0, x.here(), fmt.Sprintf(`found %s, expected ">" after </%s`, x.found(), name))
	}
	x.pos++
	if n := len(x.open); n == 0 || x.open[n-1].prefix != name.prefix || x.open[n-1].local != name.local {
		if n == 0 {
			return x.fail(x.at, fmt.Sprintf("found </%s>, but no element is open", name))
		}
		return x.fail(x.at, fmt.Sprintf("found </%s>, expected </%s>", name, x.open[n-1]))
	}
	return x.closed()
}

// closed ends the element that was opened last.
func (x *xmlScanner) closed() error {
	x.kind = xmlClose
	depth := len(x.open)
	x.name = x.open[depth-1]
	x.open = x.open[:depth-1]
	for len(x.spaces) > 0 && x.spaces[len(x.spaces)-1].depth == depth {
		x.spaces = x.spaces[:len(x.spaces)-1]
	}
	return nil
}
