package store

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// pool numbers different texts from 0 in the order in which they come. The texts lie in
// one piece of memory, and a hash table of numbers finds them: no text is an allocation
// or a pointer that the garbage collector follows. It is not for concurrent use.
type pool struct {
	all  []byte
	ends []uint64 // text i is all[ends[i-1]:ends[i]], the first begins at 0
	// slots are hash<<32 | number+1 at the place of the hash or after it; 0 is free, and so
	// is a quarter. The first bits of the hash, of 32, are its place, so that those of a
	// smaller table are in the order of a larger one.
	slots []uint64
}

func (p *pool) place(hash uint64) uint64 { return hash * uint64(len(p.slots)) >> 32 }

var seed = maphash.MakeSeed()

func (p *pool) len() int { return len(p.ends) }

func (p *pool) at(i uint32) []byte {
	if i == 0 {
		return p.all[:p.ends[0]]
	}
	return p.all[p.ends[i-1]:p.ends[i]]
}

// add returns the number of a text, which it copies when it is new.
func (p *pool) add(text []byte) uint32 {
	if len(p.ends) >= len(p.slots)/4*3 {
		p.grow()
	}
	hash := maphash.Bytes(seed, text) >> 32
	for i := p.place(hash); ; i++ {
		slot := &p.slots[i&uint64(len(p.slots)-1)]
		switch n := uint32(*slot); {
		case n == 0:
			p.all = append(p.all, text...)
			p.ends = append(p.ends, uint64(len(p.all)))
			*slot = hash<<32 | uint64(len(p.ends))
			return uint32(len(p.ends) - 1)
		case *slot>>32 == hash && bytes.Equal(p.at(n-1), text):
			return n - 1
		}
	}
}

func (p *pool) grow() {
	old := p.slots
	p.slots = make([]uint64, max(64, 2*len(old)))
	for _, slot := range old {
		if slot == 0 {
			continue
		}
		i := p.place(slot >> 32)
		for p.slots[i&uint64(len(p.slots)-1)] != 0 {
			i++
		}
		p.slots[i&uint64(len(p.slots)-1)] = slot
	}
}

// piece is eight bytes of the text of a number, as a number that compares as they do.
type piece struct {
	key  uint64
	text uint32
}

// sorted are the numbers in the order of their texts. The pool finds no text afterwards.
// Eight bytes are compared at a time, and the next eight where these are the same.
func (p *pool) sorted() []uint32 {
	p.slots = nil
	pieces := make([]piece, p.len())
	for i := range pieces {
		pieces[i].text = uint32(i)
	}
	p.sort(pieces, 0)
	order := make([]uint32, len(pieces))
	for i, piece := range pieces {
		order[i] = piece.text
	}
	return order
}

// sort orders texts of which the bytes before a place are the same, when what lacks at
// the end of a text is taken for zeros.
func (p *pool) sort(pieces []piece, from int) {
	ended := len(pieces) < 12
	for i := range pieces {
		text := p.at(pieces[i].text)
		if len(text) >= from+8 {
			pieces[i].key = binary.BigEndian.Uint64(text[from:])
			continue
		}
		var rest [8]byte
		copy(rest[:], text[min(from, len(text)):])
		pieces[i].key = binary.BigEndian.Uint64(rest[:])
		ended = ended || len(text) <= from
	}
	if ended { // others have zeros in its place
		slices.SortFunc(pieces, func(a, b piece) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return bytes.Compare(p.at(a.text), p.at(b.text))
		})
		return
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.key, b.key) })
	for i := 0; i < len(pieces); {
		j := i + 1
		for j < len(pieces) && pieces[j].key == pieces[i].key {
			j++
		}
		if j > i+1 {
			p.sort(pieces[i:j], from+8)
		}
		i = j
	}
}

// merge makes one sorted list of the texts of several pools, each text once, and says
// for each pool the place, from 1, of each of its numbers. The pools find no text
// afterwards.
func merge(pools []*pool) (texts, [][]uint32) {
	orders := make([][]uint32, len(pools))
	Parallel(len(pools), func(i int) { orders[i] = pools[i].sorted() })
	size, most, n := 0, 0, 0
	for _, p := range pools {
		size, most, n = max(size, len(p.all)), max(most, p.len()), n+p.len()
	}
	all, ends := make([]byte, 0, size), make([]uint64, 1, most+1)
	places := make([][]uint32, len(pools))
	for i, p := range pools {
		places[i] = make([]uint32, p.len())
	}
	heads := make([][]byte, len(pools)) // the next text of each; nil at its end
	next := make([]int, len(pools))
	advance := func(i int) {
		if heads[i] = nil; next[i] < len(orders[i]) {
			heads[i] = pools[i].at(orders[i][next[i]])
		}
	}
	for i := range pools {
		advance(i)
	}
	for {
		least := -1
		same := false // whether another has the least too
		for i, head := range heads {
			if head == nil {
				continue
			}
			order := -1
			if least >= 0 {
				order = bytes.Compare(head, heads[least])
			}
			if order < 0 {
				least, same = i, false
			} else if order == 0 {
				same = true
			}
		}
		if least < 0 {
			break
		}
		text := heads[least]
		all = append(all, text...)
		ends = append(ends, uint64(len(all)))
		for i := least; i < len(pools); i++ {
			if i == least || same && heads[i] != nil && bytes.Equal(heads[i], text) {
				places[i][orders[i][next[i]]] = uint32(len(ends) - 1)
				next[i]++
				advance(i)
			}
		}
	}
	return texts{string(all), slices.Clip(ends)}, places
}
