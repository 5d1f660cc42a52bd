package store

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"github.com/ontogate/ontogate/domains/rdf"
)

// Snapshot is a graph that does not change. It may be used concurrently.
type Snapshot struct {
	dict          dictionary
	spo, pos, osp index
	subjects      int
	predicates    []ID
	work          total
}

// describe counts what is asked of every graph.
func (s *Snapshot) describe() {
	for a := 0; a+1 < len(s.spo.start); a++ {
		if s.spo.start[a] < s.spo.start[a+1] {
			s.subjects++
		}
	}
	for a := 0; a+1 < len(s.pos.start); a++ {
		if s.pos.start[a] < s.pos.start[a+1] {
			s.predicates = append(s.predicates, ID(a))
		}
	}
}

// Len is the number of triples.
func (s *Snapshot) Len() int { return len(s.spo.pairs) }

// Subjects is the number of different subjects.
func (s *Snapshot) Subjects() int { return s.subjects }

// PredicateIDs lists the predicates in use, in order. The caller must not change it.
func (s *Snapshot) PredicateIDs() []ID { return s.predicates }

// Predicates yields every predicate in use once, in order.
func (s *Snapshot) Predicates() iter.Seq[rdf.Term] {
	return func(yield func(rdf.Term) bool) {
		for _, p := range s.predicates {
			if !yield(s.Term(p)) {
				return
			}
		}
	}
}

// Objects yields every object of a predicate once, in order. It skips from one
// to the next without reading the triples between.
func (s *Snapshot) Objects(pred rdf.Term) iter.Seq[rdf.Term] {
	return func(yield func(rdf.Term) bool) {
		p, ok := s.Lookup(pred)
		if !ok {
			return
		}
		r := s.Reader()
		defer r.Done()
		for rows := r.Rows(0, p, 0); rows.Len() > 0; _, rows = rows.Run() {
			if !yield(s.Term(rows.Second())) {
				return
			}
		}
	}
}

// Values reports whether a predicate has literals as objects, and whether it has
// IRIs or blank nodes, by look-up alone.
func (s *Snapshot) Values(pred rdf.Term) (literals, resources bool) {
	p, ok := s.Lookup(pred)
	if !ok {
		return false, false
	}
	pairs := s.pos.of(p)
	for i := 0; i < len(pairs); {
		o, _ := unpack(pairs[i])
		switch {
		case o < s.FirstLiteral():
			resources = true
			i += search(pairs[i:], pack(s.FirstLiteral(), 0))
		case o <= s.dict.literals:
			return true, resources
		default:
			return literals, resources
		}
	}
	return literals, resources
}

// Lookup returns the ID of a term; ok is false when no triple has the term.
func (s *Snapshot) Lookup(t rdf.Term) (id ID, ok bool) {
	if id, ok = s.dict.lookup(t); !ok {
		return 0, false
	}
	return id, true
}

// LookupIRI is Lookup for an IRI.
func (s *Snapshot) LookupIRI(iri string) (ID, bool) { return s.Lookup(rdf.NewIRI(iri)) }

// IRIRange returns the IDs of the IRIs that begin with a text: from first to
// before end.
func (s *Snapshot) IRIRange(prefix string) (first, end ID) { return s.dict.iriRange(prefix) }

// LiteralRange returns the IDs of the literals that have a text, whatever their datatypes
// and languages: from first to before end.
func (s *Snapshot) LiteralRange(text string) (first, end ID) { return s.dict.literalRange(text) }

// Term returns the term of an ID, the zero Term for an ID that is none. Its
// strings belong to the snapshot and cost nothing.
func (s *Snapshot) Term(id ID) rdf.Term { return s.dict.term(id) }

// Kind returns what Term(id) is.
func (s *Snapshot) Kind(id ID) rdf.Kind { return s.dict.kind(id) }

// Text returns the Value of Term(id).
func (s *Snapshot) Text(id ID) string {
	if id == 0 || id > s.dict.literals {
		return ""
	}
	return s.dict.value(id)
}

// Languages yields the language tags of literals, in no certain order; a tag may
// come twice.
func (s *Snapshot) Languages() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, t := range s.dict.tags {
			if t.lang != "" && !yield(t.lang) {
				return
			}
		}
	}
}

// FirstBlank is the smallest ID that is not an IRI.
func (s *Snapshot) FirstBlank() ID { return s.dict.iris + 1 }

// FirstLiteral is the smallest ID that is neither an IRI nor a blank node.
func (s *Snapshot) FirstLiteral() ID { return s.dict.blanks + 1 }

// FirstQuoted is the smallest ID that is a triple term.
func (s *Snapshot) FirstQuoted() ID { return s.dict.literals + 1 }

// Match yields the triples that have the given parts; the zero Term stands for
// any. They come in the order of the index that answers: by subject, predicate and
// object; by object where the subject is open and the predicate given; by subject
// where only the object is given, or subject and object are. Reading happens as
// the consumer pulls.
func (s *Snapshot) Match(subj, pred, obj rdf.Term) iter.Seq[rdf.Triple] {
	return func(yield func(rdf.Triple) bool) {
		r := s.Reader()
		defer r.Done()
		rows, ok := r.match(subj, pred, obj)
		if !ok {
			return
		}
		for row := range rows.All() {
			if !yield(rdf.Triple{Subject: s.Term(row.S), Predicate: s.Term(row.P), Object: s.Term(row.O)}) {
				return
			}
		}
	}
}

// Count is the number of triples that Match yields, by look-up alone.
func (s *Snapshot) Count(subj, pred, obj rdf.Term) int {
	r := s.Reader()
	defer r.Done()
	rows, ok := r.match(subj, pred, obj)
	if !ok {
		return 0
	}
	return rows.Len()
}

func (r *Reader) match(subj, pred, obj rdf.Term) (Rows, bool) {
	var ids [3]ID
	for i, t := range []rdf.Term{subj, pred, obj} {
		if t.IsZero() {
			continue
		}
		id, ok := r.s.Lookup(t)
		if !ok {
			return Rows{}, false
		}
		ids[i] = id
	}
	return r.Rows(ids[0], ids[1], ids[2]), true
}

// order names the order of an index.
type order uint8

const (
	spo order = iota
	pos
	osp
)

// Row is a triple by IDs.
type Row struct{ S, P, O ID }

// Rows are the triples that fit a pattern, in the order of the index that
// answers. Nothing is read until a row is asked for.
type Rows struct {
	r     *Reader
	order order
	first ID       // the first part of all rows; 0 for the whole index
	pairs []uint64 // the other two parts
}

// Rows returns the triples that have the given parts; 0 stands for any.
func (r *Reader) Rows(subj, pred, obj ID) Rows {
	r.work.Lookups++
	s := r.s
	switch {
	case subj != 0 && pred != 0 && obj != 0:
		return Rows{r, spo, subj, s.spo.has(subj, pred, obj)}
	case subj != 0 && pred != 0:
		return Rows{r, spo, subj, s.spo.with(subj, pred)}
	case subj != 0 && obj != 0:
		return Rows{r, osp, obj, s.osp.with(obj, subj)}
	case subj != 0:
		return Rows{r, spo, subj, s.spo.of(subj)}
	case pred != 0 && obj != 0:
		return Rows{r, pos, pred, s.pos.with(pred, obj)}
	case pred != 0:
		return Rows{r, pos, pred, s.pos.of(pred)}
	case obj != 0:
		return Rows{r, osp, obj, s.osp.of(obj)}
	}
	return Rows{r, spo, 0, s.spo.pairs}
}

// Len is the number of rows; it reads none.
func (rs Rows) Len() int { return len(rs.pairs) }

// At reads a row; i counts from 0. On the rows of an open pattern use All.
func (rs Rows) At(i int) Row {
	rs.r.work.Triples++
	return rs.row(rs.first, rs.pairs[i])
}

func (rs Rows) row(first ID, pair uint64) Row {
	second, third := unpack(pair)
	switch rs.order {
	case pos:
		return Row{S: third, P: first, O: second}
	case osp:
		return Row{S: second, P: third, O: first}
	}
	return Row{S: first, P: second, O: third}
}

// Split parts the rows into those whose last part is below limit and the others.
// It means something only where the first two parts of the pattern are given.
func (rs Rows) Split(limit ID) (below, others Rows) {
	rs.r.work.Lookups++
	n := sort.Search(len(rs.pairs), func(i int) bool { _, third := unpack(rs.pairs[i]); return third >= limit })
	below, others = rs, rs
	below.pairs, others.pairs = rs.pairs[:n], rs.pairs[n:]
	return below, others
}

// Third is the last part of row i, which it reads: of a subject's rows the object.
func (rs Rows) Third(i int) ID {
	rs.r.work.Triples++
	_, third := unpack(rs.pairs[i])
	return third
}

// Thirds adds the last parts of all rows to a list, in order. It reads them all.
func (rs Rows) Thirds(to []ID) []ID {
	rs.r.work.Triples += len(rs.pairs)
	for _, pair := range rs.pairs {
		_, third := unpack(pair)
		to = append(to, third)
	}
	return to
}

// Slice is the rows from the i-th to before the j-th; it reads none.
func (rs Rows) Slice(i, j int) Rows {
	rs.pairs = rs.pairs[i:j]
	return rs
}

// Run splits off the leading rows that share their second part with the first
// one: of a subject's rows those of one predicate. It looks up, it does not read.
func (rs Rows) Run() (run, rest Rows) {
	if len(rs.pairs) == 0 {
		return rs, rs
	}
	rs.r.work.Lookups++
	second, _ := unpack(rs.pairs[0])
	n := search(rs.pairs, pack(second+1, 0))
	run, rest = rs, rs
	run.pairs, rest.pairs = rs.pairs[:n], rs.pairs[n:]
	return run, rest
}

// HasThird says whether one of the rows has a last part, by look-up. It means
// something only where the first two parts of the pattern are given.
func (rs Rows) HasThird(id ID) bool {
	rs.r.work.Lookups++
	_, ok := slices.BinarySearchFunc(rs.pairs, id, func(pair uint64, id ID) int {
		_, third := unpack(pair)
		return cmp.Compare(third, id)
	})
	return ok
}

// BelowSecond counts the leading rows whose second part is below limit, by look-up.
func (rs Rows) BelowSecond(limit ID) int {
	rs.r.work.Lookups++
	return search(rs.pairs, pack(limit, 0))
}

// Second is the second part of the first row, which it reads.
func (rs Rows) Second() ID {
	rs.r.work.Triples++
	second, _ := unpack(rs.pairs[0])
	return second
}

// All yields the rows in order.
func (rs Rows) All() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		if rs.first != 0 {
			for i := range rs.pairs {
				if !yield(rs.At(i)) {
					return
				}
			}
			return
		}
		start := rs.r.s.spo.start
		for a := 0; a+1 < len(start); a++ {
			for _, pair := range rs.pairs[start[a]:start[a+1]] {
				rs.r.work.Triples++
				if !yield(rs.row(ID(a), pair)) {
					return
				}
			}
		}
	}
}
