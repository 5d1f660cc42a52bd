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
	said := newUnion()
	for _, n := range g.order {
		for _, t := range n.triples {
			if other := g.nodes[t.Object]; t.Predicate == rdf.OWLSameAs && other != nil {
				said.join(n, other)
			}
		}
	}
	var pairs [][2]*node
	names := g.classNames()
	for _, n := range g.order {
		pairs = append(pairs, g.alike(n, names)...)
	}
	all := said.clone()
	for _, p := range g.agreeing(said, unambiguous(said, pairs)) {
		all.join(p[0], p[1])
	}
	members := map[*node][]*node{} // root → nodes by IRI
	for _, n := range g.order {
		root := all.root(n)
		members[root] = append(members[root], n)
	}
	for _, n := range g.order {
		if all.root(n) == n {
			g.entities = append(g.entities, newEntity(members[n]))
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
func (g *graph) alike(n *node, names domains.ClassNames) [][2]*node {
	if len(n.iri) > longestJoined || strings.Count(n.iri, "/")+strings.Count(n.iri, "#") > mostSegments || len(n.types) > mostTypes {
		return nil
	}
	var out [][2]*node
	for _, short := range domains.Shortenings(n.iri, names) {
		other := g.nodes[short]
		if other == nil || len(other.types) > mostTypes || g.isSchema(n.iri) || g.isSchema(short) {
			continue
		}
		a, b := domains.Identity{IRI: n.iri, Types: n.types}, domains.Identity{IRI: short, Types: other.types}
		if domains.SameEntity(a, b, g.ontology) {
			out = append(out, [2]*node{n, other})
		}
	}
	return out
}

// unambiguous drops the pairs of every node that has several partners which are not
// said to be one.
func unambiguous(said *union, pairs [][2]*node) [][2]*node {
	partner, torn := map[*node]*node{}, map[*node]bool{} // partner: node → root of its partner
	for _, p := range pairs {
		for i, n := range p {
			root := said.root(p[1-i])
			if before, ok := partner[n]; ok && before != root {
				torn[n] = true
			}
			partner[n] = root
		}
	}
	return slices.DeleteFunc(pairs, func(p [2]*node) bool { return torn[p[0]] || torn[p[1]] })
}

// agreeing drops the pairs that would put entities with conflicting types, or very
// many, into one.
func (g *graph) agreeing(said *union, pairs [][2]*node) [][2]*node {
	all := said.clone()
	for _, p := range pairs {
		all.join(p[0], p[1])
	}
	parts := map[*node][]*node{} // root → nodes that pairs brought to it
	added := map[*node]bool{}
	for _, p := range pairs {
		for _, n := range p {
			if root := all.root(n); !added[n] && len(parts[root]) <= mostJoined {
				added[n] = true
				parts[root] = append(parts[root], n)
			}
		}
	}
	torn := map[*node]bool{}
	for root, nodes := range parts {
		torn[root] = len(nodes) > 2 && g.conflict(nodes)
	}
	return slices.DeleteFunc(pairs, func(p [2]*node) bool { return torn[all.root(p[0])] })
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

// union joins nodes into sets; a node that was never joined is a set of its own.
type union struct{ up map[*node]*node }

func newUnion() *union { return &union{map[*node]*node{}} }

func (u *union) clone() *union {
	out := newUnion()
	for n, up := range u.up {
		out.up[n] = up
	}
	return out
}

// root is the node of a set that comes first by IRI.
func (u *union) root(n *node) *node {
	root := n
	for up, ok := u.up[root]; ok && up != root; up, ok = u.up[root] {
		root = up
	}
	for n != root {
		n, u.up[n] = u.up[n], root
	}
	return root
}

func (u *union) join(a, b *node) {
	a, b = u.root(a), u.root(b)
	if a.iri > b.iri {
		a, b = b, a
	}
	u.up[b], u.up[a] = a, a
}
