package format

import (
	"fmt"
	"strings"
)

// GraphQLSchema is the schema of a GraphQL service, or a part of it, in pieces.
type GraphQLSchema struct {
	// Parts are the definitions to show, as they are written, in their order.
	Parts []string
	// Outline are the same in short, Left a sentence on what they leave out. They stand for
	// Parts that are too long, on pages where they are too long too and Types are empty. May
	// be empty.
	Outline []string
	Left    string
	// Root are the fields of the root of queries, one a line, RootName its name, RootSize how
	// many it has, and Types an entry for each type. They stand for an Outline that is too
	// long. Without Types and Outline, what is too long has pages.
	Root     []string
	RootName string
	RootSize int
	Types    []GraphQLType
	// Shortened are the types of which Parts show some fields only, for a part of a schema.
	Shortened []string
	// Rules are sentences on what the definitions do not say.
	Rules []string
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
	// Description may be empty.
	Description string
}

const (
	// mostExample is the most code points of an example; a longer one would be cut, and
	// then it would be none.
	mostExample = 380
	// mostSchema is the most code points of definitions that are shown on one page when
	// something shorter can stand for them.
	mostSchema = 6_000
)

// schemaLabel says what the text is to a reader who takes it for a query.
const schemaLabel = "What can be asked, in GraphQL's schema language; it is no query."

// GraphQLSchemaText is the answer of get_graphql_schema: the definitions where they fit,
// else their outline, else an index of the types.
func GraphQLSchemaText(f Frame, s GraphQLSchema) string {
	doc := document{head: []string{"GraphQL Schema — " + oneLine(string(f.Source.Domain)), longRule, schemaLabel, ""}}
	if len(s.Shortened) > 0 {
		doc.closing = append(doc.closing, "Not whole above: "+namesWithin(s.Shortened, 250)+`. Ask for them with types.`)
	}
	doc.closing = append(doc.closing, s.Rules...)
	doc.advise(f, s.Examples)
	parts, outline := partsOf(s.Parts), partsOf(s.Outline)
	room := min(mostSchema, doc.rooms(max(f.Budget, MinBudget), doc.furniture(f), shortMore, false).all)
	switch {
	case len(s.Types)+len(outline) == 0 || itemsSize(parts)+len(parts) <= room:
		doc.items = each(parts)
	case len(outline) > 0 && (len(s.Types) == 0 || itemsSize(outline)+len(outline)+size(s.Left) <= room):
		doc.head[2] = schemaLabel + " Shortened: " + s.Left
		if len(s.Shortened) > 0 {
			doc.closing = doc.closing[1:] // it speaks of Parts
		}
		doc.items = each(outline)
	default:
		s.index(f, &doc)
	}
	return doc.text(f)
}

// advise adds the next step and examples to what stands behind the items.
func (doc *document) advise(f Frame, examples []string) {
	if f.offers("query_graphql") {
		doc.closing = append(doc.closing, "Use query_graphql to execute queries against this schema.")
	}
	for _, e := range examples {
		if e = oneLine(e); size(e) <= mostExample {
			doc.closing = append(doc.closing, "Example query: "+e)
		}
	}
}

// partsOf are definitions as items; a tab is two spaces.
func partsOf(definitions []string) []item {
	var out []item
	for _, p := range definitions {
		lines := strings.Split(strings.Trim(Escape(strings.ReplaceAll(p, "\t", "  ")), "\n"), "\n")
		it := item{lines: lines, title: shorten(definitionTitle(lines), nameSize), spaced: true}
		if n := len(out); n > 0 && len(lines) == 1 && len(out[n-1].lines) == 1 { // one line each: a block
			out[n-1].spaced = false
		}
		out = append(out, it)
	}
	return out
}

// definitionTitle is the first line of a definition behind its description.
func definitionTitle(lines []string) string {
	const quotes = `"""`
	inside := false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		opens := !inside && strings.HasPrefix(l, quotes)
		switch {
		case opens:
			inside = len(l) < 2*len(quotes) || !strings.HasSuffix(l, quotes)
		case inside:
			inside = !strings.HasSuffix(l, quotes) || strings.HasSuffix(l, `\`+quotes)
		case l != "" && l[0] != '"' && l[0] != '#':
			return l
		}
	}
	return lines[0]
}

// index makes the document an index: the fields of the root, as many as fit a third of
// the answer, and the types.
func (s GraphQLSchema) index(f Frame, doc *document) {
	doc.head[2] = fmt.Sprintf(`%s An index of %s, because the definitions are too long for one answer. types=["%s"] shows some types whole, search="…" finds types and fields by words.`,
		schemaLabel, count(len(s.Types), "type", "types"), oneLine(s.Types[0].Name))
	if f.offers("list_entity_types") {
		doc.head[2] += " list_entity_types tells which have entities."
	}
	items := s.rootItems(max(f.Budget, MinBudget) / 3)
	first := len(items)
	heading := []string{"", "Types", dashes}
	for _, t := range s.Types {
		line := "  • " + shorten(oneLine(t.Name), nameSize) + " (" + t.Is + ")"
		if len(t.Roots) > 0 {
			line += ", read with " + namesWithin(t.Roots, 100)
		}
		if t.Description != "" {
			line += ": " + shorten(oneLine(t.Description), mostTypeText)
		}
		items = append(items, item{heading: heading, lines: []string{line}})
	}
	doc.items = each(items)
	doc.more = func(c cut) string {
		left := len(s.Types) - max(c.next-first, 0)
		return fmt.Sprintf("(%s left out. Next: %s; or ask for some by name with types, or by words with search.)", count(left, "type", "types"), c.cursor)
	}
}

// mostTypeText is the most code points of a description in an index.
const mostTypeText = 80

// rootItems are the fields of the root that have room, and how many have none.
func (s GraphQLSchema) rootItems(room int) []item {
	if len(s.Root) == 0 {
		return nil
	}
	heading := []string{oneLine(s.RootName) + " (" + count(s.RootSize, "field", "fields") + ")", dashes}
	var out []item
	for i, r := range s.Root {
		line := "  " + strings.TrimRight(Escape(r), "\n")
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
