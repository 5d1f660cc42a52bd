package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/format"
)

const ns = "https://random.example/ontology#"

// random makes a domain with n entities: hubs, long and odd texts, many languages,
// blank nodes, classes in circles.
func random(r *rand.Rand, n int) (*domains.Domain, *graph) {
	g := &graph{}
	add := func(s rdf.Term, p string, o rdf.Term) {
		g.triples = append(g.triples, rdf.Triple{Subject: s, Predicate: rdf.NewIRI(p), Object: o})
	}
	class := func(i int) rdf.Term { return rdf.NewIRI(fmt.Sprintf("%sClass%d", ns, i)) }
	classes := 1 + r.IntN(n+1)
	for i := range classes {
		add(class(i), rdf.RDFType, rdf.NewIRI(rdf.OWL+"Class"))
		for range r.IntN(3) {
			add(class(i), rdf.RDFS+"subClassOf", class(r.IntN(classes)))
		}
		for j := range r.IntN(4) {
			p := rdf.NewIRI(fmt.Sprintf("%sprop%dOf%d", ns, j, i))
			kind := []string{"DatatypeProperty", "ObjectProperty", "FunctionalProperty"}[r.IntN(3)]
			add(p, rdf.RDFType, rdf.NewIRI(rdf.OWL+kind))
			add(p, rdf.RDFS+"domain", class(i))
			add(p, rdf.RDFS+"range", class(r.IntN(classes)))
			if r.IntN(4) == 0 {
				add(p, rdf.RDFSLabel, rdf.Term{Kind: rdf.Literal, Value: words(r, 30), Lang: "en"})
			}
		}
		add(class(i), rdf.RDFSComment, rdf.NewString(words(r, 100)))
	}
	entity := func(i int) rdf.Term { return rdf.NewIRI(fmt.Sprintf("https://random.example/thing/%d", i)) }
	for i := range n {
		e := entity(i)
		add(e, rdf.RDFType, class(r.IntN(classes)))
		for range r.IntN(3) {
			add(e, rdf.RDFSLabel, rdf.Term{Kind: rdf.Literal, Value: "thing " + words(r, 20), Lang: []string{"en", "fr", "de"}[r.IntN(3)]})
		}
		for j := range r.IntN(5) {
			add(e, fmt.Sprintf("%stext%d", ns, j), rdf.NewString(words(r, 1<<r.IntN(11))))
		}
		links := r.IntN(4)
		if i == 0 {
			links = n
		}
		for range links {
			add(e, ns+"linksTo", entity(r.IntN(n)))
		}
		if r.IntN(4) == 0 {
			b := rdf.NewBlank(fmt.Sprintf("b%d", i))
			add(e, ns+"hasPart", b)
			add(b, ns+"text0", rdf.NewString(words(r, 40)))
		}
	}
	return g.domain([]rdf.Prefix{{Name: "r", IRI: ns}, {Name: "owl", IRI: rdf.OWL}, {Name: "rdfs", IRI: rdf.RDFS}}), g
}

// randomRegistry is a table of domains and one of versions, some of them long.
func randomRegistry(r *rand.Rand) (infos, versions string) {
	cell := func(n int) string { return strings.Map(noCell, words(r, n)) }
	var b strings.Builder
	for i := range r.IntN(60) {
		fmt.Fprintf(&b, "domain%d%s | %s | %s\n", i, cell(1<<r.IntN(10)), cell(1<<r.IntN(10)), []string{"graph", "ontology", "broken"}[r.IntN(3)])
	}
	infos = b.String()
	b.Reset()
	for i := range r.IntN(150) {
		name := fmt.Sprint(1000 - i)
		if r.IntN(3) == 0 {
			name = cell(1 << r.IntN(10))
		}
		fmt.Fprintf(&b, "%s | %s | %s\n", name, []string{"PUBLISHED", "DRAFT", cell(300)}[r.IntN(3)], []string{"", "", "active", "latest"}[r.IntN(4)])
	}
	return infos, b.String()
}

// noCell drops what would end a cell of a table.
func noCell(c rune) rune {
	if c == '\n' || c == '|' {
		return -1
	}
	return c
}

// words is a text of about n code points, some of them awkward. No brackets, so
// that a test can tell our sentences from it.
func words(r *rand.Rand, n int) string {
	alphabet := []rune("abcdefgh éß漢字 \n\t\u202e\u0000🙂 ■•→ ")
	out := make([]rune, max(n, 1))
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(out) + "x"
}

// everything is each answer that can be long, with arguments.
var everything = []string{
	"describe_entity search=thing detail=full depth=2 limit=50",
	"describe_entity search=thing detail=standard depth=1 limit=3",
	"describe_entity search=thing limit=50",
	"describe_entity entity_uri=https://random.example/thing/0 detail=full depth=3",
	"describe_entity entity_uri=https://random.example/thing/0",
	"describe_ontology", "describe_ontology classes=Class0", "describe_ontology format=turtle",
	"list_entity_types", "list_entity_types limit=3", "list_entity_types search=class",
	"select_domain", "select_domain_stateless hidden=a,b,c", "get_status", "get_status changed=1",
	"list_domain_versions", "get_design_status", "get_design_status open=1",
	"list_domains", "list_domains search=a", "list_domains search=nowhere", "list_domains address=http://localhost:9100/mcp/{domain}",
}

// paged are the tools whose answers go on over pages without an end of their own.
var paged = []string{"describe_entity", "describe_ontology", "list_entity_types", "list_domains"}

// TestBudget: no page of any answer is longer than its budget, whatever the
// graph, and following the cursors comes to an end.
func TestBudget(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		d, g := random(r, 3+r.IntN(25))
		for range r.IntN(30) {
			d.Problems = append(d.Problems, domains.Problem{File: words(r, 30), Line: 3, Column: 5, Message: words(r, 200)})
			d.Refused = append(d.Refused, domains.Problem{File: words(r, 30), Line: 4, Column: 6, Message: words(r, 200)})
		}
		g.registry(randomRegistry(r))
		if seed%3 == 0 {
			c := randomContext(r).ClassContext
			c.Bridges, c.Actions, c.Rules, c.Functions = few(c.Bridges), few(c.Actions), few(c.Rules), few(c.Functions)
			g.contexts = []domains.ClassContext{c}
		}
		if seed%2 == 1 {
			d.Info.Name += domains.Name(words(r, 2000)) // an OntoBricks deployment may have such names
		}
		for _, line := range everything {
			budget := format.MinBudget + r.IntN(3)*r.IntN(1500)
			tool, args := parseCall(line)
			args["budget"] = fmt.Sprint(budget)
			for _, name := range []string{"note", "selected", "unavailable", "message", "reason", "view"} {
				if r.IntN(2) == 0 {
					args[name] = words(r, 1+r.IntN(600))
				}
			}
			args["pages"] = "all"
			for i, page := range strings.Split(call(t, d, g, tool, args), "\n~~~~ next page ~~~~\n") {
				if n := utf8.RuneCountInString(page); n > budget {
					t.Errorf("seed %d: page %d of %s has %d code points, the budget is %d:\n%s", seed, i+1, line, n, budget, page)
				}
				if !utf8.ValidString(page) || strings.ContainsAny(page, "\u202e\u0000") {
					t.Errorf("seed %d: page %d of %s holds characters that have to be escaped", seed, i+1, line)
				}
				if tool == "list_domains" {
					continue // it speaks of no domain
				}
				if last := page[strings.LastIndexByte(page, '\n')+1:]; !strings.HasPrefix(strings.TrimPrefix(last, "# "), "[test") {
					t.Errorf("seed %d: page %d of %s does not end with what it speaks of: %q", seed, i+1, line, last)
				}
			}
		}
	}
}

// TestPagesAreTheWhole: the pages of an answer hold what the answer without a
// budget holds, in the same order, nothing twice and nothing lost.
func TestPagesAreTheWhole(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 2))
		d, g := random(r, 3+r.IntN(25))
		g.registry(randomRegistry(r))
		for _, line := range everything {
			tool, args := parseCall(line)
			if !slices.Contains(paged, tool) {
				continue
			}
			args["pages"] = "all"
			args["budget"] = "1000000"
			whole := body(call(t, d, g, tool, args))
			args["budget"] = fmt.Sprint(1000 + r.IntN(3000))
			paged := body(call(t, d, g, tool, args))
			if diff := cmp.Diff(strings.Split(whole, " "), strings.Split(paged, " ")); diff != "" {
				t.Errorf("seed %d: %s with budget %s (-whole +pages):\n%s", seed, line, args["budget"], diff)
			}
		}
	}
}

// body is what answers hold besides what stands around the items of each page.
// Line ends are dropped, because a long line is cut between pages.
func body(text string) string {
	var out strings.Builder
	section := ""
	for i, page := range strings.Split(text, "\n~~~~ next page ~~~~\n") {
		lines := strings.Split(page, "\n")
		for j, l := range lines {
			bare := strings.TrimPrefix(l, "# ")
			next := ""
			if j+1 < len(lines) {
				next = lines[j+1]
			}
			switch {
			case strings.HasPrefix(next, "----"), strings.HasPrefix(l, "── "):
				section = l
			case strings.HasPrefix(l, "----"), section == "Outline":
			case j == 0, l == "", strings.HasPrefix(l, "===="), i == 0 && isTotal(l):
			case strings.HasPrefix(l, "@prefix"), strings.HasPrefix(l, "  … under "):
			case strings.HasSuffix(l, "(continued)"), strings.HasPrefix(bare, "("), strings.HasPrefix(bare, "["):
			case strings.HasPrefix(l, "Search "), strings.HasPrefix(l, "No domain "), strings.HasPrefix(l, "Currently selected"):
			default:
				out.WriteString(l)
			}
		}
	}
	return out.String()
}

// isTotal reports whether a line is one of the numbers on top of an answer.
func isTotal(l string) bool {
	name, _, found := strings.Cut(l, ": ")
	return found && strings.Contains("Base URI Classes Properties Total triples Distinct entities Distinct predicates Labels Type assertions Attributes Relationships", name) && !strings.HasPrefix(l, " ")
}
