package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/domaintest"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/server"
)

// TestWorld asks each folder of published ontologies, as a domain without domain.yaml, what
// the four tools for reading say of it. Every answer is inside its budget and tells no entity
// and no fact twice; none shows the label of a blank node, nor the IRI of something that has
// a name where the name belongs.
func TestWorld(t *testing.T) {
	root := domaintest.Shared(t, "data", "ontologies")
	folders, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, folder := range folders {
		if !folder.IsDir() {
			continue
		}
		asked++
		t.Run(folder.Name(), func(t *testing.T) {
			b, err := rdfgraph.New(t.Context(), rdfgraph.Config{Dir: filepath.Join(root, folder.Name())})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = b.Close() })
			w := world{domain: domains.Name(folder.Name()), b: b}
			w.s = newServer(t, func(c *server.Config) { c.Backend, c.Domain = b, w.domain })
			w.walk(t)
		})
	}
	if asked < 15 {
		t.Errorf("only %d folders", asked)
	}
}

// world asks the tools about one domain.
type world struct {
	domain domains.Name
	b      domains.Backend
	s      *server.Server
	d      *domains.Domain
}

func (w *world) walk(t *testing.T) {
	var err error
	if w.d, err = w.b.Open(t.Context(), w.domain); err != nil {
		t.Fatal(err)
	}
	w.ask(t, "describe_ontology", nil)
	w.ask(t, "get_graphql_schema", nil)
	if w.d.Facts == nil {
		return
	}
	w.ask(t, "list_entity_types", nil)
	for _, iri := range w.entities(t) {
		w.ask(t, "describe_entity", map[string]any{"entity_uri": iri})
	}
}

// entities are some of the entities of each class, and some that have none.
func (w *world) entities(t *testing.T) []string {
	onto, err := w.d.Ontology(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	most := domaintest.Rounds(60)
	each := max(1, most/max(1, len(onto.Classes)))
	for _, c := range onto.Classes {
		found, err := w.d.Facts.Find(t.Context(), domains.Query{Types: []string{c.IRI}, Limit: each})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			out = append(out, h.IRI)
		}
		// What it leads to may have no class, or be a blank node.
		for _, h := range found.Hits[:min(1, len(found.Hits))] {
			for e, err := range w.d.Facts.Walk(t.Context(), []string{h.IRI}, domains.WalkOptions{Depth: 1, Fanout: 4}) {
				if err != nil {
					t.Fatal(err)
				}
				if out = append(out, e.IRI); len(out) > 2*most {
					break
				}
			}
		}
		if len(out) > 2*most {
			break
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ask calls a tool and looks at what it says.
func (w *world) ask(t *testing.T, tool string, args map[string]any) {
	t.Helper()
	text, isError, err := w.s.Call(t.Context(), tool, args)
	at := fmt.Sprintf("%s %v", tool, args)
	if err != nil || isError {
		if w.d.Info.HasGraph || tool == "describe_ontology" {
			t.Errorf("%s: %v %s", at, err, text)
		}
		return
	}
	if n := utf8.RuneCountInString(text); n > budgets[tool] {
		t.Errorf("%s: %d characters, more than %d", at, n, budgets[tool])
	}
	if m := blankLabel.FindString(text); m != "" {
		t.Errorf("%s shows a blank node's label: %s in:\n%s", at, m, text)
	}
	if tool == "get_graphql_schema" {
		return
	}
	w.noRepetition(t, at, text)
	w.noIRIForName(t, at, text)
}

// noRepetition holds that no two blocks of an answer have the same head and IRI, and that
// nothing comes twice in a block: no line together with the deeper ones below it, since the
// first line of what has no IRI may be that of something else too.
func (w *world) noRepetition(t *testing.T, at, text string) {
	t.Helper()
	heads, told := map[string]bool{}, map[string]bool{}
	head, fact := "", ""
	tell := func() {
		if told[fact] && fact != "" {
			t.Errorf("%s, under %q, says twice:\n%s", at, head, fact)
		}
		told[fact] = true
		fact = ""
	}
	for line := range strings.Lines(text) {
		deep := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case deep == 0, strings.HasPrefix(line, "  • "):
			tell()
			head, told = line, map[string]bool{}
		case strings.HasPrefix(line, "  URI: "), strings.HasPrefix(line, "    URI: "):
			if heads[head+line] {
				t.Errorf("%s tells %s %s twice", at, head, line)
			}
			heads[head+line] = true
		case deep <= 4:
			tell()
			fact = line
		default:
			fact += line
		}
	}
	tell()
}

var (
	inBrackets = regexp.MustCompile(`\([^()]*\)|<[^<>]*>|"[^"]*"`)
	webIRI     = regexp.MustCompile(`(?:https?|urn|mailto):[^\s<>"]+`)
)

// noIRIForName holds that what has a label is not shown as an IRI.
func (w *world) noIRIForName(t *testing.T, at, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(line, "URI: ") || strings.HasPrefix(line, "Base URI:") || strings.HasPrefix(strings.TrimSpace(line), "• ") {
			continue // of the entity itself, or a text that is an address
		}
		for _, iri := range webIRI.FindAllString(inBrackets.ReplaceAllString(line, ""), -1) {
			found, err := w.d.Facts.Find(t.Context(), domains.Query{IRI: iri, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range found.Hits {
				if h.Label != "" && !strings.Contains(h.Label, iri) {
					t.Errorf("%s shows %s for %q in %q", at, iri, h.Label, strings.TrimSpace(line))
				}
			}
		}
	}
}

// Blank nodes of which the same is said are told once, with their number.
func TestBlankNodesThatSayTheSame(t *testing.T) {
	s, _ := overFolder(t, folderOf(t, "data.ttl", []byte(`@prefix ex: <http://example.org/> .
ex:order a ex:Order ; ex:line [ ex:item "pen" ; ex:at [ ex:shelf 1 ] ], [ ex:item "pen" ; ex:at [ ex:shelf 1 ] ], [ ex:item "ink" ] .
`)), "one")
	text := answered(t, s, "describe_entity", map[string]any{"entity_uri": "http://example.org/order"})
	contains(t, "the order", text, "    → line: (no IRI)  (2 alike)\n        → at: (no IRI)\n            • shelf: 1\n        • item: pen\n", "    → line: (no IRI)\n        • item: ink\n")
	equal(t, "pens", 1, strings.Count(text, "pen"))
}
