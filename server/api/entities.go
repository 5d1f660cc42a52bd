package api

import (
	"context"
	"encoding/json"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// What OntoBricks does not have: the graph as the tools see it, for an Ontogate in front of
// this one and for programs that want entities rather than triples.

// Bounds of one answer: entities that are found or walked to, and the room of a walk.
const (
	mostEntities = 1_000
	mostRoom     = 4 << 20 // bytes, but for the last entity
)

// entityEndpoints are the addresses that OntoBricks does not have.
func entityEndpoints() []*endpoint {
	return []*endpoint{
		{
			method: "POST", path: "/api/v1/digitaltwin/entities/find", summary: "Find entities by names, as describe_entity does", domain: servedOnly,
			tool: "describe_entity", params: join(ofDomain, registryParams), body: func() any { return &wire.FindRequest{} },
			gives: wire.Matches{}, answer: findEntities,
			details: "Not of OntoBricks. At least one of text, types and iri is needed; types are IRIs of classes, those below them not included. It only reads.",
		},
		{
			method: "POST", path: "/api/v1/digitaltwin/entities/walk", summary: "Describe entities and what is around them", domain: servedOnly,
			tool: "describe_entity", params: join(ofDomain, registryParams), body: func() any { return &wire.WalkRequest{} },
			gives: wire.Entities{}, answer: walkEntities,
			details: "Not of OntoBricks. Entities come with labels, types and facts in both directions, breadth first. It only reads.",
		},
	}
}

func findEntities(ctx context.Context, q *asked) (any, error) {
	ask := q.body.(*wire.FindRequest).Query()
	switch {
	case q.d.Facts == nil:
		return nil, domains.Invalid(noGraph)
	case ask.Text == "" && ask.IRI == "" && len(ask.Types) == 0:
		return nil, domains.Invalid("Provide at least text, types or iri")
	}
	ask.Limit = min(ask.Limit, mostEntities)
	found, err := q.d.Facts.Find(ctx, ask)
	if err != nil {
		return nil, err
	}
	return wire.NewMatches(found, q.d.Revision), nil
}

// walkEntities tells a part of a walk, and ends it there.
func walkEntities(ctx context.Context, q *asked) (any, error) {
	ask := q.body.(*wire.WalkRequest)
	if q.d.Facts == nil {
		return nil, domains.Invalid(noGraph)
	}
	most := ask.Max
	if most <= 0 || most > mostEntities {
		most = mostEntities
	}
	out := wire.Entities{Success: true, Revision: q.d.Revision, Entities: []wire.Entity{}}
	room, passed := mostRoom, 0
	for e, err := range q.d.Facts.Walk(ctx, ask.From, ask.Options()) {
		if err != nil {
			return nil, err
		}
		if passed++; passed <= ask.Drop {
			continue
		}
		told := wire.NewEntity(e)
		size, err := json.Marshal(told)
		if err != nil {
			return nil, err
		}
		out.Entities = append(out.Entities, told)
		if room -= len(size); len(out.Entities) == most || room <= 0 {
			out.More = true
			break
		}
	}
	return out, nil
}

// ontologyParams are our own parameters of /domain/ontology.
var ontologyParams = []param{
	{name: "model", kind: flag, otherwise: "false", doc: "Not of OntoBricks: whether to tell classes and properties as they are known here too."},
}

// served adds what is ours to the versions of a domain, where it can be opened.
func served(ctx context.Context, q *asked, out *wire.Versions) {
	d, err := q.site.Open(ctx, q.name)
	if err != nil {
		return
	}
	st, err := d.Status(ctx)
	if err != nil {
		return
	}
	out.Served = wire.NewServed(d, st)
}
