package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// vocabulary is a few long words that share nothing, and n others made of syllables that
// are parts of them, so that most of their letters lead to many words.
func vocabulary(n int) (long []string, names []owned) {
	long = []string{"featherstonehaugh", "bundesverfassungsgericht", "antidisestablishment", "musiikintutkimuslaitos", "electroencephalogram"}
	syllables := []string{"fea", "ther", "ston", "bun", "des", "ver", "fas", "sung", "anti", "dis", "esta", "blis", "musi", "ikin", "tut", "kimus", "elec", "tro", "ence", "pha"}
	for i, w := range long {
		names = append(names, owned{w, store.ID(i + 1)})
	}
	for i := range n {
		w := ""
		for k := i; len(w) < 12; k = k/len(syllables) + 7*i {
			w += syllables[k%len(syllables)]
		}
		names = append(names, owned{fmt.Sprintf("%s no %d", w, i), store.ID(len(long) + i + 1)})
	}
	return long, names
}

// change makes one change of a word: a letter inserted, left out, replaced or swapped
// with the next.
func change(rnd *rand.Rand, word string) string {
	i, letter := rnd.IntN(len(word)-1), string(rune('a'+rnd.IntN(26)))
	switch rnd.IntN(4) {
	case 0:
		return word[:i] + letter + word[i:]
	case 1:
		return word[:i] + word[i+1:]
	case 2:
		return word[:i] + letter + word[i+1:]
	}
	return word[:i] + word[i+1:i+2] + word[i:i+1] + word[i+2:]
}

// TestTwoChangesOfALongWordAreFound holds that reading the rarest trigrams first misses no
// word that two changes make, also where each of its trigrams is in many words.
func TestTwoChangesOfALongWordAreFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{200, 20_000} {
		long, names := vocabulary(n)
		index := build(names)
		for range 500 {
			k := rnd.IntN(len(long))
			text := change(rnd, change(rnd, long[k]))
			if got := index.Near(reader(), text, 5); text != long[k] && !slices.Contains(got, store.ID(k+1)) {
				t.Errorf("%s is not found for %s among %d names: %v", long[k], text, n, got)
			}
		}
	}
}
