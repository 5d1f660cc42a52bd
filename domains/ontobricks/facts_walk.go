package ontobricks

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Walk implements domains.Facts. It needs no request for what WalkOptions.Read holds, as
// far as that goes around it; any other IRI it looks up.
func (f *facts) Walk(ctx context.Context, from []string, o domains.WalkOptions) iter.Seq2[domains.Entity, error] {
	return func(yield func(domains.Entity, error) bool) {
		depth := min(max(o.Depth, 0), deepest)
		g, err := f.around(ctx, from, depth, o.Read)
		if err != nil {
			yield(domains.Entity{}, err)
			return
		}
		seen := map[*entity]bool{}
		var layer []*entity
		for _, iri := range from {
			if n := g.nodes[valid(iri)]; n != nil && !seen[n.entity] {
				seen[n.entity] = true
				layer = append(layer, n.entity)
			}
		}
		for distance := 0; len(layer) > 0; distance++ {
			var next []*entity
			for _, e := range layer {
				if err := ctx.Err(); err != nil {
					yield(domains.Entity{}, err)
					return
				}
				described, leads := g.entity(e, max(o.Fanout, 1))
				described.Distance = distance
				if g.edge(distance) {
					doubtIncoming(described.Facts)
				}
				if !yield(described, nil) {
					return
				}
				for _, to := range leads {
					if distance < depth && !seen[to] {
						seen[to] = true
						next = append(next, to)
					}
				}
			}
			slices.SortFunc(next, func(a, b *entity) int { return cmp.Compare(a.iri, b.iri) })
			layer = next
		}
	}
}

// doubtIncoming admits that more entities may lead here.
func doubtIncoming(facts []domains.Fact) {
	for i := range facts {
		facts[i].AtLeast = facts[i].AtLeast || facts[i].Incoming
	}
}

// around is a picture that holds some entities and what is around them. Together with what
// read cost it asks no more often than one Find may.
func (f *facts) around(ctx context.Context, from []string, depth int, read domains.Reading) (*picture, error) {
	o, err := f.ontology(ctx)
	if err != nil {
		return nil, err
	}
	r := f.newReading(domains.Query{Depth: depth, After: read})
	var missing []string
	asked := map[string]bool{}
	before, _ := read.(*picture)
	for _, iri := range from {
		iri = valid(iri)
		if !before.holds(iri, depth) && !asked[iri] {
			asked[iri] = true
			missing = append(missing, iri)
		}
	}
	if before != nil && before.graph != nil {
		if len(missing) == 0 {
			return before, nil
		}
		for _, n := range before.order {
			r.triples = append(r.triples, n.triples...)
		}
	}
	for _, iri := range missing {
		text, ok := iriText(iri)
		if !ok {
			continue
		}
		if r.usedUp() {
			return nil, &domains.Error{Kind: domains.ErrLimit, Op: "walking", Domain: f.name,
				Message: "Too many entities to look each of them up by its URI in one call: ask for fewer."}
		}
		r.question(nil, text)
		if err := r.lookUp(ctx, iri); err != nil {
			return nil, err
		}
	}
	return &picture{graph: newGraph(o, r.triples), depth: r.depth, requests: r.requests, partial: r.stopped}, nil
}

// entity describes an entity; leads are the entities that its facts lead to.
func (g *graph) entity(e *entity, fanout int) (out domains.Entity, leads []*entity) {
	out = domains.Entity{IRI: e.iri, Types: slices.Clip(e.types), Schema: e.schema}
	for _, n := range e.nodes[1:] {
		out.Aliases = append(out.Aliases, n.iri)
	}
	for _, l := range e.labels {
		out.Labels = append(out.Labels, domains.Text{Value: l})
	}
	for _, n := range e.nodes {
		out.Triples += len(n.triples)
	}
	d := description{graph: g, entity: e, fanout: fanout}
	out.Facts = append(d.outgoing(), d.incoming()...)
	return out, d.leads
}

// description gathers the facts of an entity.
type description struct {
	graph  *graph
	entity *entity
	fanout int
	leads  []*entity
}

// values are those of one property: IRIs as they are shown, and texts, each once.
type values struct {
	iris, texts []string
	seen        map[string]bool // IRIs
}

func (v *values) addIRI(iri string) {
	if v.seen == nil {
		v.seen = map[string]bool{}
	}
	if !v.seen[iri] {
		v.seen[iri] = true
		v.iris = append(v.iris, iri)
	}
}

// outgoing are the facts that the entity is the subject of.
func (d *description) outgoing() []domains.Fact {
	found := map[string]*values{} // property → values
	for _, n := range d.entity.nodes {
		for _, t := range n.triples {
			if t.Predicate == rdf.RDFType || d.graph.isLabel(t) {
				continue
			}
			v := found[t.Predicate]
			if v == nil {
				v = &values{}
				found[t.Predicate] = v
			}
			if !d.graph.refers(t) {
				v.texts = append(v.texts, t.Object)
				continue
			}
			iri := t.Object
			if to := d.graph.nodes[iri]; to != nil {
				iri = to.entity.iri
			}
			if t.Predicate != rdf.OWLSameAs || iri != d.entity.iri {
				v.addIRI(iri)
			}
		}
	}
	return d.facts(found, false)
}

// incoming are the facts that the entity is the object of.
func (d *description) incoming() []domains.Fact {
	found := map[string]*values{}
	for _, in := range d.entity.incoming {
		if found[in.predicate] == nil {
			found[in.predicate] = &values{}
		}
		found[in.predicate].addIRI(in.from.iri)
	}
	return d.facts(found, true)
}

// facts orders values by property, IRIs before texts, and keeps the first of each.
func (d *description) facts(found map[string]*values, incoming bool) []domains.Fact {
	var out []domains.Fact
	for property, v := range found {
		slices.Sort(v.iris)
		slices.Sort(v.texts)
		v.texts = slices.Compact(v.texts)
		fact := domains.Fact{Property: property, Incoming: incoming, Total: len(v.iris) + len(v.texts)}
		for _, iri := range v.iris[:min(d.fanout, len(v.iris))] {
			ref := d.graph.ref(iri)
			fact.Values = append(fact.Values, domains.Value{Ref: &ref})
			if to := d.graph.nodes[iri]; to != nil && (d.entity.schema || !to.entity.schema) {
				d.leads = append(d.leads, to.entity)
			}
		}
		for _, text := range v.texts[:min(d.fanout-len(fact.Values), len(v.texts))] {
			fact.Values = append(fact.Values, domains.Value{Literal: rdf.NewString(text)})
		}
		if fact.Total > 0 {
			out = append(out, fact)
		}
	}
	slices.SortFunc(out, func(a, b domains.Fact) int { return cmp.Compare(a.Property, b.Property) })
	return out
}
