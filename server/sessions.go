package server

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// session is what is remembered of one client between its requests.
type session struct {
	id string
	// fixed is the domain of the address where the session began; the session is
	// unknown at every other address.
	fixed domains.Name
	// slots holds a token for each call that runs.
	slots chan struct{}

	mu       sync.Mutex
	selected domains.Name
	ended    bool
	busy     int                // requests being served, listening streams included
	rested   time.Time          // when the last request ended
	stream   context.CancelFunc // ends the listening stream; nil when there is none
	streams  int                // counts listening streams, to tell the last one
}

// callsPerSession is how many calls of one session run at once.
const callsPerSession = 16

func newSession(id string, fixed, selected domains.Name) *session {
	return &session{id: id, fixed: fixed, selected: selected, slots: make(chan struct{}, callsPerSession)}
}

// selection is the domain selected; empty when there is none.
func (s *session) selection() domains.Name {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.selected
}

// choose replaces the selection and reports whether that changed it.
func (s *session) choose(name domains.Name) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed = s.selected != name
	s.selected = name
	return changed
}

// listen makes a context for a listening stream. It ends with the session, and
// when another stream takes its place: a session has one. release is called when
// the stream is over.
func (s *session) listen(ctx context.Context) (stream context.Context, release func()) {
	stream, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream != nil {
		s.stream()
	}
	if s.ended {
		cancel()
	}
	s.streams++
	mine := s.streams
	s.stream = cancel
	return stream, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.streams == mine {
			s.stream = nil
		}
	}
}

// end marks a session as over and closes its listening stream. With ifIdle it
// does so only when the session is idle. It reports whether it did.
func (s *session) end(ifIdle func(*session) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || (ifIdle != nil && !ifIdle(s)) {
		return false
	}
	s.ended = true
	if s.stream != nil {
		s.stream()
	}
	return true
}

// sessions are the sessions over HTTP. Idle ones are looked for when requests
// come, so that no goroutine has to; a session with a request being served, a
// listening stream among them, is never idle.
type sessions struct {
	most  int
	idle  time.Duration
	clock func() time.Time
	// ended is told each session that ended, without locks held.
	ended func(id string)

	mu    sync.Mutex
	byID  map[string]*session
	swept time.Time // when idle ones were last looked for
	shut  bool
}

func newSessions(c Config, ended func(id string)) *sessions {
	return &sessions{
		most: c.MaxSessions, idle: c.SessionIdle, clock: c.Clock, ended: ended,
		byID: map[string]*session{}, swept: c.Clock(),
	}
}

// begin starts a session that is busy until done is called. ok is false when
// there are too many already.
func (t *sessions) begin(fixed, selected domains.Name) (s *session, done func(), ok bool) {
	t.mu.Lock()
	full := len(t.byID) >= t.most
	t.mu.Unlock()
	if full {
		t.sweep(time.Second) // seldom, or a flood of clients would cost a look at all each
	}
	s = newSession(secret(), fixed, selected)
	s.busy = 1
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut || len(t.byID) >= t.most {
		return nil, nil, false
	}
	t.byID[s.id] = s
	return s, func() { t.rest(s) }, true
}

// use finds a session by its id and address and keeps it busy until done is
// called. ok is false when there is none, or it has rested too long.
func (t *sessions) use(id string, fixed domains.Name) (s *session, done func(), ok bool) {
	t.mu.Lock()
	s = t.byID[id]
	t.mu.Unlock()
	if s == nil || s.fixed != fixed {
		return nil, nil, false
	}
	if s.end(t.isIdle) {
		t.forget(s)
		return nil, nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return nil, nil, false
	}
	s.busy++
	return s, func() { t.rest(s) }, true
}

// rest notes the end of a request.
func (t *sessions) rest(s *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.rested = t.clock()
}

// isIdle reports whether a session has rested too long; its lock is held.
func (t *sessions) isIdle(s *session) bool {
	return s.busy == 0 && t.clock().Sub(s.rested) > t.idle
}

// end ends a session by its id.
func (t *sessions) end(id string) {
	t.mu.Lock()
	s := t.byID[id]
	t.mu.Unlock()
	if s != nil && s.end(nil) {
		t.forget(s)
	}
}

// forget drops a session that has ended.
func (t *sessions) forget(s *session) {
	t.mu.Lock()
	delete(t.byID, s.id)
	t.mu.Unlock()
	t.ended(s.id)
}

// sweep ends idle sessions, when they were last looked for at least so long ago.
func (t *sessions) sweep(every time.Duration) {
	now := t.clock()
	t.mu.Lock()
	if now.Sub(t.swept) < every {
		t.mu.Unlock()
		return
	}
	t.swept = now
	all := t.allLocked()
	t.mu.Unlock()
	for _, s := range all {
		if s.end(t.isIdle) {
			t.forget(s)
		}
	}
}

// shutdown ends all sessions and refuses new ones.
func (t *sessions) shutdown() {
	t.mu.Lock()
	t.shut = true
	all := t.allLocked()
	t.mu.Unlock()
	for _, s := range all {
		if s.end(nil) {
			t.forget(s)
		}
	}
}

func (t *sessions) allLocked() []*session {
	all := make([]*session, 0, len(t.byID))
	for _, s := range t.byID {
		all = append(all, s)
	}
	return all
}

// secret is a name that nobody can guess: 256 bits of randomness.
func secret() string {
	var b [32]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(b[:])
}
