package rdfgraph

import (
	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// WorkOf is what all answers about a domain have cost so far, for tests and measurements
// that count work: the difference of two is the cost of what ended in between. ok is false
// for a domain without a graph of this package. It may be called concurrently.
func WorkOf(d *domains.Domain) (w store.Work, ok bool) {
	g, ok := d.Facts.(*graph)
	if !ok {
		return store.Work{}, false
	}
	return g.s.Work(), true
}
