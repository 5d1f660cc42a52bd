package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// outcome is what became of a call, for the client and for the log.
type outcome struct {
	text    string
	isError bool
	// fault is what the client sees of a fault of ours: never its cause.
	fault   error
	outcome string
	level   slog.Level
	cause   slog.Attr
}

// settle decides what the caller of a call is told, and it is the only place that
// does. What a caller can act on becomes text that says the next step; everything
// else is our fault and becomes a number that the log explains.
//
// It fills in the record's domain from an error that has one. Text of errors may come
// from data, and so it is made harmless here, and kept inside the budget.
func (s *Server) settle(ctx context.Context, rec *record, text string, err error) outcome {
	if err == nil {
		return outcome{text: text, outcome: "ok", level: slog.LevelInfo}
	}
	var told *domains.Error
	switch {
	case errors.As(err, &told) && told.Message != "":
		if rec.domainName() == "" {
			rec.speaksOf(told.Domain)
		}
		return outcome{text: rec.fitting(told.Message), isError: true, outcome: kindOf(told), level: slog.LevelInfo, cause: causeOf(told.Err)}
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && errors.Is(err, context.DeadlineExceeded):
		return outcome{text: rec.fitting(rec.tooSlow(s.cfg.CallTimeout)), isError: true, outcome: "timeout", level: slog.LevelWarn}
	case errors.Is(ctx.Err(), context.Canceled):
		return outcome{text: "The call was cancelled.", isError: true, outcome: "cancelled", level: slog.LevelInfo}
	}
	return outcome{
		fault:   fmt.Errorf("internal error (request %s)", rec.request),
		outcome: "internal", level: slog.LevelError, cause: slog.String("cause", err.Error()),
	}
}

// kindOf is the word for a kind of error in the log.
func kindOf(err *domains.Error) string {
	switch {
	case errors.Is(err, domains.ErrUnknownDomain):
		return "unknown"
	case errors.Is(err, domains.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, domains.ErrRefused):
		return "refused"
	case errors.Is(err, domains.ErrUpstream):
		return "upstream"
	case errors.Is(err, domains.ErrLimit):
		return "limit"
	}
	return "invalid"
}

func causeOf(err error) slog.Attr {
	if err == nil {
		return slog.Attr{}
	}
	return slog.String("cause", err.Error())
}

// fitting is the text of an error, harmless and inside the budget.
func (r *record) fitting(message string) string { return format.Fit(message, r.budget) }

// tooSlow is the answer to a call that took too long: it names what the tool has to
// make a call smaller, and nothing else.
func (r *record) tooSlow(limit time.Duration) string {
	stopped := fmt.Sprintf("The call did not finish within %s and was stopped. ", limit)
	switch {
	case r.writes:
		return fmt.Sprintf("No answer came within %s. It is not known whether the call had its effect: look before you repeat it.", limit)
	case len(r.narrowing) == 0:
		return stopped + "It has no argument that makes it smaller: try again, and if it stays slow, tell the person who runs this server."
	}
	last := len(r.narrowing) - 1
	ways := r.narrowing[last]
	if last > 0 {
		ways = strings.Join(r.narrowing[:last], ", ") + " or " + ways
	}
	return stopped + "Narrow it: " + ways + "."
}
