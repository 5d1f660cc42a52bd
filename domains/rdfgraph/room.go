package rdfgraph

import (
	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// room gives out memory for what descriptions are made of: most lists have one or two
// entries, and so many share what is allocated at once. Nothing comes back, and what was
// given out belongs to who got it. The zero value is ready.
type room struct {
	ids    []store.ID
	values []domains.Value
	refs   []domains.Ref
	rows   []store.Rows
}

const (
	// fewIDs and fewOf are the longest lists that share memory, moreIDs and moreOf how
	// much is allocated at once.
	fewIDs, moreIDs = 8, 64
	fewOf, moreOf   = 2, 6
)

// idList is an empty list with room for n.
func (r *room) idList(n int) []store.ID { return carve(&r.ids, n, fewIDs, moreIDs) }

// valueList is an empty list with room for n.
func (r *room) valueList(n int) []domains.Value { return carve(&r.values, n, fewOf, moreOf) }

// one is a list of one Rows.
func (r *room) one(rows store.Rows) []store.Rows {
	return append(carve(&r.rows, 1, fewOf, moreOf), rows)
}

// ref is a Ref of its own.
func (r *room) ref(ref domains.Ref) *domains.Ref {
	one := append(carve(&r.refs, 1, fewOf, moreOf), ref)
	return &one[0]
}

// carve takes room for n out of what is left of a list, which is replaced when it has too
// little.
func carve[T any](left *[]T, n, few, more int) []T {
	if n > few {
		return make([]T, 0, n)
	}
	if cap(*left) < n {
		*left = make([]T, 0, more)
	}
	out := (*left)[:0:n]
	*left = (*left)[n:n:cap(*left)]
	return out
}
