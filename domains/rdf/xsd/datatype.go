package xsd

import "strings"

// The namespaces that KindOf knows.
const (
	xsdNamespace = "http://www.w3.org/2001/XMLSchema#"
	rdfNamespace = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
)

// kinds are the datatypes (3.3, 3.4) whose values are of a kind, by local name.
var kinds = map[string]Kind{
	"string": String, "normalizedString": String, "token": String, "language": String, "Name": String, "NCName": String,
	"NMTOKEN": String, "ID": String, "IDREF": String, "ENTITY": String, "anyURI": String,
	"boolean": Boolean,
	"integer": Integer, "nonPositiveInteger": Integer, "negativeInteger": Integer, "nonNegativeInteger": Integer, "positiveInteger": Integer,
	"long": Integer, "int": Integer, "short": Integer, "byte": Integer,
	"unsignedLong": Integer, "unsignedInt": Integer, "unsignedShort": Integer, "unsignedByte": Integer,
	"decimal": Decimal,
	"float":   Float, "double": Float,
	"date":     Date,
	"dateTime": DateTime, "dateTimeStamp": DateTime,
	"time": Time,
}

// KindOf is the kind of the values of a datatype, which is an IRI; the empty one stands for
// xsd:string. rdf:langString and rdf:dirLangString are strings. Where ok is false, the values can be
// compared as text only (the Kind is String): datatypes that are not XML Schema's, and those of it
// for which there is no kind (durations, gYear and its kin, hexBinary, base64Binary, QName,
// NOTATION, lists).
func KindOf(datatype string) (k Kind, ok bool) {
	if name, is := strings.CutPrefix(datatype, xsdNamespace); is {
		k, ok = kinds[name]
		return k, ok
	}
	switch datatype {
	case "", rdfNamespace + "langString", rdfNamespace + "dirLangString":
		return String, true
	}
	return String, false
}
