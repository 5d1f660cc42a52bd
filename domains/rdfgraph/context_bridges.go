package rdfgraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// targets are the domains to which bridges may lead. known is false when they could not be
// listed: then no bridge is held back, and none has a description.
type targets struct {
	known bool
	infos []domains.Info
	// mayLead reports whether a bridge may be shown whose target could not be listed.
	mayLead func(domains.Bridge) bool
}

// mayLead is false for a bridge of which this back end knows that it leads nowhere: to a
// domain of its own that nobody may see, or, alone, to one that it does not have.
func (c classContext) mayLead(b domains.Bridge) bool {
	for _, d := range c.own.state.Load().domains {
		if d.info.Name == b.Domain {
			return !d.hidden && d.info.Unavailable == ""
		}
	}
	return c.all != domains.Backend(c.own)
}

// targets lists the domains, if a bridge needs them. said is what to tell when that failed;
// the only error is that ctx ended.
func (c classContext) targets(ctx context.Context) (t targets, said string, err error) {
	if !slices.ContainsFunc(c.classes, func(class declaredClass) bool { return len(class.Bridges) > 0 }) {
		return targets{known: true}, "", nil
	}
	infos, err := c.all.Domains(ctx)
	switch {
	case ctx.Err() != nil:
		return targets{}, "", ctx.Err()
	case err != nil:
		return targets{infos: infos, mayLead: c.mayLead}, "The domains that bridges lead to could not be listed, so that some may not be there.", nil
	}
	return targets{known: true, infos: infos}, "", nil
}

// shown are the bridges that lead somewhere, with what the target says of itself. A target
// that is not listed, or cannot be opened, is not named.
func (t targets) shown(bridges []domains.Bridge) []domains.Bridge {
	var out []domains.Bridge
	for _, b := range bridges {
		i := slices.IndexFunc(t.infos, func(i domains.Info) bool { return i.Name == b.Domain })
		switch {
		case i >= 0 && t.infos[i].Unavailable == "":
			b.DomainDescription = t.infos[i].Description
			out = append(out, b)
		case i < 0 && !t.known && t.mayLead(b):
			out = append(out, b)
		}
	}
	return out
}

// Bounds of what is looked for behind one bridge.
const (
	mostFollowed   = 10 // entities
	mostNeighbours = 50 // values of one property
	mostVisited    = 1_000
)

// follow looks for an entity behind a bridge: entities of the target class that have its
// local id in their names, and those to which the entity itself is linked there. What fails
// is told by a note; the only error is that ctx ended.
func (c classContext) follow(ctx context.Context, iri string, b *domains.Bridge, depth int, notes *notes) error {
	d, err := c.all.Open(ctx, b.Domain)
	if err == nil {
		err = c.lookBehind(ctx, d, iri, b, depth)
	}
	var told *domains.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return nil
	case errors.As(err, &told) && told.Message != "":
		notes.add(fmt.Sprintf("Domain %s could not be looked into: %s", b.Domain, told.Message))
	default:
		notes.add(fmt.Sprintf("Domain %s could not be looked into.", b.Domain))
	}
	return nil
}

func (c classContext) lookBehind(ctx context.Context, d *domains.Domain, iri string, b *domains.Bridge, depth int) error {
	if ok, why := domains.Decide(domains.Tool{Name: "describe_entity", Kind: domains.DomainTool, Need: domains.NeedsFacts}, d.WithoutTools(nil)); !ok {
		return domains.Invalid(why)
	}
	o, err := d.Ontology(ctx)
	if err != nil {
		return err
	}
	classes, _, ok := o.ResolveClass(b.Class)
	if !ok {
		return domains.Invalid(fmt.Sprintf("it has no class %q.", b.Class))
	}
	b.ClassIRI = classes[0]
	var types []string
	for _, class := range classes {
		types = append(types, o.WithSubClasses(class)...)
	}
	self := d.Info.Name == c.info.Name // it would find the entity that it came from
	add := func(e domains.BridgeEntity) (more bool) {
		if len(b.Entities) < mostFollowed && !(self && e.IRI == iri) && !slices.ContainsFunc(b.Entities, func(o domains.BridgeEntity) bool { return o.IRI == e.IRI }) {
			b.Entities = append(b.Entities, e)
		}
		return len(b.Entities) < mostFollowed
	}
	if strings.Contains(iri, "/"+skolemPath) { // a blank node, whose name means nothing elsewhere
		b.Followed = true
		return nil
	}
	found, err := d.Facts.Find(ctx, domains.Query{Text: domains.LocalID(iri), Types: types, Languages: d.Languages, Limit: mostFollowed})
	if err != nil {
		return err
	}
	b.Followed = true
	for _, h := range found.Hits {
		if h.Tier <= domains.TierWords {
			add(domains.BridgeEntity{IRI: h.IRI, Property: "label", Object: h.Label})
		}
	}
	return linked(ctx, d, iri, types, depth, add)
}

// linked adds the entities of some classes that are linked to an entity of the same IRI.
func linked(ctx context.Context, d *domains.Domain, iri string, types []string, depth int, add func(domains.BridgeEntity) bool) error {
	m, err := d.Facts.Find(ctx, domains.Query{IRI: iri, Limit: 1, Depth: depth})
	switch {
	case errors.Is(err, domains.ErrInvalid): // a back end that cannot look such an IRI up
		return nil
	case err != nil:
		return err
	case len(m.Hits) == 0:
		return nil
	}
	o := domains.WalkOptions{Depth: depth, Fanout: mostNeighbours, Languages: d.Languages, Read: m.Read}
	visited := 0
	for e, err := range d.Facts.Walk(ctx, []string{m.Hits[0].IRI}, o) {
		if err != nil {
			return err
		}
		if visited++; visited > mostVisited {
			return nil
		}
		if !slices.ContainsFunc(e.Types, func(t string) bool { return slices.Contains(types, t) }) {
			continue
		}
		label := ""
		if t, ok := domains.ChooseText(e.Labels, d.Languages); ok {
			label = t.Value
		}
		if !add(domains.BridgeEntity{IRI: e.IRI, Property: "label", Object: label}) {
			return nil
		}
	}
	return nil
}
