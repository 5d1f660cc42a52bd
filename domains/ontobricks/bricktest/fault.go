package bricktest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
)

// Fault is what goes wrong with a request. The fields are looked at in their order;
// the zero Fault answers nothing wrong, but counts.
type Fault struct {
	// Times is how many requests it strikes; 0 means all.
	Times int
	// Wait holds the answer back until the channel is closed or gives a value. Hang
	// holds it until the client goes or the deployment ends.
	Wait <-chan struct{}
	Hang bool
	// ResetBeforeAnswer closes the connection without an answer. Handled makes the
	// deployment do what was asked first, so that an action has run although nobody
	// hears of it.
	ResetBeforeAnswer, Handled bool
	// Redirect is the Location of a 307 (or of Status).
	Redirect string
	// Huge is the size of an answer that is a JSON string, in bytes; it is sent as the
	// client reads it.
	Huge int64
	// Status, Header and Body are the answer; without a status it is the one that the
	// request has without the fault, with Header added.
	Status int
	Header http.Header
	Body   []byte
	// Rewrite changes the body of the answer.
	Rewrite func([]byte) []byte
	// ResetInBody closes the connection after half of the body. HangInBody holds the other
	// half back until the client goes or the deployment ends.
	ResetInBody, HangInBody bool
}

type fault struct {
	match func(*http.Request) bool
	Fault
	left int
}

// Fault lets requests go wrong. The first fault that matches and has not struck its
// Times counts. match is called with no lock of the deployment and must not read the
// body.
func (d *Deployment) Fault(match func(*http.Request) bool, f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = append(d.faults, &fault{match: match, Fault: f, left: f.Times})
}

// Heal takes all faults away.
func (d *Deployment) Heal() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.faults = nil
}

// Path matches requests whose path ends with a suffix; Any matches all.
func Path(suffix string) func(*http.Request) bool {
	return func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, suffix) }
}

// Any matches all requests.
func Any(*http.Request) bool { return true }

// strikes is the fault that a request meets, or nil.
func (d *Deployment) strikes(r *http.Request) *Fault {
	d.mu.Lock()
	faults := d.faults
	d.mu.Unlock()
	for _, f := range faults {
		if !f.match(r) {
			continue
		}
		if f.Times == 0 || d.take(f) {
			return &f.Fault
		}
	}
	return nil
}

func (d *Deployment) take(f *fault) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f.left == 0 {
		return false
	}
	f.left--
	return true
}

// fail answers a request under a fault.
func (d *Deployment) fail(w http.ResponseWriter, r *http.Request, f *Fault, serve func(http.ResponseWriter, *http.Request)) {
	if f.Wait != nil {
		select {
		case <-f.Wait:
		case <-r.Context().Done():
		case <-d.closed:
		}
	}
	if f.Hang {
		select {
		case <-r.Context().Done():
		case <-d.closed:
		}
		return
	}
	if f.ResetBeforeAnswer {
		if f.Handled {
			serve(httptest.NewRecorder(), r)
		}
		reset(w)
		return
	}
	for k, v := range f.Header {
		w.Header()[http.CanonicalHeaderKey(k)] = v
	}
	switch {
	case f.Redirect != "":
		w.Header().Set("Location", f.Redirect)
		w.WriteHeader(or(f.Status, http.StatusTemporaryRedirect))
	case f.Huge > 0:
		huge(w, or(f.Status, http.StatusOK), f.Huge)
	default:
		d.falter(w, r, f, serve)
	}
}

// falter answers with what the fault has, or with what the request has without it.
func (d *Deployment) falter(w http.ResponseWriter, r *http.Request, f *Fault, serve func(http.ResponseWriter, *http.Request)) {
	status, body := f.Status, f.Body
	if status == 0 {
		plain := r.Clone(r.Context())
		plain.Header.Del("Accept-Encoding")
		rec := httptest.NewRecorder()
		serve(rec, plain)
		status, body = rec.Code, rec.Body.Bytes()
		for k, v := range rec.Header() {
			if _, set := f.Header[k]; !set {
				w.Header()[k] = v
			}
		}
	}
	if f.Rewrite != nil {
		body = f.Rewrite(bytes.Clone(body))
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if f.ResetInBody || f.HangInBody {
		body = body[:len(body)/2]
	}
	_, _ = w.Write(body) // a client that has gone reads nothing
	if f.ResetInBody || f.HangInBody {
		_ = http.NewResponseController(w).Flush() // what follows is a break anyway
	}
	switch {
	case f.ResetInBody:
		reset(w)
	case f.HangInBody:
		select {
		case <-r.Context().Done():
		case <-d.closed:
		}
	}
}

// huge sends a JSON string of that size.
func huge(w http.ResponseWriter, status int, size int64) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	block := bytes.Repeat([]byte("x"), 1<<16)
	_, err := io.WriteString(w, `"`)
	for size -= 2; size > 0 && err == nil; size -= int64(len(block)) {
		_, err = w.Write(block[:min(size, int64(len(block)))])
	}
	if err == nil {
		_, _ = io.WriteString(w, `"`) // the client may have gone
	}
}

// reset closes a connection so that the other side sees it reset.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // then closing ends it politely, which clients see as well
	}
	_ = conn.Close() // nobody is left to hear of it
}

func or(n, otherwise int) int {
	if n != 0 {
		return n
	}
	return otherwise
}
