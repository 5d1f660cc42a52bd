package format

import (
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// chosen is the summary of the classes that the caller named, with all their
// links.
func (s schema) chosen(f Frame, d *domains.Domain, classes []string) string {
	doc := document{head: []string{
		fmt.Sprintf("Ontology — %s, %d of %s", oneLine(string(d.Info.Name)), len(classes), count(len(s.ontology.Classes), "class", "classes")), longRule,
	}}
	doc.items = func(yield func(item) bool) {
		for _, iri := range classes {
			c := s.ontology.Class(iri)
			if c == nil {
				continue
			}
			it := item{lines: s.class(c), spaced: true}
			it.title = it.lines[0]
			if !yield(it) {
				return
			}
		}
	}
	doc.more = func(c cut) string {
		return fmt.Sprintf("(%s not shown whole: %s shows the rest.)", count(len(classes)-c.next, "class", "classes"), c.cursor)
	}
	return doc.text(f)
}

// longComment is the most code points of a class's comment, shortComment of a
// property's.
const (
	longComment  = 1000
	shortComment = 120
)

// class is everything that the ontology says of one class.
func (s schema) class(c *domains.Class) []string {
	lines := []string{"■ " + s.plain(c.IRI) + "  (Class)" + marks(c.Declared, c.Deprecated) + s.contexts.tags(s.ontology, c.IRI), "  URI: " + oneLine(c.IRI)}
	if t, ok := domains.ChooseText(c.Comments, s.langs); ok {
		lines = append(lines, hang("  Description: ", shorten(strings.TrimSpace(Escape(t.Value)), longComment))...)
	}
	lines = append(lines, wrap("  Sub-class of: ", s.names(c.Supers))...)
	lines = append(lines, wrap("  Sub-classes: ", s.names(s.ontology.SubClasses(c.IRI)))...)
	var attributes, relations []string
	for _, p := range s.own[c.IRI] {
		if s.relation(p) {
			relations = append(relations, "    "+s.property(p, c.IRI)+s.note(p))
		} else {
			attributes = append(attributes, "    • "+s.property(p, c.IRI)+s.note(p))
		}
	}
	for _, p := range s.into[c.IRI] {
		from := "any"
		if len(p.Domains) > 0 {
			from = strings.Join(s.names(p.Domains), " or ")
		}
		relations = append(relations, "    ← "+s.entry(p.IRI)+": from "+from+s.note(p))
	}
	if len(attributes) > 0 {
		lines = append(append(lines, "  Attributes:"), attributes...)
	}
	if len(relations) > 0 {
		lines = append(append(lines, "  Relationships:"), relations...)
	}
	return append(lines, s.inherited(c)...)
}

// note is the comment of a property on one line.
func (s schema) note(p *domains.Property) string {
	t, ok := domains.ChooseText(p.Comments, s.langs)
	if !ok || oneLine(t.Value) == "" {
		return ""
	}
	return " — " + shorten(oneLine(t.Value), shortComment)
}

// inherited names the properties of the classes above, each once and none that the
// class has itself.
func (s schema) inherited(c *domains.Class) []string {
	var lines []string
	told := map[*domains.Property]bool{}
	for _, p := range s.own[c.IRI] {
		told[p] = true
	}
	for _, super := range s.ontology.WithSuperClasses(c.IRI)[1:] {
		var names []string
		for _, p := range s.own[super] {
			if told[p] {
				continue
			}
			told[p] = true
			arrow := ""
			if s.relation(p) {
				arrow = "→ "
			}
			names = append(names, arrow+s.name(p.IRI))
		}
		lines = append(lines, wrap("  Inherited from "+s.name(super)+": ", names)...)
	}
	return lines
}

// wrap writes names after a label, on one line, or ten to a line when there are
// many; nothing when there are none.
func wrap(label string, names []string) []string {
	const most = 10
	switch {
	case len(names) == 0:
		return nil
	case len(names) <= most:
		return []string{label + strings.Join(names, ", ")}
	}
	lines := []string{label + number(len(names))}
	for len(names) > 0 {
		n := min(most, len(names))
		end := ","
		if n == len(names) {
			end = ""
		}
		lines = append(lines, "    "+strings.Join(names[:n], ", ")+end)
		names = names[n:]
	}
	return lines
}
