package rdfgraph

import "github.com/ontogate/ontogate/domains"

// depths gives each class the length of the longest way up from it, so that a class
// is deeper than any above it. Classes that are above each other are equally deep.
// Every class and every link is looked at once, however long the ways are.
func depths(o *domains.Ontology) map[string]int {
	number := map[string]int{}
	var l ladder
	add := func(iri string) int {
		n, ok := number[iri]
		if !ok {
			n = len(l.above)
			number[iri] = n
			l.above = append(l.above, nil)
		}
		return n
	}
	for _, class := range o.Classes {
		n := add(class.IRI)
		for _, super := range class.Supers {
			l.above[n] = append(l.above[n], add(super))
		}
	}
	l.measure()
	out := make(map[string]int, len(number))
	for iri, n := range number {
		out[iri] = l.depth[n]
	}
	return out
}

// ladder measures how deep the nodes of a graph are, by Tarjan's algorithm for
// strongly connected components with a stack of its own: chains may be longer than
// calls may be nested.
type ladder struct {
	above [][]int // node → those directly above
	depth []int
	// order numbers the nodes as they are met, from 1; low is the lowest of those
	// that a node reaches within its component.
	order, low []int
	met        int
	open       []int // nodes whose component is not complete
	isOpen     []bool
}

func (l *ladder) measure() {
	n := len(l.above)
	l.depth, l.order, l.low, l.isOpen = make([]int, n), make([]int, n), make([]int, n), make([]bool, n)
	for node := range n {
		if l.order[node] == 0 {
			l.climb(node)
		}
	}
}

// climb measures a node and all above it.
func (l *ladder) climb(start int) {
	type step struct{ node, next int }
	way := []step{{l.meet(start), 0}}
	for len(way) > 0 {
		s := &way[len(way)-1]
		if s.next < len(l.above[s.node]) {
			up := l.above[s.node][s.next]
			s.next++
			switch {
			case l.order[up] == 0:
				way = append(way, step{l.meet(up), 0})
			case l.isOpen[up]:
				l.low[s.node] = min(l.low[s.node], l.order[up])
			}
			continue
		}
		if l.low[s.node] == l.order[s.node] {
			l.complete(s.node)
		}
		low := l.low[s.node]
		if way = way[:len(way)-1]; len(way) > 0 {
			below := way[len(way)-1].node
			l.low[below] = min(l.low[below], low)
		}
	}
}

func (l *ladder) meet(node int) int {
	l.met++
	l.order[node], l.low[node] = l.met, l.met
	l.open, l.isOpen[node] = append(l.open, node), true
	return node
}

// complete takes the component that ends with a node from the open ones. All
// components above it are complete.
func (l *ladder) complete(node int) {
	first := len(l.open) - 1
	for l.open[first] != node {
		first--
	}
	depth := 0
	for _, n := range l.open[first:] {
		for _, up := range l.above[n] {
			if !l.isOpen[up] {
				depth = max(depth, l.depth[up]+1)
			}
		}
	}
	for _, n := range l.open[first:] {
		l.depth[n], l.isOpen[n] = depth, false
	}
	l.open = l.open[:first]
}
