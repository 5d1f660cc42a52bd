package format_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// many is how many there are of one thing: mostly a few, at times a thousand.
func many(r *rand.Rand) int { return []int{0, 1, 3, 40, 1000}[r.IntN(5)] }

// text is a text of some length, at times a giant one.
func text(r *rand.Rand) string { return words(r, []int{1, 10, 90, 3000}[r.IntN(4)]) }

// few are the first of a list, for answers with pages that are all read.
func few[T any](list []T) []T { return list[:min(len(list), 20)] }

// randomObject is a JSON object with up to a thousand members.
func randomObject(r *rand.Rand) json.RawMessage {
	row := map[string]any{}
	for range many(r) % 500 {
		row[words(r, 12)] = []any{nil, true, 1.5, words(r, 30), []any{words(r, 9)}}[r.IntN(5)]
	}
	row["a"] = text(r)
	out, err := json.Marshal(row)
	if err != nil {
		panic(err)
	}
	return out
}

// randomContext is the context of an entity in which any part can be long.
func randomContext(r *rand.Rand) *domains.EntityContext {
	ec := &domains.EntityContext{IRI: "https://random.example/C/" + text(r), LocalID: text(r), Message: text(r)}
	ec.Name, ec.ClassContext.IRI = text(r), ns+"Class0"
	if r.IntN(3) > 0 {
		ec.Dataset = &domains.Dataset{FullName: text(r), Key: text(r), Description: text(r), Fetched: true}
		for range many(r) {
			ec.Dataset.Rows = append(ec.Dataset.Rows, randomObject(r))
		}
	}
	for i := range many(r) {
		b := domains.Bridge{Domain: domains.Name(fmt.Sprintf("b%d", i)), Class: words(r, 20), Label: words(r, 20), Followed: i%2 == 0}
		for range many(r) % 50 {
			b.Entities = append(b.Entities, domains.BridgeEntity{IRI: words(r, 20), Property: words(r, 9), Object: words(r, 40)})
		}
		ec.Bridges = append(ec.Bridges, b)
	}
	for i := range many(r) {
		ec.Actions = append(ec.Actions, domains.Action{FullName: fmt.Sprintf("a%d", i), Description: words(r, 60)})
	}
	for i := range many(r) {
		ec.Rules = append(ec.Rules, domains.Rule{Name: fmt.Sprintf("r%d", i), Antecedent: words(r, 60), Consequent: text(r)})
	}
	for i := range many(r) {
		f := domains.Function{FullName: fmt.Sprintf("f%d", i), Description: words(r, 20), Error: words(r, 20)}
		for j := range many(r) % 50 {
			f.Attributes = append(f.Attributes, domains.VirtualAttribute{Name: fmt.Sprintf("v%d", j), DataType: "STRING"})
		}
		ec.Functions = append(ec.Functions, f)
	}
	return ec
}

// TestRandomContextsKeepTheBudget: an answer about context is never longer than its
// budget, ends with what it speaks of, holds nothing that is not seen, and what it does
// not show of a list is counted.
func TestRandomContextsKeepTheBudget(t *testing.T) {
	d, _ := load(t, "@prefix : <https://test.invalid/> . :a a :B .")
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 7))
		ec := randomContext(r)
		ask := domains.ContextOptions{Rows: r.IntN(2) * 20, FollowBridges: r.IntN(2) == 0, Compute: r.IntN(2) == 0}
		rows := make([]json.RawMessage, many(r))
		for i := range rows {
			rows[i] = randomObject(r)
		}
		result := &domains.ActionResult{Action: text(r), LocalID: text(r), Class: text(r), Rows: rows}
		rule := &domains.RuleResult{Rule: text(r), LocalID: text(r), Class: text(r), Inferred: many(r)}
		for range min(rule.Inferred, 30) {
			rule.Triples = append(rule.Triples, [3]string{text(r), text(r), text(r)})
		}
		f := frame(d, "get_entity_context")
		f.Budget = []int{600, 601, 900, 3000, 8000, 20_000}[r.IntN(6)]
		f.Reach, f.Address = format.Reach(r.IntN(3)), "http://localhost:9100/mcp/{domain}"
		for range r.IntN(3) {
			f.Notes = append(f.Notes, text(r))
		}
		for name, answer := range map[string]string{
			"context": format.EntityContext(f, d, ec, ask), "virtual": format.VirtualAttributes(f, d, ec),
			"action": format.Action(f, result), "rule": format.Rule(f, rule),
		} {
			what := fmt.Sprintf("seed %d, %s with %d", seed, name, f.Budget)
			if n := utf8.RuneCountInString(answer); n > f.Budget {
				t.Errorf("%s: %d characters", what, n)
			}
			if !strings.HasSuffix(answer, "\n\n[test, version 1]") || format.Escape(answer) != answer {
				t.Errorf("%s: no last line, or not harmless:\n%s", what, answer)
			}
		}
		if f.Budget >= 3000 {
			countsWhatIsLeft(t, fmt.Sprintf("seed %d with %d", seed, f.Budget), format.EntityContext(f, d, ec, ask), ec)
		}
	}
}

// countsWhatIsLeft holds that an answer is not cut, and that what it does not show of
// its lists is counted.
func countsWhatIsLeft(t *testing.T, what, answer string, ec *domains.EntityContext) {
	t.Helper()
	if strings.Contains(answer, "cut here") {
		t.Errorf("%s is cut:\n%s", what, answer)
	}
	for noun, list := range map[string]struct {
		n     int
		begin string
	}{
		"bridge": {len(ec.Bridges), "\n  → b"}, "action": {len(ec.Actions), "\n  → a"},
		"business rule": {len(ec.Rules), "\n  → r"}, "function": {len(ec.Functions), "\n  → f"},
	} {
		shown := 0
		for i := range list.n {
			if strings.Contains(answer, fmt.Sprintf("%s%d\n", list.begin, i)) || strings.Contains(answer, fmt.Sprintf("%s%d / ", list.begin, i)) {
				shown++
			}
		}
		want := fmt.Sprintf("  … %s more %s", domains.Number(list.n-shown), noun)
		if shown < list.n && !strings.Contains(answer, want) {
			t.Errorf("%s: %d of %d of %s are shown, and %q is missing:\n%s", what, shown, list.n, noun, want, answer)
		}
	}
}
