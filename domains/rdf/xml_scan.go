package rdf

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// xmlKind says what a part of an XML document is.
type xmlKind uint8

const (
	xmlEnd     xmlKind = iota // the end of the document
	xmlStart                  // a start tag; that of an empty element is followed by an xmlClose
	xmlClose                  // an end tag
	xmlText                   // text between tags, or a CDATA section
	xmlComment                // text is what is between <!-- and -->
	xmlPI                     // a processing instruction: text is target and data
)

// xmlName is a qualified name.
type xmlName struct {
	prefix, local string
	iri           string // the namespace; empty for none
}

// String is the name as it is written.
func (n xmlName) String() string {
	if n.prefix == "" {
		return n.local
	}
	return n.prefix + ":" + n.local
}

// xmlAttr is an attribute.
type xmlAttr struct {
	name  xmlName
	value string
	at    place // of the name
}

// xmlBinding is a namespace declaration that is in force for an element and below it.
type xmlBinding struct {
	prefix, iri string
	depth       int // of that element; 1 is the root
}

// xmlScanner cuts XML 1.0 (https://www.w3.org/TR/xml/) into its parts, with namespaces
// (https://www.w3.org/TR/xml-names/). It reads no external entity, and of a document type only
// the entities that it declares.
type xmlScanner struct {
	reader
	kind  xmlKind
	at    place     // of the part
	name  xmlName   // of a tag
	attrs []xmlAttr // of a start tag, without namespace declarations
	text  []byte
	// closes says that the element of a start tag is empty.
	closes   bool
	open     []xmlName // elements that are open
	spaces   []xmlBinding
	entities map[string]xmlEntity
	// grown is how much text entities have given to the part.
	grown int
	// begun says that no document type can come: there was one, or the root.
	begun bool
}

// next reads the next part.
func (x *xmlScanner) next() error {
	x.mark, x.multiline, x.grown = -1, place{}, 0
	if x.closes {
		x.closes = false
		return x.closed()
	}
	if x.pos == x.end && !x.more() {
		if x.err != io.EOF {
			return x.stopped(0, place{}, "")
		}
		if n := len(x.open); n > 0 {
			return x.fail(x.here(), fmt.Sprintf("found the end of the file, expected </%s>", x.open[n-1]))
		}
		x.kind, x.at = xmlEnd, x.here()
		return nil
	}
	x.at = x.here()
	if x.buf[x.pos] != '<' {
		return x.chars()
	}
	x.mark = x.pos
	switch x.peek(1) {
	case '/':
		return x.endTag()
	case '?':
		return x.instruction()
	case '!':
		return x.declaration()
	}
	return x.startTag()
}

// within reports whether the text goes on with what is given at pos, and takes it.
func (x *xmlScanner) within(text string) bool {
	for i := range len(text) {
		if x.peek(i) != text[i] {
			return false
		}
	}
	x.pos += len(text)
	return true
}

// isPlainXML are the bytes that stand for themselves in text and in values: no markup, no
// end of line, no control character.
var isPlainXML = func() (t [256]bool) {
	for c := 0x20; c < 0x100; c++ {
		t[c] = !strings.ContainsRune("<&]\"'", rune(c)) || c >= 0x80
	}
	return t
}()

// chars reads text up to the next tag.
func (x *xmlScanner) chars() error {
	x.kind, x.text = xmlText, x.text[:0]
	for x.pos < x.end || x.more() {
		switch c := x.buf[x.pos]; {
		case isPlainXML[c]:
			x.plain()
		case c == '<':
			return nil
		case c == '&':
			if err := x.reference(); err != nil {
				return err
			}
		case c == ']' && x.peek(1) == ']' && x.peek(2) == '>':
			return x.fail(x.here(), `found "]]>", expected text: write "]]&gt;"`)
		default:
			if err := x.char(); err != nil {
				return err
			}
		}
		if len(x.text) > MaxToken {
			return x.fail(x.at, fmt.Sprintf("this text is longer than %d MiB, which is the most that can be read: is a tag missing?", MaxToken>>20))
		}
	}
	if x.err != io.EOF {
		return x.stopped(0, place{}, "")
	}
	return nil
}

// plain takes what stands for itself.
func (x *xmlScanner) plain() {
	from := x.pos
	for x.pos < x.end && isPlainXML[x.buf[x.pos]] {
		x.pos++
	}
	x.text = append(x.text, x.buf[from:x.pos]...)
}

// char takes one byte of text; ends of lines become one "\n" (XML 1.0 §2.11).
func (x *xmlScanner) char() error {
	c := x.buf[x.pos]
	switch {
	case c == '\n' || c == '\r':
		x.endLine()
		x.text = append(x.text, '\n')
		return nil
	case c < ' ' && c != '\t':
		return x.fail(x.here(), fmt.Sprintf("XML can't contain the character %s: remove it", quoted(string(rune(c)))))
	}
	x.text = append(x.text, c)
	x.pos++
	return nil
}

// until reads text up to what ends it, which it takes: what is the name of what begins at x.at.
func (x *xmlScanner) until(end, what string) error {
	x.text = x.text[:0]
	for x.pos < x.end || x.more() {
		switch c := x.buf[x.pos]; {
		case c == end[0] && x.within(end):
			return nil
		case isPlainXML[c]:
			x.text = append(x.text, c)
			x.pos++
		default:
			if err := x.char(); err != nil {
				return err
			}
		}
		if len(x.text) > MaxToken {
			return x.fail(x.at, fmt.Sprintf("%s that begins here is longer than %d MiB, which is the most that can be read: is %q missing?", what, MaxToken>>20, end))
		}
	}
	return x.stopped(0, x.at, fmt.Sprintf("%s that begins here has no %q", what, end))
}

// instruction reads <?target data?>, the XML declaration included.
func (x *xmlScanner) instruction() error {
	x.mark = -1
	x.pos += 2
	if err := x.until("?>", "the processing instruction"); err != nil {
		return err
	}
	x.kind = xmlPI
	if bytes.HasPrefix(x.text, []byte("xml")) && len(x.text) > 3 && isSpace(x.text[3:4]) {
		return x.checkEncoding(string(x.text))
	}
	return nil
}

// checkEncoding refuses an XML declaration that names an encoding which can't be read.
func (x *xmlScanner) checkEncoding(declaration string) error {
	_, rest, ok := strings.Cut(declaration, "encoding")
	if !ok {
		return nil
	}
	rest = strings.TrimLeft(rest, " \t\n=")
	if rest == "" {
		return nil
	}
	name, _, _ := strings.Cut(rest[1:], rest[:1])
	switch strings.ToUpper(name) {
	case "UTF-8", "UTF8", "US-ASCII", "ASCII":
		return nil
	}
	return x.fail(x.at, fmt.Sprintf("the encoding is %s, expected UTF-8: convert the file, for example with iconv -f %s -t UTF-8, and write that in its first line", quoted(name), name))
}

// declaration reads a comment, a CDATA section or a document type.
func (x *xmlScanner) declaration() error {
	x.mark = -1
	switch {
	case x.within("<!--"):
		x.kind = xmlComment
		return x.until("-->", "the comment")
	case x.within("<![CDATA["):
		x.kind = xmlText
		return x.until("]]>", "the CDATA section")
	case x.within("<!DOCTYPE"):
		if x.begun {
			return x.fail(x.at, "found <!DOCTYPE, expected it at most once, and before the first element: remove it")
		}
		x.begun = true
		if err := x.documentType(); err != nil {
			return err
		}
		return x.next()
	}
	const wrong = `found "<!", expected an element, a comment or a CDATA section`
	if longest := len("<![CDATA["); x.peek(longest-1) != 0 || x.end-x.pos >= longest {
		return x.fail(x.at, wrong)
	}
	return x.stopped(x.end-x.pos, x.at, wrong)
}

// skipSpace reads white space and reports whether there was some.
func (x *xmlScanner) skipSpace() bool {
	some := false
	for x.pos < x.end || x.more() {
		switch x.buf[x.pos] {
		case ' ', '\t':
			x.pos++
		case '\n', '\r':
			x.endLine()
		default:
			return some
		}
		some = true
	}
	return some
}

// xmlNameOf says what a name is that has to come.
type xmlNameOf uint8

const (
	anElementName xmlNameOf = iota
	anAttributeName
	anEndName
	anEntityName
	aNameAfterColon
)

// want is what has to come.
func (x *xmlScanner) want(of xmlNameOf) string {
	switch of {
	case anElementName:
		return `the name of an element: write &lt; for a "<" in text`
	case anAttributeName:
		return fmt.Sprintf(`an attribute, ">" or "/>" in the tag of %s`, x.name)
	case anEndName:
		return "the name of the element that ends"
	case anEntityName:
		return "the name of the entity"
	}
	return "a name after the colon"
}

// ncName reads a name without colon (NCName).
func (x *xmlScanner) ncName(of xmlNameOf) (string, error) {
	from := x.pos - x.mark
	for first := true; x.pos < x.end || x.more(); first = false {
		c := x.buf[x.pos]
		if classes[c]&nameChar != 0 || c == '.' {
			if first && (classes[c]&digitChar != 0 || c == '-' || c == '.') {
				break
			}
			x.pos++
			continue
		}
		r, n := x.scanner.char()
		if c < 0x80 || !isNameChar(r) || first && !isNameStart(r) {
			break
		}
		x.pos += n
	}
	name := x.buf[x.mark+from : x.pos]
	if len(name) == 0 {
		return "", x.stopped(0, x.here(), fmt.Sprintf("found %s, expected %s", x.found(), x.want(of)))
	}
	return x.terms.text(name), nil
}

// found is the character at pos for messages.
func (x *xmlScanner) found() string {
	if x.pos == x.end && !x.more() {
		return "the end of the file"
	}
	r, _ := x.scanner.char()
	return quoted(string(r))
}

// qName reads a name that may have a prefix.
func (x *xmlScanner) qName(of xmlNameOf) (n xmlName, err error) {
	if n.local, err = x.ncName(of); err != nil || x.peek(0) != ':' {
		return n, err
	}
	x.pos++
	n.prefix = n.local
	n.local, err = x.ncName(aNameAfterColon)
	return n, err
}

// value reads the value of an attribute, in quotes. White space in it becomes spaces (XML 1.0
// §3.3.3).
func (x *xmlScanner) value() (string, error) {
	quote := x.peek(0)
	if quote != '"' && quote != '\'' {
		return "", x.stopped(0, x.here(), fmt.Sprintf("found %s, expected the value of the attribute in quotes", x.found()))
	}
	at := x.here()
	x.pos++
	x.text = x.text[:0]
	for x.pos < x.end || x.more() {
		switch c := x.buf[x.pos]; {
		case c == quote:
			x.pos++
			return x.terms.text(x.text), nil
		case isPlainXML[c]:
			x.plain()
		case c == '&':
			if err := x.reference(); err != nil {
				return "", err
			}
		case c == '<':
			return "", x.fail(x.here(), fmt.Sprintf(`a value can't contain "<": write &lt; if that is meant, or is the quote missing that ends the value of %d:%d?`, at.line, at.column))
		case c == '\t' || c == '\n' || c == '\r':
			if c == '\t' {
				x.pos++
			} else {
				x.endLine()
			}
			x.text = append(x.text, ' ')
		default:
			if err := x.char(); err != nil {
				return "", err
			}
		}
	}
	return "", x.stopped(0, at, "the value that begins here has no closing quote")
}
