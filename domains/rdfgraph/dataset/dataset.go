// Package dataset reads the tables of embedded domains: a CSV or TSV file with an index on
// its key column. The index is made in one pass and holds 16 bytes a row; rows are read
// from the file when they are asked for.
package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Limits of a file.
const (
	MaxFile    = 2 << 30 // bytes
	MaxColumns = 2_000
	MaxRecord  = 1 << 20 // bytes of one row
	// mostWarnings are told one by one.
	mostWarnings = 20
)

// Options say how to read a file.
type Options struct {
	// Key is the name of the column by which rows are found. Required.
	Key string
}

// Error is what is wrong with a file. Line and Column count from 1; 0 means the whole file.
type Error struct {
	Line, Column int
	Message      string
}

// Error is the message, with its place.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Warning is about a row that is not served.
type Warning Error

// Type is what the cells of a column are.
type Type uint8

// The types of columns. A column has the first that all its cells have that are not empty;
// the key column is always text.
const (
	Text    Type = iota
	Bool         // true or false, in any case
	Whole        // whole numbers without leading zeros or a plus sign, so that they read back as written
	Decimal      // the same with digits behind a point
)

// Column is a column of a table.
type Column struct {
	Name string
	Type Type
}

// Table is a file that was read. It is immutable, and may be used concurrently.
type Table struct {
	fsys     fs.FS
	name     string
	whole    []byte // the file, where it cannot be read from a place; else nil
	size     int64
	modified time.Time
	sum      [sha256.Size]byte
	form     form
	columns  []Column
	key      int // its place among the columns
	seed     maphash.Seed
	rows     []entry // by hash, then by offset
	warnings []Warning
}

// entry is the place of a row: where reading it starts.
type entry struct {
	hash   uint64
	offset int64
}

// Columns are the columns in the order of the file. The list must not be changed.
func (t *Table) Columns() []Column { return t.columns }

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Sum is the SHA-256 of the file as it was read.
func (t *Table) Sum() [sha256.Size]byte { return t.sum }

// Warnings are about rows that are not served; at most 21, of which the last then counts
// the others.
func (t *Table) Warnings() []Warning { return t.warnings }

// ErrChanged: the file is not the one that was read any more.
var ErrChanged = errors.New("the file has changed and is being read again: ask again in a few seconds")

// Rows finds the rows with a key, and reads the first of them, in the order of the file:
// JSON objects with a member for each column. total counts all. Errors: ErrChanged; that
// the file cannot be read; that ctx ended.
func (t *Table) Rows(ctx context.Context, key string, limit int) (rows []json.RawMessage, total int, err error) {
	key = strings.TrimSpace(key)
	entries := t.find(key)
	total = len(entries)
	if total == 0 || limit <= 0 {
		return nil, total, nil
	}
	src, err := t.open()
	if err != nil {
		return nil, 0, err
	}
	defer src.Close()
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if len(rows) == limit {
			break
		}
		record, err := t.record(src, e.offset)
		if err != nil {
			return nil, 0, err
		}
		if strings.TrimSpace(record[t.key]) != key {
			total-- // two keys with one hash
			continue
		}
		rows = append(rows, t.object(record))
	}
	return rows, total, nil
}

// find are the places of the rows whose key has the hash of a key.
func (t *Table) find(key string) []entry {
	hash := maphash.String(t.seed, key)
	from, _ := slices.BinarySearchFunc(t.rows, hash, func(e entry, hash uint64) int {
		if e.hash < hash {
			return -1
		}
		return 1
	})
	to := from
	for to < len(t.rows) && t.rows[to].hash == hash {
		to++
	}
	return t.rows[from:to]
}

// source is a file that can be read from any place.
type source struct {
	io.ReaderAt
	io.Closer
}

// open opens the file, if it is still the one that was read.
func (t *Table) open() (source, error) {
	if t.whole != nil {
		return source{bytes.NewReader(t.whole), io.NopCloser(nil)}, nil
	}
	f, err := t.fsys.Open(t.name)
	if err != nil {
		return source{}, ErrChanged
	}
	at, ok := f.(io.ReaderAt)
	if info, err := f.Stat(); err != nil || !ok || info.Size() != t.size || !info.ModTime().Equal(t.modified) {
		f.Close()
		return source{}, ErrChanged
	}
	return source{at, f}, nil
}

// record reads the row at a place.
func (t *Table) record(src io.ReaderAt, offset int64) ([]string, error) {
	r := t.form.reader(io.NewSectionReader(src, offset, MaxRecord+readAhead))
	record, err := r.Read()
	if err != nil || len(record) != len(t.columns) {
		return nil, ErrChanged
	}
	return record, nil
}

// object is a row as JSON.
func (t *Table) object(record []string) json.RawMessage {
	out := []byte{'{'}
	for i, c := range t.columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendText(out, c.Name)
		out = append(out, ':')
		out = appendCell(out, record[i], c.Type)
	}
	return append(out, '}')
}
