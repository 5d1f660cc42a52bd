package ontobricks

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/ontobricks/rest"
	"github.com/ontogate/ontogate/domains/wire"
)

// servedFacts implements domains.Facts for a domain of a deployment that is an Ontogate:
// the graph comes as the other one tells it, and nothing is told apart here.
type servedFacts struct{ *view }

// Stats counts the graph.
func (f servedFacts) Stats(ctx context.Context) (*domains.Stats, error) {
	s, err := f.stats(ctx)
	if err != nil {
		return nil, err
	}
	return s.Stats(), nil
}

// Find asks for matches.
func (f servedFacts) Find(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	const doing = "searching the graph"
	w, err := f.whereabouts(ctx, f.info.Name)
	if err != nil {
		return nil, err
	}
	var in wire.Matches
	if err := f.ask(ctx, "/api/v1/digitaltwin/entities/find", wire.NewFindRequest(w, q), doing, &in); err != nil {
		return nil, err
	}
	return in.Matches(), f.isCurrent(in.Revision, doing)
}

// The entities that are asked for at once in a walk: few first, because most walks end
// soon, and then more.
var portions = []int{20, 100, 400}

// Walk asks for entities as they are pulled.
func (f servedFacts) Walk(ctx context.Context, from []string, o domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		o.Read = nil // it is nothing of the other one's
		for told, turn := 0, 0; ; turn++ {
			part, err := f.part(ctx, from, o, told, portions[min(turn, len(portions)-1)])
			if err != nil {
				yield(domains.Entity{}, err)
				return
			}
			for _, e := range part.Entities {
				if !yield(e.Entity(), nil) {
					return
				}
			}
			if told += len(part.Entities); !part.More || len(part.Entities) == 0 {
				return
			}
		}
	}
}

// part asks for the next entities of a walk.
func (f servedFacts) part(ctx context.Context, from []string, o domains.WalkOptions, told, n int) (*wire.Entities, error) {
	const doing = "walking the graph"
	w, err := f.whereabouts(ctx, f.info.Name)
	if err != nil {
		return nil, err
	}
	var in wire.Entities
	if err := f.ask(ctx, "/api/v1/digitaltwin/entities/walk", wire.NewWalkRequest(w, from, o, told, n), doing, &in); err != nil {
		return nil, err
	}
	return &in, f.isCurrent(in.Revision, doing)
}

// isCurrent refuses an answer about another revision than the one that was opened: two
// must not be mixed. The next call opens the new one.
func (v *view) isCurrent(revision, doing string) error {
	if !v.ofOntogate || revision == v.revision { // OntoBricks tells none
		return nil
	}
	v.mine.versions.forget(string(v.info.Name))
	return &domains.Error{Kind: domains.ErrUnavailable, Op: doing, Domain: v.info.Name, Message: "The domain changed while it was read. Make the call again."}
}

// ask sends a question with a body. It only reads, but is sent once: what it asks may be
// long.
func (v *view) ask(ctx context.Context, path string, body any, doing string, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return &domains.Error{Kind: domains.ErrInvalid, Op: doing, Domain: v.info.Name, Message: "The request cannot be written as JSON.", Err: err}
	}
	return v.client.JSON(ctx, rest.Request{
		Method: http.MethodPost, Path: path, Body: text, Principal: v.who, Domain: v.info.Name, Doing: doing,
	}, into)
}

// likeServed makes a domain what an Ontogate says that it serves.
func (v *view) likeServed(d *domains.Domain, s *wire.Served) {
	d.Revision, d.Languages = s.Revision, s.Languages
	d.Problems, d.Refused = wire.Problems(s.Problems), wire.Problems(s.Refused)
	d.ComputesNothing = !s.Functions
	if d.Facts != nil {
		d.Facts = servedFacts{v}
	}
	if !s.Context {
		d.Context = nil
	}
	if !s.Actions {
		d.Actions = nil
	}
	if !s.Rules {
		d.Rules = nil
	}
	switch s.GraphQL {
	case wire.GraphQLDerived:
		d.DerivedGraphQL, d.Usage = true, v.usage
	case "":
		d.GraphQL = nil
	}
	status := d.Status
	d.Status = func(ctx context.Context) (*domains.Status, error) {
		st, err := status(ctx)
		if err == nil {
			st.Problems, st.Refused, st.Notes = d.Problems, d.Refused, wire.Problems(s.Notes)
		}
		return st, err
	}
}
