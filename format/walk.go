package format

import (
	"context"
	"iter"
	"slices"

	"github.com/ontogate/ontogate/domains"
)

// tally counts what a walk has read.
type tally struct {
	// matches are those of entities that were asked for.
	entities, matches, triples int
	// partial is set when a neighbour was not followed.
	partial bool
}

// A cursor inside a walk holds, behind the numbers that entities.go names,
//
//	triples of the entities that are passed, twice, and 1 when one of these was not wholly followed
//	1 + index of the fact that is being told | values of it that are passed
//
// so that a page says what was read before it, and begins there, without reading it again.
// The line of the position then counts from that value.

// passed is what a page of a walk need not read, because earlier ones showed it.
type passed struct {
	tally  tally // of the entities before
	inside bool  // whether a part of the next entity was told: up to at
	at     domains.Passed
}

func passedFrom(p Position) passed {
	if len(p) < 8 {
		return passed{}
	}
	out := passed{tally: tally{entities: p.at(1), triples: p.at(7) / 2, partial: p.at(7)%2 == 1}}
	if fact := p.at(8); fact > 0 {
		out.inside, out.at = true, domains.Passed{Fact: fact - 1, Value: p.at(9)}
	}
	return out
}

// walking is one page of a walk.
type walking struct {
	*entities
	blocks blocks
	layout layout
	depth  int
	skip   int // entities that earlier pages showed
	passed passed
	read   tally
	failed error
	// before are what was read before each entity from skip on.
	before []tally
	// starts are, by the index of an entity, the lines at which values of its block begin, and
	// cut the first line behind what was left out.
	starts map[int][]start
	cut    map[int]int
	shown  filled
}

// walk is a block for each match and then for each neighbour.
func (e *entities) walk(ctx context.Context) (string, error) {
	from := make([]string, 0, len(e.matches.Hits))
	for _, h := range e.matches.Hits {
		from = append(from, h.IRI)
	}
	o := domains.WalkOptions{Depth: min(max(e.o.Depth, 0), MaxDepth), Fanout: fanout[e.o.Detail], Languages: e.f.Languages, Read: e.matches.Read}
	lines := shortRelations
	if e.o.Detail != Full {
		lines = lines[len(lines)-1:]
	}
	for _, least := range lines {
		o.Shown = 0
		if least > 0 {
			o.Shown = max(e.f.Budget, MinBudget) / least
		}
		text, whole, err := e.page(ctx, from, o)
		if whole || err != nil || o.Shown == 0 {
			return text, err
		}
	}
	return "", nil // not reached: the last one shows all
}

// shortRelations are what a line about a value is reckoned to take, in code points: as many
// as fill a page are read of a property. Nearly all lines hold an IRI and take 40; where the
// page had room for more, it is made again with shorter ones, and then with all.
var shortRelations = []int{40, 10, 0}

// page is one page of a walk; whole is false when it shows too little, because values were
// left out (o.Shown) for which there was room.
func (e *entities) page(ctx context.Context, from []string, o domains.WalkOptions) (text string, whole bool, err error) {
	inside := inside(e.f.From)
	summarised := false
	w := &walking{entities: e, depth: o.Depth, skip: inside.at(0), passed: passedFrom(e.f.From), starts: map[int][]start{}, cut: map[int]int{}}
	w.blocks = blocks{namer: e.names, detail: e.o.Detail, summarised: &summarised, contexts: newContexts(e.f, e.d, e.o.Contexts)}
	if e.o.Detail == Full {
		w.blocks.layout = &w.layout
	}
	if len(e.f.From) >= 8 {
		o.Skip, o.Passed = w.skip, w.passed.at
		w.read.triples, w.read.partial = w.passed.tally.triples, w.passed.tally.partial
	}
	doc := document{
		title: func(p filled) string { w.shown = p; return e.walkHeader(w.read, o.Depth, w.skip, p) },
		head:  append(e.shortened(), ""),
		from:  &inside,
		place: w.place,
		items: w.items(e.d.Facts.Walk(ctx, from, o), o.Skip),
	}
	doc.rest(e)
	if e.o.Detail != Full || len(e.hints) > 0 {
		doc.asides = func(filled) []string {
			if !summarised || e.o.Detail == Full {
				return e.hints
			}
			return append(e.hints, `("in all" counts the values of a property that has many; detail=full lists them.)`)
		}
	}
	text = doc.text(e.f)
	if w.failed != nil {
		return "", false, w.failed
	}
	return text, w.whole(), nil
}

// whole reports whether the page ends before anything that was left out.
func (w *walking) whole() bool {
	for index, line := range w.cut {
		next := w.shown.next
		if next == nil || next.at(0) > index || next.at(0) == index && next.at(1) >= line {
			return false
		}
	}
	return true
}

// place is the position in the answer of one among the items. In the first entity, before
// what it leads to, nothing is passed that has to be told.
func (w *walking) place(p Position) Position {
	index, line := p.at(0), p.at(1)
	full := append(make(Position, 0, maxPosition), w.offset, index, line, p.at(2), 0, 0, 0, 0)
	if i := index - w.skip; i >= 0 && i < len(w.before) {
		full[7] = w.before[i].triples * 2
		if w.before[i].partial {
			full[7]++
		}
	}
	i, exact := slices.BinarySearchFunc(w.starts[index], line, func(s start, line int) int { return s.line - line })
	if !exact {
		i-- // the last before the line
	}
	switch {
	case i >= 0 && (line > 0 || p.at(2) > 0):
		s := w.starts[index][i]
		full[2] = line - s.line
		full = append(full, s.fact+1, s.value)
	case index == 0:
		full = full[:4]
	}
	return w.position(full, w.resumed)
}

// items are the blocks of a walk; those before skip are not written, and those before
// passed were counted by earlier pages.
func (w *walking) items(walk iter.Seq2[domains.Entity, error], passed int) iter.Seq[item] {
	return func(yield func(item) bool) {
		for entity, err := range walk {
			if err != nil {
				w.failed = err
				return
			}
			index := w.read.entities
			if index >= w.skip {
				w.before = append(w.before, w.read)
			}
			w.read.add(entity, w.depth, index < passed)
			if !yield(w.item(&entity, index)) {
				return
			}
		}
	}
}

// The headings of a walk's two sections.
var (
	matching = []string{"── Matching Entities ──"}
	related  = []string{"── Related Entities (neighbors) ──"}
)

// item is the block of an entity; one that earlier pages showed is empty.
func (w *walking) item(entity *domains.Entity, index int) item {
	it := item{heading: matching, spaced: true}
	if entity.Distance > 0 {
		it.heading = related
	}
	if index < w.skip {
		return it
	}
	it.lines = w.blocks.block(entity)
	it.title = it.lines[0]
	if index == w.skip && w.passed.inside {
		at := start{fact: w.passed.at.Fact, value: w.passed.at.Value}
		i := slices.IndexFunc(w.layout.starts, func(s start) bool { return s.fact == at.fact && s.value == at.value })
		if i >= 0 {
			begin := w.layout.starts[i].line
			it.lines, it.begun = it.lines[begin:], true
			w.layout.starts = w.layout.starts[i:]
			w.layout.move(-begin)
		}
	}
	w.starts[index] = w.layout.starts
	if w.layout.cut > 0 {
		w.cut[index] = w.layout.cut
	}
	w.layout = layout{}
	return it
}

// add counts one entity; of one that is passed only that it is there.
func (t *tally) add(e domains.Entity, depth int, passed bool) {
	t.entities++
	if e.Distance == 0 {
		t.matches++
	}
	if passed {
		return
	}
	t.triples += e.Triples
	for _, f := range e.Facts {
		if !f.Cut && (f.Total > len(f.Values) || f.AtLeast) && e.Distance < depth && !literals(f) {
			t.partial = true
		}
	}
}

// literals reports whether all values of a fact that were read are literals.
func literals(f domains.Fact) bool {
	for _, v := range f.Values {
		if v.Ref != nil || v.Nested != nil {
			return false
		}
	}
	return len(f.Values) > 0
}
