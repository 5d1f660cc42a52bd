package format

import (
	"context"
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// OntologyOptions say what of an ontology to tell.
type OntologyOptions struct {
	// Classes are the IRIs of the classes asked for; nil means all.
	Classes []string
	// Contexts are what the domain's classes have besides facts.
	Contexts []domains.ClassContext
}

// OntologySummary is the answer of describe_ontology with format=summary. The only
// error is that ctx ended.
func OntologySummary(ctx context.Context, f Frame, d *domains.Domain, o *domains.Ontology, oo OntologyOptions) (string, error) {
	s, err := newSchema(ctx, o, f.Languages)
	if err != nil {
		return "", err
	}
	s.contexts = newContexts(f, d, oo.Contexts)
	if oo.Classes != nil {
		return s.chosen(f, d, oo.Classes), nil
	}
	doc := document{head: []string{
		"Ontology — " + oneLine(string(d.Info.Name)), longRule,
		"Base URI:   " + orNA(o.Base),
		"Classes:    " + declared(len(o.Classes), func(i int) bool { return o.Classes[i].Declared }),
		"Properties: " + declared(len(o.Properties), func(i int) bool { return o.Properties[i].Declared }),
	}}
	details := s.classItems(ctx)
	free := s.freeItems()
	schemes := s.schemeItems()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	var outline []item
	if itemsSize(details)+itemsSize(free)+itemsSize(schemes) > max(f.Budget, MinBudget)-ontologyFurniture {
		outline = s.outlineItems(max(f.Budget, MinBudget)*3/5 - itemsSize(schemes))
	}
	doc.items = func(yield func(item) bool) {
		for _, part := range [][]item{schemes, outline, details, free} {
			for _, it := range part {
				if !yield(it) {
					return
				}
			}
		}
	}
	doc.more = func(c cut) string {
		left := len(details) + len(outline) + len(schemes) - max(c.next, len(outline)+len(schemes))
		if left <= 0 {
			return fmt.Sprintf("(%s left out: %s shows the next.)", count(len(free)+left, "property", "properties"), c.cursor)
		}
		return fmt.Sprintf("(%s left out: name the ones you need in classes, or go on in order with %s.)", count(left, "class", "classes"), c.cursor)
	}
	if len(o.Classes)+len(o.Properties) == 0 {
		doc.closing = []string{"The ontology declares no classes and no properties."}
	}
	return doc.text(f), nil
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
		return number(n)
	}
	return fmt.Sprintf("%s  (%s used without being declared)", number(n), number(undeclared))
}

// deepest is how deep in the tree of classes a line is still set further in, and
// how many of the classes above are named.
const deepest = 20

// classItems are the classes as a tree, each with its own properties. They end early
// when ctx does.
func (s schema) classItems(ctx context.Context) []item {
	items := make([]item, 0, len(s.tree))
	heading := []string{"", "Classes", longDashes}
	for i, n := range s.tree {
		if ctx.Err() != nil {
			return items
		}
		indent := strings.Repeat("  ", min(n.depth, deepest)+1)
		line := indent + "• " + s.entry(n.class.IRI) + marks(n.class.Declared, n.class.Deprecated) + s.contexts.tags(s.ontology, n.class.IRI)
		if len(n.also) > 0 {
			line += "  — also under " + strings.Join(s.names(n.also), ", ")
		}
		it := item{heading: heading, lines: []string{line}, title: line}
		if n.parent >= 0 {
			it.under = func() string {
				path := s.tree.path(i)
				return "  … under " + strings.Join(s.names(path[max(0, len(path)-deepest):]), " > ")
			}
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
		text := strings.Repeat("  ", n.depth+1) + "• " + s.entry(n.class.IRI)
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
