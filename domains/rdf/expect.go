package rdf

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// begin opens the text and refuses it when its first characters show that it is in no
// syntax of this family.
func (s *scanner) begin() error {
	if err := s.open(); err != nil {
		return err
	}
	for s.peek(0) == ' ' || s.peek(0) == '\t' || s.peek(0) == '\n' || s.peek(0) == '\r' {
		if c := s.buf[s.pos]; c == '\n' || c == '\r' {
			s.endLine()
		} else {
			s.pos++
		}
	}
	s.peek(len("<!DOCTYPE html "))
	head := s.buf[s.pos:s.end]
	if lower := strings.ToLower(string(head[:min(len(head), 15)])); strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html") {
		return s.fail(s.here(), fmt.Sprintf("this is a page (HTML), expected %s: was the address of the page saved instead of the file?", s.format))
	}
	for _, xml := range []string{"<?xml ", "<!-- ", "<!DOCTYPE ", "<rdf:RDF ", "<rdf:RDF\n", "<rdf:RDF\r"} {
		if bytes.HasPrefix(head, []byte(xml)) {
			return s.fail(s.here(), fmt.Sprintf("this is XML, expected %s: if it is RDF/XML, name the file .rdf or .owl", s.format))
		}
	}
	if len(head) > 0 && head[0] == '{' {
		switch beginsJSON := strings.HasPrefix(strings.TrimLeft(string(head[1:]), " \t\r\n"), `"`); {
		case beginsJSON:
			return s.fail(s.here(), fmt.Sprintf("this is JSON, expected %s: if it is JSON-LD, name the file .jsonld", s.format))
		case s.format == Turtle:
			return s.fail(s.here(), `found "{", expected Turtle: if the file is TriG, name it .trig`)
		}
	}
	return nil
}

// What a reader can expect, for messages.
const (
	aSubject   = `a subject: an IRI, a prefixed name, a blank node, "[" or "("`
	aPredicate = `a predicate: an IRI, a prefixed name or "a"`
	anObject   = `an object: an IRI, a prefixed name, a literal, a blank node, "[" or "("`

	afterObject    = `".", ";" or "," after an object`
	afterDirective = `"." at the end of the directive`
)

// closing is the bracket that has to come, for the one that was opened at a place.
func closing(end, begin string, open place) string {
	return fmt.Sprintf(`"%s" for the "%s" of %d:%d`, end, begin, open.line, open.column)
}

// unexpected is the error for a token that is not what had to come.
func (s *scanner) unexpected(want string) error {
	return s.fail(s.start(), fmt.Sprintf("found %s, expected %s%s", s.tok, want, s.advice(want)))
}

// String is the token for a sentence that begins with "found".
func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end of the file"
	case tokLine:
		return "the end of the line"
	case tokIRI:
		return "the IRI " + quoted("<"+string(t.text)+">")
	case tokName:
		return "the name " + quoted(string(t.text))
	case tokBlank:
		return "the blank node " + quoted(string(t.text))
	case tokString:
		return "the string " + quoted(string(t.text))
	case tokAt:
		if t.dir != 0 {
			return quoted("@" + string(t.text) + "--" + t.dir.String())
		}
		return quoted("@" + string(t.text))
	case tokTyped:
		return `"^^"`
	case tokInteger, tokDecimal, tokDouble:
		return "the number " + quoted(string(t.text))
	case tokWord:
		return "the word " + quoted(string(t.text))
	case tokOther:
		return quoted(string(t.text))
	}
	if mark, ok := marks[t.kind]; ok {
		return quoted(mark)
	}
	return quoted(string(rune(t.kind)))
}

// advice is what helps with a token that often comes where something else had to.
func (s *scanner) advice(want string) string {
	text := string(s.tok.text)
	switch {
	case s.beginsLine() && want == afterObject:
		return fmt.Sprintf("; is one missing at the end of line %d?", s.ended)
	case s.beginsLine() && want == afterDirective:
		return fmt.Sprintf("; is it missing at the end of line %d?", s.ended)
	case s.tok.kind == tokWord && s.glued():
		return "; is a space missing before it, or are quotes?"
	case s.tok.kind == tokWord && text == "a" && want == anObject:
		return `; "a" is a predicate: is the "." of the statement before missing?`
	case s.tok.kind == tokWord && (want == aSubject || want == aPredicate || want == anObject):
		return `; a name needs a prefix (ex:name), a text needs quotes ("text")`
	case (s.tok.kind == '{' || s.tok.kind == '}') && s.format == Turtle:
		return "; graphs in curly brackets are TriG: if the file is that, name it .trig"
	case s.tok.kind == tokOpenTerm && want == aSubject:
		return `; a triple term can only be an object: write "<<" without "(" for what stands for a triple`
	case s.tok.kind != tokOther:
		return ""
	}
	switch text {
	case "=", "^", "!":
		return "; this is Notation3, which can't be read"
	case "/", "#", "~", "$", "&", "*", "?":
		if s.glued() {
			return `; in a prefixed name write it with "\" before it, or write the IRI in full between < and >`
		}
	}
	return ""
}

// beginsLine reports whether tok could begin a statement and is the first of its line,
// or ends the file.
func (s *scanner) beginsLine() bool {
	switch s.tok.kind {
	case tokEnd:
		return true
	case tokIRI, tokName, tokBlank, tokAt, tokWord, '[', '(', '{', tokOpenReified:
		return s.ended < s.start().line
	}
	return false
}

// glued reports whether tok follows a name or number without a space.
func (s *scanner) glued() bool {
	switch s.before {
	case tokName, tokBlank, tokInteger, tokDecimal, tokDouble, tokWord:
		return true
	}
	return false
}

// quoted puts text of the file between quotes, with invisible characters escaped and
// cut to a length that fits a message. Quotes inside stay as they are.
func quoted(s string) string {
	const most = 60
	if runes := []rune(s[:min(len(s), 4*most+4)]); len(runes) > most {
		s = string(runes[:most]) + "…"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	b.WriteByte('"')
	return b.String()
}

// wellKnown are the namespaces that people use without declaring them: prefix → IRI.
var wellKnown = map[string]string{
	"rdf":     RDF,
	"rdfs":    RDFS,
	"owl":     OWL,
	"xsd":     XSD,
	"skos":    SKOS,
	"sh":      SH,
	"dc":      "http://purl.org/dc/elements/1.1/",
	"dcterms": "http://purl.org/dc/terms/",
	"dct":     "http://purl.org/dc/terms/",
	"dcat":    "http://www.w3.org/ns/dcat#",
	"foaf":    "http://xmlns.com/foaf/0.1/",
	"schema":  "https://schema.org/",
	"prov":    "http://www.w3.org/ns/prov#",
	"org":     "http://www.w3.org/ns/org#",
	"time":    "http://www.w3.org/2006/time#",
	"vann":    "http://purl.org/vocab/vann/",
	"void":    "http://rdfs.org/ns/void#",
	"vcard":   "http://www.w3.org/2006/vcard/ns#",
	"geo":     "http://www.w3.org/2003/01/geo/wgs84_pos#",
	"sosa":    "http://www.w3.org/ns/sosa/",
	"qudt":    "http://qudt.org/schema/qudt/",
	"unit":    "http://qudt.org/vocab/unit/",
	"brick":   "https://brickschema.org/schema/Brick#",
	"fhir":    "http://hl7.org/fhir/",
}

// undeclared is the error for the prefix of the name in tok.
func (s *scanner) undeclared() error {
	prefix := string(s.tok.text[:s.tok.colon])
	iri, ok := wellKnown[prefix]
	if !ok {
		iri = "…"
	}
	message := fmt.Sprintf(`prefix %s is not declared: add "@prefix %s: <%s> ."`, quoted(prefix), prefix, iri)
	if !ok {
		message += " with its IRI"
	}
	return s.fail(s.start(), message)
}
