package rdfgraph

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ontogate/ontogate/domains"
)

// arrival is a folder that was loaded.
type arrival struct {
	at          string // its path
	seen, after look   // before it was read, and afterwards
	began       time.Time
	domain      *domain // nil when the folder is none of a domain any more
}

// arrive loads a folder, which is none of a domain when it is nil. The only error is that
// ctx ended.
func (b *Backend) arrive(ctx context.Context, f *folder, a arrival, o loadOptions) (arrival, error) {
	a.began = time.Now()
	if f == nil {
		return a, nil
	}
	var err error
	if a.domain, err = load(ctx, *f, o); err == nil {
		a.after = b.look(*f)
	}
	return a, err
}

// options are those of loading a folder. Whoever calls it has the turn.
func (b *Backend) options(at string, byContent bool) loadOptions {
	o := loadOptions{log: b.log, tell: b.tell, byContent: byContent, keep: b.keep, calls: b.calls, path: b.path, survey: b.config.Survey}
	if h := b.held[at]; h != nil {
		o.before = h.inForce
	}
	return o
}

// take loads folders as a survey found them, and puts what came of it in force. Files that
// changed while they were read are not taken; unsteady are the paths of their folders.
// byContent compares contents also where all times say that they are the same. The only
// error is that ctx ended; nothing has changed then.
func (b *Backend) take(ctx context.Context, found survey, due []string, byContent bool) (unsteady []string, err error) {
	arrivals := make([]arrival, len(due))
	loads, loading := errgroup.WithContext(ctx)
	loads.SetLimit(runtime.GOMAXPROCS(0))
	for i, at := range due {
		o := b.options(at, byContent)
		loads.Go(func() (err error) {
			arrivals[i], err = b.arrive(loading, found.folder(at), arrival{at: at, seen: found.looks[at]}, o)
			return err
		})
	}
	if err := loads.Wait(); err != nil {
		return nil, err
	}
	return b.admit(ctx, found.skipped, arrivals), nil
}

// admit puts in force what was loaded. Whoever calls it has the turn.
func (b *Backend) admit(ctx context.Context, skipped []Skipped, arrivals []arrival) (unsteady []string) {
	freed := 0
	before := map[string]held{}
	for _, a := range arrivals {
		delete(b.pending, a.at)
		if a.domain == nil {
			b.lose(ctx, a.at, a.seen)
			continue
		}
		h := b.held[a.at]
		if !a.after.isSame(a.seen) {
			unsteady = append(unsteady, a.at)
			if h != nil || b.state.Load() != nil {
				continue
			}
			a.seen = look{} // at the start there is nothing else to serve; the next look takes it
		}
		if h == nil {
			h = &held{}
			b.held[a.at] = h
		}
		before[a.at] = *h
		freed += h.renew(ctx, b.log, a.domain)
		h.seen, h.recheck, h.blocked = a.seen, time.Time{}, ""
		if since := a.began.Sub(time.Unix(0, a.seen.newest)).Abs(); since < coarse {
			h.recheck = time.Now().Add(coarse)
		}
	}
	b.keepNames(ctx, before)
	for at, was := range before {
		if h := b.held[at]; len(was.refused) > 0 && len(h.refused) == 0 {
			b.log.InfoContext(ctx, "domain mended", "domain", h.inForce.info.Name)
		}
	}
	b.publish(ctx, skipped)
	for _, a := range arrivals {
		if h := b.held[a.at]; h != nil {
			b.keep.save(h.inForce.unsaved)
			h.inForce.unsaved = nil
		}
	}
	if freed > largeGraph {
		debug.FreeOSMemory()
		b.freeAgain = true
	}
	return unsteady
}

// largeGraph is the number of triples from which memory is given back to the system at once
// when a graph is replaced: loading has grown the heap to several times what is held, and
// otherwise the next collection would begin only when as much again is used.
const largeGraph = 200_000

// keepNames refuses newer states of domains that were served, before, and now want the name
// of another one. Where a name is free for which one was refused, its folder is due again.
func (b *Backend) keepNames(ctx context.Context, before map[string]held) {
	for range len(before) { // who keeps a name may be in the way of another
		for _, at := range slices.Sorted(maps.Keys(before)) {
			was, h := before[at].inForce, b.held[at]
			if was == nil || was.served == nil || h.inForce == was || h.inForce.served == nil || h.inForce.info.Name == was.info.Name {
				continue
			}
			name := h.inForce.info.Name
			if folder, taken := b.owner(name, at); taken {
				h.inForce, h.refused, h.shown, h.blocked = was, before[at].refused, before[at].shown, name
				h.unlogged = before[at].unlogged
				h.refuse(ctx, b.log, []domains.Problem{{File: settingsFile, Message: fmt.Sprintf(
					"the name %q is taken by the domain in folder %q: set another name:", name, folder)}})
			}
		}
	}
	for at, h := range b.held {
		if _, taken := b.owner(h.blocked, at); h.blocked != "" && !taken {
			h.seen, h.blocked = look{}, ""
		}
	}
}

// owner is the folder, other than one, of the domain that is served with a name.
func (b *Backend) owner(name domains.Name, other string) (at string, is bool) {
	for at, h := range b.held {
		if at != other && h.inForce.served != nil && h.inForce.info.Name == name {
			return at, true
		}
	}
	return "", false
}

// aside is a large folder that is being loaded while others are looked at.
type aside struct {
	look look               // the folder before it is read
	stop context.CancelFunc // ends loading
	done chan struct{}      // closed when it is over
}

// slowSize is the size of a folder, in bytes, from which loading takes seconds. Other
// folders do not wait for it, and of such folders one is loaded at a time, because that
// takes several times the memory of the graph.
const slowSize = 16 << 20

// split are the paths of folders that load in a moment, and of those that take long.
func (s survey) split(paths []string) (quick, slow []string) {
	for _, at := range paths {
		if _, is := s.folders[at]; is && s.looks[at].size >= slowSize {
			slow = append(slow, at)
		} else {
			quick = append(quick, at)
		}
	}
	return quick, slow
}

// folder is a folder of a domain; nil when there is none.
func (s survey) folder(at string) *folder {
	if f, is := s.folders[at]; is {
		return &f
	}
	return nil
}

// loadAside loads a folder in a goroutine of the back end, and puts in force what came of
// it, unless it has changed. Whoever calls it has the turn, and polls until ctx ends.
func (b *Backend) loadAside(ctx context.Context, found survey, at string, byContent bool) {
	f, o := found.folder(at), b.options(at, byContent)
	loading, stop := context.WithCancel(ctx)
	one := &aside{look: found.looks[at], stop: stop, done: make(chan struct{})}
	b.asides[at] = one
	b.polling.Go(func() {
		defer close(one.done)
		defer stop()
		a, err := arrival{}, error(nil)
		select {
		case b.heavy <- struct{}{}:
			a, err = b.arrive(loading, f, arrival{at: at, seen: one.look}, o)
			<-b.heavy
		case <-loading.Done():
			err = loading.Err()
		}
		select {
		case b.turn <- struct{}{}:
			defer func() { <-b.turn }()
		case <-ctx.Done():
			return
		}
		delete(b.asides, at)
		if err == nil {
			b.admit(ctx, slices.Clone(b.skipped), []arrival{a})
		}
	})
}

// overtake ends the loading aside of folders that look otherwise by now: what is read would
// not be taken.
func (b *Backend) overtake(found survey) {
	for at, one := range b.asides {
		if !found.looks[at].isSame(one.look) {
			one.stop()
		}
	}
}

// finishAside waits until nothing is loaded aside. Whoever calls it has the turn, and has
// it again afterwards, also with an error: that ctx ended.
func (b *Backend) finishAside(ctx context.Context) (err error) {
	for at, one := range b.asides {
		<-b.turn
		select {
		case <-one.done:
		case <-ctx.Done():
			err = ctx.Err()
		}
		b.turn <- struct{}{}
		if err != nil {
			return err
		}
		if b.asides[at] == one {
			delete(b.asides, at) // polling has ended, and nobody else does
		}
		return b.finishAside(ctx)
	}
	return nil
}

// surveyWithSettings is survey, which looks again for a moment while a domain.yaml has
// vanished or is empty: without it the policy is gone.
func (b *Backend) surveyWithSettings(ctx context.Context) (survey, error) {
	found, err := b.survey()
	if err != nil {
		return found, err
	}
	const looks = 10
	for n := 0; n < looks && b.lacksSettings(found); n++ {
		select {
		case <-time.After(settle / looks):
		case <-ctx.Done():
			return found, ctx.Err()
		}
		if found, err = b.survey(); err != nil {
			return found, err
		}
	}
	return found, nil
}

// lacksSettings reports whether a domain.yaml has vanished or is empty.
func (b *Backend) lacksSettings(found survey) bool {
	for at, h := range b.held {
		if found.looks[at].lostSettings(h.seen) {
			return true
		}
	}
	return false
}
