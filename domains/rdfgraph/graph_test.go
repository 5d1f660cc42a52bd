package rdfgraph_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestGraphArchives asks the graph of each archive (in.ttl) the questions in its
// file ask, one a line, and compares the answers with its file out:
//
//	find text="jacob" type=:Customer iri=:c1 lang=en offset=0 limit=10
//	walk from=:a,:b depth=1 fanout=20 lang=en,fr
//	stats
func TestGraphArchives(t *testing.T) {
	files, err := filepath.Glob("testdata/graph/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			parts := map[string]string{}
			for _, f := range a.Files {
				parts[f.Name] = string(f.Data)
			}
			q := newQuestions(t, parts["in.ttl"], strings.Fields(parts["labels"]))
			var got strings.Builder
			for line := range strings.Lines(parts["ask"]) {
				fmt.Fprintf(&got, "$ %s\n%s\n", strings.TrimSpace(line), q.ask(t.Context(), line))
			}
			if *update {
				rewrite(t, file, a, got.String())
				return
			}
			want, ok := parts["out"]
			if !ok {
				t.Fatalf("%s has no file out: run go test -update and read what it wrote", file)
			}
			if diff := cmp.Diff(want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func rewrite(t *testing.T, file string, a *txtar.Archive, out string) {
	t.Helper()
	for i, f := range a.Files {
		if f.Name == "out" {
			a.Files = append(a.Files[:i], a.Files[i+1:]...)
			break
		}
	}
	a.Files = append(a.Files, txtar.File{Name: "out", Data: []byte(out)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// questions puts questions in words to a graph and prints the answers.
type questions struct {
	facts    domains.Facts
	prefixes []rdf.Prefix
}

func newQuestions(t testing.TB, turtle string, labels []string) questions {
	t.Helper()
	var q questions
	b := store.NewBuilder()
	err := rdf.Read(strings.NewReader(turtle), rdf.Turtle, rdf.Options{Prefix: func(p rdf.Prefix) { q.prefixes = append(q.prefixes, p) }},
		func(q rdf.Quad) error { b.Add(q.Triple); return nil })
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range labels {
		labels[i] = q.expand(l)
	}
	q.facts = rdfgraph.NewFacts(b.Build(), q.prefixes, labels)
	return q
}

func (q questions) expand(name string) string {
	if prefix, local, ok := strings.Cut(name, ":"); ok {
		for _, p := range q.prefixes {
			if p.Name == prefix {
				return p.IRI + local
			}
		}
	}
	return name
}

// short writes an IRI with a prefix.
func (q questions) short(iri string) string {
	for _, p := range q.prefixes {
		if local, ok := strings.CutPrefix(iri, p.IRI); ok && !strings.ContainsAny(local, "/#") {
			return p.Name + ":" + local
		}
	}
	return "<" + iri + ">"
}

func (q questions) shorts(iris []string) string {
	out := make([]string, len(iris))
	for i, iri := range iris {
		out[i] = q.short(iri)
	}
	return strings.Join(out, " ")
}

func (q questions) ask(ctx context.Context, line string) string {
	verb, args := parseQuestion(line)
	langs := list(args["lang"])
	switch verb {
	case "find":
		query := domains.Query{Text: args["text"], IRI: q.expand(args["iri"]), Languages: langs, Offset: number(args["offset"], 0), Limit: number(args["limit"], 10)}
		for _, t := range list(args["type"]) {
			query.Types = append(query.Types, q.expand(t))
		}
		m, err := q.facts.Find(ctx, query)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		return q.matches(m)
	case "walk":
		var from []string
		for _, f := range list(args["from"]) {
			from = append(from, q.expand(f))
		}
		var b strings.Builder
		for e, err := range q.facts.Walk(ctx, from, domains.WalkOptions{Depth: number(args["depth"], 0), Fanout: number(args["fanout"], 20), Languages: langs}) {
			if err != nil {
				return b.String() + "error: " + err.Error() + "\n"
			}
			q.entity(&b, e, "")
		}
		return b.String()
	case "stats":
		s, err := q.facts.Stats(ctx)
		if err != nil {
			return "error: " + err.Error() + "\n"
		}
		return q.stats(s)
	}
	return "unknown question: " + line
}

func parseQuestion(line string) (verb string, args map[string]string) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	args = map[string]string{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		key, after, _ := strings.Cut(rest, "=")
		if quoted, err := strconv.QuotedPrefix(after); err == nil {
			args[key], _ = strconv.Unquote(quoted)
			rest = after[len(quoted):]
			continue
		}
		args[key], rest, _ = strings.Cut(after, " ")
	}
	return verb, args
}

func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func number(s string, zero int) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return zero
}

func (q questions) matches(m *domains.Matches) string {
	var b strings.Builder
	atLeast := ""
	if m.AtLeast {
		atLeast = "at least "
	}
	fmt.Fprintf(&b, "%s%d\n", atLeast, m.Total)
	for _, h := range m.Hits {
		tier := [...]string{"", "exact", "prefix", "words", "substring"}[h.Tier]
		schema := ""
		if h.Schema {
			schema = " (schema)"
		}
		fmt.Fprintf(&b, "%s %s%s\n", tier, q.ref(h.Ref), schema)
	}
	if len(m.Suggestions) > 0 {
		fmt.Fprintf(&b, "suggests %q\n", m.Suggestions)
	}
	return b.String()
}

func (q questions) ref(r domains.Ref) string {
	s := q.short(r.IRI)
	if r.Label != "" {
		s += fmt.Sprintf(" %q", r.Label)
	}
	if len(r.Types) > 0 {
		s += " [" + q.shorts(r.Types) + "]"
	}
	return s
}

func (q questions) entity(b *strings.Builder, e domains.Entity, indent string) {
	fmt.Fprintf(b, "%s■ %s", indent, q.ref(domains.Ref{IRI: e.IRI, Types: e.Types}))
	for _, l := range e.Labels {
		fmt.Fprintf(b, " %q", l.Value)
		if l.Lang != "" {
			fmt.Fprintf(b, "@%s", l.Lang)
		}
	}
	fmt.Fprintf(b, " distance %d, %d triples", e.Distance, e.Triples)
	if e.Schema {
		b.WriteString(", schema")
	}
	b.WriteByte('\n')
	if len(e.Aliases) > 0 {
		fmt.Fprintf(b, "%s  also %s\n", indent, q.shorts(e.Aliases))
	}
	for _, f := range e.Facts {
		arrow := "→"
		if f.Incoming {
			arrow = "←"
		}
		atLeast := ""
		if f.AtLeast {
			atLeast = "at least "
		}
		fmt.Fprintf(b, "%s  %s %s (%s%d)\n", indent, arrow, q.short(f.Property), atLeast, f.Total)
		for _, v := range f.Values {
			switch {
			case v.Nested != nil:
				q.entity(b, *v.Nested, indent+"      ")
			case v.Ref != nil:
				fmt.Fprintf(b, "%s      %s\n", indent, q.ref(*v.Ref))
			default:
				fmt.Fprintf(b, "%s      %s\n", indent, q.literal(v.Literal))
			}
		}
	}
}

func (q questions) literal(t rdf.Term) string {
	s := strconv.Quote(t.Value)
	if t.Lang != "" {
		s += "@" + t.Lang
	}
	if t.Datatype != "" {
		s += "^^" + q.short(t.Datatype)
	}
	return s
}

func (q questions) stats(s *domains.Stats) string {
	var b strings.Builder
	fmt.Fprintf(&b, "triples %d, subjects %d, entities %d, predicates %d\n", s.Triples, s.Subjects, s.Entities, s.Predicates)
	fmt.Fprintf(&b, "labels %d, types %d, attributes %d, relationships %d, inferred %d\n", s.Labels, s.TypeAssertions, s.Attributes, s.Relationships, s.Inferred)
	for _, c := range s.Types {
		fmt.Fprintf(&b, "class %s %d", q.short(c.IRI), c.Count)
		if c.Below > 0 {
			fmt.Fprintf(&b, ", %d with those below", c.Below)
		}
		b.WriteByte('\n')
	}
	for _, c := range s.Properties {
		fmt.Fprintf(&b, "property %s %d\n", q.short(c.IRI), c.Count)
	}
	return b.String()
}
