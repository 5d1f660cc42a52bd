package main

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// schema is an ontology as a table. The ontology file is written from it, and
// entities look their properties up in it: no sample can use a property that its
// ontology lacks, or write a value in another datatype than the range.
type schema struct {
	iri     string // of the ontology
	title   string
	comment string
	version string
	ns      string // IRI that the terms begin with
	base    string // IRI that the entities begin with
	classes []class
	props   []property
}

// class is one row of a schema.
type class struct {
	name    string
	super   string // name of the class above; may be empty
	en, fr  string // labels; fr may be empty
	comment string // in English
	notes   string // comment in French; may be empty
	bounds  []bound
}

// bound is a cardinality: kind is "cardinality", "minCardinality" or
// "maxCardinality".
type bound struct {
	property, kind string
	n              int
}

// property is one row of a schema.
type property struct {
	name    string
	domain  string // class name
	rng     string // class name, IRI of another domain's class, or "xsd:…"
	en, fr  string // labels; fr may be empty
	comment string
	inverse string // name of a property; may be empty
	traits  trait
}

// trait is a set of things that hold of a property.
type trait uint8

const (
	functional trait = 1 << iota
	inverseFunctional
	deprecated
)

// datatype is the IRI of a datatype range, or empty for an object property.
func (p property) datatype() string {
	if local, ok := strings.CutPrefix(p.rng, "xsd:"); ok {
		return xsdNS + local
	}
	return ""
}

func (s *schema) prefixes() []prefix {
	return []prefix{{"", s.ns}, {"owl", owlNS}, {"rdfs", rdfsNS}, {"xsd", xsdNS}}
}

func (s *schema) property(name string) (property, bool) {
	for _, p := range s.props {
		if p.name == name {
			return p, true
		}
	}
	return property{}, false
}

// blocks yields the ontology: its header, its classes, its properties.
func (s *schema) blocks() iter.Seq[block] {
	return func(yield func(block) bool) {
		head := block{s.iri, []fact{
			one(rdfNS+"type", iri(owlNS+"Ontology")),
			one(rdfsNS+"label", tagged(s.title, "en")),
			one(rdfsNS+"comment", tagged(s.comment, "en")),
			one(owlNS+"versionInfo", value{text: s.version}),
		}}
		if !yield(head) {
			return
		}
		for _, c := range s.classes {
			if !yield(s.classBlock(c)) {
				return
			}
		}
		for _, p := range s.props {
			if !yield(s.propertyBlock(p)) {
				return
			}
		}
	}
}

func (s *schema) classBlock(c class) block {
	facts := []fact{one(rdfNS+"type", iri(owlNS+"Class"))}
	above := fact{property: rdfsNS + "subClassOf"}
	if c.super != "" {
		above.values = append(above.values, iri(s.ns+c.super))
	}
	for _, b := range c.bounds {
		above.values = append(above.values, value{nested: []fact{
			one(rdfNS+"type", iri(owlNS+"Restriction")),
			one(owlNS+"onProperty", iri(s.ns+b.property)),
			one(owlNS+b.kind, typed(strconv.Itoa(b.n), xsdNS+"nonNegativeInteger")),
		}})
	}
	if len(above.values) > 0 {
		facts = append(facts, above)
	}
	facts = append(facts, texts("label", c.en, c.fr), texts("comment", c.comment, c.notes))
	return block{s.ns + c.name, facts}
}

func (s *schema) propertyBlock(p property) block {
	kind, rng := iri(owlNS+"ObjectProperty"), iri(absolute(s.ns, p.rng))
	if d := p.datatype(); d != "" {
		kind, rng = iri(owlNS+"DatatypeProperty"), iri(d)
	}
	types := fact{rdfNS + "type", []value{kind}}
	if p.traits&functional != 0 {
		types.values = append(types.values, iri(owlNS+"FunctionalProperty"))
	}
	if p.traits&inverseFunctional != 0 {
		types.values = append(types.values, iri(owlNS+"InverseFunctionalProperty"))
	}
	facts := []fact{types, one(rdfsNS+"domain", iri(s.ns+p.domain)), one(rdfsNS+"range", rng)}
	if p.inverse != "" {
		facts = append(facts, one(owlNS+"inverseOf", iri(s.ns+p.inverse)))
	}
	facts = append(facts, texts("label", p.en, p.fr), texts("comment", p.comment, ""))
	if p.traits&deprecated != 0 {
		facts = append(facts, one(owlNS+"deprecated", typed("true", xsdNS+"boolean")))
	}
	return block{s.ns + p.name, facts}
}

// texts is an rdfs property in English and, where there is one, French.
func texts(property, en, fr string) fact {
	f := one(rdfsNS+property, tagged(en, "en"))
	if fr != "" {
		f.values = append(f.values, tagged(fr, "fr"))
	}
	return f
}

// entity is a block that is filled by property names of a schema. The first
// mistake is kept in err, and the file that it would go to is not written.
type entity struct {
	block
	s   *schema
	err error
}

// entity begins an entity; id is the end of its IRI, "Customer/CUST00094". With an
// empty class it has no type.
func (s *schema) entity(class, id string) *entity {
	e := &entity{block: block{subject: s.base + id}, s: s}
	if class != "" {
		e.facts = append(e.facts, one(rdfNS+"type", iri(s.ns+class)))
	}
	return e
}

// label adds an rdfs:label.
func (e *entity) label(texts ...value) *entity {
	e.facts = append(e.facts, fact{rdfsNS + "label", texts})
	return e
}

// set adds values of a property: literals in the datatype of its range, or ids of
// entities where the range is a class. Without values nothing is added.
func (e *entity) set(name string, values ...string) *entity {
	if f, ok := e.fact(name, values); ok {
		e.facts = append(e.facts, f)
	}
	return e
}

// nest adds a blank node of a class; pairs alternate property names and values.
func (e *entity) nest(name, class string, pairs ...string) *entity {
	inner := []fact{one(rdfNS+"type", iri(e.s.ns+class))}
	for i := 0; i+1 < len(pairs); i += 2 {
		if f, ok := e.fact(pairs[i], pairs[i+1:i+2]); ok {
			inner = append(inner, f)
		}
	}
	e.facts = append(e.facts, one(e.s.ns+name, value{nested: inner}))
	return e
}

func (e *entity) fact(name string, values []string) (f fact, ok bool) {
	p, known := e.s.property(name)
	if !known && e.err == nil {
		e.err = fmt.Errorf("%s: the ontology has no property %q", e.subject, name)
	}
	if !known || len(values) == 0 {
		return fact{}, false
	}
	f.property = e.s.ns + name
	for _, v := range values {
		switch d := p.datatype(); d {
		case "":
			f.values = append(f.values, iri(absolute(e.s.base, v)))
		case xsdNS + "string":
			f.values = append(f.values, value{text: v})
		default:
			f.values = append(f.values, typed(v, d))
		}
	}
	return f, true
}

// absolute is the IRI of a name in a namespace; names that are IRIs already point
// into other domains.
func absolute(namespace, name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return namespace + name
}
