package rdf

import "hash/maphash"

// A cache holds the strings that were made last, so that terms that come again
// share one string. It forgets by overwriting, which bounds its memory.
type cache struct {
	seed  maphash.Seed
	slots []cached // hash of the text → what it stands for; nil until needed
}

const (
	cacheSize = 1 << 12
	// cacheLongest is the longest text that is kept: longer ones seldom come
	// again.
	cacheLongest = 128
)

// cached is a text of the file and the value it stands for.
type cached struct{ text, value string }

func newCache() *cache { return &cache{seed: maphash.MakeSeed()} }

// text returns b as a string.
func (c *cache) text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > cacheLongest {
		return string(b)
	}
	slot := c.slot(b)
	if slot.text != string(b) {
		s := string(b)
		*slot = cached{s, s}
	}
	return slot.value
}

// slot is where the value of a text is kept; whether it is that text's or
// another's must be checked.
func (c *cache) slot(b []byte) *cached {
	if c.slots == nil {
		c.slots = make([]cached, cacheSize)
	}
	return &c.slots[maphash.Bytes(c.seed, b)%cacheSize]
}

// clear forgets everything.
func (c *cache) clear() { clear(c.slots) }
