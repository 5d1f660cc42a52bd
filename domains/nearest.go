package domains

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest returns up to k of the candidates that someone who typed word may have
// meant, nearest first, ties in the order of the text. Case, spaces, '_' and '-' do
// not count. A candidate is near when it holds the word or is held by it (three
// letters or more), or when at most a third of the letters differ; swapped
// neighbours count as one difference. Equal candidates come once.
func Nearest(word string, candidates []string, k int) []string {
	type scored struct {
		name  string
		score int
	}
	w := fold(word)
	var near []scored
	seen := map[string]bool{}
	for _, c := range candidates {
		if seen[c] {
			continue
		}
		seen[c] = true
		f := fold(c)
		limit := max(utf8.RuneCountInString(w), utf8.RuneCountInString(f)) / 3
		d, ok := distance(w, f, limit)
		switch {
		case ok:
			near = append(near, scored{c, d})
		case len(w) >= 3 && strings.Contains(f, w), len(f) >= 3 && strings.Contains(w, f):
			near = append(near, scored{c, limit + 1})
		}
	}
	slices.SortFunc(near, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	out := make([]string, 0, min(k, len(near)))
	for _, n := range near[:min(k, len(near))] {
		out = append(out, n.name)
	}
	return out
}

// Edits is the number of letters to insert, delete, replace or swap with the neighbour to
// get from a to b; case, spaces, '_' and '-' do not count. ok is false when it is more
// than limit.
func Edits(a, b string, limit int) (n int, ok bool) { return distance(fold(a), fold(b), limit) }

// distance is the number of letters to insert, delete, replace or swap with the
// neighbour to get from a to b (optimal string alignment). ok is false when it is
// more than limit.
func distance(a, b string, limit int) (d int, ok bool) {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return 0, false
	}
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return 0, false
		}
		before, above, row = above, row, before
	}
	return above[len(y)], above[len(y)] <= limit
}
