package rdfgraph_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Many read while much is reloaded: each sees one whole revision.
func TestReloadUnderReaders(t *testing.T) {
	l := newLive(t, none, "a/a.ttl", twoFacts)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				d, err := l.b.Open(t.Context(), "a")
				if err != nil {
					t.Error(err)
					return
				}
				s, err := d.Status(t.Context())
				stats, err2 := d.Facts.Stats(t.Context())
				if err != nil || err2 != nil || s.Triples != stats.Triples {
					t.Errorf("status and statistics are of different revisions: %v, %v", err, err2)
					return
				}
			}
		})
	}
	for i := range 60 {
		l.write("a/a.ttl", strings.Repeat(twoFacts, 1)+fmt.Sprintf("<http://e/n%d> a <http://e/A> .\n", i))
		l.reload()
	}
	close(done)
	readers.Wait()
}

// What was replaced is not kept: memory does not grow with the number of reloads.
func TestReloadFreesMemory(t *testing.T) {
	const triples, reloads = 3_000, 8
	text := func(n int) string {
		var b strings.Builder
		for i := range triples {
			fmt.Fprintf(&b, "<http://e/%d> <http://e/p%d> \"value %d of %d\" .\n", i, i%7, i, n)
		}
		return b.String()
	}
	heap := func() int {
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	l := newLive(t, none, "a/a.nt", "")
	empty := heap()
	l.write("a/a.nt", text(0))
	l.reload()
	before := heap()
	for n := range reloads {
		l.write("a/a.nt", text(n+1))
		l.reload()
	}
	if after, graph := heap(), before-empty; after > before+2*graph {
		t.Errorf("%d bytes are held after %d reloads, %d before, of which %d are the graph", after, reloads, before, graph)
	}
	want(t, "facts", triples, l.facts("a"))
}
