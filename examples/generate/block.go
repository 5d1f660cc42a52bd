package main

// A block is one entity as it is written: a subject with its facts in order.
//
//	block{subject, facts: [fact{property, values: [value, …]}, …]}
type block struct {
	subject string // IRI
	facts   []fact
}

// fact is one property with its values.
type fact struct {
	property string // IRI
	values   []value
}

// value is an IRI, a literal, or a blank node with facts of its own.
type value struct {
	iri      string
	text     string // of a literal
	datatype string // IRI; empty for a plain or language-tagged string
	lang     string
	nested   []fact
}

// Namespaces of the standard vocabularies that the samples use.
const (
	rdfNS  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS  = "http://www.w3.org/2002/07/owl#"
	xsdNS  = "http://www.w3.org/2001/XMLSchema#"
)

func one(property string, v value) fact { return fact{property, []value{v}} }

func iri(s string) value { return value{iri: s} }

func typed(text, datatype string) value { return value{text: text, datatype: datatype} }

func tagged(text, lang string) value { return value{text: text, lang: lang} }

// isNested reports whether a value is a blank node.
func (v value) isNested() bool { return v.nested != nil }
