package ontobricks

import (
	"context"
	"math"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// reading is what one Find reads: the pages of one question for each name, one after
// another, until all are read or the number of requests is used up.
type reading struct {
	source *facts
	depth  int
	cache  domains.CacheUse
	probe  bool
	begin  int // Query.Resume

	// names are the classes that are asked for, one a question; none asks without.
	names  []string
	unused []bool // classes that have no entities
	search string
	rule   rule
	again  bool // the second question of each name, which asks for one word

	requests, count int // triples are counted as they come
	triples         []wire.Triple
	seen            map[wire.Triple]bool
	// whole are the subjects of which all triples were read: question → subjects, as they
	// came.
	whole [][]string
	// seeds is the largest number of matches that the service told of one question.
	seeds int
	// resume is where to go on; 0 at the end. stopped is set when there is more that
	// can't be read.
	resume  int
	stopped bool
	cached  bool // the service used its cache for some page
}

func (f *facts) newReading(q domains.Query) *reading {
	r := &reading{
		source: f, depth: min(max(q.Depth, 1), deepest), cache: q.Cache, probe: q.Probe,
		begin: max(q.Resume, 0), seen: map[wire.Triple]bool{},
	}
	if before, ok := q.After.(*picture); ok && before != nil {
		r.requests = before.requests
	}
	return r
}

// usedUp reports whether the tool call may not ask any more.
func (r *reading) usedUp() bool { return r.requests >= r.source.pages }

// question sets what is read next.
func (r *reading) question(names []string, search string) {
	r.names, r.search = names, search
	r.rule = newRule(names, search)
	r.whole = make([][]string, max(1, len(names)))
	if len(r.unused) != len(r.whole) {
		r.unused = make([]bool, len(r.whole))
	}
}

// fewNames is up to how many classes are asked for without looking which of them are
// used.
const fewNames = 3

// leaveUnused finds the classes that no entity has, where there are many to ask for.
// The first is asked for in any case. It is a help only: an error changes nothing.
func (r *reading) leaveUnused(ctx context.Context) {
	if len(r.names) <= fewNames || r.source.stats == nil {
		return
	}
	s, err := r.source.stats(ctx)
	if err != nil || s == nil || len(s.EntityTypes) == 0 {
		return
	}
	used := map[int]bool{}
	for _, c := range s.EntityTypes {
		for i := range r.rule.named(c.URI) {
			used[i] = true
		}
	}
	for i, name := range r.names {
		if i > 0 && !used[i] {
			r.unused[i] = true
			delete(r.rule.classes, strings.ToLower(name))
		}
	}
}

// A place where reading goes on is offset·n + i: the i-th of n questions, from the
// offset-th of its triples.

// read asks the questions from where it is to begin.
func (r *reading) read(ctx context.Context) error {
	n := len(r.whole)
	for i := r.begin % n; i < n; i++ {
		if r.unused[i] {
			continue
		}
		if r.probe && r.seeds > 0 {
			r.stopped = true
			return nil
		}
		start := 0
		if i == r.begin%n {
			start = r.begin / n
		}
		next, done, err := r.pages(ctx, i, run{offset: start, first: start})
		if err != nil {
			return err
		}
		if done {
			continue
		}
		if place := next*n + i; next <= (math.MaxInt32-i)/n && place != r.begin && r.resumable() {
			r.resume = place
		}
		r.stopped = r.resume == 0
		return nil
	}
	return nil
}

// pages reads the pages of a question behind what was read of it. done is false when requests ran out; next is
// then the offset of the first triple of which the subject was not wholly read.
func (r *reading) pages(ctx context.Context, question int, b run) (next int, done bool, err error) {
	start := b.offset
	for {
		if r.usedUp() || r.probe && b.offset > start {
			break
		}
		found, err := r.page(ctx, question, b.offset)
		if err != nil {
			return 0, false, err
		}
		fresh := b.add(r, found.Triples)
		if found.HasMore && !fresh { // it would go on for ever
			r.stopped = true
		}
		if !found.HasMore || !fresh {
			r.whole[question] = b.subjects
			return 0, true, nil
		}
	}
	switch n := len(b.subjects); {
	case n == 0 || n == 1 && question != r.begin%len(r.whole):
		return start, false, nil
	case n == 1: // one subject fills all that may be read: it has to do as it is
		r.whole[question] = b.subjects
		return b.offset, false, nil
	default:
		r.whole[question] = b.subjects[:n-1]
		return b.first, false, nil
	}
}

// page asks for one page.
func (r *reading) page(ctx context.Context, question, offset int) (*wire.Found, error) {
	p := findParams{Search: r.search, Depth: r.depth, Limit: r.source.limit, Offset: offset, Cache: r.cache}
	if len(r.names) > 0 {
		p.EntityType = r.names[question]
	}
	r.requests++
	found, err := r.source.find(ctx, p)
	if err != nil {
		return nil, err
	}
	r.seeds = max(r.seeds, found.SeedCount)
	r.cached = r.cached || found.CacheUsed
	out := *found
	if n := len(out.Triples); n > 0 && out.Total > offset+n { // older versions tell the total alone
		out.HasMore = true
	}
	return &out, ctx.Err()
}

// run is what was read of one question.
type run struct {
	offset   int // behind the last triple
	first    int // of the first triple of the last subject
	subjects []string
	top      wire.Triple // the first of the last page
}

// add takes a page over and reports whether it is another than the one before.
func (b *run) add(r *reading, triples []wire.Triple) (fresh bool) {
	if len(triples) == 0 || triples[0] == b.top {
		return false
	}
	b.top = triples[0]
	for _, t := range triples {
		t = wire.Triple{Subject: valid(t.Subject), Predicate: valid(t.Predicate), Object: valid(t.Object)}
		if n := len(b.subjects); n == 0 || b.subjects[n-1] != t.Subject {
			b.subjects = append(b.subjects, t.Subject)
			b.first = b.offset
		}
		b.offset++
		if !r.seen[t] {
			r.seen[t] = true
			r.triples = append(r.triples, t)
		}
	}
	r.count += len(triples)
	return true
}

// valid is a text without bytes that are not UTF-8.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// resumable reports whether a later Find can go on where this one stops: it has to
// know which question it was.
func (r *reading) resumable() bool { return !r.probe && (len(r.whole) == 1 || !r.again) }

// complete reports whether all was read from the beginning to the end.
func (r *reading) complete() bool { return r.begin == 0 && r.resume == 0 && !r.stopped }

// foundNothing reports whether the service has no match for any of the questions.
func (r *reading) foundNothing() bool {
	asked := r.begin == 0 || len(r.whole) == 1
	return asked && r.seeds == 0 && len(r.triples) == 0 && r.resume == 0 && !r.stopped
}
