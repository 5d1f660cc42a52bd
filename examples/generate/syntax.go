package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
)

// prefix is a namespace name for Turtle, without the colon.
type prefix struct{ name, iri string }

// writer writes blocks in one syntax.
type writer interface {
	head(comment string, prefixes []prefix)
	block(b block)
}

// turtle writes one paragraph per entity and abbreviates what it can.
type turtle struct {
	w        *bufio.Writer
	prefixes []prefix
}

func (t *turtle) head(comment string, prefixes []prefix) {
	t.prefixes = prefixes
	fmt.Fprintf(t.w, "# %s\n\n", comment)
	for _, p := range prefixes {
		fmt.Fprintf(t.w, "@prefix %s: <%s> .\n", p.name, p.iri)
	}
}

func (t *turtle) block(b block) {
	fmt.Fprintf(t.w, "\n%s ", t.name(b.subject))
	t.facts(b.facts, " ;\n    ")
	t.w.WriteString(" .\n")
}

// facts writes facts with a separator between them; blank nodes go on a line of
// their own.
func (t *turtle) facts(facts []fact, separator string) {
	for i, f := range facts {
		if i > 0 {
			t.w.WriteString(separator)
		}
		t.w.WriteString(t.verb(f.property) + " ")
		for j, v := range f.values {
			switch {
			case j > 0 && v.isNested():
				t.w.WriteString(" ,\n        ")
			case j > 0:
				t.w.WriteString(" , ")
			}
			t.value(v)
		}
	}
}

func (t *turtle) value(v value) {
	switch {
	case v.isNested():
		t.w.WriteString("[ ")
		t.facts(v.nested, " ; ")
		t.w.WriteString(" ]")
	case v.iri != "":
		t.w.WriteString(t.name(v.iri))
	case v.lang != "":
		t.w.WriteString(quote(v.text) + "@" + v.lang)
	case slices.Contains(bare, v.datatype):
		t.w.WriteString(v.text)
	case v.datatype != "":
		t.w.WriteString(quote(v.text) + "^^" + t.name(v.datatype))
	default:
		t.w.WriteString(quote(v.text))
	}
}

// bare are the datatypes whose literals Turtle writes without quotes.
var bare = []string{xsdNS + "integer", xsdNS + "decimal", xsdNS + "boolean"}

func (t *turtle) verb(iri string) string {
	if iri == rdfNS+"type" {
		return "a"
	}
	return t.name(iri)
}

func (t *turtle) name(iri string) string {
	for _, p := range t.prefixes {
		if local, ok := strings.CutPrefix(iri, p.iri); ok && isPlainLocal(local) {
			return p.name + ":" + local
		}
	}
	return "<" + iri + ">"
}

// isPlainLocal reports whether a local name needs no escapes in Turtle: letters,
// digits and inner hyphens.
func isPlainLocal(s string) bool {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-'
	}
	return s != "" && s[0] != '-' && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0
}

// ntriples writes one statement a line.
type ntriples struct {
	w      *bufio.Writer
	blanks int
}

func (n *ntriples) head(comment string, _ []prefix) { fmt.Fprintf(n.w, "# %s\n", comment) }

func (n *ntriples) block(b block) { n.facts("<"+b.subject+">", b.facts) }

func (n *ntriples) facts(subject string, facts []fact) {
	for _, f := range facts {
		for _, v := range f.values {
			object := n.object(v)
			fmt.Fprintf(n.w, "%s <%s> %s .\n", subject, f.property, object)
			if v.isNested() {
				n.facts(object, v.nested)
			}
		}
	}
}

func (n *ntriples) object(v value) string {
	switch {
	case v.isNested():
		n.blanks++
		return fmt.Sprintf("_:b%d", n.blanks)
	case v.iri != "":
		return "<" + v.iri + ">"
	case v.lang != "":
		return quote(v.text) + "@" + v.lang
	case v.datatype != "":
		return quote(v.text) + "^^<" + v.datatype + ">"
	}
	return quote(v.text)
}

// quote writes a string literal that Turtle and N-Triples read alike.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}
