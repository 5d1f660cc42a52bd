package dataset

import (
	"bytes"
	"encoding/json"
	"strings"
)

// appendText appends a JSON string.
func appendText(out []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string can always be written
	return append(out, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// appendCell appends a cell of a column: null when it is empty.
func appendCell(out []byte, cell string, t Type) []byte {
	switch {
	case cell == "":
		return append(out, "null"...)
	case t == Bool && isBool(cell):
		return append(out, strings.ToLower(cell)...)
	case t == Whole && isWhole(cell), t == Decimal && isDecimal(cell):
		return append(out, cell...)
	}
	return appendText(out, cell)
}

// guess finds out the type of a column from its cells.
type guess struct{ some, noBool, noWhole, noDecimal bool }

func (g *guess) see(cell string) {
	if cell == "" || g.noBool && g.noWhole && g.noDecimal {
		return
	}
	g.some = true
	g.noBool = g.noBool || !isBool(cell)
	g.noWhole = g.noWhole || !isWhole(cell)
	g.noDecimal = g.noDecimal || !isDecimal(cell)
}

// is the type; a column without any cell is text.
func (g *guess) is() Type {
	switch {
	case !g.some:
		return Text
	case !g.noBool:
		return Bool
	case !g.noWhole:
		return Whole
	case !g.noDecimal:
		return Decimal
	}
	return Text
}

func isBool(s string) bool { return strings.EqualFold(s, "true") || strings.EqualFold(s, "false") }

// mostDigits are those of a number that every reader of JSON can keep.
const mostDigits = 15

// isWhole reports whether a number stays the same when it is read and written.
func isWhole(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > mostDigits || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	return digits[0] != '0' || s == "0"
}

// isDecimal is isWhole for numbers that may have digits behind a point.
func isDecimal(s string) bool {
	front, behind, ok := strings.Cut(s, ".")
	if !ok {
		return isWhole(s)
	}
	if front == "-0" {
		front = "0"
	}
	return isWhole(front) && behind != "" && len(front)+len(behind) <= mostDigits && strings.Trim(behind, "0123456789") == ""
}
