package graphql

import (
	"fmt"
	"strconv"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

const (
	// mostErrors is how many errors are told before the others are counted.
	mostErrors = 100
	// looks is how many entities are written between two looks at the clock.
	looks = 1024
)

// writer writes what an execution has read, depth first. A function that writes a value
// returns false, and leaves nothing behind, where the value is null: who called it writes
// the null, or is null itself (GraphQL specification, section 6.4.4).
type writer struct {
	x    *execution
	b    []byte
	path []step
	errs []Error
	more int // errors that are not told
	// full is set when no more items of lists are written.
	full    bool
	written int // entities
	// voided counts how often something that was written was taken back.
	voided int
}

// span is where an entity was written that has several places: the others are copied.
type span struct{ from, to, voided int32 }

// step is a part of a path: a key, or an index when that is empty.
type step struct {
	key   string
	index int
}

// data writes the answer as a whole, behind the frame.
func (w *writer) data(root *group) []byte {
	w.b = append(make([]byte, 0, min(root.size(), w.x.s.maxBytes)+64), frame...)
	if !w.object(root, 0) {
		w.b = append(w.b, "null"...)
	}
	return w.b
}

// errors are all errors of the answer: those that end it first.
func (w *writer) errors() []Error {
	all := append(w.x.first, w.errs...)
	if w.more > 0 {
		all = append(all, Error{Message: fmt.Sprintf("And %s more errors, which are not listed.", domains.Number(w.more))})
	}
	return all
}

// again writes an entity that may have been written before: one that told no error is
// copied.
func (w *writer) again(g *group, row int) bool {
	if g.times[row] < 2 || len(g.cells) == 0 {
		return w.object(g, row)
	}
	if g.spans == nil {
		g.spans = make([]span, len(g.nodes))
	}
	s := &g.spans[row]
	if s.to > 0 && s.voided == int32(w.voided) {
		w.b = append(w.b, w.b[s.from:s.to]...)
		return true
	}
	from, told, full := len(w.b), len(w.errs)+w.more, w.full
	ok := w.object(g, row)
	if ok && told == len(w.errs)+w.more && full == w.full {
		*s = span{int32(from), int32(len(w.b)), int32(w.voided)}
	}
	return ok
}

// void takes back what was written after a place.
func (w *writer) void(from int) {
	w.b = w.b[:from]
	w.voided++
}

func (w *writer) object(g *group, row int) bool {
	start := len(w.b)
	w.b = append(w.b, '{')
	for i := range g.cells {
		c := &g.cells[i]
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, c.head...)
		if made := c.ready.at(row); len(made) > 0 {
			w.b = append(w.b, made...)
			continue
		}
		w.path = append(w.path, step{key: c.key})
		ok := w.value(g, c, row)
		w.path = w.path[:len(w.path)-1]
		switch {
		case ok:
		case c.required:
			w.void(start)
			return false
		default:
			w.b = append(w.b, "null"...)
		}
	}
	w.b = append(w.b, '}')
	return true
}

// value writes a field of a node.
func (w *writer) value(g *group, c *cell, row int) bool {
	if c.fail != nil {
		w.fail(c)
		return false
	}
	if c.unread {
		if c.isList && c.required {
			w.b = append(w.b, "[]"...)
			return true
		}
		return false
	}
	switch c.source {
	case readNothing:
		w.b = append(append(append(w.b, '"'), g.object.Name...), '"')
	case readIRIs, readLabels:
		from := len(w.b)
		w.b = w.x.appendText(w.b, c, c.texts[row])
		return len(w.b) > from
	case readTypes:
		w.b = append(w.b, '[')
		for i, name := range c.names.At(row) {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			w.b = appendString(w.b, name)
		}
		w.b = append(w.b, ']')
	case readValues:
		return w.values(c, c.terms.At(row))
	case readCount:
		w.b = strconv.AppendInt(w.b, int64(c.count), 10)
	case readSchema:
		w.b = w.x.doc.introspect(w.b, c.collected)
	case readObject:
		if len(c.places) == 0 {
			return false
		}
		p := c.places[0]
		return !c.groups[p.group].lost && w.object(c.groups[p.group], int(p.row))
	case readObjects:
		return w.objects(c, row)
	}
	return true
}

// values writes the literals of a field.
func (w *writer) values(c *cell, terms []rdf.Term) bool {
	terms = w.x.chosen(c, terms)
	if !c.isList {
		return len(terms) > 0 && w.scalar(c, terms[0].Value)
	}
	w.b = append(w.b, '[')
	for i, t := range terms {
		if i == mostValues {
			w.tell(c, fmt.Sprintf("There are more than %s values: those beyond are left out.", domains.Number(mostValues)))
			break
		}
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.path = append(w.path, step{index: i})
		if !w.scalar(c, t.Value) {
			w.b = append(w.b, "null"...)
		}
		w.path = w.path[:len(w.path)-1]
	}
	w.b = append(w.b, ']')
	return true
}

// scalar writes a literal; one that does not fit is an error.
func (w *writer) scalar(c *cell, lexical string) (ok bool) {
	if w.b, ok = appendScalar(w.b, c.column.Scalar, lexical); !ok {
		if len(w.errs) >= mostErrors {
			w.more++
			return false
		}
		w.tell(c, unfit(c.column.Scalar, lexical))
	}
	return ok
}

// objects writes the entities to which a field of a node leads. An empty list says that
// there are none; one from which all were left out is null if it may be.
func (w *writer) objects(c *cell, row int) bool {
	if c.cut != nil && c.cut[row] && !c.required {
		return false
	}
	from := 0
	if row > 0 {
		from = c.ends[row-1]
	}
	list := c.places[from:c.ends[row]]
	start, n := len(w.b), 0
	w.b = append(w.b, '[')
	for _, p := range list {
		g := c.groups[p.group]
		if g.lost || w.full || w.over(c) {
			continue
		}
		if n > 0 {
			w.b = append(w.b, ',')
		}
		w.path = append(w.path, step{index: n})
		ok := w.again(g, int(p.row))
		w.path = w.path[:len(w.path)-1]
		switch {
		case ok:
		case c.itemRequired:
			w.void(start)
			return false
		default:
			w.b = append(w.b, "null"...)
		}
		n++
	}
	if n == 0 && len(list) > 0 && !c.required {
		w.void(start)
		return false
	}
	w.b = append(w.b, ']')
	return true
}

// over reports whether lists have to end, because the answer is too large or the time is
// over, and tells it once. A time that was over before is told already.
func (w *writer) over(c *cell) bool {
	w.written++
	switch {
	case len(w.b) > w.x.s.maxBytes:
		w.full = true
		w.tell(c, fmt.Sprintf("An answer is at most %s MiB large, and this one was cut here: ask for fewer entities with limit, or for fewer fields.",
			domains.Number(w.x.s.maxBytes>>20)))
	case w.written%looks == 0 && !w.x.ended && w.x.ctx.Err() != nil:
		w.full = true
		w.x.first = append(w.x.first, w.x.overtime(w.steps(), c.collected))
	}
	return w.full
}

// fail tells why a field has no value, once.
func (w *writer) fail(c *cell) {
	if !c.fail.told {
		c.fail.told = true
		w.tell(c, c.fail.message)
	}
}

// tell adds an error at the place that is being written.
func (w *writer) tell(c *cell, message string) {
	if len(w.errs) >= mostErrors {
		w.more++
		return
	}
	w.errs = append(w.errs, Error{Message: message, Locations: locations(c.collected), Path: w.steps()})
}

// steps is the path of what is being written.
func (w *writer) steps() []any {
	path := make([]any, 0, len(w.path))
	for _, s := range w.path {
		if s.key == "" {
			path = append(path, s.index)
		} else {
			path = append(path, s.key)
		}
	}
	return path
}

// size guesses how many bytes the answer will have from a group on.
func (g *group) size() int {
	places, each, below := 0, 2, 0
	for _, n := range g.times {
		places += n
	}
	for i := range g.cells {
		c := &g.cells[i]
		each += len(c.head) + 4
		if n := min(len(c.texts), 16); n > 0 {
			for _, t := range c.texts[:n] {
				each += len(t) / n
			}
		}
		for _, to := range c.groups {
			below += to.size()
		}
	}
	return places*each + below + 64
}
