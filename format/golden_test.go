package format_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

var update = flag.Bool("update", false, "rewrite the out/ files of the golden archives")

// TestGolden runs the archives of testdata. Each has a comment with the rule it
// holds, in.ttl with a domain (and where they matter problems, domains, versions, and as
// JSON policy, classes with their context, answers of other abilities), calls with one call a line ("name: tool key=value …",
// values in double quotes where they have spaces), and out/NAME for each call.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(strings.TrimSpace(string(a.Comment))) == 0 {
		t.Fatal("the archive's comment has to say which rule it holds")
	}
	in, want := map[string]string{}, map[string]string{}
	kept := &txtar.Archive{Comment: a.Comment}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "out/"); ok {
			want[name] = string(f.Data)
			continue
		}
		in[f.Name] = string(f.Data)
		kept.Files = append(kept.Files, f)
	}
	d, g := load(t, in["in.ttl"])
	d.Problems, d.Refused = problems(in["problems"]), problems(in["refused"])
	g.registry(in["domains"], in["versions"])
	decode(t, in["policy"], &d.Info.Policy)
	decode(t, in["classes"], &g.contexts)
	g.answers = in
	for _, line := range strings.Split(strings.TrimSpace(in["calls"]), "\n") {
		name, rest, _ := strings.Cut(line, ": ")
		tool, args := parseCall(rest)
		got := call(t, d, g, tool, args) + "\n"
		if *update {
			kept.Files = append(kept.Files, txtar.File{Name: "out/" + name, Data: []byte(got)})
			continue
		}
		w, ok := want[name]
		if !ok {
			t.Errorf("out/%s is missing: run go test -update and read what it writes", name)
		} else if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", line, diff)
		}
		delete(want, name)
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(kept), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name := range want {
		t.Errorf("out/%s belongs to no call", name)
	}
}

var argument = regexp.MustCompile(`(\w+)=("(?:[^"\\]|\\.)*"|\S+)`)

// parseCall reads "tool key=value key=\"a value\"".
func parseCall(s string) (tool string, args map[string]string) {
	tool, rest, _ := strings.Cut(s, " ")
	args = map[string]string{}
	for _, m := range argument.FindAllStringSubmatch(rest, -1) {
		v := m[2]
		if u, err := strconv.Unquote(v); err == nil {
			v = u
		}
		args[m[1]] = v
	}
	return tool, args
}

var budgets = map[string]int{"list_domains": 4000, "list_entity_types": 4000, "describe_entity": 6000, "describe_ontology": 8000}

// call runs one call. Besides the tool's own arguments it knows budget, lang, note
// and pages=all, which follows the cursors to the end.
func call(t testing.TB, d *domains.Domain, g *graph, tool string, args map[string]string) string {
	t.Helper()
	f := format.Frame{Budget: budgets[tool], Source: format.SourceOf(d),
		Scope: format.Scope{Tool: tool, Args: fmt.Sprint(args), Domain: d.Info.Name, Revision: d.Revision}}
	if f.Budget == 0 {
		f.Budget = 3000
	}
	if args["budget"] != "" {
		f.Budget = number(t, args["budget"])
	}
	if args["lang"] != "" {
		f.Languages = strings.Split(args["lang"], ",")
	}
	f.Reach = map[string]format.Reach{"argument": format.ByArgument, "address": format.ByAddress}[args["reach"]]
	f.Address = "http://localhost:9100/mcp/{domain}"
	if args["note"] != "" {
		f.Notes = []string{args["note"]}
	}
	if args["suggests"] != "" {
		g.suggestions = strings.Split(args["suggests"], ",")
		defer func() { g.suggestions = nil }()
	}
	if args["hides"] != "" {
		f.Offers = func(tool string) bool { return !slices.Contains(strings.Split(args["hides"], ","), tool) }
	}
	if args["pages"] != "all" {
		return answer(t, f, d, g, tool, args)
	}
	return strings.Join(pages(t, f, func(f format.Frame) string { return answer(t, f, d, g, tool, args) }), "\n~~~~ next page ~~~~\n")
}

var cursor = regexp.MustCompile(`cursor="([^"]*)"`)

// pages follows the cursors of an answer to its end.
func pages(t testing.TB, f format.Frame, answer func(format.Frame) string) []string {
	t.Helper()
	var out []string
	seen := map[string]bool{}
	for range 100_000 {
		text := answer(f)
		out = append(out, text)
		all := cursor.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return out
		}
		c := all[len(all)-1][1]
		if seen[c] {
			t.Fatalf("cursor %s leads to itself:\n%s", c, text)
		}
		seen[c] = true
		p, err := f.Scope.Parse(c)
		if err != nil {
			t.Fatal(err)
		}
		f.From = p
	}
	t.Fatal("the pages have no end")
	return nil
}

// must is the text of an answer that can't fail here.
func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

func number(t testing.TB, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// answer calls one function of the package with arguments as a server would.
func answer(t testing.TB, f format.Frame, d *domains.Domain, g *graph, tool string, args map[string]string) string {
	t.Helper()
	o := g.ontology
	var classes []string
	if args["classes"] != "" {
		for _, c := range strings.Split(args["classes"], ",") {
			iris, near, ok := o.ResolveClass(c)
			if !ok {
				t.Fatalf("no class %q, near: %v", c, near)
			}
			classes = append(classes, iris...)
		}
	}
	switch tool {
	case "list_domains":
		f.Source = format.Source{}
		return format.Domains(f, g.infos, format.DomainsOptions{Search: args["search"],
			Selected: domains.Name(args["selected"]), Address: args["address"]})
	case "list_domain_versions":
		return format.Versions(f, d.Info.Name, g.versions, args["unavailable"])
	case "get_design_status":
		return format.Design(f, d.Info.Name, design(args), args["unavailable"])
	case "describe_ontology":
		if args["format"] == "turtle" {
			return must(format.OntologyTurtle(t.Context(), f, d, o, classes))
		}
		return must(format.OntologySummary(t.Context(), f, d, o, format.OntologyOptions{Classes: classes, Contexts: g.contexts}))
	case "list_entity_types":
		st, _ := g.Stats(t.Context())
		if args["plain"] != "" { // as a back end that counts less
			st.Entities, st.Attributes, st.Relationships, st.AttributesUnknown = 0, 0, st.Attributes+st.Relationships, true
			for i := range st.Types {
				st.Types[i].Below = 0
			}
		}
		eo := format.EntityTypesOptions{Search: args["search"], Contexts: g.contexts}
		if args["limit"] != "" {
			eo.Limit = number(t, args["limit"])
		}
		return format.EntityTypes(f, d, o, st, eo)
	case "describe_entity":
		return describe(t, f, d, g, args)
	case "select_domain", "select_domain_stateless", "get_status":
		return status(t, f, d, tool, args)
	}
	return contextual(t, f, d, g, tool, args)
}

// status is an answer that tells the status of a domain.
func status(t testing.TB, f format.Frame, d *domains.Domain, tool string, args map[string]string) string {
	t.Helper()
	st, err := d.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var hidden []string
	if args["hidden"] != "" {
		hidden = strings.Split(args["hidden"], ",")
	}
	if args["changed"] != "" {
		st.Modified = time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("", 3600))
	}
	st.Reason, st.View = args["reason"], args["view"]
	switch tool {
	case "select_domain":
		return format.Selected(f, d, st, hidden)
	case "get_status":
		return format.Status(f, d, st)
	}
	return format.Checked(f, d, st, hidden)
}

func describe(t testing.TB, f format.Frame, d *domains.Domain, g *graph, args map[string]string) string {
	t.Helper()
	o := g.ontology
	e := format.EntitiesOptions{Search: args["search"], EntityType: args["entity_type"], EntityURI: args["entity_uri"], Depth: 1, Contexts: g.contexts}
	var err error
	if e.Detail, err = format.ParseDetail(args["detail"]); err != nil {
		t.Fatal(err)
	}
	if args["depth"] != "" {
		e.Depth = number(t, args["depth"])
	}
	if args["limit"] != "" {
		e.Limit = number(t, args["limit"])
	}
	if e.EntityType != "" {
		iris, near, ok := o.ResolveClass(e.EntityType)
		if !ok {
			t.Fatalf("no class %q, near: %v", e.EntityType, near)
		}
		for _, c := range iris {
			e.Types = append(e.Types, o.WithSubClasses(c)...)
		}
	}
	if args["reads"] != "" {
		whole := *d
		whole.Facts = pieces{graph: d.Facts.(*graph), size: number(t, args["reads"]), atLeast: args["at_least"] != "", late: args["late"] != "", end: args["end"] != ""}
		d = &whole
	}
	if args["cache"] == "false" {
		e.Cache = domains.CacheOff
	}
	text, err := format.Entities(context.Background(), f, d, e)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
