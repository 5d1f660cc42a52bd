package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ontogate/ontogate/domains"
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
// It fills in the record's domain from an error that has one.
func (s *Server) settle(ctx context.Context, rec *record, text string, err error) outcome {
	if err == nil {
		return outcome{text: text, outcome: "ok", level: slog.LevelInfo}
	}
	var told *domains.Error
	switch {
	case errors.As(err, &told) && told.Message != "":
		rec.domain = cmp.Or(rec.domain, told.Domain)
		return outcome{text: told.Message, isError: true, outcome: kindOf(told), level: slog.LevelInfo, cause: causeOf(told.Err)}
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && errors.Is(err, context.DeadlineExceeded):
		return outcome{text: tooSlow(s.cfg.CallTimeout), isError: true, outcome: "timeout", level: slog.LevelWarn}
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

// tooSlow is the answer to a call that took too long.
func tooSlow(limit time.Duration) string {
	return fmt.Sprintf("The call did not finish within %s and was stopped. Narrow it: "+
		"a smaller depth or limit, a more exact search, or an entity_type or entity_uri.", limit)
}
