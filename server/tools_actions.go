package server

import (
	"cmp"
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

type invokeActionInput struct {
	EntityURI string `json:"entity_uri" doc:"From describe_entity." required:"true"`
	Action    string `json:"action" doc:"Full name." required:"true"`
	inDomain
	unpaged
}

func invokeEntityAction() *tool {
	return define(tool{
		Tool: domains.Tool{Name: "invoke_entity_action", Kind: domains.DomainTool, Need: ofEntity(domains.NeedsActions), Needs: "a service that runs actions",
			Writes: true, Element: domains.ElementActions},
		acts:  true,
		title: "Invoke entity action",
		description: "Run an action of the entity's class. It may change the world: only if the user wants that. " +
			"Its one argument is the local ID in the URI.",
		example: `{"entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","action":"main.ops.risk"}`,
		budget:  12_000,
	}, func(ctx context.Context, c *call, in invokeActionInput) (string, error) {
		uri, err := c.entityURI(in.EntityURI)
		if err != nil {
			return "", err
		}
		if in.Action == "" {
			return "", c.needs("action", "the full name of an action of the entity's class", "get_entity_context")
		}
		r, err := c.domain.Actions.Invoke(ctx, uri, in.Action)
		if err != nil {
			return "", err
		}
		told := *r
		told.Action, told.LocalID = cmp.Or(r.Action, in.Action), cmp.Or(r.LocalID, domains.LocalID(uri))
		return format.Action(c.frame, &told), nil
	})
}

type runRuleInput struct {
	EntityURI string `json:"entity_uri" doc:"From describe_entity." required:"true"`
	Rule      string `json:"rule" doc:"Its name." required:"true"`
	inDomain
	unpaged
}

func runEntityBusinessRule() *tool {
	return define(tool{
		Tool: domains.Tool{Name: "run_entity_business_rule", Kind: domains.DomainTool, Need: ofEntity(domains.NeedsRules), Needs: "a service that applies business rules",
			Writes: true, Element: domains.ElementBusinessRules},
		title:       "Run entity business rule",
		description: "Apply a business rule declared on the entity's class: what follows is written to the graph, once. Only when the user wants that.",
		example:     `{"entity_uri":"https://ontobricks.com/ontology/Customer/CUST00094","rule":"Vip"}`,
		budget:      ordinaryBudget,
	}, func(ctx context.Context, c *call, in runRuleInput) (string, error) {
		uri, err := c.entityURI(in.EntityURI)
		if err != nil {
			return "", err
		}
		if in.Rule == "" {
			return "", c.needs("rule", "the name of a business rule of the entity's class", "get_entity_context")
		}
		r, err := c.domain.Rules.Apply(ctx, uri, in.Rule)
		if err != nil {
			return "", err
		}
		told := *r
		told.Rule, told.LocalID = cmp.Or(r.Rule, in.Rule), cmp.Or(r.LocalID, domains.LocalID(uri))
		return format.Rule(c.frame, &told), nil
	})
}
