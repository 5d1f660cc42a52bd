package rdfgraph

import (
	"context"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// graphConfig is what a graph is made of.
type graphConfig struct {
	Snapshot *store.Snapshot
	Ontology *domains.Ontology
	// Schema are the terms of the ontology, and the blank nodes that hang on them.
	Schema map[rdf.Term]bool
	// Labels are the domain's own label properties; they go before all others.
	Labels []string
	// Base begins the IRIs that are made for blank nodes.
	Base string
	// Progress is told how far newGraph is; nil is told nothing.
	Progress *reporter
	// Prepared is what was worked out of the same before; nil where nothing was.
	Prepared *prepared
}

// graph answers domains.Facts from a snapshot. All that depends on the whole
// graph (which IRIs are one entity, who has which type, the names) is worked out
// once, by newGraph. It is immutable.
type graph struct {
	s        *store.Snapshot
	ontology *domains.Ontology
	schema   map[store.ID]bool
	known    known
	labels   labelProperties
	skolem   skolem
	groups   groups
	inverses map[store.ID][]store.ID // property → its inverses
	depth    map[store.ID]int        // class → number of classes above it
	classes  map[store.ID]*instances
	// alone has for each class the list of its IRI alone, which nearly all entities share.
	alone map[store.ID][]string
	names *store.Names
	stats domains.Stats
	// combined are the entities by the classes that they have, where these combine in few
	// ways; otherwise nil.
	combined []combination
}

var _ domains.Facts = (*graph)(nil)

// known are the terms that rules name; 0 where the graph lacks the term.
type known struct{ rdfType, sameAs, first, rest, null store.ID }

// newGraph prepares a snapshot for questions. Its cost grows with the graph. The
// only error is that ctx ended, and then it returns soon.
func newGraph(ctx context.Context, c graphConfig) (*graph, error) {
	if c.Ontology == nil {
		c.Ontology = domains.NewOntology(domains.Ontology{})
	}
	id := func(iri string) store.ID { id, _ := c.Snapshot.LookupIRI(iri); return id }
	g := &graph{
		s: c.Snapshot, ontology: c.Ontology, schema: make(map[store.ID]bool, len(c.Schema)),
		known: known{id(rdf.RDFType), id(rdf.OWLSameAs), id(rdf.RDFFirst), id(rdf.RDFRest), id(rdf.RDFNil)},
	}
	for t, is := range c.Schema {
		if id, ok := c.Snapshot.Lookup(t); ok && is {
			g.schema[id] = true
		}
	}
	g.inverses = g.findInverses()
	g.labels = findLabelProperties(g.s, c.Labels)
	g.skolem = newSkolem(g.s, c.Base)
	loading := g.call(ctx, nil)
	defer loading.r.Done()
	if c.Prepared != nil {
		loading.measureClasses()
		c.Prepared.into(g)
		return g, ctx.Err()
	}
	loading.preparing = c.Progress.begin(Preparing, loading.steps())
	for _, stage := range []func(){
		loading.measureClasses,
		func() { g.groups = loading.findGroups() },
		loading.findInstances,
		func() { g.names = loading.indexNames() },
		func() { g.stats = loading.count() },
	} {
		stage()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	loading.preparing.end()
	return g, nil
}

// call is one question to a graph: what it reads through and what it was asked
// for. It is not for concurrent use.
type call struct {
	*graph
	ctx   context.Context
	r     *store.Reader
	langs []string
	room  room
	// preparing counts the steps of loading; nil otherwise.
	preparing *stage
}

// ended looks at the context now and then: at the first of 1,024 steps. What a
// stage of newGraph has made counts for nothing then.
func (c *call) ended(step int) bool { return step%1024 == 0 && c.ctx.Err() != nil }

func (g *graph) call(ctx context.Context, langs []string) *call {
	return &call{graph: g, ctx: ctx, r: g.s.Reader(), langs: langs}
}

// shown is the ID under which the entity of an ID is shown.
func (g *graph) shown(id store.ID) store.ID {
	if g.groups.has(id) {
		return g.groups.shown(id)
	}
	return id
}

// members are the IDs of an entity, the shown one first.
func (g *graph) members(shown store.ID) []store.ID { return g.membersIn(new([1]store.ID), shown) }

// membersIn is members where a list of one, which is nearly every, is in memory of the
// caller.
func (g *graph) membersIn(one *[1]store.ID, shown store.ID) []store.ID {
	if g.groups.has(shown) {
		if m := g.groups.members(shown); m[0] == shown {
			return m
		}
	}
	one[0] = shown
	return one[:]
}

// iri is the IRI that an IRI or blank node is shown with.
func (g *graph) iri(id store.ID) string {
	if g.s.Kind(id) == rdf.Blank {
		return g.skolem.iri(g.s.Text(id))
	}
	return g.s.Text(id)
}

// resolve finds the entity that has an IRI.
func (g *graph) resolve(iri string) (shown store.ID, ok bool) {
	if id, ok := g.s.LookupIRI(iri); ok {
		return g.shown(id), true
	}
	if label, ok := g.skolem.label(iri); ok {
		return g.s.Lookup(rdf.NewBlank(label))
	}
	return 0, false
}

// place orders entities by the IRI that they are shown with. It compares as the
// IRIs do, but is a number: all IRIs of blank nodes lie between two other IRIs.
func (g *graph) place(id store.ID) uint64 {
	if g.s.Kind(id) == rdf.Blank {
		return uint64(g.skolem.after)<<32 | uint64(id)
	}
	return uint64(id) << 32
}

// schemaPlace is the bit of a place that hitPlace sets for schema terms.
const schemaPlace = 1 << 63

// hitPlace is place with the schema terms last.
func (g *graph) hitPlace(id store.ID) uint64 {
	if g.schema[id] {
		return g.place(id) | schemaPlace
	}
	return g.place(id)
}

// idAt is the ID whose place or hitPlace is given.
func idAt(place uint64) store.ID {
	if id := store.ID(place); id != 0 { // a blank node
		return id
	}
	return store.ID(place &^ schemaPlace >> 32)
}

// isEntity says whether an IRI or blank node is described as an entity: it has
// facts, or at least two facts lead to it. What is mentioned once and never
// described, such as a web address, is only a value.
func (c *call) isEntity(shown store.ID) bool {
	incoming := 0
	for _, m := range c.members(shown) {
		if c.schema[m] || c.r.Rows(m, 0, 0).Len() > 0 {
			return true
		}
		incoming += c.r.Rows(0, 0, m).Len()
	}
	return incoming > 1 && !owl.IsMeta(c.s.Text(shown))
}

// isSubject says whether an entity is the subject of triples.
func (c *call) isSubject(shown store.ID) bool {
	for _, m := range c.members(shown) {
		if c.r.Rows(m, 0, 0).Len() > 0 {
			return true
		}
	}
	return false
}

// ref mentions an entity.
func (c *call) ref(shown store.ID) domains.Ref {
	ref := domains.Ref{IRI: c.iri(shown), Types: c.types(shown)}
	var few [4]domains.Text
	if t, ok := domains.ChooseText(c.appendLabels(few[:0], shown), c.langs); ok {
		ref.Label = t.Value
	}
	return ref
}
