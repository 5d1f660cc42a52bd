package rdfgraph_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
	"github.com/ontogate/ontogate/domains/rdfgraph"
	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

// TestColumnArchives asks Columns of the graph of each archive (in.ttl) the questions in
// its file ask, one a line, and compares the answers with its file out. A step is a
// property, with ^ before it when it is inverse and ! when only literals count:
//
//	about :a :b lang=en
//	values :a :b steps=:p,:q limit=10
//	related :a steps=:p,^:q text="x" offset=0 limit=10 most=100
//	local "x" class=:C
//	select class=:C text="x" where="(:age < 5 integer)" order=-:age/integer,label offset=0 limit=10
//	usage
func TestColumnArchives(t *testing.T) {
	files, err := filepath.Glob("testdata/columns/*.txtar")
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
			q := newBatches(t, parts["in.ttl"])
			var got strings.Builder
			for line := range strings.Lines(parts["ask"]) {
				fmt.Fprintf(&got, "$ %s\n%s\n", strings.TrimSpace(line), q.ask(line))
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

// batches puts questions in words to Columns and prints the answers.
type batches struct {
	*testing.T
	questions
	c domains.Columns
}

func newBatches(t *testing.T, turtle string) *batches {
	b := &batches{T: t}
	triples := store.NewBuilder()
	err := rdf.Read(strings.NewReader(turtle), rdf.Turtle, rdf.Options{Prefix: func(p rdf.Prefix) { b.prefixes = append(b.prefixes, p) }},
		func(q rdf.Quad) error { triples.Add(q.Triple); return nil })
	if err != nil {
		t.Fatal(err)
	}
	b.facts, b.c = rdfgraph.NewColumns(triples.Build(), b.prefixes, nil)
	return b
}

func (b *batches) steps(text string) []domains.Step {
	var out []domains.Step
	for _, s := range list(text) {
		s, literals := strings.CutPrefix(s, "!")
		p, inverse := strings.CutPrefix(s, "^")
		out = append(out, domains.Step{Property: b.expand(p), Inverse: inverse, Literals: literals})
	}
	return out
}

func (b *batches) expandAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = b.expand(strings.Trim(n, "<>"))
	}
	return out
}

func (b *batches) names(nodes []domains.Node) string {
	iris, err := b.c.IRIs(b.Context(), nodes)
	if err != nil {
		b.Fatal(err)
	}
	return b.shorts(iris)
}

func (b *batches) ask(line string) string {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	var names []string
	for rest != "" && !strings.Contains(strings.SplitN(rest, " ", 2)[0], "=") {
		var name string
		name, rest, _ = strings.Cut(rest, " ")
		names = append(names, strings.Trim(name, `"`))
	}
	_, args := parseQuestion(verb + " " + rest)
	from, err := b.c.Nodes(b.Context(), b.expandAll(names))
	if err != nil {
		b.Fatal(err)
	}
	out, err := b.answer(verb, names, from, args)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return out
}

func (b *batches) answer(verb string, names []string, from []domains.Node, args map[string]string) (string, error) {
	var out strings.Builder
	switch verb {
	case "about":
		iris, _ := b.c.IRIs(b.Context(), from)
		labels, _ := b.c.Labels(b.Context(), from, list(args["lang"]))
		types, err := b.c.Types(b.Context(), from)
		for i := range from {
			fmt.Fprintf(&out, "%s is %s %q [%s]\n", names[i], b.short(iris[i]), labels[i], b.shorts(types.At(i)))
		}
		return out.String(), err
	case "values":
		values, err := b.c.Values(b.Context(), from, b.steps(args["steps"]), number(args["limit"], 10))
		for i := range values.Ends {
			fmt.Fprintf(&out, "%s:", names[i])
			for _, v := range values.At(i) {
				if v.Kind == rdf.IRI {
					out.WriteString(" " + b.short(v.Value))
				} else {
					out.WriteString(" " + b.literal(v))
				}
			}
			out.WriteByte('\n')
		}
		return out.String(), err
	case "related":
		r, err := b.c.Related(b.Context(), from, domains.Relation{Steps: b.steps(args["steps"]), Text: args["text"],
			Offset: number(args["offset"], 0), Limit: number(args["limit"], 10), Most: number(args["most"], 100)})
		for i := range r.Ends {
			fmt.Fprintf(&out, "%s: %s\n", names[i], b.names(r.At(i)))
		}
		return out.String(), err
	case "local":
		nodes, err := b.c.Local(b.Context(), b.expandAll(list(args["class"])), names[0])
		return b.names(nodes) + "\n", err
	case "select":
		return b.selection(args)
	case "usage":
		u, err := b.c.Usage(b.Context())
		for _, p := range u.Properties {
			fmt.Fprintf(&out, "%s literals %v, entities %v, many %v, languages %v, datatypes %s, classes %s\n", b.short(p.IRI),
				p.Literals, p.Entities, p.Many, p.Languages, b.shorts(p.Datatypes), b.shorts(p.Classes))
		}
		return out.String(), err
	}
	return "unknown question\n", nil
}

func (b *batches) selection(args map[string]string) (string, error) {
	s := domains.Selection{Classes: b.expandAll(list(args["class"])), Text: args["text"], Languages: list(args["lang"]),
		Offset: number(args["offset"], 0), Limit: number(args["limit"], 10), Count: true}
	if args["where"] != "" {
		words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(args["where"]))
		where := b.condition(&words)
		s.Where = &where
	}
	for _, o := range list(args["order"]) {
		o, descending := strings.CutPrefix(o, "-")
		by, kind, _ := strings.Cut(o, "/")
		order := domains.Order{Kind: kinds[kind], Descending: descending}
		if by != "label" {
			order.Steps = b.steps(by)
		}
		s.Order = append(s.Order, order)
	}
	got, err := b.c.Select(b.Context(), s)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d: %s\n", got.Total, b.names(got.Nodes)), nil
}

var (
	kinds = map[string]xsd.Kind{"string": xsd.String, "boolean": xsd.Boolean, "integer": xsd.Integer, "decimal": xsd.Decimal,
		"float": xsd.Float, "date": xsd.Date, "dateTime": xsd.DateTime, "time": xsd.Time}
	comparisons = map[string]domains.Test{"=": domains.TestEqual, "<": domains.TestLess, "<=": domains.TestAtMost,
		">": domains.TestGreater, ">=": domains.TestAtLeast, "contains": domains.TestContains, "starts": domains.TestStarts}
	connectives = map[string]domains.Op{"and": domains.OpAnd, "or": domains.OpOr, "not": domains.OpNot, "exists": domains.OpExists,
		"some": domains.OpSome, "is": domains.OpIs, "typed": domains.OpTyped}
)

// condition reads (and C…), (or C…), (not C), (exists STEPS), (some STEPS C), (is IRI…),
// (typed CLASS…), (STEPS = KIND VALUE…) and (label contains string VALUE).
func (b *batches) condition(words *[]string) domains.Condition {
	next := func() string {
		if len(*words) == 0 {
			b.Fatal("a condition ends too early")
		}
		w := (*words)[0]
		*words = (*words)[1:]
		return w
	}
	if w := next(); w != "(" {
		b.Fatalf("%q where a condition begins", w)
	}
	head := next()
	c := domains.Condition{Op: connectives[head]}
	switch c.Op {
	case domains.OpExists, domains.OpSome:
		c.Steps = b.steps(next())
	case 0:
		c.Op = domains.OpLabel
		if head != "label" {
			c.Op, c.Steps = domains.OpValue, b.steps(head)
		}
		c.Test = comparisons[next()]
		kind := kinds[next()]
		for (*words)[0] != ")" {
			v, err := xsd.Parse(kind, strings.ReplaceAll(next(), "_", " "))
			if err != nil {
				b.Fatal(err)
			}
			c.Values = append(c.Values, v)
		}
	}
	for (*words)[0] == "(" {
		c.Parts = append(c.Parts, b.condition(words))
	}
	var names []string
	for w := next(); w != ")"; w = next() {
		names = append(names, b.expand(w))
	}
	if c.Op == domains.OpIs {
		c.Nodes, _ = b.c.Nodes(b.Context(), names)
	} else {
		c.Classes = names
	}
	return c
}
