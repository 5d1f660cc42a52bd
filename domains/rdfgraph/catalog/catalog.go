// Package catalog reads XML catalogues (OASIS XML Catalogs 1.1) as ontology editors write
// them: a file catalog-v001.xml beside ontologies says in which file the ontology of an IRI
// is. What such a file says is the word of whoever wrote it: [Entry.Target] tells where it
// points, and whether that may be opened is the caller's to decide. Nothing is ever fetched.
//
// Read are uri, rewriteURI, nextCatalog and group, with xml:base on each (sections 6.5.2 to
// 6.5.14). Other elements, which resolve what no RDF file asks for, are passed over; those
// that no catalogue has are faults.
package catalog

import (
	"fmt"
	"strings"
)

// Name is the name under which editors keep a catalogue.
const Name = "catalog-v001.xml"

// Limits of Read. A catalogue that goes beyond one is refused.
const (
	// MaxSize is the size of a catalogue in bytes.
	MaxSize = 8 << 20
	// MaxDepth is the deepest nesting of elements.
	MaxDepth = 100
	// MaxEntries is how many entries and following catalogues there may be.
	MaxEntries = 100_000
	// MostFaults is how many faults of elements are told.
	MostFaults = 20
)

// Catalog is a catalogue.
type Catalog struct {
	// Entries are those of uri and rewriteURI, in the order of the file.
	Entries []Entry
	// Next are the catalogues that follow, of nextCatalog, in the order of the file.
	Next []Entry
	// Faults are elements that say nothing, in the order of the file and at most MostFaults of
	// them: they are left out, and the others count.
	Faults []*Error

	names    map[string]int // IRI of a uri entry → its index; of several the first
	trimmed  map[string]int // the same without what Trim takes away
	prefixes []int          // indexes of the rewriteURI entries
}

// Entry is a line of a catalogue.
type Entry struct {
	// IRI is whose file the entry names; of a prefix entry, how such IRIs begin. Empty for
	// a catalogue that follows.
	IRI string
	// Prefix is set for rewriteURI.
	Prefix bool
	// Line and Column count from 1, columns in code points.
	Line, Column int

	to reference
}

// Target is where an entry points. For a prefix entry it is where the prefix leads.
func (e Entry) Target() Target { return e.to.target() }

// Error says where a catalogue breaks the rules.
type Error struct {
	// File is the file's name as Read was given it.
	File string
	// Line and Column count from 1, columns in code points.
	Line, Column int
	// Message says what was found and what to do.
	Message string
}

// Error is the error as file:line:column: message.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// Trim is an IRI without the "#" or "/" at its end: ontologies are imported with and
// without it.
func Trim(iri string) string {
	if n := len(iri) - 1; n > 0 && (iri[n] == '#' || iri[n] == '/') {
		return iri[:n]
	}
	return iri
}

// index makes the entries ready for Lookup.
func (c *Catalog) index() {
	c.names, c.trimmed = map[string]int{}, map[string]int{}
	note := func(to map[string]int, iri string, i int) {
		if _, taken := to[iri]; !taken {
			to[iri] = i
		}
	}
	for i, e := range c.Entries {
		if e.Prefix {
			c.prefixes = append(c.prefixes, i)
			continue
		}
		note(c.names, e.IRI, i)
		note(c.trimmed, Trim(e.IRI), i)
	}
}

// Lookup finds the entry for an IRI, and where it points: the one that names the IRI, else
// the first that names it with or without "#" or "/" at its end, else that of the longest
// prefix (section 7.2.2, but for the trimming).
func (c *Catalog) Lookup(iri string) (e Entry, to Target, ok bool) {
	if i, is := c.names[iri]; is {
		return c.Entries[i], c.Entries[i].Target(), true
	}
	if i, is := c.trimmed[Trim(iri)]; is {
		return c.Entries[i], c.Entries[i].Target(), true
	}
	best := -1
	for _, i := range c.prefixes {
		if strings.HasPrefix(iri, c.Entries[i].IRI) && (best < 0 || len(c.Entries[i].IRI) > len(c.Entries[best].IRI)) {
			best = i
		}
	}
	if best < 0 {
		return Entry{}, Target{}, false
	}
	e = c.Entries[best]
	return e, e.to.append(iri[len(e.IRI):]).target(), true
}
