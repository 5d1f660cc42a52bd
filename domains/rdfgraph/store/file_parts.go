package store

import (
	"encoding/binary"
	"strings"
)

// Part is a piece of a file: a text or a list of numbers that lies in memory.
type Part interface {
	// unit is the size of an item in bytes, items is how many there are to write.
	unit() int
	items() int
	// encode appends the items from first to before end to b.
	encode(b []byte, first, end int) []byte
	// grow makes room for n items. decode then adds whole items in order, and finish
	// puts them in their place.
	grow(n int)
	decode(b []byte)
	finish()
}

// Text is the part that is a text.
func Text(s *string) Part { return &textPart{s: s} }

type textPart struct {
	s *string
	b strings.Builder
}

func (p *textPart) unit() int       { return 1 }
func (p *textPart) items() int      { return len(*p.s) }
func (p *textPart) grow(n int)      { p.b.Grow(n) }
func (p *textPart) decode(b []byte) { p.b.Write(b) }
func (p *textPart) finish()         { *p.s = p.b.String() }

func (p *textPart) encode(b []byte, first, end int) []byte { return append(b, (*p.s)[first:end]...) }

// Numbers is the part that is a list of numbers of four bytes.
func Numbers[T ~uint32](list *[]T) Part { return &numbersPart[T]{to: list, size: 4} }

// LongNumbers is the part that is a list of numbers of eight bytes.
func LongNumbers[T ~uint64](list *[]T) Part { return &numbersPart[T]{to: list, size: 8} }

type numbersPart[T ~uint32 | ~uint64] struct {
	to   *[]T
	size int
	list []T
}

func (p *numbersPart[T]) unit() int  { return p.size }
func (p *numbersPart[T]) items() int { return len(*p.to) }
func (p *numbersPart[T]) grow(n int) { p.list = make([]T, 0, n) }
func (p *numbersPart[T]) finish()    { *p.to = p.list }

func (p *numbersPart[T]) encode(b []byte, first, end int) []byte {
	list := (*p.to)[first:end]
	if p.size == 8 {
		for _, v := range list {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
		return b
	}
	for _, v := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

func (p *numbersPart[T]) decode(b []byte) {
	at, n := len(p.list), len(b)/p.size
	p.list = p.list[:at+n]
	to := p.list[at:]
	if p.size == 8 {
		for i := range to {
			to[i] = T(binary.LittleEndian.Uint64(b[8*i:]))
		}
		return
	}
	for i := range to {
		to[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
	}
}
