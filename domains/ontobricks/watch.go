package ontobricks

import (
	"context"
	"sync"

	"github.com/ontogate/ontogate/domains"
)

// news is what changed in the lists of domains, whoever's. It knows changes, not
// lists: of what a principal was answered nothing but the names of domains that
// changed goes on.
type news struct {
	mu      sync.Mutex
	turns   uint64                  // of reading a list
	changed uint64                  // the turn in which the last change was read
	told    map[domains.Name]string // domain → the state that was last told of
	readers map[*reader]struct{}
}

// mostTold bounds news.told.
const mostTold = 10_000

// reader is a Watch: the names that it has not yet passed on.
type reader struct {
	wake  chan struct{} // holds one
	names map[domains.Name]bool
}

// turn numbers the reading of a list.
func (n *news) turn() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turns++
	return n.turns
}

// outdates reports whether a change was noticed in a list that was asked for later.
func (n *news) outdates(l *listing) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return l.turn < n.changed
}

// compare takes what differs between two lists of one principal. A domain that is
// there for one principal and gone for another is news each time. A state that was told
// of is none again: the others find it when their list is read anew, because this
// change outdated it.
func (n *news) compare(before, after *listing) {
	old, now := before.states(), after.states()
	differ := map[domains.Name]string{}
	for name, state := range now {
		if old[name] != state {
			differ[name] = state
		}
	}
	for name := range old {
		if _, ok := now[name]; !ok {
			differ[name] = ""
		}
	}
	if len(differ) == 0 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.told == nil || len(n.told) > mostTold {
		n.told = map[domains.Name]string{}
	}
	for name, state := range differ {
		told, ok := n.told[name]
		isNew := !ok || told != state
		n.told[name] = state
		if isNew {
			n.changed = max(n.changed, after.turn)
		}
		if _, was := old[name]; isNew || !was || state == "" {
			n.tellLocked(name)
		}
	}
}

func (n *news) tellLocked(name domains.Name) {
	for r := range n.readers {
		r.names[name] = true
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}

func (n *news) subscribe() *reader {
	r := &reader{wake: make(chan struct{}, 1), names: map[domains.Name]bool{}}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.readers == nil {
		n.readers = map[*reader]struct{}{}
	}
	n.readers[r] = struct{}{}
	return r
}

func (n *news) unsubscribe(r *reader) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.readers, r)
}

// take empties the names of a reader.
func (n *news) take(r *reader) []domains.Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	out := sortedNames(r.names)
	clear(r.names)
	return out
}

// Watch refreshes the program's list of domains as long as ctx lasts, and calls changed
// for every domain whose policy or graph changed, or that appeared or went, whoever's
// list shows it. After a change nobody is served from a list that is older. It
// calls changed in the goroutine of its caller, one name after the other.
func (b *Backend) Watch(ctx context.Context, changed func(domains.Name)) error {
	if !b.flights.begin() {
		return errClosed
	}
	defer b.flights.active.Done()
	r := b.news.subscribe()
	defer b.news.unsubscribe(r)

	ctx, stop := context.WithCancel(ctx)
	var refreshing sync.WaitGroup
	defer refreshing.Wait()
	defer stop()
	defer context.AfterFunc(b.flights.ctx, stop)()
	refreshing.Go(func() { b.refresh(ctx) })
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.wake:
		}
		for _, name := range b.news.take(r) {
			if ctx.Err() != nil {
				return nil
			}
			changed(name)
		}
	}
}

// refresh reads the program's list at once, so that the first change is seen as one, and
// then again and again. An outage is logged once.
func (b *Backend) refresh(ctx context.Context) {
	program := &Backend{deployment: b.deployment, mine: b.tenants.program}
	outage := false
	for {
		b.tenants.sweep(b.clock())
		_, err := program.listing(ctx, listMinimum)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !outage:
			b.log.WarnContext(ctx, "the list of domains could not be read to look for changes", reason(err)...)
		}
		outage = err != nil
		if b.tick(ctx, listTTL) != nil {
			return
		}
	}
}
