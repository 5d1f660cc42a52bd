package format

import (
	"fmt"

	"github.com/ontogate/ontogate/domains"
)

// resumed is where a call of describe_entity goes on in a graph that is read piece by
// piece, as a cursor has it.
type resumed struct {
	at     int // where the piece begins that the page's matches are in (domains.Query.Resume)
	before int // matches before that
	total  int // matches when the cursor was made; 0 when nobody counted them
}

// resumedFrom reads the numbers behind the place in an answer.
func resumedFrom(p Position) resumed {
	return resumed{at: p.at(4), before: min(p.at(5), p.at(0)), total: p.at(6)}
}

// inside is the place of a position in the walk of its matches.
func inside(p Position) Position {
	if len(p) < 2 {
		return nil
	}
	return p[1:min(len(p), 4)]
}

// changed is an error when the matches are not those that the cursor was made for.
func (e *entities) changed() error {
	then, now := e.resumed.total, e.pin()
	if then == 0 || then == now || e.matches.AtLeast {
		return nil
	}
	return domains.Invalid(fmt.Sprintf("The matches changed since this cursor was made (%s then, %s now). Leave cursor out to start again.", number(then), number(now)))
}

// pin is the number of matches that a cursor holds where the content can change
// within a revision; 0 when it does not have to.
func (e *entities) pin() int {
	if !e.matches.Unpinned || e.matches.AtLeast {
		return 0
	}
	return e.matches.Total
}

// position adds to a place in the answer what a later page has to know of how the
// graph is read. Most answers need nothing.
func (e *entities) position(p Position, r resumed) Position {
	r.total = e.pin()
	if r == (resumed{}) {
		return p
	}
	full := make(Position, max(len(p), 7), maxPosition)
	copy(full, p)
	full[4], full[5], full[6] = r.at, r.before, r.total
	return full
}

// next is where the answer goes on behind the matches of the page; nil at the end.
func (e *entities) next() Position {
	m := e.matches
	shown := e.offset + len(m.Hits)
	switch {
	case m.ReadTriples > 0 && shown-e.resumed.before < m.ReadHits && len(m.Hits) > 0:
		return e.position(Position{shown}, e.resumed)
	case m.Resume > 0:
		return e.position(Position{shown}, resumed{at: m.Resume, before: shown})
	case m.ReadTriples == 0 && len(m.Hits) == e.o.Limit && (shown < m.Total || m.AtLeast):
		return Position{shown}
	}
	return nil
}

// readsOn reports whether the page shows the last matches of what was read, and there
// is more to read.
func (e *entities) readsOn() bool {
	return e.matches.Resume > 0 && e.offset+len(e.matches.Hits)-e.resumed.before >= e.matches.ReadHits
}

// progress says how much of the graph this call has read; cursor, when it is not
// empty, reads on.
func (e *entities) progress(cursor string) string {
	atLeast, goesOn := "", "."
	if e.matches.AtLeast {
		atLeast = "at least "
	}
	if cursor != "" {
		goesOn = ", and " + cursor + " goes on."
	}
	return fmt.Sprintf("(This call read %s, in IRI order: %s of %s%s are complete so far%s)", count(e.matches.ReadTriples, "triple", "triples"),
		number(e.resumed.before+e.matches.ReadHits), atLeast, count(e.matches.Total, "match", "matches"), goesOn)
}

// notesOnReading tells how the matches were read, where that is not as usual.
func (e *entities) notesOnReading() []string {
	var notes []string
	if e.matches.Resume > 0 && !e.readsOn() {
		notes = append(notes, e.progress(""))
	}
	if e.matches.Uncached {
		notes = append(notes, "Read live triple store (search cache disabled for this call).")
	}
	return notes
}
