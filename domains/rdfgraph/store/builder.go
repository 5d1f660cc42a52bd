package store

import (
	"encoding/binary"
	"strings"
	"sync"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Builder collects triples for a Snapshot. It copies the texts it keeps, so the
// reader's buffers are free. Add is not for concurrent use; several goroutines that
// add have an Adder each.
type Builder struct {
	terms termTable
	own   *Adder // of Add

	mu     sync.Mutex
	tags   map[literalTag]uint32 // tag of a literal → its place in listed
	listed []literalTag
	adders []*Adder
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	b := &Builder{terms: newTermTable(), tags: map[literalTag]uint32{}}
	b.own = b.Adder()
	return b
}

// Add adds a triple. A triple that is already there is dropped by Build; one
// that is not RDF (a literal as subject, a predicate that is no IRI, a part that is
// missing) is ignored.
func (b *Builder) Add(t rdf.Triple) { b.own.Add(t) }

// Adder returns what one goroutine adds triples with, while others use theirs. What the
// snapshot is does not depend on who adds what, nor on the order.
func (b *Builder) Adder() *Adder {
	a := &Adder{builder: b}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.adders = append(b.adders, a)
	return a
}

// tagNumber is the place of a tag among those of all literals.
func (b *Builder) tagNumber(t literalTag) uint32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	n, ok := b.tags[t]
	if !ok {
		t = literalTag{strings.Clone(t.datatype), strings.Clone(t.lang), strings.Clone(t.dir)}
		n = uint32(len(b.listed))
		b.tags[t] = n
		b.listed = append(b.listed, t)
	}
	return n
}

// Adder adds triples to a Builder. It is for one goroutine at a time, and must not be
// used after Build.
type Adder struct {
	builder *Builder
	// full and next hold the triples as keys of subject, predicate and object.
	full [][][3]uint32
	next [][3]uint32
	// subject and its key were added last: triples of one subject mostly stand together.
	subject    rdf.Term
	subjectKey uint32
	recent     []recentTerm // hash → the term that had it last
	recentTags [16]recentTag
	// quoted is the triple of the triple term that was added last; nil at first.
	quoted    *rdf.Triple
	quotedKey uint32
}

// recentTerm is a term that an Adder has met, and its key.
type recentTerm struct {
	text string
	sort uint32
	key  uint32 // plus 1
}

// recentTag is a tag that an Adder has met, and its number.
type recentTag struct {
	tag    literalTag
	number uint32 // plus 1
}

const (
	blockTriples = 1 << 15 // triples in a part of Adder.full
	recentTerms  = 1 << 12
	// recentLen is the length in bytes up to which a text is kept as recent: long ones seldom
	// come again, and the reader's copy of each would stay.
	recentLen = 1 << 10
)

// Add is Builder.Add.
func (a *Adder) Add(t rdf.Triple) { a.AddTriple(&t) }

// AddTriple is Add for a triple that is not copied.
func (a *Adder) AddTriple(t *rdf.Triple) {
	if !valid(t) {
		return
	}
	if t.Subject.Kind != a.subject.Kind || t.Subject.Value != a.subject.Value {
		a.subject, a.subjectKey = t.Subject, a.key(&t.Subject)
	}
	if len(a.next) == blockTriples {
		a.full = append(a.full, a.next)
		a.next = make([][3]uint32, 0, blockTriples)
	}
	a.next = append(a.next, [3]uint32{a.subjectKey, a.key(&t.Predicate), a.key(&t.Object)})
}

// valid says whether each part of a triple has a kind that it may have
// (RDF 1.2 Concepts §3.1).
func valid(t *rdf.Triple) bool {
	if t.Subject.Kind != rdf.IRI && t.Subject.Kind != rdf.Blank || t.Predicate.Kind != rdf.IRI {
		return false
	}
	switch t.Object.Kind {
	case rdf.IRI, rdf.Blank, rdf.Literal:
		return true
	case rdf.TripleTerm:
		return t.Object.Triple != nil && valid(t.Object.Triple)
	}
	return false
}

// The sorts of terms while building. A literal's is sortLiteral and the number of its
// tag.
const (
	sortIRI uint32 = iota
	sortBlank
	sortQuoted
	sortLiteral
)

// key numbers a term while building.
func (a *Adder) key(t *rdf.Term) uint32 {
	switch t.Kind {
	case rdf.IRI:
		return a.textKey(t.Value, sortIRI)
	case rdf.Blank:
		return a.textKey(t.Value, sortBlank)
	case rdf.Literal:
		return a.textKey(t.Value, sortLiteral+a.tag(t))
	}
	if t.Triple == a.quoted { // as when many reifiers stand for one triple
		return a.quotedKey
	}
	// A triple term is interned after its parts, by their keys.
	var parts [12]byte
	binary.BigEndian.PutUint32(parts[:], a.key(&t.Triple.Subject))
	binary.BigEndian.PutUint32(parts[4:], a.key(&t.Triple.Predicate))
	binary.BigEndian.PutUint32(parts[8:], a.key(&t.Triple.Object))
	a.quoted, a.quotedKey = t.Triple, a.textKey(string(parts[:]), sortQuoted)
	return a.quotedKey
}

// textKey numbers a text of a sort.
func (a *Adder) textKey(text string, sort uint32) uint32 {
	if a.recent == nil {
		a.recent = make([]recentTerm, recentTerms)
	}
	hash := a.builder.terms.hash(text, sort)
	if len(text) > recentLen {
		return a.builder.terms.add(hash, text, sort)
	}
	r := &a.recent[hash%recentTerms]
	if r.key == 0 || r.sort != sort || r.text != text {
		*r = recentTerm{text, sort, a.builder.terms.add(hash, text, sort) + 1}
	}
	return r.key - 1
}

// tag is the number of a literal's tag.
func (a *Adder) tag(t *rdf.Term) uint32 {
	tag := tagOf(*t)
	r := &a.recentTags[(len(tag.datatype)+len(tag.lang)*7+len(tag.dir))%len(a.recentTags)]
	if r.number == 0 || r.tag != tag {
		*r = recentTag{tag, a.builder.tagNumber(tag) + 1}
	}
	return r.number - 1
}
