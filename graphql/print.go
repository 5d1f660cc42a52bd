package graphql

import (
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// What is shown of a type when it is not shown as it stands. It is GraphQL too: what is
// left out is told in comments.

// mostAbout is the most code points of a description where it is shortened.
const mostAbout = 120

// brief is a type with some of its fields.
type brief struct {
	of     *ast.Definition
	fields []string // lines, without the margin
	// note is a comment in front of the fields, rest one behind them; both may be empty.
	note, rest string
	oneLine    bool
}

// text is the type as GraphQL.
func (b brief) text() string {
	var out strings.Builder
	if about := about(b.of.Description); about != "" && !b.oneLine && b.of.Kind != ast.Scalar {
		out.WriteString(text(about) + "\n")
	}
	out.WriteString(keywords[b.of.Kind] + " " + b.of.Name)
	if len(b.of.Interfaces) > 0 {
		out.WriteString(" implements " + strings.Join(b.of.Interfaces, " & "))
	}
	switch {
	case b.of.Kind == ast.Scalar:
		if about := about(b.of.Description); about != "" {
			out.WriteString(" # " + about)
		}
		return out.String()
	case b.of.Kind == ast.Union:
		return out.String() + " = " + strings.Join(b.of.Types, " | ")
	case len(b.fields) == 0 && b.note != "":
		return out.String() + " # " + b.note
	case b.oneLine:
		return out.String() + " { " + strings.Join(b.fields, ", ") + " }"
	}
	out.WriteString(" {\n")
	if b.note != "" {
		out.WriteString("  # " + b.note + "\n")
	}
	for _, f := range b.fields {
		out.WriteString("  " + f + "\n")
	}
	if b.rest != "" {
		out.WriteString("  # " + b.rest + "\n")
	}
	return out.String() + "}"
}

// about is the beginning of a description, on one line.
func about(description string) string {
	d := strings.Join(strings.Fields(description), " ")
	if utf8.RuneCountInString(d) <= mostAbout {
		return d
	}
	r := []rune(d)[:mostAbout]
	for i := len(r) - 1; i > mostAbout/3; i-- { // whole sentences, where they say enough
		if r[i] == ' ' && r[i-1] == '.' {
			return string(r[:i])
		}
	}
	return strings.TrimRight(string(r[:mostAbout-1]), " ") + "…"
}

// printed is a field on one line, with its default and the mark of one that is deprecated.
func printed(f *ast.FieldDefinition) string {
	out := signature(f)
	if f.DefaultValue != nil {
		out += " = " + written(f.DefaultValue)
	}
	return out + deprecation(f)
}

func deprecation(f *ast.FieldDefinition) string {
	d := f.Directives.ForName("deprecated")
	if d == nil {
		return ""
	}
	if reason := d.Arguments.ForName("reason"); reason != nil && reason.Value != nil && reason.Value.Kind != ast.NullValue {
		return " @deprecated(reason: " + text(about(reason.Value.Raw)) + ")"
	}
	return " @deprecated"
}

// inCounts is a number with its noun.
func inCounts(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return domains.Number(n) + " " + many
}
