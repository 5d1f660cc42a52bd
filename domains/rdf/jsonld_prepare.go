package rdf

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// prepare makes a decoded document fit for json-gold, in place: it holds contexts
// against their limits, gives @version the type that json-gold compares with, and writes language
// tags so that their capitals survive. Active is how many terms the contexts around it have:
// json-gold copies them for each context.
func (j *jsonLD) prepare(value any, active int) error {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			if err := j.prepare(item, active); err != nil {
				return err
			}
		}
	case map[string]any:
		if context, ok := v["@context"]; ok {
			active += termCount(context)
			if j.copied += active; j.copied > maxContextTerms {
				return j.text.fail(j.text.findText("@context"), "the document has too many contexts inside contexts with many terms: write one context, at its beginning")
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			inner := v[name]
			switch name {
			case "@version":
				if n, ok := inner.(json.Number); ok {
					v[name], _ = n.Float64()
				}
			case "@language":
				if tag, ok := inner.(string); ok {
					v[name] = maskCapitals(tag)
				}
			case "@list":
				if inner == nil {
					v[name] = []any{} // json-gold would make it a list of nothing
				}
			case "@base":
				if inner == nil {
					v[name] = noBase
				}
			case "@context":
				if err := j.checkContext(inner); err != nil {
					return err
				}
			}
			if err := j.prepare(inner, active); err != nil {
				return err
			}
		}
	}
	return nil
}

// termCount is how many terms a context has, without those of documents that it names.
func termCount(context any) int {
	switch c := context.(type) {
	case []any:
		n := 0
		for _, item := range c {
			if terms, ok := item.(map[string]any); ok {
				n += len(terms)
			}
		}
		return n
	case map[string]any:
		return len(c)
	}
	return 0
}

// checkContext holds a context against the limits.
func (j *jsonLD) checkContext(context any) error {
	switch c := context.(type) {
	case []any:
		if len(c) > maxContexts {
			return j.text.fail(j.text.findText("@context"), fmt.Sprintf("a context of %d contexts, at most %d can be read: write their terms into one", len(c), maxContexts))
		}
		for _, item := range c {
			if _, nested := item.([]any); nested {
				continue // json-gold refuses it
			}
			if err := j.checkContext(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(c)) {
			if term, ok := c[name].(map[string]any); ok && term["@id"] == "@nest" && has(term, "@context") {
				return j.text.fail(j.text.findText(name), fmt.Sprintf("the term %s is a @nest with a context of its own, which can't be read: put that context into the objects", inQuotes(name)))
			}
		}
		known := make(map[string]int)
		for _, name := range slices.Sorted(maps.Keys(c)) {
			if termChain(c, name, known, 0) > maxTermChain {
				return j.text.fail(j.text.findText(name), fmt.Sprintf("the term %s is defined by way of more than %d others: write its whole IRI", inQuotes(name), maxTermChain))
			}
		}
		return j.checkLengths(c)
	}
	return nil
}

// checkLengths holds the IRIs that a context gives its terms against MaxNamespace, with the prefixes
// that earlier contexts gave: every use of a term repeats its IRI.
func (j *jsonLD) checkLengths(context map[string]any) error {
	known := make(map[string]int)
	for _, name := range slices.Sorted(maps.Keys(context)) {
		if n := j.termLength(context, name, known); n > MaxNamespace {
			return j.text.fail(j.text.findText(name), fmt.Sprintf("the context gives %s an IRI of %d bytes, and at most %d can be read: give it a shorter one", inQuotes(name), n, MaxNamespace))
		}
	}
	for name, n := range known {
		j.lengths[name] = max(n, j.lengths[name])
	}
	return nil
}

// termLength is at least the length of the IRI of a term.
func (j *jsonLD) termLength(context map[string]any, name string, known map[string]int) int {
	definition, ok := context[name]
	if !ok {
		return j.lengths[name]
	}
	if n, ok := known[name]; ok {
		return n
	}
	known[name] = 0 // json-gold refuses circles
	longest := 0
	for _, s := range append(termTexts(definition), name) {
		prefix, _, compact := strings.Cut(s, ":")
		n := len(s)
		switch {
		case s == name && s[:min(1, len(s))] == "@":
			n = 0
		case s != name && (has(context, s) || j.lengths[s] > 0):
			n = j.termLength(context, s, known)
		case compact && prefix != name:
			n += j.termLength(context, prefix, known)
		case !compact && name == "@vocab":
			n += j.lengths[name]
		case !compact && s != name:
			n += j.termLength(context, "@vocab", known)
		}
		longest = max(longest, n)
	}
	known[name] = longest
	return longest
}

// termTexts are the strings in the definition of a term that are IRIs or names of
// other terms.
func termTexts(definition any) []string {
	switch d := definition.(type) {
	case string:
		return []string{d}
	case map[string]any:
		var all []string
		for _, name := range []string{"@id", "@reverse", "@type"} {
			if s, ok := d[name].(string); ok {
				all = append(all, s)
			}
		}
		return all
	}
	return nil
}

// termChain is how many terms have to be defined for one: known holds what was
// counted, and -1 for what is being counted; json-gold refuses such circles.
func termChain(context map[string]any, name string, known map[string]int, depth int) int {
	definition, ok := context[name]
	if !ok {
		return 0
	}
	if n := known[name]; n != 0 {
		return max(n, 0)
	}
	if depth > maxTermChain {
		return depth
	}
	known[name] = -1
	longest := 0
	for _, s := range append(termTexts(definition), name) {
		prefix, _, _ := strings.Cut(s, ":")
		for _, other := range []string{s, prefix} {
			if other != name {
				longest = max(longest, termChain(context, other, known, depth+1))
			}
		}
	}
	known[name] = longest + 1
	return longest + 1
}

// noBase is the base of what is in a context that takes the base away.
const noBase = "no-base://none/"

// setBase finds the base of a top-level element, Options.Base or the @base of its
// context, and takes it out: relative IRIs are resolved after the expansion, because json-gold
// would encode them. A @base further in is json-gold's.
func (j *jsonLD) setBase(element map[string]any) error {
	j.base, j.hasBase = iriParts{}, false
	if base := j.opts.Base; base != "" {
		if schemeLen(base) == 0 {
			return fmt.Errorf("reading %s: the base %q is not an absolute IRI", j.title(), base)
		}
		j.base, j.hasBase = splitIRI(base), true
	}
	items, isArray := element["@context"].([]any)
	if !isArray {
		items = []any{element["@context"]}
	}
	terms := make(map[string]bool)
	hasVocab := false
	for _, item := range items {
		context, ok := item.(map[string]any)
		if !ok {
			hasVocab = hasVocab || item != nil // a context document may have any
			continue
		}
		for name := range context {
			terms[name] = true
		}
		if base, ok := context["@base"]; ok {
			if err := j.changeBase(base); err != nil {
				return err
			}
			delete(context, "@base")
		}
		vocab, ok := context["@vocab"].(string)
		if ok && !hasVocab && schemeLen(vocab) == 0 && !terms[vocab] {
			if !j.hasBase {
				return j.relative(vocab, "the @vocab")
			}
			if context["@vocab"] = resolveIRI(j.base, vocab); vocab == "" {
				context["@vocab"] = j.base.String()
			}
		}
		hasVocab = hasVocab || ok
	}
	return nil
}

// changeBase takes the @base of a context.
func (j *jsonLD) changeBase(base any) error {
	switch b := base.(type) {
	case string:
		if b == noBase {
			j.hasBase = false
			return nil
		}
		if !j.hasBase && schemeLen(b) == 0 {
			return j.relative(b, "the @base")
		}
		if j.hasBase {
			b = resolveIRI(j.base, b)
		}
		j.base, j.hasBase = splitIRI(b), true
		return nil
	}
	return j.text.fail(j.text.findText("@base"), fmt.Sprintf("found %s as @base, expected an IRI as a string, or null", kindOf(base)))
}

// relative is the error for a relative IRI without base.
func (j *jsonLD) relative(iri, what string) error {
	return j.text.fail(j.text.findText(iri), fmt.Sprintf(`%s %s is relative, and there is no base: write the whole IRI, or add "@base" to the context`, what, inQuotes(iri)))
}

// maskCapitals writes a language tag in small letters, followed by where its capitals are: json-gold
// makes all letters small.
func maskCapitals(s string) string {
	small := strings.ToLower(s)
	if small == s || !isLanguage(s) { // ASCII alone
		return s
	}
	mask := make([]byte, len(s))
	for i := range len(s) {
		mask[i] = '0'
		if s[i] != small[i] {
			mask[i] = '1'
		}
	}
	return small + "\x00" + string(mask)
}

// unmaskCapitals undoes maskCapitals.
func unmaskCapitals(s string) string {
	small, mask, ok := strings.Cut(s, "\x00")
	if !ok || len(small) != len(mask) {
		return s
	}
	b := []byte(small)
	for i := range b {
		if mask[i] == '1' {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}

// noteTags notes how the keys of objects and the strings that may be language tags are
// written, for those of language maps and of terms. One that is written in two ways is left
// in small letters.
func (j *jsonLD) noteTags(value any) {
	note := func(s string) {
		if len(s) > 35 || !isLanguage(s) {
			return
		}
		small := strings.ToLower(s)
		if other, ok := j.tags[small]; ok && other != s {
			s = small
		}
		j.tags[small] = s
	}
	switch v := value.(type) {
	case string:
		note(v)
	case []any:
		for _, item := range v {
			j.noteTags(item)
		}
	case map[string]any:
		for name, inner := range v {
			note(name)
			j.noteTags(inner)
		}
	}
}
