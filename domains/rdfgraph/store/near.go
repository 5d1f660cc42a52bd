package store

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// How far a search for near names looks.
const (
	nearWords    = 3     // words that one word may have meant
	nearAsked    = 8     // words of a text that are looked at
	nearNames    = 1_000 // names read for each word
	shortWord    = 8     // letters below which all single changes are tried
	nearPostings = 5_000 // words read for each word that was asked for
	likelyEdits  = 2     // changes within which a word is looked for first
	strayWord    = 5     // letters below which one word of several says little
)

// nearName says how near a name is to a text.
type nearName struct {
	name uint32
	// words counts the words of the text that the name holds or nearly holds, whole
	// those that it holds; rank is less the nearer they are.
	words, whole, rank int
	// telling is set when one of the words is no stray one.
	telling bool
}

// Near returns up to k owners of names that someone who typed a folded text may
// have meant, nearest first: those that hold most of its words or words near to
// them. Words with digits are taken as they are. Of a text of several words a name
// must hold one of five letters or more, as it is or nearly, or half of them as they
// are: a question that shares only "late" with a name did not ask for it.
func (n *Names) Near(r *Reader, text string, k int) []ID {
	words := searched(text)
	words = words[:min(nearAsked, len(words))]
	ranked := n.nearNames(r, words)
	if len(words) > 1 {
		ranked = slices.DeleteFunc(ranked, func(s *nearName) bool { return !s.telling && 2*s.whole < len(words) })
	}
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

// nearNames returns the names that hold words or words near to them, nearest first.
func (n *Names) nearNames(r *Reader, words []string) []*nearName {
	scores := map[uint32]*nearName{}
	for _, word := range words {
		if r.stopped() {
			return nil
		}
		best := map[uint32]int{} // name → rank of its nearest word
		near, known := n.nearWords(r, word, len(words) > 1)
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
				scores[name] = &nearName{name: name}
			}
			s := scores[name]
			s.words++
			s.rank += rank
			if known {
				s.whole++
			}
			s.telling = s.telling || utf8.RuneCountInString(word) >= strayWord
		}
	}
	ranked := make([]*nearName, 0, len(scores))
	for _, s := range scores {
		ranked = append(ranked, s)
	}
	slices.SortFunc(ranked, func(a, b *nearName) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(a.rank, b.rank), cmp.Compare(a.name, b.name))
	})
	return ranked
}

// nearWords returns the words that a word may have meant, nearest first: itself
// alone when it is known. typos leaves out those that hold it, or are held by it,
// and are of quite another length.
func (n *Names) nearWords(r *Reader, word string, typos bool) (near []int, known bool) {
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
	if typos {
		candidates = slices.DeleteFunc(candidates, func(c string) bool { return !similarLength(word, c) })
	}
	for _, name := range domains.Nearest(word, candidates, nearWords) {
		w, _ := n.words.find(name)
		near = append(near, w)
	}
	return near, false
}

// similarLength reports whether the lengths of two words differ by no more than
// domains.Nearest forgives: a third of the longer.
func similarLength(a, b string) bool {
	x, y := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	return max(x, y)-min(x, y) <= max(x, y)/3
}

// sharing returns words that share a trigram with a word: those that a few changes make
// of it, or, when there are none, all. Rare trigrams are read first, so that the limit
// costs little. A change spoils four trigrams at most (a swap does), so a word that
// likelyEdits make of another holds one of any 4*likelyEdits+1 of its trigrams: the
// rarest will do, and those that half of a large vocabulary has are seldom read.
func (n *Names) sharing(r *Reader, word string) []string {
	var lists [][]uint32
	for gram := range trigrams(word) {
		lists = append(lists, n.holding(r, gram))
	}
	slices.SortStableFunc(lists, func(a, b []uint32) int { return cmp.Compare(len(a), len(b)) })
	enough := min(4*likelyEdits+1, len(lists))
	out, left := n.wordsOf(r, lists[:enough], nearPostings)
	likely := func(c string) bool { _, ok := domains.Edits(word, c, likelyEdits); return ok }
	if enough == len(lists) || slices.ContainsFunc(out, likely) {
		return out
	}
	others, _ := n.wordsOf(r, lists[enough:], left)
	return append(out, others...)
}

// wordsOf returns the words in lists of them, reading at most so many entries, and how
// many may still be read.
func (n *Names) wordsOf(r *Reader, lists [][]uint32, most int) (out []string, left int) {
	var words []uint32
	for _, l := range lists {
		words = append(words, l[:min(most-len(words), len(l))]...)
	}
	r.work.Postings += len(words)
	left = most - len(words)
	slices.Sort(words)
	for _, w := range slices.Compact(words) {
		out = append(out, n.words.at(int(w)))
	}
	return out, left
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
