package server

import (
	"cmp"
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
	// owner is the Key of the principal that began the session: it is unknown to every
	// other.
	owner string
	// slots holds a token for each call that runs.
	slots chan struct{}
	// wake has a token when something may be due.
	wake chan struct{}

	mu       sync.Mutex
	selected domains.Name
	// gone is the domain whose going ended the last selection; empty once there is another.
	gone domains.Name
	// told are the toolNames of the domain in effect that the client was told of; empty
	// when it was told nothing.
	told string
	// due is set while the client has to be told that its tools changed.
	due     bool
	ended   bool
	busy    int                // requests being served, listening streams included
	rested  time.Time          // when the last request ended
	stream  context.CancelFunc // ends the listening stream; nil when there is none
	streams int                // counts listening streams, to tell the last one
	// running are the requests that can be cancelled, of those that are answered directly:
	// key → cancel.
	running map[string]*context.CancelFunc
}

// callsPerSession is how many calls of one session run at once.
const callsPerSession = 16

func newSession(id string, fixed, selected domains.Name) *session {
	return &session{
		id: id, fixed: fixed, selected: selected,
		slots: make(chan struct{}, callsPerSession), wake: make(chan struct{}, 1),
	}
}

// selection is the domain selected, empty when there is none, and then the one whose going
// ended the selection.
func (s *session) selection() (selected, gone domains.Name) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.selected, s.gone
}

// choose replaces the selection, whose tools are given as toolNames, and reports whether
// that changed it. If so, the caller tells the client.
func (s *session) choose(name domains.Name, tools string) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.selected == name {
		return false
	}
	s.selected, s.gone, s.told, s.due = name, "", tools, false
	return true
}

// loses ends the selection of a domain that is gone. The client is told that its tools
// changed, if it knows any.
func (s *session) loses(name domains.Name) {
	s.mu.Lock()
	ends := s.selected == name
	hears := ends && s.told != ""
	if ends {
		s.selected, s.gone, s.told = "", name, ""
	}
	s.mu.Unlock()
	if hears {
		s.announce()
	}
}

// knows notes that the client was listed the tools of a domain.
func (s *session) knows(name domains.Name, tools string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cmp.Or(s.fixed, s.selected) == name {
		s.told, s.due = tools, false
	}
}

// learns notes which tools a domain has now. If it is in effect and the client was told
// otherwise, that is announced: when the change is new, or the client could not be told
// of the domain's tools before.
func (s *session) learns(name domains.Name, tools string, isNew bool) {
	s.mu.Lock()
	differs := cmp.Or(s.fixed, s.selected) == name && s.told != "" && s.told != tools && (isNew || s.told == notOpened)
	if differs {
		s.told = tools
	}
	s.mu.Unlock()
	if differs {
		s.announce()
	}
}

// announce makes the client be told that its tools changed: at once with a listening
// stream or on stdio, else with the answer to its next call.
func (s *session) announce() {
	s.mu.Lock()
	s.due = true
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// takeDue reports whether the client has to be told, and leaves that to the caller.
func (s *session) takeDue() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	due := s.due
	s.due = false
	return due
}

// takeDueAlone is takeDue for a session without a listening stream.
func (s *session) takeDueAlone() bool {
	s.mu.Lock()
	listens := s.stream != nil
	s.mu.Unlock()
	return !listens && s.takeDue()
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

// isResting reports whether a session serves nothing but perhaps a listening stream; its
// lock is held.
func (s *session) isResting() bool {
	return s.busy == 0 || s.busy == 1 && s.stream != nil
}

// resting is since when a session rests; ok is false while it does not.
func (s *session) resting() (since time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rested, s.isResting()
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

	mu   sync.Mutex
	byID map[string]*session
	// held counts the sessions of each owner.
	held  map[string]int
	swept time.Time // when idle ones were last looked for
	shut  bool
}

func newSessions(c Config, ended func(id string)) *sessions {
	return &sessions{
		most: c.MaxSessions, idle: c.SessionIdle, clock: c.Clock, ended: ended,
		byID: map[string]*session{}, held: map[string]int{}, swept: c.Clock(),
	}
}

// begin starts a session that is busy until done is called. ok is false when
// there are too many already, and no owner has more of them than this one.
func (t *sessions) begin(owner string, fixed, selected domains.Name) (s *session, done func(), ok bool) {
	t.mu.Lock()
	full := len(t.byID) >= t.most
	t.mu.Unlock()
	if full {
		t.sweep(time.Second) // seldom, or a flood of clients would cost a look at all each
		t.makeRoom(owner)
	}
	s = newSession(secret(), fixed, selected)
	s.owner = owner
	s.busy = 1
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut || len(t.byID) >= t.most {
		return nil, nil, false
	}
	t.byID[s.id] = s
	t.held[owner]++
	return s, func() { t.rest(s) }, true
}

// use finds a session by its id, owner and address and keeps it busy until done is
// called. ok is false when there is none, or it has rested too long.
func (t *sessions) use(id, owner string, fixed domains.Name) (s *session, done func(), ok bool) {
	t.mu.Lock()
	s = t.byID[id]
	t.mu.Unlock()
	if s == nil || s.owner != owner || s.fixed != fixed {
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
	if t.held[s.owner]--; t.held[s.owner] == 0 {
		delete(t.held, s.owner)
	}
	t.mu.Unlock()
	t.ended(s.id)
}

// makeRoom ends one session for a new one of owner, when all places are taken: that
// which rested longest of the owner with most. Otherwise one user could shut out all
// others. One who has most already gets no room, and costs little.
func (t *sessions) makeRoom(owner string) {
	t.mu.Lock()
	if len(t.byID) < t.most {
		t.mu.Unlock()
		return
	}
	largest := owner
	for o, n := range t.held {
		if n > t.held[largest] {
			largest = o
		}
	}
	var theirs []*session
	if largest != owner {
		theirs = t.allLocked()
	}
	t.mu.Unlock()
	var longest *session
	var since time.Time
	for _, s := range theirs {
		if s.owner != largest {
			continue
		}
		if rested, ok := s.resting(); ok && (longest == nil || rested.Before(since)) {
			longest, since = s, rested
		}
	}
	if longest != nil && longest.end((*session).isResting) {
		t.forget(longest)
	}
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

// all are the sessions there are.
func (t *sessions) all() []*session {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.allLocked()
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
	return random(b[:])
}

// callNumber is a number for the log and for back ends.
func callNumber() string {
	var b [9]byte
	return random(b[:])
}

// random fills b with randomness and gives it as text.
func random(b []byte) string {
	rand.Read(b) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(b)
}
