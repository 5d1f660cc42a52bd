package ontobricks

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// Bounds on the IRIs and entities that are looked at when IRIs are joined; what is
// beyond stays apart.
const (
	longestJoined = 2_048 // bytes of an IRI that is joined by its segments
	mostSegments  = 64    // of it
	mostTypes     = 64    // of an entity: all pairs are compared
	mostJoined    = 32    // entities that their IRIs join into one
)

// join makes entities of the nodes: those that owl:sameAs joins, and those that
// domains.SameEntity takes for one by their IRIs. An IRI that would join entities
// which are not the same joins neither.
func (g *graph) join() {
	said := domains.NewUnion[string]()
	for _, n := range g.order {
		for _, t := range n.triples {
			if other := g.nodes[t.Object]; t.Predicate == rdf.OWLSameAs && other != nil {
				said.Join(n.iri, other.iri)
			}
		}
	}
	var pairs [][2]string
	names := g.classNames()
	for _, n := range g.order {
		pairs = append(pairs, g.alike(n, names)...)
	}
	all := said.Clone()
	for _, p := range g.agreeing(said, domains.Unambiguous(said, pairs)) {
		all.Join(p[0], p[1])
	}
	members := map[string][]*node{} // root → nodes by IRI
	for _, n := range g.order {
		root := all.Root(n.iri)
		members[root] = append(members[root], n)
	}
	for _, n := range g.order {
		if all.Root(n.iri) == n.iri {
			g.entities = append(g.entities, newEntity(members[n.iri]))
		}
	}
	slices.SortFunc(g.entities, func(a, b *entity) int { return cmp.Compare(a.iri, b.iri) })
}

// newEntity shows the node with most facts, then the longer IRI, then the first.
func newEntity(nodes []*node) *entity {
	shown := slices.MinFunc(nodes, func(a, b *node) int {
		return cmp.Or(cmp.Compare(len(b.triples), len(a.triples)), cmp.Compare(len(b.iri), len(a.iri)), cmp.Compare(a.iri, b.iri))
	})
	e := &entity{iri: shown.iri, nodes: []*node{shown}}
	for _, n := range nodes {
		n.entity = e
		if n != shown {
			e.nodes = append(e.nodes, n)
		}
	}
	return e
}

// alike finds the nodes whose IRIs are that of a node without a class in it.
func (g *graph) alike(n *node, names domains.ClassNames) [][2]string {
	if len(n.iri) > longestJoined || strings.Count(n.iri, "/")+strings.Count(n.iri, "#") > mostSegments || len(n.types) > mostTypes {
		return nil
	}
	var out [][2]string
	for _, short := range domains.Shortenings(n.iri, names) {
		other := g.nodes[short]
		if other == nil || len(other.types) > mostTypes || g.isSchema(n.iri) || g.isSchema(short) {
			continue
		}
		a, b := domains.Identity{IRI: n.iri, Types: n.types}, domains.Identity{IRI: short, Types: other.types}
		if domains.SameEntity(a, b, g.ontology) {
			out = append(out, [2]string{n.iri, other.iri})
		}
	}
	return out
}

// agreeing drops the pairs that would put entities with conflicting types, or very
// many, into one.
func (g *graph) agreeing(said *domains.Union[string], pairs [][2]string) [][2]string {
	all := said.Clone()
	for _, p := range pairs {
		all.Join(p[0], p[1])
	}
	parts := map[string][]*node{} // root → nodes that pairs brought to it
	added := map[string]bool{}
	for _, p := range pairs {
		for _, iri := range p {
			if root := all.Root(iri); !added[iri] && len(parts[root]) <= mostJoined {
				added[iri] = true
				parts[root] = append(parts[root], g.nodes[iri])
			}
		}
	}
	torn := map[string]bool{}
	for root, nodes := range parts {
		torn[root] = len(nodes) > 2 && g.conflict(nodes)
	}
	return slices.DeleteFunc(pairs, func(p [2]string) bool { return torn[all.Root(p[0])] })
}

func (g *graph) conflict(nodes []*node) bool {
	if len(nodes) > mostJoined {
		return true
	}
	for i, n := range nodes {
		for _, before := range nodes[:i] {
			if domains.TypesConflict(before.types, n.types, g.ontology) {
				return true
			}
		}
	}
	return false
}
