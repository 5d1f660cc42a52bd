package store

import "sort"

// IRIFinder looks up IRIs that come nearly in order: it searches around the place of the
// one before. It is not for concurrent use.
type IRIFinder struct {
	s *Snapshot
	// last is where the IRI before is, or would be: all below it are before that.
	last ID
}

// IRIFinder returns a finder.
func (s *Snapshot) IRIFinder() *IRIFinder { return &IRIFinder{s, 1} }

// Find is LookupIRI of a text in a buffer.
func (f *IRIFinder) Find(iri []byte) (ID, bool) {
	d := &f.s.dict
	n := int(d.iris)
	below := func(i int) bool { return d.value(ID(i+1)) < string(iri) } // the i-th, from 0
	from, to := int(f.last)-1, n                                        // all before from are below, to is not
	if from < n && below(from) {
		for step := 1; ; step *= 2 {
			from++
			if from+step >= n {
				break
			}
			if !below(from + step) {
				to = from + step
				break
			}
			from += step
		}
	} else {
		to = from
		for step := 1; ; step *= 2 {
			if from = to - step; from < 0 {
				from = 0
				break
			}
			if below(from) {
				from++
				break
			}
			to = from
		}
	}
	at := from + sort.Search(to-from, func(i int) bool { return !below(from + i) })
	f.last = ID(at + 1)
	return f.last, at < n && d.value(f.last) == string(iri)
}
