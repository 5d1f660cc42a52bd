package graphql

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// appendConstant appends a default value as graphql-js prints it: coerced to its type,
// with the defaults of an input object's fields filled in.
func (w *metaWriter) appendConstant(b []byte, t *ast.Type, v *ast.Value) []byte {
	switch {
	case v.Kind == ast.NullValue:
		return append(b, "null"...)
	case t != nil && t.Elem != nil && v.Kind == ast.ListValue:
		b = append(b, '[')
		for i, child := range v.Children {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = w.appendConstant(b, t.Elem, child.Value)
		}
		return append(b, ']')
	case t != nil && t.Elem != nil:
		b = w.appendConstant(append(b, '['), t.Elem, v)
		return append(b, ']')
	}
	if d := w.schema.Types[t.NamedType]; d != nil && d.Kind == ast.InputObject {
		return w.appendInput(b, d, v)
	}
	return appendLeaf(b, t.NamedType, v)
}

// appendInput appends an input object in the order of its type.
func (w *metaWriter) appendInput(b []byte, d *ast.Definition, v *ast.Value) []byte {
	b, first := append(b, '{'), true
	for _, f := range d.Fields {
		value := v.Children.ForName(f.Name)
		if value == nil {
			value = f.DefaultValue
		}
		if value == nil {
			continue
		}
		if !first {
			b = append(b, ", "...)
		}
		b = w.appendConstant(append(append(b, f.Name...), ": "...), f.Type, value)
		first = false
	}
	return append(b, '}')
}

// appendLeaf appends a constant of a scalar or an enum.
func appendLeaf(b []byte, scalar string, v *ast.Value) []byte {
	switch v.Kind {
	case ast.IntValue, ast.FloatValue:
		if f, err := strconv.ParseFloat(v.Raw, 64); err == nil && scalar != "ID" {
			return appendJSNumber(b, f)
		}
	case ast.StringValue, ast.BlockValue:
		if scalar == "ID" && isInteger(v.Raw) {
			return append(b, v.Raw...)
		}
		return appendQuoted(b, v.Raw)
	case ast.ListValue, ast.ObjectValue:
		return append(b, written(v)...)
	}
	return append(b, v.Raw...)
}

// isInteger reports whether a text is an integer as GraphQL writes them.
func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || digits != "0" && digits[0] == '0' {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// appendJSNumber appends a number as JavaScript prints it: with an exponent from 1e21 on
// and below 1e-6.
func appendJSNumber(b []byte, f float64) []byte {
	if f == 0 {
		return append(b, '0')
	}
	if a := math.Abs(f); a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	text := strconv.FormatFloat(f, 'e', -1, 64) // 1e-07 and 1e+21
	mantissa, exponent, _ := strings.Cut(text, "e")
	sign := exponent[:1]
	return append(b, mantissa+"e"+sign+strings.TrimLeft(exponent[1:], "0")...)
}

// appendQuoted appends a text as graphql-js prints strings.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\b':
			b = append(b, `\b`...)
		case r == '\f':
			b = append(b, `\f`...)
		case r == '\n' || r == '\r' || r == '\t':
			b = appendEscape(b, byte(r))
		case r < ' ' || r >= 0x7f && r <= 0x9f:
			const upper = "0123456789ABCDEF"
			b = append(b, '\\', 'u', '0', '0', upper[r>>4], upper[r&0xF])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
