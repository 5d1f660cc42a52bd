package rdfgraph

import (
	"slices"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// merge yields the entities of several lists in the order of hits, each once. A
// list is read no further than is asked for.
type merge struct {
	c     *call
	heads []head // sorted by place, the next one last
	last  store.ID
}

type head struct {
	list  instanceList
	next  int // place in the list after id
	id    store.ID
	place uint64
}

// newMerge starts at the from-th entity of each list.
func newMerge(c *call, lists []instanceList, from int) *merge {
	m := &merge{c: c}
	for _, l := range lists {
		m.push(head{list: l, next: from})
	}
	return m
}

// push reads on in a list and puts it where its next entity belongs.
func (m *merge) push(h head) {
	if h.next >= h.list.len() {
		return
	}
	h.id = m.c.instance(h.list, h.next)
	h.place = m.c.hitPlace(h.id)
	h.next++
	i, _ := slices.BinarySearchFunc(m.heads, h.place, func(o head, place uint64) int {
		if o.place > place {
			return -1
		}
		return 1
	})
	m.heads = slices.Insert(m.heads, i, h)
}

// next is the next entity; ok is false at the end.
func (m *merge) next() (id store.ID, ok bool) {
	for len(m.heads) > 0 {
		h := m.heads[len(m.heads)-1]
		m.heads = m.heads[:len(m.heads)-1]
		id = h.id
		m.push(h)
		if id != m.last {
			m.last = id
			return id, true
		}
	}
	return 0, false
}
