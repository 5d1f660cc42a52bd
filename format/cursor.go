package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Position is a place in an answer, as numbers whose meaning belongs to the tool
// that wrote them; missing numbers are zero, and nil is the start.
type Position []int

// at is the i-th number, 0 when it is missing.
func (p Position) at(i int) int {
	if i < len(p) && p[i] > 0 {
		return p[i]
	}
	return 0
}

// Scope is what a cursor is bound to. A cursor that is brought back with another
// scope is refused.
type Scope struct {
	// Tool is the tool's name.
	Tool string
	// Args are the arguments of the call without the cursor, as canonical JSON. Where
	// ArgsOf is set that gives them, when there is a cursor to read or to write.
	Args   string
	ArgsOf func() string
	// Domain and Revision are those of the domain that the answer speaks of.
	Domain   domains.Name
	Revision string
}

// A cursor is, in base64url without padding:
//
//	position (uvarints) | scope (4 bytes) | revision (4 bytes) | check (4 bytes)
//
// Scope and revision are the first bytes of a SHA-256 of what they stand for,
// check is that of all bytes before it. There is no secret: a cursor says only
// where to go on, and any replica of the same content can read it.
const (
	sumSize      = 4
	maxPosition  = 10            // numbers in a position
	maxCursor    = 96            // characters that are looked at
	cursorSize   = 52            // most characters of a cursor with up to maxPosition ordinary numbers
	maxPlace     = math.MaxInt32 // largest number in a position
	staleCursor  = "This cursor is stale: the content changed since it was made. Leave cursor out to start again."
	foreign      = "This cursor was made for another tool, other arguments or another domain: repeat the call that gave it with the same arguments, or leave cursor out to start again."
	brokenCursor = "This cursor is damaged: copy it from the answer as it stands there, or leave cursor out to start again."
)

// Cursor writes a position as short text that is safe in URLs and JSON.
func (s Scope) Cursor(p Position) string {
	var b []byte
	for _, n := range p[:min(len(p), maxPosition)] {
		b = binary.AppendUvarint(b, uint64(min(max(n, 0), maxPlace)))
	}
	b = append(b, s.sum()...)
	b = append(b, digest("revision", s.Revision)...)
	b = append(b, digest("cursor", string(b))...)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Parse reads a cursor that Cursor wrote for the same scope. The error is a
// domains.Error of kind ErrInvalid whose message tells apart a damaged cursor, one
// made for another call, and one made before the content changed.
func (s Scope) Parse(cursor string) (Position, error) {
	cursor = strings.Trim(strings.Join(strings.Fields(cursor), ""), `"`)
	if len(cursor) > maxCursor {
		return nil, domains.Invalid(brokenCursor)
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) < 3*sumSize {
		return nil, domains.Invalid(brokenCursor)
	}
	b, check := cutTail(b)
	if !bytes.Equal(check, digest("cursor", string(b))) {
		return nil, domains.Invalid(brokenCursor)
	}
	b, revision := cutTail(b)
	b, scope := cutTail(b)
	p, ok := readPosition(b)
	switch {
	case !bytes.Equal(scope, s.sum()):
		return nil, domains.Invalid(foreign)
	case !bytes.Equal(revision, digest("revision", s.Revision)):
		return nil, domains.Invalid(staleCursor)
	case !ok, s.Cursor(p) != cursor:
		return nil, domains.Invalid(brokenCursor)
	}
	return p, nil
}

// sum stands for everything of the scope that the caller chose.
func (s Scope) sum() []byte {
	if s.ArgsOf != nil {
		s.Args = s.ArgsOf()
	}
	return digest("scope", s.Tool, string(s.Domain), s.Args)
}

// digest is the first bytes of a hash over the parts, each told apart from its
// neighbours by its length.
func digest(parts ...string) []byte {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return h.Sum(nil)[:sumSize]
}

// cutTail takes a sum off the end.
func cutTail(b []byte) (rest, sum []byte) {
	i := len(b) - sumSize
	return b[:i], b[i:]
}

// readPosition reads uvarints up to the end; ok is false for anything that Cursor
// does not write.
func readPosition(b []byte) (p Position, ok bool) {
	for len(b) > 0 {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > maxPlace || len(p) == maxPosition {
			return nil, false
		}
		p = append(p, int(n))
		b = b[size:]
	}
	return p, true
}
