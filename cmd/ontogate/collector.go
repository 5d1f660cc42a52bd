package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// room is how much memory at least is taken between two garbage collections. With little
// data loaded Go would collect every few hundred calls.
const room = 32 << 20

// giveRoom sets how often garbage is collected, now and after each collection, since a
// reload changes what lives: when memory has grown by as much as lives, as Go does it, or
// by room, whichever is more. Where GOGC or GOMEMLIMIT is set, that is left alone.
func giveRoom(lookupEnv func(string) (string, bool)) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if _, set := lookupEnv(name); set {
			return
		}
	}
	c := &collector{percent: 100, set: debug.SetGCPercent, live: live}
	c.adjust()
	c.again()
}

// collector sets the percentage of what lives that is taken before the next collection.
type collector struct {
	percent int
	set     func(percent int) int
	live    func() uint64
}

// again adjusts after the next collection and each after it: something that nothing holds
// is collected by then.
func (c *collector) again() {
	runtime.AddCleanup(new([16]byte), func(c *collector) {
		c.adjust()
		c.again()
	}, c)
}

// adjust sets the percentage; a little more or less is left, since setting it stops all
// work for a moment.
func (c *collector) adjust() {
	percent := percentFor(c.live())
	if math.Abs(float64(percent-c.percent)) > float64(c.percent)/8 {
		c.set(percent)
		c.percent = percent
	}
}

// percentFor is the percentage when so many bytes live.
func percentFor(live uint64) int {
	const most = 1000 // a heap of which little is known yet
	if live == 0 {
		return most
	}
	return int(min(max(room*100/live, 100), most))
}

// live is how many bytes lived at the last collection.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
