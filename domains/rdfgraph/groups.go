package rdfgraph

import (
	"math/bits"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// groups are the entities that have more than one IRI. The first field says it all; the
// others follow from it and are there to find an IRI in a few steps:
//
//	sets     of each entity its IRIs
//	joined   a bit for each ID, as far as the last that is in sets
//	before   word of joined → how many bits are set before it
//	entity   IRI, counted among those that are in joined → number of its set
//	moved    the IRIs that are shown with another
type groups struct {
	// sets are in the order of their first IRI, with which the entity is shown; the others
	// of a set follow in order. No IRI is in two sets.
	sets   lists
	joined []uint64
	before []uint32
	entity []uint32
	// moved are in the order of the IRIs that they are shown with, and then their own.
	moved []store.ID
}

// lists are many lists of IDs in one piece of memory, counted from 0: list i is
// all[start[i]:start[i+1]], and start ends with the length of all. No lists at all
// may have no start either.
type lists struct {
	start []uint32
	all   []store.ID
}

func (l *lists) len() int             { return max(len(l.start)-1, 0) }
func (l *lists) at(i int) []store.ID  { return l.all[l.start[i]:l.start[i+1]:l.start[i+1]] }
func (l *lists) first(i int) store.ID { return l.all[l.start[i]] }

// newGroups works out what follows from the sets, each of which has two IRIs at least.
func newGroups(sets lists) groups {
	g := groups{sets: sets}
	last := store.ID(0)
	for _, id := range sets.all {
		last = max(last, id)
	}
	if last == 0 {
		return g
	}
	g.joined = make([]uint64, last/64+1)
	g.before = make([]uint32, len(g.joined))
	for _, id := range sets.all {
		g.joined[id/64] |= 1 << (id % 64)
	}
	for i := range len(g.joined) - 1 {
		g.before[i+1] = g.before[i] + uint32(bits.OnesCount64(g.joined[i]))
	}
	g.entity = make([]uint32, len(sets.all))
	g.moved = make([]store.ID, 0, len(sets.all)-sets.len())
	for i := range sets.len() {
		members := sets.at(i)
		for _, id := range members {
			g.entity[g.place(id)] = uint32(i)
		}
		g.moved = append(g.moved, members[1:]...)
	}
	return g
}

// has says whether an IRI is one of several of its entity.
func (g *groups) has(id store.ID) bool {
	word := int(id / 64)
	return word < len(g.joined) && g.joined[word]&(1<<(id%64)) != 0
}

// place counts the IRIs of all sets that are before one of them.
func (g *groups) place(id store.ID) int {
	below := g.joined[id/64] & (1<<(id%64) - 1)
	return int(g.before[id/64]) + bits.OnesCount64(below)
}

// shown is the IRI that one of several is shown with.
func (g *groups) shown(id store.ID) store.ID { return g.sets.first(int(g.entity[g.place(id)])) }

// members are all IRIs of the entity of one of several, the shown one first.
func (g *groups) members(id store.ID) []store.ID { return g.sets.at(int(g.entity[g.place(id)])) }
