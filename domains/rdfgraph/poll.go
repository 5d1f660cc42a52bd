package rdfgraph

import (
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// settle is the time for which a folder that changed has to look the same before it is
// loaded: whoever writes it is then probably done.
const settle = 500 * time.Millisecond

// pending is how a folder looks that looks otherwise than when it was loaded.
type pending struct {
	look  look
	since time.Time
}

// poll looks at the folder until ctx ends, every Config.Poll and, while something looks
// otherwise, after settle.
func (b *Backend) poll(ctx context.Context) {
	wait := b.config.Poll
	for {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
		select {
		case b.turn <- struct{}{}:
		case <-ctx.Done():
			return
		}
		wait = b.config.Poll
		if b.step(ctx) {
			wait = min(wait, settle)
		}
		<-b.turn
	}
}

// step looks once, and loads what has changed and looks the same for the second time. It
// reports whether something else has changed.
func (b *Backend) step(ctx context.Context) (unsettled bool) {
	if b.freeAgain {
		b.freeAgain = false
		debug.FreeOSMemory()
	}
	found, err := b.survey()
	if err != nil {
		if b.lost != err.Error() {
			b.lost = err.Error()
			b.log.WarnContext(ctx, "the folder of the domains can't be read: what was loaded is served until it can", "cause", b.lost)
		}
		return false
	}
	b.lost = ""
	b.overtake(found)
	due, byContent, unsettled := b.due(found)
	for _, content := range []bool{false, true} {
		paths := due
		if content {
			paths = byContent
		}
		quick, slow := found.split(paths)
		for _, at := range slow {
			b.loadAside(ctx, found, at, content)
		}
		if len(quick) == 0 {
			continue
		}
		unsteady, err := b.take(ctx, found, quick, content)
		if err != nil {
			return false // ctx ended
		}
		unsettled = unsettled || len(unsteady) > 0
	}
	if !slices.Equal(b.skipped, found.skipped) {
		b.publish(ctx, found.skipped)
	}
	return unsettled
}

// due are the paths of folders that are to be loaded, and of those whose contents are to be
// read again. unsettled is set when others look otherwise, but not for long enough.
func (b *Backend) due(found survey) (due, byContent []string, unsettled bool) {
	now := time.Now()
	maps.DeleteFunc(b.pending, func(at string, _ pending) bool { _, is := found.looks[at]; return !is })
	for _, at := range found.all() {
		l, h := found.looks[at], b.held[at]
		if h != nil && h.seen.isSame(l) {
			delete(b.pending, at)
			if !h.recheck.IsZero() && !now.Before(h.recheck) && b.asides[at] == nil {
				byContent = append(byContent, at)
			}
			continue
		}
		p, is := b.pending[at]
		if !is || !p.look.isSame(l) {
			b.pending[at] = pending{l, now}
			unsettled = true
			continue
		}
		// Some editors delete a file before they write it anew, and without domain.yaml
		// the policy is gone: that has to last.
		if h != nil && l.lostSettings(h.seen) && now.Sub(p.since) < b.config.Poll {
			unsettled = true
			continue
		}
		if b.asides[at] != nil {
			continue // it is loaded already, or what was loaded is given up
		}
		due = append(due, at)
	}
	return due, byContent, unsettled
}

// watchers are those who want to know what changed.
type watchers struct {
	mu  sync.Mutex
	all map[*watcher]bool
	// changed are all names that were told of. Whoever begins to watch is told of them,
	// because it may have seen them before they changed.
	changed map[domains.Name]bool
}

// watcher is one of them.
type watcher struct {
	wake chan struct{} // has a token while there is something to tell
	mu   sync.Mutex
	due  map[domains.Name]bool
}

// tell notes the names of domains that changed. It waits for nobody.
func (w *watchers) tell(names []domains.Name) {
	if len(names) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = map[domains.Name]bool{}
	}
	for _, name := range names {
		w.changed[name] = true
	}
	for one := range w.all {
		one.mu.Lock()
		for _, name := range names {
			one.due[name] = true
		}
		one.mu.Unlock()
		select {
		case one.wake <- struct{}{}:
		default:
		}
	}
}

// watch calls changed for each name that is told, several times told once when changed is
// slow, until ctx ends.
func (w *watchers) watch(ctx context.Context, changed func(domains.Name)) {
	one := &watcher{wake: make(chan struct{}, 1), due: map[domains.Name]bool{}}
	w.mu.Lock()
	if w.all == nil {
		w.all = map[*watcher]bool{}
	}
	w.all[one] = true
	if len(w.changed) > 0 {
		maps.Copy(one.due, w.changed)
		one.wake <- struct{}{}
	}
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.all, one)
		w.mu.Unlock()
	}()
	for {
		select {
		case <-one.wake:
		case <-ctx.Done():
			return
		}
		one.mu.Lock()
		names := slices.Sorted(maps.Keys(one.due))
		clear(one.due)
		one.mu.Unlock()
		for _, name := range names {
			if ctx.Err() != nil {
				return
			}
			changed(name)
		}
	}
}
