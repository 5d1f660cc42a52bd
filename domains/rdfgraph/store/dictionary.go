package store

import (
	"cmp"
	"sort"

	"github.com/ontogate/ontogate/domains/rdf"
)

// ID is the number of a term in one snapshot. IRIs come first, then blank nodes,
// literals and triple terms, each kind in the order of its text; so comparing
// numbers compares terms. 0 is no term: "any" in a pattern.
type ID uint32

// dictionary maps numbers to terms and back. There is no hash table: terms are
// sorted, and a look-up is a binary search.
type dictionary struct {
	// text holds the texts of all terms but triple terms.
	text texts
	// iris, blanks and literals are the last numbers of these kinds.
	iris, blanks, literals ID
	// tag says for each literal which of tags it has.
	tag  []uint32
	tags []literalTag // sorted
	// quoted are the triple terms, which are rare, as they are.
	quoted []rdf.Term
}

// literalTag is what a literal has besides its lexical form.
type literalTag struct{ datatype, lang, dir string }

func (t literalTag) compare(u literalTag) int {
	return cmp.Or(cmp.Compare(t.datatype, u.datatype), cmp.Compare(t.lang, u.lang), cmp.Compare(t.dir, u.dir))
}

func tagOf(t rdf.Term) literalTag { return literalTag{t.Datatype, t.Lang, t.Dir} }

// len is the number of terms, and so the last number.
func (d *dictionary) len() ID { return d.literals + ID(len(d.quoted)) }

func (d *dictionary) kind(id ID) rdf.Kind {
	switch {
	case id == 0 || id > d.len():
		return 0
	case id <= d.iris:
		return rdf.IRI
	case id <= d.blanks:
		return rdf.Blank
	case id <= d.literals:
		return rdf.Literal
	}
	return rdf.TripleTerm
}

// value is the text of a term that is not a triple term.
func (d *dictionary) value(id ID) string { return d.text.at(int(id)) }

func (d *dictionary) term(id ID) rdf.Term {
	kind := d.kind(id)
	switch kind {
	case 0:
		return rdf.Term{}
	case rdf.TripleTerm:
		return d.quoted[id-d.literals-1]
	case rdf.Literal:
		tag := d.tags[d.tag[id-d.blanks-1]]
		return rdf.Term{Kind: kind, Value: d.value(id), Datatype: tag.datatype, Lang: tag.lang, Dir: tag.dir}
	}
	return rdf.Term{Kind: kind, Value: d.value(id)}
}

func (d *dictionary) lookup(t rdf.Term) (ID, bool) {
	switch t.Kind {
	case rdf.IRI:
		return d.find(0, d.iris, func(id ID) int { return cmp.Compare(t.Value, d.value(id)) })
	case rdf.Blank:
		return d.find(d.iris, d.blanks, func(id ID) int { return cmp.Compare(t.Value, d.value(id)) })
	case rdf.Literal:
		tag, ok := sort.Find(len(d.tags), func(i int) int { return tagOf(t).compare(d.tags[i]) })
		if !ok {
			return 0, false
		}
		return d.find(d.blanks, d.literals, func(id ID) int {
			return cmp.Or(cmp.Compare(t.Value, d.value(id)), cmp.Compare(uint32(tag), d.tag[id-d.blanks-1]))
		})
	case rdf.TripleTerm:
		return d.find(d.literals, d.len(), func(id ID) int { return compareTerms(t, d.term(id)) })
	}
	return 0, false
}

// find searches the numbers after low up to high.
func (d *dictionary) find(low, high ID, compare func(ID) int) (ID, bool) {
	i, ok := sort.Find(int(high-low), func(i int) int { return compare(low + 1 + ID(i)) })
	return low + 1 + ID(i), ok
}

// iriRange returns the numbers of the IRIs that begin with a text, from first to
// before end.
func (d *dictionary) iriRange(prefix string) (first, end ID) {
	from, to := d.text.beginningUpTo(prefix, int(d.iris))
	return ID(from), ID(to)
}

// literalRange returns the numbers of the literals with a text, from first to before end.
func (d *dictionary) literalRange(text string) (first, end ID) {
	n := int(d.literals - d.blanks)
	from := sort.Search(n, func(i int) bool { return d.value(d.blanks+1+ID(i)) >= text })
	to := from + sort.Search(n-from, func(i int) bool { return d.value(d.blanks+1+ID(from+i)) > text })
	return d.blanks + 1 + ID(from), d.blanks + 1 + ID(to)
}

// compareTerms orders terms as their numbers are ordered. A triple term without a
// triple, which no graph has, comes before the others.
func compareTerms(a, b rdf.Term) int {
	if a.Kind == rdf.TripleTerm && b.Kind == rdf.TripleTerm {
		switch {
		case a.Triple == nil && b.Triple == nil:
			return 0
		case a.Triple == nil:
			return -1
		case b.Triple == nil:
			return 1
		}
		return cmp.Or(
			compareTerms(a.Triple.Subject, b.Triple.Subject),
			compareTerms(a.Triple.Predicate, b.Triple.Predicate),
			compareTerms(a.Triple.Object, b.Triple.Object))
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Value, b.Value), tagOf(a).compare(tagOf(b)))
}
