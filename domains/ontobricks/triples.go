package ontobricks

import (
	"context"
	"strconv"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// rawTriples implements domains.Triples: it asks the deployment. What objects are is known
// where it says so, as an Ontogate does; elsewhere what begins as an IRI of the web is one.
// Find looks for words where the deployment can, and as OntoBricks does where it cannot.
// List has the order of the deployment, which OntoBricks leaves open.
type rawTriples struct{ *view }

var _ domains.Triples = rawTriples{}

// mostFound is how many triples the service returns at most to Find.
const mostFound = 10_000

// Find implements domains.Triples.
func (r rawTriples) Find(ctx context.Context, q domains.TripleQuery) (*domains.TriplePage, error) {
	if q.Type == "" && q.Search == "" {
		return nil, domains.Invalid("Provide at least entity_type or search")
	}
	p := findParams{
		EntityType: q.Type, Search: q.Search, Words: q.Words && q.Search != "", Cache: q.Cache,
		Depth: min(max(q.Depth, 1), deepest), Limit: min(max(q.Limit, 1), mostFound), Offset: max(q.Offset, 0),
	}
	in, err := r.find(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := r.isCurrent(in.Revision, "searching the graph"); err != nil {
		return nil, err
	}
	out := in.Page()
	out.Message = r.clean(out.Message)
	if read := p.Offset + len(out.Triples); len(out.Triples) > 0 && out.Total <= read { // older versions do not tell it
		if out.Total = read; in.HasMore {
			out.Total++
		}
	}
	return out, nil
}

// List implements domains.Triples.
func (r rawTriples) List(ctx context.Context, p domains.TriplePattern) (*domains.TriplePage, error) {
	const doing = "listing triples"
	more := map[string]string{"limit": strconv.Itoa(max(p.Limit, 1)), "offset": strconv.Itoa(max(p.Offset, 0))}
	for name, value := range map[string]string{
		"subject": p.Subject, "predicate": p.Predicate, "object": p.Object, "entity_type": p.Type, "search": p.Search,
	} {
		if value != "" {
			more[name] = value
		}
	}
	var in wire.Triples
	if err := r.get(ctx, "/api/v1/digitaltwin/triples", more, r.info.Name, doing, &in); err != nil {
		return nil, err
	}
	if !in.Success {
		return nil, r.refused(soft{doing: doing, name: r.info.Name, fallback: "Could not list the triples."}, in.Message, "")
	}
	if err := r.isCurrent(in.Revision, doing); err != nil {
		return nil, err
	}
	out := in.Page()
	out.Message = r.clean(out.Message)
	if read := max(p.Offset, 0) + len(out.Triples); len(out.Triples) > 0 && out.Total < read {
		out.Total = read
	}
	return out, nil
}
