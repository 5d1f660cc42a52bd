package rdfgraph

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// tellEvery is the least time between two reports of one stage.
const tellEvery = 200 * time.Millisecond

// teller hands to Config.Progress what the loads of all domains report, one call at
// a time. A nil teller, and whatever comes from it, tells nobody.
type teller struct {
	tell func(Progress)
	now  func() time.Time
	mu   sync.Mutex // held while tell runs
}

// newTeller returns nil when there is nobody to tell.
func newTeller(tell func(Progress)) *teller {
	if tell == nil {
		return nil
	}
	return &teller{tell: tell, now: time.Now}
}

// of reports the loading of one domain.
func (t *teller) of(name domains.Name) *reporter {
	if t == nil {
		return nil
	}
	return &reporter{t, name}
}

// reporter tells how far the loading of one domain is.
type reporter struct {
	teller *teller
	domain domains.Name
}

// begin begins a stage of total steps, or bytes; 0 when nobody knows how many. The
// caller ends it.
func (r *reporter) begin(s Stage, total int64) *stage {
	if r == nil {
		return nil
	}
	g := &stage{teller: r.teller, progress: Progress{Domain: r.domain, Stage: s, Total: total}}
	g.next.Store(r.teller.now().Add(tellEvery).UnixNano())
	return g
}

// stage counts the steps of a stage of loading. It may be used concurrently.
type stage struct {
	teller   *teller
	progress Progress // Done is not kept here
	done     atomic.Int64
	next     atomic.Int64 // the time, in nanoseconds, from which it is told again
	ended    bool         // guarded by teller.mu
}

// add counts n steps that were done, and tells of them when the last report is long
// enough ago. Until the stage ends it stays below its total, however much is counted.
func (g *stage) add(n int64) {
	if g == nil {
		return
	}
	g.done.Add(n)
	now, next := g.teller.now(), g.next.Load()
	if now.UnixNano() < next || !g.next.CompareAndSwap(next, now.Add(tellEvery).UnixNano()) {
		return
	}
	g.teller.mu.Lock()
	defer g.teller.mu.Unlock()
	if g.ended {
		return
	}
	p := g.progress
	p.Done = g.done.Load()
	if p.Total > 0 {
		p.Done = min(p.Done, p.Total-1)
	}
	g.teller.tell(p)
}

// end tells that the stage is done. Of a total that was not known it tells what was counted.
func (g *stage) end() {
	if g == nil {
		return
	}
	g.teller.mu.Lock()
	defer g.teller.mu.Unlock()
	if g.ended {
		return
	}
	g.ended = true
	p := g.progress
	if p.Total == 0 {
		p.Total = g.done.Load()
	}
	p.Done = p.Total
	g.teller.tell(p)
}
