package store

import (
	"encoding/binary"
	"fmt"
)

// Packer writes what is small and has many kinds of parts into one text. The zero
// Packer is empty.
type Packer struct{ b []byte }

// Number adds a number.
func (p *Packer) Number(n uint64) { p.b = binary.AppendUvarint(p.b, n) }

// Text adds a text, whatever its bytes.
func (p *Packer) Text(s string) {
	p.Number(uint64(len(s)))
	p.b = append(p.b, s...)
}

// String is all that was added.
func (p *Packer) String() string { return string(p.b) }

// Unpacker reads what a Packer wrote, in the same order. After a fault all that it
// returns is empty; Err says so.
type Unpacker struct {
	left  string
	fault error
}

// NewUnpacker returns an Unpacker of a text, which is not trusted.
func NewUnpacker(packed string) *Unpacker { return &Unpacker{left: packed} }

// Number reads a number up to max.
func (u *Unpacker) Number(max uint64) uint64 {
	var n uint64
	for i := 0; i < len(u.left) && i < binary.MaxVarintLen64; i++ {
		c := u.left[i]
		if i == binary.MaxVarintLen64-1 && c > 1 {
			break
		}
		if n |= uint64(c&0x7F) << (7 * i); c < 0x80 {
			if n > max {
				break
			}
			u.left = u.left[i+1:]
			return n
		}
	}
	u.fail("a number is none, or too large")
	return 0
}

// Text reads a text.
func (u *Unpacker) Text() string {
	n := u.Number(uint64(len(u.left)))
	if n > uint64(len(u.left)) {
		u.fail("a text ends early")
		return ""
	}
	s := u.left[:n]
	u.left = u.left[n:]
	return s
}

// Count reads how many things follow, each of which takes some bytes at least: there are
// never more than what is left has room for.
func (u *Unpacker) Count(bytes int) int { return int(u.Number(uint64(len(u.left) / bytes))) }

// Failed says whether there was a fault. Loops end with it.
func (u *Unpacker) Failed() bool { return u.fault != nil }

// Err is the first fault. When all was read that is expected, what is left is one too.
func (u *Unpacker) Err() error {
	if u.fault == nil && u.left != "" {
		return fmt.Errorf("%w: a list is longer than it says", ErrDamaged)
	}
	return u.fault
}

func (u *Unpacker) fail(what string) {
	if u.fault == nil {
		u.fault = fmt.Errorf("%w: %s", ErrDamaged, what)
	}
	u.left = ""
}
