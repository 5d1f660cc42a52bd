package server

import (
	"context"
	"fmt"
	"net/http"
	"sync"
)

// listenStream is the response to a GET: a listening stream. mcp-go writes its
// heartbeats there; what a session has to be told is written by tell, between two of
// mcp-go's writes, because mcp-go's own queue for that is read by the session's POSTs
// too. Each write is bounded.
type listenStream struct {
	http.ResponseWriter
	control *http.ResponseController
	// open is closed when the stream has begun.
	open chan struct{}

	mu    sync.Mutex
	begun bool
}

func newListenStream(w http.ResponseWriter) *listenStream {
	return &listenStream{ResponseWriter: w, control: http.NewResponseController(w), open: make(chan struct{})}
}

// Unwrap gives http.ResponseController the writer below.
func (l *listenStream) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// WriteHeader begins the response; with any other status it is no stream.
func (l *listenStream) WriteHeader(status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ResponseWriter.WriteHeader(status)
	if status == http.StatusOK && !l.begun {
		l.begun = true
		close(l.open)
	}
}

func (l *listenStream) Write(data []byte) (n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	err = bounded(l.control, func() (err error) { n, err = l.ResponseWriter.Write(data); return err })
	return n, err
}

// Flush sends what is buffered.
func (l *listenStream) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = bounded(l.control, l.control.Flush) // a client that is gone is found by the next write
}

// tell writes one message as an event.
func (l *listenStream) tell(message []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bounded(l.control, func() error {
		if _, err := fmt.Fprintf(l.ResponseWriter, "event: message\ndata: %s\n\n", message); err != nil {
			return err
		}
		return l.control.Flush()
	})
}

// tellWhile tells a session's client through tell that its tools changed, whenever that
// is due, until ctx ends or tell fails. It starts when open is closed.
func (s *session) tellWhile(ctx context.Context, open <-chan struct{}, tell func(message []byte) error) {
	select {
	case <-open:
	case <-ctx.Done():
		return
	}
	for {
		if ctx.Err() == nil && s.takeDue() && tell(notification(toolsChanged)) != nil {
			s.announce() // on the client's next request, or its next stream
			return
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return
		}
	}
}
