package format

import (
	"fmt"
	"strings"
)

// GraphQLSchema is the schema of a GraphQL service, in pieces.
type GraphQLSchema struct {
	// Parts are the definitions to show, as they are written, in their order.
	Parts []string
	// Asked are the types that were asked for; empty for the whole schema. Missing are
	// types that Parts name and do not define, for a part of a schema.
	Asked, Missing []string
	// Root are the fields of the root of queries, one a line, RootName its name, and
	// Types an entry for each type. They stand for a whole schema that is too long.
	Root     []string
	RootName string
	Types    []GraphQLType
	// Examples are queries that are valid.
	Examples []string
}

// GraphQLType is an entry of the index of a schema.
type GraphQLType struct {
	Name string
	// Is says what the type is: "12 fields", "enum, 3 values".
	Is string
	// Roots are the names of the fields of the root that give it.
	Roots []string
}

// mostExample is the most code points of an example; a longer one would be cut, and
// then it would be none.
const mostExample = 380

// GraphQLSchemaText is the answer of get_graphql_schema: the whole schema where it fits,
// else an index of it, and for types that were asked for their definitions.
func GraphQLSchemaText(f Frame, s GraphQLSchema) string {
	doc := document{head: []string{"GraphQL Schema — " + oneLine(string(f.Source.Domain)), longRule, ""}}
	if f.offers("query_graphql") {
		doc.closing = []string{"Use query_graphql to execute queries against this schema."}
	}
	for _, e := range s.Examples {
		if e = oneLine(e); size(e) <= mostExample {
			doc.closing = append(doc.closing, "Example query: "+e)
		}
	}
	parts := s.parts()
	doc.items = each(parts)
	switch {
	case len(s.Asked) > 0:
		if len(s.Missing) > 0 {
			missing := "Named above and not shown: " + namesWithin(s.Missing, 250) + `. Ask for them with types.`
			doc.closing = append([]string{missing}, doc.closing...)
		}
	case len(s.Types) > 0 && itemsSize(parts)+len(parts) > doc.rooms(max(f.Budget, MinBudget), doc.furniture(f), shortMore, false).all:
		s.index(f, &doc)
	}
	return doc.text(f)
}

// parts are the definitions as items; a tab is two spaces.
func (s GraphQLSchema) parts() []item {
	var out []item
	for _, p := range s.Parts {
		lines := strings.Split(strings.Trim(Escape(strings.ReplaceAll(p, "\t", "  ")), "\n"), "\n")
		out = append(out, item{lines: lines, title: shorten(lines[0], nameSize), spaced: true})
	}
	return out
}

// index makes the document an index: the fields of the root, as many as fit a third of
// the answer, and the types.
func (s GraphQLSchema) index(f Frame, doc *document) {
	doc.head = append(doc.head[:2], fmt.Sprintf(`%s; their definitions are too long for one answer. types=["%s"] shows some of them, with what they lead to.`,
		count(len(s.Types), "type", "types"), oneLine(s.Types[0].Name)), "")
	items := s.rootItems(max(f.Budget, MinBudget) / 3)
	first := len(items)
	heading := []string{"", "Types", dashes}
	for _, t := range s.Types {
		line := "  • " + shorten(oneLine(t.Name), nameSize) + " (" + t.Is + ")"
		if len(t.Roots) > 0 {
			line += ": " + namesWithin(t.Roots, 100)
		}
		items = append(items, item{heading: heading, lines: []string{line}})
	}
	doc.items = each(items)
	doc.more = func(c cut) string {
		left := len(s.Types) - max(c.next-first, 0)
		return fmt.Sprintf("(%s left out. Next: %s; or ask for some by name with types.)", count(left, "type", "types"), c.cursor)
	}
}

// rootItems are the fields of the root that have room, and how many have none.
func (s GraphQLSchema) rootItems(room int) []item {
	if len(s.Root) == 0 {
		return nil
	}
	heading := []string{oneLine(s.RootName) + " (" + count(len(s.Root), "field", "fields") + ")", dashes}
	var out []item
	for i, r := range s.Root {
		line := "  " + oneLine(r)
		if room -= size(line) + 1; room < 0 {
			rest := len(s.Root) - i
			return append(out, item{heading: heading, lines: []string{
				fmt.Sprintf("  … and %s: the types below name those that give them.", count(rest, "more field", "more fields")),
			}})
		}
		out = append(out, item{heading: heading, lines: []string{line}})
	}
	return out
}

// each yields items.
func each(items []item) func(func(item) bool) {
	return func(yield func(item) bool) {
		for _, it := range items {
			if !yield(it) {
				return
			}
		}
	}
}

// namesWithin joins names, as many as fit n code points, and counts the others.
func namesWithin(names []string, n int) string {
	var b strings.Builder
	used := 0
	for i, name := range names {
		name = shorten(oneLine(name), nameSize)
		if used += size(name) + 2; used > n && i > 0 {
			return b.String() + " and " + number(len(names)-i) + " more"
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}
