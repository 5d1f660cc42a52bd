package catalog

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	namespace    = "urn:oasis:names:tc:entity:xmlns:xml:catalog"
	xmlNamespace = "http://www.w3.org/XML/1998/namespace"
)

// Read reads a catalogue to its end. file is its name in errors.
//
// Errors: an *Error for what makes the whole unreadable, other faults being in the catalogue; r's
// error, wrapped with the file's name.
func Read(r io.Reader, file string) (*Catalog, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	d := &document{file: file, text: text, catalog: &Catalog{}, line: 1, column: 1}
	if len(text) > MaxSize {
		return nil, d.fault(MaxSize, "the catalogue has more than %d MiB: split it, and name the parts with nextCatalog", MaxSize>>20)
	}
	if err := d.read(); err != nil {
		return nil, err
	}
	d.catalog.index()
	return d.catalog, nil
}

// document is a catalogue while it is read.
type document struct {
	file    string
	text    []byte
	catalog *Catalog
	bases   []reference // of the elements that are open
	// offset is how far lines are counted: it is in this column of this line.
	offset, line, column int
}

// fault is an error at a place in the text.
func (d *document) fault(offset int, format string, args ...any) *Error {
	line, column := d.place(offset)
	return &Error{File: d.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// place is the line and column of an offset. Places are asked for in the order of the text.
func (d *document) place(offset int) (line, column int) {
	part := d.text[d.offset:max(d.offset, min(offset, len(d.text)))]
	if lines := bytes.Count(part, []byte("\n")); lines > 0 {
		d.line, d.column = d.line+lines, 1
		d.offset += bytes.LastIndexByte(part, '\n') + 1
		part = part[bytes.LastIndexByte(part, '\n')+1:]
	}
	d.offset, d.column = d.offset+len(part), d.column+utf8.RuneCount(part)
	return d.line, d.column
}

func (d *document) read() error {
	const mark = "\ufeff"
	skipped := 0
	if bytes.HasPrefix(d.text, []byte(mark)) {
		skipped = len(mark)
	}
	x := xml.NewDecoder(bytes.NewReader(d.text[skipped:]))
	seen := false
	for {
		at := skipped + int(x.InputOffset())
		token, err := x.Token()
		if err == io.EOF {
			if !seen {
				return d.fault(at, "the file is empty: a catalogue begins with <catalog xmlns=%q>", namespace)
			}
			return nil
		}
		if err != nil {
			return d.broken(skipped+int(x.InputOffset()), err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			known, err := d.start(at, e, !seen)
			if err != nil {
				return err
			}
			seen = true
			if !known {
				if err := x.Skip(); err != nil {
					return d.broken(skipped+int(x.InputOffset()), err)
				}
				d.end()
			}
		case xml.EndElement:
			d.end()
		}
	}
}

// broken is what package xml found wrong.
func (d *document) broken(at int, err error) error {
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return d.fault(at, "not well-formed XML: %s", syntax.Msg)
	}
	return d.fault(at, "can't be read as XML: %s", strings.TrimPrefix(err.Error(), "xml: "))
}

// start is told of the beginning of an element. known is false when what it holds is to be
// passed over.
func (d *document) start(at int, e xml.StartElement, first bool) (known bool, err error) {
	ours := e.Name.Space == namespace || e.Name.Space == ""
	if first && (!ours || e.Name.Local != "catalog") {
		return false, d.fault(at, "found <%s>, expected <catalog xmlns=%q>: the file is no XML catalogue", e.Name.Local, namespace)
	}
	if len(d.bases) >= MaxDepth {
		return false, d.fault(at, "elements are nested more than %d deep", MaxDepth)
	}
	base := here
	if n := len(d.bases); n > 0 {
		base = d.bases[n-1]
	}
	if len(d.catalog.Entries)+len(d.catalog.Next) >= MaxEntries {
		return false, d.fault(at, "the catalogue has more than %d entries: split it, and name the parts with nextCatalog", MaxEntries)
	}
	if written, has := attribute(e, xmlNamespace, "base"); has {
		base = base.resolve(written)
	}
	d.bases = append(d.bases, base)
	if !ours {
		return false, nil
	}
	entry := Entry{}
	entry.Line, entry.Column = d.place(at)
	var fault *Error
	switch e.Name.Local {
	case "catalog", "group":
		return true, nil
	case "uri":
		if entry, fault = d.entry(at, e, base, "name", "uri"); fault == nil {
			d.catalog.Entries = append(d.catalog.Entries, entry)
		}
	case "rewriteURI":
		if entry, fault = d.entry(at, e, base, "uriStartString", "rewritePrefix"); fault == nil {
			entry.Prefix = true
			d.catalog.Entries = append(d.catalog.Entries, entry)
		}
	case "nextCatalog":
		if entry, fault = d.entry(at, e, base, "", "catalog"); fault == nil {
			d.catalog.Next = append(d.catalog.Next, entry)
		}
	default:
		if !passedOver[e.Name.Local] {
			fault = d.fault(at, "no catalogue has <%s>: write <uri name=\"IRI\" uri=\"file\"/>, or remove the element", e.Name.Local)
		}
	}
	if fault != nil && len(d.catalog.Faults) < MostFaults {
		d.catalog.Faults = append(d.catalog.Faults, fault)
	}
	return false, nil
}

// passedOver are the elements of catalogues that resolve what no RDF file asks for.
var passedOver = map[string]bool{
	"public": true, "system": true, "rewriteSystem": true, "systemSuffix": true, "delegatePublic": true, "delegateSystem": true,
	"uriSuffix": true, "delegateURI": true,
}

func (d *document) end() {
	if n := len(d.bases); n > 0 {
		d.bases = d.bases[:n-1]
	}
}

// entry makes an entry of an element with two attributes, or with one where name is empty.
func (d *document) entry(at int, e xml.StartElement, base reference, name, target string) (out Entry, fault *Error) {
	out.Line, out.Column = d.place(at)
	if name != "" {
		if out.IRI, _ = attribute(e, "", name); out.IRI == "" {
			return out, d.fault(at, "<%s> has no %s: write the IRI there, or remove the element", e.Name.Local, name)
		}
	}
	written, has := attribute(e, "", target)
	if !has {
		return out, d.fault(at, "<%s> has no %s: write there where the file is, or remove the element", e.Name.Local, target)
	}
	out.to = base.resolve(written)
	return out, nil
}

// attribute is an attribute of an element.
func attribute(e xml.StartElement, space, local string) (value string, has bool) {
	for _, a := range e.Attr {
		if a.Name.Local == local && a.Name.Space == space {
			return strings.TrimSpace(a.Value), true
		}
	}
	return "", false
}
