package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// owned is a folded name and who has it.
type owned struct {
	name  string
	owner store.ID
}

func build(names []owned) *store.Names {
	var b store.NameBuilder
	for _, n := range names {
		b.Add(n.name, n.owner)
	}
	return b.Build()
}

// reader is one of an empty snapshot, to count with.
func reader() *store.Reader { return store.NewBuilder().Build().Reader() }

// TestNamesAgreeWithAPlainList compares every kind of search with a look at all
// names, for random names over few letters.
func TestNamesAgreeWithAPlainList(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var names []owned
		for range rng.IntN(80) {
			names = append(names, owned{randomName(rng), store.ID(rng.IntN(30) + 1)})
		}
		n := build(names)
		for range 80 {
			text := randomName(rng)
			if len(names) > 0 && rng.IntN(2) == 0 { // part of a name that is there
				name := names[rng.IntN(len(names))].name
				from := rng.IntN(len(name))
				text = store.Fold(name[from : from+1+rng.IntN(len(name)-from)])
			}
			words := strings.Fields(text)
			for _, search := range []struct {
				kind string
				find func(*store.Reader, string) store.Owners
				fits func(name string) bool
			}{
				{"Exact", n.Exact, func(name string) bool { return name == text }},
				{"Prefix", n.Prefix, func(name string) bool { return strings.HasPrefix(name, text) }},
				{"Words", n.Words, func(name string) bool {
					return allOf(words, func(w string) bool { return slices.Contains(strings.Fields(name), w) })
				}},
				{"Within", n.Within, func(name string) bool { return allOf(words, func(w string) bool { return partOf(name, w) }) }},
			} {
				var want []store.ID
				for _, o := range names {
					if text != "" && search.fits(o.name) {
						want = append(want, o.owner)
					}
				}
				slices.Sort(want)
				want = slices.Compact(want)
				got := search.find(reader(), text)
				if !slices.Equal(want, got.IDs) || got.More {
					t.Fatalf("seed %d: %s(%q), more %v (-want +got):\n%s", seed, search.kind, text, got.More, cmp.Diff(want, got.IDs))
				}
			}
		}
	}
}

func allOf(words []string, fits func(string) bool) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !fits(w) })
}

// partOf says whether a word of a name holds a part; short parts and those with
// digits must begin it.
func partOf(name, part string) bool {
	return slices.ContainsFunc(strings.Fields(name), func(word string) bool {
		if len(part) < 3 || strings.ContainsAny(part, "0123456789") {
			return strings.HasPrefix(word, part)
		}
		return strings.Contains(word, part) && (!strings.ContainsAny(word, "0123456789") || strings.HasPrefix(word, part))
	})
}

func randomName(rng *rand.Rand) string {
	var words []string
	for range 1 + rng.IntN(3) {
		var w strings.Builder
		for range 1 + rng.IntN(6) {
			w.WriteByte("aabbcd1"[rng.IntN(7)])
		}
		words = append(words, w.String())
	}
	return strings.Join(words, " ")
}

func TestSearchStopsAtTheLimit(t *testing.T) {
	var names []owned
	for i := range store.MaxPostings + 10 {
		names = append(names, owned{fmt.Sprintf("order %d", i), store.ID(i + 1)}, owned{"same", store.ID(i + 1)})
	}
	n := build(names)
	for _, search := range []struct {
		kind string
		find func(*store.Reader, string) store.Owners
		text string
	}{{"Exact", n.Exact, "same"}, {"Prefix", n.Prefix, "ord"}, {"Words", n.Words, "order"}, {"Within", n.Within, "rde"}} {
		r := reader()
		got := search.find(r, search.text)
		if !got.More || len(got.IDs) == 0 || r.Work().Postings > store.MaxPostings+10 {
			t.Errorf("%s(%q): %d owners, more %v, work %+v", search.kind, search.text, len(got.IDs), got.More, r.Work())
		}
	}
}

func TestNear(t *testing.T) {
	var names []owned
	for i, name := range []string{"jacob martinez", "jane miller", "martingale", "bern", "cust 00094", "übung", "東京都庁"} {
		names = append(names, owned{name, store.ID(i + 1)})
	}
	n := build(names)
	for _, tc := range []struct {
		text string
		want []store.ID
	}{
		{"martines", []store.ID{1}},               // a letter replaced
		{"matrinez", []store.ID{1}},               // two swapped
		{"marinez", []store.ID{1}},                // one missing
		{"marrtinez", []store.ID{1}},              // one too many
		{"brn", []store.ID{4}},                    // in a short word
		{"ebrn", []store.ID{4}},                   // swapped at the start
		{"jakob miller", []store.ID{2, 1}},        // "miller" is known, "jakob" near
		{"jacob martines", []store.ID{1}},         // one word known
		{"mortimez", []store.ID{1}},               // two letters of eight
		{"cust 00095", []store.ID{5}},             // the code is not guessed, the word is known
		{"robert miller", []store.ID{2}},          // half of the words
		{"which of them is jacob", []store.ID{1}}, // one of many, of five letters
		{"where is her bern", nil},                // one of many, and short
		{"00095", nil},                            // a near number is another number
		{"qqqqqqqq", nil},                         // near to nothing
		{"", nil},                                 // nothing asked
		{"übunk", []store.ID{6}},                  // letters beyond ASCII
		{strings.Repeat("x", 1_000_000), nil},     // a word that is no word
	} {
		if diff := cmp.Diff(tc.want, n.Near(reader(), tc.text, 5)); diff != "" {
			t.Errorf("Near(%.20q) (-want +got):\n%s", tc.text, diff)
		}
	}
}

func TestLongNamesAreFoundByTheirBeginningAndByThemselves(t *testing.T) {
	long := strings.Repeat("é word ", 200)
	one := strings.Repeat("x", 500) // one word, longer than what is indexed
	n := build([]owned{{store.Fold(long), 1}, {"", 2}, {one, 3}})
	for owner, text := range map[store.ID]string{1: store.Fold(long), 3: one} {
		for kind, find := range map[string]func(*store.Reader, string) store.Owners{"Exact": n.Exact, "Prefix": n.Prefix, "Words": n.Words, "Within": n.Within} {
			if got := find(reader(), text); !slices.Equal(got.IDs, []store.ID{owner}) {
				t.Errorf("%s does not find the name of %d by itself: %+v", kind, owner, got)
			}
		}
	}
	// A name found without the index agrees: what follows the indexed part does not count.
	if got := n.Exact(reader(), one[:450]); !slices.Equal(got.IDs, []store.ID{3}) {
		t.Errorf("Exact: %+v", got)
	}
	if tier, ok := store.BestTier([]string{one}, one[:450]); tier != 1 || !ok {
		t.Errorf("BestTier = %d, %v", tier, ok)
	}
	if got := n.Prefix(reader(), "e word e"); len(got.IDs) != 1 {
		t.Errorf("a long name is not found: %+v", got)
	}
	if got := n.Words(reader(), "e word"); len(got.IDs) != 1 {
		t.Errorf("a long name is not found by its words: %+v", got)
	}
}

// FuzzNames holds that no text makes a search fail, and that equal questions get
// equal answers.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"jacob martinez\njane", "a\nb", "東京都庁\n京都", "\xff\n\x00", "x1 y2\nx", strings.Repeat("ab", 90) + "\nab"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var names []owned
		lines := strings.Split(s, "\n")
		for i, line := range lines {
			names = append(names, owned{store.Fold(line), store.ID(i + 1)}, owned{store.FoldLocal(line), store.ID(i + 1)})
		}
		n := build(names)
		ask := func() (out []any) {
			for _, line := range lines[:min(5, len(lines))] {
				text := store.Fold(line)
				for _, find := range []func(*store.Reader, string) store.Owners{n.Exact, n.Prefix, n.Words, n.Within} {
					out = append(out, find(reader(), text))
				}
				out = append(out, n.Near(reader(), text+"x", 5))
			}
			return out
		}
		if diff := cmp.Diff(ask(), ask()); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}
