package server_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/rdftest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// wholeBudget is so large that one page holds all of an answer.
const wholeBudget = 50_000_000

// randomCall is a call whose answer can be long. Where whole is set, its pages together
// hold what one long page does.
type randomCall struct {
	tool  string
	args  map[string]any
	whole bool
}

func randomCalls(r *rand.Rand) []randomCall {
	depth, limit := r.IntN(4), 1+r.IntN(50)
	describe := func(detail string, args map[string]any) randomCall {
		args["detail"], args["depth"] = detail, depth
		if r.IntN(4) == 0 {
			args["lang"] = "fr"
		}
		return randomCall{"describe_entity", args, true}
	}
	return []randomCall{
		describe("full", map[string]any{"search": "thing", "limit": limit}),
		describe("standard", map[string]any{"search": "thing", "limit": limit}),
		describe("compact", map[string]any{"search": "thing", "limit": limit}),
		describe("full", map[string]any{"entity_uri": randomThings + "0"}),
		describe("standard", map[string]any{"entity_uri": randomThings + "0"}),
		describe("full", map[string]any{"entity_type": "Class0", "limit": limit}),
		describe("compact", map[string]any{"entity_type": "Class0", "limit": limit}),
		{"describe_entity", map[string]any{"search": "nothing of the kind"}, true},
		{"describe_ontology", map[string]any{}, true},
		{"describe_ontology", map[string]any{"classes": []any{"Class0"}}, true},
		{"describe_ontology", map[string]any{"format": "turtle"}, true},
		{"describe_ontology", map[string]any{"format": "turtle", "classes": []any{"Class0"}}, true},
		{"list_entity_types", map[string]any{}, true},
		{"list_entity_types", map[string]any{"limit": 1 + r.IntN(5)}, true},
		{"list_entity_types", map[string]any{"search": "class"}, true},
		{"list_domains", map[string]any{}, true},
		{"list_domains", map[string]any{"search": "other1"}, true},
		{"get_graphql_schema", map[string]any{}, false},
		{"get_graphql_schema", map[string]any{"detail": "full"}, true},
		{"get_graphql_schema", map[string]any{"types": []any{"Class0"}}, true},
		{"get_graphql_schema", map[string]any{"types": []any{"Query", "Class0", "Entity"}}, false},
		{"get_graphql_schema", map[string]any{"types": []any{"Query", "Class0", "Entity"}, "detail": "full"}, true},
		{"get_graphql_schema", map[string]any{"search": "class"}, false},
		{"query_graphql", map[string]any{"query": "{ __schema { types { name fields { name } } } }"}, false},
		{"query_graphql", map[string]any{"query": "{ __schema { types { name fields { name } } } }", "format": "json"}, false},
		{"query_graphql", map[string]any{"query": "{ nothingOfTheKind(a: 1) { b } }"}, false},
		{"list_domain_versions", map[string]any{"domain_name": "versions"}, false},
		{"get_design_status", map[string]any{}, false},
		{"get_status", map[string]any{}, false},
		{"select_domain", map[string]any{"domain_name": "main"}, false},
		{"describe_entity", map[string]any{"entity_type": "NoClass"}, false},
		{"describe_entity", map[string]any{"search": "thing", "limit": 999, "depth": 99, "unknown": strings.Repeat("x", 700)}, false},
	}
}

// TestPagesAreBoundedAndWhole: over random domains and budgets no answer of any tool is
// longer than its budget, notes, last line and errors included; the pages of those that go on
// hold everything once and in the order of one long page; a cursor is good for the call
// and the content that it was made for alone.
func TestPagesAreBoundedAndWhole(t *testing.T) {
	for seed := range uint64(4) {
		checkPages(t, seed, 0, 0)
	}
}

// FuzzPages is TestPagesAreBoundedAndWhole over any domain, and any budget that is not 0.
func FuzzPages(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint16(600))
	f.Add(uint64(2), uint8(40), uint16(20_000))
	f.Fuzz(func(t *testing.T, seed uint64, entities uint8, budget uint16) {
		checkPages(t, seed, int(entities%30), int(budget))
	})
}

// checkPages checks one domain; entities and budget are chosen where they are 0.
func checkPages(t *testing.T, seed uint64, entities, budget int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	if entities == 0 {
		entities = 1 + r.IntN(40)
	}
	w := newPageWorld(t, seed, randomFolder(r, entities))
	for _, c := range randomCalls(r) {
		b := budget
		if b == 0 {
			b = server.MinAnswer + r.IntN(1<<(4+r.IntN(11)))
		}
		w.check(c, min(max(b, server.MinAnswer), 20_000))
	}
}

// pageWorld is a random domain, and the same after a change.
type pageWorld struct {
	t               *testing.T
	seed            uint64
	server, changed *server.Server
	// What is served, to compare with.
	ontology *domains.Ontology
	facts    domains.Facts
	stats    *domains.Stats
	domains  []domains.Info
}

func newPageWorld(t *testing.T, seed uint64, files fstest.MapFS) *pageWorld {
	t.Helper()
	w := &pageWorld{t: t, seed: seed}
	w.server = w.serve(files)
	files["main/more.nt"] = &fstest.MapFile{Data: []byte("<http://a.example/s> <http://a.example/p> \"o\" .\n")}
	files["another/more.nt"] = files["main/more.nt"]
	w.changed = (&pageWorld{t: t}).serve(files)
	return w
}

// serve serves a folder, and reads what there is to compare with.
func (w *pageWorld) serve(files fstest.MapFS) *server.Server {
	w.t.Helper()
	ok := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	ctx := w.t.Context()
	b, err := rdfgraph.New(ctx, rdfgraph.Config{FS: files})
	ok(err)
	w.t.Cleanup(func() { _ = b.Close() })
	w.domains, err = b.Domains(ctx)
	ok(err)
	d, err := b.Open(ctx, "main")
	ok(err)
	w.ontology, err = d.Ontology(ctx)
	ok(err)
	w.facts = d.Facts
	w.stats, err = d.Facts.Stats(ctx)
	ok(err)
	return newServer(w.t, func(c *server.Config) { c.Backend, c.Domain = b, "main" })
}

func (w *pageWorld) check(c randomCall, budget int) {
	w.t.Helper()
	name := fmt.Sprintf("seed %d: %s %v, budget %d", w.seed, c.tool, c.args, budget)
	pages := w.pages(name, c, budget)
	if !c.whole {
		return
	}
	whole := w.pages(name, c, wholeBudget)
	if c.args["format"] == "turtle" {
		w.turtle(name, c, whole, pages)
		return
	}
	w.complete(name, c, whole)
	if want, got := bodyOf(whole), bodyOf(pages); want != got {
		w.t.Errorf("%s: the pages are not the whole (-whole +pages):\n%s", name, cmp.Diff(strings.Split(want, " "), strings.Split(got, " ")))
	}
}

// complete holds that a long page has everything once.
func (w *pageWorld) complete(name string, c randomCall, whole []string) {
	w.t.Helper()
	want := map[string]bool{} // the end of a line
	switch {
	case c.tool == "list_entity_types" && c.args["search"] == nil:
		for _, count := range w.stats.Types {
			want["    URI: "+count.IRI] = true
		}
	case c.tool == "list_domains" && c.args["search"] == nil:
		for _, info := range w.domains {
			want["  • "+string(info.Name)] = true
		}
	case c.args["detail"] == "compact" && c.args["search"] != nil:
		m, err := w.facts.Find(w.t.Context(), domains.Query{Text: fmt.Sprint(c.args["search"]), Limit: 10_000})
		if err != nil {
			w.t.Fatal(err)
		}
		for _, hit := range m.Hits {
			want["  "+hit.IRI] = true
		}
	default:
		return
	}
	lines := strings.Split(strings.Join(whole, "\n"), "\n")
	for end := range want {
		n := 0
		for _, l := range lines {
			if strings.HasSuffix(l, end) {
				n++
			}
		}
		if n != 1 {
			w.t.Errorf("%s: %q is there %d times", name, end, n)
		}
	}
}

// pages follows the cursors of a call to its end.
func (w *pageWorld) pages(name string, c randomCall, budget int) []string {
	w.t.Helper()
	w.server.SetBudget(budget)
	w.changed.SetBudget(budget)
	args := map[string]any{}
	for k, v := range c.args {
		args[k] = v
	}
	var pages []string
	seen := map[string]bool{}
	for {
		text, isError, err := w.server.Call(w.t.Context(), c.tool, args)
		if err != nil {
			w.t.Fatalf("%s: %v", name, err)
		}
		if n := utf8.RuneCountInString(text); n > budget {
			w.t.Errorf("%s: page %d has %d characters:\n%s", name, len(pages)+1, n, text)
		}
		if !utf8.ValidString(text) || strings.ContainsAny(text, "\u202e\u0000") {
			w.t.Errorf("%s: page %d holds characters that have to be escaped", name, len(pages)+1)
		}
		pages = append(pages, text)
		m := cursors.FindAllStringSubmatch(text, -1)
		if isError || len(m) == 0 {
			return pages
		}
		cursor := m[len(m)-1][1]
		if seen[cursor] || len(pages) > 100_000 {
			w.t.Fatalf("%s: the pages have no end:\n%s", name, text)
		}
		seen[cursor] = true
		if len(pages) == 1 {
			w.pinned(name, c, cursor)
		}
		args["cursor"] = cursor
	}
}

// pinned brings a cursor back to other calls and to changed content.
func (w *pageWorld) pinned(name string, c randomCall, cursor string) {
	w.t.Helper()
	refused := func(s *server.Server, tool string, change map[string]any, words string) {
		w.t.Helper()
		args := map[string]any{"cursor": cursor}
		for k, v := range c.args {
			args[k] = v
		}
		for k, v := range change {
			args[k] = v
		}
		text, isError, err := s.Call(w.t.Context(), tool, args)
		if err != nil || !isError || !strings.Contains(text, words) {
			w.t.Errorf("%s: the cursor was brought back to %s %v: error %t %v, want one with %q:\n%s", name, tool, change, isError, err, words, text)
		}
	}
	refused(w.changed, c.tool, nil, "stale")
	other := "A"
	if strings.HasSuffix(cursor, other) {
		other = "Q"
	}
	refused(w.server, c.tool, map[string]any{"cursor": cursor[:len(cursor)-1] + other}, "damaged")
	if c.tool != "list_domains" {
		refused(w.server, c.tool, map[string]any{"domain_name": "versions"}, "")
	}
	switch c.tool {
	case "describe_entity":
		refused(w.server, c.tool, map[string]any{"depth": 7}, "another")
	case "list_entity_types":
		refused(w.server, c.tool, map[string]any{"search": "a"}, "another")
	}
}

// turtle holds that the pages are Turtle, and that together they are one long page, and the
// triples of the ontology where all of it was asked for. A triple that fits no page is named
// in a comment.
func (w *pageWorld) turtle(name string, c randomCall, whole, pages []string) {
	w.t.Helper()
	want, got := w.parsed(name, whole), w.parsed(name, pages)
	if c.args["classes"] == nil {
		var all []rdf.Quad
		for triple := range w.ontology.Triples {
			all = append(all, rdf.Quad{Triple: triple})
		}
		if !rdftest.Isomorphic(all, want) {
			w.t.Errorf("%s: one page holds %d triples, the ontology has %d, and they differ", name, len(want), len(all))
		}
	}
	if tooLong := strings.Count(strings.Join(pages, ""), " fits no page."); tooLong > 0 {
		seen := map[string]bool{}
		for _, q := range want {
			seen[q.String()] = true
		}
		for _, q := range got {
			if q.Subject.Kind != rdf.Blank && q.Object.Kind != rdf.Blank && !seen[q.String()] {
				w.t.Errorf("%s: a page holds %s, which the ontology does not have", name, q)
			}
		}
		if lost := len(want) - len(got); lost < tooLong {
			w.t.Errorf("%s: %d statements are told to fit no page, and %d triples are missing", name, tooLong, lost)
		}
		return
	}
	if !rdftest.Isomorphic(want, got) {
		w.t.Errorf("%s: the pages hold %d triples, one long page %d, and they differ", name, len(got), len(want))
	}
}

// parsed are the triples of pages of Turtle. Blank nodes with a label are those of all pages.
func (w *pageWorld) parsed(name string, pages []string) []rdf.Quad {
	w.t.Helper()
	var out []rdf.Quad
	for i, page := range pages {
		anonymous := map[string]string{} // label without a label in the text → one of this page
		rename := func(t rdf.Term) rdf.Term {
			if t.Kind != rdf.Blank || strings.Contains(page, "_:"+t.Value) {
				return t
			}
			if anonymous[t.Value] == "" {
				anonymous[t.Value] = fmt.Sprintf("page%d-%d", i, len(anonymous))
			}
			return rdf.NewBlank(anonymous[t.Value])
		}
		err := rdf.Read(strings.NewReader(page), rdf.Turtle, rdf.Options{}, func(q rdf.Quad) error {
			q.Subject, q.Object = rename(q.Subject), rename(q.Object)
			out = append(out, q)
			return nil
		})
		if err != nil {
			w.t.Errorf("%s: page %d is no Turtle: %v\n%s", name, i+1, err, page)
		}
	}
	return out
}

var (
	// ourSentence are our sentences: data holds no brackets.
	ourSentence = regexp.MustCompile(`^(# )?[(\[].*[)\]]$`)
	ourTotal    = regexp.MustCompile(`^(Base URI|Classes|Properties|Total triples|Distinct entities|Distinct predicates|Labels|Type assertions|Attributes|Relationships): `)
)

// bodyOf is what pages hold besides what stands around the items of each. Line ends are
// dropped, because a long line is cut between pages.
func bodyOf(pages []string) string {
	var out strings.Builder
	section := ""
	for i, page := range pages {
		lines := strings.Split(page, "\n")
		for j, l := range lines {
			next := ""
			if j+1 < len(lines) {
				next = lines[j+1]
			}
			switch {
			case strings.HasPrefix(next, "----"), strings.HasPrefix(l, "── "):
				section = l
			case strings.HasPrefix(l, "----"), strings.HasPrefix(l, "===="), section == "Outline":
			case j == 0, l == "", i == 0 && ourTotal.MatchString(l), ourSentence.MatchString(l):
			case strings.HasPrefix(l, "@prefix"), strings.HasPrefix(l, "  … under "), strings.HasSuffix(l, "(continued)"):
			case around(l):
			default:
				out.WriteString(l)
			}
		}
	}
	return out.String()
}

// around reports whether a line stands around the items of a page.
func around(l string) bool {
	return slices.ContainsFunc([]string{"Search ", "Currently selected", "No domain", "What can be asked", "Use query_graphql", "Example query:",
		"Not in the schema", "Not whole above", "where: all members", "Each type X"}, func(p string) bool { return strings.HasPrefix(l, p) })
}
