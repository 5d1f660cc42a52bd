package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// manyNames are more names than a search reads, all of the same words and one more.
func manyNames() *store.Names {
	var names []owned
	for i := range store.MaxPostings + 10_000 {
		names = append(names, owned{fmt.Sprintf("person s%06d of service", i), store.ID(i + 1)})
	}
	return build(names)
}

// TestStepsShareOneLimit holds that all steps of a search together read no more than
// one limit, however many words or parts its text has, and whatever their lengths.
func TestStepsShareOneLimit(t *testing.T) {
	n := manyNames()
	for _, text := range []string{"person", "s", "of person", "erso ervi", strings.TrimSpace(strings.Repeat("s ", 2_000)), strings.Repeat("person ", 100_000), "s p o x"} {
		r := reader()
		for _, find := range []func(*store.Reader, string) store.Owners{n.Exact, n.Prefix, n.Words, n.Within} {
			find(r, text)
		}
		if w := r.Work(); w.Postings > store.MaxPostings || w.Lookups > 100 {
			t.Errorf("%.20q: %+v", text, w)
		}
	}
}

// TestSearchStopsWithItsCall holds that a search that is told to stop does so within
// about a thousand entries, and says that there may be more.
func TestSearchStopsWithItsCall(t *testing.T) {
	n := manyNames()
	for kind, find := range map[string]func(*store.Reader, string) store.Owners{"Prefix": n.Prefix, "Words": n.Words, "Within": n.Within} {
		r := reader()
		r.Search(func() bool { return r.Work().Postings > 5_000 })
		if got := find(r, "person"); !got.More || r.Work().Postings > 5_000+1_100 {
			t.Errorf("%s: more %v, %+v", kind, got.More, r.Work())
		}
	}
	r := reader()
	r.Search(func() bool { return true })
	if got := n.Near(r, "persom serwice", 5); got != nil || r.Work().Reads() > 0 {
		t.Errorf("Near: %v, %+v", got, r.Work())
	}
}

// TestWordsThatCount holds that the first different words of a text are looked for,
// and that others are reported.
func TestWordsThatCount(t *testing.T) {
	var words []string
	for i := range domains.MaxWords {
		words = append(words, fmt.Sprintf("w%c", 'a'+i))
	}
	name := strings.Join(words, " ")
	n := build([]owned{{name, 1}, {"wa other", 2}})
	for _, tc := range []struct {
		text  string
		found bool
		bytes bool
		words bool
	}{
		{name + " unknown", true, false, true},                    // the 17th is not looked for
		{"unknown " + name, false, false, true},                   // the first is
		{strings.Repeat("wb wa ", 10) + "wc", true, false, false}, // each counts once
		{strings.Repeat("wb wa ", 10) + name + " wa", true, false, false},
		{strings.Repeat("wa wb ", 1_000), true, true, true}, // only the beginning of a long text
	} {
		text := strings.TrimSpace(tc.text)
		for kind, find := range map[string]func(*store.Reader, string) store.Owners{"Words": n.Words, "Within": n.Within} {
			if got := find(reader(), text); (len(got.IDs) == 1) != tc.found {
				t.Errorf("%s(%.80q) = %v, want a hit %v", kind, text, got.IDs, tc.found)
			}
		}
		if bytes, words := store.Shortened(text); bytes != tc.bytes || words != tc.words {
			t.Errorf("Shortened(%.80q) = %v, %v", text, bytes, words)
		}
	}
}

// TestRarePartLeadsTheSearch holds that a part that few names have is read first,
// though another is within a single word that all have.
func TestRarePartLeadsTheSearch(t *testing.T) {
	n := manyNames()
	r := reader()
	if got := n.Within(r, "erso s0599"); len(got.IDs) != 100 || got.More || r.Work().Postings > 1_000 {
		t.Errorf("%d owners, more %v, %+v", len(got.IDs), got.More, r.Work())
	}
}
