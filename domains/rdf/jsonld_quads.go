package rdf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/piprate/json-gold/ld"
)

// nodes emits what an expanded document, or the inside of @graph or @included, says in a
// graph (JSON-LD 1.1 API §7.2 and §8.1, without the map between the two: a graph is a set).
// Values come in the order of the text, properties ordered by IRI.
func (j *jsonLD) nodes(value any, graph Term) error {
	items, isArray := value.([]any)
	if !isArray {
		items = []any{value}
	}
	for _, item := range items {
		node, ok := item.(map[string]any)
		if !ok || has(node, "@value") || has(node, "@list") {
			continue // a value alone says nothing
		}
		subject, err := j.subject(node)
		if err != nil {
			return err
		}
		if err := j.describe(subject, node, graph); err != nil {
			return err
		}
	}
	return nil
}

// subject is the term that a node object stands for.
func (j *jsonLD) subject(node map[string]any) (Term, error) {
	id, ok := node["@id"].(string)
	if !ok {
		return j.fresh(), nil
	}
	return j.resource(id, "the @id")
}

// resource is the term for an expanded IRI or blank node identifier.
func (j *jsonLD) resource(id, what string) (Term, error) {
	if label, ok := strings.CutPrefix(id, "_:"); ok {
		if isNodeLabel(label) {
			return NewBlank(j.label(id)), nil
		}
		if _, ok := j.odd[label]; !ok {
			j.odd[label] = j.fresh().Value
		}
		return NewBlank(j.odd[label]), nil
	}
	if relative, ok := strings.CutPrefix(id, noBase); ok {
		return Term{}, j.relative(relative, what)
	}
	if id == "" && !j.hasEmpty() {
		return Term{}, j.text.fail(j.text.find(isReserved), fmt.Sprintf("%s begins with @ as keywords do, and is none", what))
	}
	iri := id
	if schemeLen(iri) == 0 {
		if !j.hasBase {
			return Term{}, j.relative(iri, what)
		}
		iri = resolveIRI(j.base, iri)
	}
	if !isPlainIRI(iri) {
		return Term{}, j.text.fail(j.text.findText(id), fmt.Sprintf(`%s <%s> has a character that no IRI has (a space, or one of <>"{}|^\ and the back-tick): write it percent-encoded, a space as %%20`, what, printable(iri)))
	}
	if len(iri) > MaxToken {
		return Term{}, j.text.fail(j.text.findText(id), fmt.Sprintf("%s is longer than %d MiB, which is the most that can be read", what, MaxToken>>20))
	}
	return NewIRI(iri), nil
}

// hasEmpty reports whether the text has an empty string, which as an IRI is the base;
// json-gold makes one of what looks like a keyword too.
func (j *jsonLD) hasEmpty() bool {
	if j.empty == nil {
		found := false
		j.text.find(func(s string) bool { found = found || s == ""; return found })
		j.empty = &found
	}
	return *j.empty
}

// isReserved reports whether a string looks like a keyword without being one.
func isReserved(s string) bool {
	return len(s) > 1 && s[0] == '@' && strings.Trim(s[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !ld.IsKeyword(s)
}

// predicate is the term for an expanded property.
func (j *jsonLD) predicate(property string) (Term, error) {
	if strings.HasPrefix(property, "_:") {
		return Term{}, j.text.fail(j.text.findText(property), fmt.Sprintf("the property %s is a blank node, and in RDF a predicate is an IRI: give the property one", inQuotes(property)))
	}
	return j.resource(property, "the property")
}

// describe emits what a node object says of its subject.
func (j *jsonLD) describe(subject Term, node map[string]any, graph Term) error {
	types, _ := node["@type"].([]any)
	for _, t := range types {
		iri, _ := t.(string)
		class, err := j.resource(iri, "the @type")
		if err != nil {
			return err
		}
		if err := j.say(subject, NewIRI(RDFType), class, graph); err != nil {
			return err
		}
	}
	for _, property := range slices.Sorted(maps.Keys(node)) {
		var err error
		switch value := node[property]; property {
		case "@id", "@type", "@index":
		case "@reverse":
			err = j.reverse(subject, value, graph)
		case "@graph":
			err = j.nodes(value, subject)
		case "@included":
			err = j.nodes(value, graph)
		default:
			if !strings.HasPrefix(property, "@") {
				err = j.property(subject, property, value, graph)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// property emits the values of one property, each followed by what it says itself.
func (j *jsonLD) property(subject Term, property string, value any, graph Term) error {
	predicate, err := j.predicate(property)
	if err != nil {
		return err
	}
	items, isArray := value.([]any)
	if !isArray {
		items = []any{value}
	}
	for _, item := range items {
		object, err := j.object(item)
		if err != nil {
			return err
		}
		if err := j.say(subject, predicate, object, graph); err != nil {
			return err
		}
		if err := j.inside(object, item, graph); err != nil {
			return err
		}
	}
	return nil
}

// reverse emits the statements that have subject as their object.
func (j *jsonLD) reverse(object Term, value any, graph Term) error {
	properties, _ := value.(map[string]any)
	for _, property := range slices.Sorted(maps.Keys(properties)) {
		predicate, err := j.predicate(property)
		if err != nil {
			return err
		}
		items, _ := properties[property].([]any)
		for _, item := range items {
			subject, err := j.object(item)
			if err != nil {
				return err
			}
			if subject.Kind == Literal {
				return j.text.fail(j.text.findText("@reverse"), "a value is said to have a property: only nodes can be below @reverse")
			}
			if err := j.say(subject, predicate, object, graph); err != nil {
				return err
			}
			if err := j.inside(subject, item, graph); err != nil {
				return err
			}
		}
	}
	return nil
}

// object is the term that an expanded value stands for.
func (j *jsonLD) object(value any) (Term, error) {
	v, ok := value.(map[string]any)
	if !ok {
		return Term{}, j.text.fail(j.text.findText("@list"), "an item of a @list or @set can't be understood: look for values of the wrong kind in it")
	}
	if _, ok := v["@value"]; ok {
		return j.value(v)
	}
	if list, ok := v["@list"]; ok {
		if items, _ := list.([]any); len(items) == 0 {
			return NewIRI(RDFNil), nil
		}
		return j.fresh(), nil
	}
	return j.subject(v)
}

// inside emits what a value says itself: of a node its properties, of a list its cells.
func (j *jsonLD) inside(term Term, value any, graph Term) error {
	v, _ := value.(map[string]any)
	if term.Kind == Literal {
		return nil
	}
	list, ok := v["@list"]
	if !ok {
		return j.describe(term, v, graph)
	}
	items, _ := list.([]any)
	for i, item := range items {
		object, err := j.object(item)
		if err != nil {
			return err
		}
		if err := j.say(term, NewIRI(RDFFirst), object, graph); err != nil {
			return err
		}
		rest := NewIRI(RDFNil)
		if i < len(items)-1 {
			rest = j.fresh()
		}
		if err := j.say(term, NewIRI(RDFRest), rest, graph); err != nil {
			return err
		}
		if err := j.inside(object, item, graph); err != nil {
			return err
		}
		term = rest
	}
	return nil
}

// say emits a quad.
func (j *jsonLD) say(subject, predicate, object, graph Term) error {
	return j.emit(&Quad{Triple{subject, predicate, object}, graph})
}

func has(object map[string]any, name string) bool {
	_, ok := object[name]
	return ok
}
