package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Builder collects triples for a Snapshot. It copies the texts it keeps, so the
// reader's buffers are free. It is not for concurrent use.
type Builder struct {
	iris, blanks interner[string]
	literals     interner[literal]
	quoted       interner[[3]uint32]
	tags         interner[literalTag]
	triples      [][3]uint32 // keys of subject, predicate and object
}

// literal is a literal while building: its text and the number of its tag.
type literal struct {
	text string
	tag  uint32
}

// NewBuilder returns an empty Builder.
func NewBuilder() *Builder {
	return &Builder{
		iris: newInterner[string](), blanks: newInterner[string](), literals: newInterner[literal](),
		quoted: newInterner[[3]uint32](), tags: newInterner[literalTag](),
	}
}

// Add adds a triple. A triple that is already there is dropped by Build; one
// that is not RDF (a literal as subject, a predicate that is no IRI, a part that is
// missing) is ignored.
func (b *Builder) Add(t rdf.Triple) {
	if !valid(t) {
		return
	}
	b.triples = append(b.triples, [3]uint32{b.key(t.Subject), b.key(t.Predicate), b.key(t.Object)})
}

// valid says whether each part of a triple has a kind that it may have
// (RDF 1.2 Concepts §3.1).
func valid(t rdf.Triple) bool {
	if t.Subject.Kind != rdf.IRI && t.Subject.Kind != rdf.Blank || t.Predicate.Kind != rdf.IRI {
		return false
	}
	switch t.Object.Kind {
	case rdf.IRI, rdf.Blank, rdf.Literal:
		return true
	case rdf.TripleTerm:
		return t.Object.Triple != nil && valid(*t.Object.Triple)
	}
	return false
}

// key numbers a term while building: its place among the terms of its kind,
// followed by two bits for the kind.
func (b *Builder) key(t rdf.Term) uint32 {
	var n uint32
	switch t.Kind {
	case rdf.IRI:
		n = b.iris.add(t.Value, strings.Clone)
	case rdf.Blank:
		n = b.blanks.add(t.Value, strings.Clone)
	case rdf.Literal:
		tag := b.tags.add(tagOf(t), func(t literalTag) literalTag {
			return literalTag{strings.Clone(t.datatype), strings.Clone(t.lang), strings.Clone(t.dir)}
		})
		n = b.literals.add(literal{t.Value, tag}, func(l literal) literal { return literal{strings.Clone(l.text), l.tag} })
	case rdf.TripleTerm:
		parts := [3]uint32{b.key(t.Triple.Subject), b.key(t.Triple.Predicate), b.key(t.Triple.Object)}
		n = b.quoted.add(parts, func(p [3]uint32) [3]uint32 { return p })
	}
	return n<<2 | uint32(t.Kind-1)
}

// Build makes the snapshot and takes the builder over, which must not be used
// afterwards.
func (b *Builder) Build() *Snapshot {
	s := &Snapshot{}
	ids := b.number(&s.dict)
	b.iris, b.blanks, b.literals, b.quoted, b.tags = interner[string]{}, interner[string]{}, interner[literal]{}, interner[[3]uint32]{}, interner[literalTag]{}
	var first ID
	for i, t := range b.triples {
		for j, key := range t {
			t[j] = uint32(ids[key&3][key>>2])
		}
		b.triples[i] = t
		first = max(first, ID(t[0]))
	}
	s.spo = sortedIndex(b.triples, first)
	b.triples = nil
	n := len(s.spo.pairs)
	s.osp = newIndex(n, s.dict.len(), func(yield func(o, s, p ID)) {
		s.spo.rows(func(s, p, o ID) { yield(o, s, p) })
	})
	s.pos = newIndex(n, s.dict.iris, func(yield func(p, o, s ID)) {
		s.osp.rows(func(o, s, p ID) { yield(p, o, s) })
	})
	s.describe()
	return s
}

// sortedIndex sorts triples and drops repeated ones. The other two orders follow
// from the first without sorting: rows that come in the order s-p-o fall into o-s-p
// order when they are distributed over their objects, and those into p-o-s.
func sortedIndex(triples [][3]uint32, first ID) index {
	x := newIndex(len(triples), first, func(yield func(s, p, o ID)) {
		for _, t := range triples {
			yield(ID(t[0]), ID(t[1]), ID(t[2]))
		}
	})
	kept := uint32(0)
	for a := range first + 1 {
		pairs := x.pairs[x.start[a]:x.start[a+1]]
		slices.Sort(pairs)
		pairs = slices.Compact(pairs)
		x.start[a] = kept
		kept += uint32(copy(x.pairs[kept:], pairs))
	}
	x.start[first+1] = kept
	x.pairs = slices.Clip(x.pairs[:kept])
	return x
}

// number sorts the terms into the dictionary and returns for each kind the
// numbers of its keys.
func (b *Builder) number(d *dictionary) (ids [4][]ID) {
	tags, tagNumber := b.tags.sorted(literalTag.compare)
	d.tags = tags
	for i, l := range b.literals.values {
		b.literals.values[i].tag = uint32(tagNumber[l.tag])
	}
	iris, iriNumber := b.iris.sorted(cmp.Compare[string])
	blanks, blankNumber := b.blanks.sorted(cmp.Compare[string])
	literals, literalNumber := b.literals.sorted(func(l, m literal) int {
		return cmp.Or(cmp.Compare(l.text, m.text), cmp.Compare(l.tag, m.tag))
	})
	d.iris = ID(len(iris))
	d.blanks = d.iris + ID(len(blanks))
	d.literals = d.blanks + ID(len(literals))
	d.tag = make([]uint32, len(literals))
	lexical := make([]string, len(literals))
	for i, l := range literals {
		lexical[i], d.tag[i] = l.text, l.tag
	}
	d.text = newTexts(iris, blanks, lexical)
	ids = [4][]ID{iriNumber, blankNumber, literalNumber, nil}
	shift(blankNumber, d.iris)
	shift(literalNumber, d.blanks)
	shift(iriNumber, 0)
	ids[rdf.TripleTerm-1] = b.numberQuoted(d, ids)
	return ids
}

// shift turns places into numbers that follow last.
func shift(places []ID, last ID) {
	for i := range places {
		places[i] += last + 1
	}
}

// numberQuoted adds the triple terms. A triple term is interned after its parts,
// so parts that are triple terms themselves are made first.
func (b *Builder) numberQuoted(d *dictionary, ids [4][]ID) []ID {
	terms := make([]rdf.Term, len(b.quoted.values))
	part := func(key uint32) rdf.Term {
		if kind := rdf.Kind(key&3) + 1; kind != rdf.TripleTerm {
			return d.term(ids[key&3][key>>2])
		}
		return terms[key>>2]
	}
	order := make([]ID, len(terms))
	for i, p := range b.quoted.values {
		order[i] = ID(i)
		terms[i] = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: part(p[0]), Predicate: part(p[1]), Object: part(p[2])}}
	}
	slices.SortFunc(order, func(i, j ID) int { return compareTerms(terms[i], terms[j]) })
	number := make([]ID, len(terms))
	for place, i := range order {
		number[i] = d.literals + ID(place) + 1
		d.quoted = append(d.quoted, terms[i])
	}
	return number
}

// interner numbers distinct values in the order in which they come.
type interner[T comparable] struct {
	number map[T]uint32
	values []T
}

func newInterner[T comparable]() interner[T] { return interner[T]{number: map[T]uint32{}} }

// add returns the number of a value; a new one is kept as clone makes it.
func (in *interner[T]) add(v T, clone func(T) T) uint32 {
	if n, ok := in.number[v]; ok {
		return n
	}
	v = clone(v)
	n := uint32(len(in.values))
	in.number[v] = n
	in.values = append(in.values, v)
	return n
}

// sorted returns the values in order, and for each number the place of its value.
func (in *interner[T]) sorted(compare func(a, b T) int) (values []T, place []ID) {
	in.number = nil
	order := make([]uint32, len(in.values))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int { return compare(in.values[i], in.values[j]) })
	values, place = make([]T, len(order)), make([]ID, len(order))
	for p, i := range order {
		values[p] = in.values[i]
		place[i] = ID(p)
	}
	return values, place
}
