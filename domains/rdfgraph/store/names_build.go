package store

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// NameBuilder collects names. It is not for concurrent use, but several may be filled at
// once and made one index by BuildNames.
type NameBuilder struct {
	names   pool
	entries chunks[nameEntry]
	buffer  []byte
}

// nameEntry is a name by its number among the builder's.
type nameEntry struct {
	name  uint32
	owner ID
}

// Add gives an owner a name, which is folded already. Empty names are ignored,
// and so is the part of a name after its first 400 bytes. Owners may come in any order;
// it is quickest when they rise.
func (b *NameBuilder) Add(folded string, owner ID) {
	if folded = indexed(folded); folded != "" {
		b.buffer = append(b.buffer[:0], folded...)
		b.add(b.buffer, owner)
	}
}

// AddText is Add of Fold(text).
func (b *NameBuilder) AddText(text string, owner ID) {
	if len(text) <= longestName && isASCII(text) {
		b.buffer = appendWords(b.buffer[:0], text)
		b.add(b.buffer, owner)
		return
	}
	b.Add(Fold(text), owner)
}

// AddLocal is Add of Fold(local) and of FoldLocal(local).
func (b *NameBuilder) AddLocal(local string, owner ID) {
	b.AddText(local, owner)
	if len(local) > longestName/2 || strings.IndexByte(local, '%') >= 0 || !isASCII(local) {
		b.Add(FoldLocal(local), owner)
		return
	}
	b.buffer = appendLocalWords(b.buffer[:0], local)
	b.add(b.buffer, owner)
}

// add is for names that are indexed whole.
func (b *NameBuilder) add(name []byte, owner ID) {
	if len(name) == 0 {
		return
	}
	entry := nameEntry{b.names.add(name), owner}
	if b.entries.last() != entry {
		b.entries.add(entry)
	}
}

// Build makes the index and takes the builder over.
func (b *NameBuilder) Build() *Names { return BuildNames([]*NameBuilder{b}) }

// BuildNames makes one index of the names of several builders, which it takes over. It
// uses all processors.
func BuildNames(builders []*NameBuilder) *Names {
	pools := make([]*pool, len(builders))
	entries := 0
	for i, b := range builders {
		pools[i] = &b.names
		entries += b.entries.len()
	}
	n := &Names{}
	var places [][]uint32
	n.names, places = merge(pools)
	n.owners = distribute[ID](n.names.len(), entries, func(yield func(list int, v ID)) {
		for i, b := range builders {
			b.entries.each(func(e nameEntry) { yield(int(places[i][e.name]), e.owner) })
		}
	})
	for _, b := range builders {
		*b = NameBuilder{}
	}
	n.owners.sort()
	n.indexWords()
	n.indexTrigrams()
	return n
}

// sort sorts each list and drops what it has twice.
func (l *lists[T]) sort() {
	kept := uint32(0)
	for i := 0; i+1 < len(l.start); i++ {
		list := l.at(i)
		l.start[i] = kept
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		for j, v := range list {
			if j == 0 || v != list[j-1] {
				l.all[kept] = v
				kept++
			}
		}
	}
	l.start[len(l.start)-1] = kept
	if int(kept) < len(l.all) {
		l.all = slices.Clone(l.all[:kept])
	}
}

// leastShare is for how many names or words a goroutine is worth it.
const leastShare = 4_096

// indexWords fills words and postings.
func (n *Names) indexWords() {
	workers := Workers(n.names.len(), leastShare)
	pools := make([]*pool, workers)
	found := make([]chunks[[2]uint32], workers) // number of the word, of the name
	Parallel(workers, func(worker int) {
		p := &pool{}
		var buffer []byte
		var words []uint32 // of a name
		from, to := share(n.names.len(), worker, workers)
		for i := from + 1; i <= to; i++ {
			words = words[:0]
			buffer = append(buffer[:0], n.names.at(i)...)
			for rest, more := buffer, true; more; {
				var word []byte
				word, rest, more = bytes.Cut(rest, []byte(" "))
				if w := p.add(word); !slices.Contains(words, w) {
					words = append(words, w)
					found[worker].add([2]uint32{w, uint32(i)})
				}
			}
		}
		pools[worker] = p
	})
	var places [][]uint32
	n.words, places = merge(pools)
	n.postings = distributeFound(n.words.len(), found, places)
}

// distributeFound makes n lists of what workers found, each for later items than those
// before it: pairs of a key, which places give its list, and an item.
func distributeFound(n int, found []chunks[[2]uint32], places [][]uint32) lists[uint32] {
	values := 0
	for i := range found {
		values += found[i].len()
	}
	return distribute[uint32](n, values, func(yield func(list int, v uint32)) {
		for i := range found {
			found[i].each(func(f [2]uint32) { yield(int(places[i][f[0]]), f[1]) })
		}
	})
}

// indexTrigrams fills grams, holders and letters.
func (n *Names) indexTrigrams() {
	workers := Workers(n.words.len(), leastShare)
	found := make([]chunks[[2]uint32], workers) // key of the trigram, number of the word
	grams := make([][]uint64, workers)          // by key
	letters := make([]map[rune]int, workers)    // letter → how often
	Parallel(workers, func(worker int) {
		keys := map[uint64]uint32{} // trigram → key
		letters[worker] = map[rune]int{}
		var ascii [128]int
		var own []uint32 // of a word
		from, to := share(n.words.len(), worker, workers)
		for i := from + 1; i <= to; i++ {
			word := n.words.at(i)
			if !inTrigrams(word) {
				continue
			}
			own = own[:0]
			for gram := range trigrams(word) {
				key, ok := keys[gram]
				if !ok {
					key = uint32(len(grams[worker]))
					keys[gram] = key
					grams[worker] = append(grams[worker], gram)
				}
				if !slices.Contains(own, key) {
					own = append(own, key)
					found[worker].add([2]uint32{key, uint32(i)})
				}
			}
			for _, r := range word {
				if r >= 0 && int(r) < len(ascii) {
					ascii[r]++
				} else {
					letters[worker][r]++
				}
			}
		}
		for r, often := range ascii {
			if often > 0 {
				letters[worker][rune(r)] = often
			}
		}
	})
	n.grams = slices.Concat(grams...)
	slices.Sort(n.grams)
	n.grams = slices.Clone(slices.Compact(n.grams))
	places := make([][]uint32, workers)
	frequency := map[rune]int{}
	for worker, keys := range grams {
		places[worker] = make([]uint32, len(keys))
		for key, gram := range keys {
			place, _ := slices.BinarySearch(n.grams, gram)
			places[worker][key] = uint32(place + 1)
		}
		for r, often := range letters[worker] {
			frequency[r] += often
		}
	}
	n.holders = distributeFound(len(n.grams), found, places)
	n.letters = mostFrequent(frequency, 64)
}

func mostFrequent(frequency map[rune]int, k int) []rune {
	letters := make([]rune, 0, len(frequency))
	for r := range frequency {
		letters = append(letters, r)
	}
	slices.SortFunc(letters, func(a, b rune) int {
		return cmp.Or(cmp.Compare(frequency[b], frequency[a]), cmp.Compare(a, b))
	})
	letters = slices.Clone(letters[:min(k, len(letters))])
	slices.Sort(letters)
	return letters
}

// distribute makes n lists, counted from 1, of values in the order in which they come.
// each is run twice.
func distribute[T ~uint32](n, values int, each func(yield func(list int, v T))) lists[T] {
	l := lists[T]{start: make([]uint32, n+2), all: make([]T, values)}
	each(func(list int, _ T) { l.start[list+1]++ })
	for i := range n + 1 {
		l.start[i+1] += l.start[i]
	}
	next := slices.Clone(l.start)
	each(func(list int, v T) {
		l.all[next[list]] = v
		next[list]++
	})
	return l
}

// chunks is a list that grows without moving what it has.
type chunks[T any] struct{ parts [][]T }

const chunkLen = 8_192

func (c *chunks[T]) add(v T) {
	i := len(c.parts) - 1
	switch {
	case i < 0:
		c.parts = append(c.parts, nil) // grows as it must: most lists are short
		i = 0
	case len(c.parts[i]) == chunkLen:
		c.parts = append(c.parts, make([]T, 0, chunkLen))
		i++
	}
	c.parts[i] = append(c.parts[i], v)
}

// last is the last value that was added; zero when there is none.
func (c *chunks[T]) last() (v T) {
	if i := len(c.parts) - 1; i >= 0 {
		v = c.parts[i][len(c.parts[i])-1]
	}
	return v
}

func (c *chunks[T]) len() int {
	if i := len(c.parts) - 1; i >= 0 {
		return i*chunkLen + len(c.parts[i])
	}
	return 0
}

func (c *chunks[T]) each(yield func(T)) {
	for _, part := range c.parts {
		for _, v := range part {
			yield(v)
		}
	}
}
