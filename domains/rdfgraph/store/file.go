package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// FileFormat is the version of the files of graphs. It is raised whenever what a file
// holds changes, or what is worked out from a graph and kept in it: a file of another
// format is not read.
const FileFormat = 2

// Why a file can't be used; what is said more is wrapped around it.
var (
	// ErrDamaged says that the file was cut off or changed, or was never one of ours.
	ErrDamaged = errors.New("the file is damaged")
	// ErrOtherFormat says that another release wrote the file.
	ErrOtherFormat = errors.New("the file is of another version of the program")
)

// A file is a head and then its parts, with nothing between them and nothing behind.
// Numbers are little-endian.
//
//	"ontogate" format crc | number unit items … crc | number unit items … crc | …
//
// A crc (CRC-32C) covers what stands before it, since the one before. Parts are
// numbered from 0; unit is the size of an item in bytes.
const (
	fileMagic = "ontogate"
	fileHead  = len(fileMagic) + 4 + crcSize
	partHead  = 16
	crcSize   = 4
	fileChunk = 1 << 18 // what is read or written at once, in bytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteFile writes a file of parts. It stops when ctx ends.
func WriteFile(ctx context.Context, to io.Writer, parts []Part) error {
	w := partWriter{ctx: ctx, to: to, buffer: make([]byte, 0, fileChunk)}
	w.buffer = append(w.buffer, fileMagic...)
	w.buffer = binary.LittleEndian.AppendUint32(w.buffer, FileFormat)
	w.flush(true)
	for i, p := range parts {
		w.part(i, p)
	}
	return w.err
}

// partWriter writes bytes and their sums until something goes wrong.
type partWriter struct {
	ctx    context.Context
	to     io.Writer
	buffer []byte
	crc    uint32
	err    error
}

// flush writes what is in the buffer, and at the end of a piece its sum.
func (w *partWriter) flush(end bool) {
	w.crc = crc32.Update(w.crc, castagnoli, w.buffer)
	if end {
		w.buffer = binary.LittleEndian.AppendUint32(w.buffer, w.crc)
		w.crc = 0
	}
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	if w.err == nil {
		_, w.err = w.to.Write(w.buffer)
	}
	w.buffer = w.buffer[:0]
}

func (w *partWriter) part(number int, p Part) {
	w.buffer = binary.LittleEndian.AppendUint32(w.buffer, uint32(number))
	w.buffer = binary.LittleEndian.AppendUint32(w.buffer, uint32(p.unit()))
	w.buffer = binary.LittleEndian.AppendUint64(w.buffer, uint64(p.items()))
	for first := 0; first < p.items() && w.err == nil; {
		n := min((fileChunk-len(w.buffer)-crcSize)/p.unit(), p.items()-first)
		w.buffer = p.encode(w.buffer, first, first+n)
		if first += n; first < p.items() {
			w.flush(false)
		}
	}
	w.flush(true)
}

// File is a file of parts that is read. It is not for concurrent use.
type File struct {
	r     io.ReaderAt
	parts []place
	next  int
	seen  func(bytes int) // nil tells nobody
}

// place is where the items of a part are.
type place struct {
	at    int64
	unit  int
	items int64
}

// OpenFile looks at the heads in a file of a size, and no further. The reader must
// stay as it is until all is read. Errors: ErrDamaged, ErrOtherFormat, and those of r.
func OpenFile(r io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, fileHead)
	if size < int64(fileHead) {
		return nil, fmt.Errorf("%w: it has %d bytes", ErrDamaged, size)
	}
	if err := readAt(r, head, 0); err != nil {
		return nil, err
	}
	sum := binary.LittleEndian.Uint32(head[fileHead-crcSize:])
	if string(head[:len(fileMagic)]) != fileMagic || crc32.Checksum(head[:fileHead-crcSize], castagnoli) != sum {
		return nil, fmt.Errorf("%w: it does not begin as such files do", ErrDamaged)
	}
	if format := binary.LittleEndian.Uint32(head[len(fileMagic):]); format != FileFormat {
		return nil, fmt.Errorf("%w: its format is %d, and this version has %d", ErrOtherFormat, format, FileFormat)
	}
	f := &File{r: r}
	for at := int64(fileHead); at < size; {
		p, err := f.head(at, size-at)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, p)
		at = p.at + int64(p.unit)*p.items + crcSize
	}
	return f, nil
}

// maxParts is more than any file has.
const maxParts = 256

// head reads the head of the next part, of which left bytes can be there.
func (f *File) head(at, left int64) (place, error) {
	left -= partHead + crcSize
	if left < 0 || len(f.parts) == maxParts {
		return place{}, fmt.Errorf("%w: it ends in the head of part %d", ErrDamaged, len(f.parts))
	}
	var head [partHead]byte
	if err := readAt(f.r, head[:], at); err != nil {
		return place{}, err
	}
	number, unit := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	items := binary.LittleEndian.Uint64(head[8:])
	if int64(number) != int64(len(f.parts)) || unit != 1 && unit != 4 && unit != 8 {
		return place{}, fmt.Errorf("%w: part %d is not where it should be", ErrDamaged, len(f.parts))
	}
	if items > uint64(left)/uint64(unit) {
		return place{}, fmt.Errorf("%w: it ends in part %d", ErrDamaged, len(f.parts))
	}
	return place{at + partHead, int(unit), int64(items)}, nil
}

// readAt reads all of b. That the file is shorter than it was is damage.
func readAt(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case err == nil || errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it ends at %d", ErrDamaged, at+int64(n))
	}
	return err
}

// Observe has seen told how many bytes were read, by several goroutines at once.
func (f *File) Observe(seen func(bytes int)) { f.seen = seen }

// Left is how many parts were not read yet.
func (f *File) Left() int { return len(f.parts) - f.next }

// Read reads the next parts, several at once. What lies in them is not checked beyond
// their sums; after an error they hold anything. Errors: ErrDamaged, those of the
// reader, and that ctx ended.
func (f *File) Read(ctx context.Context, parts []Part) error {
	if len(parts) > f.Left() {
		return fmt.Errorf("%w: it ends after part %d", ErrDamaged, len(f.parts)-1)
	}
	first := f.next
	f.next += len(parts)
	return atOnce(ctx, len(parts), func(ctx context.Context, i int) error {
		return f.read(ctx, first+i, parts[i])
	})
}

func (f *File) read(ctx context.Context, number int, p Part) error {
	at := f.parts[number]
	if p.unit() != at.unit {
		return fmt.Errorf("%w: part %d holds something else", ErrDamaged, number)
	}
	p.grow(int(at.items))
	size := int64(at.unit) * at.items
	buffer := make([]byte, min(fileChunk, max(size, partHead)))
	if err := readAt(f.r, buffer[:partHead], at.at-partHead); err != nil {
		return err
	}
	crc := crc32.Update(0, castagnoli, buffer[:partHead])
	for done := int64(0); done < size; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		chunk := buffer[:min(int64(len(buffer)/at.unit*at.unit), size-done)]
		if err := readAt(f.r, chunk, at.at+done); err != nil {
			return err
		}
		crc = crc32.Update(crc, castagnoli, chunk)
		p.decode(chunk)
		if f.seen != nil {
			f.seen(len(chunk))
		}
		done += int64(len(chunk))
	}
	sum := buffer[:crcSize]
	if err := readAt(f.r, sum, at.at+size); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(sum) != crc {
		return fmt.Errorf("%w: part %d was changed", ErrDamaged, number)
	}
	p.finish()
	return nil
}

// atOnce does n things, as many at once as there are processors, and returns the first
// error; the others are told by their context then.
func atOnce(ctx context.Context, n int, do func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := do(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}
