package rdfgraph

import (
	"cmp"
	"container/heap"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// merge yields the entities of several lists in the order of hits, each once. A
// list is read no further than is asked for.
type merge struct {
	c     *call
	heads heads
	last  store.ID
}

// head is the next entity of a list.
type head struct {
	list  instanceList
	next  int // place in the list after id
	id    store.ID
	place uint64
}

// read reads on in the list; false means that it is at its end.
func (h *head) read(c *call) bool {
	if h.next >= h.list.len() {
		return false
	}
	h.id = c.instance(h.list, h.next)
	h.place = c.hitPlace(h.id)
	h.next++
	return true
}

// newMerge starts at the from-th entity of each list.
func newMerge(c *call, lists []instanceList, from int) (*merge, error) {
	m := &merge{c: c, heads: heads{r: c.r}}
	for i, l := range lists {
		if c.ended(i) {
			return nil, c.ctx.Err()
		}
		if h := (head{list: l, next: from}); h.read(c) {
			m.heads.list = append(m.heads.list, h)
		}
	}
	heap.Init(&m.heads)
	return m, nil
}

// next is the next entity; ok is false at the end.
func (m *merge) next() (id store.ID, ok bool) {
	for m.heads.Len() > 0 {
		h := &m.heads.list[0]
		id = h.id
		if h.read(m.c) {
			heap.Fix(&m.heads, 0)
		} else {
			heap.Pop(&m.heads)
		}
		if id != m.last {
			m.last = id
			return id, true
		}
	}
	return 0, false
}

// heads is a heap of heads, the next one first.
type heads struct {
	r    *store.Reader
	list []head
}

func (h *heads) Len() int           { return len(h.list) }
func (h *heads) Less(i, j int) bool { return cmp.Less(h.list[i].place, h.list[j].place) }
func (h *heads) Push(x any)         { h.list = append(h.list, x.(head)) }

func (h *heads) Swap(i, j int) {
	h.r.Move()
	h.list[i], h.list[j] = h.list[j], h.list[i]
}

func (h *heads) Pop() any {
	last := len(h.list) - 1
	out := h.list[last]
	h.list = h.list[:last]
	return out
}
