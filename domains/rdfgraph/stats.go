package rdfgraph

import (
	"cmp"
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// Stats implements domains.Facts. It counts the facts: triples whose subject is a
// schema term are left out of every number. An entity with several IRIs counts once
// as an entity and as an instance of its classes; triples are counted as they are
// written. All is known since newGraph.
func (g *graph) Stats(context.Context) (*domains.Stats, error) {
	out := g.stats
	out.Types = slices.Clone(out.Types)
	out.Properties = slices.Clone(out.Properties)
	return &out, nil
}

// tally counts triples, and those of them whose object is a literal.
type tally struct{ all, literals int }

func (t tally) links() int { return t.all - t.literals }

// count works the numbers out: what the indexes say of the whole graph, less what
// they say of the schema terms.
func (c *call) count() domains.Stats {
	g, r := c.graph, c.r
	out := domains.Stats{Triples: g.s.Len(), Subjects: g.s.Subjects(), Entities: c.countEntities()}
	ofSchema := map[store.ID]tally{} // predicate → triples about schema terms
	for id := range g.schema {
		rows := r.Rows(id, 0, 0)
		if rows.Len() == 0 {
			continue
		}
		out.Subjects--
		out.Triples -= rows.Len()
		for run, rest := rows.Run(); run.Len() > 0; run, rest = rest.Run() {
			_, literals := run.Split(g.s.FirstLiteral())
			t := ofSchema[run.Second()]
			ofSchema[run.Second()] = tally{t.all + run.Len(), t.literals + literals.Len()}
		}
	}
	for _, p := range g.s.PredicateIDs() {
		rows, schema := r.Rows(0, p, 0), ofSchema[p]
		n := tally{rows.Len() - schema.all, g.literalRows(rows) - schema.literals}
		if n.all == 0 {
			continue
		}
		out.Predicates++
		out.Properties = append(out.Properties, domains.Count{IRI: g.s.Text(p), Count: n.all})
		switch {
		case p == g.known.rdfType:
			out.TypeAssertions = n.all
		case g.labels.is[p]:
			out.Labels += n.literals
			out.Relationships += n.links()
		default:
			out.Attributes += n.literals
			out.Relationships += n.links()
		}
	}
	out.Types = c.countTypes()
	largestFirst(out.Types)
	largestFirst(out.Properties)
	return out
}

// literalRows counts the rows of a predicate that have a literal: those come last.
func (g *graph) literalRows(rows store.Rows) int {
	return rows.Len() - rows.BelowSecond(g.s.FirstLiteral())
}

// countEntities counts the subjects that are no schema terms, each group once. A
// blank node without a class that is shown inside its owner is no entity of its own:
// an address, the cell of a list.
func (c *call) countEntities() int {
	var n atomic.Int64
	c.spread(int(c.s.FirstLiteral())-1, func(own *call) func(from, to int) {
		return func(from, to int) {
			for id := store.ID(from + 1); id <= store.ID(to); id++ {
				if own.schema[id] || own.shown(id) != id || !own.isSubject(id) {
					continue
				}
				if !own.nestable(id) || len(own.classesOf(id)) > 0 {
					n.Add(1)
				}
			}
		}
	})
	return int(n.Load())
}

// countTypes counts the instances of the classes in use, and for those that have
// classes below them in use, the entities of all of these.
func (c *call) countTypes() []domains.Count {
	var out []domains.Count
	g, below := c.graph, c.countBelow()
	for class, in := range g.classes {
		iri := g.s.Text(class)
		if in.facts == 0 || domains.SaysNothing(iri) {
			continue
		}
		n := domains.Count{IRI: iri, Count: in.facts}
		if below[iri] > in.facts {
			n.Below = below[iri]
		}
		delete(below, iri)
		out = append(out, n)
	}
	for iri, n := range below { // what is left has no instances of its own
		if g.ontology.Class(iri) != nil && !domains.SaysNothing(iri) {
			out = append(out, domains.Count{IRI: iri, Below: n})
		}
	}
	return out
}

// combination is how many entities have exactly certain classes.
type combination struct {
	classes []store.ID
	n       int
}

// countBelow counts the entities of each class and the classes below it, each once.
func (c *call) countBelow() map[string]int {
	alone, mixed := c.combinations()
	c.combined = c.keepCombinations(alone, mixed)
	below := countUp(c.ontology, alone)
	for _, m := range mixed {
		above := map[string]bool{}
		for _, class := range c.texts(m.classes) {
			for _, super := range c.ontology.WithSuperClasses(class) {
				above[super] = true
			}
		}
		for class := range above {
			below[class] += m.n
		}
	}
	return below
}

// mostCombinations is in how many ways classes may be combined that are kept to count by.
const mostCombinations = 10_000

// keepCombinations are the entities by the classes that they have; nil where these
// combine in too many ways.
func (c *call) keepCombinations(alone map[string]int, mixed map[string]*combination) []combination {
	if len(alone)+len(mixed) > mostCombinations {
		return nil
	}
	out := make([]combination, 0, len(alone)+len(mixed))
	for iri, n := range alone {
		if id, ok := c.s.LookupIRI(iri); ok {
			out = append(out, combination{[]store.ID{id}, n})
		}
	}
	for _, m := range mixed {
		out = append(out, *m)
	}
	slices.SortFunc(out, func(a, b combination) int { return slices.Compare(a.classes, b.classes) })
	return out
}

// combinations counts the entities by the classes that they have. Most have one
// class, and these are not read; mixed are the others.
func (c *call) combinations() (alone map[string]int, mixed map[string]*combination) {
	alone = map[string]int{}          // class IRI → entities
	mixed = map[string]*combination{} // classes, written as text → entities
	first := firstClasses{known: map[store.ID]store.ID{}}
	for class, in := range c.classes {
		if c.ended(0) {
			return nil, nil
		}
		if in.facts == 0 || domains.SaysNothing(c.s.Text(class)) {
			continue
		}
		if !in.shared {
			alone[c.s.Text(class)] = in.facts
			continue
		}
		for _, found := range c.combinationsOf(class, in.facts, &first) {
			for key, m := range found {
				if mixed[key] == nil {
					mixed[key] = &combination{classes: m.classes}
				}
				mixed[key].n += m.n
			}
		}
	}
	return alone, mixed
}

// combinationsOf counts those of the first n instances of a class of which it is the first
// class, in several parts.
func (c *call) combinationsOf(class store.ID, n int, first *firstClasses) []map[string]*combination {
	var parts []map[string]*combination
	var adding sync.Mutex // guards parts
	c.spread(n, func(own *call) func(from, to int) {
		found := map[string]*combination{}
		adding.Lock()
		defer adding.Unlock()
		parts = append(parts, found)
		list := own.instances(class)
		var classes []store.ID
		var key []byte
		return func(from, to int) {
			for i := from; i < to; i++ {
				id := own.instance(list, i)
				if first.of(own, id) != class {
					continue // counted there
				}
				if own.groups.has(id) {
					classes = own.classesOf(id)
				} else {
					classes = own.appendClasses(classes[:0], id)
				}
				key = key[:0]
				for _, id := range classes {
					key = binary.LittleEndian.AppendUint32(key, uint32(id))
				}
				if found[string(key)] == nil {
					found[string(key)] = &combination{classes: slices.Clone(classes)}
				}
				found[string(key)].n++
			}
		}
	})
	return parts
}

// firstClasses finds the first of classesOf an entity. It reads no more than it must, so
// that an entity of many classes does not cost their square; of entities of several IRIs it
// keeps what it finds. It may be used concurrently.
type firstClasses struct {
	mu    sync.Mutex
	known map[store.ID]store.ID // entity of several IRIs → first class
}

func (f *firstClasses) of(c *call, id store.ID) store.ID {
	if !c.groups.has(id) {
		rows := c.r.Rows(id, c.known.rdfType, 0)
		for i := range rows.Len() {
			if class := rows.Third(i); !domains.SaysNothing(c.s.Text(class)) {
				return class
			}
		}
		return 0
	}
	f.mu.Lock()
	class, ok := f.known[id]
	f.mu.Unlock()
	if !ok {
		if classes := c.classesOf(id); len(classes) > 0 {
			class = classes[0]
		}
		f.mu.Lock()
		f.known[id] = class
		f.mu.Unlock()
	}
	return class
}

// countUp adds the entities of each class to all classes above it. As long as a
// class has one class above it, all that it counts is handed up at once: long chains
// cost no more than short ones. Where the ways part they may meet again, so from
// there each class above is looked for.
func countUp(o *domains.Ontology, entities map[string]int) map[string]int {
	depth := depths(o)
	below, handed := map[string]int{}, maps.Clone(entities)
	order := slices.Collect(maps.Keys(entities))
	for iri := range depth {
		if _, has := entities[iri]; !has {
			order = append(order, iri)
		}
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Compare(depth[b], depth[a]) })
	for _, iri := range order {
		n := handed[iri]
		if n == 0 {
			continue
		}
		below[iri] += n
		class := o.Class(iri)
		if class != nil && len(class.Supers) == 1 && depth[class.Supers[0]] < depth[iri] {
			handed[class.Supers[0]] += n
			continue
		}
		for _, super := range o.WithSuperClasses(iri)[1:] {
			below[super] += n
		}
	}
	return below
}

func largestFirst(counts []domains.Count) {
	slices.SortFunc(counts, func(a, b domains.Count) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.IRI, b.IRI))
	})
}
