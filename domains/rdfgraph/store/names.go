package store

import (
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
type lists[T ~uint32] struct {
	start []uint32 // list i is all[start[i]:start[i+1]]
	all   []T
}

func (l *lists[T]) at(i int) []T { return l.all[l.start[i]:l.start[i+1]] }

// sum is the length of the lists from first to before end.
func (l *lists[T]) sum(first, end int) int { return int(l.start[end] - l.start[first]) }

// indexed is the part of a folded name that is indexed, and of a folded text that is
// searched for.
func indexed(folded string) string {
	if len(folded) <= longestName {
		return folded
	}
	return strings.TrimSuffix(strings.ToValidUTF8(folded[:longestName], ""), " ")
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
