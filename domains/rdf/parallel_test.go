package rdf_test

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/ontogate/ontogate/domains/rdf"
)

// told is a quad as text; of a long object, which takes long to write, only a sum.
func told(q *rdf.Quad) string {
	if n := len(q.Object.Value); n > 1<<16 {
		return fmt.Sprint(q.Subject, q.Predicate, n, crc32.ChecksumIEEE([]byte(q.Object.Value)))
	}
	return q.Triple.String() + q.Graph.String()
}

// collector keeps what several goroutines emit.
type collector struct {
	mu   sync.Mutex
	said []string
}

func (c *collector) emitter() func(*rdf.Quad) error {
	return func(q *rdf.Quad) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.said = append(c.said, told(q))
		return nil
	}
}

// sorted are the triples that were emitted.
func (c *collector) sorted() []string {
	slices.Sort(c.said)
	return c.said
}

// inSequence is what Read makes of a text.
func inSequence(r io.Reader, f rdf.Format, o rdf.Options) (said []string, err error) {
	err = rdf.Read(r, f, o, func(q rdf.Quad) error {
		said = append(said, told(&q))
		return nil
	})
	slices.Sort(said)
	return said, err
}

// FuzzBlocks holds that N-Triples and N-Quads cut into blocks of any size are read as in one piece: the
// same triples, the same error at the same place.
func FuzzBlocks(f *testing.F) {
	seed(f, ".nt", "rdf-n-triples")
	seed(f, ".nq", "rdf-n-quads")
	for _, text := range []string{
		"", "\n\n\n \t\r\n<?xml version='1.0'?>\n", "\ufeff\n<rdf:RDF\n", "# one\r# two\r\n\n_:a <p:p> \"\xff\" .\n",
		"<a:a> <p:p> <a:b> .\r\n<a:a> <p:p> \"é\" .\n<a:b> <p:p> .\n<bad\n", "<a:a> <p:p> \"x\n\ufeff<a:a> <p:p> <a:b> .",
		strings.Repeat("<a:a> <p:p> _:b1 .\n", 20) + "<a:a> b\n" + strings.Repeat("<\n", 5),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		inBlocks(t, text, rdf.NTriples)
		inBlocks(t, text, rdf.NQuads)
	})
}

// inBlocks reads a text in blocks of several sizes.
func inBlocks(t *testing.T, text string, format rdf.Format) {
	for _, broken := range []error{nil, errors.New("the disk is gone")} {
		source := func() io.Reader {
			if broken == nil {
				return strings.NewReader(text)
			}
			return io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		}
		o := rdf.Options{File: "a.nt", BlankPrefix: "f1_"}
		want, wantErr := inSequence(source(), format, o)
		for _, size := range []int{1, 16, 100} {
			var got collector
			err := rdf.ReadBlocks(source(), format, o, 3, size, got.emitter)
			if fmt.Sprint(err) != fmt.Sprint(wantErr) || broken != nil && errors.Is(err, broken) != errors.Is(wantErr, broken) {
				t.Fatalf("in blocks of %d the error is %v, expected %v", size, err, wantErr)
			}
			said := got.sorted()
			if wantErr != nil { // what follows the error may have been read too
				said = slices.DeleteFunc(said, func(s string) bool { _, ok := slices.BinarySearch(want, s); return !ok })
				said, want = slices.Compact(said), slices.Compact(want)
			}
			if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(said, "\n")); diff != "" {
				t.Fatalf("in blocks of %d (-want +got):\n%s", size, diff)
			}
		}
	}
}

// TestReadParallel reads texts of more than one block, with errors near their end.
func TestReadParallel(t *testing.T) {
	var lines, turtle strings.Builder
	for i := range 6_000 {
		fmt.Fprintf(&lines, "<http://a.example/%d> <http://a.example/p> \"text %d\"@en .\n", i%977, i)
		fmt.Fprintf(&turtle, "<%d> <p> [ <q> %d ] .\n", i%977, i)
	}
	long := "<http://a.example/long> <http://a.example/p> \"" + strings.Repeat("long ", 900_000) + "\" .\n"
	for name, test := range map[string]struct {
		format rdf.Format
		text   string
	}{
		"good lines":            {rdf.NTriples, lines.String()},
		"a bad line":            {rdf.NTriples, lines.String() + "\n  oops\n" + lines.String() + "oops"},
		"a long line":           {rdf.NTriples, lines.String() + long + lines.String() + "<oops"},
		"a long line at first":  {rdf.NTriples, long + lines.String() + "<oops"},
		"no ends of lines":      {rdf.NTriples, strings.ReplaceAll(lines.String(), "\n", "\r") + "oops"},
		"good Turtle":           {rdf.Turtle, turtle.String()},
		"Turtle with a mistake": {rdf.Turtle, turtle.String() + "oops"},
	} {
		t.Run(name, func(t *testing.T) {
			o := rdf.Options{File: "a", Base: "http://a.example/"}
			want, wantErr := inSequence(strings.NewReader(test.text), test.format, o)
			for _, workers := range []int{2, 5} {
				var got collector
				err := rdf.ReadParallel(strings.NewReader(test.text), test.format, o, workers, got.emitter)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("with %d workers the error is %v, expected %v", workers, err, wantErr)
				}
				said := got.sorted()
				if wantErr == nil && !slices.Equal(want, said) || len(said) < len(want) {
					t.Errorf("with %d workers %d triples were read, expected %d", workers, len(said), len(want))
				}
			}
		})
	}
}

// TestATokenWithoutEndIsGivenUp holds that a line that does not end costs no more than the longest
// token: neither is the file read on, nor is anything copied again and again.
func TestATokenWithoutEndIsGivenUp(t *testing.T) {
	line := "<http://a.example/a> <http://a.example/p> <http://a.example/b> .\n"
	for name, before := range map[string]string{"at first": "", "later": strings.Repeat(line, 10_000)} {
		source := &repeated{text: "x", left: 1 << 30}
		var from, to runtime.MemStats
		runtime.ReadMemStats(&from)
		err := rdf.ReadParallel(io.MultiReader(strings.NewReader(before+"<"), source), rdf.NTriples, rdf.Options{File: "a.nt"}, 2, new(collector).emitter)
		runtime.ReadMemStats(&to)
		want := fmt.Sprintf("a.nt:%d:1: this token is longer than 16 MiB", strings.Count(before, "\n")+1)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
		if read := 1<<30 - source.left; read > rdf.MaxToken+1<<20 {
			t.Errorf("%s: %d bytes of the line were read", name, read)
		}
		if used := to.TotalAlloc - from.TotalAlloc; used > 6*rdf.MaxToken {
			t.Errorf("%s: %d bytes were taken", name, used)
		}
	}
}

// TestReadParallelLeavesNobody holds that no goroutine is left when the reader or emitter
// panics: synctest waits for all, and fails when one waits for ever.
func TestReadParallelLeavesNobody(t *testing.T) {
	line := "<http://a.example/a> <http://a.example/p> <http://a.example/b> .\n"
	for _, format := range []rdf.Format{rdf.NTriples, rdf.Turtle} {
		for name, calls := range map[string]int{"the reader": 0, "emitter": 2} {
			if format == rdf.Turtle && calls > 0 {
				continue // it is called once, before anything runs
			}
			synctest.Test(t, func(t *testing.T) {
				emitter := func() func(*rdf.Quad) error {
					if calls--; calls == 0 {
						panic("a fault")
					}
					return func(*rdf.Quad) error { return nil }
				}
				defer func() {
					if fault := recover(); fault != "a fault" {
						t.Errorf("%s, %s: caught %v", format, name, fault)
					}
				}()
				source := io.MultiReader(&repeated{text: line, left: 3 << 20}, panicking{})
				err := rdf.ReadParallel(source, format, rdf.Options{}, 3, emitter)
				t.Errorf("%s, %s: ended with %v", format, name, err)
			})
		}
	}
}

// panicking panics when it is read.
type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("a fault") }

// TestReadParallelEmitFails holds that the error of emit ends the reading, and that a panic of emit
// is the caller's.
func TestReadParallelEmitFails(t *testing.T) {
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "<http://a.example/%d> <http://a.example/p> \"text\" .\n", i)
	}
	full := errors.New("full")
	for _, format := range []rdf.Format{rdf.NTriples, rdf.Turtle} {
		read := func(fail func() error) error {
			return rdf.ReadParallel(strings.NewReader(text.String()), format, rdf.Options{}, 3, func() func(*rdf.Quad) error {
				n := 0
				return func(*rdf.Quad) error {
					if n++; n == 1000 {
						return fail()
					}
					return nil
				}
			})
		}
		if err := read(func() error { return full }); err != full {
			t.Errorf("reading %s gave %v, expected the error of emit", format, err)
		}
		caught := func() (fault any) {
			defer func() { fault = recover() }()
			return read(func() error { panic("a fault in emit") })
		}()
		if text, ok := caught.(string); !ok || !strings.Contains(text, "a fault in emit") {
			t.Errorf("reading %s gave %v, expected the panic of emit", format, caught)
		}
	}
}
