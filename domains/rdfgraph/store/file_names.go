package store

import (
	"context"
	"fmt"
)

// mostLetters is more letters than an index has.
const mostLetters = 1_000

// Saved makes a name index ready to be written. It shares the index's memory.
func (n *Names) Saved() *SavedNames {
	v := &SavedNames{n: *n}
	for _, r := range n.letters {
		v.letters = append(v.letters, uint32(r))
	}
	return v
}

// SavedNames is a name index as it is in a file: as parts that are written, or read
// into an empty one.
type SavedNames struct {
	n       Names
	letters []uint32
}

// Parts are the parts of the file, always in the same order.
func (v *SavedNames) Parts() []Part {
	n := &v.n
	parts := append(n.names.parts(), n.words.parts()...)
	return append(parts,
		Numbers(&n.owners.start), Numbers(&n.owners.all),
		Numbers(&n.postings.start), Numbers(&n.postings.all),
		Numbers(&n.holders.start), Numbers(&n.holders.all),
		LongNumbers(&n.grams), Numbers(&v.letters))
}

// Names is the index of parts that were read, of names that IRIs and blank nodes of a
// snapshot have. Nothing in the parts is trusted: all is looked at once, and what no
// search could read is ErrDamaged. The only other error is that ctx ended.
func (v *SavedNames) Names(ctx context.Context, s *Snapshot) (*Names, error) {
	n := &v.n
	if err := n.names.check("names"); err != nil {
		return nil, err
	}
	if err := n.words.check("words"); err != nil {
		return nil, err
	}
	if len(v.letters) > mostLetters {
		return nil, fmt.Errorf("%w: too many letters", ErrDamaged)
	}
	for i, r := range v.letters {
		if r > 0x10FFFF || i > 0 && v.letters[i-1] >= r {
			return nil, fmt.Errorf("%w: the letters are not in order", ErrDamaged)
		}
		n.letters = append(n.letters, rune(r))
	}
	for i := 1; i < len(n.grams); i++ {
		if n.grams[i-1] >= n.grams[i] {
			return nil, fmt.Errorf("%w: trigrams are not in order", ErrDamaged)
		}
	}
	checks := []func() error{
		func() error { return n.names.sorted(ctx, 0, n.names.len()) },
		func() error { return n.words.sorted(ctx, 0, n.words.len()) },
		func() error { return checkLists(ctx, n.owners, n.names.len(), s.FirstLiteral()-1) },
		func() error { return checkLists(ctx, n.postings, n.words.len(), uint32(n.names.len())) },
		func() error { return checkLists(ctx, n.holders, len(n.grams), uint32(n.words.len())) },
	}
	if err := atOnce(ctx, len(checks), func(_ context.Context, i int) error { return checks[i]() }); err != nil {
		return nil, err
	}
	return n, nil
}

// checkLists says whether there are n lists, each of numbers from 1 to last in order.
func checkLists[T ~uint32](ctx context.Context, l lists[T], n int, last T) error {
	if len(l.start) != n+2 {
		return fmt.Errorf("%w: there are other numbers of lists", ErrDamaged)
	}
	if err := checkStarts(l.start, len(l.all)); err != nil {
		return err
	}
	for i := 1; i <= n; i++ {
		before := T(0)
		for _, v := range l.at(i) {
			if v <= before || v > last {
				return fmt.Errorf("%w: a list is not in order", ErrDamaged)
			}
			before = v
		}
		if i%checked == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}
