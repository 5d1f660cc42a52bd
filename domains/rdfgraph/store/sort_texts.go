package store

import (
	"cmp"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// sorting is a text that is sorted with others: by its text, then by its tag.
type sorting struct {
	// head is the eight bytes of the text that are being looked at, padded with zeros, as a
	// number: comparing numbers compares texts without reading them.
	head uint64
	text string
	tag  uint32
	key  uint32 // what the text stands for; it plays no part
}

func compareSorting(a, b *sorting) int {
	return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.tag, b.tag))
}

const (
	sortFew  = 24      // so many are sorted by comparing whole texts
	sortMany = 1 << 13 // so many are worth another goroutine
	// sortDeep is how many bytes that texts begin with alike are looked at eight by eight;
	// each eight take a part of the stack.
	sortDeep = 1 << 12
)

// sortTexts sorts with all processors: a quicksort by heads of three parts (below, equal,
// above the pivot), of which the equal go on with the next eight bytes.
func sortTexts(list []sorting) {
	s := sorter{free: make(chan struct{}, runtime.GOMAXPROCS(0)-1)}
	s.sort(list, 0)
	s.running.Wait()
	s.faults.rethrow()
}

// sorter is the state of sortTexts. Parts of a list do not overlap, so its goroutines
// share nothing else.
type sorter struct {
	free    chan struct{} // holds one for each goroutine besides the first
	running sync.WaitGroup
	faults  faults
}

// sort sorts texts that are equal up to an offset.
func (s *sorter) sort(list []sorting, from int) {
	if from > sortDeep {
		slices.SortFunc(list, func(a, b sorting) int { return compareSorting(&a, &b) })
		return
	}
	for i := range list {
		list[i].look(from)
	}
	s.byHead(list, from, 0)
}

// look takes the head that begins at an offset.
func (x *sorting) look(from int) {
	rest := x.text[min(from, len(x.text)):]
	if len(rest) >= 8 {
		x.head = uint64(rest[7]) | uint64(rest[6])<<8 | uint64(rest[5])<<16 | uint64(rest[4])<<24 |
			uint64(rest[3])<<32 | uint64(rest[2])<<40 | uint64(rest[1])<<48 | uint64(rest[0])<<56
		return
	}
	var padded [8]byte
	copy(padded[:], rest)
	x.head = binary.BigEndian.Uint64(padded[:])
}

// byHead sorts texts that are equal up to an offset, whose heads are looked at. depth
// counts the partings of this list; too many mean that pivots are chosen badly.
func (s *sorter) byHead(list []sorting, from, depth int) {
	for ; len(list) > sortFew; depth++ {
		if depth > 64 {
			slices.SortFunc(list, func(a, b sorting) int { return compareSorting(&a, &b) })
			return
		}
		below, above := part(list, pivot(list))
		lower, equal, upper := list[:below], list[below:above], list[above:]
		deeper := depth + 1 // depth changes while lower is sorted elsewhere
		s.spawn(lower, func() { s.byHead(lower, from, deeper) })
		s.spawn(equal, func() { s.equal(equal, from) })
		list = upper
	}
	slices.SortFunc(list, func(a, b sorting) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return compareSorting(&a, &b)
	})
}

// equal sorts texts whose heads are equal. Those that end in the head differ in
// how many zeros they end with, and come before the others.
func (s *sorter) equal(list []sorting, from int) {
	if len(list) < 2 {
		return
	}
	n := 0
	for i := range list {
		if len(list[i].text) <= from+8 {
			list[i], list[n] = list[n], list[i]
			n++
		}
	}
	slices.SortFunc(list[:n], func(a, b sorting) int {
		return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.tag, b.tag))
	})
	if n < len(list) {
		s.sort(list[n:], from+8)
	}
}

// spawn does work on a list, in another goroutine if that is worth it and one is free.
func (s *sorter) spawn(list []sorting, work func()) {
	if len(list) < sortMany {
		work()
		return
	}
	select {
	case s.free <- struct{}{}:
		s.running.Go(func() {
			defer func() { <-s.free }()
			defer s.faults.catch()
			work()
		})
	default:
		work()
	}
}

// pivot is about the middle of the heads.
func pivot(list []sorting) uint64 {
	var sample [9]uint64
	for i := range sample {
		sample[i] = list[(2*i+1)*len(list)/(2*len(sample))].head
	}
	slices.Sort(sample[:])
	return sample[len(sample)/2]
}

// part parts a list into heads below a pivot, which there is, those equal to it, from below,
// and those above it, from above.
func part(list []sorting, pivot uint64) (below, above int) {
	above = len(list)
	for i := 0; i < above; {
		switch head := list[i].head; {
		case head < pivot:
			list[i], list[below] = list[below], list[i]
			below++
			i++
		case head > pivot:
			above--
			list[i], list[above] = list[above], list[i]
		default:
			i++
		}
	}
	return below, above
}
