package store

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ontogate/ontogate/domains/rdf"
)

// SavedSnapshot is a snapshot as it is in a file: as parts that are written, or read
// into an empty one.
type SavedSnapshot struct {
	s Snapshot
	// limits are the last numbers of IRIs, blank nodes and literals.
	limits []ID
	// tags are the datatype, language and direction of each tag, one after the other.
	tags texts
	// quoted are the numbers of subject, predicate and object of each triple term.
	quoted []ID
}

// Saved makes a snapshot ready to be written. It shares the snapshot's memory.
func (s *Snapshot) Saved() *SavedSnapshot {
	d := &s.dict
	v := &SavedSnapshot{limits: []ID{d.iris, d.blanks, d.literals}}
	v.s.dict, v.s.spo, v.s.pos, v.s.osp = s.dict, s.spo, s.pos, s.osp
	var tags []string
	for _, t := range d.tags {
		tags = append(tags, t.datatype, t.lang, t.dir)
	}
	v.tags = newTexts(tags)
	for _, t := range d.quoted {
		for _, part := range []rdf.Term{t.Triple.Subject, t.Triple.Predicate, t.Triple.Object} {
			id, _ := d.lookup(part)
			v.quoted = append(v.quoted, id)
		}
	}
	return v
}

// Parts are the parts of the file, always in the same order.
func (v *SavedSnapshot) Parts() []Part {
	parts := []Part{Numbers(&v.limits), Numbers(&v.quoted), Numbers(&v.s.dict.tag)}
	parts = append(parts, v.tags.parts()...)
	parts = append(parts, v.s.dict.text.parts()...)
	for _, x := range []*index{&v.s.spo, &v.s.pos, &v.s.osp} {
		parts = append(parts, Numbers(&x.start), LongNumbers(&x.pairs))
	}
	return parts
}

func (t *texts) parts() []Part { return []Part{Text(&t.all), LongNumbers(&t.ends)} }

// Snapshot is the snapshot of parts that were read. Nothing in them is trusted: all is
// looked at once, and what would not be the snapshot of a graph is ErrDamaged. The
// only other error is that ctx ended.
func (v *SavedSnapshot) Snapshot(ctx context.Context) (*Snapshot, error) {
	if err := v.unpack(); err != nil {
		return nil, err
	}
	s := &v.s
	d, key := &s.dict, newRowKey()
	var sums [3]uint64
	checks := []func() error{
		func() error { return d.check(ctx) },
		func() (err error) { sums[0], err = s.spo.check(ctx, spo, d, key); return err },
		func() (err error) { sums[1], err = s.pos.check(ctx, pos, d, key); return err },
		func() (err error) { sums[2], err = s.osp.check(ctx, osp, d, key); return err },
	}
	err := atOnce(ctx, len(checks), func(_ context.Context, i int) error { return checks[i]() })
	if err != nil {
		return nil, err
	}
	if sums[0] != sums[1] || sums[0] != sums[2] || len(s.pos.pairs) != len(s.spo.pairs) || len(s.osp.pairs) != len(s.spo.pairs) {
		return nil, fmt.Errorf("%w: the indexes hold different triples", ErrDamaged)
	}
	s.describe()
	return s, nil
}

// unpack fills what is no part itself, and checks all sizes, so that every number of a
// term that is within the limits has a text.
func (v *SavedSnapshot) unpack() error {
	d := &v.s.dict
	if len(v.limits) != 3 || v.limits[0] > v.limits[1] || v.limits[1] > v.limits[2] {
		return fmt.Errorf("%w: the kinds of terms are not in order", ErrDamaged)
	}
	d.iris, d.blanks, d.literals = v.limits[0], v.limits[1], v.limits[2]
	if err := v.tags.check("tags"); err != nil {
		return err
	}
	if err := d.text.check("terms"); err != nil {
		return err
	}
	switch {
	case v.tags.len()%3 != 0, len(v.quoted)%3 != 0,
		d.text.len() != int(d.literals), len(d.tag) != int(d.literals-d.blanks),
		int64(d.literals)+int64(len(v.quoted)/3) >= 1<<32-2:
		return fmt.Errorf("%w: the lists of terms have other lengths", ErrDamaged)
	}
	d.tags = make([]literalTag, v.tags.len()/3)
	for i := range d.tags {
		d.tags[i] = literalTag{v.tags.at(3*i + 1), v.tags.at(3*i + 2), v.tags.at(3*i + 3)}
		if i > 0 && d.tags[i-1].compare(d.tags[i]) >= 0 {
			return fmt.Errorf("%w: the tags are not in order", ErrDamaged)
		}
	}
	for _, t := range d.tag {
		if int(t) >= len(d.tags) {
			return fmt.Errorf("%w: a literal has no tag", ErrDamaged)
		}
	}
	return v.unpackQuoted()
}

// deepestQuoted is how deep triple terms lie in each other in a file that is read.
const deepestQuoted = 1_000

// unpackQuoted makes the triple terms from the numbers of their parts.
func (v *SavedSnapshot) unpackQuoted() error {
	d := &v.s.dict
	d.quoted = make([]rdf.Term, len(v.quoted)/3)
	last := d.literals + ID(len(d.quoted))
	var fill func(i, depth int) bool
	fill = func(i, depth int) bool {
		if d.quoted[i].Triple != nil {
			return true
		}
		parts := v.quoted[3*i : 3*i+3]
		s, p, o := parts[0], parts[1], parts[2]
		if depth > deepestQuoted || s == 0 || s > d.blanks || p == 0 || p > d.iris || o == 0 || o > last {
			return false
		}
		if o > d.literals && !fill(int(o-d.literals-1), depth+1) {
			return false
		}
		d.quoted[i] = rdf.Term{Kind: rdf.TripleTerm, Triple: &rdf.Triple{Subject: d.term(s), Predicate: d.term(p), Object: d.term(o)}}
		return true
	}
	for i := range d.quoted {
		if !fill(i, 0) || i > 0 && compareTerms(d.quoted[i-1], d.quoted[i]) >= 0 {
			return fmt.Errorf("%w: a triple term is none", ErrDamaged)
		}
	}
	return nil
}

// check says whether the ends are such that each text can be read.
func (t *texts) check(what string) error {
	ok := len(t.ends) > 0 && t.ends[0] == 0 && t.ends[len(t.ends)-1] == uint64(len(t.all)) && uint64(len(t.ends)) < 1<<32
	for i := 1; ok && i < len(t.ends); i++ {
		ok = t.ends[i-1] <= t.ends[i]
	}
	if !ok {
		return fmt.Errorf("%w: the texts of %s have other lengths", ErrDamaged, what)
	}
	return nil
}

// sorted says whether the texts after low up to high are in order, each once.
func (t *texts) sorted(ctx context.Context, low, high int) error {
	for i := low + 2; i <= high; i++ {
		if t.at(i-1) >= t.at(i) {
			return fmt.Errorf("%w: texts are not in order", ErrDamaged)
		}
		if i%checked == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// checked is after how many steps of a check the context is looked at.
const checked = 1 << 16

// check says whether the terms of each kind are in order.
func (d *dictionary) check(ctx context.Context) error {
	if err := d.text.sorted(ctx, 0, int(d.iris)); err != nil {
		return err
	}
	if err := d.text.sorted(ctx, int(d.iris), int(d.blanks)); err != nil {
		return err
	}
	for id := d.blanks + 2; id <= d.literals; id++ {
		if cmp.Or(cmp.Compare(d.value(id-1), d.value(id)), cmp.Compare(d.tag[id-d.blanks-2], d.tag[id-d.blanks-1])) >= 0 {
			return fmt.Errorf("%w: literals are not in order", ErrDamaged)
		}
		if id%checked == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// check says whether an index has each row once and in order, and in each place a term
// of a kind that may stand there. sum is the same for indexes of the same triples.
func (x *index) check(ctx context.Context, by order, d *dictionary, key rowKey) (sum uint64, err error) {
	last := [3]ID{d.blanks, d.iris, d.len()} // the last subject, predicate and object
	turn := [3][3]int{spo: {0, 1, 2}, pos: {1, 2, 0}, osp: {2, 0, 1}}[by]
	lastB, lastC := last[turn[1]], last[turn[2]]
	if err := checkStarts(x.start, len(x.pairs)); err != nil {
		return 0, err
	}
	if len(x.start)-2 > int(last[turn[0]]) {
		return 0, fmt.Errorf("%w: an index has terms that are none", ErrDamaged)
	}
	keys := [3]uint64{key[turn[0]], key[turn[1]], key[turn[2]]}
	for a := 1; a+1 < len(x.start); a++ {
		before := uint64(0)
		for _, pair := range x.of(ID(a)) {
			b, c := unpack(pair)
			if pair <= before || b == 0 || c == 0 || b > lastB || c > lastC {
				return 0, fmt.Errorf("%w: the rows of an index are not in order", ErrDamaged)
			}
			before = pair
			sum += mixed(uint64(a)*keys[0] + uint64(b)*keys[1] + uint64(c)*keys[2])
		}
		if a%checked == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return sum, nil
}

// checkStarts says whether lists counted from 1 lie one behind the other in a list of n.
func checkStarts(start []uint32, n int) error {
	ok := len(start) >= 2 && start[1] == 0 && int64(start[len(start)-1]) == int64(n)
	for i := 1; ok && i < len(start); i++ {
		ok = start[i-1] <= start[i]
	}
	if !ok {
		return fmt.Errorf("%w: lists have other lengths", ErrDamaged)
	}
	return nil
}

// rowKey makes one number of a triple, another in each process, so that no file can be
// made whose indexes only seem to hold the same triples.
type rowKey [3]uint64

func newRowKey() rowKey { return rowKey{rand.Uint64() | 1, rand.Uint64() | 1, rand.Uint64() | 1} }

// mixed spreads a number over all bits (the last steps of SplitMix64).
func mixed(n uint64) uint64 {
	n = (n ^ n>>30) * 0xBF58476D1CE4E5B9
	n = (n ^ n>>27) * 0x94D049BB133111EB
	return n ^ n>>31
}
