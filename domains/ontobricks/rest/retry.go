package rest

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// A call is repeated after random waits below firstWait, 2 × firstWait and so on, each
// below mostWait, and at most mostRepeats times.
const (
	firstWait   = 500 * time.Millisecond
	mostWait    = 4 * time.Second
	mostRepeats = 5
)

// repeats decides whether one call is sent again.
type repeats struct {
	c     *Client
	r     Request
	since time.Time
	done  int
	// infrastructure is set when a repeat was spent on a 502 of OntoBricks itself.
	infrastructure bool
}

// again says whether to send the request again after an answer or an error, and how
// long to wait before. Only reads are, and only where a repeat can help.
func (s *repeats) again(ctx context.Context, a *answer, err error) (wait time.Duration, ok bool) {
	if s.r.Method != http.MethodGet || s.r.Writes || s.done >= mostRepeats || domains.AsksOnce(ctx) {
		return 0, false
	}
	wait = s.jitter()
	switch {
	case err != nil:
		// A service that never answered is not restarting: its address is wrong, or it
		// does not run.
		if !isBroken(err) || isDial(err) && !s.c.reached.Load() {
			return 0, false
		}
	case a.status == http.StatusBadGateway && a.isInfrastructure():
		if s.infrastructure {
			return 0, false
		}
		s.infrastructure = true
	case a.status == http.StatusBadGateway:
	case a.status == http.StatusServiceUnavailable, a.status == http.StatusTooManyRequests:
		if after, told := retryAfter(a.header, s.c.config.Clock()); told {
			wait = max(wait, after)
		}
	default:
		return 0, false
	}
	left := s.c.config.RetryFor - s.c.config.Clock().Sub(s.since)
	if deadline, has := ctx.Deadline(); has {
		left = min(left, time.Until(deadline))
	}
	if wait >= left {
		return 0, false
	}
	s.done++
	return wait, true
}

// jitter is exponential with full jitter: clients that failed together come back apart.
func (s *repeats) jitter() time.Duration {
	return time.Duration(s.c.config.Random() * float64(min(mostWait, firstWait<<s.done)))
}

// retryAfter reads the header of that name: seconds or a date (RFC 9110, 10.2.3).
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, 1<<20)) * time.Second, true
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, date.Sub(now)), true
}

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
