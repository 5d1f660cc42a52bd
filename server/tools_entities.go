package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

type describeEntityInput struct {
	Search     string `json:"search" doc:"Words, or parts, of names and local ids, any order; not attribute values." narrow:"a more exact search"`
	EntityType string `json:"entity_type" doc:"Name, label or IRI of a class; sub-classes count." narrow:"an entity_type"`
	EntityURI  string `json:"entity_uri" doc:"IRI of an entity or schema term." narrow:"an entity_uri"`
	Depth      int    `json:"depth" doc:"Hops to neighbours; 1 for broad searches." default:"1" min:"0" max:"10" narrow:"a smaller depth"`
	Limit      int    `json:"limit" doc:"Matches a page." default:"5" min:"1" max:"50" narrow:"a smaller limit"`
	Detail     string `json:"detail" doc:"Absent: standard for one match, else compact." enum:"compact,standard,full"`
	Lang       string `json:"lang" doc:"Of labels: en, fr."`
	Cache      *bool  `json:"cache" doc:"false reads live."`
	inDomain
	paged
}

func describeEntity() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "describe_entity", Kind: domains.DomainTool, Need: domains.NeedsFacts},
		title: "Describe entity",
		description: "Find entities and describe them from the facts: attributes, relationships both ways, neighbours. " +
			"The main tool for questions about things. Needs search, entity_type or entity_uri.",
		example: `{"search":"jacob martinez","depth":2}`,
		budget:  6_000,
	}, func(ctx context.Context, c *call, in describeEntityInput) (string, error) {
		if in.Search == "" && in.EntityType == "" && in.EntityURI == "" {
			return "", domains.Invalid("Please provide at least a search term, an entity type or an entity URI." + c.whereTypes())
		}
		o, known, err := c.ontology(ctx)
		if err != nil {
			return "", err
		}
		types, err := c.typesNamed(ctx, o, known, in.EntityType)
		if err != nil {
			return "", err
		}
		contexts, err := c.classContexts(ctx)
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
			Depth: in.Depth, Limit: in.Limit, Detail: detail, Contexts: contexts, Cache: cacheUse(in.Cache),
		})
	})
}

// cacheUse is what the argument cache asks for; absent it leaves that to the back end.
func cacheUse(argument *bool) domains.CacheUse {
	switch {
	case argument == nil:
		return domains.CacheAuto
	case *argument:
		return domains.CacheOn
	}
	return domains.CacheOff
}

// ontology is the domain's ontology, for answers about facts: where it cannot be read
// it is an empty one (known is false then), in the call's domain too, and a note says
// why. The only error is that ctx ended.
func (c *call) ontology(ctx context.Context) (o *domains.Ontology, known bool, err error) {
	if o, err = c.domain.Ontology(ctx); err == nil {
		return o, true, nil
	}
	if err = c.without(ctx, "The ontology could not be read, so labels and sub-classes are missing", err); err != nil {
		return nil, false, err
	}
	o = domains.NewOntology(domains.Ontology{})
	d := *c.domain
	d.Ontology = func(context.Context) (*domains.Ontology, error) { return o, nil }
	c.domain = &d
	return o, false, nil
}

// typesNamed are the classes that the argument entity_type stands for, each with
// its sub-classes; none when it is absent. What the ontology does not know may be a type
// that facts have. Where neither could be read (known is false when the ontology could
// not) the name is taken for the type's IRI.
func (c *call) typesNamed(ctx context.Context, o *domains.Ontology, known bool, name string) ([]string, error) {
	if name == "" {
		return nil, nil
	}
	iris, near, ok := o.ResolveClass(name)
	if !ok {
		used, others, err := c.typesUsed(ctx, name)
		switch {
		case len(used) > 0:
			return used, nil
		case err != nil && ctx.Err() != nil:
			return nil, err
		case err != nil && !known:
			return []string{strings.Trim(name, "<>")}, nil
		case len(near) == 0:
			near = domains.Nearest(name, others, 3)
		}
		message := fmt.Sprintf("No entity type is called '%s'.", shown(name))
		if len(near) > 0 {
			message += " Did you mean " + oneOf(near) + "?"
		}
		where := c.whereTypes()
		if where == "" && len(near) == 0 {
			where = " search looks in the names of all entities."
		}
		return nil, domains.Invalid(message + where)
	}
	var types []string
	for _, iri := range iris {
		types = append(types, o.WithSubClasses(iri)...)
	}
	slices.Sort(types)
	return slices.Compact(types), nil
}

// typesUsed are the types of facts with that IRI or local name, whose case is forgiven,
// and the local names of all types.
func (c *call) typesUsed(ctx context.Context, name string) (iris, others []string, err error) {
	stats, err := c.domain.Facts.Stats(ctx)
	if err != nil {
		return nil, nil, err
	}
	iri := strings.Trim(name, "<>")
	for _, t := range stats.Types {
		local := domains.LocalName(t.IRI)
		if t.IRI == iri {
			return []string{iri}, nil, nil
		}
		if strings.EqualFold(local, name) {
			iris = append(iris, t.IRI)
		}
		others = append(others, local)
	}
	slices.Sort(iris)
	return iris, others, nil
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
