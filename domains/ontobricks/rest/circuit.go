package rest

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// After failuresToOpen calls in a row that the service itself failed, nothing is sent
// for openFor; then one call tries. A failure during which another call was answered does
// not count: what one caller asks for may be too slow, and the others must not wait for it.
const (
	failuresToOpen = 5
	openFor        = 15 * time.Second
	// trialWait is when to try again while a trial runs, whose end nobody knows.
	trialWait = 5 * time.Second
)

// circuit stops calls to a service that does not work, so that its callers are told at
// once instead of waiting for time-outs, and the service can recover. It counts calls
// with their repeats, not requests: a call outlives a short restart by its repeats.
type circuit struct {
	breaker *gobreaker.TwoStepCircuitBreaker[struct{}]
	opened  atomic.Pointer[time.Time] // last
	answers atomic.Int64              // calls that the service answered
}

// verdict is how a call counts.
type verdict int

const (
	saysNothing verdict = iota // about the service
	works
	fails
)

// The breaker counts errors.
var (
	errFails   = errors.New("the service failed")
	errNothing = errors.New("says nothing about the service")
)

func (v verdict) err() error {
	return map[verdict]error{works: nil, fails: errFails, saysNothing: errNothing}[v]
}

// openError is the error of a call that was not sent.
type openError struct {
	wait time.Duration // until the next trial; 0 while one runs
}

func (e *openError) Error() string { return fmt.Sprintf("circuit open, next trial in %s", e.wait) }

func newCircuit(log *slog.Logger) *circuit {
	c := &circuit{}
	c.breaker = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests: 1,
		Timeout:     openFor,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= failuresToOpen },
		IsExcluded:  func(err error) bool { return errors.Is(err, errNothing) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				now := time.Now()
				c.opened.Store(&now)
			}
			log.Warn("upstream circuit", "from", from.String(), "to", to.String())
		},
	})
	return c
}

// allow lets a call through, which then says how it went, or returns an openError.
func (c *circuit) allow() (done func(verdict), err error) {
	before := c.answers.Load()
	report, err := c.breaker.Allow()
	if err == nil {
		return func(v verdict) {
			switch {
			case v == works:
				c.answers.Add(1)
			case v == fails && c.answers.Load() != before:
				v = saysNothing
			}
			report(v.err())
		}, nil
	}
	refused := &openError{}
	if opened := c.opened.Load(); opened != nil && errors.Is(err, gobreaker.ErrOpenState) {
		refused.wait = max(time.Second, openFor-time.Since(*opened))
	}
	return nil, refused
}

// seconds is a wait in whole seconds, rounded up, in words.
func seconds(d time.Duration) string {
	n := int(math.Ceil(d.Seconds()))
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}
