package graphql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// The values of variables, as an executor finds them: nil, bool, string (also enums and
// IDs), int64 for Int, float64 for Float, []any, and map[string]any for input objects.
// What a scalar of the schema's own takes is left as it came, with its digits:
// json.Number, string, bool, []any or map[string]any.

// coercion coerces values to types of a schema (GraphQL specification, section 3).
type coercion struct {
	schema *ast.Schema
	// path leads from a variable to the value that is looked at.
	path []string
	// errs has the first faults.
	errs []Error
}

// variables coerces what is given for the variables of an operation (section 6.1.2).
func (c *coercion) variables(o *ast.OperationDefinition, raw json.RawMessage) map[string]any {
	given, fault := decodeVariables(raw)
	if fault != "" {
		c.errs = append(c.errs, Error{Message: fault})
		return nil
	}
	out := make(map[string]any, len(o.VariableDefinitions))
	for _, v := range o.VariableDefinitions {
		c.path = append(c.path[:0], "The variable $"+shorten(v.Variable))
		value, ok := given[v.Variable]
		switch {
		case ok:
			if got, fits := c.json(v.Type, value, v.Position); fits {
				out[v.Variable] = got
			}
		case v.DefaultValue != nil:
			out[v.Variable] = c.literal(v.Type, v.DefaultValue)
		case v.Type.NonNull:
			c.add(v.Position, "%s is %s and is not given: send it in variables, as %s.", c.what(), v.Type, member(v.Variable, "…"))
		}
	}
	return out
}

// Limits of variables: those of a document hold nothing that they need.
const (
	maxValues  = 20_000 // values, at any depth
	maxNesting = parser.MaxNestingDepth
)

// limitVariables says which limit variables go over. It only looks for what opens, closes
// and parts values, so that nothing large is ever made of too much.
func limitVariables(raw json.RawMessage) *Fault {
	values, depth, deepest, quoted := 0, 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch b := raw[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			values++
			depth++
			deepest = max(deepest, depth)
		case b == '}' || b == ']':
			depth--
		case b == ',':
			values++
		}
	}
	switch {
	case values > maxValues:
		return &Fault{Message: fmt.Sprintf("The variables hold more than %s values: send fewer of them, or several requests.", grouped(maxValues))}
	case deepest > maxNesting:
		return &Fault{Message: fmt.Sprintf("The variables are nested more than %s levels deep: send flatter ones.", grouped(maxNesting))}
	}
	return nil
}

// decodeVariables reads a JSON object, numbers with all their digits.
func decodeVariables(raw json.RawMessage) (given map[string]any, fault string) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, ""
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&given) != nil {
		return nil, "The variables must be a JSON object."
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, "The variables must be one JSON object and nothing after it."
	}
	return given, ""
}

func (c *coercion) add(pos *ast.Position, format string, args ...any) {
	if len(c.errs) < mostFaults {
		f := faultAt(pos, format, args...)
		c.errs = append(c.errs, f.refusal())
	}
}

// what names the value that is looked at: The variable $where.and.name.
func (c *coercion) what() string {
	if n := len(c.path); n > mostListed {
		return strings.Join(c.path[:mostListed/2], ".") + "…" + strings.Join(c.path[n-mostListed/2:], ".")
	}
	return strings.Join(c.path, ".")
}

// json coerces a value of JSON.
func (c *coercion) json(t *ast.Type, v any, pos *ast.Position) (any, bool) {
	if v == nil {
		if t.NonNull {
			c.add(pos, "%s is %s and must not be null.", c.what(), t)
		}
		return nil, !t.NonNull
	}
	if t.Elem != nil {
		return c.list(t, v, pos)
	}
	d := c.schema.Types[t.NamedType]
	if d == nil {
		return nil, false // refused before
	}
	switch d.Kind {
	case ast.InputObject:
		return c.object(d, v, pos)
	case ast.Enum:
		name, ok := v.(string)
		if !ok || d.EnumValues.ForName(name) == nil {
			c.add(pos, "%s is %s: its value must be one of %s, not %s.", c.what(), t, listed(enumNames(d)), shown(v))
			return nil, false
		}
		return name, true
	}
	out, ok := scalarOf(t.NamedType, v)
	if !ok {
		c.add(pos, "%s is %s: its value must be %s, not %s.", c.what(), t, mustBe(t.NamedType), shown(v))
	}
	return out, ok
}

// list coerces a value to a list: one value stands for a list of it.
func (c *coercion) list(t *ast.Type, v any, pos *ast.Position) (any, bool) {
	items, ok := v.([]any)
	if !ok {
		one, fits := c.json(t.Elem, v, pos)
		return []any{one}, fits
	}
	out, all := make([]any, 0, len(items)), true
	for _, item := range items {
		got, fits := c.json(t.Elem, item, pos)
		out, all = append(out, got), all && fits
		if len(c.errs) >= mostFaults {
			return nil, false
		}
	}
	return out, all
}

// object coerces a value to an input object.
func (c *coercion) object(d *ast.Definition, v any, pos *ast.Position) (any, bool) {
	given, ok := v.(map[string]any)
	if !ok {
		c.add(pos, "%s is %s: its value must be an object such as %s.", c.what(), d.Name, sample(d))
		return nil, false
	}
	out, found := make(map[string]any, len(given)), 0
	for _, f := range d.Fields {
		value, has := given[f.Name]
		switch {
		case has:
			found++
			c.path = append(c.path, f.Name)
			got, fits := c.json(f.Type, value, pos)
			c.path = c.path[:len(c.path)-1]
			out[f.Name], ok = got, ok && fits
		case f.DefaultValue != nil:
			out[f.Name] = c.literal(f.Type, f.DefaultValue)
		case f.Type.NonNull:
			c.add(pos, "%s needs the field %s: %s.", c.what(), f.Name, f.Type)
			ok = false
		}
	}
	if found == len(given) {
		return out, ok
	}
	for _, name := range sortedKeys(given) {
		if d.Fields.ForName(name) == nil {
			c.add(pos, "%s is %s, which has no field '%s'. %s", c.what(), d.Name, shorten(name), instead(name, fieldNames(d.Fields), "Its fields"))
		}
	}
	return nil, false
}

// literal is a constant of a document or a schema that was found to fit its type.
func (c *coercion) literal(t *ast.Type, v *ast.Value) any {
	switch {
	case v.Kind == ast.NullValue:
		return nil
	case t.Elem != nil && v.Kind == ast.ListValue:
		out := make([]any, 0, len(v.Children))
		for _, child := range v.Children {
			out = append(out, c.literal(t.Elem, child.Value))
		}
		return out
	case t.Elem != nil:
		return []any{c.literal(t.Elem, v)}
	}
	d := c.schema.Types[t.NamedType]
	if d == nil || d.Kind != ast.InputObject {
		return untyped(t.NamedType, v)
	}
	out := make(map[string]any, len(v.Children))
	for _, f := range d.Fields {
		if given := v.Children.ForName(f.Name); given != nil {
			out[f.Name] = c.literal(f.Type, given)
		} else if f.DefaultValue != nil {
			out[f.Name] = c.literal(f.Type, f.DefaultValue)
		}
	}
	return out
}

// untyped is a constant of a scalar or an enum.
func untyped(scalar string, v *ast.Value) any {
	switch v.Kind {
	case ast.BooleanValue:
		return v.Raw == "true"
	case ast.IntValue, ast.FloatValue:
		if out, ok := scalarOf(scalar, json.Number(v.Raw)); ok {
			return out
		}
		return json.Number(v.Raw)
	case ast.ListValue:
		out := make([]any, 0, len(v.Children))
		for _, child := range v.Children {
			out = append(out, untyped("", child.Value))
		}
		return out
	case ast.ObjectValue:
		out := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			out[child.Name] = untyped("", child.Value)
		}
		return out
	}
	return v.Raw
}

// scalarOf coerces a value of JSON to a scalar.
func scalarOf(scalar string, v any) (any, bool) {
	n, isNumber := v.(json.Number)
	_, isText := v.(string)
	switch scalar {
	case "Int":
		i, ok := wholeOf(n)
		return i, isNumber && ok && i >= math.MinInt32 && i <= math.MaxInt32
	case "Float":
		f, err := strconv.ParseFloat(n.String(), 64)
		return f, isNumber && err == nil
	case "Boolean":
		_, ok := v.(bool)
		return v, ok
	case "String":
		return v, isText
	case "ID":
		if i, ok := wholeOf(n); isNumber && ok {
			return strconv.FormatInt(i, 10), true
		}
		return v, isText
	case "Long", "Decimal":
		return v, isNumber || isText
	case "Date", "DateTime", "Time":
		return v, isText
	}
	return v, true
}

// wholeOf is a number of JSON without a fraction: 3, and also 3.0 and 3e0 (as JSON has
// one kind of number).
func wholeOf(n json.Number) (int64, bool) {
	if i, err := strconv.ParseInt(n.String(), 10, 64); err == nil {
		return i, true
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}

// mustBe says what a value of a scalar must be.
func mustBe(scalar string) string {
	switch scalar {
	case "Long", "Decimal":
		return "a number, or a text with its digits"
	case "Date", "DateTime", "Time":
		return "a text"
	}
	return built[scalar]
}

// shown is a value of JSON for a message.
func shown(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return shorten(fmt.Sprint(v))
	}
	return shorten(string(text))
}

// refusal is a fault as an error of a response.
func (f *Fault) refusal() Error {
	e := Error{Message: f.Message}
	if f.Line > 0 {
		e.Locations = []Location{{Line: f.Line, Column: f.Column}}
	}
	return e
}

// sortRefusals puts errors in the order of the document, and drops those that say the
// same of the same place.
func sortRefusals(errs []Error) []Error {
	at := func(e Error) (line, column int) {
		if len(e.Locations) == 0 {
			return math.MaxInt, 0
		}
		return e.Locations[0].Line, e.Locations[0].Column
	}
	slices.SortStableFunc(errs, func(a, b Error) int {
		la, ca := at(a)
		lb, cb := at(b)
		if la != lb {
			return la - lb
		}
		if ca != cb {
			return ca - cb
		}
		return strings.Compare(a.Message, b.Message)
	})
	errs = slices.CompactFunc(errs, func(a, b Error) bool { return a.Message == b.Message && slices.Equal(a.Locations, b.Locations) })
	return errs[:min(len(errs), mostFaults)]
}
