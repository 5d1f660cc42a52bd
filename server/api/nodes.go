package api

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	shown := *found
	if shown.Bridges, err = q.openBridges(ctx, shown.Bridges); err != nil {
		return nil, err
	}
	found = &shown
	return wire.NewNodeContext(found, q.flag("fetch_dataset_rows")), nil
}

// openBridges leaves out the bridges to domains whose settings close this interface.
func (q *asked) openBridges(ctx context.Context, bridges []domains.Bridge) ([]domains.Bridge, error) {
	if len(bridges) == 0 {
		return bridges, nil
	}
	infos, _ := q.site.Backend.Domains(ctx) // what cannot be listed holds nothing back
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return slices.DeleteFunc(slices.Clone(bridges), func(b domains.Bridge) bool {
		i := slices.IndexFunc(infos, func(i domains.Info) bool { return i.Name == b.Domain })
		return i >= 0 && closed(infos[i]) != nil
	}), nil
}

// entity is the context of an entity; that of a domain without context has no elements.
func (q *asked) entity(ctx context.Context, iri string, o domains.ContextOptions) (*domains.EntityContext, error) {
	if q.d.Context == nil {
		return &domains.EntityContext{IRI: iri, LocalID: domains.LocalID(iri)}, nil
	}
	return q.d.Context.Entity(ctx, iri, o)
}

// element refuses the use of what policy disables, in the words of OntoBricks.
func (q *asked) element(e domains.Element, words string) error {
	if q.d.Info.Policy.Mode(e) == domains.ModeDisabled {
		return domains.Invalid(words + " are disabled for this domain by its MCP policy")
	}
	return nil
}

func virtualAttributes(ctx context.Context, q *asked) (any, error) {
	iri := q.text("entity_uri")
	if err := q.element(domains.ElementVirtualAttributes, "Virtual attributes"); err != nil {
		return nil, err
	}
	e, err := q.entity(ctx, iri, domains.ContextOptions{})
	if err != nil {
		return nil, err
	}
	if q.d.Context == nil {
		return nil, q.noClass(e, nil)
	}
	found, err := q.d.Context.Compute(ctx, iri, q.text("function"))
	if err != nil {
		return nil, q.noClass(e, err)
	}
	return wire.NewVirtualAttributes(found), nil
}

// noClass is the error of a use of something for an entity: 404 where the entity is of no
// class with context, whatever the back end says of it.
func (q *asked) noClass(e *domains.EntityContext, err error) error {
	var told *domains.Error
	switch {
	case err != nil && (e.Name != "" || !errors.Is(err, domains.ErrInvalid)):
		return err
	case errors.As(err, &told):
		as := *told
		as.Kind = domains.ErrUnknownDomain
		return &as
	}
	return &domains.Error{Kind: domains.ErrUnknownDomain, Op: q.endpoint.summary, Domain: q.name, Message: "No ontology class matches this entity URI"}
}

// write is the use of something that writes: its element and what texts call that, what a
// read-only server says of it, whether the domain has the ability, and the name of the one
// that is used.
type write struct {
	element         domains.Element
	words, readOnly string
	there           bool
	one, name       string
}

// writing is the entity for which something that writes may be used.
func (q *asked) writing(ctx context.Context, iri string, w write) (*domains.EntityContext, error) {
	if err := q.element(w.element, w.words); err != nil {
		return nil, err
	}
	if q.site.ReadOnly {
		return nil, q.refused("This server is read-only: " + w.readOnly + ".")
	}
	e, err := q.entity(ctx, iri, domains.ContextOptions{})
	switch {
	case err != nil || w.there:
		return e, err
	case e.Name != "":
		return nil, domains.Invalid(fmt.Sprintf("%s '%s' is not configured on class '%s'", w.one, w.name, e.Name))
	}
	return nil, q.noClass(e, nil)
}

func action(ctx context.Context, q *asked) (any, error) {
	iri, name := q.text("entity_uri"), q.text("action_full_name")
	e, err := q.writing(ctx, iri, write{
		element: domains.ElementActions, words: "Actions", readOnly: "it runs no actions", there: q.d.Actions != nil, one: "Action", name: name,
	})
	if err != nil {
		return nil, err
	}
	r, err := q.d.Actions.Invoke(ctx, iri, name)
	if err != nil {
		return nil, q.noClass(e, failed(err))
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
	e, err := q.writing(ctx, iri, write{
		element: domains.ElementBusinessRules, words: "Business rules", readOnly: "it applies no business rules", there: q.d.Rules != nil, one: "Business rule", name: name,
	})
	if err != nil {
		return nil, err
	}
	r, err := q.d.Rules.Apply(ctx, iri, name)
	if err != nil {
		return nil, q.noClass(e, failed(err))
	}
	return wire.NewRuleResult(iri, r), nil
}
