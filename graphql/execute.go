package graphql

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// execution is the work on one request: first it reads, level by level, then a writer
// writes what it read.
type execution struct {
	s   *Service
	ctx context.Context
	doc *document
	// counted is how many entities there are so far, at all places of the answer.
	counted int
	// columns is how many cells there are.
	columns int
	// full is set when no more entities are taken in, ended when nothing more is read.
	full, ended bool
	// first are the errors that reading met, for the answer as a whole.
	first  []Error
	causes []error
	rows   *rowTable
}

// group is the entities of one type that one field leads to: each once, however many
// places of the answer it has. What is asked of them is read for all of them at once.
type group struct {
	object *ast.Definition
	// typ is the type that has the columns; nil for Untyped and Query.
	typ   *Type
	nodes []domains.Node
	// times is how many places of the answer each node has.
	times []int
	// spans are where nodes with several places were written; nil before.
	spans []span
	cells []cell
	// lost is set when something that must not be null was not read in time: lists leave
	// out the entities of the group.
	lost bool
	// by is the field that leads here, in the group above it, and index the place of this
	// group among its groups.
	above *group
	by    *cell
	index int32
}

// source is what a cell reads.
type source uint8

const (
	readNothing source = iota // __typename
	readIRIs
	readTypes
	readLabels
	readValues
	readObject  // one entity at most
	readObjects // a list of entities
	readCount
	readSchema // introspection
)

// cell is a field of a group: what it is, and what was read for each node.
type cell struct {
	collected
	head   string // what is written before the value: "key":
	source source
	// required and itemRequired say that the field, or an item of its list, must not be
	// null; isList that it is a list.
	required, itemRequired, isList bool

	column  *Column // of readValues and of relations
	lang    string  // the argument lang, where hasLang is set
	hasLang bool

	leaves
	// ahead is set while a field without fields is read by somebody else.
	ahead  *ahead
	count  int   // of readCount
	ends   []int // node → end of its places; of readObject(s)
	places []place
	// cut says of which nodes no place was taken in although there are some; nil for none.
	cut    []bool
	groups []*group

	fail   *failure
	unread bool
}

// place is an entity in the answer: a row of a group of the cell.
type place struct{ group, row int32 }

// failure is why a field has no value anywhere. It is told once, where it is met first.
type failure struct {
	message string
	told    bool
}

// read reads what the request asks for. The group that it returns stands for Query.
func (x *execution) read() *group {
	root := &group{object: x.doc.schema.Query, times: []int{1}}
	root.cells = x.cells(root, []ast.SelectionSet{x.doc.operation.SelectionSet})
	var level []*group
	for i := range root.cells {
		level = x.root(root, &root.cells[i], level)
	}
	for len(level) > 0 {
		level = x.level(level)
	}
	return root
}

// level reads the fields of the groups of a level, and returns the groups to which they
// lead.
func (x *execution) level(level []*group) (next []*group) {
	defer x.readAhead(level)()
	for _, g := range level {
		for i := range g.cells {
			if c := &g.cells[i]; c.ahead == nil {
				x.leaf(g, c)
			}
		}
	}
	for _, g := range level {
		for i := range g.cells {
			next = x.relation(g, &g.cells[i], next)
		}
	}
	for _, g := range level {
		for i := range g.cells {
			if c := &g.cells[i]; c.ahead != nil {
				x.await(g, c)
			}
		}
	}
	return next
}

// cells are the fields that selections ask of a group.
func (x *execution) cells(g *group, sets []ast.SelectionSet) []cell {
	found := x.doc.collect(sets, g.object)
	out := make([]cell, len(found))
	for i, f := range found {
		c := &out[i]
		c.collected, c.head = f, `"`+f.key+`":`
		switch f.field.Name {
		case "__typename":
			c.required = true
			continue
		case "__schema", "__type":
			c.source, c.required = readSchema, f.field.Name == "__schema"
			c.fail = x.doc.nullArgument(f.field)
			continue
		}
		t := f.field.Definition.Type
		if of := g.object.Fields.ForName(f.field.Name); of != nil {
			t = of.Type // what an object promises may be more than what its interface does
		}
		c.required = t.NonNull
		if t.Elem != nil {
			c.isList, c.itemRequired = true, t.Elem.NonNull
		}
		if g.above != nil {
			x.describe(g, c)
		}
		if c.fail == nil {
			c.fail = x.doc.nullArgument(f.field)
		}
	}
	return out
}

// describe says what a field of an entity reads.
func (x *execution) describe(g *group, c *cell) {
	name := c.field.Name
	if g.typ != nil {
		c.column = g.typ.Column(name)
	}
	switch {
	case c.column != nil && c.column.Scalar == None:
		c.source = readObjects
	case c.column != nil:
		c.source = readValues
	case name == "id" || name == "uri":
		c.source = readIRIs
	case name == "types":
		c.source = readTypes
	case name == "label":
		c.source = readLabels
	default:
		c.fail = x.internal(fmt.Errorf("the model has no column for %s.%s", g.object.Name, name))
	}
	if lang, ok := x.doc.given(c.field, "lang").(string); ok {
		c.lang, c.hasLang = lang, true
	}
}

// internal is the failure for something that is our fault.
func (x *execution) internal(cause error) *failure {
	x.causes = append(x.causes, cause)
	return &failure{message: internalError}
}

// failed is what an error of a back end is for the caller.
func (x *execution) failed(err error) *failure {
	var of *domains.Error
	if errors.As(err, &of) && of.Message != "" {
		return &failure{message: of.Message}
	}
	return x.internal(err)
}

// ask calls the Columns for a field. ok is false when there is nothing to go on with: the
// cell then says why.
func ask[T any](x *execution, g *group, c *cell, read func(domains.Columns) (T, error)) (out T, ok bool) {
	if x.over(g, c) {
		c.unread = true
		return out, false
	}
	defer func() {
		if p := recover(); p != nil {
			c.fail, ok = x.internal(panicked(p)), false
		}
	}()
	out, err := read(x.s.config.Columns)
	return out, x.settle(g, c, err)
}

// settle says of a cell why it has nothing; ok is true without an error.
func (x *execution) settle(g *group, c *cell, err error) (ok bool) {
	switch {
	case err == nil:
		return true
	case x.over(g, c):
		c.unread = true
	default:
		c.fail = x.failed(err)
	}
	return false
}

// over reports whether the time is over, and tells it once.
func (x *execution) over(g *group, c *cell) bool {
	if !x.ended && x.ctx.Err() != nil {
		x.ended, x.full = true, true
		x.first = append(x.first, x.overtime(pathOf(g, c, 0), c.collected))
	}
	return x.ended
}

func (x *execution) overtime(path []any, c collected) Error {
	return Error{Path: path, Locations: locations(c), Message: fmt.Sprintf(
		"Reading stopped at the deadline (%v at most), and the answer has only what was read till then: "+
			"ask for fewer entities with limit, or for fewer relations.", x.s.config.Timeout)}
}

// locations are where a field stands in the document.
func locations(c collected) []Location {
	out := make([]Location, 0, len(c.fields))
	for _, f := range c.fields {
		if f.Position == nil {
			continue
		}
		at := faultAt(f.Position, "")
		out = append(out, Location{Line: at.Line, Column: at.Column})
	}
	return out
}

// pathOf is a place of the answer where a node of a group has a field.
func pathOf(g *group, c *cell, row int) []any {
	path := []any{c.key}
	for g.above != nil {
		at := slices.Index(g.by.places, place{g.index, int32(row)})
		above := 0
		for above < len(g.by.ends)-1 && g.by.ends[above] <= at {
			above++
		}
		if g.by.isList {
			start := 0
			if above > 0 {
				start = g.by.ends[above-1]
			}
			path = append(path, at-start)
		}
		path = append(path, g.by.key)
		g, row = g.above, above
	}
	slices.Reverse(path)
	return path
}
