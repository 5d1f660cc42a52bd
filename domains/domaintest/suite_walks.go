package domaintest

import (
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
)

// walkOn holds that what a walk is told to leave out (Skip, Passed, Shown) changes nothing
// of the rest: neither its order nor whom it leads to.
func walkOn(t *testing.T, f domains.Facts) {
	for _, start := range entities(t, f) {
		o := domains.WalkOptions{Depth: 2, Fanout: 20}
		all := walk(t, f, []string{start.IRI}, o)
		for _, skip := range []int{1, len(all) / 2, len(all) - 1, len(all) + 1} {
			o := o
			o.Skip = skip
			rest := walk(t, f, []string{start.IRI}, o)
			if len(rest) != len(all) {
				t.Fatalf("%s: %d entities without the first %d, %d with them", start.IRI, len(rest), skip, len(all))
			}
			for i, e := range rest {
				if e.IRI != all[i].IRI || e.Distance != all[i].Distance {
					t.Errorf("%s: behind %d comes %s at %d, want %s at %d", start.IRI, skip, e.IRI, e.Distance, all[i].IRI, all[i].Distance)
				}
				if diff := gocmp.Diff(all[i], e); i >= skip && diff != "" {
					t.Errorf("%s behind %d (-without +with):\n%s", e.IRI, skip, diff)
				}
			}
		}
		o.Shown = 2
		for i, e := range walk(t, f, []string{start.IRI}, o) {
			sameButCut(t, all[i], e, o.Shown)
		}
		walkPassed(t, f, all[0])
	}
}

// sameButCut holds that an entity is told as it is without Shown, but for values at the end
// of its facts, and that facts say so.
func sameButCut(t *testing.T, want, got domains.Entity, shown int) {
	t.Helper()
	if len(got.Facts) != len(want.Facts) {
		t.Fatalf("%s has %d facts, want %d", want.IRI, len(got.Facts), len(want.Facts))
	}
	for i := range want.Facts {
		w, g := &want.Facts[i], &got.Facts[i]
		if g.Cut && (len(g.Values) < shown || len(g.Values) >= len(w.Values)) {
			t.Errorf("%s: %s is cut with %d of %d values", want.IRI, w.Property, len(g.Values), len(w.Values))
		}
		if !g.Cut && w.Total == len(w.Values) && len(g.Values) < len(w.Values) {
			t.Errorf("%s: %s has %d of %d values and does not say so", want.IRI, w.Property, len(g.Values), len(w.Values))
		}
		var kept []domains.Value // literals are never left out
		for j, v := range w.Values {
			if len(kept) < len(g.Values) && (j < len(g.Values) || v.Ref == nil && v.Nested == nil) {
				kept = append(kept, v)
			}
		}
		if g.Cut && !slices.ContainsFunc(w.Values, func(v domains.Value) bool { return v.Ref == nil && v.Nested == nil }) {
			if diff := gocmp.Diff(kept, g.Values); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", want.IRI, w.Property, diff)
			}
		}
	}
}

// walkPassed goes on behind each value of an entity that leads to another.
func walkPassed(t *testing.T, f domains.Facts, want domains.Entity) {
	t.Helper()
	for i, fact := range want.Facts {
		entities := slices.DeleteFunc(slices.Clone(fact.Values), func(v domains.Value) bool { return v.Ref == nil && v.Nested == nil })
		for n := range min(len(entities), 3) {
			o := domains.WalkOptions{Fanout: 20, Shown: 1, Passed: domains.Passed{Fact: i, Value: n}}
			got := walk(t, f, []string{want.IRI}, o)[0].Facts[i]
			values := slices.DeleteFunc(slices.Clone(got.Values), func(v domains.Value) bool { return v.Ref == nil && v.Nested == nil })
			if len(values) <= n {
				t.Errorf("%s: %s behind %d values has %d", want.IRI, fact.Property, n, len(values))
			} else if diff := gocmp.Diff(entities[n], values[n]); diff != "" {
				t.Errorf("%s: %s behind %d values (-want +got):\n%s", want.IRI, fact.Property, n, diff)
			}
		}
	}
}
