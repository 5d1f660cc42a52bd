package server

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ontogate/ontogate/domains"
)

const (
	// introLimit is the most time that initialize waits for a back end: its instructions
	// can do without.
	introLimit = 2 * time.Second
	// listLimit is the same for lists, for the start, and for addresses of a domain.
	listLimit = 5 * time.Second
	// looksAtOnce is how many such questions may be open.
	looksAtOnce = 256
	// watchPause is the time between a watch that broke off and the next.
	watchPause = time.Minute
)

// soon asks a back end for what an answer can do without, or what must not hang: the
// caller waits at most for limit, even if ask does not listen to its ctx. Shutdown waits
// for what is left.
func soon[T any](ctx context.Context, s *Server, limit time.Duration, ask func(context.Context) (T, error)) (value T, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := s.take(ctx, s.looks); err != nil {
		return value, err
	}
	type result struct {
		value T
		err   error
		panic any
	}
	ended := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r.panic = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			<-s.looks
			ended <- r
		}()
		r.value, r.err = ask(ctx)
	}()
	select {
	case r := <-ended:
		if r.panic != nil {
			panic(r.panic)
		}
		return r.value, r.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}

// watcher follows the domains of the back end, so that clients learn of tools that
// came or went by a new policy.
type watcher struct {
	// changes counts what the back end told.
	changes atomic.Uint64

	mu    sync.Mutex
	end   context.CancelFunc // nil before it has begun
	ended chan struct{}      // closed when its goroutine is over
	over  bool               // no further one may begin
	// local are the sessions on stdio.
	local map[*session]bool
	// seen are the tools of domains as the program last saw them: domain → toolNames.
	seen map[domains.Name]string
}

// watch begins to follow the domains, unless that has begun. It ends with Shutdown.
func (s *Server) watch() {
	w := &s.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.end != nil || w.over {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.end, w.ended, w.seen = cancel, make(chan struct{}), map[domains.Name]string{}
	go func() {
		defer close(w.ended)
		for ctx.Err() == nil {
			err := s.watchOnce(ctx)
			if ctx.Err() != nil {
				return
			}
			s.cfg.Logger.WarnContext(ctx, "the watch over the domains broke off; it begins again", "after", watchPause, "cause", fmt.Sprint(err))
			select {
			case <-time.After(watchPause):
			case <-ctx.Done():
			}
		}
	}()
}

// watchOnce follows the domains until ctx ends or the back end cannot go on.
func (s *Server) watchOnce(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	s.services.watchedAnew()
	return s.backend(&caller{}).Watch(ctx, func(name domains.Name) {
		s.watcher.changes.Add(1)
		s.compare(ctx, name, false)
	})
}

// endWatch ends the watch and waits for it, at most until ctx ends.
func (s *Server) endWatch(ctx context.Context) error {
	w := &s.watcher
	w.mu.Lock()
	w.over = true
	end, ended := w.end, w.ended
	w.mu.Unlock()
	if end == nil {
		return nil
	}
	end()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the watch over the domains: %w", ctx.Err())
	}
}

// join and leave are for sessions on stdio.
func (w *watcher) join(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.local == nil {
		w.local = map[*session]bool{}
	}
	w.local[s] = true
}

func (w *watcher) leave(s *session) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.local, s)
}

// compare looks which tools a domain offers now, as the program sees it: no user's
// token is at hand, and none is needed, because policy and abilities are the domain's.
// Sessions whose clients were told otherwise are announced the change. What a user sees
// may differ from what the program sees; such a session is not told again and again,
// because nothing is announced when the program sees what it saw before, unless always
// is set or the client was told nothing of the domain. The selection of a domain that is
// gone ends. What is kept of another revision is let go.
func (s *Server) compare(ctx context.Context, name domains.Name, always bool) {
	c := &caller{}
	d, err := soon(ctx, s, listLimit, func(ctx context.Context) (*domains.Domain, error) { return s.backend(c).Open(ctx, name) })
	isGone := errors.Is(err, domains.ErrUnknownDomain)
	switch {
	case err == nil:
		d = s.narrowed(d)
		if s.services.letGo(name, d.Revision) {
			s.prepare(c, d) // it was asked for before
		}
	case isGone || errors.Is(err, domains.ErrUnavailable):
		s.services.letGo(name, "")
	default:
		return // not known: clients keep what they have, and calls say why they fail
	}
	now := s.toolNames(d)
	w := &s.watcher
	w.mu.Lock()
	before, known := w.seen[name]
	if w.seen != nil {
		w.seen[name] = now
	}
	var all []*session
	for local := range w.local {
		all = append(all, local)
	}
	w.mu.Unlock()
	all = append(all, s.sessions.all()...)
	for _, session := range all {
		if isGone {
			session.loses(name)
		}
		session.learns(name, now, always || !known || before != now)
	}
}

// notOpened stands for the tools of a domain that cannot be opened: all are listed
// then, and none of the domain's works.
const notOpened = "-"

// toolNames are the names of the tools that a domain offers, as one text.
func (s *Server) toolNames(d *domains.Domain) string {
	if d == nil {
		return notOpened
	}
	var names []string
	for _, t := range s.tools {
		if offers(d, t) {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, " ")
}

// listed notes what the caller's client was told of its tools in a list. since is the
// count of changes before the domain was opened: with a change in between, which the
// list may have missed, it is looked at again.
func (s *Server) listed(ctx context.Context, c *caller, d *domains.Domain, since uint64) {
	name := c.inEffect()
	if c.session == nil || name == "" {
		return
	}
	c.session.knows(name, s.toolNames(d))
	if s.watcher.changes.Load() != since {
		s.compare(ctx, name, true)
	}
}
