package rdf

import (
	"bytes"
	"errors"
	"io"
	"math"
	"sync"
)

const (
	// blockSize is the size of a block until a line needs more.
	blockSize = 256 << 10
	// longestLine is about the longest line that is cut off as a block: memory must not grow
	// with the file, and what is near MaxToken is left to those who know. From a longer
	// one on the file is read in one piece.
	longestLine = MaxToken / 4
)

// errLate ends the reading when emit has failed in another goroutine.
var errLate = errors.New("emit failed")

// blocks reads N-Triples and N-Quads in blocks that end at ends of lines.
//
//	file     [ block 0 | block 1 | block 2 | … ]    cut by one goroutine
//	           worker A  worker B  worker A         each from its first line
//	lines         812       798        …            summed up for the place of an error
//
// No token goes over the end of a line, so it does not matter what is before a block. Only the
// beginning of the file is looked at for what shows another syntax.
type blocks struct {
	r       io.Reader
	format  Format
	opts    Options
	workers int
	size    int // blockSize, but for tests
	emitter func() func(*Quad) error
	jobs    chan block
	free    chan []byte // buffers that were used
	faults  faults

	mu     sync.Mutex
	lines  []int // block → ends of lines in it
	failed int   // the first block that failed
	err    error // of that
}

// block is a part of the file.
type block struct {
	number int
	text   []byte
	// err is why nothing follows: io.EOF, the reader's error, or nil when something does.
	err error
}

func newBlocks(r io.Reader, f Format, o Options, workers int, emitter func() func(*Quad) error) *blocks {
	return &blocks{
		r: r, format: f, opts: o, workers: workers, size: blockSize, emitter: emitter, failed: math.MaxInt,
		jobs: make(chan block, workers), free: make(chan []byte, 2*workers+2),
	}
}

func (b *blocks) read() error {
	var running sync.WaitGroup
	end := sync.OnceFunc(func() { close(b.jobs); running.Wait() })
	defer end() // no worker outlasts a panic of r or emitter
	for range b.workers {
		n := b.reader(b.emitter())
		running.Go(func() {
			for job := range b.jobs {
				b.work(n, job)
				b.release(job.text)
			}
		})
	}
	rest, number := b.cut()
	end()
	b.faults.rethrow()
	if rest != nil && b.failed == math.MaxInt {
		n := b.reader(b.emitter())
		n.input = input{r: rest, file: b.opts.File}
		b.done(number, n, b.document(n, number))
	}
	return b.placed()
}

// reader is what a worker reads blocks with.
func (b *blocks) reader(emit func(*Quad) error) *nQuads {
	n := &nQuads{newReader(input{}, b.format, b.opts, emit)}
	n.lines = true
	return n
}

// cut cuts the file into blocks for the workers. rest is what it leaves to be read in one
// piece, as block number; nil when that is nothing.
func (b *blocks) cut() (rest io.Reader, number int) {
	buf, n := b.buffer(), 0
	for {
		m, err := fill(b.r, buf[n:])
		n += m
		if err != nil {
			b.jobs <- block{number, buf[:n], err}
			return nil, number
		}
		end := bytes.LastIndexByte(buf[:n], '\n') + 1
		if end == 0 && len(buf) >= longestLine || number == 0 && end > 0 && isBlank(buf[:end]) {
			return io.MultiReader(bytes.NewReader(buf[:n]), b.r), number
		}
		if end == 0 {
			buf = append(buf, make([]byte, len(buf))...)
			continue
		}
		next := b.buffer()
		if len(next) <= n-end { // what is left fills it
			next = make([]byte, 2*(n-end))
		}
		left := copy(next, buf[end:n])
		b.jobs <- block{number, buf[:end], nil}
		number++
		if b.hasFailed() {
			return nil, number
		}
		buf, n = next, left
	}
}

// buffer is memory for a block.
func (b *blocks) buffer() []byte {
	select {
	case buf := <-b.free:
		return buf
	default:
		return make([]byte, b.size)
	}
}

// release keeps the memory of a block for another one.
func (b *blocks) release(text []byte) {
	if text = text[:cap(text)]; len(text) > 4*b.size {
		return
	}
	select {
	case b.free <- text:
	default:
	}
}

// isBlank says whether the beginning of a file is empty, so that what would show another
// syntax is still to come.
func isBlank(text []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n")) == 0
}

// fill reads until buf is full or r ends; err says why it is not full.
func fill(r io.Reader, buf []byte) (n int, err error) {
	empty := 0
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
		if empty++; m > 0 {
			empty = 0
		}
		if empty == 100 {
			err = io.ErrNoProgress
		}
	}
	return n, err
}

// work reads a block, unless one before it has failed.
func (b *blocks) work(n *nQuads, job block) {
	b.mu.Lock()
	skip := job.number > b.failed
	b.mu.Unlock()
	if skip {
		return
	}
	failed := true
	defer func() {
		if failed { // in a panic
			b.done(job.number, n, errLate)
		}
	}()
	defer b.faults.catch()
	n.input = input{file: b.opts.File}
	if job.number == 0 {
		n.r = &ending{job.text, job.err}
	} else {
		n.buf, n.full, n.broken = job.text, len(job.text), job.err
		if job.err == nil {
			n.broken = io.EOF
		}
	}
	err := b.document(n, job.number)
	failed = false
	b.done(job.number, n, err)
}

// document reads the text in n, which is a block or begins with one.
func (b *blocks) document(n *nQuads, number int) error {
	n.tok = token{}
	if number == 0 {
		return n.read()
	}
	n.line, n.mark = 1, -1
	if n.r != nil {
		n.buf = make([]byte, bufferSize)
		return n.statements()
	}
	n.check()
	return n.statements()
}

// done notes what came of a block.
func (b *blocks) done(number int, n *nQuads, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.lines) <= number {
		b.lines = append(b.lines, 0)
	}
	b.lines[number] = n.line - 1
	if err != nil && number < b.failed {
		b.failed, b.err = number, err
	}
}

func (b *blocks) hasFailed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed < math.MaxInt
}

// placed is the first error, at its place in the file: the blocks before are all read.
func (b *blocks) placed() error {
	if syntax, ok := b.err.(*SyntaxError); ok { // made here, so nothing wraps it
		for _, lines := range b.lines[:b.failed] {
			syntax.Line += lines
		}
	}
	return b.err
}

// ending is a text with the error that follows it; nil is the end.
type ending struct {
	text []byte
	err  error
}

func (e *ending) Read(p []byte) (int, error) {
	n := copy(p, e.text)
	if e.text = e.text[n:]; len(e.text) > 0 || n > 0 && e.err == nil {
		return n, nil
	}
	if e.err != nil {
		return n, e.err
	}
	return n, io.EOF
}
