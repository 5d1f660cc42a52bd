package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestRoomBetweenCollections(t *testing.T) {
	for live, want := range map[uint64]int{0: 1000, 1 << 20: 1000, 8 << 20: 400, 16 << 20: 200, 32 << 20: 100, 8 << 30: 100} {
		if got := percentFor(live); got != want {
			t.Errorf("%d bytes live: %d %%, want %d", live, got, want)
		}
	}
}

// What lives changes with what is served, and each collection is followed by a look at it.
func TestRoomFollowsWhatLives(t *testing.T) {
	var lives uint64 = 8 << 20
	set := make(chan int, 9)
	c := &collector{percent: 100, set: func(p int) int { set <- p; return 0 }, live: func() uint64 { return lives }}
	c.adjust()
	c.adjust() // the same again is not set
	lives = 8<<20 + 1<<18
	c.adjust() // nor is nearly the same
	if got := <-set; got != 400 || len(set) > 0 {
		t.Errorf("%d %% and %d more, want 400 once", got, len(set))
	}
	lives = 1 << 30
	c.again()
	for {
		runtime.GC()
		select {
		case got := <-set:
			if got != 100 {
				t.Errorf("%d %%, want 100", got)
			}
			return
		case <-time.After(time.Second): // cleanups run soon after a collection
		case <-t.Context().Done():
			t.Fatal("no look after a collection")
		}
	}
}

// Who says how memory is to be used is obeyed.
func TestRoomOfTheUser(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		giveRoom(func(asked string) (string, bool) { return "100", asked == name })
	}
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("%d %% was set, although the user had set it", got)
	}
}
