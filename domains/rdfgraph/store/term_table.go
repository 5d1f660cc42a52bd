package store

import (
	"hash/maphash"
	"strings"
	"sync"
)

// termTable numbers distinct texts of several sorts, for several goroutines. It is cut
// into shards by hash, so that they seldom wait for each other.
type termTable struct {
	seed   maphash.Seed
	shards []shard
}

const (
	shardBits = 6
	// arenaLeast and arenaMost are sizes in bytes of the pieces of memory that texts
	// are copied into: small graphs are kept small.
	arenaLeast = 1 << 9
	arenaMost  = 1 << 16
)

// shard is a part of a termTable: an open hash table and what is in it.
//
//	slots   hash → place, linear probing       [· · 7f→0 · 3a→2 · ·]
//	values  place → text and sort              [a b c]
type shard struct {
	mu     sync.Mutex
	slots  []slot // as many as a power of two, at most three quarters taken
	values []interned
	arena  strings.Builder
}

// slot is a place in values, plus 1, and the lower half of the hash of what is there. 0 is
// a free one.
type slot struct{ hash, place uint32 }

// interned is a text with its sort.
type interned struct {
	text string
	sort uint32
}

func newTermTable() termTable {
	return termTable{maphash.MakeSeed(), make([]shard, 1<<shardBits)}
}

func (t *termTable) hash(text string, sort uint32) uint64 {
	h := maphash.String(t.seed, text) + uint64(sort)*0x9E3779B97F4A7C15
	return h ^ h>>29
}

// add returns the key of a text of a sort: its place in a shard, followed by the bits of the
// shard. A new text is copied.
func (t *termTable) add(hash uint64, text string, sort uint32) uint32 {
	n := uint32(hash >> (64 - shardBits))
	s := &t.shards[n]
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(uint32(hash), text, sort)<<shardBits | n
}

func (s *shard) add(hash uint32, text string, sort uint32) uint32 {
	if 4*len(s.values) >= 3*len(s.slots) {
		s.grow()
	}
	mask := uint32(len(s.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		switch found := s.slots[at]; {
		case found.place == 0:
			place := uint32(len(s.values))
			s.values = append(s.values, interned{s.copied(text), sort})
			s.slots[at] = slot{hash, place + 1}
			return place
		case found.hash == hash:
			if v := &s.values[found.place-1]; v.sort == sort && v.text == text {
				return found.place - 1
			}
		}
	}
}

// grow doubles the table.
func (s *shard) grow() {
	old := s.slots
	s.slots = make([]slot, max(8, 2*len(old)))
	mask := uint32(len(s.slots) - 1)
	for _, o := range old {
		if o.place == 0 {
			continue
		}
		at := o.hash & mask
		for s.slots[at].place != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = o
	}
}

// copied is a text in the shard's own memory. What a [strings.Builder] holds stays where
// it is until it is full; a new one is begun then.
func (s *shard) copied(text string) string {
	if len(text) > arenaMost/4 {
		return strings.Clone(text)
	}
	if s.arena.Len()+len(text) > s.arena.Cap() {
		size := min(max(arenaLeast, 2*s.arena.Cap()), arenaMost)
		s.arena = strings.Builder{}
		s.arena.Grow(max(size, len(text)))
	}
	from := s.arena.Len()
	s.arena.WriteString(text)
	return s.arena.String()[from:]
}
