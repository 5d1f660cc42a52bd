package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/examples"
	"github.com/ontogate/ontogate/graphql"
	"github.com/ontogate/ontogate/server"
)

// The tests here hold what users of other servers complained about, by the rows of the
// list of such complaints. Row 13 is TestToolsCanBeSwitchedOff, and row 17
// TestLimitsAreAppliedFirst of rdfgraph.

// overFolder serves a folder of domains, with one of them selected.
func overFolder(t *testing.T, dir string, selected domains.Name) (*server.Server, domains.Backend) {
	t.Helper()
	b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return newServer(t, func(c *server.Config) { c.Backend, c.Domain = b, selected }), b
}

// answered is the text of a call that must work.
func answered(t *testing.T, s *server.Server, tool string, args map[string]any) string {
	t.Helper()
	text, isError, err := s.Call(t.Context(), tool, args)
	if err != nil || isError {
		t.Fatalf("%s %v: %v %s", tool, args, err, text)
	}
	return text
}

// A schema of 180,000 tokens does not fit a model (row 1): the first answer about
// schema.org stays under 4,000 tokens, says how many classes it leaves out, and a call
// that names three shows just those, with their links. This holds for what the ontology
// says, and for the GraphQL schema that is derived from it.
func TestLargeSchemasAreShownInPart(t *testing.T) {
	s, _ := overFolder(t, domaintest.Shared(t, "data", "ontologies", "schemaorg"), "schemaorg")
	text := answered(t, s, "describe_ontology", nil)
	// A token is at least two characters of such text.
	if n := utf8.RuneCountInString(text); n > 8_000 {
		t.Errorf("%d characters", n)
	}
	if !regexp.MustCompile(`\([\d,]+ classes left out`).MatchString(text) {
		t.Errorf("the answer does not say how many classes it leaves out:\n%s", text)
	}
	text = answered(t, s, "describe_ontology", map[string]any{"classes": []any{"Book", "Hotel", "Taxon"}})
	var heads []string
	for _, m := range regexp.MustCompile(`(?m)^■ (\w+)`).FindAllStringSubmatch(text, -1) {
		heads = append(heads, m[1])
	}
	equal(t, "three classes", []string{"Book", "Hotel", "Taxon"}, heads)
	contains(t, "three classes", text, "LodgingBusiness", "→ illustrator: Person", "parentTaxon")
	if n := utf8.RuneCountInString(text); n > 8_000 {
		t.Errorf("three classes: %d characters", n)
	}
	if text = answered(t, s, "get_graphql_schema", nil); utf8.RuneCountInString(text) > 8_000 || !regexp.MustCompile(`\([\d,]+ types left out`).MatchString(text) {
		t.Errorf("the GraphQL schema has %d characters, or does not say how many types it leaves out:\n%s", utf8.RuneCountInString(text), text)
	}
	three := map[string]any{"types": []any{"Book", "Hotel", "Taxon"}}
	text = answered(t, s, "get_graphql_schema", three)
	heads = nil
	for _, m := range regexp.MustCompile(`(?m)^(?:type|input|enum|interface) (\w+)`).FindAllStringSubmatch(text, -1) {
		heads = append(heads, m[1])
	}
	equal(t, "three types", []string{"Query", "Book", "Hotel", "Taxon"}, heads)
	contains(t, "three types", text, "  isbn: String\n", "  illustrator: [Person]\n", "  starRating: [Rating]\n", "  parentTaxon: [Taxon]\n", "Relations take (limit: Int = 50",
		`more fields: types=["Hotel"] shows all`, `types=["Book"] shows one type whole, detail="full" all of these, in pages.`)
	if n := utf8.RuneCountInString(text); n > 8_000 || strings.Contains(text, "cursor") {
		t.Errorf("three types: %d characters, or not on one page:\n%s", n, text)
	}
	three["detail"] = "full"
	contains(t, "three types in full", answered(t, s, "get_graphql_schema", three), "Indicates whether the book is an abridged edition.", "cursor=")
}

// bothFolder holds schema.org and the music data in one domain named "both".
func bothFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "both"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"schemaorg/schemaorg-current-https-30.0.ttl", "music/GettingStarted_Music_Data.ttl", "music/music_schema.ttl"} {
		data, err := os.ReadFile(domaintest.Shared(t, "data", "ontologies", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		writeTo(t, filepath.Join(dir, "both", filepath.Base(file)), data)
	}
	return dir
}

func writeTo(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// The natural first call without arguments gave 52,527 tokens, in random order (row 7),
// and 20 hits of a frequent word 60 to 90 kB (row 10). Here the list is short, has no line
// twice and is the same after every start, and a hit is one line with its type and id.
func TestFirstCallsAndFrequentWordsAreShort(t *testing.T) {
	dir := bothFolder(t)
	first, _ := overFolder(t, dir, "both")
	again, _ := overFolder(t, dir, "both")
	list := answered(t, first, "list_entity_types", nil)
	equal(t, "the list after another start", list, answered(t, again, "list_entity_types", nil))
	if n := utf8.RuneCountInString(list); n > budgets["list_entity_types"] {
		t.Errorf("%d characters", n)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); line == "" || strings.Trim(line, "-") == "" {
			continue
		}
		if seen[line] {
			t.Errorf("%q comes twice", line)
		}
		seen[line] = true
	}

	hit := regexp.MustCompile(`^■ .+  \(.+\)  https?://\S+$`)
	for _, word := range []string{"love", "product"} {
		args := map[string]any{"search": word, "limit": 20}
		text := answered(t, first, "describe_entity", args)
		equal(t, word+" after another start", text, answered(t, again, "describe_entity", args))
		if len(text) >= 6_000 {
			t.Errorf("%s: %d bytes", word, len(text))
		}
		hits := 0
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "■") {
				if hits++; !hit.MatchString(strings.TrimSpace(line)) || utf8.RuneCountInString(line) > 300 {
					t.Errorf("%s: a hit is no short line with type and id: %q", word, line)
				}
			}
		}
		equal(t, word+", hits", 20, hits)
	}
}

// Two tools disagreed on the same data (row 89). Of every entity of the samples and of the
// music data, search finds it by its label, or by its local name without one, describe_entity describes it by its IRI, and
// the counts of its types, and of its name within a type, are those of GraphQL.
func TestToolsAgreeOnEveryEntity(t *testing.T) {
	samples, err := rdfgraph.New(t.Context(), rdfgraph.Config{FS: examples.FS()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = samples.Close() })
	music, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: domaintest.Shared(t, "data", "ontologies", "music")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = music.Close() })
	for _, b := range []domains.Backend{samples, music} {
		s := newServer(t, func(c *server.Config) { c.Backend = b })
		infos, err := b.Domains(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, info := range infos {
			if info.HasGraph {
				t.Run(string(info.Name), func(t *testing.T) { newAgreement(t, s, b, info.Name).check() })
			}
		}
	}
}

// agreement asks one domain in several ways.
type agreement struct {
	*testing.T
	server *server.Server
	domain *domains.Domain
	model  *graphql.Model
}

func newAgreement(t *testing.T, s *server.Server, b domains.Backend, name domains.Name) *agreement {
	t.Helper()
	d, err := b.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	from := graphql.Derivation{Name: string(name), Languages: d.Languages}
	if from.Ontology, err = d.Ontology(t.Context()); err != nil {
		t.Fatal(err)
	}
	if from.Usage, err = d.Columns.Usage(t.Context()); err != nil {
		t.Fatal(err)
	}
	m, err := graphql.Derive(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	return &agreement{t, s, d, m}
}

func (a *agreement) check() {
	stats, err := a.domain.Facts.Stats(a.Context())
	if err != nil {
		a.Fatal(err)
	}
	counted := map[string]int{} // class → entities of it and of those below
	for _, c := range stats.Types {
		counted[c.IRI] = max(c.Count, c.Below)
	}
	met, checked := map[string]bool{}, 0
	for _, typ := range a.model.Types {
		// Field → how many it has to count.
		want := map[string]int{typ.Count: counted[typ.Class]}
		for _, h := range a.find(domains.Query{Types: typ.Classes, Limit: 100_000}).Hits {
			if !met[h.IRI] {
				met[h.IRI] = true
				a.entity(h)
			}
			if h.Label == "" {
				continue
			}
			name := fmt.Sprintf("%s(search: %s)", typ.Count, strconv.Quote(h.Label))
			if _, known := want[name]; known || len(typ.Classes) == 0 {
				continue
			}
			if m := a.find(domains.Query{Text: h.Label, Types: typ.Classes, Limit: 1}); !m.AtLeast {
				want[name] = m.Total
				checked++
			}
		}
		a.counts(want)
	}
	if len(met) < 20 || checked < 20 {
		a.Errorf("only %d entities and %d names", len(met), checked)
	}
	a.Logf("%d entities, %d counts of names", len(met), checked)
}

func (a *agreement) find(q domains.Query) *domains.Matches {
	a.Helper()
	m, err := a.domain.Facts.Find(a.Context(), q)
	if err != nil {
		a.Fatalf("%+v: %v", q, err)
	}
	return m
}

// entity holds that search finds an entity by its name, and describe_entity by its IRI.
func (a *agreement) entity(h domains.Hit) {
	name := h.Label
	if name == "" {
		name = domains.LocalName(h.IRI)
	}
	// A blank node without a label has no name.
	nameless := h.Label == "" && strings.Contains(h.IRI, "/.well-known/genid/")
	if found := a.find(domains.Query{Text: name, Limit: 1_000}); !nameless && !slices.ContainsFunc(found.Hits, func(f domains.Hit) bool { return f.IRI == h.IRI }) {
		a.Errorf("%q does not find %s", name, h.IRI)
	}
	text, isError, err := a.server.Call(a.Context(), "describe_entity", map[string]any{
		"domain_name": string(a.domain.Info.Name), "entity_uri": h.IRI, "depth": 0,
	})
	if err != nil || isError || !strings.Contains(text, "Found 1 matching entity") || !strings.Contains(text, "\n  URI: "+h.IRI+"\n") {
		a.Errorf("describe_entity of %s: %v %s", h.IRI, err, text)
	}
}

// counts asks GraphQL for counts: field → what it has to be.
func (a *agreement) counts(want map[string]int) {
	a.Helper()
	var fields []string
	for f := range want {
		fields = append(fields, f)
	}
	for some := range slices.Chunk(fields, graphql.MaxAliases) {
		var query strings.Builder
		for i, f := range some {
			fmt.Fprintf(&query, "c%d: %s ", i, f)
		}
		body := string(jsonOf(a.T, map[string]string{"query": "{ " + query.String() + "}"}))
		r := httptest.NewRequestWithContext(a.Context(), http.MethodPost, "http://localhost/graphql/"+string(a.domain.Info.Name), strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		a.server.Handler().ServeHTTP(w, r)
		var answer struct {
			Data   map[string]int
			Errors []struct{ Message string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || len(answer.Errors) > 0 {
			a.Fatalf("%s: %d %v %s", query.String(), w.Code, err, w.Body)
		}
		for i, f := range some {
			if got := answer.Data[fmt.Sprint("c", i)]; got != want[f] {
				a.Errorf("GraphQL counts %d for %s, Find and list_entity_types %d", got, f, want[f])
			}
		}
	}
}

// Only one graph could be asked (row 91): here each domain has a graph of its own. The
// same IRI is another thing in each, nothing of one is found in the other, and one session
// asks both.
func TestEachDomainHasItsOwnGraph(t *testing.T) {
	dir := t.TempDir()
	for name, kind := range map[string]string{"farm": "Cow", "zoo": "Lion"} {
		writeTo(t, filepath.Join(dir, name, name+".ttl"), []byte(strings.NewReplacer("KIND", kind, "NAME", name).Replace(
			"@prefix : <https://x.test/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"+
				":KIND a owl:Class . :leo a :KIND ; rdfs:label \"Leo of the NAME\" . :NAMEonly a :KIND ; rdfs:label \"Only NAME\" .\n")))
	}
	s, _ := overFolder(t, dir, "")
	c := connect(t, serve(t, s)+"/mcp")
	for _, name := range []string{"farm", "zoo", "farm"} {
		other := map[string]string{"farm": "zoo", "zoo": "farm"}[name]
		kind := map[string]string{"farm": "Cow", "zoo": "Lion"}
		c.selects(name)
		text, _ := c.call("describe_entity", `{"entity_uri":"https://x.test/leo"}`)
		contains(t, name, text, "Leo of the "+name, "("+kind[name]+")", "["+name+", version 1]")
		text, _ = c.call("describe_entity", `{"entity_uri":"https://x.test/leo","domain_name":"`+other+`"}`)
		contains(t, other+" from "+name, text, "Leo of the "+other, "("+kind[other]+")", "["+other+", version 1]")
		text, _ = c.call("describe_entity", `{"search":"only `+other+`"}`)
		if contains(t, "what "+name+" lacks", text, "No match"); strings.Contains(text, "x.test/"+other) {
			t.Errorf("%s tells of %s:\n%s", name, other, text)
		}
		text, _ = c.call("query_graphql", `{"query":"{ count`+kind[name]+` search(text: \"leo\") { label } }"}`)
		contains(t, "GraphQL of "+name, text, "Leo of the "+name, "count"+kind[name]+": 2")
		text, _ = c.call("get_status", `{}`)
		contains(t, "the status of "+name, text, "Domain: "+name, "Graph:   "+name)
		text, _ = c.call("list_entity_types", `{}`)
		if contains(t, "types of "+name, text, kind[name]+"  (2 instances"); strings.Contains(text, kind[other]) {
			t.Errorf("%s has types of %s:\n%s", name, other, text)
		}
	}
}
