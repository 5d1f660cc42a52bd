package server

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

type describeOntologyInput struct {
	Classes []string `json:"classes" doc:"Only these classes: names, labels or IRIs." narrow:"only some classes"`
	Format  string   `json:"format" enum:"summary,turtle" default:"summary"`
	inDomain
	paged
}

func describeOntology() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "describe_ontology", Kind: domains.DomainTool},
		title: "Describe ontology",
		description: "Read the schema: the tree of classes with attributes and relationships, or its OWL as Turtle. " +
			"Needs no graph; the tool for questions about structure.",
		example: `{"classes":["Customer"]}`,
		budget:  8_000,
	}, func(ctx context.Context, c *call, in describeOntologyInput) (string, error) {
		o, err := c.domain.Ontology(ctx)
		if err != nil {
			return "", err
		}
		var classes []string
		for _, name := range in.Classes {
			iris, err := classesNamed(o, name)
			if err != nil {
				return "", err
			}
			classes = append(classes, iris...)
		}
		slices.Sort(classes)
		classes = slices.Compact(classes)
		if in.Format == "turtle" {
			return format.OntologyTurtle(ctx, c.frame, c.domain, o, classes)
		}
		contexts, err := c.classContexts(ctx)
		if err != nil {
			return "", err
		}
		return format.OntologySummary(ctx, c.frame, c.domain, o, format.OntologyOptions{Classes: classes, Contexts: contexts})
	})
}

// classesNamed finds the classes that a name stands for. A name that none has may
// be several, separated by commas.
func classesNamed(o *domains.Ontology, name string) ([]string, error) {
	iris, near, ok := o.ResolveClass(name)
	if ok {
		return iris, nil
	}
	if parts := strings.Split(name, ","); len(parts) > 1 {
		for _, part := range parts {
			more, err := classesNamed(o, strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			iris = append(iris, more...)
		}
		return iris, nil
	}
	message := fmt.Sprintf("No class is called '%s'.", shown(name))
	if len(near) > 0 {
		message += " Did you mean " + oneOf(near) + "?"
	} else {
		message += " Call describe_ontology without classes to see them all."
	}
	return nil, domains.Invalid(message)
}

type listEntityTypesInput struct {
	Search string `json:"search" doc:"Keep types and predicates whose name or IRI holds this."`
	Limit  int    `json:"limit" doc:"Types on a page." default:"50" min:"1" max:"500"`
	inDomain
	paged
}

func listEntityTypes() *tool {
	return define(tool{
		Tool:  domains.Tool{Name: "list_entity_types", Kind: domains.DomainTool, Need: domains.NeedsFacts},
		title: "List entity types",
		description: "Count what the graph holds: triples, entities of each type, uses of each predicate. " +
			"For questions such as how many, and before a search by type.",
		example: `{"search":"contract"}`,
		budget:  4_000,
	}, func(ctx context.Context, c *call, in listEntityTypesInput) (string, error) {
		o, _, err := c.ontology(ctx)
		if err != nil {
			return "", err
		}
		contexts, err := c.classContexts(ctx)
		if err != nil {
			return "", err
		}
		stats, err := c.domain.Facts.Stats(ctx)
		if err != nil {
			return "", err
		}
		return format.EntityTypes(c.frame, c.domain, o, stats, format.EntityTypesOptions{Search: in.Search, Limit: in.Limit, Contexts: contexts}), nil
	})
}

func getStatus() *tool {
	return define(tool{
		Tool:        domains.Tool{Name: "get_status", Kind: domains.DomainTool, Need: domains.NeedsFacts},
		title:       "Get graph status",
		description: "Tell where the domain's data is, how many triples it has, and which of its files could not be used.",
		example:     `{}`,
		budget:      ordinaryBudget,
	}, func(ctx context.Context, c *call, in oneDomain) (string, error) {
		status, err := c.domain.Status(ctx)
		if err != nil {
			return "", err
		}
		return format.Status(c.frame, c.domain, status), nil
	})
}
