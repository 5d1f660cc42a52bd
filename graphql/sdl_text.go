package graphql

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// maxDescription is how many characters a description has at most.
const maxDescription = 600

// descriptionOf writes a text of one line as the description of what follows, as
// graphql-js does; nothing for no text.
func descriptionOf(text, indent string) string {
	if text == "" {
		return ""
	}
	escaped := strings.ReplaceAll(text, `"""`, `\"""`)
	if units(text) > 70 || strings.HasSuffix(text, `"`) || strings.HasSuffix(text, `\`) {
		return indent + `"""` + "\n" + indent + escaped + "\n" + indent + `"""` + "\n"
	}
	return indent + `"""` + escaped + `"""` + "\n"
}

// units is the length of a text as JavaScript counts it.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// clean makes a text one line of at most so many characters. Space is a single blank;
// what would not be seen is escaped.
func clean(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		if n += utf8.RuneCountInString(word) + 1; n > most+1 {
			if b.Len() == 0 {
				b.WriteString(escapeHidden(string([]rune(word)[:most])))
			}
			b.WriteString(" …")
			break
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(escapeHidden(word))
	}
	return b.String()
}

// escapeHidden writes what is not seen in a word as \u202e.
func escapeHidden(word string) string {
	if isVisible(word) || !strings.ContainsFunc(word, rdf.Hidden) && utf8.ValidString(word) {
		return word
	}
	var b strings.Builder
	for _, r := range word {
		if rdf.Hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isVisible reports whether a word is ASCII that is seen: most words are.
func isVisible(word string) bool {
	for i := range len(word) {
		if word[i] <= ' ' || word[i] > '~' {
			return false
		}
	}
	return true
}

// foldName drops what does not make two names different to a reader.
func foldName(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// joinText puts a text behind another as a sentence of its own.
func joinText(a, b string) string {
	a = strings.TrimSpace(a)
	if a == "" {
		return b
	}
	if !strings.ContainsAny(a[len(a)-1:], ".!?:;") {
		a += "."
	}
	return a + " " + b
}

// explain describes a term: its label, where that is not its name, and its comment. The
// local name stands in for a label where the name had to leave letters out.
func (b *deriver) explain(name, iri string, labels, comments []domains.Text) string {
	text := ""
	if len(labels) == 0 {
		text = spoken(iri, name)
	}
	if t, ok := domains.ChooseText(labels, b.Languages); ok && foldName(t.Value) != foldName(name) {
		text = t.Value
	}
	if t, ok := domains.ChooseText(comments, b.Languages); ok {
		text = joinText(text, t.Value)
	}
	return clean(text, maxDescription)
}

// describe describes a column.
func (b *deriver) describe(p *domains.Property, c *Column) string {
	return b.explain(c.Name, p.IRI, p.Labels, p.Comments)
}

// deprecated is the directive for a term that is; empty for others.
func (b *deriver) deprecated(iri string, is bool) string {
	if !is {
		return ""
	}
	reason := "Deprecated by the ontology."
	if instead := b.said.replaced[iri]; len(instead) > 0 {
		var names []string
		for _, iri := range instead {
			names = append(names, b.nameOf(iri))
		}
		slices.Sort(names)
		reason = "Use " + strings.Join(slices.Compact(names), ", ") + "."
	}
	return ` @deprecated(reason: ` + quoteString(clean(reason, maxDescription)) + `)`
}

// nameOf is the name of a term in the schema, or else its IRI.
func (b *deriver) nameOf(iri string) string {
	if c, ok := b.index[iri]; ok && b.types[c] != nil {
		return b.types[c].Name
	}
	return cmp.Or(b.fieldNames[iri], iri)
}

// quoteString writes a text of one line as a string.
func quoteString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
