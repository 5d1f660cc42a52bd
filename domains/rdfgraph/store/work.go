package store

import "sync/atomic"

// Work counts what answers cost.
type Work struct {
	// Lookups counts searches in an index; each takes logarithmic time.
	Lookups int
	// Triples and Postings count what was read: rows of the graph, and entries
	// of the name index.
	Triples, Postings int
	// Moves counts the entries that were moved to keep a list in order.
	Moves int
}

// Reads is all that was read.
func (w Work) Reads() int { return w.Triples + w.Postings }

// Reader reads a snapshot for one call and counts its work. It is cheap, and not
// for concurrent use; take one for each call and end it with Done.
type Reader struct {
	s     *Snapshot
	work  Work
	left  int         // entries that the search may still read
	ended func() bool // whether the search is to stop; nil never is
}

// Reader returns a Reader of the snapshot.
func (s *Snapshot) Reader() *Reader { return &Reader{s: s, left: MaxPostings} }

// Search begins a search for names: all that follows reads MaxPostings entries at
// most, and stops soon when ended says so. A nil ended never does.
func (r *Reader) Search(ended func() bool) { r.left, r.ended = MaxPostings, ended }

// Read counts one entry that a search reads; false when it may read no more.
func (r *Reader) Read() bool {
	if r.left > 0 && r.left%1024 == 0 && r.stopped() {
		r.left = 0
	}
	if r.left == 0 {
		return false
	}
	r.left--
	r.work.Postings++
	return true
}

func (r *Reader) stopped() bool { return r.ended != nil && r.ended() }

// Posting counts one entry read from a list that is kept beside the snapshot.
func (r *Reader) Posting() { r.work.Postings++ }

// Move counts one entry moved within a list that is kept in order.
func (r *Reader) Move() { r.work.Moves++ }

// Work is what this reader did since it was made or last Done.
func (r *Reader) Work() Work { return r.work }

// Done adds the reader's work to the snapshot's, and starts again from nothing.
func (r *Reader) Done() {
	r.s.work.lookups.Add(int64(r.work.Lookups))
	r.s.work.triples.Add(int64(r.work.Triples))
	r.s.work.postings.Add(int64(r.work.Postings))
	r.s.work.moves.Add(int64(r.work.Moves))
	r.work = Work{}
}

// Work is what all readers that are done have done so far.
func (s *Snapshot) Work() Work {
	return Work{
		Lookups:  int(s.work.lookups.Load()),
		Triples:  int(s.work.triples.Load()),
		Postings: int(s.work.postings.Load()),
		Moves:    int(s.work.moves.Load()),
	}
}

// total sums the work of many readers.
type total struct{ lookups, triples, postings, moves atomic.Int64 }
