package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

const (
	// readyFor is how long what a probe found is told to all who ask.
	readyFor = 10 * time.Second
	// readyLimit is the most time of a probe.
	readyLimit = 5 * time.Second
)

// readiness is what was last found about the back end; those who ask while it is being
// found out wait for it.
type readiness struct {
	mu   sync.Mutex
	last *probe
}

// probe is one look. reason and at may be read when done is closed.
type probe struct {
	done   chan struct{}
	reason string // empty: the back end answers
	at     time.Time
}

// fresh reports whether a probe still counts: it runs, or ended a short time ago.
func (p *probe) fresh(now time.Time) bool {
	select {
	case <-p.done:
		return now.Sub(p.at) < readyFor
	default:
		return true
	}
}

// sayReady says whether calls can be answered: 200, or 503 with the reason.
func (s *Server) sayReady(w http.ResponseWriter, r *http.Request) {
	type answer struct {
		Status string `json:"status"`
		Reason string `json:"reason,omitempty"`
	}
	reason, ok := s.notReady(r.Context())
	if !ok {
		return // the client is gone
	}
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", "no-store")
	said := answer{Status: "ready"}
	if reason != "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		said = answer{"not ready", reason}
	}
	_ = json.NewEncoder(w).Encode(said) // a client that is gone needs no answer
}

// notReady is why calls cannot be answered; empty when they can. ok is false when ctx
// ended first.
func (s *Server) notReady(ctx context.Context) (reason string, ok bool) {
	select {
	case <-s.closing:
		return "The server is stopping.", true
	default:
	}
	p, mine := s.ready.current(s.cfg.Clock())
	if mine {
		s.probe(p) // to its end, for all who wait
	}
	select {
	case <-p.done:
		return p.reason, true
	case <-ctx.Done():
		return "", false
	}
}

// current is the probe that counts now; mine says that it has to be made.
func (r *readiness) current(now time.Time) (p *probe, mine bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last != nil && r.last.fresh(now) {
		return r.last, false
	}
	r.last = &probe{done: make(chan struct{}), reason: "The back end could not be asked."}
	return r.last, true
}

// probe asks the back end, as the program itself, whether it is ready.
func (s *Server) probe(p *probe) {
	defer func() {
		p.at = s.cfg.Clock()
		close(p.done)
	}()
	ctx := context.Background() // no single client's
	prober, ok := s.cfg.Backend.(domains.Prober)
	if !ok {
		p.reason = ""
		return
	}
	_, err := soon(ctx, s, readyLimit, func(ctx context.Context) (struct{}, error) { return struct{}{}, prober.Ready(ctx) })
	var told *domains.Error
	switch {
	case err == nil:
		p.reason = ""
		return
	case errors.As(err, &told) && told.Message != "":
		p.reason = format.Line(told.Message, mostReason)
	case errors.Is(err, context.DeadlineExceeded):
		p.reason = "The back end did not answer within " + readyLimit.String() + "."
	default:
		p.reason = "The back end does not answer; the log says why."
	}
	s.cfg.Logger.Warn("not ready", "cause", err.Error())
}
