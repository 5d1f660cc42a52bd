package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// longValue is the most code points of a literal outside Full.
const longValue = 400

// literal writes the value of a literal for people: truth values as yes and no,
// nothing as "-", everything else as it was written, made harmless, without white
// space around and with spaces for tabs.
func literal(t rdf.Term) string {
	if t.Datatype == rdf.XSDBoolean {
		switch strings.TrimSpace(t.Value) {
		case "true", "1":
			return "yes"
		case "false", "0":
			return "no"
		}
	}
	if strings.TrimSpace(t.Value) == "" {
		return "-"
	}
	return Escape(strings.ReplaceAll(strings.TrimSpace(t.Value), "\t", " "))
}

// written is the value of a literal as it stands in the data, made harmless; white
// space alone is put in quotes.
func written(t rdf.Term) string {
	if strings.TrimSpace(t.Value) == "" {
		return `"` + strings.ReplaceAll(Escape(t.Value), "\n", `\n`) + `"`
	}
	return strings.Trim(Escape(t.Value), "\n")
}

// literals are the values of one property as texts: in Full all, with language
// or datatype; else those of one language, shortened, and how many languages were
// passed over.
func (b blocks) literals(terms []rdf.Term) (texts []string, others int) {
	if b.detail == Full {
		for _, t := range terms {
			texts = append(texts, written(t)+b.tag(t))
		}
		return texts, 0
	}
	chosen, others := inOneLanguage(terms, b.langs)
	texts = make([]string, 0, len(chosen))
	for _, t := range chosen {
		s := literal(t)
		if n := size(s); n > longValue {
			s = fmt.Sprintf("%s (%s characters; detail=full shows all)", shorten(s, longValue), number(n))
		}
		if !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	return texts, others
}

// tag says of a literal what Full adds.
func (b blocks) tag(t rdf.Term) string {
	switch {
	case t.Lang != "":
		return "  [@" + oneLine(t.Lang) + "]"
	case t.Datatype != "":
		return "  [" + b.datatype(t.Datatype) + "]"
	}
	return ""
}

// inOneLanguage keeps the literals in the language that a reader prefers,
// together with those that have none, and counts the languages left out.
func inOneLanguage(terms []rdf.Term, langs []string) (chosen []rdf.Term, others int) {
	var texts []domains.Text
	seen := map[string]bool{} // languages, in lower case
	for _, t := range terms {
		if t.Lang != "" {
			texts = append(texts, domains.Text{Value: t.Value, Lang: t.Lang})
			seen[strings.ToLower(t.Lang)] = true
		}
	}
	if len(seen) < 2 {
		return terms, 0
	}
	best, _ := domains.ChooseText(texts, langs)
	for _, t := range terms {
		if t.Lang == "" || strings.EqualFold(t.Lang, best.Lang) {
			chosen = append(chosen, t)
		}
	}
	return chosen, len(seen) - 1
}

// hang writes a value after its bullet. Further lines of the value are indented
// and begin with a bar, so that no line of data can look like a line of ours.
func hang(bullet, value string) []string {
	lines := strings.Split(value, "\n")
	indent := strings.Repeat(" ", len(bullet)-len(strings.TrimLeft(bullet, " "))+2) + "| "
	out := make([]string, 0, len(lines))
	for i, l := range lines {
		if i == 0 {
			out = append(out, bullet+l)
			continue
		}
		out = append(out, strings.TrimRight(indent+l, " "))
	}
	return out
}
