package store

import "sort"

// index holds all triples in one order of their parts, a-b-c:
//
//	start   a → where its pairs begin     [0 0 2 3]
//	pairs   b<<32 | c, sorted             [b1c1 b1c2 | b2c1]
//
// Four bytes a first part and eight a triple.
type index struct {
	start []uint32
	pairs []uint64
}

func pack(b, c ID) uint64          { return uint64(b)<<32 | uint64(c) }
func unpack(pair uint64) (b, c ID) { return ID(pair >> 32), ID(pair) }
func (x *index) of(a ID) []uint64  { from, to := x.bounds(a); return x.pairs[from:to] }
func (x *index) bounds(a ID) (_, _ uint32) {
	if int(a)+1 >= len(x.start) {
		return 0, 0
	}
	return x.start[a], x.start[a+1]
}

// with returns the pairs of a whose second part is b.
func (x *index) with(a, b ID) []uint64 { return between(x.of(a), pack(b, 0), pack(b+1, 0)) }

// has returns the pair itself, or nothing.
func (x *index) has(a, b, c ID) []uint64 { return between(x.of(a), pack(b, c), pack(b, c)+1) }

// between returns the pairs from low to before high.
func between(pairs []uint64, low, high uint64) []uint64 {
	from := search(pairs, low)
	return pairs[from : from+search(pairs[from:], high)]
}

// search is the place of the first pair that is not below low. It gallops, so
// that a short answer at the beginning is found in a few steps.
func search(pairs []uint64, low uint64) int {
	step := 1
	for step < len(pairs) && pairs[step-1] < low {
		step *= 2
	}
	from, to := step/2, min(step, len(pairs))
	return from + sort.Search(to-from, func(i int) bool { return pairs[from+i] >= low })
}

// newIndex distributes rows, which come sorted by (b, c) within each a, over
// their first parts. each calls its argument for every row, and is run twice.
func newIndex(rows int, first ID, each func(yield func(a, b, c ID))) index {
	x := index{start: make([]uint32, first+2), pairs: make([]uint64, rows)}
	each(func(a, _, _ ID) { x.start[a+1]++ })
	for a := range first + 1 {
		x.start[a+1] += x.start[a]
	}
	next := append([]uint32(nil), x.start...)
	each(func(a, b, c ID) {
		x.pairs[next[a]] = pack(b, c)
		next[a]++
	})
	return x
}

// rows calls yield for every row in order.
func (x *index) rows(yield func(a, b, c ID)) {
	for a := 0; a+1 < len(x.start); a++ {
		for _, pair := range x.of(ID(a)) {
			b, c := unpack(pair)
			yield(ID(a), b, c)
		}
	}
}
