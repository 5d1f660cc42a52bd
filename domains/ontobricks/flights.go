package ontobricks

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// flightTime bounds a load that several callers may wait for: a request, its repeats
// and what is made of the answer.
const flightTime = 50 * time.Second

// errClosed is the outcome of loads after Close.
var errClosed = errors.New("the back end is closed")

// flights owns the goroutines in which loads run. A load outlives the caller that
// began it, so that its end does not fail the others.
type flights struct {
	ctx  context.Context // ends with close
	stop context.CancelFunc

	mu     sync.Mutex
	closed bool
	active sync.WaitGroup
}

func newFlights() *flights {
	f := &flights{}
	f.ctx, f.stop = context.WithCancel(context.Background())
	return f
}

// run waits for the load of a key in a group: its own or, where one is under way, that
// one. It stops waiting when ctx ends.
func (f *flights) run(ctx context.Context, g *singleflight.Group, key string, load func(context.Context) (any, error)) (any, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	done := g.DoChan(key, func() (out any, err error) {
		if !f.begin() {
			return nil, errClosed
		}
		defer f.active.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
		defer cancel()
		defer context.AfterFunc(f.ctx, cancel)()
		defer func() {
			if fault := recover(); fault != nil {
				out, err = nil, fmt.Errorf("loading panicked: %v\n%s", fault, debug.Stack())
			}
		}()
		return load(ctx)
	})
	select {
	case r := <-done:
		return r.Val, r.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin counts a goroutine that close waits for; it is false after close.
func (f *flights) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.active.Add(1)
	return true
}

func (f *flights) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.stop()
	f.active.Wait()
}
