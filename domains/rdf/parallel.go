package rdf

import (
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ReadParallel is Read with several goroutines. emitter is called once for each goroutine
// that emits, by the caller's goroutine, and what it returns is then called by
// that one alone. A Quad is good until emit returns; its strings are good for ever.
//
// The triples are those of Read, and so is the error; but they come in any order,
// and some of what follows the error may have been emitted. At the end of ReadParallel
// every goroutine has ended.
//
// N-Triples and N-Quads are cut at ends of lines and read by as many workers as asked for;
// in the other formats everything depends on what comes before, so one goroutine reads and
// another one emits. With less than two workers all is done in the caller's.
func ReadParallel(r io.Reader, f Format, o Options, workers int, emitter func() (emit func(*Quad) error)) error {
	if workers > 1 && (f == NTriples || f == NQuads) {
		return newBlocks(r, f, o, workers, emitter).read()
	}
	emit := emitter()
	var late *lateEmitter
	if workers > 1 {
		late = newLateEmitter(emit)
		defer late.stop() // it does not outlast a panic of r
		emit = late.add
	}
	document, err := o.reader(input{r: r, file: o.File}, f, emit)
	if err == nil {
		err = document()
	}
	if late != nil {
		err = late.end(err)
	}
	return err
}

// lateEmitter emits in a goroutine of its own.
type lateEmitter struct {
	next   []Quad
	full   chan []Quad
	empty  chan []Quad
	failed atomic.Bool
	err    error  // why; read it when it has stopped
	stop   func() // waits until what was handed over is emitted
	faults faults
}

// lateQuads is how many quads are handed over at once.
const lateQuads = 256

func newLateEmitter(emit func(*Quad) error) *lateEmitter {
	const batches = 8
	l := &lateEmitter{full: make(chan []Quad, batches), empty: make(chan []Quad, batches+2)}
	var running sync.WaitGroup
	l.stop = sync.OnceFunc(func() { close(l.full); running.Wait() })
	running.Go(func() {
		for batch := range l.full {
			l.emit(batch, emit)
			l.empty <- batch[:0]
		}
	})
	return l
}

// emit emits a batch, unless one before it has failed.
func (l *lateEmitter) emit(batch []Quad, emit func(*Quad) error) {
	if l.failed.Load() {
		return
	}
	failed := true
	defer func() { l.failed.Store(failed) }()
	defer l.faults.catch()
	for i := range batch {
		if l.err = emit(&batch[i]); l.err != nil {
			return
		}
	}
	failed = false
}

// add hands a quad over.
func (l *lateEmitter) add(q *Quad) error {
	if l.next = append(l.next, *q); len(l.next) < lateQuads {
		return nil
	}
	l.full <- l.next
	select {
	case l.next = <-l.empty:
	default:
		l.next = make([]Quad, 0, lateQuads)
	}
	if l.failed.Load() {
		return errLate
	}
	return nil
}

// end waits until all is emitted. err is that of the reading; what emit failed with
// came before it.
func (l *lateEmitter) end(err error) error {
	l.full <- l.next
	l.stop()
	l.faults.rethrow()
	if l.err != nil {
		return l.err
	}
	return err
}

// faults hands a panic of a goroutine to the one that waits for it: who calls a reader may
// guard himself, and nobody can guard a goroutine from outside.
type faults struct{ first atomic.Pointer[string] }

// catch is deferred by the goroutine.
func (f *faults) catch() {
	if fault := recover(); fault != nil {
		text := fmt.Sprintf("%v\n%s", fault, debug.Stack())
		f.first.CompareAndSwap(nil, &text)
	}
}

// rethrow panics with the first panic that was caught.
func (f *faults) rethrow() {
	if text := f.first.Load(); text != nil {
		panic(*text)
	}
}
