package store

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// longestName is how many bytes of a name are indexed, and of a text searched for:
// a label that is a whole page is found by its beginning, and by itself.
const longestName = domains.MaxText

// longestWord is how many bytes a word has that is searched for parts and typos.
const longestWord = 128

// Names finds the owners of names. It is immutable.
//
//	names      folded, numbered in order: an exact name or a prefix is a range
//	owners     name → who has it
//	words      the distinct words of all names, in order
//	postings   word → names that hold it
//	trigrams   three letters → words that hold them, for parts of words and typos
type Names struct {
	names    texts
	owners   lists[ID]
	words    texts
	postings lists[uint32]
	grams    []uint64 // sorted
	holders  lists[uint32]
	letters  []rune // the most frequent letters, in order
}

// lists holds many lists in one piece of memory, counted from 1.
type lists[T any] struct {
	start []uint32 // list i is all[start[i]:start[i+1]]
	all   []T
}

func (l *lists[T]) at(i int) []T { return l.all[l.start[i]:l.start[i+1]] }

// sum is the length of the lists from first to before end.
func (l *lists[T]) sum(first, end int) int { return int(l.start[end] - l.start[first]) }

// NameBuilder collects names. It is not for concurrent use.
type NameBuilder struct{ entries []nameEntry }

type nameEntry struct {
	name  string
	owner ID
}

// Add gives an owner a name, which is folded already. Empty names are ignored,
// and so is the part of a name after its first 400 bytes.
func (b *NameBuilder) Add(folded string, owner ID) {
	if folded = indexed(folded); folded != "" {
		b.entries = append(b.entries, nameEntry{folded, owner})
	}
}

// indexed is the part of a folded name that is indexed, and of a folded text that is
// searched for.
func indexed(folded string) string {
	if len(folded) <= longestName {
		return folded
	}
	return strings.TrimSuffix(strings.ToValidUTF8(folded[:longestName], ""), " ")
}

// Build makes the index and takes the builder over.
func (b *NameBuilder) Build() *Names {
	slices.SortFunc(b.entries, func(x, y nameEntry) int {
		return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(x.owner, y.owner))
	})
	b.entries = slices.Compact(b.entries)
	n := &Names{owners: lists[ID]{start: []uint32{0}}}
	var names []string
	for i, e := range b.entries {
		if i == 0 || e.name != b.entries[i-1].name {
			names = append(names, e.name)
			n.owners.start = append(n.owners.start, uint32(len(n.owners.all)))
		}
		n.owners.all = append(n.owners.all, e.owner)
	}
	n.owners.start = append(n.owners.start, uint32(len(n.owners.all)))
	b.entries = nil
	n.names = newTexts(names)
	n.indexWords(names)
	n.indexTrigrams()
	return n
}

// indexWords fills words and postings.
func (n *Names) indexWords(names []string) {
	in := newInterner[string]()
	var found [][2]uint32 // key of the word, number of the name; in order of names
	for i, name := range names {
		from := len(found)
		for word := range strings.SplitSeq(name, " ") {
			entry := [2]uint32{in.add(word, strings.Clone), uint32(i + 1)}
			if !slices.Contains(found[from:], entry) {
				found = append(found, entry)
			}
		}
	}
	words, place := in.sorted(cmp.Compare[string])
	n.words = newTexts(words)
	n.postings = distribute(len(words), len(found), func(yield func(list int, v uint32)) {
		for _, f := range found {
			yield(int(place[f[0]])+1, f[1])
		}
	})
}

// indexTrigrams fills grams, holders and letters.
func (n *Names) indexTrigrams() {
	in := newInterner[uint64]()
	frequency := map[rune]int{}
	var found [][2]uint32 // key of the trigram, number of the word
	for i := 1; i <= n.words.len(); i++ {
		word := n.words.at(i)
		if !inTrigrams(word) {
			continue
		}
		from := len(found)
		for gram := range trigrams(word) {
			entry := [2]uint32{in.add(gram, func(g uint64) uint64 { return g }), uint32(i)}
			if !slices.Contains(found[from:], entry) {
				found = append(found, entry)
			}
		}
		for _, r := range word {
			frequency[r]++
		}
	}
	grams, place := in.sorted(cmp.Compare[uint64])
	n.grams = grams
	n.holders = distribute(len(grams), len(found), func(yield func(list int, v uint32)) {
		for _, f := range found {
			yield(int(place[f[0]])+1, f[1])
		}
	})
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

// distribute makes n lists of values that come in the order that the lists keep.
func distribute(n, values int, each func(yield func(list int, v uint32))) lists[uint32] {
	l := lists[uint32]{start: make([]uint32, n+2), all: make([]uint32, values)}
	each(func(list int, _ uint32) { l.start[list+1]++ })
	for i := range n + 1 {
		l.start[i+1] += l.start[i]
	}
	next := slices.Clone(l.start)
	each(func(list int, v uint32) {
		l.all[next[list]] = v
		next[list]++
	})
	return l
}

// inTrigrams says whether a word is in the trigram index: numbers and codes are
// not, since a near code is another thing, nor is what is no word.
func inTrigrams(word string) bool {
	return !hasNumber(word) && len(word) <= longestWord && utf8.RuneCountInString(word) >= 3
}

func hasNumber(word string) bool { return strings.ContainsFunc(word, unicode.IsNumber) }

// trigrams yields each three letters in a row, packed into one number.
func trigrams(word string) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		var gram uint64
		n := 0
		for _, r := range word {
			gram = (gram<<21 | uint64(r)) & (1<<63 - 1)
			if n++; n >= 3 && !yield(gram) {
				return
			}
		}
	}
}
