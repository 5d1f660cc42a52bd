package rdf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/piprate/json-gold/ld"
)

// fail is the error for a place.
func (t jsonText) fail(at place, message string) error {
	return &SyntaxError{File: t.file, Line: at.line, Column: at.column, Message: message}
}

// place is where an offset is.
func (t jsonText) place(offset int) place {
	before := t.text[:min(max(offset, 0), len(t.text))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return place{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[line:]) + 1}
}

// first is the place where the document begins.
func (t jsonText) first() place {
	return t.place(len(t.text) - len(bytes.TrimLeft(t.text, " \t\r\n")))
}

// find is the place of the first string, name or value, that is fits; without one it is where
// the document begins.
func (t jsonText) find(fits func(s string) bool) place {
	for i := 0; i < len(t.text); i++ {
		if t.text[i] != '"' {
			continue
		}
		end := t.stringEnd(i)
		var s string
		if json.Unmarshal(t.text[i:end], &s) == nil && fits(s) {
			return t.place(i)
		}
		i = end - 1
	}
	return t.first()
}

// findText is the place of the first string that is s.
func (t jsonText) findText(s string) place {
	return t.find(func(other string) bool { return other == s })
}

// findNumber is the place of the first number that is written so.
func (t jsonText) findNumber(n string) place {
	for i := 0; i < len(t.text); i++ {
		switch {
		case t.text[i] == '"':
			i = t.stringEnd(i) - 1
		case bytes.HasPrefix(t.text[i:], []byte(n)):
			return t.place(i)
		}
	}
	return t.first()
}

// malformed is the error for what is not JSON.
func (t jsonText) malformed(err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return t.fail(t.place(len(t.text)), "the JSON ends too early: is a } or ] missing?")
		}
		return t.fail(t.first(), "not JSON: "+printable(err.Error()))
	}
	at, message := t.place(int(syntax.Offset)-1), syntax.Error()
	if strings.HasPrefix(message, "unexpected end") {
		return t.fail(t.place(len(t.text)), "the JSON ends too early: is a } or ] missing?")
	}
	if message == "invalid character after top-level value" || strings.HasSuffix(message, "after top-level value") {
		return t.fail(at, "something follows the end of the document, expected one object or array: of several documents, one in each line, make an array")
	}
	return t.fail(at, "not JSON: "+message)
}

// kindOf names the kind of a JSON value for people.
func kindOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "true or false"
	case json.Number, float64:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

// printable is a text from a file or from json-gold for a message: in one line, with invisible
// characters escaped, and cut where it is long.
func printable(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case i > 300:
			b.WriteString("…")
			return b.String()
		case r == '\n':
			b.WriteString(" ")
		case Hidden(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// refuse turns an error of json-gold into one with a place: that of the first
// word in it which the document has as a string.
func (j *jsonLD) refuse(err error) error {
	var known *ld.JsonLdError
	if !errors.As(err, &known) {
		return j.text.fail(j.text.first(), printable(err.Error()))
	}
	message := string(known.Code)
	if known.Details != nil && !mute[known.Code] {
		message += fmt.Sprintf(": %v", known.Details)
	}
	if advice := advices[known.Code]; advice != "" {
		message += ": " + advice
	}
	return j.text.fail(j.suspect(known), printable(message))
}

// suspect is the place that an error of json-gold is most likely about: that of a word of its
// details or, without one, of the keyword that its code names.
func (j *jsonLD) suspect(err *ld.JsonLdError) place {
	var keywords []string
	for _, text := range []string{fmt.Sprint(err.Details), string(err.Code)} {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ,;\"'[]()", r) }) {
			if word == "@context" {
				continue
			}
			if strings.HasPrefix(word, "@") {
				keywords = append(keywords, word)
			} else if at := j.text.findText(word); at != j.text.first() && !common[word] {
				return at
			}
		}
	}
	for _, topic := range topics {
		if strings.Contains(string(err.Code), topic.word) {
			keywords = append(keywords, topic.keyword)
		}
	}
	for _, word := range keywords {
		if at := j.text.findText(word); at != j.text.first() {
			return at
		}
	}
	return j.text.first()
}

// topics are what json-gold's codes are about: word → the keyword to look for.
var topics = []struct{ word, keyword string }{
	{"value object", "@value"},
	{"reverse", "@reverse"},
	{"@included", "@included"},
	{"list", "@list"},
	{"context", "@context"},
	{"term", "@context"},
	{"mapping", "@context"},
	{"base", "@context"},
	{"language", "@context"},
}

// mute are the codes of which json-gold's details help nobody.
var mute = map[ld.ErrorCode]bool{ld.InvalidVersionValue: true, ld.InvalidContainerMapping: true, ld.InvalidLocalContext: true}

// common are words of json-gold's sentences that say nothing about a place.
var common = map[string]bool{"a": true, "an": true, "the": true, "value": true, "term": true, "to": true, "is": true, "of": true, "type": true, "with": true, "must": true, "be": true, "id": true, "object": true, "index": true, "string": true, "or": true, "and": true, "not": true, "in": true, "on": true, "no": true, "result": true, "already": true}

// advices say what to do about json-gold's errors.
var advices = map[ld.ErrorCode]string{
	ld.InvalidLocalContext:         "a context is an object, an IRI, null, or an array of these",
	ld.InvalidRemoteContext:        `a context document is an object with "@context"`,
	ld.InvalidTermDefinition:       "a term is defined by an IRI, null, or an object with @id, @type, @container and the like",
	ld.InvalidIRIMapping:           "give the term a whole IRI, declare the prefix that it uses, or set @vocab",
	ld.CyclicIRIMapping:            "terms are defined by each other: write the whole IRI in one of them",
	ld.KeywordRedefinition:         "keywords can't be defined: choose another name",
	ld.CollidingKeywords:           "say it once; look for names that the context makes the same keyword",
	ld.InvalidTypeMapping:          "@type of a term is a whole IRI, @id, @vocab, @json or @none",
	ld.InvalidTypeValue:            "@type is an IRI or an array of IRIs",
	ld.InvalidIDValue:              "@id is one IRI as a string",
	ld.InvalidContainerMapping:     "@container is @list, @set, @index, @language, @graph, @id or @type, or one of these with @set",
	ld.InvalidReversePropertyValue: "only nodes can be below @reverse",
	ld.InvalidVersionValue:         "@version is the number 1.1",
	ld.InvalidBaseDirection:        `@direction is "ltr" or "rtl"`,
	ld.InvalidValueObject:          "an object with @value may have @type, or @language and @direction, and @index, nothing else",
	ld.InvalidLanguageMapValue:     "a language map has strings or arrays of strings",
	ld.ProtectedTermRedefinition:   "a protected term keeps its definition: choose another name",
	ld.RecursiveContextInclusion:   "a context includes itself",
}

// inQuotes is printable between quotation marks.
func inQuotes(s string) string { return `"` + printable(s) + `"` }
