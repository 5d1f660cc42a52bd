package graphql

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
)

// largeGroup is how many nodes a group has whose fields are worth being read by several
// goroutines.
const largeGroup = 512

// leaves is what was read of a field that has no fields itself.
type leaves struct {
	texts []string                // node → text; of readIRIs and readLabels
	names domains.Lists[string]   // of readTypes
	terms domains.Lists[rdf.Term] // of readValues
	ready ready
}

// ready is JSON that was made while reading: the values of nodes one behind the other.
// Node i has what ends at ends[i]; where that is nothing the writer has to look.
type ready struct {
	json []byte
	ends []int32
}

// at is the JSON of a node; nil for none.
func (r ready) at(row int) []byte {
	if row >= len(r.ends) {
		return nil
	}
	from := int32(0)
	if row > 0 {
		from = r.ends[row-1]
	}
	return r.json[from:r.ends[row]]
}

// ahead is a field that is read while the execution goes on.
type ahead struct {
	g    *group
	c    *cell
	done chan struct{}
	got  leaves
	err  error
}

// readAhead begins to read the fields of the large groups of a level, as many at once as
// there are processors. leaf waits for each; stop waits for all.
func (x *execution) readAhead(level []*group) (stop func()) {
	var tasks []*ahead
	for _, g := range level {
		if len(g.nodes) < x.s.aheadFrom || x.ended {
			continue
		}
		for i := range g.cells {
			if c := &g.cells[i]; c.isLeaf() && g.twin(c) == nil {
				c.ahead = &ahead{g: g, c: c, done: make(chan struct{})}
				tasks = append(tasks, c.ahead)
			}
		}
	}
	var workers sync.WaitGroup
	var next atomic.Int32
	for range min(runtime.GOMAXPROCS(0), len(tasks)) {
		workers.Go(func() {
			for i := next.Add(1); int(i) <= len(tasks); i = next.Add(1) {
				tasks[i-1].read(x)
			}
		})
	}
	return workers.Wait
}

// read reads the field, and makes the JSON of its values.
func (a *ahead) read(x *execution) {
	defer close(a.done)
	defer func() {
		if p := recover(); p != nil {
			a.err = panicked(p)
		}
	}()
	if a.err = x.ctx.Err(); a.err != nil {
		return
	}
	if a.got, a.err = x.fetch(x.s.config.Columns, a.g, a.c); a.err == nil {
		a.got.ready = x.ready(a.c, a.got)
	}
}

// ready makes the JSON of the texts of a field, or of its values where each node has one
// at most. What is null or no value of the field is left to the writer, and so is what
// lies beyond the size of an answer.
func (x *execution) ready(c *cell, of leaves) ready {
	n := len(of.texts)
	if c.source == readValues && !c.isList && !c.column.Language {
		n = len(of.terms.Ends)
	}
	r := ready{json: make([]byte, 0, 24*n), ends: make([]int32, n)}
	for i := range n {
		if len(r.json) < x.s.maxBytes {
			r.json = x.appendLeaf(r.json, c, of, i)
		}
		r.ends[i] = int32(len(r.json))
	}
	return r
}

// appendLeaf appends the JSON of a node's text or only value; nothing where it has none
// that fits.
func (x *execution) appendLeaf(b []byte, c *cell, of leaves, row int) []byte {
	if c.source == readValues {
		if terms := of.terms.At(row); len(terms) > 0 {
			b, _ = appendScalar(b, c.column.Scalar, terms[0].Value)
		}
		return b
	}
	return x.appendText(b, c, of.texts[row])
}

// appendText appends an id, an IRI or a label; nothing where there is no label.
func (x *execution) appendText(b []byte, c *cell, s string) []byte {
	switch {
	case c.source == readLabels && s == "":
		return b
	case c.field.Name == "id":
		s = x.s.idOf(s)
	}
	return appendString(b, s)
}
