package rdfgraph

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/owl"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// usageOnce keeps what Usage worked out. Who comes while it is being worked out waits;
// when that ends with its caller's context the next one works it out again.
type usageOnce struct {
	turn  chan struct{}
	known *domains.Usage
}

func newUsageOnce() usageOnce { return usageOnce{turn: make(chan struct{}, 1)} }

// Usage implements domains.Columns. It reads the triples of every entity once.
//
// A property is in use when an entity has a value of it as Facts shows them: that of
// the cells of lists is that of what has the list.
func (g *columns) Usage(ctx context.Context) (*domains.Usage, error) {
	select {
	case g.inUse.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-g.inUse.turn }()
	if g.inUse.known == nil && ctx.Err() == nil {
		c := g.column(ctx, nil)
		defer c.r.Done()
		c.most = math.MaxInt // it reads each triple once
		u := newUsing(c)
		u.readAll()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.inUse.known = u.usage()
	}
	return g.inUse.known, ctx.Err()
}

const (
	// mostUsing is how many classes of one entity count as those that use its properties,
	// and mostUsed how many are named of a property.
	mostUsing = 64
	mostUsed  = 100
)

// using gathers how properties are used.
type using struct {
	*column
	of map[store.ID]*used
	// classes counts the entities of a class that have a property, which is the upper half
	// of the key.
	classes map[uint64]int
	langs   map[string]bool   // of the values at hand that are texts
	many    map[store.ID]bool // properties of which a schema term has many values
	left    int               // of the cells of lists that may still be read: owners may share one
}

// used is how one property is used.
type used struct {
	literals, entities, many, langs bool
	datatypes                       map[string]bool
	datatype                        string   // the last
	dead                            store.ID // the last value that turned out to be no entity
}

func newUsing(c *column) *using {
	return &using{column: c, of: map[store.ID]*used{}, classes: map[uint64]int{}, langs: map[string]bool{}, many: map[store.ID]bool{}, left: 4*c.s.Len() + longestList}
}

// readAll reads all entities.
func (u *using) readAll() {
	for id := store.ID(1); id < u.s.FirstLiteral(); id++ {
		if u.ended(int(id)) {
			return
		}
		if u.shown(id) != id {
			continue
		}
		if u.schema[id] {
			u.readInstance(id)
			continue
		}
		if u.groups.has(id) {
			u.readGroup(id)
			continue
		}
		rows := u.r.Rows(id, 0, 0)
		if rows.Len() == 0 {
			continue
		}
		classes := u.classesOf(id)
		for run, rest := rows.Run(); run.Len() > 0; run, rest = rest.Run() {
			u.read(id, run.Second(), classes)
		}
	}
}

// readInstance reads a schema term. One that is an instance of a class of the domain too
// uses no property, but is shown where it is led to.
func (u *using) readInstance(id store.ID) {
	if !slices.ContainsFunc(u.classesOf(id), func(class store.ID) bool { return !owl.IsMeta(u.s.Text(class)) }) {
		return
	}
	for run, rest := u.r.Rows(id, 0, 0).Run(); run.Len() > 0; run, rest = rest.Run() {
		p := run.Second()
		if values, whole := u.allOf(id, p); !whole || len(values) > 1 && u.areMany(values) {
			u.many[p] = true
		}
	}
}

// readGroup reads an entity of several IRIs.
func (u *using) readGroup(id store.ID) {
	var properties []store.ID
	for _, m := range u.call.members(id) {
		for run, rest := u.r.Rows(m, 0, 0).Run(); run.Len() > 0; run, rest = rest.Run() {
			properties = append(properties, run.Second())
		}
	}
	slices.Sort(properties)
	classes := u.classesOf(id)
	for _, p := range slices.Compact(properties) {
		u.read(id, p, classes)
	}
}

// read reads the values that an entity has of a property.
func (u *using) read(id, p store.ID, classes []store.ID) {
	if p == u.known.rdfType {
		return
	}
	values, whole := u.allOf(id, p)
	if len(values) == 0 {
		return
	}
	is := u.of[p]
	if is == nil {
		is = &used{datatypes: map[string]bool{}}
		u.of[p] = is
	}
	for _, class := range classes[:min(mostUsing, len(classes))] {
		u.classes[uint64(p)<<32|uint64(class)]++
	}
	for _, v := range values {
		u.note(is, v)
	}
	if !is.many && (len(values) > 1 || !whole) {
		is.many = !whole || u.areMany(values)
	}
}

// allOf are the values that an entity has of a property, sorted and each once; whole is
// false where only the first members of lists are there, since too many were read.
func (u *using) allOf(id, p store.ID) (values []store.ID, whole bool) {
	u.values = u.written(u.values[:0], id, p)
	if u.columns.plain {
		return u.values, true
	}
	if u.isPlumbing(id, p) {
		return nil, true
	}
	whole = true
	if u.known.first != 0 && slices.ContainsFunc(u.values, u.isCell) {
		if whole = u.left > 0; whole {
			before := u.r.Work().Triples
			u.values = u.expand(u.values, 0)
			u.left -= u.r.Work().Triples - before
		} else {
			u.heads()
		}
	}
	u.values = u.show(u.values, 0, id, p)
	if !slices.IsSorted(u.values) {
		slices.Sort(u.values)
	}
	u.values = slices.Compact(u.values)
	return u.values, whole
}

// heads adds the first members of the lists among the values.
func (u *using) heads() {
	for _, v := range u.values {
		if u.isCell(v) {
			u.values = append(u.values, u.r.Rows(v, u.known.first, 0).Third(0))
		}
	}
}

// note notes what a value is.
func (u *using) note(is *used, v store.ID) {
	switch {
	case v >= u.s.FirstQuoted():
	case v >= u.s.FirstLiteral():
		is.literals = true
		t := u.s.Term(v)
		datatype := t.Datatype
		switch {
		case t.Lang != "" && t.Dir != "":
			datatype, is.langs = rdf.RDF+"dirLangString", true
		case t.Lang != "":
			datatype, is.langs = rdf.RDFLangString, true
		case datatype == "":
			datatype = rdf.XSDString
		}
		if datatype != is.datatype {
			is.datatype, is.datatypes[datatype] = datatype, true
		}
	case is.entities || is.dead == v:
	case u.isEntity(v):
		is.entities = true
	default:
		is.dead = v
	}
}

// areMany says whether several values are more than one text in each of some languages,
// and in none.
func (u *using) areMany(values []store.ID) bool {
	clear(u.langs)
	for _, v := range values {
		t := u.s.Term(v)
		lang := strings.ToLower(t.Lang)
		if t.Kind != rdf.Literal || lang == "" && t.Datatype != "" && t.Datatype != rdf.XSDString || u.langs[lang] {
			return true
		}
		u.langs[lang] = true
	}
	return false
}

// usage is what was gathered.
func (u *using) usage() *domains.Usage {
	classes := map[store.ID][]domains.Count{}
	for key, n := range u.classes {
		p := store.ID(key >> 32)
		classes[p] = append(classes[p], domains.Count{IRI: u.s.Text(store.ID(key)), Count: n})
	}
	out := &domains.Usage{}
	for _, p := range slices.Sorted(maps.Keys(u.of)) {
		is := u.of[p]
		by := classes[p]
		if len(by) > mostUsed {
			largestFirst(by)
			by = by[:mostUsed]
		} else {
			slices.SortFunc(by, func(a, b domains.Count) int { return cmp.Compare(a.IRI, b.IRI) })
		}
		use := domains.PropertyUsage{
			IRI: u.s.Text(p), Literals: is.literals, Entities: is.entities, Many: is.many || u.many[p], Languages: is.langs, Datatypes: slices.Sorted(maps.Keys(is.datatypes)),
		}
		for _, c := range by {
			use.Classes = append(use.Classes, c.IRI)
		}
		out.Properties = append(out.Properties, use)
	}
	return out
}
