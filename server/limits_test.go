package server_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
	"github.com/ontogate/ontogate/server"
)

// monstrous is a back end whose every text is as long as it can be.
func monstrous() *fakeBackend {
	b := newFake()
	long := strings.Repeat("word\u202e ", 100)
	for i := range 60 {
		name := domains.Name(fmt.Sprintf("z%03d-%s", i, strings.Repeat("long", 15)))
		b.infos = append(b.infos, domains.Info{Name: name, Description: long, HasGraph: i%2 == 0})
	}
	b.infos[0].Unavailable = long
	for i := range 200 {
		b.problems = append(b.problems, domains.Problem{File: fmt.Sprintf("%s%d.ttl", strings.Repeat("deep/", 40), i), Line: 1, Column: 1, Message: long})
	}
	return b
}

// No answer is longer than its tool's budget, nor than the limit of the whole server:
// neither of a tool of the registry nor of a domain, and no error either.
func TestNoAnswerIsTooLong(t *testing.T) {
	backend := monstrous()
	found := &matches{Total: 500}
	for i := range 50 {
		iri := fmt.Sprintf("https://example.org/%s%d", strings.Repeat("long/", 60), i)
		found.Hits = append(found.Hits, domains.Hit{Ref: domains.Ref{IRI: iri, Label: strings.Repeat("label ", 100)}})
	}
	backend.find = func(context.Context) (*matches, error) { return found, nil }
	last := string(backend.infos[len(backend.infos)-1].Name)
	long := strings.Repeat("é🦉\u202e x", 500)
	for _, limit := range []int{server.MinAnswer, 1_000, 0} {
		s := newServer(t, func(c *server.Config) { c.Backend, c.MaxAnswer = backend, limit })
		for _, tool := range append([]string{"no_such_tool", long}, allTools...) {
			for _, args := range []map[string]any{
				nil, argumentsOf(tool), {"domain_name": "broken"}, {"domain_name": last + "x"}, {"domain_name": long}, {long: 1}, {"search": long},
				{"domain_name": "crm", "search": "x", "limit": 50}, {"domain_name": "crm", "entity_type": long}, {"domain_name": "crm", "classes": []string{long}},
				{"domain_name": "crm", "search": "x", "detail": long}, {"domain_name": "crm", "search": "x", "cursor": long}, {"domain_name": "hr", "search": "x"},
			} {
				text, _, err := s.Call(t.Context(), tool, args)
				if err != nil {
					t.Fatalf("%.30s: %v", tool, err)
				}
				most := budgets[tool]
				if most == 0 {
					most = 3_000
				}
				if limit > 0 {
					most = min(most, limit)
				}
				if n := utf8.RuneCountInString(text); n > most || n == 0 {
					t.Errorf("limit %d, %.30s(%.80v): %d characters, more than %d:\n%s", limit, tool, args, n, most, text)
				}
				if strings.Contains(text, "\u202e") {
					t.Errorf("%.30s(%.80v): a character that reverses text is not escaped", tool, args)
				}
			}
		}
	}
}

// What a back end says to the caller is made harmless and cut to the budget. Why a domain
// is not available is cut shorter, so that the next step still follows.
func TestErrorsOfBackEndsFit(t *testing.T) {
	backend := monstrous()
	backend.find = func(context.Context) (*matches, error) {
		return nil, domains.Invalid(strings.Repeat("turned\u202e ", 1_000))
	}
	s := newServer(t, func(c *server.Config) { c.Backend, c.MaxAnswer = backend, 1_000 })
	text, isError, err := s.Call(t.Context(), "describe_entity", argumentsOf("describe_entity"))
	if n := utf8.RuneCountInString(text); err != nil || !isError || n > 1_000 || n < 900 {
		t.Errorf("%d characters, %v", n, err)
	}
	contains(t, "the error", text, `turned\u202e turned`)
	text, _, err = s.Call(t.Context(), "select_domain", map[string]any{"domain_name": "broken"})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "the reason", text, `word\u202e word`, "…. Ask the person who runs this server to mend it, or use another domain.")
}

// An error names at most 20 domains and says how many more there are; with little room
// it names fewer.
func TestErrorsNameSomeDomains(t *testing.T) {
	backend := newFake()
	for i := range 40 {
		backend.infos = append(backend.infos, domains.Info{Name: domains.Name(fmt.Sprintf("z%02d", i))})
	}
	for limit, want := range map[int]string{
		0:                "Unknown domain 'weather'. Domains: broken (unavailable), crm, hr, shop, supply_chain, z00, z01, z02, z03, z04, z05, z06, z07, z08, z09, z10, z11, z12, z13, z14 and 25 more (list_domains shows all).",
		server.MinAnswer: "Unknown domain 'weather'. Domains: broken (unavailable), crm, hr, shop, supply_chain, z00, z01, z02, z03, z04, z05, z06, z07, z08, z09, z10, z11, z12, z13, z14 and 25 more (list_domains shows all).",
	} {
		s := newServer(t, func(c *server.Config) { c.Backend, c.MaxAnswer = backend, limit })
		text, _, err := s.Call(t.Context(), "get_status", map[string]any{"domain_name": "weather"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprintf("with limit %d", limit), want, text)
	}
	long := monstrous()
	s := newServer(t, func(c *server.Config) { c.Backend, c.MaxAnswer = long, server.MinAnswer })
	text, _, err := s.Call(t.Context(), "get_status", map[string]any{"domain_name": "weather"})
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "with long names", text, "supply_chain", "(list_domains shows all).")
}

// A search gives less text than the whole list.
func TestSearchShortensLists(t *testing.T) {
	s := newServer(t, func(c *server.Config) { c.Domain = "crm" })
	for tool, search := range map[string]string{"list_domains": "customers", "list_entity_types": "firstname"} {
		all, _, err := s.Call(t.Context(), tool, nil)
		if err != nil {
			t.Fatal(err)
		}
		some, isError, err := s.Call(t.Context(), tool, map[string]any{"search": search})
		if err != nil || isError || len(some) >= len(all) {
			t.Errorf("%s: %d bytes with a search, %d without it:\n%s", tool, len(some), len(all), some)
		}
	}
}

// A cursor holds whatever way its domain was named: by argument in any case, by the
// selection, or by the address. It does not hold for another domain.
func TestCursorOutlivesSpelling(t *testing.T) {
	backend := newFake()
	found := &matches{Total: 100}
	for i := range 5 {
		found.Hits = append(found.Hits, domains.Hit{Ref: domains.Ref{IRI: fmt.Sprintf("https://example.org/%d", i), Label: "one"}})
	}
	backend.find = func(context.Context) (*matches, error) { return found, nil }
	s := newServer(t, func(c *server.Config) { c.Backend, c.Domain = backend, "supply_chain" })
	first, _, err := s.Call(t.Context(), "describe_entity", map[string]any{"search": "one"})
	m := cursors.FindStringSubmatch(first)
	if err != nil || m == nil {
		t.Fatalf("no cursor in %v\n%s", err, first)
	}
	for name, ok := range map[string]bool{"": true, "supply_chain": true, "Supply Chain": true, " SUPPLY-CHAIN ": true, "crm": false} {
		text, isError, err := s.Call(t.Context(), "describe_entity", map[string]any{"search": "one", "cursor": m[1], "domain_name": name})
		if err != nil || isError == ok {
			t.Errorf("domain_name %q: isError %v, %v\n%s", name, isError, err, text)
		}
	}
}

// The numbers that clients are told of an argument are those that texts are made with:
// a text that advises "limit up to 50" must be true.
func TestBoundsOfArguments(t *testing.T) {
	list, _ := listed(t)
	type bounds struct{ Default, Minimum, Maximum int }
	got := map[string]bounds{}
	for _, d := range list {
		for name, p := range d.InputSchema.Properties {
			if p.Type == "integer" {
				def, ok := p.Default.(float64)
				if !ok {
					t.Errorf("%s.%s has no default", d.Name, name)
				}
				got[d.Name+"."+name] = bounds{int(def), *p.Minimum, *p.Maximum}
			}
		}
	}
	equal(t, "numbers", map[string]bounds{
		"describe_entity.limit":                {format.DefaultLimit, 1, format.MaxLimit},
		"describe_entity.depth":                {format.DefaultDepth, 0, format.MaxDepth},
		"list_entity_types.limit":              {format.DefaultTypes, 1, 500},
		"get_entity_context.dataset_row_limit": {format.DefaultRows, 1, format.MaxRows},
	}, got)
}
