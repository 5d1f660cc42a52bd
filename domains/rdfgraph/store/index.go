package store

import (
	"slices"
	"sort"
)

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

// leastRows is how many rows are worth a goroutine, and mostParts the most parts that rows
// are counted in: each takes four bytes for each first part.
const (
	leastRows = 1 << 15
	mostParts = 8
)

// newIndex distributes rows, which come sorted by (b, c) within each a, over their first
// parts. They come in parts of the work: each yields those between two bounds, and is run
// twice for each.
func newIndex(first ID, bounds []ID, each func(from, to ID, yield func(a, b, c ID))) index {
	parts := len(bounds) - 1
	next := make([][]uint32, parts) // part, a → place of its next row
	Parallel(parts, func(w int) {
		count := make([]uint32, first+1)
		each(bounds[w], bounds[w+1], func(a, _, _ ID) { count[a]++ })
		next[w] = count
	})
	x := index{start: make([]uint32, first+2)}
	total := uint32(0)
	for a := range first + 1 {
		x.start[a] = total
		for _, count := range next {
			n := count[a]
			count[a] = total
			total += n
		}
	}
	x.start[first+1] = total
	x.pairs = make([]uint64, total)
	Parallel(parts, func(w int) {
		places := next[w]
		each(bounds[w], bounds[w+1], func(a, b, c ID) {
			x.pairs[places[a]] = pack(b, c)
			places[a]++
		})
	})
	return x
}

// sortedIndex sorts rows and drops repeated ones. The other two orders follow
// from the first without sorting: rows that come in the order s-p-o fall into o-s-p
// order when they are distributed over their objects, and those into p-o-s.
func sortedIndex(rows [][][3]uint32, first ID) index {
	workers := min(Workers(len(rows), 2), mostParts)
	bounds := make([]ID, workers+1)
	for w := range bounds {
		bounds[w] = ID(len(rows) * w / workers)
	}
	x := newIndex(first, bounds, func(from, to ID, yield func(a, b, c ID)) {
		for _, part := range rows[from:to] {
			for _, t := range part {
				yield(ID(t[0]), ID(t[1]), ID(t[2]))
			}
		}
	})
	repeated := make([]int, len(x.parts())-1)
	x.each(func(w int, a ID) {
		pairs := x.of(a)
		slices.Sort(pairs)
		for i := 1; i < len(pairs); i++ {
			if pairs[i] == pairs[i-1] {
				repeated[w]++
			}
		}
	})
	if slices.Max(repeated) > 0 {
		x.compact()
	}
	return x
}

// compact drops repeated pairs.
func (x *index) compact() {
	kept := uint32(0)
	last := len(x.start) - 1
	for a := range last {
		pairs := slices.Compact(x.pairs[x.start[a]:x.start[a+1]])
		x.start[a] = kept
		kept += uint32(copy(x.pairs[kept:], pairs))
	}
	x.start[last] = kept
	x.pairs = slices.Clip(x.pairs[:kept])
}

// parts parts the first parts so that each has about as many rows: a part begins
// where the one before ends.
func (x *index) parts() []ID {
	workers := min(Workers(len(x.pairs), leastRows), mostParts)
	bounds := make([]ID, workers+1)
	for w := 1; w < workers; w++ {
		rows := uint32(len(x.pairs) * w / workers)
		n := sort.Search(len(x.start)-1, func(a int) bool { return x.start[a] >= rows })
		bounds[w] = ID(n)
	}
	bounds[workers] = ID(len(x.start) - 1)
	return bounds
}

// each calls work for every first part, with the number of the goroutine that does.
func (x *index) each(work func(worker int, a ID)) {
	bounds := x.parts()
	Parallel(len(bounds)-1, func(w int) {
		for a := bounds[w]; a < bounds[w+1]; a++ {
			work(w, a)
		}
	})
}

// rows calls yield for every row in order whose first part is from one to before another.
func (x *index) rows(from, to ID, yield func(a, b, c ID)) {
	for a := from; a < to; a++ {
		for _, pair := range x.pairs[x.start[a]:x.start[a+1]] {
			b, c := unpack(pair)
			yield(a, b, c)
		}
	}
}
