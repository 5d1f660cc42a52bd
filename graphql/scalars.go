package graphql

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// mostExact is the greatest number up to which every whole number is a JSON number that
// all readers read exactly (RFC 8259, section 6).
const mostExact = 1<<53 - 1

// scalarNames are the scalars by their names in a schema.
var scalarNames = [...]string{String: "String", Int: "Int", Long: "Long", Decimal: "Decimal", Float: "Float",
	Boolean: "Boolean", Date: "Date", DateTime: "DateTime", Time: "Time"}

// scalarKinds are the kinds of the values of scalars.
var scalarKinds = [...]xsd.Kind{String: xsd.String, Int: xsd.Integer, Long: xsd.Integer, Decimal: xsd.Decimal, Float: xsd.Float,
	Boolean: xsd.Boolean, Date: xsd.Date, DateTime: xsd.DateTime, Time: xsd.Time}

// appendScalar appends the text of a literal as the JSON value of a scalar. ok is false,
// and nothing appended, when the text does not fit the scalar.
func appendScalar(b []byte, s Scalar, lexical string) (out []byte, ok bool) {
	switch s {
	case Int, Long:
		return appendWhole(b, s, lexical)
	case Decimal, Float, Boolean:
		v, err := xsd.Parse(scalarKinds[s], lexical)
		if err != nil {
			return b, false
		}
		if s == Decimal {
			return appendString(b, v.String()), true
		}
		if f, is := v.Float64(); is && (math.IsInf(f, 0) || math.IsNaN(f)) {
			return b, false
		}
		return append(b, v.String()...), true
	case Date, DateTime, Time:
		if _, err := xsd.Parse(scalarKinds[s], lexical); err != nil {
			return b, false
		}
	}
	return appendString(b, lexical), true
}

// appendWhole appends an Int or a Long. What strconv reads is a subset of what an
// integer's text may be, and so most literals need no more than that.
func appendWhole(b []byte, s Scalar, lexical string) ([]byte, bool) {
	n, err := strconv.ParseInt(lexical, 10, 64)
	if err != nil {
		v, err := xsd.Parse(xsd.Integer, lexical)
		if err != nil {
			return b, false
		}
		small, ok := v.Int64()
		if !ok {
			if s == Int {
				return b, false
			}
			return appendString(b, v.String()), true
		}
		n = small
	}
	switch {
	case s == Int && (n < math.MinInt32 || n > math.MaxInt32):
		return b, false
	case s == Long && (n < -mostExact || n > mostExact):
		b = strconv.AppendInt(append(b, '"'), n, 10)
		return append(b, '"'), true
	}
	return strconv.AppendInt(b, n, 10), true
}

// unfit says that a literal does not fit.
func unfit(s Scalar, lexical string) string {
	if utf8.RuneCountInString(lexical) > mostShown {
		lexical = string([]rune(lexical)[:mostShown-1]) + "…"
	}
	article := "a"
	if s == Int {
		article = "an"
	}
	return fmt.Sprintf("The value %s is not %s %s.", text(strings.ToValidUTF8(lexical, "\uFFFD")), article, scalarNames[s])
}

// mostShown is how many code points of a literal are repeated in an error.
const mostShown = 80
