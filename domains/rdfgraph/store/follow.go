package store

// Column holds what several terms have of one predicate: the i-th term's part ends at
// Ends[i] and begins where the one before ends.
type Column struct {
	Ends []int
	IDs  []ID
}

// At is the part of the i-th term.
func (c *Column) At(i int) []ID {
	if i == 0 {
		return c.IDs[:c.Ends[0]]
	}
	return c.IDs[c.Ends[i-1]:c.Ends[i]]
}

// Objects reads the objects of a predicate for many subjects into a column, of each
// subject the first most. It expects a subject to have the predicate where the one before
// had it, which is so where subjects are described alike; and the loop is short, so that
// the memory is waited for by many of its rounds at once.
func (r *Reader) Objects(subjects []ID, pred ID, most int, into *Column) {
	into.Ends, into.IDs = into.Ends[:0], into.IDs[:0]
	start, all := r.s.spo.start, r.s.spo.pairs
	hint, low := 0, pack(pred, 0)
	for _, subj := range subjects {
		if int(subj)+1 < len(start) {
			pairs := all[start[subj]:start[subj+1]]
			at := hint
			if at >= len(pairs) || ID(pairs[at]>>32) != pred || at > 0 && ID(pairs[at-1]>>32) == pred {
				if at = search(pairs, low); at < len(pairs) {
					hint = at
				}
			}
			pairs = pairs[at:min(len(pairs), at+most)]
			for _, pair := range pairs {
				if ID(pair>>32) != pred {
					break
				}
				into.IDs = append(into.IDs, ID(pair))
			}
		}
		into.Ends = append(into.Ends, len(into.IDs))
	}
	r.work.Lookups += len(subjects)
	r.work.Triples += len(into.IDs)
}

// fewIncoming is up to how many triples that lead to an object are read to pick those of
// one predicate.
const fewIncoming = 32

// Subjects is Objects for the subjects of a predicate that many objects have.
func (r *Reader) Subjects(objects []ID, pred ID, most int, into *Column) {
	into.Ends, into.IDs = into.Ends[:0], into.IDs[:0]
	for _, obj := range objects {
		if pairs := r.s.osp.of(obj); len(pairs) <= min(most, fewIncoming) {
			for _, pair := range pairs {
				if ID(pair) == pred {
					into.IDs = append(into.IDs, ID(pair>>32))
				}
			}
		} else {
			pairs = r.s.pos.with(pred, obj)
			for _, pair := range pairs[:min(most, len(pairs))] {
				into.IDs = append(into.IDs, ID(pair))
			}
		}
		into.Ends = append(into.Ends, len(into.IDs))
	}
	r.work.Lookups += len(objects)
	r.work.Triples += len(into.IDs)
}
