package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// ending is what became of a request, for the log.
type ending struct {
	status  int
	size    int64
	outcome string
	level   slog.Level
	cause   slog.Attr
	// broken is set when the reply could not be passed on to its end: its client must not
	// take it for a whole one.
	broken bool
}

// outgoing is a reply on its way to whoever asked.
type outgoing struct {
	*domains.Reply
	// header is what is ours besides; nil for a reply that is passed on as it is.
	header http.Header
	// outcome is for the log; empty is told by the status.
	outcome string
}

// passedOn is a reply of a service as it is.
func passedOn(reply *domains.Reply, err error) (*outgoing, error) {
	if err != nil {
		return nil, err
	}
	return &outgoing{Reply: reply}, nil
}

// serve asks for a reply within the deadline and the limits and passes it on.
func (p *passage) serve(ask answering, out *ending) error {
	ctx, cancel := context.WithTimeout(domains.WithRequestID(p.r.Context(), p.request), p.server.cfg.CallTimeout)
	defer cancel()
	reply, release, err := p.inTurn(ctx, ask)
	if err != nil {
		*out = p.fail(ctx, err)
		return nil
	}
	defer release()
	if *out = p.pass(ctx, reply); out.broken {
		panic(http.ErrAbortHandler) // the connection ends, as the reply did
	}
	return nil
}

// inTurn waits for a place to run and then for the reply, at most until ctx ends. The
// place stays taken until release is called, or until a late reply was thrown away.
func (p *passage) inTurn(ctx context.Context, ask answering) (*outgoing, func(), error) {
	release, err := p.server.takePlace(ctx, p.caller)
	if err != nil {
		return nil, nil, err
	}
	type result struct {
		reply *outgoing
		err   error
	}
	ended, answered := make(chan result), make(chan struct{})
	defer close(answered)
	go func() {
		var r result
		defer func() {
			if caught := recover(); caught != nil {
				r = result{err: fmt.Errorf("panic: %v\n%s", caught, debug.Stack())}
			}
			select {
			case ended <- r:
			case <-answered:
				p.late(ctx, r.reply, r.err)
				release()
			}
		}()
		r.reply, r.err = ask(ctx, p)
	}()
	select {
	case r := <-ended:
		if r.err == nil && (r.reply.Status < 200 || r.reply.Status > 599) {
			_ = r.reply.Body.Close() // it is no answer
			r.err = &domains.Error{Kind: domains.ErrUpstream, Message: fmt.Sprintf("The GraphQL service answered with the status %d, which is no answer.", r.reply.Status)}
		}
		if r.err != nil {
			release()
		}
		return r.reply, release, r.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// late throws away what came when the request was answered.
func (p *passage) late(ctx context.Context, reply *outgoing, err error) {
	if reply != nil {
		_ = reply.Body.Close() // nobody reads it
	}
	var told *domains.Error
	var not *notServed
	if err != nil && !errors.As(err, &told) && !errors.As(err, &not) && !errors.Is(err, ctx.Err()) {
		p.server.cfg.Logger.ErrorContext(ctx, "fault after the answer", "tool", p.what, "request", p.request, "cause", err.Error())
	}
}

// pass passes a reply on as it comes.
func (p *passage) pass(ctx context.Context, reply *outgoing) ending {
	defer func() { _ = reply.Body.Close() }() // only reading matters
	defer context.AfterFunc(ctx, func() { _ = reply.Body.Close() })()
	h := p.w.Header()
	h["Content-Type"] = nil // none is guessed
	if reply.ContentType != "" {
		h.Set("Content-Type", reply.ContentType)
	}
	if reply.RetryAfter != "" {
		h.Set("Retry-After", reply.RetryAfter)
	}
	h.Set("X-Content-Type-Options", "nosniff")
	// A reply is of one user, and a page in it must not act as a page of ours.
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	for name, values := range reply.header {
		if name == "Vary" { // the guard has said something too
			values = append(h.Values(name), values...)
		}
		h[name] = values
	}
	h.Set(requestHeader, p.request)
	p.w.WriteHeader(reply.Status)
	out := ending{status: reply.Status, outcome: cmp.Or(reply.outcome, "ok"), level: slog.LevelInfo}
	if reply.outcome == "" && reply.Status >= http.StatusBadRequest {
		out.outcome = "upstream"
	}
	control := http.NewResponseController(p.w)
	for buffer := make([]byte, 32<<10); ; {
		n, err := reply.Body.Read(buffer)
		if n > 0 {
			failed := bounded(control, func() error {
				if _, err := p.w.Write(buffer[:n]); err != nil {
					return err
				}
				return control.Flush()
			})
			if failed != nil {
				out.outcome, out.cause, out.broken = "cancelled", slog.String("cause", failed.Error()), true
				return out
			}
			out.size += int64(n)
		}
		switch {
		case err == io.EOF:
			return out
		case errors.Is(ctx.Err(), context.Canceled): // nobody reads on
			out.outcome, out.broken = "cancelled", true
			return out
		case err != nil:
			out.outcome, out.level, out.cause, out.broken = "broken", slog.LevelWarn, slog.String("cause", err.Error()), true
			return out
		}
	}
}

// fail answers a request that got no reply.
func (p *passage) fail(ctx context.Context, err error) ending {
	var told *domains.Error
	var not *notServed
	switch {
	case errors.As(err, &not):
		if len(not.allowed) > 0 {
			p.w.Header().Set("Allow", strings.Join(not.allowed, ", ")+", "+http.MethodOptions)
		}
		return p.refuse(not.status, not.message)
	case errors.As(err, &told) && told.Message != "":
		status := statusOf(told)
		if status == http.StatusServiceUnavailable && (told.RetryAfter > 0 || errors.Is(told.Kind, domains.ErrLimit)) {
			p.w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(told.RetryAfter.Seconds())))))
		}
		out := p.refuse(status, format.Fit(told.Message, ordinaryBudget))
		out.outcome, out.cause = kindOf(told), causeOf(told.Err)
		return out
	case errors.Is(ctx.Err(), context.Canceled):
		return ending{outcome: "cancelled", level: slog.LevelInfo} // nobody is there
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil:
		out := p.refuse(http.StatusGatewayTimeout, fmt.Sprintf(p.tooLate(), p.server.cfg.CallTimeout))
		out.outcome, out.level = "timeout", slog.LevelWarn
		return out
	}
	out := p.refuse(http.StatusInternalServerError, "internal error (request "+p.request+")")
	out.outcome, out.level, out.cause = "internal", slog.LevelError, slog.String("cause", err.Error())
	return out
}

// tooLate is what is said when time is up, with a place for how long that was.
func (p *passage) tooLate() string {
	if isRESTPath(p.r.URL.Path) {
		return "There was no answer within %s: ask for less, or try again."
	}
	return "The GraphQL service did not answer within %s: ask for fewer items or fields, or try again."
}

// statusOf is the HTTP status for an error.
func statusOf(err *domains.Error) int {
	switch {
	case errors.Is(err.Err, errNoService), errors.Is(err, domains.ErrUnknownDomain):
		return http.StatusNotFound
	case errors.Is(err, domains.ErrRefused):
		return http.StatusForbidden
	case errors.Is(err, domains.ErrInvalid):
		return http.StatusBadRequest
	case errors.Is(err, os.ErrDeadlineExceeded): // of a request of the back end
		return http.StatusGatewayTimeout
	case errors.Is(err, domains.ErrUnavailable), errors.Is(err, domains.ErrLimit):
		return http.StatusServiceUnavailable
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case err.RetryAfter > 0: // such as a deployment that is left alone for a while
		return http.StatusServiceUnavailable
	}
	return http.StatusBadGateway
}

// log writes the line of a request. Its size is in bytes.
func (p *passage) log(start time.Time, e ending) {
	domain, _ := p.opened.Load().(domains.Name)
	p.server.cfg.Logger.LogAttrs(context.WithoutCancel(p.r.Context()), e.level, "call",
		slog.String("tool", p.what), slog.String("domain", string(domain)),
		slog.Duration("duration", time.Since(start)), slog.Int64("size", e.size),
		slog.String("outcome", e.outcome), slog.String("request", p.request), e.cause)
}
