package format_test

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

var scope = format.Scope{Tool: "describe_entity", Args: `{"search":"ann"}`, Domain: "customer360", Revision: "r1"}

func TestCursorComesBack(t *testing.T) {
	for _, p := range []format.Position{nil, {0}, {1}, {0, 0, 7}, {5, 300, 70_000, 1}, {1 << 30, 1 << 30, 1 << 30, 1 << 30}, {70_000, 9, 300, 0, 2_000_000, 65_000, 1_500_000}} {
		c := scope.Cursor(p)
		if !regexp.MustCompile(`^[A-Za-z0-9_-]{16,52}$`).MatchString(c) {
			t.Errorf("cursor of %v is not short text that is safe in URLs: %q", p, c)
		}
		got, err := scope.Parse(c)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, got); diff != "" {
			t.Errorf("position (-want +got):\n%s", diff)
		}
		if c != scope.Cursor(p) {
			t.Errorf("two cursors of %v differ", p)
		}
		if _, err := scope.Parse("  \"" + c + "\" "); err != nil {
			t.Errorf("a cursor that was copied with its quotes is refused: %v", err)
		}
	}
}

// A cursor that is brought back elsewhere is told apart from one that is damaged
// and one that is out of date.
func TestCursorRefused(t *testing.T) {
	c := scope.Cursor(format.Position{5, 2})
	with := func(change func(*format.Scope)) format.Scope {
		s := scope
		change(&s)
		return s
	}
	for _, tt := range []struct {
		name   string
		scope  format.Scope
		cursor string
		says   string
	}{
		{"empty", scope, "", "damaged"},
		{"cut short", scope, c[:len(c)-1], "damaged"},
		{"one letter changed", scope, "z" + c[1:], "damaged"},
		{"not base64", scope, "what? no!", "damaged"},
		{"too long", scope, strings.Repeat("A", 200), "damaged"},
		{"other tool", with(func(s *format.Scope) { s.Tool = "list_domains" }), c, "made for another"},
		{"other arguments", with(func(s *format.Scope) { s.Args = `{"search":"bob"}` }), c, "made for another"},
		{"other domain", with(func(s *format.Scope) { s.Domain = "finance" }), c, "made for another"},
		{"parts moved", with(func(s *format.Scope) { s.Tool, s.Domain = "describe_entitycustomer360", "" }), c, "made for another"},
		{"other content", with(func(s *format.Scope) { s.Revision = "r2" }), c, "stale"},
	} {
		_, err := tt.scope.Parse(tt.cursor)
		var refusal *domains.Error
		if !errors.As(err, &refusal) || !errors.Is(err, domains.ErrInvalid) {
			t.Errorf("%s: error is %v, want a domains.Error of kind ErrInvalid", tt.name, err)
			continue
		}
		if !strings.Contains(refusal.Message, tt.says) || !strings.Contains(refusal.Message, "cursor") {
			t.Errorf("%s: message %q does not say %q and what to do", tt.name, refusal.Message, tt.says)
		}
	}
}

// FuzzCursor: no text makes Parse panic, and what it accepts is what Cursor wrote.
func FuzzCursor(f *testing.F) {
	f.Add(scope.Cursor(nil))
	f.Add(scope.Cursor(format.Position{1, 2, 3}))
	f.Add("")
	f.Add(base64.RawURLEncoding.EncodeToString(make([]byte, 40)))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := scope.Parse(text)
		if err != nil {
			if !errors.Is(err, domains.ErrInvalid) {
				t.Errorf("error of another kind: %v", err)
			}
			return
		}
		if again := scope.Cursor(p); again != strings.Trim(strings.Join(strings.Fields(text), ""), `"`) {
			t.Errorf("%q was accepted as %v, whose cursor is %q", text, p, again)
		}
	})
}

// FuzzForgedCursor: a position that no answer wrote gives an answer, not a panic.
func FuzzForgedCursor(f *testing.F) {
	f.Add(3, 1, 0, 0)
	f.Add(0, 1<<30, 5, 5)
	f.Add(-1, -5, 1, 1)
	d, g := load(f, `@prefix : <https://x.example/> . :a a :C ; :p "one" ; :q :b . :b a :C ; :p "two" .`)
	f.Fuzz(func(t *testing.T, a, b, c, e int) {
		for _, line := range everything {
			tool, args := parseCall(strings.NewReplacer("thing", "a", "Class0", "C", "class", "C").Replace(line))
			fr := format.Frame{Budget: 1000, From: format.Position{a, b, c, e}, Scope: scope, Source: format.SourceOf(d)}
			if text := answer(t, fr, d, g, tool, args); len(text) == 0 {
				t.Errorf("%s from %v is empty", line, fr.From)
			}
		}
	})
}
