package server

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/format"
	"github.com/ontogate/ontogate/graphql"
)

// mostEmpty is how many keys without anything are explained.
const mostEmpty = 3

// emptyHints say for keys of an answer of ours that have nothing what was asked, and what
// to try.
func (c *call) emptyHints(ctx context.Context, in queryGraphQLInput, keys []string) []string {
	if len(keys) == 0 {
		return nil
	}
	_, model, err := c.server.derived(ctx, c.domain)
	if err != nil {
		return nil
	}
	asked := graphql.Answers(in.Query, in.Operation)
	var out []string
	for _, key := range keys[:min(len(keys), mostEmpty)] {
		a := asked[key]
		root, ok := model.Root(a.Field)
		if !ok {
			continue
		}
		if hint := c.emptyHint(a, root); hint != "" {
			out = append(out, writtenAs(a)+hint)
		}
	}
	return out
}

// writtenAs is a field with the arguments that choose.
func writtenAs(a graphql.Answer) string {
	var args []string
	for _, name := range slices.Sorted(maps.Keys(a.Args)) {
		if name != "limit" && name != "orderBy" {
			args = append(args, name+": "+a.Args[name])
		}
	}
	if len(args) == 0 {
		return a.Field
	}
	return a.Field + "(" + format.Line(strings.Join(args, ", "), 100) + ")"
}

// mostMembers is how many members of a filter are looked at.
const mostMembers = 4

// valuesOf says how to see the values that a filter with some members compares.
func valuesOf(t *graphql.Type, members []string) string {
	var fields []string
	for _, name := range members {
		switch column := t.Column(name); {
		case column == nil && name != "label" && name != "id" || len(fields) == mostMembers:
		case column != nil && column.Target != "":
			fields = append(fields, name+" { id label }")
		default:
			fields = append(fields, name)
		}
	}
	if len(fields) == 0 {
		return fmt.Sprintf("Leave parts of it out; %s without where tells how many there are.", t.Count)
	}
	return fmt.Sprintf("Leave parts of it out, or see what there is: { %s(limit: 20) { %s } }", t.All, strings.Join(fields, " "))
}

// emptyHint is what a field that found nothing looked for, and what to try instead.
func (c *call) emptyHint(a graphql.Answer, root graphql.Root) string {
	names := ""
	if c.offers("describe_entity") {
		names = " describe_entity suggests names that are near."
	}
	switch root.Kind {
	case graphql.RootAll, graphql.RootCount:
		t := root.Type
		switch {
		case a.Args["limit"] == "0", root.Kind == graphql.RootCount && len(a.Args) == 0:
			return ""
		case a.Args["search"] != "" && a.Args["where"] != "":
			return fmt.Sprintf(" found no %s with that name for which where holds. Try one of the two alone.", t.Name)
		case a.Args["search"] != "":
			return fmt.Sprintf(" found no %s with that name. %s tells how many there are.%s", t.Name, t.Count, names)
		case a.Args["where"] != "":
			return fmt.Sprintf(" found no %s for which where holds. %s", t.Name, valuesOf(t, a.Members["where"]))
		}
		return fmt.Sprintf(" found no %s. %s tells how many there are.", t.Name, t.Count)
	case graphql.RootOne:
		return fmt.Sprintf(` found no %s with that id. Find ids by name: { %s(search: "…") { id label } }`, root.Type.Name, root.Type.All)
	case graphql.RootEntity:
		return ` found nothing with that IRI. Find it by name: { search(text: "…") { uri label } }`
	case graphql.RootSearch:
		return " found no name with all these words. Try fewer words." + names
	}
	return ""
}
