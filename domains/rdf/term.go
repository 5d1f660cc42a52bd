package rdf

// Kind says what a term is. The zero Kind belongs to the zero Term, which
// stands for "no term": the default graph, or "any" in a pattern.
type Kind uint8

// The kinds of RDF terms (RDF 1.1 Concepts §3; triple terms RDF 1.2).
const (
	IRI Kind = iota + 1
	Blank
	Literal
	TripleTerm
)

// Term is one RDF term. Terms are values: compare them with ==. Two triple
// terms are equal when they share one Triple; use Equal where they may not.
type Term struct {
	Kind Kind
	// Value is the IRI, the blank node's label without "_:", or the
	// literal's lexical form.
	Value string
	// Datatype is the IRI of a literal's datatype; empty for xsd:string and
	// for language-tagged strings, so that "a" and "a"^^xsd:string are equal
	// (RDF 1.1 Concepts §3.3).
	Datatype string
	// Lang is a literal's language tag as it was written; Dir its base
	// direction ("ltr", "rtl" or empty, RDF 1.2).
	Lang string
	Dir  string
	// Triple is set for triple terms only.
	Triple *Triple
}

// Triple is one statement.
type Triple struct{ Subject, Predicate, Object Term }

// Quad is a triple in a graph; the zero Graph is the default graph.
type Quad struct {
	Triple
	Graph Term
}

// Prefix is a namespace declaration: Name without the colon.
type Prefix struct{ Name, IRI string }

// NewIRI returns the term for an absolute IRI.
func NewIRI(iri string) Term { return Term{Kind: IRI, Value: iri} }

// NewBlank returns the blank node with a label (without "_:").
func NewBlank(label string) Term { return Term{Kind: Blank, Value: label} }

// NewString returns the plain string literal of a text.
func NewString(s string) Term { return Term{Kind: Literal, Value: s} }

// NewTyped returns the literal of a lexical form and a datatype IRI;
// xsd:string makes a plain string.
func NewTyped(lexical, datatype string) Term {
	if datatype == XSDString {
		datatype = ""
	}
	return Term{Kind: Literal, Value: lexical, Datatype: datatype}
}

// IsZero reports whether the term is no term.
func (t Term) IsZero() bool { return t.Kind == 0 }

// Equal reports whether two terms are the same, looking into triple terms.
func (t Term) Equal(u Term) bool {
	if t.Kind == TripleTerm && u.Kind == TripleTerm && t.Triple != nil && u.Triple != nil {
		return t.Triple.Subject.Equal(u.Triple.Subject) &&
			t.Triple.Predicate.Equal(u.Triple.Predicate) &&
			t.Triple.Object.Equal(u.Triple.Object)
	}
	return t == u
}

// Namespaces and terms that rules in this program name.
const (
	RDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	RDFS = "http://www.w3.org/2000/01/rdf-schema#"
	OWL  = "http://www.w3.org/2002/07/owl#"
	XSD  = "http://www.w3.org/2001/XMLSchema#"
	SKOS = "http://www.w3.org/2004/02/skos/core#"
	SH   = "http://www.w3.org/ns/shacl#"

	RDFType       = RDF + "type"
	RDFFirst      = RDF + "first"
	RDFRest       = RDF + "rest"
	RDFNil        = RDF + "nil"
	RDFReifies    = RDF + "reifies"
	RDFLangString = RDF + "langString"
	// RDFDirLangString is the datatype of texts with a base direction.
	RDFDirLangString = RDF + "dirLangString"
	RDFSLabel        = RDFS + "label"
	RDFSComment      = RDFS + "comment"
	OWLSameAs        = OWL + "sameAs"
	XSDString        = XSD + "string"
	XSDInteger       = XSD + "integer"
	XSDDecimal       = XSD + "decimal"
	XSDDouble        = XSD + "double"
	XSDBoolean       = XSD + "boolean"
)
