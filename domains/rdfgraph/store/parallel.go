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
	var failed atomic.Pointer[string]
	for worker := range n {
		wait.Go(func() {
			defer func() {
				if fault := recover(); fault != nil {
					text := fmt.Sprintf("%v\n%s", fault, stack())
					failed.CompareAndSwap(nil, &text)
				}
			}()
			work(worker)
		})
	}
	wait.Wait()
	if text := failed.Load(); text != nil {
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
