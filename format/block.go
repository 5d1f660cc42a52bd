package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// blocks writes entities as blocks of lines in the shape that OntoBricks gave them.
type blocks struct {
	namer
	detail Detail
	// match is set for an entity that was asked for.
	match bool
	// summarised is set when a property was told by count and examples.
	summarised *bool
	// contexts are what classes have besides facts.
	contexts contexts
	// layout, when set, is told which lines belong to which value.
	layout *layout
}

// layout says of lines of a block where they come from.
type layout struct {
	// starts are the lines at which a value that is no literal begins.
	starts []start
	// cut is the line behind the first property of which values were left out that belong
	// to the block (domains.Fact.Cut); 0 is none.
	cut int
}

// start is a line at which a value begins, the value counted as in domains.Passed.
type start struct{ line, fact, value int }

// maxNesting is how deep blank nodes are written inside each other.
const maxNesting = 8

// examples is how many values stand for a property that has too many.
const examples = 3

// block is an entity with its facts.
func (b blocks) block(e *domains.Entity) []string {
	b.match = e.Distance == 0
	lines := append(make([]string, 0, 16), b.heading(e), "  URI: "+oneLine(e.IRI))
	if b.detail == Full {
		for _, a := range e.Aliases {
			lines = append(lines, "  Same as: "+oneLine(a))
		}
	}
	lines = append(lines, b.otherNames(e)...)
	if b.layout != nil {
		*b.layout = layout{}
	}
	before := len(lines)
	lines = append(lines, b.facts(e)...)
	if b.layout != nil {
		b.layout.move(before)
	}
	if b.match {
		lines = append(lines, b.contexts.block(b.ontology, e)...)
	}
	return lines
}

// move adds n lines before all.
func (p *layout) move(n int) {
	for i := range p.starts {
		p.starts[i].line += n
	}
	if p.cut > 0 {
		p.cut += n
	}
}

// heading is the first line of a block: ■ Label  (Type).
func (b blocks) heading(e *domains.Entity) string {
	label, _ := domains.ChooseText(e.Labels, b.langs)
	return "■ " + title(label.Value, e.IRI) + "  " + b.kind(e.IRI, e.Types, e.Schema, b.detail == Full)
}

// otherNames are the labels that the heading does not show: in Full all, else
// those without a language or in the language of the first.
func (b blocks) otherNames(e *domains.Entity) []string {
	first, ok := domains.ChooseText(e.Labels, b.langs)
	if !ok {
		return nil
	}
	if len(e.Labels) == 1 && b.detail != Full {
		return nil // that is the first
	}
	var lines []string
	seen := map[string]bool{oneLine(first.Value): true}
	others := map[string]bool{} // languages left out, in lower case
	left := 0
	const most = 5
	for _, l := range e.Labels {
		text := oneLine(l.Value)
		if b.detail == Full {
			if l == first && l.Lang == "" || text == "" {
				continue
			}
			lines = append(lines, "  Also known as: "+text+b.tag(rdf.Term{Kind: rdf.Literal, Lang: l.Lang}))
			continue
		}
		switch {
		case text == "" || seen[text]:
		case l.Lang != "" && first.Lang != "" && !strings.EqualFold(l.Lang, first.Lang), l.Lang != "" && first.Lang == "":
			others[strings.ToLower(l.Lang)] = true
			continue
		case len(lines) == most:
			left++
		default:
			lines = append(lines, "  Also known as: "+shorten(text, nameSize))
		}
		seen[text] = true
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("  %s: detail=full shows all", count(left, "more name", "more names")))
	}
	if len(others) > 0 {
		lines = append(lines, fmt.Sprintf("  Names in %s: detail=full shows them", count(len(others), "other language", "other languages")))
	}
	return lines
}

// facts are the sections of a block; nested blank nodes have bullets of both kinds without
// sections.
func (b blocks) facts(e *domains.Entity) []string {
	var few [16]string
	relations := few[:0]
	lines := append(make([]string, 0, len(few)), "  Attributes:")
	b.builtIns = builtInsOf(e)
	for i := range e.Facts {
		f, before := &e.Facts[i], 0
		if b.layout != nil {
			before = len(b.layout.starts)
		}
		told := len(relations)
		lines, relations = b.fact(lines, relations, f, "    ", 0)
		if b.layout != nil {
			b.layout.settle(before, i, told)
		}
		if b.layout != nil && f.Cut && b.layout.cut == 0 {
			b.layout.cut = len(relations)
		}
	}
	if len(lines) == 1 {
		lines = lines[:0] // there are no attributes
	}
	if len(relations) > 0 {
		lines = append(lines, "  Relationships:")
		if b.layout != nil {
			b.layout.move(len(lines))
		}
		lines = append(lines, relations...)
	}
	return lines
}

// settle says of the starts from a first on of which fact they are, and behind how many
// lines.
func (p *layout) settle(first, fact, lines int) {
	for i := range p.starts[first:] {
		p.starts[first+i].fact = fact
		p.starts[first+i].line += lines
	}
}

// parted are the values of a property that are literals, in room where they are few, and the
// others.
func parted(values []domains.Value, room []rdf.Term) (terms []rdf.Term, others []domains.Value) {
	literals := 0
	for i := range values {
		if values[i].Ref == nil && values[i].Nested == nil {
			literals++
		}
	}
	if literals == 0 {
		return nil, values
	}
	terms = slices.Grow(room, literals)
	for _, v := range values {
		if v.Ref == nil && v.Nested == nil {
			terms = append(terms, v.Literal)
			continue
		}
		others = append(others, v)
	}
	return terms, others
}

// fact adds the values of one property to lists of lines: literals as attributes, entities
// and blank nodes as relationships.
func (b blocks) fact(attributes, relations []string, f *domains.Fact, indent string, depth int) (attributesWith, relationsWith []string) {
	var few [2]rdf.Term
	terms, others := parted(f.Values, few[:0])
	summary := !f.Cut && (f.Total > len(f.Values) || f.AtLeast && !f.Incoming)
	if len(terms) > 0 {
		attributes = b.attributes(attributes, indent+"• "+b.factName(f.Property)+": ", terms, summary && len(others) == 0, f)
		if len(others) == 0 && !listed[f.Property] {
			return attributes, relations
		}
	}
	relation := indent + b.arrow(f) + b.relationName(*f) + ": "
	switch {
	case summary && len(others) > 0:
		*b.summarised = true
		relations = append(relations, relation+inAll(f)+", e.g. "+strings.Join(b.mentions(others), ", "))
	case summary && len(terms) == 0:
		*b.summarised = true
		relations = append(relations, relation+inAll(f))
	default:
		if text, ok := b.members(*f, others); ok {
			return attributes, append(relations, relation+text)
		}
		before := len(relations)
		relations = slices.Grow(relations, len(others))
		var blanks twins
		for i, v := range others {
			line, added := len(relations)-before, true
			if v.Ref != nil {
				relations = append(relations, relation+b.reference(f, v.Ref))
			} else {
				relations, added = blanks.tell(relations, b.nested(relation, v.Nested, indent, depth))
			}
			if added && b.layout != nil {
				b.layout.starts = append(b.layout.starts, start{line: line, value: i})
			}
		}
		blanks.count(relations)
		if f.AtLeast && !f.Cut && len(relations) > before {
			relations[len(relations)-1] += perhapsMore
		}
	}
	return attributes, relations
}

// perhapsMore follows the last value that is known of a property that may have others.
const perhapsMore = ", …"

// inAll counts the values of a property.
func inAll(f *domains.Fact) string {
	s := number(f.Total) + " in all"
	if f.AtLeast {
		return "at least " + s
	}
	return s
}

func (b blocks) arrow(f *domains.Fact) string {
	if f.Incoming {
		return "← "
	}
	return "→ "
}

// attributes adds the literals of one property to lines, one a line; as a summary their
// number with examples.
func (b blocks) attributes(lines []string, bullet string, terms []rdf.Term, summary bool, f *domains.Fact) []string {
	texts, others := b.literals(terms)
	if summary {
		*b.summarised = true
		var some []string
		for _, t := range texts[:min(examples, len(texts))] {
			some = append(some, shorten(oneLine(t), nameSize))
		}
		return append(lines, bullet+inAll(f)+", e.g. "+strings.Join(some, ", "))
	}
	before := len(lines)
	for _, t := range texts {
		if !strings.Contains(t, "\n") {
			lines = append(lines, bullet+t)
			continue
		}
		lines = append(lines, hang(bullet, t)...)
	}
	if others > 0 && len(lines) > before {
		lines[len(lines)-1] += " (+" + count(others, "language", "languages") + ")"
	}
	return lines
}

// mentions are the first values of a property, short and each text once.
func (b blocks) mentions(values []domains.Value) []string {
	var out []string
	for _, v := range values[:min(examples, len(values))] {
		if m := b.mention(v); !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// mention is a value in a few words.
func (b blocks) mention(v domains.Value) string {
	switch {
	case v.Ref != nil:
		return ref(v.Ref)
	case v.Nested != nil:
		return b.blank(v.Nested)
	}
	return shorten(oneLine(literal(v.Literal)), nameSize)
}

// blank is what a blank node is called: what it says, its label or its type.
func (b blocks) blank(e *domains.Entity) string {
	if text, ok := b.expression(e); ok {
		return shorten(text, nameSize)
	}
	if l, ok := domains.ChooseText(e.Labels, b.langs); ok && oneLine(l.Value) != "" {
		return shorten(oneLine(l.Value), nameSize)
	}
	switch {
	case isList(e):
		return "(list)"
	case len(e.Types) == 0:
		return "(no IRI)"
	}
	return b.types(e.Types, false)
}

// fewValues is the most values of a property whose IRIs are told where nothing else
// is known of them.
const fewValues = 3

// reference is one value of a property that is an entity. Where the domain says
// nothing of a match's value, neither label nor type, the IRI follows: there is no
// block to read it from, and elsewhere it may lead on.
func (b blocks) reference(f *domains.Fact, r *domains.Ref) string {
	text, iri := ref(r), oneLine(r.IRI)
	switch {
	case strings.HasSuffix(text, iri):
	case b.detail == Full:
		text += "  <" + iri + ">"
	case b.match && !f.Incoming && f.Total <= fewValues && b.unknown(r) && size(iri) <= longIRI:
		text += " (" + iri + ")"
	}
	return text
}

// unknown reports whether the domain says nothing of an entity that is mentioned, nor
// of the term that it is.
func (b blocks) unknown(r *domains.Ref) bool {
	return r.Label == "" && len(r.Types) == 0 && !isBuiltIn(r.IRI) && b.ontology.Class(r.IRI) == nil && b.ontology.Property(r.IRI) == nil
}

// longIRI is the most code points of an IRI that is told where it was not asked for.
const longIRI = 200

// nested is one value of a property that is a blank node: one line that says it
// all, or its name followed by its facts.
func (b blocks) nested(bullet string, e *domains.Entity, indent string, depth int) []string {
	if text, ok := b.expression(e); ok {
		return []string{bullet + text}
	}
	lines := []string{bullet + b.blank(e)}
	if depth == maxNesting {
		return append(lines, indent+"    …")
	}
	b.layout = nil
	for i := range e.Facts {
		var r []string
		lines, r = b.fact(lines, nil, &e.Facts[i], indent+"    ", depth+1)
		lines = append(lines, r...)
	}
	return lines
}
