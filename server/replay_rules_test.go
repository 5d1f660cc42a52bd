package server_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains/domaintest"
)

// said is the answer of a tool.
type said struct {
	text    string
	isError bool
}

// situation is the call that an answer belongs to: what a rule may look at besides the
// text.
type situation struct {
	tool string
	args map[string]any
	// selected is the domain of the session before the call; empty for none.
	selected string
	// http are the recorded calls of the upstream in this step, known those of all steps
	// until its end, all those of the whole session.
	http, known, all []*exchange
}

// at is the situation of the next step of a session.
func (s situation) at(st step) situation {
	s.tool, s.args, s.http = st.Tool, st.Args, st.HTTP
	s.known = append(slices.Clone(s.known), st.HTTP...)
	return s
}

// after is the situation when the answer is known: a domain may be selected now.
func (s situation) after(a said) situation {
	if name, ok := s.args["domain_name"].(string); ok && s.tool == "select_domain" && !a.isError {
		s.selected = name
	}
	return s
}

// domain is the domain that the call is about; empty for none.
func (s situation) domain() string {
	if s.tool == "list_domains" {
		return ""
	}
	if name, ok := s.args["domain_name"].(string); ok {
		return name
	}
	return s.selected
}

// answer is the last recorded answer of a path, else the first that follows; nil when
// there is none.
func (s situation) answer(path string) *exchange {
	for _, e := range slices.Backward(s.known) {
		if e.Path == path {
			return e
		}
	}
	for _, e := range s.all {
		if e.Path == path {
			return e
		}
	}
	return nil
}

// failed is the recorded call of this step that had no success: the one that the
// tool is told of.
func (s situation) failed() *exchange {
	for _, e := range slices.Backward(s.http) {
		if e.Status >= 400 {
			return e
		}
		var answer struct{ Success, Ready *bool }
		if json.Unmarshal(e.Response, &answer) != nil {
			continue
		}
		missing := answer.Success == nil && strings.Contains(e.Path, "/nodes/")
		if missing || answer.Success != nil && !*answer.Success || answer.Ready != nil && !*answer.Ready {
			return e
		}
	}
	return nil
}

// decode reads the last recorded answer of a path; what is not there stays zero.
func decode[T any](s situation, path string) T {
	var v T
	if e := s.answer(path); e != nil {
		_ = json.Unmarshal(e.Response, &v) // answers of another form have nothing to read
	}
	return v
}

// difference is one way in which our answers differ from those of OntoBricks on
// purpose: a function from the recorded answer to ours. All differences are applied, in
// their order; one that has nothing to do returns the answer as it is.
type difference struct {
	name string
	// why are words of DESIGN.md that want it; those of another text follow its name.
	why   string
	apply func(situation, said) said
	// examples are what the rule does by itself, the first of them for everybody to
	// understand it.
	examples []exampleOf
}

type exampleOf struct {
	in       situation
	from, to said
}

// differences are all differences, in the order in which they are applied.
var differences = slices.Concat(errorDifferences, entityDifferences, contextDifferences, toolDifferences, wordDifferences, endDifferences)

// rewriting is a rule that looks at the text of answers alone.
func rewriting(f func(string) string) func(situation, said) said {
	return func(_ situation, s said) said {
		if s.isError {
			return s
		}
		return said{f(s.text), false}
	}
}

// replacing is a rule that replaces a pattern in the text of answers.
func replacing(pattern, with string) func(situation, said) said {
	re := regexp.MustCompile(pattern)
	return rewriting(func(s string) string { return re.ReplaceAllString(s, with) })
}

// of is the situation of examples of a tool.
func of(tool string) situation { return situation{tool: tool, args: map[string]any{}} }

// textExamples are texts, in turn the recorded and ours.
func textExamples(in situation, texts ...string) []exampleOf {
	var out []exampleOf
	for i := 0; i < len(texts); i += 2 {
		out = append(out, exampleOf{in: in, from: said{text: texts[i]}, to: said{text: texts[i+1]}})
	}
	return out
}

// TestReplayRules holds what each rule does by itself.
func TestReplayRules(t *testing.T) {
	names := map[string]bool{}
	for _, d := range differences {
		t.Run(d.name, func(t *testing.T) {
			if names[d.name] || len(d.examples) == 0 {
				t.Error("a rule has a name of its own and examples")
			}
			names[d.name] = true
			checkReason(t, d.why)
			for _, e := range d.examples {
				if diff := cmp.Diff(e.to, d.apply(e.in, e.from), cmp.AllowUnexported(said{})); diff != "" {
					t.Errorf("%q (-want +got):\n%s", e.from.text, diff)
				}
				if e.from == e.to {
					t.Errorf("the example %q shows nothing", e.from.text)
				}
			}
		})
	}
}

// checkReason looks the words of a reason up where they stand: in DESIGN.md of the whole,
// or in the text that they name.
func checkReason(t *testing.T, why string) {
	t.Helper()
	file := domaintest.Shared(t, "DESIGN.md")
	if words, ok := strings.CutPrefix(why, "STYLE.md: "); ok {
		why, file = words, domaintest.Shared(t, "STYLE.md")
	} else if name, words, ok := strings.Cut(why, ": "); ok && strings.HasSuffix(name, ".md") {
		why, file = words, filepath.Join(domaintest.Root(t), filepath.FromSlash(name))
	} else if rest, ok := strings.CutPrefix(why, "OntoBricks contract "); ok {
		_, why, _ = strings.Cut(rest, ": ")
		file = domaintest.Shared(t, "reference", "ontobricks-contract.md")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plain := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ") }
	if why == "" || !strings.Contains(plain(string(data)), plain(why)) {
		t.Errorf("%s does not say %q", file, why)
	}
}

// normalised is the recorded answer after the differences, and the names of those that
// had something to do.
func normalised(in situation, recorded said) (want said, applied []string) {
	want = recorded
	for _, d := range differences {
		if next := d.apply(in, want); next != want {
			applied = append(applied, d.name)
			want = next
		}
	}
	return want, applied
}

// compare checks an answer against the recorded one.
func compare(t *testing.T, in situation, recorded, got said) {
	t.Helper()
	want, applied := normalised(in, recorded)
	if diff := cmp.Diff(strings.Split(want.text, "\n"), strings.Split(got.text, "\n")); diff != "" {
		t.Errorf("%s %v (-want +got):\n%s\nrules applied: %s", in.tool, in.args, diff, strings.Join(applied, ", "))
	}
	if want.isError != got.isError {
		t.Errorf("%s %v: isError %t, want %t: %q", in.tool, in.args, got.isError, want.isError, got.text)
	}
}

// TestFoundText holds that taking a text of describe_entity apart changes nothing, so
// that a rule changes only what it is about.
func TestFoundText(t *testing.T) {
	parsed := 0
	check := func(text string) {
		if f, ok := parseFound(text); ok {
			parsed++
			equal(t, "the text put together again", text, f.String())
		}
	}
	for _, s := range readCases[scenario](t, "ontobricks-tool-cases.jsonl") {
		for _, st := range s.Steps {
			check(st.Expected.Text)
		}
	}
	for i, c := range readCases[formatCase](t, "ontobricks-format-cases.jsonl") {
		if way := ways[c.Function]; way != nil && unmapped[i+1] == "" {
			check(way(t, i+1, c).Expected.Text)
		}
	}
	if parsed == 0 {
		t.Error("no recorded text is one of describe_entity")
	}
}

// TestReplayRulesAreUsed holds that no rule is there for nothing: every one changes at
// least one recorded answer.
func TestReplayRulesAreUsed(t *testing.T) {
	used := map[string]bool{}
	use := func(in situation, recorded said) said {
		want, applied := normalised(in, recorded)
		for _, name := range applied {
			used[name] = true
		}
		return want
	}
	for _, s := range readCases[scenario](t, "ontobricks-tool-cases.jsonl") {
		in := situation{all: s.exchanges()}
		for _, st := range s.Steps {
			in = in.at(st)
			in = in.after(use(in, said{st.Expected.Text, st.Expected.IsError}))
		}
	}
	for i, c := range readCases[formatCase](t, "ontobricks-format-cases.jsonl") {
		if way := ways[c.Function]; way != nil && unmapped[i+1] == "" {
			w := way(t, i+1, c)
			use(w.situation(t), w.recorded())
		}
	}
	for _, c := range graphQLCases(t) {
		use(c.situation(), said{text: ontobricksGraphQL(t, c.Status, c.Expected)})
	}
	for _, d := range differences {
		if !used[d.name] {
			t.Errorf("%s: no recorded answer needs this rule", d.name)
		}
	}
}
