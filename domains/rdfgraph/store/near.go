package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// How far a search for near names looks.
const (
	nearWords    = 3     // words that one word may have meant
	nearAsked    = 8     // words of a text that are looked at
	nearNames    = 1_000 // names read for each word
	shortWord    = 8     // letters below which all single changes are tried
	nearPostings = 5_000 // words read for each word that was asked for
)

// Near returns up to k owners of names that someone who typed a folded text may
// have meant, nearest first: those that hold most of its words or words near to
// them. Words with digits are taken as they are.
func (n *Names) Near(r *Reader, text string, k int) []ID {
	type score struct {
		name        uint32
		words, rank int
	}
	scores := map[uint32]*score{}
	words := strings.Fields(text)
	for _, word := range words[:min(nearAsked, len(words))] {
		best := map[uint32]int{} // name → rank of its nearest word
		near, known := n.nearWords(r, word)
		for rank, w := range near {
			if !known {
				rank++
			}
			postings := n.postings.at(w)
			for _, name := range postings[:min(nearNames, len(postings))] {
				r.work.Postings++
				if _, ok := best[name]; !ok {
					best[name] = rank
				}
			}
		}
		for name, rank := range best {
			if scores[name] == nil {
				scores[name] = &score{name: name}
			}
			scores[name].words++
			scores[name].rank += rank
		}
	}
	ranked := make([]*score, 0, len(scores))
	for _, s := range scores {
		ranked = append(ranked, s)
	}
	slices.SortFunc(ranked, func(a, b *score) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	var out []ID
	for _, s := range ranked {
		for _, owner := range n.owners.at(int(s.name)) {
			if len(out) == k {
				return out
			}
			r.work.Postings++
			if !slices.Contains(out, owner) {
				out = append(out, owner)
			}
		}
	}
	return out
}

// nearWords returns the words that a word may have meant, nearest first: itself
// alone when it is known.
func (n *Names) nearWords(r *Reader, word string) (near []int, known bool) {
	r.work.Lookups++
	if w, ok := n.words.find(word); ok {
		return []int{w}, true
	}
	if hasNumber(word) || len(word) > longestWord {
		return nil, false
	}
	candidates := n.sharing(r, word)
	if letters := []rune(word); len(letters) < shortWord {
		candidates = append(candidates, n.changed(r, letters)...)
	}
	for _, name := range domains.Nearest(word, candidates, nearWords) {
		w, _ := n.words.find(name)
		near = append(near, w)
	}
	return near, false
}

// sharing returns the words that share a trigram with a word. Rare trigrams are
// read first, so that the limit costs little.
func (n *Names) sharing(r *Reader, word string) []string {
	var lists [][]uint32
	for gram := range trigrams(word) {
		lists = append(lists, n.holding(r, gram))
	}
	slices.SortStableFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	words := slices.Concat(lists...)
	words = words[:min(nearPostings, len(words))]
	r.work.Postings += len(words)
	slices.Sort(words)
	words = slices.Compact(words)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = n.words.at(int(w))
	}
	return out
}

// changed returns the known words that come from a word by one letter inserted,
// left out, replaced or swapped with its neighbour.
func (n *Names) changed(r *Reader, word []rune) []string {
	var out []string
	try := func(parts ...[]rune) {
		r.work.Lookups++
		text := string(slices.Concat(parts...))
		if _, ok := n.words.find(text); ok && text != "" {
			out = append(out, text)
		}
	}
	for i := range len(word) + 1 {
		for _, l := range n.letters {
			try(word[:i], []rune{l}, word[i:])
			if i < len(word) {
				try(word[:i], []rune{l}, word[i+1:])
			}
		}
		if i < len(word) {
			try(word[:i], word[i+1:])
		}
		if i+1 < len(word) {
			try(word[:i], []rune{word[i+1], word[i]}, word[i+2:])
		}
	}
	return out
}
