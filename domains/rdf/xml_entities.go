package rdf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// xmlEntity is an entity that a document type declares.
type xmlEntity struct {
	value string // as it is written, with character references replaced
	whole string // with all references replaced, once that was needed
	state uint8  // 0 not looked at, 1 being looked at, 2 whole is known
}

// predefined are the entities that every document has (XML 1.0 §4.6).
var predefined = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'"}

// reference reads a reference at pos and adds what it stands for to the text.
func (x *xmlScanner) reference() error {
	at := x.here()
	x.pos++
	var name [64]byte
	n := 0
	for {
		c := x.peek(n)
		if c == ';' || c == 0 || c <= ' ' || c == '<' || c == '&' || n == len(name) {
			break
		}
		name[n] = c
		n++
	}
	if x.peek(n) != ';' || n == 0 {
		return x.stopped(n, at, `found "&", expected a reference such as &amp;: write &amp; for the sign itself`)
	}
	x.pos += n + 1
	ref := string(name[:n])
	if ref[0] == '#' {
		r, ok := codeOf(ref[1:])
		if !ok {
			return x.noCode(ref, at)
		}
		x.text = utf8.AppendRune(x.text, r)
		return nil
	}
	text, err := x.entity(ref, at)
	if err != nil {
		return err
	}
	if x.grown += len(text); x.grown > MaxToken {
		return x.fail(at, fmt.Sprintf("entities stand for more than %d MiB here, which is the most that can be read: write the text out in parts", MaxToken>>20))
	}
	x.text = append(x.text, text...)
	return nil
}

// noCode is the error for a reference to a character that is none.
func (x *xmlScanner) noCode(ref string, at place) error {
	return x.fail(at, fmt.Sprintf("found %s, expected the number of a character that XML has, such as &#233;", quoted("&"+ref+";")))
}

// codeOf reads the number of a character reference, after the "#".
func codeOf(digits string) (rune, bool) {
	hex := strings.HasPrefix(digits, "x")
	if digits = strings.TrimPrefix(digits, "x"); digits == "" {
		return 0, false
	}
	var r uint32
	for _, c := range []byte(digits) {
		switch {
		case hex && classes[c]&hexChar != 0:
			r = r<<4 | uint32(hexValue(c))
		case !hex && classes[c]&digitChar != 0:
			r = r*10 + uint32(c-'0')
		default:
			return 0, false
		}
		if r > utf8.MaxRune {
			return 0, false
		}
	}
	return rune(r), r >= ' ' && utf8.ValidRune(rune(r)) && r != 0xFFFE && r != 0xFFFF || r == '\t' || r == '\n' || r == '\r'
}

// entity is the text of an entity. What entities make of a few bytes is bounded as it is for
// namespaces.
func (x *xmlScanner) entity(name string, at place) (string, error) {
	if text, ok := predefined[name]; ok {
		return text, nil
	}
	if digits, isNumber := strings.CutPrefix(name, "#"); isNumber { // in the value of another entity
		if r, ok := codeOf(digits); ok {
			return string(r), nil
		}
		return "", x.noCode(name, at)
	}
	e, ok := x.entities[name]
	switch {
	case !ok:
		advice := "write the character itself, or declare it in the document type"
		if iri := wellKnown[name]; iri != "" {
			advice = fmt.Sprintf(`add <!DOCTYPE rdf:RDF [ <!ENTITY %s "%s"> ]> before the first tag`, name, iri)
		}
		return "", x.fail(at, fmt.Sprintf("the entity %s is not declared: %s", quoted("&"+name+";"), advice))
	case e.state == 2:
		return e.whole, nil
	case e.state == 1:
		return "", x.fail(at, fmt.Sprintf("the entity %s contains itself", quoted("&"+name+";")))
	}
	e.state = 1
	x.entities[name] = e
	var b strings.Builder
	rest := e.value
	for {
		before, after, more := strings.Cut(rest, "&")
		b.WriteString(before)
		if !more {
			break
		}
		ref, tail, ended := strings.Cut(after, ";")
		if !ended {
			return "", x.fail(at, fmt.Sprintf(`the entity %s has a "&" that begins no reference`, quoted("&"+name+";")))
		}
		text, err := x.entity(ref, at)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
		if b.Len() > MaxNamespace {
			break
		}
		rest = tail
	}
	switch e.whole = b.String(); {
	case len(e.whole) > MaxNamespace:
		return "", x.fail(at, fmt.Sprintf("the entity %s stands for more than %d bytes, which is the most that can be read: write the text out", quoted("&"+name+";"), MaxNamespace))
	case strings.Contains(e.value, "<"):
		return "", x.fail(at, fmt.Sprintf("the entity %s stands for elements, and only text can be read: write them out", quoted("&"+name+";")))
	}
	e.state = 2
	x.entities[name] = e
	return e.whole, nil
}

// mostEntities is how many entities a document may declare.
const mostEntities = 10_000

// documentType reads what follows <!DOCTYPE, and its entities.
func (x *xmlScanner) documentType() error {
	for {
		x.skipSpace()
		switch c := x.peek(0); c {
		case '>':
			x.pos++
			return nil
		case '[':
			x.pos++
			if err := x.internalSubset(); err != nil {
				return err
			}
		case '"', '\'':
			x.pos++
			if err := x.until(string(rune(c)), "the literal in the document type"); err != nil {
				return err
			}
		case 0, '<':
			return x.stopped(0, x.at, `the document type that begins here has no ">"`)
		default:
			x.pos++
		}
	}
}

// internalSubset reads the declarations of a document type up to "]".
func (x *xmlScanner) internalSubset() error {
	for {
		x.skipSpace()
		var err error
		switch {
		case x.within("]"):
			return nil
		case x.within("<!--"):
			err = x.until("-->", "the comment")
		case x.within("<?"):
			err = x.until("?>", "the processing instruction")
		case x.within("<!ENTITY"):
			err = x.declareEntity()
		case x.within("<!"):
			err = x.skipDeclaration()
		case x.within("%"):
			err = x.until(";", "the reference")
		default:
			looked := 0 // after "<" it is the next character that is wrong
			if x.peek(0) == '<' {
				looked = 1
			}
			return x.stopped(looked, x.here(), fmt.Sprintf(`found %s, expected a declaration or "]" in the document type`, x.found()))
		}
		if err != nil {
			return err
		}
	}
}

// skipDeclaration reads a declaration that says nothing of entities.
func (x *xmlScanner) skipDeclaration() error {
	for {
		switch c := x.peek(0); c {
		case '>':
			x.pos++
			return nil
		case '"', '\'':
			x.pos++
			if err := x.until(string(rune(c)), "the literal"); err != nil {
				return err
			}
		case '\n', '\r':
			x.endLine()
		case 0:
			return x.stopped(0, x.at, `the document type that begins here has a declaration without ">"`)
		default:
			x.pos++
		}
	}
}

// declareEntity reads what follows <!ENTITY. The first declaration of a name counts (XML 1.0
// §4.2). Those of parameter and external entities are skipped: what refers to an external one
// finds it undeclared.
func (x *xmlScanner) declareEntity() error {
	x.skipSpace()
	if x.peek(0) == '%' {
		return x.skipDeclaration()
	}
	x.mark = x.pos
	name, err := x.ncName(anEntityName)
	x.mark, x.multiline = -1, place{}
	if err != nil {
		return err
	}
	x.skipSpace()
	quote := x.peek(0)
	if quote != '"' && quote != '\'' {
		return x.skipDeclaration()
	}
	at := x.here()
	x.pos++
	if err := x.until(string(rune(quote)), "the value of the entity"); err != nil {
		return err
	}
	value := string(x.text)
	if x.entities == nil {
		x.entities = map[string]xmlEntity{}
	}
	if len(x.entities) == mostEntities || len(value) > MaxNamespace {
		return x.fail(at, fmt.Sprintf("more than %d entities, or one longer than %d bytes, can't be read: write the text out", mostEntities, MaxNamespace))
	}
	if _, known := x.entities[name]; !known {
		x.entities[name] = xmlEntity{value: charactersIn(value)}
	}
	return x.skipDeclaration()
}

// charactersIn replaces the character references in the value of an entity. A "&" that
// comes of one stays a reference, so that &#38;amp; is "&".
func charactersIn(value string) string {
	if !strings.Contains(value, "&#") {
		return value
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(value, "&#")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		digits, rest, ended := strings.Cut(after, ";")
		r, isCode := codeOf(digits)
		if !ended || !isCode {
			b.WriteString("&#")
			value = after
			continue
		}
		b.WriteRune(r)
		value = rest
	}
}
