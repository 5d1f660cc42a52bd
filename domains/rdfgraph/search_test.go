package rdfgraph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestLongSearchesReadOneLimit holds that no text makes a search read more than one
// limit and what near names cost, and that a text which is not looked for whole is
// reported.
func TestLongSearchesReadOneLimit(t *testing.T) {
	b := triples{store.NewBuilder()}
	for i := range store.MaxPostings + 10_000 {
		b.add(fmt.Sprintf("x%06d", i), "label", fmt.Sprintf(`"person s%06d of"`, i))
	}
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, []string{big + "label"})
	for _, tc := range []struct {
		text      string
		shortened bool
	}{
		{"person", false},
		{strings.Repeat("s ", 450_000), true},
		{strings.Repeat("person ", 125_000), true},
		{strings.Repeat("person of ", 20), false},
		{"a b c d e f g h i j k l m n o p q", true},
		{big + "x", false},
	} {
		var m *domains.Matches
		cost := work(s, func() { m = ask(t, f, domains.Query{Text: tc.text}) })
		if m.Shortened != tc.shortened {
			t.Errorf("%.20q: shortened %v, total %d", tc.text, m.Shortened, m.Total)
		}
		if cost.Postings > store.MaxPostings || cost.Lookups > 200_000 {
			t.Errorf("%.20q: %+v", tc.text, cost)
		}
	}
}

// endsAfter is a context that ends when it was asked a number of times.
type endsAfter struct {
	context.Context
	left *int
}

func (e endsAfter) Err() error {
	if *e.left--; *e.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestSearchesEndWithTheirContext holds that a search of names, of IRIs and of many
// types ends soon after its context did, and says so.
func TestSearchesEndWithTheirContext(t *testing.T) {
	b := triples{store.NewBuilder()}
	types := []string{}
	for i := range 20_000 {
		b.add(fmt.Sprintf("x%06d", i), "label", fmt.Sprintf(`"person s%06d of"`, i))
		b.add("hub", "a", fmt.Sprintf("C%05d", i))
		types = append(types, fmt.Sprintf("%sC%05d", big, i))
	}
	b.add("hub", "label", `"unlike"`)
	s := b.Build()
	f := rdfgraph.NewFacts(s, nil, []string{big + "label"})
	for _, q := range []domains.Query{{Text: "person"}, {Text: "erso"}, {Text: big + "x"}, {Types: types}, {Text: "unlike", Types: []string{big + "none"}}} {
		left := 3
		cost := work(s, func() {
			if m, err := f.Find(endsAfter{t.Context(), &left}, q); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%.20q: %v, error %v", q.Text, m, err)
			}
		})
		if cost.Reads() > 6_000 {
			t.Errorf("%.20q: %+v", q.Text, cost)
		}
	}
}
