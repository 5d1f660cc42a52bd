package rdfgraph

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestProgressIsRare holds that a stage is told at most every tellEvery, and its end always, once.
func TestProgressIsRare(t *testing.T) {
	var told []Progress
	now := time.Unix(0, 0)
	teller := newTeller(func(p Progress) { told = append(told, p) })
	teller.now = func() time.Time { return now }
	s := teller.of("crm").begin(Reading, 100)
	s.add(10)
	now = now.Add(tellEvery)
	s.add(10)
	s.add(10)
	now = now.Add(tellEvery)
	s.add(90)
	s.end()
	s.end()
	now = now.Add(tellEvery)
	s.add(1)
	unknown := teller.of("crm").begin(Preparing, 0)
	unknown.add(7)
	unknown.end()
	want := []Progress{
		{Domain: "crm", Stage: Reading, Done: 20, Total: 100},
		{Domain: "crm", Stage: Reading, Done: 99, Total: 100},
		{Domain: "crm", Stage: Reading, Done: 100, Total: 100},
		{Domain: "crm", Stage: Preparing, Done: 7, Total: 7},
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
	newTeller(nil).of("crm").begin(Reading, 1).add(1) // nobody to tell
}

// TestProgressOneAtATime holds that calls of many goroutines do not overlap, and that
// what they tell never goes back. The race detector sees an overlap.
func TestProgressOneAtATime(t *testing.T) {
	last := Progress{Done: -1}
	teller := newTeller(func(p Progress) {
		if p.Done < last.Done {
			t.Errorf("told %d after %d", p.Done, last.Done)
		}
		last = p
	})
	var mu sync.Mutex
	now := time.Unix(0, 0)
	teller.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(tellEvery)
		return now
	}
	s := teller.of("crm").begin(Reading, 4000)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				s.add(1)
			}
		})
	}
	all.Wait()
	s.end()
	if last.Done != 4000 || last.Total != 4000 {
		t.Errorf("the last that was told is %+v", last)
	}
}
