package store

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Workers is how many goroutines share n steps of work: as many as processors, unless
// some would have fewer than atLeast steps.
func Workers(n, atLeast int) int { return max(1, min(runtime.GOMAXPROCS(0), n/atLeast)) }

// Parallel runs work for each worker from 0 to before n, each in a goroutine, and waits
// for all. A single one runs in the caller's. A panic of one is the caller's panic, so
// that whoever guards the caller guards them too.
func Parallel(n int, work func(worker int)) {
	if n == 1 {
		work(0)
		return
	}
	var wait sync.WaitGroup
	var f faults
	for worker := range n {
		wait.Go(func() {
			defer f.catch()
			work(worker)
		})
	}
	wait.Wait()
	f.rethrow()
}

// faults hands a panic of a goroutine to the one that waits for it.
type faults struct{ first atomic.Pointer[string] }

// catch is deferred by the goroutine.
func (f *faults) catch() {
	if fault := recover(); fault != nil {
		text := fmt.Sprintf("%v\n%s", fault, stack())
		f.first.CompareAndSwap(nil, &text)
	}
}

// rethrow panics with the first panic that was caught.
func (f *faults) rethrow() {
	if text := f.first.Load(); text != nil {
		panic(*text)
	}
}

// stack is where a goroutine that failed was.
func stack() []byte {
	text := make([]byte, 8<<10)
	return text[:runtime.Stack(text, false)]
}

// share is the part of n steps that one of several workers has, in the order of the
// workers.
func share(n, worker, workers int) (from, to int) {
	return n * worker / workers, n * (worker + 1) / workers
}
