package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// GraphQLTerm is something of a schema that can be looked for: a type or a field.
type GraphQLTerm struct {
	Name, Description string
	// Line is the term as it is written in the schema.
	Line string
	// On are the types that have a field; empty for a type. Roots are the fields of the root
	// of queries that read a type.
	On, Roots []string
}

// GraphQLFound says which terms a search is for, best first, and whether they have all of
// its words; without a term that has all, those with some of them are found.
func GraphQLFound(search string, terms []GraphQLTerm) (found []GraphQLTerm, all bool) {
	wanted := words(search)
	if len(wanted) == 0 {
		return nil, true
	}
	type ranked struct {
		GraphQLTerm
		rank, has int
	}
	var out []ranked
	best := 0
	for _, t := range terms {
		r := ranked{GraphQLTerm: t}
		if r.rank, r.has = t.rank(wanted); r.has > 0 && r.has >= best {
			best = r.has
			out = append(out, r)
		}
	}
	out = slices.DeleteFunc(out, func(r ranked) bool { return r.has < best })
	slices.SortStableFunc(out, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(min(len(a.On), 1), min(len(b.On), 1)), cmp.Compare(size(a.Name), size(b.Name)),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Line, b.Line))
	})
	for _, r := range out {
		found = append(found, r.GraphQLTerm)
	}
	return found, best == len(wanted)
}

// rank says how well a term fits words, less is better, and how many of them it has: the
// name is the words, its words begin with them, it holds them, its description does.
func (t GraphQLTerm) rank(wanted []string) (rank, has int) {
	parts, name := words(domains.Prettify(t.Name)), folded(t.Name)
	description := folded(t.Description)
	for _, w := range wanted {
		r := 9
		switch {
		case slices.Contains(parts, w):
			r = 1
		case slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(p, w) }):
			r = 2
		case strings.Contains(name, w):
			r = 3
		case strings.Contains(description, w):
			r = 4
		}
		if r < 9 {
			has++
			rank = max(rank, r)
		}
	}
	if strings.Join(parts, "") == strings.Join(wanted, "") {
		rank = 0
	}
	return rank, has
}

// GraphQLSearchText is the answer of get_graphql_schema to a search: the lines of the
// schema that have its words. near are names that may have been meant, for a search that
// finds nothing.
func GraphQLSearchText(f Frame, search string, found []GraphQLTerm, all bool, near, examples []string) string {
	doc := document{head: []string{"GraphQL Schema — " + oneLine(string(f.Source.Domain)), longRule, ""}}
	if len(found) == 0 {
		text := fmt.Sprintf("No type or field has %s in its name or description.", sought(search))
		if len(near) > 0 {
			text += " Did you mean " + namesWithin(near, 120) + "?"
		}
		doc.closing = append(doc.closing, text, "Without search, get_graphql_schema shows what there is.")
		return doc.text(f)
	}
	doc.head[2] = fmt.Sprintf("Lines of the schema (no query) with %s: %s.", sought(search), number(len(found)))
	if !all {
		doc.head[2] = fmt.Sprintf("No line of the schema has %s; %s some of them.", sought(search), count(len(found), "line has", "lines have"))
	}
	doc.head = append(doc.head, "")
	doc.closing = []string{fmt.Sprintf(`types=["%s"] shows a type whole.`, oneLine(found[0].typ()))}
	doc.advise(f, examples)
	var items []item
	for _, t := range found {
		items = append(items, item{lines: []string{t.line()}})
	}
	doc.items = each(items)
	doc.more = func(c cut) string {
		return fmt.Sprintf("(%s left out. Next: %s; or search for more words.)", count(len(found)-c.next, "line", "lines"), c.cursor)
	}
	return doc.text(f)
}

// typ is the type that a term belongs to.
func (t GraphQLTerm) typ() string {
	if len(t.On) > 0 {
		return t.On[0]
	}
	return t.Name
}

// mostTermText is the most code points of a description in a list of terms.
const mostTermText = 100

// line is a term with what it belongs to.
func (t GraphQLTerm) line() string {
	line := "  • " + shorten(oneLine(t.Line), 200)
	if len(t.On) > 0 {
		line = "  • " + shorten(oneLine(t.On[0]), nameSize) + "." + shorten(oneLine(t.Line), 200)
	}
	if len(t.Roots) > 0 {
		line += ", read with " + namesWithin(t.Roots, 100)
	}
	if d := oneLine(t.Description); d != "" {
		line += ": " + shorten(d, mostTermText)
	}
	if len(t.On) > 1 {
		line += " (also on " + namesWithin(t.On[1:], 100) + ")"
	}
	return line
}
