// Package xsd reads the values that literals stand for, and compares them.
package xsd

import "errors"

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

// Value is a value.
type Value struct {
	kind Kind
	text string
}

// Parse reads the lexical form of a value.
func Parse(k Kind, lexical string) (Value, error) {
	if k != String {
		return Value{}, errors.New("not read yet")
	}
	return Value{k, lexical}, nil
}

// Kind is the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// String is the canonical text of the value.
func (v Value) String() string { return v.text }
