package ontobricks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

var (
	cursorIn = regexp.MustCompile(`cursor="([^"]*)"`)
	lineOf   = regexp.MustCompile(`(?m)^■ .*  ` + regexp.QuoteMeta(base) + `(\S+)$`)
)

// Following the cursors of describe_entity shows every match once, however little one
// call may read and one page hold.
func TestTextShowsEverything(t *testing.T) {
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 2))
		o, graph := random(r)
		f, _ := serve(t, o, graph)
		f.limit, f.pages = max(1+r.IntN(12), longestSubject(graph)+1), 1+r.IntN(3)
		d := &domains.Domain{Info: domains.Info{Name: "acme"}, Version: "1", Facts: f,
			Ontology: func(context.Context) (*domains.Ontology, error) { return o, nil }}
		e := format.EntitiesOptions{Search: "ann", Depth: 1, Detail: format.Compact, Limit: 1 + r.IntN(6)}
		if r.IntN(2) == 0 {
			e.EntityType, e.Types = "Top", types(o, "Top")
		}
		want := matching(graph, "ann", e.Types)
		if got := allPages(t, d, e); len(want) > 0 && cmp.Diff(want, got) != "" {
			t.Errorf("seed %d, %d pages of %d, %+v (-want +got):\n%s", seed, f.pages, f.limit, e, cmp.Diff(want, got))
		}
	}
}

// What a URI that finds nothing is, where that is known: a term of the ontology is mostly
// no part of a deployment's graph, and an entity may have another type.
func TestNothingByURI(t *testing.T) {
	o := schema([][2]string{{"Customer", ""}, {"Account", ""}}, map[string]domains.PropertyKind{"owns": domains.ObjectProperty})
	f, s := serve(t, o, customers())
	d := &domains.Domain{Info: domains.Info{Name: "acme"}, Version: "1", Facts: f,
		Ontology: func(context.Context) (*domains.Ontology, error) { return o, nil }}
	fr := format.Frame{Budget: 1_000, Source: format.SourceOf(d), Scope: format.Scope{Tool: "describe_entity"}}
	for _, tc := range []struct {
		format.EntitiesOptions
		want string
	}{
		{format.EntitiesOptions{EntityURI: base + "Account"}, "It is a class of the ontology: describe_ontology tells of it, and entity_type=\"" + base + "Account\" finds its entities."},
		{format.EntitiesOptions{EntityURI: base + "owns"}, "It is a property of the ontology: describe_ontology tells of it."},
		{format.EntitiesOptions{EntityURI: base + "Customer/C1", EntityType: "Account", Types: types(o, "Account")},
			"With entity_uri alone there is Ann Lee (Customer), URI " + base + "Customer/C1."},
	} {
		s.asked = nil
		text, err := format.Entities(t.Context(), fr, d, tc.EntitiesOptions)
		if err != nil || !strings.Contains(text, tc.want) || len(s.asked) > 2 {
			t.Errorf("%+v: asked %d times, %v:\n%s", tc.EntitiesOptions, len(s.asked), err, text)
		}
	}
}

// However many types the words of a search name, and however many classes are below
// them, one call asks no more often than one may: every type that was named was asked
// for with all its sub-classes.
func TestSuggestionsStayWithinTheCall(t *testing.T) {
	var classes [][2]string
	for _, top := range []string{"Wheel", "Motor", "Brake"} {
		classes = append(classes, [2]string{top, ""})
		for i := range 8 {
			classes = append(classes, [2]string{fmt.Sprint(top, i), top})
		}
	}
	o := schema(classes, nil)
	f, s := serve(t, o, customers())
	d := &domains.Domain{Info: domains.Info{Name: "acme"}, Version: "1", Facts: f,
		Ontology: func(context.Context) (*domains.Ontology, error) { return o, nil }}
	fr := format.Frame{Budget: 1_000, Source: format.SourceOf(d), Scope: format.Scope{Tool: "describe_entity"}}
	for _, e := range []format.EntitiesOptions{
		{Search: "wheels motors brakes"}, {Search: "ann wheel", EntityType: "Motor", Types: types(o, "Motor")},
		{Search: "wheel", EntityURI: base + "Customer/C1"}, {Search: "motor"},
	} {
		s.asked = nil
		text, err := format.Entities(t.Context(), fr, d, e)
		if err != nil || !strings.HasPrefix(text, "No matching entities") || len(s.asked) > mostPages {
			t.Errorf("%+v: asked %d times, %v:\n%s", e, len(s.asked), err, text)
		}
	}
}

// allPages are the matches on all pages of an answer, in order of their names.
func allPages(t *testing.T, d *domains.Domain, e format.EntitiesOptions) []string {
	t.Helper()
	var shown []string
	fr := format.Frame{Budget: 1_000, Source: format.SourceOf(d), Scope: format.Scope{Tool: "describe_entity"}}
	for range 1_000 {
		text, err := format.Entities(t.Context(), fr, d, e)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range lineOf.FindAllStringSubmatch(text, -1) {
			shown = append(shown, m[1])
		}
		if strings.Contains(text, "Nothing is left") {
			t.Errorf("a cursor leads to nothing:\n%s", text)
		}
		cursors := cursorIn.FindAllStringSubmatch(text, -1)
		if len(cursors) == 0 {
			slices.Sort(shown)
			return shown
		}
		if fr.From, err = fr.Scope.Parse(cursors[len(cursors)-1][1]); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the pages have no end")
	return nil
}
