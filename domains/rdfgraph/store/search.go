package store

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// MaxPostings is how many entries a search reads at most, all its steps together.
// What lies beyond is not looked at, and the answer says that there may be more.
const MaxPostings = 50_000

// Owners are those who have a name that fits, in order and each once.
type Owners struct {
	IDs []ID
	// More is set when the search stopped before its end.
	More bool
}

// Exact finds the owners of a name. All texts that are asked for must be folded.
// Of texts as of names only the first 400 bytes count.
func (n *Names) Exact(r *Reader, text string) Owners {
	text = indexed(text)
	r.work.Lookups++
	i, ok := n.names.find(text)
	if text == "" || !ok {
		return Owners{}
	}
	c := collector{n: n, r: r}
	c.name(i)
	return c.owners()
}

// Prefix finds the owners of the names that begin with a text, the name itself
// included.
func (n *Names) Prefix(r *Reader, text string) Owners {
	text = indexed(text)
	if text == "" {
		return Owners{}
	}
	r.work.Lookups++
	c := collector{n: n, r: r}
	for i, end := n.names.beginning(text); i < end && c.name(i); i++ {
	}
	return c.owners()
}

// Words finds the owners of the names that hold all words of a text, in any
// order. It reads the names with the rarest word.
func (n *Names) Words(r *Reader, text string) Owners {
	var rarest []uint32
	words := searched(text)
	for i, word := range words {
		r.work.Lookups++
		w, ok := n.words.find(word)
		if !ok {
			return Owners{}
		}
		if p := n.postings.at(w); i == 0 || len(p) < len(rarest) {
			rarest = p
		}
	}
	c := collector{n: n, r: r}
	c.names(rarest, func(name string) bool { return holdsWords(name, words) })
	return c.owners()
}

// searched are the words of a folded text that are looked for: the different ones
// among its first 400 bytes, the first domains.MaxWords of them. A word that the cut
// tears is none, unless it is alone.
func searched(text string) []string {
	var words []string
	cut := indexed(text)
	if len(cut) < len(text) && text[len(cut)] != ' ' {
		cut = cut[:max(strings.LastIndexByte(cut, ' '), 0)]
		if cut == "" {
			cut = indexed(text)
		}
	}
	for word := range strings.FieldsSeq(cut) {
		if len(words) == domains.MaxWords {
			break
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return words
}

// Shortened says of a folded text which parts are not looked for: bytes, by all
// searches, or words, by those that look for words.
func Shortened(text string) (bytes, words bool) {
	if len(text) > longestName {
		return true, true
	}
	some := searched(text)
	for word := range strings.FieldsSeq(text) {
		if !slices.Contains(some, word) {
			return false, true
		}
	}
	return false, false
}

func holdsWords(name string, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !holdsWord(name, w) })
}

func holdsWord(name, word string) bool {
	for w := range strings.SplitSeq(name, " ") {
		if w == word {
			return true
		}
	}
	return false
}

// Within finds the owners of the names that hold each word of a text inside one
// of their words. What is shorter than three letters or has a digit must begin a
// word, and a word with digits is found by its beginning only. It reads the names
// with the part that promises fewest.
func (n *Names) Within(r *Reader, text string) Owners {
	parts := searched(text)
	if len(parts) == 0 {
		return Owners{}
	}
	rarest, least := parts[0], 0
	if len(parts) > 1 {
		for i, part := range parts {
			if size := n.measure(r, part); i == 0 || size < least {
				rarest, least = part, size
			}
		}
	}
	c := collector{n: n, r: r}
	n.eachWith(&c, rarest, func(name string) bool { return holdsParts(name, parts) })
	return c.owners()
}

func holdsParts(name string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !holdsPart(name, p) })
}

func holdsPart(name, part string) bool {
	if !strings.Contains(name, part) {
		return false
	}
	for word := range strings.SplitSeq(name, " ") {
		if strings.HasPrefix(word, part) || !beginsOnly(part) && strings.Contains(word, part) && inTrigrams(word) {
			return true
		}
	}
	return false
}

// beginsOnly says whether a part is looked for only where words begin.
func beginsOnly(part string) bool { return utf8.RuneCountInString(part) < 3 || hasNumber(part) }

// measured is how many words are looked at to say how many names have a part.
const measured = 1_000

// measure is about how many entries lead to the names with a part: exact unless
// many words may hold it.
func (n *Names) measure(r *Reader, part string) int {
	r.work.Lookups++
	first, end := n.words.beginning(part)
	size := n.postings.sum(first, end)
	if beginsOnly(part) {
		return size
	}
	holders := n.rarestHolders(r, part)
	if len(holders) > measured {
		return size + MaxPostings
	}
	for _, w := range holders {
		if !r.Read() {
			return size + MaxPostings
		}
		if holdsInside(n.words.at(int(w)), part) {
			size += len(n.postings.at(int(w)))
		}
	}
	return size
}

// eachWith collects from the names with a part: those where it begins a word, then
// those where it is further inside.
func (n *Names) eachWith(c *collector, part string, fits func(name string) bool) {
	c.r.work.Lookups++
	for w, end := n.words.beginning(part); w < end; w++ {
		if !c.names(n.postings.at(w), fits) {
			return
		}
	}
	if beginsOnly(part) {
		return
	}
	for _, w := range n.rarestHolders(c.r, part) {
		if !c.posting() {
			return
		}
		if holdsInside(n.words.at(int(w)), part) && !c.names(n.postings.at(int(w)), fits) {
			return
		}
	}
}

// holdsInside says whether a word holds a part, and does not begin with it.
func holdsInside(word, part string) bool {
	return strings.Contains(word, part) && !strings.HasPrefix(word, part)
}

// rarestHolders returns the words that hold the rarest trigram of a part.
func (n *Names) rarestHolders(r *Reader, part string) []uint32 {
	var rarest []uint32
	first := true
	for gram := range trigrams(part) {
		holders := n.holding(r, gram)
		if first || len(holders) < len(rarest) {
			rarest, first = holders, false
		}
	}
	return rarest
}

// holding returns the words that hold a trigram.
func (n *Names) holding(r *Reader, gram uint64) []uint32 {
	r.work.Lookups++
	i := sort.Search(len(n.grams), func(i int) bool { return n.grams[i] >= gram })
	if i == len(n.grams) || n.grams[i] != gram {
		return nil
	}
	return n.holders.at(i + 1)
}

// collector gathers owners of names until no more may be read.
type collector struct {
	n    *Names
	r    *Reader
	ids  []ID
	more bool
}

// names adds the owners of those names whose text fits; false means stop.
func (c *collector) names(names []uint32, fits func(name string) bool) bool {
	for _, name := range names {
		if !c.posting() {
			return false
		}
		if fits(c.n.names.at(int(name))) && !c.name(int(name)) {
			return false
		}
	}
	return true
}

// name adds the owners of a name; false means stop.
func (c *collector) name(name int) bool {
	for _, owner := range c.n.owners.at(name) {
		if !c.posting() {
			return false
		}
		c.ids = append(c.ids, owner)
	}
	return true
}

func (c *collector) posting() bool {
	ok := c.r.Read()
	c.more = c.more || !ok
	return ok
}

func (c *collector) owners() Owners {
	slices.Sort(c.ids)
	return Owners{IDs: slices.Compact(c.ids), More: c.more}
}

// BestTier says how well the best of some folded names fits a folded text: 1 it is
// the text, 2 it begins with it, 3 it holds its words, 4 it holds parts as Within
// finds them. ok is false when none fits. It agrees with the searches of an index
// of the names.
func BestTier(names []string, text string) (tier int, ok bool) {
	words := searched(text)
	text = indexed(text)
	if len(words) == 0 {
		return 0, false
	}
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = indexed(name)
	}
	for i, fits := range []func(name string) bool{
		func(name string) bool { return name == text },
		func(name string) bool { return strings.HasPrefix(name, text) },
		func(name string) bool { return holdsWords(name, words) },
		func(name string) bool { return holdsParts(name, words) },
	} {
		if slices.ContainsFunc(names, fits) {
			return i + 1, true
		}
	}
	return 0, false
}
