package format

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// schema is an ontology prepared for printing.
type schema struct {
	namer
	tree tree
	// own maps a class to the properties that are declared for it and not for a
	// class above it, and those that it restricts; free are those of no class.
	own  map[string][]*domains.Property
	free []*domains.Property
	// into maps a class to the properties that have it as a range.
	into map[string][]*domains.Property
}

func newSchema(o *domains.Ontology, langs []string) schema {
	s := schema{namer: namer{o, langs}, tree: newTree(o),
		own: map[string][]*domains.Property{}, into: map[string][]*domains.Property{}}
	for i := range o.Properties {
		p := &o.Properties[i]
		classes := s.carriers(p)
		for _, c := range classes {
			s.own[c] = append(s.own[c], p)
		}
		if len(classes) == 0 {
			s.free = append(s.free, p)
		}
		for _, r := range p.Ranges {
			if o.Class(r) != nil {
				s.into[r] = append(s.into[r], p)
			}
		}
	}
	for _, properties := range s.own {
		slices.SortStableFunc(properties, func(a, b *domains.Property) int { return cmp.Compare(s.rank(a), s.rank(b)) })
	}
	return s
}

// rank puts attributes before relationships.
func (s schema) rank(p *domains.Property) int {
	if s.relation(p) {
		return 1
	}
	return 0
}

// carriers are the classes under which a property is printed: its domains,
// without those below another one, and the classes that bound it.
func (s schema) carriers(p *domains.Property) []string {
	var out []string
	seen := map[string]bool{}
	take := func(c string) {
		if !seen[c] && s.ontology.Class(c) != nil {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, d := range p.Domains {
		inherited := false
		for _, other := range p.Domains {
			if other != d && s.ontology.IsSubClass(d, other) && !s.ontology.IsSubClass(other, d) {
				inherited = true
			}
		}
		if !inherited {
			take(d)
		}
	}
	for _, c := range p.Cardinalities {
		take(c.Class)
	}
	return out
}

// OntologySummary is the answer of describe_ontology with format=summary.
// classes are the IRIs of the classes asked for; nil means all.
func OntologySummary(f Frame, d *domains.Domain, o *domains.Ontology, classes []string) string {
	s := newSchema(o, f.Languages)
	if classes != nil {
		return s.chosen(f, d, classes)
	}
	doc := document{head: []string{
		"Ontology — " + oneLine(string(d.Info.Name)), longRule,
		"Base URI:   " + orNA(o.Base),
		"Classes:    " + declared(len(o.Classes), func(i int) bool { return o.Classes[i].Declared }),
		"Properties: " + declared(len(o.Properties), func(i int) bool { return o.Properties[i].Declared }),
	}}
	details := s.classItems()
	free := s.freeItems()
	var outline []item
	if itemsSize(details)+itemsSize(free) > max(f.Budget, MinBudget)-ontologyFurniture {
		outline = s.outlineItems(max(f.Budget, MinBudget) * 3 / 5)
	}
	doc.items = func(yield func(item) bool) {
		for _, part := range [][]item{outline, details, free} {
			for _, it := range part {
				if !yield(it) {
					return
				}
			}
		}
	}
	doc.more = func(c cut) string {
		left := len(details) + len(outline) - max(c.next, len(outline))
		if left <= 0 {
			return fmt.Sprintf("(%s left out: %s shows the next.)", count(len(free)+left, "property", "properties"), c.cursor)
		}
		return fmt.Sprintf("(%s left out: name the ones you need in classes, or go on in order with %s.)", count(left, "class", "classes"), c.cursor)
	}
	if len(o.Classes)+len(o.Properties) == 0 {
		doc.closing = []string{"The ontology declares no classes and no properties."}
	}
	return doc.text(f)
}

// ontologyFurniture is about what an ontology's page needs besides its items.
const ontologyFurniture = 700

func itemsSize(items []item) int {
	n := 0
	for _, it := range items {
		n += textSize(it.lines)
	}
	return n
}

// declared counts terms and says how many of them are only used.
func declared(n int, is func(i int) bool) string {
	undeclared := 0
	for i := range n {
		if !is(i) {
			undeclared++
		}
	}
	if undeclared == 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d  (%d used without being declared)", n, undeclared)
}

// classItems are the classes as a tree, each with its own properties.
func (s schema) classItems() []item {
	items := make([]item, 0, len(s.tree))
	heading := []string{"", "Classes", longDashes}
	for i, n := range s.tree {
		indent := strings.Repeat("  ", n.depth+1)
		line := indent + "• " + s.full(n.class.IRI) + marks(n.class.Declared, n.class.Deprecated)
		if len(n.also) > 0 {
			line += "  — also under " + strings.Join(s.names(n.also), ", ")
		}
		it := item{heading: heading, lines: []string{line}, title: line}
		if n.parent >= 0 {
			it.under = "  … under " + strings.Join(s.names(s.tree.path(i)), " > ")
		}
		for _, p := range s.own[n.class.IRI] {
			it.lines = append(it.lines, indent+"    "+s.property(p, n.class.IRI))
		}
		items = append(items, it)
	}
	return items
}

// freeItems are the properties of no class.
func (s schema) freeItems() []item {
	items := make([]item, 0, len(s.free))
	heading := []string{"", "Properties without a class", longDashes}
	for _, p := range s.free {
		items = append(items, item{heading: heading, lines: []string{"  " + s.property(p, "")}})
	}
	return items
}

// outlineItems are the names at the top of a big tree, with what they hold.
func (s schema) outlineItems(room int) []item {
	line := func(i int) string {
		n := s.tree[i]
		var holds []string
		if k := len(s.own[n.class.IRI]); k > 0 {
			holds = append(holds, count(k, "property", "properties"))
		}
		if n.below > 0 {
			holds = append(holds, count(n.below, "class", "classes")+" below")
		}
		text := strings.Repeat("  ", n.depth+1) + "• " + s.full(n.class.IRI)
		if len(holds) > 0 {
			text += "  (" + strings.Join(holds, ", ") + ")"
		}
		return text
	}
	chosen := s.tree.outline(room, func(i int) int { return size(line(i)) + 1 })
	heading := []string{"", "Outline", longDashes}
	var items []item
	for i := range s.tree {
		if chosen[i] {
			items = append(items, item{heading: heading, lines: []string{line(i)}})
		}
	}
	return items
}

// marks say what is unusual about a term.
func marks(declared, deprecated bool) string {
	text := ""
	if deprecated {
		text += "  (deprecated)"
	}
	if !declared {
		text += "  (not declared)"
	}
	return text
}

// property is one line about a property, as a class has it:
// "firstname: string [1]", "→ hasinteraction: Interaction [inverse: of customer]".
func (s schema) property(p *domains.Property, class string) string {
	line := s.full(p.IRI) + ": " + s.ranges(p)
	if s.relation(p) {
		line = "→ " + line
	}
	line += s.cardinality(p, class)
	if len(p.Inverses) > 0 {
		line += " [inverse: " + strings.Join(s.names(p.Inverses), ", ") + "]"
	}
	if p.Kind == domains.AnnotationProperty {
		line += "  (annotation)"
	}
	return line + marks(p.Declared, p.Deprecated)
}

// relation reports whether a property leads to entities.
func (s schema) relation(p *domains.Property) bool {
	if p.Kind == domains.MixedProperty {
		for _, r := range p.Ranges {
			if s.ontology.Class(r) != nil {
				return true
			}
		}
	}
	return p.Kind == domains.ObjectProperty
}

// ranges names the values of a property.
func (s schema) ranges(p *domains.Property) string {
	if len(p.Ranges) == 0 {
		return "any"
	}
	const most = 6
	var names []string
	for _, r := range p.Ranges {
		switch {
		case len(names) == most:
			return strings.Join(names, " or ") + fmt.Sprintf(" or %d more", len(p.Ranges)-most)
		case strings.HasPrefix(r, rdf.XSD):
			names = append(names, strings.TrimPrefix(r, rdf.XSD))
		case r == rdf.RDFLangString:
			names = append(names, "text")
		case r == rdf.RDFS+"Literal":
			names = append(names, "literal")
		default:
			names = append(names, s.name(r))
		}
	}
	return strings.Join(names, " or ")
}

// cardinality is how many values of a property an entity of a class has: " [1]",
// " [0..1]", " [1..*]"; empty when that is not said.
func (s schema) cardinality(p *domains.Property, class string) string {
	low, high := 0, -1
	if p.Functional {
		high = 1
	}
	for _, c := range p.Cardinalities {
		if c.Class != class || class == "" {
			continue
		}
		low = max(low, c.Min)
		if c.Max >= 0 && (high < 0 || c.Max < high) {
			high = c.Max
		}
	}
	switch {
	case low == 0 && high < 0:
		return ""
	case high < 0:
		return fmt.Sprintf(" [%d..*]", low)
	case low == high:
		return fmt.Sprintf(" [%d]", low)
	}
	return fmt.Sprintf(" [%d..%d]", low, high)
}
