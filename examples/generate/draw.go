package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// draw is a source of chance that belongs to one entity: the same topic and
// number always draw the same values, whatever else is generated.
type draw struct{ pcg *rand.PCG }

func newDraw(topic string, number int) draw {
	h := fnv.New64a()
	h.Write([]byte(topic))
	return draw{rand.NewPCG(h.Sum64(), uint64(number))}
}

// upTo draws a number from 0 to n-1.
func (d draw) upTo(n int) int { return int(d.pcg.Uint64() % uint64(n)) }

// between draws a number from low to high, both included.
func (d draw) between(low, high int) int { return low + d.upTo(high-low+1) }

// chance is true in percent of all draws.
func (d draw) chance(percent int) bool { return d.upTo(100) < percent }

// dayBetween draws a day from first to last, both included; first when last is
// earlier.
func (d draw) dayBetween(first, last time.Time) time.Time {
	days := int(last.Sub(first) / (24 * time.Hour))
	if days <= 0 {
		return first
	}
	return first.AddDate(0, 0, d.upTo(days+1))
}

// pick draws an element of a list.
func pick[T any](d draw, list []T) T { return list[d.upTo(len(list))] }

// day is midnight UTC of a date.
func day(year int, month time.Month, dayOfMonth int) time.Time {
	return time.Date(year, month, dayOfMonth, 0, 0, 0, 0, time.UTC)
}

// snapshotDay is the day on which the samples were "taken": nothing happened later.
var snapshotDay = day(2026, time.July, 15)

func date(t time.Time) string { return t.Format(time.DateOnly) }

// money writes cents as a decimal with two places.
func money(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
