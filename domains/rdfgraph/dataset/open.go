package dataset

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
)

// readAhead is how much a reader of rows may take beyond the row.
const readAhead = 8 << 10

// Open reads a file and makes its index. The name tells the form: .tsv and .tab have tabs
// between the fields; others commas, or semicolons where the first line has no comma.
// Fields may be quoted (RFC 4180); a byte-order mark is passed over. Rows that have more or
// fewer fields than the first line, or no key, are left out with a Warning. Errors: *Error;
// that ctx ended.
func Open(ctx context.Context, fsys fs.FS, name string, o Options) (*Table, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, unreadable(err)
	case !info.Mode().IsRegular():
		return nil, &Error{Message: "is no file"}
	case info.Size() > MaxFile:
		return nil, &Error{Message: fmt.Sprintf("is larger than %d GiB, which is the most that is read", MaxFile>>30)}
	}
	t := &Table{fsys: fsys, name: name, size: info.Size(), modified: info.ModTime(), seed: maphash.MakeSeed()}
	var whole *bytes.Buffer
	var in io.Reader = f
	if _, ok := f.(io.ReaderAt); !ok {
		whole = &bytes.Buffer{}
		in = io.TeeReader(in, whole)
	}
	sum := sha256.New()
	l := loading{Table: t, ctx: ctx, source: &watched{in: io.TeeReader(io.LimitReader(in, MaxFile+1), sum)}}
	if err := l.read(o.Key); err != nil {
		return nil, err
	}
	if l.source.all != t.size {
		return nil, &Error{Message: "changed while it was read"}
	}
	sum.Sum(t.sum[:0])
	if whole != nil {
		t.whole = whole.Bytes()
	}
	return t, nil
}

func unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Message: "is not there"}
	}
	var of *fs.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return &Error{Message: "cannot be read: " + err.Error()}
}

// form is how the fields of a file are parted.
type form struct{ comma rune }

// reader reads rows of any number of fields.
func (f form) reader(in io.Reader) *csv.Reader {
	r := csv.NewReader(in)
	r.Comma, r.FieldsPerRecord = f.comma, -1
	return r
}

// watched counts what is read, and refuses rows that are too long.
type watched struct {
	in       io.Reader
	all, row int64 // bytes; those of the row are counted since its beginning
}

var errLongRow = fmt.Errorf("a row here has more than %d MiB, which is the most that is read: is a quote not closed?", MaxRecord>>20)

func (w *watched) Read(p []byte) (int, error) {
	if w.row > MaxRecord+readAhead {
		return 0, errLongRow
	}
	n, err := w.in.Read(p[:min(len(p), readAhead/2)])
	w.all += int64(n)
	w.row += int64(n)
	return n, err
}

// loading is the reading of a file.
type loading struct {
	*Table
	ctx    context.Context
	source *watched
	start  int64 // of the rows: behind a byte-order mark
	csv    *csv.Reader
	types  []guess
	left   int // rows that were left out
	line   int // on which the last row began
}

// read reads all.
func (l *loading) read(key string) error {
	in := bufio.NewReaderSize(l.source, readAhead/2)
	if err := l.begin(in); err != nil {
		return err
	}
	l.csv = l.form.reader(in)
	l.csv.ReuseRecord = true
	if err := l.header(key); err != nil {
		return err
	}
	for n := 0; ; n++ {
		if n%1024 == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		at := l.start + l.csv.InputOffset()
		l.source.row = 0
		record, err := l.csv.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return l.fault(err)
		}
		if err := l.add(record, at); err != nil {
			return err
		}
	}
	l.finish()
	return nil
}

// begin looks at the first bytes: a byte-order mark, and what parts the fields.
func (l *loading) begin(in *bufio.Reader) error {
	head, err := in.Peek(3)
	switch {
	case len(head) == 0 && err == io.EOF:
		return &Error{Message: "is empty: its first line has to name the columns"}
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}), bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return &Error{Line: 1, Column: 1, Message: "the file is UTF-16: save it as UTF-8"}
	case bytes.Equal(head, []byte{0xEF, 0xBB, 0xBF}):
		l.start, _ = 3, must(in.Discard(3))
	case len(head) == 0:
		return unreadable(err)
	}
	l.form.comma = ','
	if ext := strings.ToLower(path.Ext(l.name)); ext == ".tsv" || ext == ".tab" {
		l.form.comma = '\t'
		return nil
	}
	line, _ := in.Peek(readAhead / 2)
	if hasBetween(line, ';') && !hasBetween(line, ',') {
		l.form.comma = ';'
	}
	return nil
}

// must is for reads that Peek has made safe.
func must(n int, err error) int {
	if err != nil {
		panic(err)
	}
	return n
}

// hasBetween reports whether a character stands in the first line outside quotes.
func hasBetween(text []byte, c byte) bool {
	quoted := false
	for _, b := range text {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\n':
			return false
		case b == c:
			return true
		}
	}
	return false
}

// header reads the names of the columns.
func (l *loading) header(key string) error {
	names, err := l.csv.Read()
	if err == io.EOF {
		return &Error{Message: "has no line that names the columns"}
	}
	if err != nil {
		return l.fault(err)
	}
	if len(names) > MaxColumns {
		return &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the file has %d columns; at most %d are read", len(names), MaxColumns)}
	}
	l.line, _ = l.csv.FieldPos(len(names) - 1)
	seen := map[string]bool{}
	l.key = -1
	var told []string
	for i, name := range names {
		line, column := l.csv.FieldPos(i)
		name = strings.TrimSpace(name)
		switch {
		case !utf8.ValidString(name):
			return &Error{line, column, "the name of the column is not UTF-8: save the file as UTF-8"}
		case name == "":
			return &Error{line, column, fmt.Sprintf("column %d has no name", i+1)}
		case seen[name]:
			return &Error{line, column, fmt.Sprintf("a second column is named %q", name)}
		case name == strings.TrimSpace(key):
			l.key = i
		}
		seen[name] = true
		name = strings.Clone(name)
		told = append(told, name)
		l.columns = append(l.columns, Column{Name: name})
	}
	if l.key < 0 {
		near := domains.Nearest(key, told, 1)
		hint := "the columns are " + strings.Join(told[:min(len(told), 20)], ", ")
		if len(near) > 0 {
			hint = fmt.Sprintf("did you mean %q?", near[0])
		}
		return &Error{1, 1, fmt.Sprintf("there is no column %q, which key names: %s", key, hint)}
	}
	l.types = make([]guess, len(l.columns))
	return nil
}

// add takes a row into the index.
func (l *loading) add(record []string, at int64) error {
	line, column := l.csv.FieldPos(0)
	l.line = line
	if l.start+l.csv.InputOffset()-at > MaxRecord {
		return &Error{line, column, errLongRow.Error()}
	}
	if len(record) != len(l.columns) {
		l.leaveOut(line, column, fmt.Sprintf("the row has %d fields and the first line %d: it is left out", len(record), len(l.columns)))
		return nil
	}
	key := strings.TrimSpace(record[l.key])
	if key == "" {
		l.leaveOut(line, column, fmt.Sprintf("the row has no %s, which is the key: it is left out", l.columns[l.key].Name))
		return nil
	}
	for i, cell := range record {
		if !utf8.ValidString(cell) {
			line, column := l.csv.FieldPos(i)
			return &Error{line, column, "the text is not UTF-8: save the file as UTF-8"}
		}
		l.types[i].see(cell)
	}
	l.rows = append(l.rows, entry{maphash.String(l.seed, key), at})
	return nil
}

func (l *loading) leaveOut(line, column int, message string) {
	if l.left++; l.left <= mostWarnings {
		l.warnings = append(l.warnings, Warning{line, column, message})
	}
}

func (l *loading) finish() {
	for i := range l.columns {
		if i != l.key {
			l.columns[i].Type = l.types[i].is()
		}
	}
	if more := l.left - mostWarnings; more > 0 {
		l.warnings = append(l.warnings, Warning{Message: fmt.Sprintf("%d more rows are left out", more)})
	}
	slices.SortFunc(l.rows, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.offset, b.offset)) })
	l.rows = slices.Clip(l.rows)
}

// fault is a fault of the form, with its place.
func (l *loading) fault(err error) error {
	var at *csv.ParseError
	switch {
	case errors.Is(err, errLongRow):
		return &Error{l.line + 1, 1, errLongRow.Error()}
	case !errors.As(err, &at):
		return unreadable(err)
	case errors.Is(at.Err, csv.ErrQuote):
		return &Error{at.Line, at.Column, `a quote stands within a field: a field with quotes is quoted itself, and has "" for each`}
	case errors.Is(at.Err, csv.ErrBareQuote):
		return &Error{at.Line, at.Column, `a quote stands in a field that is not quoted: quote the field, and write "" for each quote in it`}
	}
	return &Error{at.Line, at.Column, at.Err.Error()}
}
