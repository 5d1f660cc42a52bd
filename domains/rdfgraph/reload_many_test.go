package rdfgraph_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
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
	text := func(n int) string {
		var b strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&b, "<http://e/%d> <http://e/p%d> \"value %d of %d\" .\n", i, i%7, i, n)
		}
		return b.String()
	}
	heap := func() uint64 {
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	l := newLive(t, time.Duration(none), "a/a.nt", text(0))
	before := heap()
	for n := range 8 {
		l.write("a/a.nt", text(n+1))
		l.reload()
	}
	if after := heap(); after > before+before/2 {
		t.Errorf("%d bytes are held after 8 reloads, %d before", after, before)
	}
	want(t, "facts", 20_000, l.facts("a"))
}
