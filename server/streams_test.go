package server_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ontogate/ontogate/server"
)

// deadlines is a response that notes whether each write has a deadline.
type deadlines struct {
	*httptest.ResponseRecorder
	mu       sync.Mutex
	deadline time.Time
	// left are the times that each write and flush had.
	left []time.Duration
}

func (d *deadlines) SetWriteDeadline(at time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.deadline = at
	return nil
}

func (d *deadlines) note() {
	d.mu.Lock()
	defer d.mu.Unlock()
	var left time.Duration
	if !d.deadline.IsZero() {
		left = time.Until(d.deadline)
	}
	d.left = append(d.left, left)
}

func (d *deadlines) Write(b []byte) (int, error) { d.note(); return d.ResponseRecorder.Write(b) }
func (d *deadlines) Flush()                      { d.note(); d.ResponseRecorder.Flush() }

// check fails when a write had no deadline, or when one is left for the next request
// on the connection.
func (d *deadlines) check(t *testing.T, what string, atLeast int) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.left) < atLeast {
		t.Errorf("%s: %d writes, want %d or more:\n%s", what, len(d.left), atLeast, d.Body)
	}
	for i, left := range d.left {
		if left != server.WriteTimeout {
			t.Errorf("%s: write %d had %s", what, i, left)
		}
	}
	if !d.deadline.IsZero() {
		t.Errorf("%s: a deadline is left", what)
	}
}

// A client that does not read holds no write for ever: each has a deadline, in plain
// answers, in those that became event streams, and in listening streams.
func TestWritesHaveDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newServer(t, nil).Handler()
		id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
		for what, body := range map[string]string{"plain": list, "events": callLine(1, "select_domain", `{"domain_name":"crm"}`)} {
			w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
			h.ServeHTTP(w, newRequest(t.Context(), http.MethodPost, id, body))
			w.check(t, what, 1)
		}
		ctx, gone := context.WithCancel(t.Context())
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		go h.ServeHTTP(w, newRequest(ctx, http.MethodGet, id, ""))
		time.Sleep(time.Minute) // of the bubble's clock: two heartbeats
		synctest.Wait()
		gone()
		synctest.Wait()
		w.check(t, "listening", 4)
	})
}

// brokenResponse is a response to a client that is gone.
type brokenResponse struct{ *httptest.ResponseRecorder }

func (brokenResponse) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A listening stream ends when its client is found to be gone.
func TestListeningEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newServer(t, nil).Handler()
		id := direct(t, h, http.MethodPost, "", initialize).Header().Get("Mcp-Session-Id")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel() // or a stream that does not end would hang the test
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			h.ServeHTTP(brokenResponse{httptest.NewRecorder()}, newRequest(ctx, http.MethodGet, id, ""))
		}()
		time.Sleep(time.Minute) // of the bubble's clock: the first heartbeat fails
		synctest.Wait()
		select {
		case <-ended:
		default:
			t.Error("the stream is still open")
		}
	})
}
