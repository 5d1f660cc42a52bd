package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// expression writes a blank node that says one thing with several facts on one
// line: a class expression or data range of OWL in the words of the Manchester
// syntax, a list as its members. ok is false for nodes of another shape and for those
// that say more, which stay nested.
//
//	[onProperty :hasPart; someValuesFrom :Wheel]      has part some Wheel
//	[onProperty :owner; maxCardinality 1]             owner at most 1
//	[unionOf (:Car [complementOf :Bus])]              Car or (not Bus)
//	[onDatatype xsd:integer; withRestrictions (…)]    integer (min inclusive 1)
func (b blocks) expression(e *domains.Entity) (text string, ok bool) {
	if len(e.Labels) > 0 || slices.ContainsFunc(e.Types, func(t string) bool { return !expressionTypes[t] }) {
		return "", false
	}
	parts := map[string]operands{} // property IRI → its values
	for _, f := range e.Facts {
		o, ok := b.operands(f)
		if !ok {
			return "", false
		}
		parts[f.Property] = o
	}
	switch property := parts[rdf.OWL+"onProperty"]; {
	case property.words != nil:
		return restriction(property, parts)
	case len(parts) == 2 && parts[rdf.OWL+"onDatatype"].one() && parts[rdf.OWL+"withRestrictions"].words != nil:
		return parts[rdf.OWL+"onDatatype"].words[0] + " (" + parts[rdf.OWL+"withRestrictions"].list(", ") + ")", true
	case len(parts) != 1 || len(e.Facts) != 1:
		return "", false
	}
	values := parts[e.Facts[0].Property]
	switch e.Facts[0].Property {
	case rdf.OWL + "unionOf":
		return values.list(" or "), true
	case rdf.OWL + "intersectionOf":
		return values.list(" and "), true
	case rdf.OWL + "oneOf":
		return "one of " + values.list(", "), true
	case rdf.OWL + "complementOf", rdf.OWL + "datatypeComplementOf":
		return "not " + values.words[0], values.one()
	case rdf.OWL + "inverseOf":
		return "inverse of " + values.words[0], values.one()
	case rdf.RDFS + "member":
		return values.list(", "), true
	}
	facet, ok := strings.CutPrefix(e.Facts[0].Property, rdf.XSD)
	return strings.ToLower(domains.Prettify(facet)) + " " + values.words[0], ok && values.one()
}

// expressionTypes are the types that a node written as an expression may have.
var expressionTypes = map[string]bool{
	rdf.OWL + "Class": true, rdf.RDFS + "Class": true, rdf.OWL + "Restriction": true, rdf.OWL + "ObjectProperty": true,
	rdf.RDFS + "Datatype": true, rdf.OWL + "DataRange": true, rdf.RDF + "List": true,
}

// quantifiers are the words between the property and the class or value of a
// restriction: local name of the OWL property → word.
var quantifiers = map[string]string{"someValuesFrom": "some", "allValuesFrom": "only", "hasValue": "value"}

// restriction writes a restriction of OWL.
func restriction(property operands, parts map[string]operands) (text string, ok bool) {
	on, qualified := parts[rdf.OWL+"onClass"], len(parts) == 3
	if on.words == nil {
		on = parts[rdf.OWL+"onDataRange"]
	}
	if !property.one() || len(parts) != 2 && !(qualified && on.one()) {
		return "", false
	}
	for iri, value := range parts {
		local := strings.TrimPrefix(iri, rdf.OWL)
		word, counted := builtInNames[local]
		counted = counted && strings.HasSuffix(strings.ToLower(local), "cardinality")
		switch quantifier := quantifiers[local]; {
		case !value.one():
		case quantifier != "" && !qualified:
			return fmt.Sprintf("%s %s %s", property.words[0], quantifier, value.words[0]), true
		case local == "hasSelf" && value.words[0] == "yes" && !qualified:
			return property.words[0] + " itself", true
		case counted && qualified == strings.Contains(strings.ToLower(local), "qualified"):
			text = fmt.Sprintf("%s %s %s", property.words[0], word, value.words[0])
			if qualified {
				text += " " + on.words[0]
			}
			return text, true
		}
	}
	return "", false
}

// operands are the values of one property in an expression: those that were read,
// and how many were not.
type operands struct {
	words []string
	more  int
}

func (o operands) one() bool { return len(o.words) == 1 && o.more == 0 }

// list joins the operands.
func (o operands) list(join string) string {
	words := o.words
	if o.more > 0 {
		words = append(words[:len(words):len(words)], number(o.more)+" more")
	}
	return strings.Join(words, join)
}

// operands reads the values of a property; ok is false when one of them cannot be
// told in words.
func (b blocks) operands(f domains.Fact) (o operands, ok bool) {
	if f.Incoming || f.AtLeast || len(f.Values) == 0 {
		return o, false
	}
	o.more = f.Total - len(f.Values)
	for _, v := range f.Values {
		word, ok := b.operand(f.Property, v)
		if !ok {
			return o, false
		}
		o.words = append(o.words, word)
	}
	return o, true
}

// ofProperties are the properties of OWL whose values are properties.
var ofProperties = map[string]bool{
	rdf.OWL + "onProperty": true, rdf.OWL + "inverseOf": true, rdf.OWL + "propertyChainAxiom": true, rdf.OWL + "hasKey": true,
}

// operand is one value in an expression. An expression inside another stands in
// parentheses.
func (b blocks) operand(property string, v domains.Value) (word string, ok bool) {
	switch {
	case v.Ref != nil:
		name := title(v.Ref.Label, v.Ref.IRI)
		if ofProperties[property] || b.ontology.Property(v.Ref.IRI) != nil {
			name = b.name(v.Ref.IRI)
		}
		id := shorten(oneLine(domains.LocalID(v.Ref.IRI)), nameSize)
		switch {
		case isBuiltIn(v.Ref.IRI):
		case b.detail == Full:
			name += " <" + oneLine(v.Ref.IRI) + ">"
		case letters(name) != letters(id) && letters(name) != letters(domains.Prettify(id)):
			name += " (" + id + ")"
		}
		return name, true
	case v.Nested == nil:
		word = shorten(oneLine(literal(v.Literal)), nameSize)
		if v.Literal.Lang != "" || v.Literal.Datatype == "" || v.Literal.Datatype == rdf.XSDString {
			word = `"` + word + `"`
		}
		return word, true
	}
	word, ok = b.expression(v.Nested)
	if property == rdf.OWL+"onProperty" || property == rdf.OWL+"withRestrictions" {
		return word, ok
	}
	return "(" + word + ")", ok
}

// listed are the properties of OWL whose value is a list: its members are told on one
// line.
var listed = map[string]bool{
	rdf.OWL + "unionOf": true, rdf.OWL + "intersectionOf": true, rdf.OWL + "oneOf": true, rdf.OWL + "disjointUnionOf": true,
	rdf.OWL + "propertyChainAxiom": true, rdf.OWL + "hasKey": true, rdf.OWL + "members": true, rdf.OWL + "distinctMembers": true,
}

// members is the members of a listed property on one line; ok is false for other
// properties, for values that are lists themselves, and where not all were read.
func (b blocks) members(f domains.Fact, values []domains.Value) (text string, ok bool) {
	if !listed[f.Property] || slices.ContainsFunc(values, func(v domains.Value) bool { return isList(v.Nested) }) {
		return "", false
	}
	f.Values = values
	o, ok := b.operands(f)
	return o.list(", "), ok && o.more == 0
}

// isList reports whether a blank node is a list and nothing else.
func isList(e *domains.Entity) bool {
	return e != nil && len(e.Facts) == 1 && e.Facts[0].Property == rdf.RDFS+"member"
}
