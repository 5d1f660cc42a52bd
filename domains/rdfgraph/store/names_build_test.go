package store_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestNamesDoNotDependOnHowTheyAreBuilt holds that the index is the same whatever the
// number of builders and processors, and the order of owners.
func TestNamesDoNotDependOnHowTheyAreBuilt(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var names []owned
		for range 40 + rng.IntN(40_000) {
			name := randomName(rng)
			if rng.IntN(8) == 0 { // many that begin alike, and with what no folded name has
				name = strings.Repeat("a", rng.IntN(20)) + strings.Repeat("\x00", rng.IntN(10)) + name
			}
			names = append(names, owned{name, store.ID(rng.IntN(5_000) + 1)})
		}
		var want *store.Names
		for _, processors := range []int{1, 4} {
			before := runtime.GOMAXPROCS(processors)
			for _, n := range []int{1, 2, 5} {
				builders := make([]*store.NameBuilder, n)
				for i := range builders {
					builders[i] = &store.NameBuilder{}
				}
				for _, o := range names {
					builders[rng.IntN(n)].Add(o.name, o.owner)
				}
				rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
				got := store.BuildNames(builders)
				if want == nil {
					want = got
				}
				if !reflect.DeepEqual(want, got) {
					t.Errorf("seed %d: %d builders on %d processors make another index", seed, n, processors)
				}
			}
			runtime.GOMAXPROCS(before)
		}
	}
}

// TestTextsAreFoldedAlikeWhereverTheyAre holds that a builder folds texts and local names
// as Fold and FoldLocal do.
func TestTextsAreFoldedAlikeWhereverTheyAre(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	letters := []rune("aabBcCXyZ019 -_.,'/%4é½ßΣσ٣\x00\u200fא’")
	texts := []string{
		"", "'", "O'Brien", "HTTPServer2Go", "a%20b", "x%zz", "%41b", strings.Repeat("Ab1", 134), strings.Repeat("Ab", 120), strings.Repeat("xY ", 200),
	}
	for range 20_000 {
		text := make([]rune, rng.IntN(14))
		among := len(letters)
		if rng.IntN(2) == 0 {
			among = 20 // ASCII alone
		}
		for i := range text {
			text[i] = letters[rng.IntN(among)]
		}
		texts = append(texts, string(text))
	}
	for i, text := range texts {
		var given, folded store.NameBuilder
		given.AddText(text, 1)
		given.AddLocal(text, 2)
		folded.Add(store.Fold(text), 1)
		folded.Add(store.Fold(text), 2)
		folded.Add(store.FoldLocal(text), 2)
		if !reflect.DeepEqual(folded.Build(), given.Build()) {
			t.Errorf("text %d, %q, is folded otherwise", i, text)
		}
	}
}
