package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// EntitiesOptions say which entities to describe, and how.
type EntitiesOptions struct {
	// Search, EntityType and EntityURI are the arguments as they were typed; at
	// least one is set. The text repeats them when nothing is found.
	Search, EntityType, EntityURI string
	// Types are the class IRIs that EntityType stands for, sub-classes included.
	Types []string
	// Depth is the number of hops, 0 to MaxDepth.
	Depth int
	// Limit is the most matches on one page, up to MaxLimit; 0 means DefaultLimit.
	Limit int
	// Detail is how much of each entity is told; 0 chooses.
	Detail Detail
	// Cache says whether a search cache of the back end may answer.
	Cache domains.CacheUse
	// Contexts are what the domain's classes have besides facts: a match whose class is
	// among them is followed by it.
	Contexts []domains.ClassContext
}

// The ranges of the arguments of describe_entity. Texts advise them, so a server has
// to take the same; numbers beyond are taken as the nearest within.
const (
	// DefaultLimit and MaxLimit are matches on one page.
	DefaultLimit = 5
	MaxLimit     = 50
	// DefaultDepth is the depth of a call that does not ask for one; MaxDepth is the
	// deepest.
	DefaultDepth = 1
	MaxDepth     = 10
)

// fanout is the most values of one property that are read: detail → values.
var fanout = map[Detail]int{Standard: 10, Full: 10_000}

// Positions in an answer about entities are
//
//	matches before this page | entities of these matches' walk | line | code point
//
// so that a page goes on inside the walk of a group of matches, and the next group
// begins where the last one ended. Where the graph is read piece by piece or can change
// within a revision, there follow
//
//	where the piece begins | matches before it | matches in all
//
// and inside a walk what a page would otherwise have to read again: see passed.

// entities is one call of describe_entity.
type entities struct {
	f       Frame
	d       *domains.Domain
	o       EntitiesOptions
	names   namer
	matches *domains.Matches
	offset  int // matches on earlier pages
	resumed resumed
	read    domains.Reading // of the last look-up
	hints   []string        // sentences for the first page: what may have been meant
}

// Entities is the answer of describe_entity. The domain must have Facts. Errors
// are those of the domain's abilities and of ctx.
func Entities(ctx context.Context, f Frame, d *domains.Domain, e EntitiesOptions) (string, error) {
	o, err := d.Ontology(ctx)
	if err != nil {
		return "", err
	}
	if e.Limit <= 0 {
		e.Limit = DefaultLimit
	}
	e.Limit = min(e.Limit, MaxLimit)
	call := &entities{f: f, d: d, o: e, names: namer{ontology: o, langs: f.Languages}, offset: f.From.at(0), resumed: resumedFrom(f.From)}
	if err := call.find(ctx); err != nil {
		return "", err
	}
	if len(call.matches.Hits) == 0 && call.offset == 0 && call.matches.Resume == 0 {
		return call.nothing(ctx)
	}
	if call.hints, err = call.typeMeant(ctx); err != nil {
		return "", err
	}
	if call.o.Detail == 0 {
		call.o.Detail = Compact
		if call.matches.Total == 1 && !call.matches.AtLeast {
			call.o.Detail = Standard
		}
	}
	if call.o.Detail == Compact {
		return call.compact(), nil
	}
	return call.walk(ctx)
}

// find looks the matches of the page up.
func (e *entities) find(ctx context.Context) error {
	q := domains.Query{Text: strings.TrimSpace(e.o.Search), Types: e.o.Types, IRI: e.o.EntityURI, Languages: e.f.Languages,
		Offset: e.offset - e.resumed.before, Limit: e.o.Limit, Resume: e.resumed.at, Cache: e.o.Cache}
	if e.o.Detail != Compact {
		q.Depth = min(max(e.o.Depth, 0), MaxDepth)
	}
	var err error
	if e.matches, err = e.d.Facts.Find(ctx, q); err != nil {
		return err
	}
	e.read = e.matches.Read
	if e.matches.AtLeast {
		e.matches.Total = max(e.matches.Total, e.resumed.before+e.matches.ReadHits)
	}
	e.f.Notes = slices.Concat(e.notesOnReading(), e.f.Notes)
	return e.changed()
}

// probe looks up what else may have been meant.
func (e *entities) probe(ctx context.Context, q domains.Query) (*domains.Matches, error) {
	q.Languages, q.Limit, q.Cache, q.Probe, q.After = e.f.Languages, 1, e.o.Cache, true, e.read
	found, err := e.d.Facts.Find(ctx, q)
	if err == nil {
		e.read = found.Read
	}
	return found, err
}

// compact is one line for each match.
func (e *entities) compact() string {
	hits := e.matches.Hits
	inside := inside(e.f.From)
	doc := document{
		title: func(p filled) string { return e.listHeader(inside.at(0), p) },
		head:  append(e.shortened(), ""),
		from:  &inside,
		place: func(p Position) Position { // hits have no walk: whole ones count as matches passed
			return e.position(append(Position{e.offset + p.at(0), 0}, p[1:]...), e.resumed)
		},
	}
	doc.items = func(yield func(item) bool) {
		for _, h := range hits {
			line := fmt.Sprintf("■ %s  %s  %s", title(h.Label, h.IRI), e.names.kind(h.IRI, h.Types, h.Schema, false), oneLine(h.IRI))
			if !yield(item{heading: []string{"── Matching Entities ──"}, lines: []string{line}}) {
				return
			}
		}
	}
	doc.rest(e)
	said := e.hints
	if e.o.Depth > DefaultDepth {
		said = append(said, "(depth shows neighbours only together with detail=standard or detail=full.)")
	}
	if len(said) > 0 {
		doc.asides = func(filled) []string { return said }
	}
	return doc.text(e.f)
}

// rest makes the matches beyond this page follow its last item.
func (doc *document) rest(e *entities) {
	doc.more, doc.then = e.more, e.next()
	if len(e.matches.Hits) == 0 && e.resumed.at > 0 {
		doc.done = "(The rest of the graph has no more matches.)"
	}
}
