package server

import (
	"context"
	"fmt"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

type describeEntityInput struct {
	Search     string `json:"search" doc:"Words or parts of words of names and local ids, any order; not values of attributes." narrow:"a more exact search"`
	EntityType string `json:"entity_type" doc:"A class by name, label or IRI; its sub-classes count." narrow:"an entity_type"`
	EntityURI  string `json:"entity_uri" doc:"One entity, or a schema term, by its IRI." narrow:"an entity_uri"`
	Depth      int    `json:"depth" doc:"Hops to neighbours. Keep 1 for broad searches." default:"1" min:"0" max:"10" narrow:"a smaller depth"`
	Limit      int    `json:"limit" doc:"Matches on a page." default:"5" min:"1" max:"50" narrow:"a smaller limit"`
	Detail     string `json:"detail" doc:"Absent: standard for one match, compact for several." enum:"compact,standard,full"`
	Lang       string `json:"lang" doc:"Language of labels: en, fr."`
	inDomain
	paged
}

func describeEntity() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "describe_entity", Kind: domains.DomainTool, Need: domains.NeedsFacts},
		title: "Describe entity",
		description: "Find entities and describe them from the facts: attributes, relationships both ways, neighbours. " +
			"The main tool for questions about things. Give at least one of search, entity_type, entity_uri.",
		example: `{"search":"jacob martinez","depth":2}`,
		budget:  6_000,
		ignored: map[string]string{"cache": "The argument cache has no effect here: answers are always read from the graph."},
	}, func(ctx context.Context, c *call, in describeEntityInput) (string, error) {
		if in.Search == "" && in.EntityType == "" && in.EntityURI == "" {
			return "", domains.Invalid("Please provide at least a search term, an entity type or an entity URI." + c.whereTypes())
		}
		o, err := c.domain.Ontology(ctx)
		if err != nil {
			return "", err
		}
		types, err := c.typesNamed(o, in.EntityType)
		if err != nil {
			return "", err
		}
		detail, err := format.ParseDetail(in.Detail)
		if err != nil {
			return "", err
		}
		c.frame.Languages = append(languages(in.Lang), c.frame.Languages...)
		return format.Entities(ctx, c.frame, c.domain, format.EntitiesOptions{
			Search: in.Search, EntityType: in.EntityType, EntityURI: o.Expand(in.EntityURI), Types: types,
			Depth: in.Depth, Limit: in.Limit, Detail: detail,
		})
	})
}

// typesNamed are the classes that the argument entity_type stands for, each with
// its sub-classes; none when it is absent.
func (c *call) typesNamed(o *domains.Ontology, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	iris, near, ok := o.ResolveClass(name)
	if !ok {
		message := fmt.Sprintf("No entity type is called '%s'.", shown(name))
		if len(near) > 0 {
			message += " Did you mean " + oneOf(near) + "?"
		}
		return nil, domains.Invalid(message + c.whereTypes())
	}
	var types []string
	for _, iri := range iris {
		types = append(types, o.WithSubClasses(iri)...)
	}
	slices.Sort(types)
	return slices.Compact(types), nil
}

// whereTypes says where the types of the domain are shown, if anywhere.
func (c *call) whereTypes() string {
	for _, tool := range []string{"list_entity_types", "describe_ontology"} {
		if c.offers(tool) {
			return " " + tool + " shows the types there are."
		}
	}
	return ""
}

// languages puts the language asked for first; nil leaves the domain's own order.
func languages(lang string) []string {
	if lang == "" {
		return nil
	}
	return []string{lang}
}
