package store

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// MaxPostings is how many entries one step of a search reads at most. What lies
// beyond is not looked at, and the answer says that there may be more.
const MaxPostings = 50_000

// Owners are those who have a name that fits, in order and each once.
type Owners struct {
	IDs []ID
	// More is set when the search stopped at MaxPostings.
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
	words := strings.Fields(indexed(text))
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
	for _, name := range rarest {
		if !c.nameIf(int(name), func(text string) bool { return holdsWords(text, words) }) {
			break
		}
	}
	return c.owners()
}

func holdsWords(name string, words []string) bool {
	name = " " + name + " "
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, " "+w+" ") })
}

// Within finds the owners of the names that hold each word of a text inside one
// of their words. What is shorter than three letters or has a digit must begin a
// word, and a word with digits is found by its beginning only.
func (n *Names) Within(r *Reader, text string) Owners {
	words := strings.Fields(indexed(text))
	var (
		rarest []int
		least  int
		more   bool
	)
	for i, word := range words {
		holders, stopped := n.wordsWith(r, word)
		more = more || stopped
		size := 0
		for _, w := range holders {
			size += len(n.postings.at(w))
		}
		if i == 0 || size < least {
			rarest, least = holders, size
		}
	}
	c := collector{n: n, r: r, more: more}
	for _, w := range rarest {
		for _, name := range n.postings.at(w) {
			if !c.nameIf(int(name), func(text string) bool { return holdsParts(text, words) }) {
				return c.owners()
			}
		}
	}
	return c.owners()
}

func holdsParts(name string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !holdsPart(name, p) })
}

func holdsPart(name, part string) bool {
	for word := range strings.SplitSeq(name, " ") {
		if strings.HasPrefix(word, part) || !beginsOnly(part) && strings.Contains(word, part) && inTrigrams(word) {
			return true
		}
	}
	return false
}

// beginsOnly says whether a part is looked for only where words begin.
func beginsOnly(part string) bool { return utf8.RuneCountInString(part) < 3 || hasNumber(part) }

// wordsWith returns the words that hold a part, in order; more is set when it
// stopped early.
func (n *Names) wordsWith(r *Reader, part string) (words []int, more bool) {
	left := MaxPostings
	read := func() bool {
		r.work.Postings++
		left--
		return left >= 0
	}
	r.work.Lookups++
	for w, end := n.words.beginning(part); w < end; w++ {
		if !read() {
			return words, true
		}
		words = append(words, w)
	}
	if beginsOnly(part) {
		return words, false
	}
	for _, w := range n.rarestHolders(r, part) {
		if !read() {
			more = true
			break
		}
		if word := n.words.at(int(w)); strings.Contains(word, part) && !strings.HasPrefix(word, part) {
			words = append(words, int(w))
		}
	}
	slices.Sort(words)
	return words, more
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

// collector gathers owners of names until it has read enough.
type collector struct {
	n    *Names
	r    *Reader
	read int
	ids  []ID
	more bool
}

// nameIf adds the owners of a name whose text fits; false means stop.
func (c *collector) nameIf(name int, fits func(string) bool) bool {
	if !c.posting() {
		return false
	}
	return !fits(c.n.names.at(name)) || c.name(name)
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
	if c.read == MaxPostings {
		c.more = true
		return false
	}
	c.read++
	c.r.work.Postings++
	return true
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
	text = indexed(text)
	words := strings.Fields(text)
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
