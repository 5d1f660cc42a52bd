package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
)

// mostRead is how much of an answer that says no is read for its text, in bytes.
const mostRead = 64 << 10

// answer is what came back for one request: its header, and a body still to be read.
type answer struct {
	status int
	header http.Header
	body   *body
	head   []byte // the beginning of body that peek has read
}

// peek reads the beginning of the body, at most mostRead bytes; reads after it give
// those bytes again. An error is kept for them.
func (a *answer) peek() []byte {
	if a.head == nil {
		// The error, if any, is met again by whoever reads on.
		a.head, _ = io.ReadAll(io.LimitReader(a.body, mostRead))
		a.body.before = bytes.NewReader(a.head)
	}
	return a.head
}

// discard ends an answer that nobody wants, so that its connection can be used again
// where the rest is short.
func (a *answer) discard() {
	_, _ = io.Copy(io.Discard, io.LimitReader(a.body, mostRead))
	a.body.Close()
}

// isInfrastructure reports whether OntoBricks itself says that what it works with failed
// (contract 1.0): the service is well, and asking again rarely helps.
func (a *answer) isInfrastructure() bool {
	if a.status < 500 {
		return false
	}
	var said struct {
		Error string `json:"error"`
	}
	return json.Unmarshal(a.peek(), &said) == nil && said.Error == "infrastructure"
}

// isOurLogin reports whether the answer is about the login of this program, which the
// platform's proxy or OntoBricks refused, and not about what whoever asks may do: that
// OntoBricks says with a 403 in JSON of its own (contract 1.0).
func (a *answer) isOurLogin() bool {
	if a.status != http.StatusForbidden {
		return a.status == http.StatusUnauthorized
	}
	var said struct {
		ErrorCode json.RawMessage `json:"error_code"` // of the platform
		Error     json.RawMessage `json:"error"`
		Message   json.RawMessage `json:"message"`
		Detail    json.RawMessage `json:"detail"`
		Errors    json.RawMessage `json:"errors"`
	}
	own := json.Unmarshal(a.peek(), &said) == nil && said.ErrorCode == nil
	return !own || said.Error == nil && said.Message == nil && said.Detail == nil && said.Errors == nil
}

// isPage reports whether the answer is a web page.
func (a *answer) isPage() bool {
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if kind == "text/html" || kind == "application/xhtml+xml" {
		return true
	}
	head := a.peek()
	start := strings.ToLower(string(bytes.TrimSpace(head[:min(len(head), 64)])))
	return strings.HasPrefix(start, "<!doctype") || strings.HasPrefix(start, "<html")
}

// isRedirect reports whether the answer sends to another address.
func (a *answer) isRedirect() bool {
	return slices.Contains([]int{301, 302, 303, 307, 308}, a.status)
}

// body reads the body of an answer: never more than left bytes (after decompression),
// never after the request's time-out.
type body struct {
	ctx     context.Context // of the request
	raw     io.ReadCloser
	before  *bytes.Reader // read already, given first
	most    int64         // bytes of the whole, after decompression
	left    int64
	size    int64 // as announced; -1 when not known
	timer   *time.Timer
	timeout time.Duration
	streams bool // the time-out is for each read, not for the whole
	end     func()
	failed  error
}

// stream makes the time-out that of each read, from now on.
func (b *body) stream() {
	b.streams = true
	b.timer.Stop()
}

func (b *body) Read(p []byte) (int, error) {
	if b.before != nil && b.before.Len() > 0 {
		return b.before.Read(p)
	}
	if b.failed != nil {
		return 0, b.failed
	}
	if b.streams {
		b.timer.Reset(b.timeout)
		defer b.timer.Stop()
	}
	// One byte more than allowed tells an answer that ends there from one that goes on.
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.raw.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), errTooLarge
	}
	b.left -= int64(n)
	if err != nil && err != io.EOF && err != errTooLarge {
		if cause := context.Cause(b.ctx); cause != nil {
			err = cause
		}
	}
	b.failed = err
	return n, err
}

// all reads the whole body and closes it.
func (b *body) all() ([]byte, error) {
	defer b.Close()
	if b.size > b.most {
		return nil, errTooLarge
	}
	return io.ReadAll(b)
}

// Close ends the request.
func (b *body) Close() error {
	err := b.raw.Close()
	b.end()
	return err
}
