package server

import "sync"

// callsPerUser is how many calls of one user run at once in App mode, in all sessions
// and without one: one user must not take all places of the process.
const callsPerUser = callsPerProcess / 4

// places are the places of users. The zero places are none taken.
type places struct {
	mu sync.Mutex
	// byUser maps the Key of a principal to its places, while one of its calls runs or
	// waits.
	byUser map[string]*userPlaces
}

type userPlaces struct {
	// slots holds a token for each call that runs.
	slots chan struct{}
	// calls counts those that run or wait.
	calls int
}

// of are the places of a user for one call; done is called when the call needs them no
// more.
func (p *places) of(key string) (slots chan struct{}, done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u := p.byUser[key]
	if u == nil {
		if p.byUser == nil {
			p.byUser = map[string]*userPlaces{}
		}
		u = &userPlaces{slots: make(chan struct{}, callsPerUser)}
		p.byUser[key] = u
	}
	u.calls++
	return u.slots, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if u.calls--; u.calls == 0 {
			delete(p.byUser, key)
		}
	}
}
