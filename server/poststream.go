package server

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// writeTimeout is how long one write to a client may take.
const writeTimeout = 30 * time.Second

const eventStream = "text/event-stream"

var (
	errAnswered = errors.New("the answer has already begun")
	errNoEvents = errors.New("the client accepts no event stream")
)

// postStream is the response to one POST. Without a notification it passes through
// what the transport writes: one JSON body. The first notification turns it into
// an event stream; the transport's JSON body is then held back and sent as the last
// event:
//
//	quiet ──transport writes──▶ passing
//	quiet ──notify──▶ events ──transport writes JSON──▶ held, framed by finish
//
// mcp-go could send notifications itself, but through a queue that the session's
// streams share: some are lost and some arrive after the answer. Here they are
// written at once and in order, under one lock.
type postStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	accept  []string // Accept headers

	mu     sync.Mutex
	header http.Header // the transport's, until it is sent; nil before it is asked for
	state  postState
	held   bytes.Buffer
	done   bool
}

type postState uint8

const (
	quiet   postState = iota // nothing is sent
	passing                  // the transport's response is passed through
	ours                     // our event stream has begun
	holding                  // as ours, and the transport's body is held back
)

func newPostStream(w http.ResponseWriter, r *http.Request) *postStream {
	return &postStream{w: w, control: http.NewResponseController(w), accept: r.Header.Values("Accept")}
}

// acceptsEvents reports whether Accept headers allow an event stream (RFC 9110
// §12.5.1).
func acceptsEvents(accept []string) bool {
	all := strings.ToLower(strings.Join(accept, ","))
	return strings.Contains(all, eventStream) || strings.Contains(all, "text/*") || strings.Contains(all, "*/*")
}

// Header are the transport's headers.
func (p *postStream) Header() http.Header {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.headerLocked()
}

func (p *postStream) headerLocked() http.Header {
	if p.header == nil {
		p.header = p.w.Header().Clone()
	}
	return p.header
}

func (p *postStream) Unwrap() http.ResponseWriter { return p.w }

// answer is the whole response: a JSON body. A client that has gone needs none.
func (p *postStream) answer(body []byte) {
	p.mu.Lock()
	if p.state != quiet {
		p.mu.Unlock()
		p.Header().Set("Content-Type", jsonType)
		p.WriteHeader(http.StatusOK)
		_, _ = p.Write(body)
		return
	}
	defer p.mu.Unlock()
	p.state = passing
	h := p.w.Header()
	h["Content-Type"] = jsonTypes
	if len(body) <= buffered { // nothing is written to the client here, which could take long
		_, _ = p.w.Write(body)
		return
	}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	_ = bounded(p.control, func() error { _, err := p.w.Write(body); return err })
}

// jsonTypes is jsonType as headers have it. It is never changed.
var jsonTypes = []string{jsonType}

// buffered is how many bytes of a response an http.Server keeps until its handler is done;
// it also works out their length.
const buffered = 2 << 10

// WriteHeader begins the transport's response.
func (p *postStream) WriteHeader(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beginLocked(status)
}

func (p *postStream) beginLocked(status int) {
	switch p.state {
	case quiet:
		p.state = passing
		p.sendHeaderLocked(status)
	case ours:
		if !strings.HasPrefix(p.headerLocked().Get("Content-Type"), eventStream) {
			p.state = holding
		}
	}
}

func (p *postStream) sendHeaderLocked(status int) {
	for k, v := range p.headerLocked() {
		p.w.Header()[k] = v
	}
	p.w.WriteHeader(status)
}

// Write passes the transport's body through, or holds it back.
func (p *postStream) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == quiet {
		p.beginLocked(http.StatusOK)
	}
	if p.state == holding {
		return p.held.Write(b)
	}
	var n int
	err := bounded(p.control, func() (err error) { n, err = p.w.Write(b); return err })
	return n, err
}

// Flush sends what is buffered; the transport looks for it to know that it may
// stream.
func (p *postStream) Flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == passing || p.state == ours {
		_ = bounded(p.control, p.control.Flush) // a client that is gone is found by the next write
	}
}

// notify sends a notification on this response.
func (p *postStream) notify(method string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !acceptsEvents(p.accept):
		return errNoEvents
	case p.done || p.state == passing || p.state == holding:
		return errAnswered
	case p.state == quiet:
		p.state = ours
		kept := p.headerLocked().Clone()
		p.header.Set("Content-Type", eventStream)
		p.header.Set("Cache-Control", "no-cache")
		p.header.Set("X-Accel-Buffering", "no") // nginx would wait for the end
		p.sendHeaderLocked(http.StatusOK)
		p.header = kept
	}
	return p.eventLocked(notification(method))
}

// finish ends the response: what was held back becomes the last event.
func (p *postStream) finish() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	if p.held.Len() == 0 {
		return nil
	}
	return p.eventLocked(bytes.TrimSpace(p.held.Bytes()))
}

func (p *postStream) eventLocked(data []byte) error {
	return bounded(p.control, func() error {
		if _, err := fmt.Fprintf(p.w, "event: message\ndata: %s\n\n", data); err != nil {
			return err
		}
		return p.control.Flush()
	})
}

// bounded keeps a client that does not read from holding a write for ever. Writers
// without deadlines, as in tests, are left alone.
func bounded(c *http.ResponseController, write func() error) error {
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
	err := write()
	_ = c.SetWriteDeadline(time.Time{})
	return err
}

// notification is a JSON-RPC notification without parameters.
func notification(method string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q}`, method)
}
