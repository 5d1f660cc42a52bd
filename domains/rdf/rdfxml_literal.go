package rdf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// literalContent reads the content of the element that is open as the text of an
// rdf:XMLLiteral: in exclusive canonical form with comments (RDF/XML §7.2.17,
// https://www.w3.org/TR/xml-exc-c14n/).
func (x *rdfXML) literalContent() (string, error) {
	var out bytes.Buffer
	var written []xmlBinding // namespace declarations that are in force in out
	depth := len(x.open)
	at := x.at
	if x.closes {
		return "", x.next()
	}
	for {
		if err := x.next(); err != nil {
			return "", err
		}
		switch x.kind {
		case xmlStart:
			written = x.writeStart(&out, written)
		case xmlClose:
			if len(x.open) < depth {
				return out.String(), nil
			}
			out.WriteString("</" + x.name.String() + ">")
			for len(written) > 0 && written[len(written)-1].depth > len(x.open) {
				written = written[:len(written)-1]
			}
		case xmlText:
			canonicalText.WriteString(&out, string(x.text))
		case xmlComment:
			fmt.Fprintf(&out, "<!--%s-->", x.text)
		case xmlPI:
			target, data := string(x.text), ""
			if i := strings.IndexAny(target, " \t\n"); i >= 0 {
				target, data = target[:i], strings.TrimLeft(target[i:], " \t\n")
			}
			if data != "" {
				data = " " + data
			}
			out.WriteString("<?" + target + data + "?>")
		}
		if out.Len() > MaxToken {
			return "", x.fail(at, fmt.Sprintf("the XML of this value is longer than %d MiB, which is the most that can be read", MaxToken>>20))
		}
	}
}

// Characters that canonical XML escapes (https://www.w3.org/TR/xml-c14n11/ §2.3).
var (
	canonicalText  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#xD;")
	canonicalValue = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")
)

// writeStart writes the start tag, with declarations of the namespaces that it uses and that
// are not in force: first those, by prefix, then the attributes, by namespace and name.
func (x *rdfXML) writeStart(out *bytes.Buffer, written []xmlBinding) []xmlBinding {
	used := []string{x.name.prefix}
	for _, a := range x.attrs {
		if a.name.prefix != "" {
			used = append(used, a.name.prefix)
		}
	}
	slices.Sort(used)
	out.WriteString("<" + x.name.String())
	for _, prefix := range slices.Compact(used) {
		if prefix == "xml" {
			continue
		}
		iri, _ := x.namespace(prefix)
		if inForce(written, prefix) == iri {
			continue
		}
		written = append(written, xmlBinding{prefix, iri, len(x.open)})
		name := "xmlns"
		if prefix != "" {
			name += ":" + prefix
		}
		out.WriteString(" " + name + `="` + canonicalValue.Replace(iri) + `"`)
	}
	slices.SortFunc(x.attrs, func(a, b xmlAttr) int {
		return cmp.Or(cmp.Compare(a.name.iri, b.name.iri), cmp.Compare(a.name.local, b.name.local))
	})
	for _, a := range x.attrs {
		out.WriteString(" " + a.name.String() + `="` + canonicalValue.Replace(a.value) + `"`)
	}
	out.WriteString(">")
	return written
}

// inForce is the namespace that was written for a prefix.
func inForce(written []xmlBinding, prefix string) string {
	for _, b := range slices.Backward(written) {
		if b.prefix == prefix {
			return b.iri
		}
	}
	return ""
}
