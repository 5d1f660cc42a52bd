package server

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
	"github.com/ontogate/ontogate/graphql"
)

type graphQLSchemaInput struct {
	Types  []string `json:"types" doc:"These types whole." narrow:"only some types"`
	Search string   `json:"search" doc:"Find types and fields by words."`
	Detail string   `json:"detail" enum:"brief,full" doc:"full: all of it, in pages."`
	inDomain
	paged
}

func getGraphQLSchema() *tool {
	return define(tool{
		Tool:        domains.Tool{Name: "get_graphql_schema", Kind: domains.DomainTool, Need: domains.NeedsGraphQL, Needs: "a GraphQL service"},
		title:       "Get GraphQL schema",
		description: "Read the GraphQL schema (types, fields, filters) and a query that works, before query_graphql. A long one is shortened.",
		example:     `{}`,
		budget:      8_000,
	}, readGraphQLSchema)
}

func readGraphQLSchema(ctx context.Context, c *call, in graphQLSchemaInput) (string, error) {
	schema, sdl, err := c.server.schemaOf(ctx, c.domain)
	switch {
	case err != nil && sdl == "":
		return "", c.noSchema(err)
	case err != nil:
		c.frame.Notes = append(c.frame.Notes, "The schema is shown as it came, because it could not be read: "+err.Error())
		if len(in.Types) > 0 || in.Search != "" {
			c.frame.Notes = append(c.frame.Notes, "types and search were not used: they need a schema that can be read.")
		}
		return format.GraphQLSchemaText(c.frame, format.GraphQLSchema{Parts: []string{sdl}}), nil
	case in.Search != "" && len(in.Types) > 0:
		return "", domains.Invalid("get_graphql_schema takes types or search, not both: search finds types and fields, types shows types whole.")
	case in.Search != "":
		return c.searchSchema(schema, in.Search), nil
	case len(in.Types) > 0:
		return c.typesOfSchema(schema, in.Types, in.Detail == "full")
	}
	return c.wholeSchema(ctx, schema, in.Detail == "full"), nil
}

// noSchema is the error for a domain whose service has no schema now.
func (c *call) noSchema(err error) error {
	var told *domains.Error
	if !errors.Is(err, errNoSchema) || !errors.As(err, &told) {
		return err
	}
	message := asSentence(format.Line(told.Message, mostReason))
	if c.offers("describe_ontology") {
		message += " describe_ontology shows what the domain declares."
	}
	return &domains.Error{Kind: domains.ErrRefused, Domain: c.domain.Info.Name, Message: message}
}

func asSentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// wholeSchema is the schema in as much detail as fits, or all of it in pages.
func (c *call) wholeSchema(ctx context.Context, s *graphql.Schema, full bool) string {
	out := format.GraphQLSchema{RootName: s.Root(), RootSize: len(s.Fields(s.Root())), Examples: []string{s.Example("")}}
	if full {
		out.Parts = definitionTexts(s.Definitions())
		out.Rules = c.leftOutOfSchema(ctx, mostSchemaNotes)
		return format.GraphQLSchemaText(c.frame, out)
	}
	out.Parts = definitionTexts(s.Essentials())
	out.Rules = append(c.filterRules(s), c.leftOutOfSchema(ctx, 0)...)
	if o, ok := s.Outline(); ok {
		out.Outline = definitionTexts(o.Definitions)
		out.Left = `types=["…"] adds what the fields of a type mean, detail="full" shows all.`
		if o.Arguments != "" {
			out.Left = "relations take " + o.Arguments + "; " + out.Left
		}
	}
	if p := s.Pattern(); p != nil {
		out.Root = append(out.Root, "for each type X below that does not say otherwise:")
		for _, w := range p.Written {
			out.Root = append(out.Root, "  "+w)
		}
	}
	for _, f := range s.RootFields() {
		out.Root = append(out.Root, f.Signature)
	}
	for _, e := range s.Index() {
		out.Types = append(out.Types, format.GraphQLType{Name: e.Name, Is: sizeInWords(e), Roots: e.Roots, Description: e.Description})
	}
	return format.GraphQLSchemaText(c.frame, out)
}

func definitionTexts(definitions []graphql.Definition) []string {
	var out []string
	for _, d := range definitions {
		out = append(out, d.Text)
	}
	return out
}

// filterRules say what the inputs of the types that are not shown are like, and, where the
// schema is ours, what filters and orders mean.
func (c *call) filterRules(s *graphql.Schema) []string {
	p := s.Pattern()
	if p == nil || len(p.InputsWritten) == 0 {
		return nil
	}
	rules := []string{fmt.Sprintf(`Each type X has %s like those of %s; types=["X"] shows them.`, strings.Join(p.InputsWritten, " and "), p.Type)}
	if likeDerived(c.domain) {
		rules = append(rules, filterMeaning)
	}
	return rules
}

// filterMeaning is what filters and orders of derived schemas mean.
const filterMeaning = `where: all members have to hold, such as where: {label: {contains: "a"}}; eq takes texts as they are, contains and startsWith ` +
	`in any case. A relation's filter asks for one related entity that fits, {exists: false} for none; relations themselves take no where. ` +
	`orderBy: one field in each object, such as orderBy: [{label: ASC}].`

// mostSchemaNotes is how many notes of a schema are shown.
const mostSchemaNotes = 5

// leftOutOfSchema says what of the ontology a derived schema does not have, with up to most
// of the reasons.
func (c *call) leftOutOfSchema(ctx context.Context, most int) []string {
	if !likeDerived(c.domain) {
		return nil
	}
	_, model, err := c.server.derived(ctx, c.domain)
	if err != nil || model == nil || len(model.Notes) == 0 {
		return nil
	}
	n := len(model.Notes)
	out := []string{fmt.Sprintf(`Not in the schema: %s of the ontology; detail="full" says why.`, thingsInWords(n))}
	if most > 0 {
		out = out[:0]
		for _, note := range model.Notes[:min(n, most)] {
			out = append(out, "Not in the schema: "+note)
		}
		if n > most {
			out = append(out, fmt.Sprintf("Not in the schema: %s more.", thingsInWords(n-most)))
		}
	}
	return out
}

func thingsInWords(n int) string {
	if n == 1 {
		return "1 thing"
	}
	return domains.Number(n) + " things"
}

// mostExamples is how many examples stand with the types that were asked for.
const mostExamples = 3

// typesOfSchema are some types with what they need to be a schema alone, or several that
// are too long together in short, each with its share of the answer.
func (c *call) typesOfSchema(s *graphql.Schema, names []string, full bool) (string, error) {
	var asked []string
	out := format.GraphQLSchema{}
	for _, given := range names {
		name, near, ok := s.Named(given)
		if !ok {
			message := fmt.Sprintf("The schema has no type '%s'.", shown(given))
			if len(near) > 0 {
				message += " Did you mean " + oneOf(near) + "?"
			} else {
				message += " Call get_graphql_schema without types to see them all."
			}
			return "", domains.Invalid(message)
		}
		asked = append(asked, name)
		if e := s.Example(name); e != "" && len(out.Examples) < mostExamples {
			out.Examples = append(out.Examples, e)
		}
	}
	if len(out.Examples) == 0 {
		out.Examples = []string{s.Example("")}
	}
	p := s.Project(asked, graphql.ShowValues)
	if projectionSize(p) > mostProjection {
		p = s.Project(asked, graphql.ShowLeast)
	}
	out.Parts, out.Shortened = definitionTexts(p.Definitions), p.Shortened
	if !full && len(asked) > 1 {
		shares := s.Shares(asked, min(mostShares, max(c.frame.Budget, format.MinBudget)-aroundShares))
		out.Outline = definitionTexts(shares.Definitions)
		out.Left = fmt.Sprintf(`fields that few other types have come first, inputs and what relations lead to are named only. types=["%s"] shows one type whole, detail="full" all of these, in pages.`, asked[0])
		if shares.Arguments != "" {
			out.Left += " Relations take " + shares.Arguments + "."
		}
	}
	if p := s.Pattern(); p != nil && likeDerived(c.domain) && len(p.InputsWritten) > 0 {
		out.Rules = []string{filterMeaning}
	}
	return format.GraphQLSchemaText(c.frame, out), nil
}

// mostProjection is the most bytes of types that are shown with the values of those that
// they lead to.
const mostProjection = 6_000

// mostShares is the most code points of types in short, and aroundShares what stands around
// them at most.
const (
	mostShares   = 5_500
	aroundShares = 2_500
)

func projectionSize(p graphql.Projection) int {
	n := 0
	for _, d := range p.Definitions {
		n += len(d.Text) + 2
	}
	return n
}

// searchSchema are the lines of the schema that have some words.
func (c *call) searchSchema(s *graphql.Schema, search string) string {
	var terms []format.GraphQLTerm
	var names []string
	for _, t := range s.Terms() {
		terms = append(terms, format.GraphQLTerm{Name: t.Name, Description: t.Description, Line: t.Line, On: t.On, Roots: t.Roots})
		names = append(names, t.Name)
	}
	found, all := format.GraphQLFound(search, terms)
	example := s.Example("")
	for _, t := range found {
		if e := s.Example(append(t.On, t.Name)[0]); e != "" {
			example = e
			break
		}
	}
	return format.GraphQLSearchText(c.frame, search, found, all, domains.Nearest(search, names, mostNearTerms), []string{example})
}

// mostNearTerms is how many names are suggested for a search that finds nothing.
const mostNearTerms = 3

// sizeInWords says what a type is: "12 fields", "enum, 3 values".
func sizeInWords(e graphql.Entry) string {
	one, many := "field", "fields"
	switch e.Keyword {
	case "scalar":
		return "scalar"
	case "enum":
		one, many = "value", "values"
	case "union":
		one, many = "member", "members"
	}
	noun := many
	if e.Size == 1 {
		noun = one
	}
	text := domains.Number(e.Size) + " " + noun
	if e.Keyword == "type" {
		return text
	}
	return e.Keyword + ", " + text
}
