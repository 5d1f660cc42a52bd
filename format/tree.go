package format

import (
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// node is a class at its place in the tree of classes.
type node struct {
	class *domains.Class
	// parent is the index of the node above, -1 at the top; depth counts from 0.
	parent, depth int
	// children are the indexes of the nodes below; below counts all of them.
	children []int
	below    int
	// also are the super-classes under which the class is not shown.
	also []string
}

// tree is the classes of an ontology, each once, a class before those below it
// and siblings by IRI. A class with several super-classes stands under the one that
// comes first; a cycle begins at its first IRI.
type tree []node

func newTree(o *domains.Ontology) tree {
	var t tree
	seen := map[string]bool{} // class IRI
	var grow func(c *domains.Class, parent, depth int) int
	grow = func(c *domains.Class, parent, depth int) int {
		seen[c.IRI] = true
		i := len(t)
		t = append(t, node{class: c, parent: parent, depth: depth})
		for _, s := range supers(o, c) {
			if parent < 0 || s != t[parent].class.IRI {
				t[i].also = append(t[i].also, s)
			}
		}
		for _, iri := range o.SubClasses(c.IRI) {
			if sub := o.Class(iri); sub != nil && !seen[iri] && !domains.SaysNothing(c.IRI) {
				child := grow(sub, i, depth+1)
				t[i].children = append(t[i].children, child)
				t[i].below += 1 + t[child].below
			}
		}
		return i
	}
	for _, rootsOnly := range []bool{true, false} {
		for i := range o.Classes {
			c := &o.Classes[i]
			if !seen[c.IRI] && (!rootsOnly || len(supers(o, c)) == 0) {
				grow(c, -1, 0)
			}
		}
	}
	return t
}

// supers are the super-classes of a class that a tree shows: those that say
// something.
func supers(o *domains.Ontology, c *domains.Class) []string {
	return slices.DeleteFunc(slices.Clone(c.Supers), func(s string) bool {
		return s == c.IRI || domains.SaysNothing(s) || o.Class(s) == nil
	})
}

// path is the classes above a node, from the top.
func (t tree) path(i int) []string {
	var up []string
	for p := t[i].parent; p >= 0; p = t[p].parent {
		up = append(up, t[p].class.IRI)
	}
	slices.Reverse(up)
	return up
}

// outline chooses the top of a tree: level by level the children of a class, all
// or none, as long as the lines of the chosen have room. Of the classes at the top
// as many are taken as fit. line is the size of a node's line.
func (t tree) outline(room int, line func(i int) int) map[int]bool {
	chosen := map[int]bool{}
	var queue []int
	for i := range t {
		if t[i].parent < 0 && line(i) <= room {
			room -= line(i)
			chosen[i] = true
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		children := t[queue[0]].children
		queue = queue[1:]
		need := 0
		for _, c := range children {
			need += line(c)
		}
		if need > room {
			continue
		}
		room -= need
		for _, c := range children {
			chosen[c] = true
		}
		queue = append(queue, children...)
	}
	return chosen
}
