package rdf

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/piprate/json-gold/ld"
)

// Limits of contexts. Each keeps a document that is small from making memory or time
// of thousands of times its size.
const (
	maxContexts     = 500      // in one array
	maxTermChain    = 64       // terms that are defined by each other
	maxContextChain = 32       // context documents that name each other
	maxContextTerms = 20 << 20 // terms, counted each time that they are used or copied
)

// contexts are the context documents that the text names. It is json-gold's only way to
// the outside, and it asks Options.Context alone.
type contexts struct {
	from  *jsonLD
	read  map[string]map[string]any // IRI → document, prepared
	chain []string                  // documents that are being read
	terms int                       // used so far
	err   error                     // the first
}

// LoadDocument returns the context document for an IRI.
func (c *contexts) LoadDocument(iri string) (*ld.RemoteDocument, error) {
	document, err := c.document(iri)
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return nil, err
	}
	// json-gold writes into a context that it imports.
	document = maps.Clone(document)
	if terms, ok := document["@context"].(map[string]any); ok {
		document["@context"] = maps.Clone(terms)
		c.terms += len(terms)
	}
	if c.terms > maxContextTerms {
		c.err = c.fail(iri, fmt.Sprintf("the context %s is used too often: write it once, at the beginning of the document", inQuotes(iri)))
		return nil, c.err
	}
	return &ld.RemoteDocument{DocumentURL: iri, Document: document}, nil
}

// document reads a context document, once, with all that it names.
func (c *contexts) document(iri string) (map[string]any, error) {
	absolute := iri
	if base := c.from.opts.Base; schemeLen(iri) == 0 && base != "" {
		absolute = resolveIRI(splitIRI(base), iri)
	}
	if document := c.read[absolute]; document != nil {
		return document, nil
	}
	if slices.Contains(c.chain, absolute) {
		return nil, c.fail(iri, fmt.Sprintf("the context %s includes itself, by way of %s: take it out of one of them", inQuotes(absolute), inQuotes(c.chain[len(c.chain)-1])))
	}
	if len(c.chain) >= maxContextChain {
		return nil, c.fail(iri, fmt.Sprintf("more than %d context documents name each other: write their terms into one", maxContextChain))
	}
	text, err := c.ask(iri, absolute)
	if err != nil {
		return nil, err
	}
	document, err := c.decode(text, absolute)
	if err != nil {
		return nil, err
	}
	c.chain = append(c.chain, absolute)
	defer func() { c.chain = c.chain[:len(c.chain)-1] }()
	for _, named := range included(document["@context"]) {
		if _, err := c.document(named); err != nil {
			return nil, err
		}
	}
	c.read[absolute] = document
	return document, nil
}

// ask asks for the text of a context document.
func (c *contexts) ask(iri, absolute string) ([]byte, error) {
	why := "is not in the text, and nothing is fetched"
	if ask := c.from.opts.Context; ask != nil {
		text, err := ask(absolute)
		if err == nil {
			return text, nil
		}
		why += " (" + printable(err.Error()) + ")"
	}
	return nil, c.fail(iri, fmt.Sprintf(`the context %s %s: put its document as a file into the domain's folder and name it for this IRI in catalog-v001.xml there (an OASIS catalog: <uri name="%s" uri="FILE"/>), or write the context into the document`, inQuotes(absolute), why, printable(absolute)))
}

// decode reads the text of a context document, and resolves what it names against its IRI.
func (c *contexts) decode(text []byte, iri string) (map[string]any, error) {
	t := jsonText{file: iri, text: []byte(strings.TrimPrefix(string(text), "\uFEFF"))}
	if len(text) > MaxJSONLD {
		return nil, c.fail(iri, fmt.Sprintf("the document of the context %s has more than %d MiB", inQuotes(iri), MaxJSONLD>>20))
	}
	err := t.check()
	var value any
	if err == nil {
		value, err = t.decode()
	}
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, c.fail(iri, fmt.Sprintf("the document of the context %s can't be read, %d:%d: %s", inQuotes(iri), syntax.Line, syntax.Column, syntax.Message))
	}
	document, _ := value.(map[string]any)
	if _, ok := document["@context"]; !ok {
		return nil, c.fail(iri, fmt.Sprintf(`the document of the context %s is %s without "@context": is it the right file?`, inQuotes(iri), kindOf(value)))
	}
	if err := c.from.prepare(document, 0); err != nil {
		return nil, err
	}
	if schemeLen(iri) > 0 {
		document["@context"] = absolutes(document["@context"], splitIRI(iri))
	}
	return document, nil
}

// fail is an error at the place where the text has the IRI of a context.
func (c *contexts) fail(iri, message string) error {
	text := c.from.text
	base := splitIRI(c.from.opts.Base)
	outer := iri
	if len(c.chain) > 0 {
		outer = c.chain[0]
	}
	return text.fail(text.find(func(s string) bool {
		return s == outer || c.from.opts.Base != "" && schemeLen(s) == 0 && resolveIRI(base, s) == outer
	}), message)
}

// included are the IRIs that a context names for all of it.
func included(context any) []string {
	switch c := context.(type) {
	case string:
		return []string{c}
	case []any:
		var all []string
		for _, item := range c {
			all = append(all, included(item)...)
		}
		return all
	case map[string]any:
		if iri, ok := c["@import"].(string); ok {
			return []string{iri}
		}
	}
	return nil
}

// absolutes returns a context with the IRIs of the contexts it names, here or in its terms,
// resolved.
func absolutes(context any, base iriParts) any {
	switch c := context.(type) {
	case string:
		return resolveIRI(base, c)
	case []any:
		for i, item := range c {
			c[i] = absolutes(item, base)
		}
	case map[string]any:
		for name, value := range c {
			if iri, ok := value.(string); ok && name == "@import" {
				c[name] = resolveIRI(base, iri)
			}
			if term, ok := value.(map[string]any); ok && term["@context"] != nil {
				term["@context"] = absolutes(term["@context"], base)
			}
		}
	}
	return context
}

// tellPrefixes tells the terms of a context that make compact IRIs (JSON-LD 1.1 §4.1.5).
func (j *jsonLD) tellPrefixes(context any, options *ld.JsonLdOptions) error {
	active, err := ld.NewContext(nil, options).Parse(context)
	switch {
	case j.contexts.err != nil:
		return j.contexts.err
	case err != nil:
		return j.refuse(err)
	}
	for _, name := range slices.Sorted(maps.Keys(active.TermDefinitions)) {
		term := active.TermDefinitions[name]
		if term != nil && term.Prefix != nil && *term.Prefix && isPrefix(name) && schemeLen(term.ID) > 0 && isPlainIRI(term.ID) {
			j.opts.Prefix(Prefix{Name: name, IRI: term.ID})
		}
	}
	return nil
}
