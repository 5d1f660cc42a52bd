// Package xsd reads the values that literals stand for, and compares them. What it knows
// is W3C XML Schema Definition Language 1.1 Part 2: Datatypes; sections are named by its
// numbers. Values are exact whatever their length, and every function takes time that
// grows linearly with the text, so that a hostile literal costs no more than its size.
//
// Facets are not looked at: 300 is an integer, whether or not the literal says xsd:byte.
package xsd

import (
	"cmp"
	"math"
	"strings"
)

// Kind is a kind of values that can be compared with one another.
type Kind uint8

// The kinds.
const (
	String   Kind = iota // any text; compared by code points
	Boolean              // false before true
	Integer              // of any size
	Decimal              // of any size and precision
	Float                // IEEE 754 double precision
	Date                 // with or without time zone
	DateTime             // with or without time zone
	Time                 // with or without time zone
)

// kindNames are the kinds by the names that they have in text.
var kindNames = [...]string{"string", "boolean", "integer", "decimal", "float", "date", "dateTime", "time"}

// String is the name of the kind: "dateTime".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// numeric reports whether values of the kind are numbers.
func (k Kind) numeric() bool { return k == Integer || k == Decimal || k == Float }

// Value is a value. The zero Value is the empty string. Two Values are compared with
// Compare or Equal and not with ==, which tells 12:00Z from 13:00+01:00.
type Value struct {
	kind Kind
	// second is the second within the year that year tells, in UTC; for a Time, the second
	// of the day, which is negative when the day before has it in UTC. Of a decimal it says
	// whether bits hold its value.
	second int32
	// bits are those of a float, a small whole number, or the year of a Date or DateTime in UTC
	// (see moment.utc).
	bits uint64
	text string // canonical
}

// Parse reads the lexical form of a value, around which white space does not count (4.3.6),
// except in a String, which is taken as it is. The error is an *Error.
//
// The lexical spaces are those of 3.3: a Boolean may be 1 and 0, a Float INF, +INF, -INF
// and NaN; only a Float may have an exponent; a Float too great for 64 bits is INF, one too
// small 0 (floatingPointRound). Years have at least four digits, more without leading
// zeros, and may be negative; 0000 is the year before 0001. 24:00:00 is the start of the
// next day. Time zones go from -14:00 to +14:00.
func Parse(k Kind, lexical string) (Value, error) {
	if k == String {
		return Value{kind: String, text: lexical}, nil
	}
	text := strings.Trim(lexical, " \t\r\n")
	var v Value
	var reason string
	switch k {
	case Boolean:
		v, reason = parseBoolean(text)
	case Integer, Decimal:
		v, reason = parseDecimal(k, text)
	case Float:
		v, reason = parseFloat(text)
	case Date, DateTime, Time:
		v, reason = parseMoment(k, text)
	default:
		reason = "there is no such kind"
	}
	if reason != "" {
		return Value{}, &Error{Kind: k, Text: lexical, Reason: reason}
	}
	return v, nil
}

// Kind is the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// String is the canonical text of the value: the same text for the same value, which Parse
// reads again. It is that of the specification's canonical mappings (3.3) with one
// exception: a Float is the shortest text that gives it again, as JSON and JavaScript
// write it (0.1, 1e-30, 1e+21), or INF, -INF or NaN. An Integer has neither + nor leading zeros,
// a Decimal no zeros that do not count and no point when it is whole (12, 0.5). Dates and
// times keep their time zone, with Z for +00:00.
func (v Value) String() string { return v.text }

// Compare compares v with w: order is negative when v is before w, 0 when they are equal,
// positive otherwise. ok is false where there is no order: for NaN, for kinds of which
// not both are numbers, for a date and a time. Wherever ok is true for all pairs, the order is total.
//
// Numbers are compared as the numbers that they are: the Decimal 0.1 is a little less than
// the Float 0.1, which stands for 0.1000000000000000055…. Who wants a decimal to be
// converted first, as SPARQL does, compares what Float64 gives.
//
// Dates and times are compared by when they are or begin, and one without time zone as if
// it were UTC. The specification (3.3.7) leaves such a pair undecided where it lies within
// 14 hours; sorting needs an order. Times are those of one day (3.3.8): 01:00:00+05:00 is before 00:00:00Z.
func (v Value) Compare(w Value) (order int, ok bool) {
	switch {
	case v.kind.numeric() && w.kind.numeric():
		return compareNumbers(v, w)
	case v.kind != w.kind:
		return 0, false
	case v.kind == String:
		return strings.Compare(v.text, w.text), true
	case v.kind == Boolean:
		return cmp.Compare(v.bits, w.bits), true
	}
	return compareMoments(v, w), true
}

// Equal reports whether the values are comparable and equal. NaN equals nothing.
func (v Value) Equal(w Value) bool {
	order, ok := v.Compare(w)
	return ok && order == 0
}

// Int64 is the value of an Integer, or of a Decimal that is whole. ok is false for any
// other value, and where 64 bits do not hold it.
func (v Value) Int64() (n int64, ok bool) {
	if v.kind != Integer && v.kind != Decimal {
		return 0, false
	}
	return smallInteger(v.text)
}

// Float64 is the double that is nearest to a number: infinite for an Integer or a
// Decimal beyond its range. ok is false for a value that is no number; NaN is one here.
func (v Value) Float64() (f float64, ok bool) {
	switch v.kind {
	case Float:
		return math.Float64frombits(v.bits), true
	case Integer, Decimal:
		return nearest(v.text), true
	}
	return 0, false
}

// Bool is the value of a Boolean. ok is false for any other value.
func (v Value) Bool() (b, ok bool) { return v.bits == 1, v.kind == Boolean }

// parseBoolean reads a boolean (3.3.2).
func parseBoolean(text string) (v Value, reason string) {
	switch text {
	case "true", "1":
		return Value{kind: Boolean, bits: 1, text: "true"}, ""
	case "false", "0":
		return Value{kind: Boolean, text: "false"}, ""
	}
	return v, "write true or false"
}
