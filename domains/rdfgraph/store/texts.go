package store

import (
	"sort"
	"strings"
)

// texts is a list of strings in one piece of memory, counted from 1.
type texts struct {
	all  string
	ends []uint64 // number i is all[ends[i-1]:ends[i]]
}

func (t *texts) len() int        { return max(len(t.ends)-1, 0) }
func (t *texts) at(i int) string { return t.all[t.ends[i-1]:t.ends[i]] }

// find returns the place of a text in a sorted list; where it is not there, the
// place where it would be.
func (t *texts) find(text string) (i int, ok bool) {
	i, ok = sort.Find(t.len(), func(i int) int { return strings.Compare(text, t.at(i+1)) })
	return i + 1, ok
}

// beginning returns the part of a sorted list that begins with a prefix: from
// first to before end.
func (t *texts) beginning(prefix string) (first, end int) { return t.beginningUpTo(prefix, t.len()) }

// beginningUpTo is beginning where only the first n texts are sorted.
func (t *texts) beginningUpTo(prefix string, n int) (first, end int) {
	from := sort.Search(n, func(i int) bool { return t.at(i+1) >= prefix })
	to := from + sort.Search(n-from, func(i int) bool { return !strings.HasPrefix(t.at(from+i+1), prefix) })
	return from + 1, to + 1
}

// newTexts joins lists of strings.
func newTexts(lists ...[]string) texts {
	size, n := 0, 0
	for _, list := range lists {
		n += len(list)
		for _, s := range list {
			size += len(s)
		}
	}
	var b strings.Builder
	b.Grow(size)
	ends := make([]uint64, 1, n+1)
	for _, list := range lists {
		for _, s := range list {
			b.WriteString(s)
			ends = append(ends, uint64(b.Len()))
		}
	}
	return texts{b.String(), ends}
}
