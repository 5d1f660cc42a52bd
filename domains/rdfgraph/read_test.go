package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
)

// many are n lines of N-Triples about entities of a file, with what other files have too and
// with what comes twice.
func many(file string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<http://e/%s/%d> <http://e/p%d> \"text %d\"@en .\n_:b%d <http://e/knows> <http://e/shared/%d> .\n", file, i, i%7, i%500, i%90, i%1_000)
	}
	return b.String()
}

// mixedFiles are large and small files, of which some are broken where others are not, at
// their beginning and after much that was read already.
func mixedFiles(t *testing.T) (fsys fstest.MapFS, broken []string) {
	const large = 13_000 // more than a MiB
	fsys = fstest.MapFS{}
	for name, text := range map[string]string{
		"a.ttl":          "@prefix p: <http://a/> . @prefix q: <http://a/q> . p:a p:b p:c .",
		"b.ttl":          "@prefix p: <http://b/> . @prefix r: <http://b/> . p:a r:b p:c . <relative> r:b 1 .",
		"c.nt":           many("c", large),
		"d.nt.gz":        gzipped(t, many("d", 1_000)),
		"e.nt.zst":       zstandard(t, many("c", 1_000)), // of which c.nt has all but the blank nodes
		"f.ttl":          "@prefix s: <http://f/> . " + many("f", 500),
		"g.nt":           "",
		"h.nt":           many("h", 20),
		"a-broken.ttl":   "@prefix p: <http://broken/> . @prefix x: <http://broken/> . p:a p:b p:c . oops",
		"c-broken.nt":    many("broken", large) + "<http://e/a> <http://e/p> .\n" + many("broken", 10),
		"d-broken.nt.gz": gzipped(t, many("broken", 1_000))[:5_000],
		"f-broken.ttl":   many("broken", large) + " oops",
		"g-broken.nt":    "\xff",
		"z-broken.nt":    many("broken", 500) + "<" + strings.Repeat("x", 100),
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Unix(1_000_000, 0)}
		if strings.Contains(name, "broken") {
			broken = append(broken, name)
		}
	}
	return fsys, broken
}

// TestContentIsTheSameOnAnyNumberOfProcessors holds that what is read of a domain, its
// revision and what is told of broken files do not depend on who reads what when, and that
// nothing is left of the broken ones.
func TestContentIsTheSameOnAnyNumberOfProcessors(t *testing.T) {
	fsys, broken := mixedFiles(t)
	read := func(processors int) (string, any) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		told, snapshot, err := rdfgraph.Content(t.Context(), fsys)
		if err != nil {
			t.Fatal(err)
		}
		return told, snapshot.Saved()
	}
	want, wanted := read(1)
	for range 2 {
		got, saved := read(4)
		if got != want {
			t.Errorf("(-1 processor +4 processors):\n%.3000s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
		if !reflect.DeepEqual(wanted, saved) {
			t.Error("the same triples make another snapshot")
		}
	}
	head, triples, _ := strings.Cut(want, "\n<")
	if strings.Contains(triples, "http://e/broken/") || strings.Contains(want, "http://broken/") {
		t.Error("something of a broken file is left")
	}
	if n := strings.Count(head, "\nproblem "); n != len(broken) {
		t.Errorf("%d files are broken, and %d problems are told:\n%s", len(broken), n, head)
	}
	for _, what := range []string{
		`prefixes [{"p" "http://a/"} {"q" "http://a/q"} {"r" "http://b/"} {"s" "http://f/"}]`, `relative ["b.ttl"]`,
		"problem c-broken.nt:26001:27: ", "problem f-broken.ttl:26001:2: ", "problem z-broken.nt:1001:1: ", "problem d-broken.nt.gz: is cut short",
	} {
		if !strings.Contains(head, what) {
			t.Errorf("%q is missing in\n%s", what, head)
		}
	}
}

// TestReadingEndsWithItsContext holds that no goroutine outlasts a context that ends while
// files are read, whenever that is: synctest waits for all.
func TestReadingEndsWithItsContext(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	fsys, _ := mixedFiles(t)
	whole := &ending{Context: t.Context()}
	if _, _, err := rdfgraph.Content(whole, fsys); err != nil {
		t.Fatal(err)
	}
	for last := 1; last <= whole.looks*3/4; last += 1 + whole.looks/6 {
		synctest.Test(t, func(t *testing.T) {
			ctx := &ending{Context: t.Context(), last: last}
			if _, _, err := rdfgraph.Content(ctx, fsys); !errors.Is(err, context.Canceled) {
				t.Errorf("ended at look %d of %d: error %v", last, whole.looks, err)
			}
		})
	}
}

// bomb is a zstd file of n blocks of 128 KiB of one character, in four bytes each.
func bomb(n int) []byte {
	file := []byte{0x28, 0xB5, 0x2F, 0xFD, 0, 7 << 3} // a window of 128 KiB
	for i := range n {
		head := uint32(128<<10)<<3 | 1<<1
		if i == n-1 {
			head |= 1
		}
		file = append(file, byte(head), byte(head>>8), byte(head>>16), '#')
	}
	return file
}

// TestSmallFilesWithMuchInside holds that what a few bytes expand to costs no memory, and that
// its context ends it although nothing more is read of the file meanwhile.
func TestSmallFilesWithMuchInside(t *testing.T) {
	const blocks = 200 // 25 MiB
	for name, file := range map[string][]byte{
		"a.nt.zst":  bomb(blocks),
		"a.ttl.zst": bomb(blocks),
		"a.nt.gz":   []byte(gzipped(t, strings.Repeat("#", blocks<<17))),
		"a.ttl.gz":  []byte(strings.Repeat(gzipped(t, ""), 20_000)), // many members with nothing in them
	} {
		fsys := fstest.MapFS{name: &fstest.MapFile{Data: file}}
		whole := &ending{Context: t.Context()}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := rdfgraph.Content(whole, fsys)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; err != nil || used > 16<<20 {
			t.Errorf("%s: error %v, %d bytes were taken", name, err, used)
		}
		if strings.HasSuffix(name, ".ttl.gz") {
			continue // its context is looked at as its bytes are read
		}
		ctx := &ending{Context: t.Context(), last: 100}
		if _, _, err := rdfgraph.Content(ctx, fsys); !errors.Is(err, context.Canceled) || ctx.looks > 110 {
			t.Errorf("%s: its context ended at look 100 of %d, and reading with %v", name, ctx.looks, err)
		}
	}
}

// TestProgressOfALoad holds that each stage that a domain goes through is ended once, in
// order, whatever the domain is, and none when loading ends with its context.
func TestProgressOfALoad(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "facts/a.ttl", "<http://e/a> a <http://e/A> .")
	write(t, dir, "broken/a.ttl", "<http://e/a> a <http://e/A> .")
	write(t, dir, "broken/b.ttl", "<http://e/a> a <http://e/A> . oops")
	write(t, dir, "empty/a.ttl", "")
	var told []rdfgraph.Progress
	config := rdfgraph.Config{Dir: dir, Progress: func(p rdfgraph.Progress) { told = append(told, p) }, Snapshots: rdfgraph.SnapshotsOn, SnapshotMin: 1}
	ended := func() string {
		var b strings.Builder
		stages := map[domains.Name]rdfgraph.Stage{}
		for _, p := range told {
			if p.Done == p.Total && p.Total > 0 {
				if p.Stage <= stages[p.Domain] {
					t.Errorf("%s ends stage %d after stage %d", p.Domain, p.Stage, stages[p.Domain])
				}
				stages[p.Domain] = p.Stage
			}
		}
		for _, name := range slices.Sorted(maps.Keys(stages)) {
			fmt.Fprintf(&b, "%s %d ", name, stages[name])
		}
		told = nil
		return b.String()
	}
	b := newBackend(t, config)
	if got, want := ended(), "broken 3 empty 2 facts 3 "; got != want {
		t.Errorf("from sources the last stages are %q, want %q", got, want)
	}
	b.WaitSaved()
	newBackend(t, config)
	if got, want := ended(), "broken 3 empty 2 facts 1 "; got != want {
		t.Errorf("from snapshot files the last stages are %q, want %q", got, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rdfgraph.New(ctx, config); !errors.Is(err, context.Canceled) {
		t.Errorf("a load that was ended: %v", err)
	}
	if got := ended(); got != "" {
		t.Errorf("a load that was ended has told that it ended %s", got)
	}
}
