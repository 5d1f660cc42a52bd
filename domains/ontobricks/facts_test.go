package ontobricks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/wire"
)

// customers is a small graph in which neighbours come before matches by IRI.
func customers() [][3]string {
	return [][3]string{
		{base + "Account/A1", typ, base + "Account"}, {base + "Account/A1", lab, "Main account"}, {base + "Account/A1", base + "iban", "DE1"},
		{base + "Customer/C1", typ, base + "Customer"}, {base + "Customer/C1", lab, "Ann Lee"},
		{base + "Customer/C1", base + "hasAccount", base + "Account/A1"}, {base + "Customer/C1", base + "homepage", "http://ann.example/"},
		{base + "Customer/C2", typ, base + "Vip"}, {base + "Customer/C2", lab, "Joanna Moe"}, {base + "Customer/C2", base + "knows", base + "Customer/C1"},
		{base + "Order/42", typ, base + "Order"}, {base + "Order/42", base + "of", base + "Customer/C2"},
		{base + "Customer/42", typ, base + "Customer"}, {base + "Customer/42", lab, "Annette"},
	}
}

func customerSchema() *domains.Ontology {
	return schema([][2]string{{"Customer", ""}, {"Vip", "Customer"}, {"Account", ""}, {"Order", ""}},
		map[string]domains.PropertyKind{"homepage": domains.DataProperty, "hasAccount": domains.ObjectProperty})
}

// The service does not say which of the subjects matched: guessing by order took
// Account/A1 for the match, because it comes first by IRI.
func TestMatchesComeBeforeNeighbours(t *testing.T) {
	f, s := serve(t, customerSchema(), customers())
	m, hits := find(t, f, domains.Query{Text: "Ann Lee", Depth: 1})
	if diff := cmp.Diff([]string{"Customer/C1"}, hits); diff != "" || m.Total != 1 || m.AtLeast || m.Hits[0].Tier != domains.TierExact {
		t.Errorf("hits (-want +got):\n%s%+v", diff, m)
	}
	names, entities := walked(t, f, m.Read, hits, 1)
	if diff := cmp.Diff([]string{"0 Customer/C1", "1 Account/A1", "1 Customer/C2"}, names); diff != "" {
		t.Errorf("walk (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"→ hasAccount 1: <Account/A1|Main account>", `→ homepage 1: "http://ann.example/"`,
		"← knows 1: <Customer/C2|Joanna Moe>"}, factLines(entities[0])); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if e := entities[0]; e.Triples != 4 || len(e.Labels) != 1 || e.Labels[0].Value != "Ann Lee" || len(e.Types) != 1 {
		t.Errorf("entity: %+v", e)
	}
	if diff := cmp.Diff([]findParams{{Search: "Ann Lee", Depth: 1, Limit: 1000}}, s.asked); diff != "" {
		t.Errorf("a plain call asks once (-want +got):\n%s", diff)
	}
}

// Hits are ranked: whole names, beginnings, words, and what holds the text inside a
// word, which the service counts too.
func TestRank(t *testing.T) {
	f, _ := serve(t, empty(), [][3]string{
		{base + "1", lab, "Joanna"}, {base + "2", lab, "Mary Ann"}, {base + "3", lab, "Annette"}, {base + "4", lab, "ann"}, {base + "5", base + "name", "ANN"},
	})
	m, hits := find(t, f, domains.Query{Text: "Ann"})
	if diff := cmp.Diff([]string{"4", "5", "3", "2", "1"}, hits); diff != "" || m.Total != 5 {
		t.Errorf("hits (-want +got):\n%s%+v", diff, m)
	}
	_, hits = find(t, f, domains.Query{Text: "Ann", Offset: 1, Limit: 2})
	if diff := cmp.Diff([]string{"5", "3"}, hits); diff != "" {
		t.Errorf("a page of hits (-want +got):\n%s", diff)
	}
}

// Which subjects match, for texts with wildcards and for parts of IRIs. The service
// under test has its own idea of it; both have to agree on the count.
func TestSeedsRule(t *testing.T) {
	graph := [][3]string{
		{base + "Customer/C1", lab, "Ann 100%"}, {base + "Customer/C2", base + "#name", "ann_lee"}, {base + "Customer/C3", lab, `Bob "the\it" O'Hara`},
		{base + "Customer#C4", base + "comment", "Ann"}, {base + "Customer/C5", "http://x/label", "Zoë\nÄnn"}, {base + "Customer/C6", base + "title", "Ann"},
		{base + "Customer/C1", typ, "http://a/b#Thing"}, {base + "Customer/C2", typ, "http://a/b/thing"}, {base + "Customer/C3", typ, "http://a/b/Something"},
	}
	for _, tc := range []struct {
		search, class string
		want          []string
	}{
		{search: "ann", want: []string{"Customer/C1", "Customer/C2"}},
		{search: "ann%e", want: []string{"Customer/C2"}},
		{search: "ann_", want: []string{"Customer/C1", "Customer/C2"}},
		{search: "100%", want: []string{"Customer/C1"}},
		{search: "ann_l%", want: []string{"Customer/C2"}},
		{search: `the\it" o'h`, want: []string{"Customer/C3"}},
		{search: "c", want: []string{"Customer#C4", "Customer/C1", "Customer/C2", "Customer/C3", "Customer/C5", "Customer/C6"}},
		{search: "customer/c5", want: []string{"Customer/C5"}},
		{search: "zoë_ä", want: []string{"Customer/C5"}},
		{search: "C4", want: []string{"Customer#C4"}},
		{search: "ustomer", want: []string{}},
		{class: "Thing", want: []string{"Customer/C1", "Customer/C2"}},
		{class: "Thing", search: "100", want: []string{"Customer/C1"}},
		{search: "%", want: []string{"Customer#C4", "Customer/C1", "Customer/C2", "Customer/C3", "Customer/C5", "Customer/C6"}},
	} {
		t.Run(tc.class+"/"+tc.search, func(t *testing.T) {
			f, s := serve(t, empty(), graph)
			q := domains.Query{Text: tc.search}
			if tc.class != "" {
				q.Types = []string{base + tc.class}
			}
			m, hits := find(t, f, q)
			want := map[string]bool{}
			for _, iri := range tc.want {
				want[iri] = true
			}
			for _, iri := range hits {
				if !want[iri] {
					t.Errorf("%s is taken for a match", iri)
				}
			}
			if len(hits) != len(tc.want) || m.Total != len(tc.want) {
				t.Errorf("hits %q of %d, want %q", hits, m.Total, tc.want)
			}
			if len(s.asked) != 1 {
				t.Errorf("asked %d times", len(s.asked))
			}
		})
	}
}

// The classes below are asked for too, the topmost first, and nobody comes twice.
func TestSubClassesAreAskedFor(t *testing.T) {
	o := customerSchema()
	f, s := serve(t, o, customers())
	m, hits := find(t, f, domains.Query{Types: types(o, "Customer"), Depth: 1})
	if diff := cmp.Diff([]string{"Customer/42", "Customer/C1", "Customer/C2"}, hits); diff != "" || m.Total != 3 || m.AtLeast {
		t.Errorf("hits (-want +got):\n%s%+v", diff, m)
	}
	if len(s.asked) != 2 || s.asked[0].EntityType != "Customer" || s.asked[1].EntityType != "Vip" {
		t.Errorf("asked %+v", s.asked)
	}
	s.asked = nil
	find(t, f, domains.Query{Types: []string{base + "Order"}, Text: "42", Cache: domains.CacheOff})
	if diff := cmp.Diff([]findParams{{EntityType: "Order", Search: "42", Depth: 1, Limit: 1000, Cache: domains.CacheOff}}, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

// Many sub-classes: ten requests, and more is admitted.
func TestTooManySubClasses(t *testing.T) {
	classes := [][2]string{{"Top", ""}}
	graph := [][3]string{{base + "x", typ, base + "Top"}}
	for i := range 20 {
		classes = append(classes, [2]string{fmt.Sprintf("Sub%02d", i), "Top"})
		graph = append(graph, [3]string{fmt.Sprintf("%sn%02d", base, i), typ, fmt.Sprintf("%sSub%02d", base, i)})
	}
	o := schema(classes, nil)
	f, s := serve(t, o, graph)
	union := map[string]bool{}
	q := domains.Query{Types: types(o, "Top")}
	for calls := 0; ; calls++ {
		s.asked = nil
		m, hits := find(t, f, q)
		for _, h := range hits {
			if union[h] {
				t.Errorf("%s comes twice", h)
			}
			union[h] = true
		}
		if len(s.asked) > mostPages || m.AtLeast != (m.Resume > 0 || q.Resume > 0) || calls > 4 {
			t.Fatalf("asked %d times, %+v", len(s.asked), m)
		}
		if q.Resume = m.Resume; q.Resume == 0 {
			break
		}
	}
	if len(union) != 21 {
		t.Errorf("%d of 21 found", len(union))
	}
}

// Only IRIs that are one entity by the rule are joined: never Customer/42 and Order/42,
// though the service brings both.
func TestAliases(t *testing.T) {
	o := customerSchema()
	f, _ := serve(t, o, append(customers(), [3]string{base + "C1", base + "email", "ann@x.example"}, [3]string{base + "Order/9", base + "of", base + "C1"}))
	m, hits := find(t, f, domains.Query{Text: "42", Depth: 1})
	if diff := cmp.Diff([]string{"Customer/42", "Order/42"}, hits); diff != "" || m.Total != 2 {
		t.Errorf("hits (-want +got):\n%s%+v", diff, m)
	}
	m, hits = find(t, f, domains.Query{Text: "Ann Lee", Depth: 1})
	_, entities := walked(t, f, m.Read, hits, 1)
	if diff := cmp.Diff([]string{base + "C1"}, entities[0].Aliases); diff != "" || entities[0].Triples != 5 {
		t.Errorf("aliases (-want +got):\n%s%+v", diff, entities[0])
	}
	for _, iri := range []string{base + "C1", base + "Customer/C1"} {
		m, hits = find(t, f, domains.Query{IRI: iri, Depth: 1})
		if diff := cmp.Diff([]string{"Customer/C1"}, hits); diff != "" || m.Total != 1 {
			t.Errorf("%s (-want +got):\n%s", iri, diff)
		}
	}
}

// By IRI: the service finds all that begins with it, and one is meant.
func TestFindByIRI(t *testing.T) {
	var graph [][3]string
	for i := range 200 {
		graph = append(graph, [3]string{fmt.Sprint(base, "Customer/", i), lab, fmt.Sprint("customer ", i)})
	}
	graph = append(graph, [3]string{"urn:x:1", lab, "urn"}, [3]string{"urn:x:a/1", lab, "urn with a slash"})
	f, s := serve(t, empty(), graph)
	m, hits := find(t, f, domains.Query{IRI: base + "Customer/1", Depth: 2})
	if diff := cmp.Diff([]string{"Customer/1"}, hits); diff != "" || m.Total != 1 || len(s.asked) != 1 || s.asked[0].Search != "acme.example/onto/Customer/1" {
		t.Errorf("hits (-want +got):\n%s%+v %+v", diff, m, s.asked)
	}
	if m, hits := find(t, f, domains.Query{IRI: base + "Customer/xyz"}); len(hits) != 0 || m.Total != 0 || m.AtLeast {
		t.Errorf("found %v %+v", hits, m)
	}
	if m, _ := find(t, f, domains.Query{IRI: base + "Customer/1", Text: "other"}); m.Total != 0 {
		t.Errorf("found what has not the text: %+v", m)
	}
	if m, _ := find(t, f, domains.Query{IRI: "urn:x:a/1"}); m.Total != 1 {
		t.Errorf("a URN with a slash: %+v", m)
	}
	_, err := f.Find(t.Context(), domains.Query{IRI: "urn:x:1", Limit: 1})
	if !errors.Is(err, domains.ErrInvalid) || !strings.Contains(err.Error(), "use search") {
		t.Errorf("a URN: %v", err)
	}
	if _, hits := find(t, f, domains.Query{Text: base + "Customer/19"}); len(hits) != 11 || hits[0] != "Customer/19" {
		t.Errorf("an IRI as text: %v", hits)
	}
	names, _ := walked(t, f, nil, []string{"Customer/77", "Customer/nobody", "Customer/78"}, 0)
	if diff := cmp.Diff([]string{"0 Customer/77", "0 Customer/78"}, names); diff != "" {
		t.Errorf("a walk from what was not read (-want +got):\n%s", diff)
	}
}

// All words in any order, which the service can't look for; near names when there
// are none.
func TestWordsInAnyOrder(t *testing.T) {
	f, s := serve(t, customerSchema(), customers())
	m, hits := find(t, f, domains.Query{Text: "moe joanna"})
	if diff := cmp.Diff([]string{"Customer/C2"}, hits); diff != "" || m.Total != 1 || m.Hits[0].Tier != domains.TierWords || len(s.asked) != 2 {
		t.Errorf("hits (-want +got):\n%s%+v, asked %+v", diff, m, s.asked)
	}
	if m, _ = find(t, f, domains.Query{Text: "joanna mo"}); m.Total != 1 {
		t.Errorf("a part of a label: %+v", m)
	}
	m, _ = find(t, f, domains.Query{Text: "joanna noe"})
	if diff := cmp.Diff([]string{"Joanna Moe"}, m.Suggestions); diff != "" || m.Total != 0 || len(m.Hits) != 0 {
		t.Errorf("suggestions (-want +got):\n%s%+v", diff, m)
	}
}

// A misspelt word does not end the search, at a cost that is known: names that have
// another word of the text are suggested.
func TestMisspeltWords(t *testing.T) {
	for text, want := range map[string]struct {
		near  []string
		asked int
	}{
		"jonnna moe":           {[]string{"Joanna Moe"}, 3},
		"moe jonnna":           {[]string{"Joanna Moe"}, 3},
		"jonnna moes of":       {nil, 3},
		"jonnnas jonnna moe":   {[]string{"Joanna Moe"}, 4},
		"jonnnas jonnna xxx y": {nil, 4},
		"jonnna":               {nil, 1},
	} {
		f, s := serve(t, customerSchema(), customers())
		m, hits := find(t, f, domains.Query{Text: text})
		if diff := cmp.Diff(want.near, m.Suggestions, cmpopts.EquateEmpty()); diff != "" || m.Total != 0 || m.AtLeast || len(hits) != 0 || len(s.asked) != want.asked {
			t.Errorf("%q: suggestions (-want +got):\n%s%+v, asked %+v", text, diff, m, s.asked)
		}
	}
}

// What is text and what is an entity, which the wire does not tell.
func TestTextOrEntity(t *testing.T) {
	f, _ := serve(t, schema(nil, map[string]domains.PropertyKind{"page": domains.DataProperty, "link": domains.ObjectProperty}), [][3]string{
		{base + "a", lab, "start"},
		{base + "a", base + "page", "http://acme.example"}, {base + "a", base + "page", base + "b"},
		{base + "a", base + "link", "http://else.example/x"}, {base + "a", base + "other", "https://else.example/y"},
		{base + "a", base + "mail", "mailto:a@x.example"}, {base + "a", base + "node", "_:b0"}, {base + "a", base + "text", "http://two words"},
		{base + "a", rdf.OWL + "sameAs", base + "a"}, {base + "b", lab, "B"},
	})
	m, hits := find(t, f, domains.Query{Text: "start", Depth: 1})
	_, entities := walked(t, f, m.Read, hits, 1)
	want := []string{
		"→ link 1: <http://else.example/x|>", `→ mail 1: "mailto:a@x.example"`, `→ node 1: "_:b0"`, "→ other 1: <https://else.example/y|>",
		`→ page 2: <b|B> "http://acme.example"`, `→ text 1: "http://two words"`,
	}
	if diff := cmp.Diff(want, factLines(entities[0])); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
}

// A hub is read up to the fan-out and counted; what is not read is not followed.
func TestFanout(t *testing.T) {
	graph := [][3]string{{base + "hub", lab, "hub"}}
	for i := range 30 {
		graph = append(graph, [3]string{base + "hub", base + "p", fmt.Sprintf("%sn%02d", base, i)}, [3]string{fmt.Sprintf("%sn%02d", base, i), lab, "n"},
			[3]string{fmt.Sprintf("%sm%02d", base, i), base + "q", base + "hub"})
	}
	f, _ := serve(t, empty(), graph)
	m, hits := find(t, f, domains.Query{Text: "hub", Depth: 1})
	names, entities := walked(t, f, m.Read, hits, 1)
	if len(names) != 21 || names[1] != "1 m00" || names[20] != "1 n09" {
		t.Errorf("walk: %v", names)
	}
	for _, fact := range entities[0].Facts {
		if fact.Total != 30 || len(fact.Values) != 10 {
			t.Errorf("%s has %d of %d values", fact.Property, len(fact.Values), fact.Total)
		}
	}
}

func TestStats(t *testing.T) {
	f := newFacts(graphSource{stats: func(context.Context) (*wire.Stats, error) {
		return &wire.Stats{TotalTriples: 9, DistinctSubjects: 4, DistinctPredicates: 3, LabelCount: 2, TypeAssertionCount: 3, RelationshipCount: 4, InferredTriples: 1,
			EntityTypes:   []wire.Count{{URI: "b", Count: 1}, {URI: "a", Count: 1}, {URI: "c", Count: 2}, {URI: "", Count: 5}, {URI: "a", Count: 7}},
			TopPredicates: []wire.Count{{URI: "p", Count: -1}}}, nil
	}})
	got, err := f.Stats(t.Context())
	want := &domains.Stats{Triples: 9, Subjects: 4, Predicates: 3, Labels: 2, TypeAssertions: 3, Relationships: 4, AttributesUnknown: true, Inferred: 1,
		Types: []domains.Count{{IRI: "c", Count: 2}, {IRI: "a", Count: 1}, {IRI: "b", Count: 1}}, Properties: []domains.Count{{IRI: "p"}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("stats (-want +got):\n%s%v", diff, err)
	}
}
