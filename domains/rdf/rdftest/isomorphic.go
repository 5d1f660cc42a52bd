package rdftest

import (
	"cmp"
	"hash/maphash"
	"slices"

	"github.com/ontogate/ontogate/domains/rdf"
)

// graph is a set of quads, prepared for comparison.
type graph struct {
	ground map[string]bool // quads without blank nodes, as text
	blank  []edge          // the others
	nodes  []string        // labels of blank nodes; their index is their number
	number map[string]int  // label → number
}

// edge is a quad that has blank nodes.
type edge struct {
	quad rdf.Quad
	// nodes are the numbers of its blank nodes, in their order in the quad.
	nodes []int
	// shape is the quad as text with its blank nodes made equal.
	shape string
}

func newGraph(quads []rdf.Quad) *graph {
	g := &graph{ground: make(map[string]bool), number: make(map[string]int)}
	seen := make(map[string]bool) // quads with blank nodes
	for _, q := range quads {
		e := edge{quad: q}
		same := func(label string) string {
			n, ok := g.number[label]
			if !ok {
				n = len(g.nodes)
				g.number[label] = n
				g.nodes = append(g.nodes, label)
			}
			e.nodes = append(e.nodes, n)
			return ""
		}
		equal := renamed(q, same)
		if key := line(q); len(e.nodes) == 0 {
			g.ground[key] = true
		} else if !seen[key] {
			seen[key] = true
			e.shape = line(equal)
			g.blank = append(g.blank, e)
		}
	}
	return g
}

func (g *graph) size() int { return len(g.ground) + len(g.blank) }

// renamed is a quad with other labels on its blank nodes.
func renamed(q rdf.Quad, label func(string) string) rdf.Quad {
	var term func(rdf.Term) rdf.Term
	term = func(t rdf.Term) rdf.Term {
		switch {
		case t.Kind == rdf.Blank:
			t.Value = label(t.Value)
		case t.Triple != nil:
			t.Triple = &rdf.Triple{
				Subject:   term(t.Triple.Subject),
				Predicate: term(t.Triple.Predicate),
				Object:    term(t.Triple.Object),
			}
		}
		return t
	}
	q.Subject, q.Predicate, q.Object, q.Graph = term(q.Subject), term(q.Predicate), term(q.Object), term(q.Graph)
	return q
}

// colours tells blank nodes apart: number → what is known of the node's
// surroundings. Nodes that a renaming could exchange have one colour.
type colours []uint64

// seed makes equal surroundings equal colours in both graphs.
var seed = maphash.MakeSeed()

// refine looks further into the surroundings until that tells no more nodes apart.
func (g *graph) refine(c colours) colours {
	for kinds := c.kinds(); ; {
		next := make(colours, len(c))
		for n := range next {
			next[n] = maphash.Comparable(seed, c[n])
		}
		for _, e := range g.blank {
			h := maphash.String(seed, e.shape)
			for _, n := range e.nodes {
				h = maphash.Comparable(seed, [2]uint64{h, c[n]})
			}
			for at, n := range e.nodes {
				next[n] += maphash.Comparable(seed, [2]uint64{h, uint64(at)})
			}
		}
		more := next.kinds()
		if c = next; more == kinds {
			return c
		}
		kinds = more
	}
}

// kinds counts the colours.
func (c colours) kinds() int {
	kinds := make(map[uint64]bool)
	for _, colour := range c {
		kinds[colour] = true
	}
	return len(kinds)
}

// classes are the nodes of each colour, smallest class first, then by colour.
func (c colours) classes() [][]int {
	nodes := make(map[uint64][]int)
	for n, colour := range c {
		nodes[colour] = append(nodes[colour], n)
	}
	out := make([][]int, 0, len(nodes))
	for _, class := range nodes {
		out = append(out, class)
	}
	slices.SortFunc(out, func(a, b []int) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(c[a[0]], c[b[0]]))
	})
	return out
}

func (g *graph) isomorphic(h *graph) bool {
	if len(g.blank) != len(h.blank) || len(g.nodes) != len(h.nodes) || len(g.ground) != len(h.ground) {
		return false
	}
	for key := range g.ground {
		if !h.ground[key] {
			return false
		}
	}
	return g.match(h, g.refine(make(colours, len(g.nodes))), h.refine(make(colours, len(h.nodes))))
}

// match looks for a renaming that keeps to the colours. Where several nodes have one
// colour it tries each partner for one of them, which fixes most of the others.
func (g *graph) match(h *graph, c, d colours) bool {
	mine, theirs := c.classes(), d.classes()
	if len(mine) != len(theirs) {
		return false
	}
	for i := range mine {
		if len(mine[i]) != len(theirs[i]) || c[mine[i][0]] != d[theirs[i][0]] {
			return false
		}
	}
	for i, class := range mine {
		if len(class) == 1 {
			continue
		}
		const chosen = 1
		first := slices.Clone(c)
		first[class[0]] = chosen
		first = g.refine(first)
		for _, partner := range theirs[i] {
			second := slices.Clone(d)
			second[partner] = chosen
			if g.match(h, first, h.refine(second)) {
				return true
			}
		}
		return false
	}
	return g.equal(h, mine, theirs)
}

// equal reports whether the graphs are equal when the nodes of the classes, one
// in each, are the same.
func (g *graph) equal(h *graph, mine, theirs [][]int) bool {
	label := make(map[string]string, len(mine)) // of g → of h
	for i := range mine {
		label[g.nodes[mine[i][0]]] = h.nodes[theirs[i][0]]
	}
	have := make(map[string]bool, len(h.blank))
	for _, e := range h.blank {
		have[line(e.quad)] = true
	}
	for _, e := range g.blank {
		if !have[line(renamed(e.quad, func(l string) string { return label[l] }))] {
			return false
		}
	}
	return true
}
