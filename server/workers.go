package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// workers are goroutines that run calls, one after another: a stack that grew for one call
// is there for the next. The zero value is ready. A worker that finds nothing to do ends
// after restTime, or when end is called.
type workers struct {
	mu    sync.Mutex
	idle  []chan *turn // the last to rest is the first to work
	ended bool
	all   sync.WaitGroup
}

const (
	// mostIdle is how many workers wait for calls at once.
	mostIdle = 64
	restTime = 5 * time.Second
)

// turn is one call of work that has a place to run.
type turn struct {
	ctx     context.Context
	work    func(context.Context) (string, error)
	release func()
	// late is told of an error that nobody waited for.
	late func(error)
	// over is set by who is first: work that ended, or its caller that left.
	over  atomic.Bool
	ended chan struct{} // has a token when text and err are there for the caller
	text  string
	err   error
}

// wait returns what work came to, or ctx's error when that ends before.
func (t *turn) wait(ctx context.Context) (string, error) {
	select {
	case <-t.ended:
		return t.text, t.err
	case <-ctx.Done():
		if t.over.CompareAndSwap(false, true) {
			return "", ctx.Err()
		}
		<-t.ended
		return t.text, t.err
	}
}

// run works, and gives the place back when that is over.
func (t *turn) run() {
	defer t.release()
	text, err := recovered(t.ctx, t.work)
	if t.over.CompareAndSwap(false, true) {
		t.text, t.err = text, err
		t.ended <- struct{}{}
		return
	}
	if err != nil && !errors.Is(err, t.ctx.Err()) {
		t.late(err)
	}
}

// do lets a worker run a turn.
func (w *workers) do(t *turn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.idle) - 1; n >= 0 {
		w.idle[n] <- t // it has room for one
		w.idle = w.idle[:n]
		return
	}
	w.all.Go(func() { w.work(t) })
}

// work runs a turn, and then those that come while it rests.
func (w *workers) work(t *turn) {
	next := make(chan *turn, 1)
	rest := time.NewTimer(restTime)
	defer rest.Stop()
	for t != nil {
		t.run()
		t = nil // what it holds is let go
		if !w.rests(next) {
			return
		}
		rest.Reset(restTime)
		select {
		case t = <-next:
		case <-rest.C:
			if !w.leaves(next) {
				t = <-next // it was just called
			}
		}
	}
}

// rests makes a worker one that waits; false when there are enough of these.
func (w *workers) rests(next chan *turn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || len(w.idle) == mostIdle {
		return false
	}
	w.idle = append(w.idle, next)
	return true
}

// leaves makes a worker one that does not wait any more; false when it does not already.
func (w *workers) leaves(next chan *turn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, n := range w.idle {
		if n == next {
			w.idle = append(w.idle[:i], w.idle[i+1:]...)
			return true
		}
	}
	return false
}

// end lets workers go when they have nothing to do, and waits for them. No turn may run.
func (w *workers) end() {
	w.mu.Lock()
	w.ended = true
	for _, next := range w.idle {
		next <- nil
	}
	w.idle = nil
	w.mu.Unlock()
	w.all.Wait()
}
