package api

import (
	"context"
	"errors"
	"fmt"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// nodeContext tells what an entity has. What policy disables is left out and not read.
func nodeContext(ctx context.Context, q *asked) (any, error) {
	iri := q.text("entity_uri")
	o := domains.ContextOptions{FollowBridges: q.flag("follow_bridges"), BridgeDepth: q.number("bridge_depth"), Compute: q.flag("compute_virtual_attributes")}
	if q.flag("fetch_dataset_rows") {
		o.Rows = q.number("dataset_row_limit")
	}
	for e, off := range map[domains.Element]func(){
		domains.ElementDataset: func() { o.Rows = 0 }, domains.ElementBridges: func() { o.FollowBridges = false },
		domains.ElementVirtualAttributes: func() { o.Compute = false },
	} {
		if ok, _ := domains.DecideElement(e, q.d); !ok {
			off()
		}
	}
	found, err := q.entity(ctx, iri, o)
	if err != nil {
		return nil, err
	}
	return wire.NewNodeContext(found, q.flag("fetch_dataset_rows")), nil
}

// entity is the context of an entity; that of a domain without context has no elements.
func (q *asked) entity(ctx context.Context, iri string, o domains.ContextOptions) (*domains.EntityContext, error) {
	if q.d.Context == nil {
		return &domains.EntityContext{IRI: iri, LocalID: domains.LocalID(iri)}, nil
	}
	return q.d.Context.Entity(ctx, iri, o)
}

// declared is what an entity's class declares, which there has to be to use something of it.
func (q *asked) declared(ctx context.Context, iri string) (*domains.EntityContext, error) {
	e, err := q.entity(ctx, iri, domains.ContextOptions{})
	if err == nil && e.Name == "" {
		err = &domains.Error{Kind: domains.ErrUnknownDomain, Op: q.endpoint.summary, Domain: q.name, Message: "No ontology class matches this entity URI"}
	}
	return e, err
}

// element refuses the use of what policy disables, in the words of OntoBricks.
func (q *asked) element(e domains.Element, words string) error {
	if q.d.Info.Policy.Mode(e) == domains.ModeDisabled {
		return domains.Invalid(words + " are disabled for this domain by its MCP policy")
	}
	return nil
}

func virtualAttributes(ctx context.Context, q *asked) (any, error) {
	iri, function := q.text("entity_uri"), q.text("function")
	if err := q.element(domains.ElementVirtualAttributes, "Virtual attributes"); err != nil {
		return nil, err
	}
	declared, err := q.declared(ctx, iri)
	if err != nil {
		return nil, err
	}
	if function != "" && !has(declared.Functions, function, func(f domains.Function) string { return f.FullName }) {
		return nil, domains.Invalid(fmt.Sprintf("Virtual attribute function '%s' is not configured on class '%s'", function, declared.Name))
	}
	found, err := q.d.Context.Compute(ctx, iri, function)
	if err != nil {
		return nil, err
	}
	return wire.NewVirtualAttributes(found), nil
}

func has[T any](list []T, name string, of func(T) string) bool {
	for _, item := range list {
		if of(item) == name {
			return true
		}
	}
	return false
}

func action(ctx context.Context, q *asked) (any, error) {
	iri, name := q.text("entity_uri"), q.text("action_full_name")
	if err := q.element(domains.ElementActions, "Actions"); err != nil {
		return nil, err
	}
	if q.site.ReadOnly {
		return nil, q.refused("This server is read-only: it runs no actions.")
	}
	declared, err := q.declared(ctx, iri)
	if err != nil {
		return nil, err
	}
	if q.d.Actions == nil || !has(declared.Actions, name, func(a domains.Action) string { return a.FullName }) {
		return nil, domains.Invalid(fmt.Sprintf("Action '%s' is not configured on class '%s'", name, declared.Name))
	}
	r, err := q.d.Actions.Invoke(ctx, iri, name)
	if err != nil {
		return nil, failed(err)
	}
	return wire.NewActionResult(iri, r), nil
}

// failed is the error of something that was tried: clients of OntoBricks expect 502 for it,
// also when it ran into a limit.
func failed(err error) error {
	var told *domains.Error
	if errors.As(err, &told) && errors.Is(told.Kind, domains.ErrLimit) && told.RetryAfter == 0 {
		as := *told
		as.Kind = domains.ErrUpstream
		return &as
	}
	return err
}

func businessRule(ctx context.Context, q *asked) (any, error) {
	iri, name := q.text("entity_uri"), q.text("rule")
	if err := q.element(domains.ElementBusinessRules, "Business rules"); err != nil {
		return nil, err
	}
	if q.site.ReadOnly {
		return nil, q.refused("This server is read-only: it applies no business rules.")
	}
	declared, err := q.declared(ctx, iri)
	if err != nil {
		return nil, err
	}
	if q.d.Rules == nil || !has(declared.Rules, name, func(r domains.Rule) string { return r.Name }) {
		return nil, domains.Invalid(fmt.Sprintf("Business rule '%s' is not configured on class '%s'", name, declared.Name))
	}
	r, err := q.d.Rules.Apply(ctx, iri, name)
	if err != nil {
		return nil, failed(err)
	}
	return wire.NewRuleResult(iri, r), nil
}
