package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// decode reads a file of an archive, as JSON with the names of the Go fields; an empty
// one leaves v alone.
func decode(t testing.TB, text string, v any) {
	t.Helper()
	if strings.TrimSpace(text) == "" {
		return
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

// contextual answers the tools that tell what a back end has besides facts: of is the
// file with its answer.
func contextual(t testing.TB, f format.Frame, d *domains.Domain, g *graph, tool string, args map[string]string) string {
	t.Helper()
	text, ok := g.answers[args["of"]]
	if !ok {
		t.Fatalf("no file %q", args["of"])
	}
	switch tool {
	case "get_entity_context", "compute_virtual_attributes":
		var ec domains.EntityContext
		decode(t, text, &ec)
		if tool == "compute_virtual_attributes" {
			return format.VirtualAttributes(f, d, &ec)
		}
		ask := domains.ContextOptions{FollowBridges: args["follow"] != "", Compute: args["compute"] != ""}
		if args["rows"] != "" {
			ask.Rows = number(t, args["rows"])
		}
		return format.EntityContext(f, d, &ec, ask)
	case "invoke_entity_action":
		var r domains.ActionResult
		decode(t, text, &r)
		return format.Action(f, &r)
	case "run_entity_business_rule":
		var r domains.RuleResult
		decode(t, text, &r)
		return format.Rule(f, &r)
	}
	t.Fatalf("unknown tool %q", tool)
	return ""
}

// bigContext has more of everything than any answer has room for.
func bigContext() *domains.EntityContext {
	long := strings.Repeat("long ", 200)
	ec := &domains.EntityContext{IRI: "https://test.invalid/Customer/C1", LocalID: "C1", Message: long}
	ec.Name, ec.Dataset = "Customer", &domains.Dataset{FullName: "main.crm.customers", Key: "id", Description: long, Fetched: true}
	for i := range 20 {
		ec.Dataset.Rows = append(ec.Dataset.Rows, json.RawMessage(fmt.Sprintf(`{"n":%d,"text":%q,"more":%q}`, i, long, long)))
	}
	for i := range 3 {
		b := domains.Bridge{Domain: domains.Name(fmt.Sprintf("target%d", i)), Class: "Contract", DomainDescription: long, Followed: true}
		for k := range 300 * i {
			b.Entities = append(b.Entities, domains.BridgeEntity{IRI: fmt.Sprintf("https://test.invalid/Contract/%d", k), Property: "of", Object: long})
		}
		ec.Bridges = append(ec.Bridges, b)
	}
	for i := range 50 {
		ec.Actions = append(ec.Actions, domains.Action{FullName: fmt.Sprintf("main.ops.act%d", i), Description: long})
		ec.Rules = append(ec.Rules, domains.Rule{Name: fmt.Sprintf("rule%d", i), Antecedent: long, Consequent: long})
		ec.Functions = append(ec.Functions, domains.Function{FullName: fmt.Sprintf("main.kg.f%d", i), Error: long,
			Attributes: []domains.VirtualAttribute{{Name: "a"}, {Name: "b"}}})
	}
	return ec
}

// However much there is, an answer keeps its budget, has its last line, and says that
// something was left out; it never names a cursor, which these tools do not have.
func TestContextKeepsItsBudget(t *testing.T) {
	d, _ := load(t, "@prefix : <https://test.invalid/> . :a a :B .")
	ec := bigContext()
	var rows []json.RawMessage
	for range 3000 {
		rows = append(rows, ec.Dataset.Rows...)
	}
	var triples [][3]string
	for range 200 {
		triples = append(triples, [3]string{"https://test.invalid/Customer/C1", strings.Repeat("p", 300), strings.Repeat("o", 300)})
	}
	for _, budget := range []int{1, 600, 700, 1_000, 2_000, 3_000, 6_000, 8_000, 20_000} {
		f := frame(d, "get_entity_context")
		f.Budget = budget
		for name, text := range map[string]string{
			"context": format.EntityContext(f, d, ec, domains.ContextOptions{Rows: 20, FollowBridges: true, Compute: true}),
			"virtual": format.VirtualAttributes(f, d, ec),
			"action":  format.Action(f, &domains.ActionResult{Action: "main.ops.act", LocalID: "C1", Rows: rows}),
			"rule":    format.Rule(f, &domains.RuleResult{Rule: "r", Inferred: 1_000_000, Triples: triples}),
		} {
			if n := utf8.RuneCountInString(text); n > max(budget, format.MinBudget) {
				t.Errorf("%s: %d characters, more than %d", name, n, budget)
			}
			if !strings.HasSuffix(text, "[test, version 1]") {
				t.Errorf("%s, budget %d: the last line is missing:\n%s", name, budget, text)
			}
			if !strings.Contains(text, "without room here") && !strings.Contains(text, "cut here") && !strings.Contains(text, " more\n") {
				t.Errorf("%s, budget %d: nothing says that something was left out:\n%s", name, budget, text)
			}
			if strings.Contains(text, "cursor") {
				t.Errorf("%s, budget %d: a cursor is named:\n%s", name, budget, text)
			}
		}
	}
}

// What has many items gives way before what has few: all sections of a full answer are
// there, with the declarations that fit.
func TestContextCutsTheLongestFirst(t *testing.T) {
	d, _ := load(t, "@prefix : <https://test.invalid/> . :a a :B .")
	ec := bigContext()
	ec.Rules, ec.Functions, ec.Actions = ec.Rules[:2], ec.Functions[:1], ec.Actions[:2]
	f := frame(d, "get_entity_context")
	f.Budget = 8_000
	text := format.EntityContext(f, d, ec, domains.ContextOptions{Rows: 20, FollowBridges: true})
	for _, want := range []string{"Rows (20):", "more rows without room here: fetch_dataset_rows alone leaves room for more",
		"→ target0 / Contract", "Entities (600):", "→ main.ops.act0", "→ rule0", "→ main.kg.f0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// FuzzJSONValues: whatever a back end sends as a row or as values, the answer is lines of
// ours, without characters that are not seen.
func FuzzJSONValues(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":null}`, `{"a":{"b":[1,2.50,"x",null,{"k":false}]}}`, `{}`, `[]`, `null`, `7`, `"x"`, `{"a":1e400,"a":-0.0}`, `{"a`, ``,
		`{"\u202e":"\u0000\n\r\t"}`, `{"a":"\ud800"}`, `{"a":[[[[[[]]]]]]}`, "{\"a\":\"\xff\"}", `{"a":"x  |  b: 2"}`, `{"":{"":""}}`,
	} {
		f.Add([]byte(s))
	}
	d, _ := load(f, "@prefix : <https://test.invalid/> . :a a :B .")
	f.Fuzz(func(t *testing.T, raw []byte) {
		ec := &domains.EntityContext{IRI: "https://test.invalid/C/1"}
		ec.Dataset = &domains.Dataset{FullName: "a.b.c", Rows: []json.RawMessage{raw}}
		ec.Functions = []domains.Function{{FullName: "f", Values: raw, Attributes: []domains.VirtualAttribute{{Name: "a"}}}}
		text := format.EntityContext(frame(d, "get_entity_context"), d, ec, domains.ContextOptions{})
		if format.Escape(text) != text || !utf8.ValidString(text) {
			t.Errorf("%q: not harmless:\n%q", raw, text)
		}
		// Head, data set, functions, hint, last line: data adds no line.
		if n := strings.Count(text, "\n"); n != 11 && n != 12 {
			t.Errorf("%q: %d lines:\n%s", raw, n, text)
		}
	})
}
