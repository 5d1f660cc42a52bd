package rdfgraph

import (
	"sync/atomic"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// blockLen is how many steps of loading a goroutine takes at a time, and after how many
// the context is looked at.
const blockLen = 1_024

// spread takes the steps from 0 to before n in blocks, on all processors. Each goroutine
// calls begin once, with a call of its own, and what that returns for each block that it
// takes; the blocks of one come in order. Where there are few steps, the caller's goroutine
// takes them all. When the context ends, the rest is left out.
func (c *call) spread(n int, begin func(own *call) (block func(from, to int))) {
	c.spreadBy(n, blockLen, begin)
}

// spreadBy is spread with blocks of another length, for steps that take long.
func (c *call) spreadBy(n, length int, begin func(own *call) (block func(from, to int))) {
	var taken atomic.Int64
	work := func(own *call) {
		block := begin(own)
		for {
			to := int(taken.Add(int64(length)))
			from := to - length
			if from >= n || own.ctx.Err() != nil {
				return
			}
			block(from, min(to, n))
			own.preparing.add(int64(min(to, n) - from))
		}
	}
	workers := store.Workers(n, 2*length)
	if workers == 1 {
		work(c)
		return
	}
	store.Parallel(workers, func(int) {
		own := c.graph.call(c.ctx, c.langs)
		defer own.r.Done()
		own.preparing = c.preparing
		work(own)
	})
}

// steps is about how many steps the stages of loading take: all IRIs are joined, the types
// are gone through, and all that may be an entity is named and counted. That names are
// sorted takes as long as finding them.
func (c *call) steps() int64 {
	types := 0
	if c.known.rdfType != 0 {
		types = c.r.Rows(0, c.known.rdfType, 0).Len()
	}
	return int64(c.s.FirstBlank()) + int64(types) + 3*int64(c.s.FirstLiteral())
}
