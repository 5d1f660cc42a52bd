package graphql_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/graphql"
)

// selected is a selection of a random query: a field, or a fragment when on is set. Its
// key says its field and arguments, so that equal keys always may be merged.
type selected struct {
	key, field    string
	limit, offset int
	on            string
	skip          bool
	below         []selected
}

// reach are the relations of the types of toyOntology: name → target.
var reach = map[string]map[string]string{
	"Person":   {"knows": "Person", "likes": "Entity", "worksFor": "Company"},
	"Employee": {"knows": "Person", "likes": "Entity", "worksFor": "Company"},
	"Company":  {"employs": "Person"},
}

// leaves are the other fields that random queries ask for.
var leaves = map[string][]string{
	"Person":   {"__typename", "id", "label", "age", "score", "nick"},
	"Employee": {"__typename", "id", "label", "age", "score", "nick"},
	"Company":  {"__typename", "id", "label", "city"},
	"Entity":   {"__typename", "id", "label"},
	"Untyped":  {"__typename", "id", "label"},
}

var wideTypes = []string{"Person", "Employee", "Company", "Untyped", "Entity"}

func randomSelections(r *rand.Rand, typ string, depth int) (out []selected) {
	for range 1 + r.IntN(4) {
		s := selected{limit: -1, skip: r.IntN(12) == 0}
		names := sortedNames(reach[typ])
		switch {
		case r.IntN(4) == 0:
			s.on = typ
			if typ == "Entity" {
				s.on = wideTypes[r.IntN(len(wideTypes))]
			} else if r.IntN(3) == 0 {
				s.on = "Entity"
			}
			s.below = randomSelections(r, s.on, depth)
		case depth > 0 && len(names) > 0 && r.IntN(2) == 0:
			s.field = names[r.IntN(len(names))]
			s.key = s.field
			if r.IntN(2) == 0 {
				s.limit, s.offset = r.IntN(4), r.IntN(2)
				s.key = fmt.Sprintf("%s_%d_%d", s.field, s.limit, s.offset)
			}
			s.below = randomSelections(r, reach[typ][s.field], depth-1)
		default:
			s.field = leaves[typ][r.IntN(len(leaves[typ]))]
			s.key = s.field
			if r.IntN(4) == 0 {
				s.key = "x_" + s.field
			}
		}
		out = append(out, s)
	}
	return out
}

func sortedNames(m map[string]string) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func printQuery(b *strings.Builder, list []selected) {
	b.WriteString("{ ")
	for _, s := range list {
		if s.on != "" {
			fmt.Fprintf(b, "... on %s ", s.on)
		} else if s.key != s.field {
			fmt.Fprintf(b, "%s: %s", s.key, s.field)
		} else {
			b.WriteString(s.field)
		}
		if s.limit >= 0 {
			fmt.Fprintf(b, "(limit: %d, offset: %d)", s.limit, s.offset)
		}
		if s.skip {
			b.WriteString(" @skip(if: $yes)")
		}
		b.WriteByte(' ')
		if len(s.below) > 0 {
			printQuery(b, s.below)
		}
	}
	b.WriteString("} ")
}

// naive answers random queries entity by entity, as the specification is written.
type naive struct {
	g        *toy
	entities int
	errs     []string
}

func (x *naive) text(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// concrete is the type of an entity where the schema says Entity only.
func (x *naive) concrete(n domains.Node) string {
	for _, class := range []string{"Employee", "Company", "Person"} { // by depth, then by name
		if slices.Contains(x.g.facts[n][rdfType], rdf.NewIRI(toyBase+class)) {
			return class
		}
	}
	return "Untyped"
}

func (x *naive) collect(typ string, list []selected) (out []selected) {
	for _, s := range list {
		switch {
		case s.skip:
		case s.on == typ || s.on == "Entity":
			for _, in := range x.collect(typ, s.below) {
				out = merged(out, in)
			}
		case s.on == "":
			out = merged(out, s)
		}
	}
	return out
}

func merged(out []selected, s selected) []selected {
	for i := range out {
		if out[i].key == s.key {
			out[i].below = append(slices.Clone(out[i].below), s.below...)
			return out
		}
	}
	return append(out, s)
}

func (x *naive) object(n domains.Node, typ string, list []selected, path string) string {
	x.entities++
	var parts []string
	for _, s := range x.collect(typ, list) {
		parts = append(parts, x.text(s.key)+":"+x.field(n, typ, s, path+"/"+s.key))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (x *naive) field(n domains.Node, typ string, s selected, path string) string {
	iri := x.g.iris[n-1]
	switch s.field {
	case "__typename":
		return x.text(typ)
	case "id":
		return x.text(strings.TrimPrefix(iri, toyBase))
	case "label":
		if label := x.g.label(n, []string{"en"}); label != "" {
			return x.text(label)
		}
		return "null"
	case "age", "score", "nick", "city":
		return x.values(n, s.field, path)
	}
	steps := []domains.Step{{Property: toyBase + s.field}}
	switch s.field {
	case "worksFor":
		steps = append(steps, domains.Step{Property: toyBase + "employs", Inverse: true})
	case "employs":
		steps = append(steps, domains.Step{Property: toyBase + "worksFor", Inverse: true})
	}
	limit := s.limit
	if limit < 0 {
		limit = 50
	}
	var items []string
	for i, to := range cut(x.g.related(n, steps), s.offset, limit) {
		target := reach[typ][s.field]
		if target == "Entity" {
			target = x.concrete(to)
		}
		items = append(items, x.object(to, target, s.below, fmt.Sprintf("%s/%d", path, i)))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (x *naive) values(n domains.Node, name, path string) string {
	isList := name == "score" || name == "nick"
	var items []string
	for i, t := range x.g.facts[n][toyBase+name] {
		at := path
		if isList {
			at = fmt.Sprintf("%s/%d", path, i)
		}
		item := x.text(t.Value)
		if name == "age" || name == "score" {
			if _, err := strconv.ParseInt(t.Value, 10, 32); err != nil {
				x.errs = append(x.errs, at)
				item = "null"
			} else {
				item = t.Value
			}
		}
		if !isList {
			return item
		}
		items = append(items, item)
	}
	if !isList {
		return "null"
	}
	return "[" + strings.Join(items, ",") + "]"
}

func randomToy(r *rand.Rand) *toy {
	var facts []rdf.Triple
	n := 1 + r.IntN(9)
	at := func(i int) rdf.Term { return rdf.NewIRI(fmt.Sprintf("%se%d", toyBase, i)) }
	for i := range n {
		fact := func(p string, o rdf.Term) {
			if t := (rdf.Triple{Subject: at(i), Predicate: rdf.NewIRI(p), Object: o}); !slices.Contains(facts, t) {
				facts = append(facts, t)
			}
		}
		for range 1 + r.IntN(2) {
			fact(rdfType, rdf.NewIRI(toyBase+[]string{"Person", "Person", "Employee", "Company", "Martian"}[r.IntN(5)]))
		}
		if r.IntN(3) > 0 {
			fact(rdfsLabel, rdf.NewString([]string{"a\"b", "Zoé", "x\ny"}[r.IntN(3)]))
		}
		for _, p := range []string{"knows", "likes", "worksFor", "employs"} {
			for range r.IntN(4) {
				fact(toyBase+p, at(r.IntN(n+1))) // the last one is no entity
			}
		}
		for _, p := range []string{"age", "score", "nick", "city"} {
			for range r.IntN(3) {
				fact(toyBase+p, rdf.NewString([]string{"1", "-20", "3000000000", "x", "7"}[r.IntN(5)]))
			}
		}
	}
	return newToy(facts)
}

// TestRandomQueries asks random queries about random graphs. A naive executor has to
// agree, and with a limit the answer has to be a part of the whole one.
func TestRandomQueries(t *testing.T) {
	model := toyModel(t)
	asked, entities := 0, 0
	defer func() {
		if asked < 150 || entities < 3_000 {
			t.Errorf("only %d queries about %d entities", asked, entities)
		}
	}()
	for round := range 200 {
		r := rand.New(rand.NewPCG(7, uint64(round)))
		g := randomToy(r)
		list := randomSelections(r, "Person", 3)
		var b strings.Builder
		b.WriteString("query ($yes: Boolean = true) { all: allPerson ")
		printQuery(&b, list)
		b.WriteString(" skipped: __typename @skip(if: $yes) }")
		whole := naive{g: g}
		var items []string
		for i := range g.iris {
			if n := domains.Node(i + 1); g.isA(n, []string{toyBase + "Person", toyBase + "Employee"}) {
				items = append(items, whole.object(n, "Person", list, fmt.Sprintf("/all/%d", len(items))))
			}
		}
		want := `{"all":[` + strings.Join(items, ",") + "]}"
		if whole.entities > 20_000 || len(whole.errs) > 100 {
			continue
		}
		asked, entities = asked+1, entities+whole.entities
		s := newService(t, graphql.Config{Model: model, Columns: g, Languages: []string{"en"}})
		if round%2 == 1 {
			s.ReadAheadFrom(1)
		}
		got := s.Run(t.Context(), graphql.Request{Query: b.String()}, graphql.Options{})
		if diff := cmp.Diff(want, string(got.Data)); diff != "" {
			t.Fatalf("round %d: %s (-want +got):\n%s\n%+v", round, b.String(), diff, got.Errors)
		}
		if diff := cmp.Diff(sorted(whole.errs), sorted(pathsOf(got.Errors))); diff != "" {
			t.Fatalf("round %d: %s: errors (-want +got):\n%s", round, b.String(), diff)
		}
		most := 1 + r.IntN(whole.entities+2)
		limited := newService(t, graphql.Config{Model: model, Columns: g, Languages: []string{"en"}, MaxEntities: most})
		if round%2 == 1 {
			limited.ReadAheadFrom(1)
		}
		part := limited.Run(t.Context(), graphql.Request{Query: b.String()}, graphql.Options{})
		told := slices.ContainsFunc(part.Errors, func(e graphql.Error) bool {
			return strings.Contains(e.Message, "at most "+fmt.Sprint(most)+" entities")
		})
		if told != (whole.entities > most) {
			t.Fatalf("round %d: %s: %d entities, at most %d, told %v", round, b.String(), whole.entities, most, told)
		}
		var all, some any
		if json.Unmarshal(got.Data, &all) != nil || json.Unmarshal(part.Data, &some) != nil {
			t.Fatalf("round %d: no JSON: %s", round, part.Data)
		}
		count := 0
		if at := partOf(all, some, &count); at != "" || count-1 > most { // data is no entity
			t.Fatalf("round %d: %s: %s, %d entities, at most %d\n%s\n%s", round, b.String(), at, count-1, most, got.Data, part.Data)
		}
	}
}

func newService(t testing.TB, c graphql.Config) *graphql.Service {
	t.Helper()
	s, err := graphql.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

func pathsOf(errs []graphql.Error) (out []string) {
	for _, e := range errs {
		path := ""
		for _, p := range e.Path {
			path += fmt.Sprint("/", p)
		}
		out = append(out, path)
	}
	return out
}

// partOf says where an answer is not a part of a whole one; empty when it is: lists are
// cut, or null where there are items. It counts the objects.
func partOf(all, some any, objects *int) string {
	switch some := some.(type) {
	case map[string]any:
		*objects++
		of, _ := all.(map[string]any)
		if len(of) != len(some) {
			return fmt.Sprintf("%v is not of %v", some, all)
		}
		for key, v := range some {
			if at := partOf(of[key], v, objects); at != "" {
				return key + "." + at
			}
		}
		return ""
	case []any:
		of, _ := all.([]any)
		if len(some) > len(of) || len(some) == 0 && len(of) > 0 { // an empty list says that there is none
			return fmt.Sprintf("%v is not of %v", some, all)
		}
		for i, v := range some {
			if at := partOf(of[i], v, objects); at != "" {
				return fmt.Sprintf("[%d].%s", i, at)
			}
		}
		return ""
	case nil:
		if _, isList := all.([]any); isList || all == nil {
			return ""
		}
	}
	if all != some {
		return fmt.Sprintf("%v is not %v", some, all)
	}
	return ""
}
