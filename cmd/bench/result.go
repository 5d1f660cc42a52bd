package main

import (
	"fmt"
	"slices"
)

// result is what was measured of one thing.
type result struct {
	// Row is the name of the row, Case what of it: a size, a program, a question.
	Row  string `json:"row"`
	Case string `json:"case"`
	// Triples is the size of the graph, 0 where it does not matter.
	Triples int `json:"triples,omitempty"`
	// Unit is that of Values: s, or requests/s.
	Unit   string    `json:"unit,omitempty"`
	Values []float64 `json:"values,omitempty"` // in the order of the rounds
	// Baseline is the case of the same row that ratios are of; empty for none.
	Baseline string `json:"baseline,omitempty"`
	// Ratio is the median by the baseline's, StepsRatio the same of Steps.
	Ratio float64 `json:"ratio,omitempty"`
	// Steps are look-ups in an index and entries read; nil where they were not counted.
	Steps      *int    `json:"steps,omitempty"`
	StepsRatio float64 `json:"steps_ratio,omitempty"`
	// Allocations are those of one time.
	Allocations float64 `json:"allocations,omitempty"`
	// CPU is the time of processors that the server took for a call, in seconds.
	CPU float64 `json:"cpu_seconds,omitempty"`
	// Held is the memory that is held afterwards, in bytes after a garbage collection, Peak
	// the most resident memory of the process.
	Held int64 `json:"held_bytes,omitempty"`
	Peak int64 `json:"peak_bytes,omitempty"`
	// Note says what is particular; Missing, why there are no values.
	Note    string `json:"note,omitempty"`
	Missing string `json:"missing,omitempty"`
	Goals   []goal `json:"goals,omitempty"`
}

// goal is a bound on what was measured.
type goal struct {
	// Of says on what: seconds, ratio, steps, allocations, bytes a triple, peak MB.
	Of string `json:"of"`
	// Bound is not to be reached from below or, with AtLeast, from above.
	Bound   float64 `json:"bound"`
	AtLeast bool    `json:"at_least,omitempty"`
	Met     bool    `json:"met"`
}

// median is the middle of the values, or between the two in the middle; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	m := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[m]
	}
	return (sorted[m-1] + sorted[m]) / 2
}

// measured is what a goal is held against; ok is false when it was not measured.
func (r *result) measured(of string) (v float64, ok bool) {
	switch of {
	case "seconds":
		v = median(r.Values)
	case "ratio":
		v = r.Ratio
	case "steps":
		v = r.StepsRatio
	case "allocations":
		v = r.Allocations
	case "bytes a triple":
		if r.Triples > 0 {
			v = float64(r.Held) / float64(r.Triples)
		}
	case "peak MB":
		v = float64(r.Peak) / 1e6
	}
	return v, v > 0
}

// settle works out ratios, and whether goals are met.
func settle(results []result) {
	for i := range results {
		r := &results[i]
		for _, base := range results {
			if base.Row != r.Row || base.Case != r.Baseline {
				continue
			}
			if m := median(base.Values); m > 0 && base.Unit == r.Unit {
				r.Ratio = median(r.Values) / m
			}
			if base.Steps != nil && r.Steps != nil {
				// What reads nothing at all has one step, so that there is a ratio.
				r.StepsRatio = float64(max(1, *r.Steps)) / float64(max(1, *base.Steps))
			}
		}
		for j := range r.Goals {
			g := &r.Goals[j]
			v, ok := r.measured(g.Of)
			g.Met = ok && (g.AtLeast && v >= g.Bound || !g.AtLeast && v < g.Bound)
		}
	}
}

// String is the goal in words.
func (g goal) String() string {
	sign, verdict := "<", "missed"
	if g.AtLeast {
		sign = "≥"
	}
	if g.Met {
		verdict = "met"
	}
	return fmt.Sprintf("%s %s %g: %s", g.Of, sign, g.Bound, verdict)
}

// sized writes a number of triples briefly: 12 k, 1 M.
func sized(n int) string {
	switch {
	case n >= 1_000_000 && n%100_000 == 0:
		return fmt.Sprintf("%g M", float64(n)/1e6)
	case n >= 1_000:
		return fmt.Sprintf("%g k", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
