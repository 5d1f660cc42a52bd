package xsd_test

import (
	"math"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// parse reads a text that has to be good.
func parse(t testing.TB, k xsd.Kind, text string) xsd.Value {
	t.Helper()
	v, err := xsd.Parse(k, text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// literal is a value as a test writes it.
type literal struct {
	kind xsd.Kind
	text string
}

// TestCompare holds orders: each list ascends, and what stands in one group is equal.
func TestCompare(t *testing.T) {
	of := func(k xsd.Kind, groups ...string) (out [][]literal) {
		for _, g := range groups {
			var group []literal
			for text := range strings.SplitSeq(g, " = ") {
				group = append(group, literal{k, text})
			}
			out = append(out, group)
		}
		return out
	}
	long := strings.Repeat("9", 25)
	for name, groups := range map[string][][]literal{
		"strings":  of(xsd.String, "", "A", "a", "ab", "b", "é", "\uffff", "😀"),
		"booleans": of(xsd.Boolean, "false = 0", "true = 1"),
		"integers": of(xsd.Integer, "-100", "-99", "-10", "-9", "-1", "0 = -0 = 00", "1 = +01", "2", "10", "9223372036854775807", "9223372036854775808", long),
		"decimals": of(xsd.Decimal, "-10.5", "-10.45", "-10", "-0.5", "-0.49", "0 = -0.0", "0.049", "0.05", "0.5 = .50", "1 = 1.0", "1.05", "1.5", "10", long+".1", long+".11"),
		"floats":   of(xsd.Float, "-INF", "-1e300", "-1", "0 = -0", "5e-324", "1e-30", "1", "1e300", "INF = 1e999"),
		"numbers": {
			{{xsd.Float, "-INF"}}, {{xsd.Integer, "-1" + strings.Repeat("0", 400)}}, {{xsd.Float, "-1e300"}},
			{{xsd.Decimal, "-0.5"}, {xsd.Float, "-0.5"}},
			{{xsd.Integer, "0"}, {xsd.Decimal, "0.0"}, {xsd.Float, "-0"}},
			{{xsd.Decimal, "0." + strings.Repeat("0", 400) + "1"}}, {{xsd.Float, "5e-324"}},
			{{xsd.Decimal, "0.1"}}, {{xsd.Decimal, "0.1000000000000000055511151231257827021181583404541015625"}, {xsd.Float, "0.1"}}, {{xsd.Decimal, "0.10000000000000000556"}},
			{{xsd.Integer, "9007199254740992"}, {xsd.Float, "9007199254740993"}}, {{xsd.Integer, "9007199254740993"}},
			{{xsd.Float, "1e300"}}, {{xsd.Decimal, "1" + strings.Repeat("0", 400)}}, {{xsd.Float, "INF"}},
		},
		"dates": of(xsd.Date, "-10000-01-01", "-9999-12-31", "-0001-12-31", "0000-01-01 = -0000-01-01", "0001-01-01", "1999-12-31+14:00", "1999-12-31 = 1999-12-31Z",
			"2000-01-01+13:00", "1999-12-31-12:00", "2000-01-01", "2000-02-29", "2000-03-01", "10000-01-01", "1"+long+"-01-01", "1"+long+"-01-02"),
		"long years": of(xsd.DateTime, "-1"+long+"-01-01T00:00:00", "-"+long+"-12-31T24:00:00 = -"+long[1:]+"8-01-01T00:00:00", "-"+long[1:]+"8-01-01T00:00:00.5", "0000-01-01T00:00:00",
			"999999999999999999-12-31T24:00:00Z = 1000000000000000000-01-01T00:00:00", long+"-12-31T23:59:59.9", long+"-12-31T23:00:00-01:00 = "+long+"-12-31T24:00:00 = 1"+strings.Repeat("0", 25)+"-01-01T01:00:00+01:00",
			"1"+strings.Repeat("0", 25)+"-01-01T00:00:00.1", "2"+strings.Repeat("0", 25)+"-01-01T00:00:00"),
		"dateTimes": of(xsd.DateTime, "-0001-12-31T23:00:00", "-0001-12-31T23:00:00-01:00 = 0000-01-01T00:00:00 = -0001-12-31T24:00:00", "0000-12-31T23:59:59", "2000-01-01T01:00:00+01:01", "2000-01-01T01:00:00+01:00 = 2000-01-01T00:00:00 = 1999-12-31T23:00:00-01:00",
			"2000-01-15T12:00:00", "2000-01-15T24:00:00 = 2000-01-16T00:00:00Z", "2000-02-29T23:59:59", "2000-12-31T23:59:59.99", "2000-12-31T23:59:59.999 = 2000-12-31T23:59:59.9990", "2002-10-10T12:00:00-05:00 = 2002-10-10T17:00:00Z"),
		"times": of(xsd.Time, "01:00:00+05:00", "00:00:00Z = 00:00:00 = 24:00:00 = 01:00:00+01:00", "12:00:00", "12:00:00.0001", "12:00:00.5", "12:00:01", "23:59:59", "23:59:59-00:01"),
	} {
		for i, g := range groups {
			for _, a := range g {
				for j, h := range groups {
					for _, b := range h {
						v, w := parse(t, a.kind, a.text), parse(t, b.kind, b.text)
						order, ok := v.Compare(w)
						if !ok || sign(order) != sign(i-j) || v.Equal(w) != (i == j) {
							t.Errorf("%s: %s %.40s compared with %s %.40s: %d, %t, want %d", name, a.kind, a.text, b.kind, b.text, order, ok, sign(i-j))
						}
					}
				}
			}
		}
	}
}

func sign(n int) int { return max(-1, min(1, n)) }

// TestCompareNot holds what has no order.
func TestCompareNot(t *testing.T) {
	one := []literal{
		{xsd.String, "1"}, {xsd.Boolean, "1"}, {xsd.Float, "NaN"}, {xsd.Date, "2000-01-01"}, {xsd.DateTime, "2000-01-01T00:00:00"}, {xsd.Time, "00:00:00"}, {xsd.Integer, "1"},
	}
	for i, a := range one {
		for j, b := range one {
			v, w := parse(t, a.kind, a.text), parse(t, b.kind, b.text)
			_, ok := v.Compare(w)
			if want := i == j && a.text != "NaN"; ok != want || v.Equal(w) != want {
				t.Errorf("%s %s is comparable with %s %s: %t, want %t", a.kind, v, b.kind, w, ok, want)
			}
		}
	}
	nan := parse(t, xsd.Float, "NaN")
	for _, w := range []xsd.Value{parse(t, xsd.Decimal, "0.5"), parse(t, xsd.Float, "INF")} {
		if _, ok := nan.Compare(w); ok {
			t.Errorf("NaN is comparable with %s", w)
		}
		if _, ok := w.Compare(nan); ok {
			t.Errorf("%s is comparable with NaN", w)
		}
	}
}

// TestNumbers holds what values are as Go's numbers.
func TestNumbers(t *testing.T) {
	type want struct {
		n      int64
		isInt  bool
		f      float64
		number bool
	}
	for l, w := range map[literal]want{
		{xsd.Integer, "9223372036854775807"}:          {math.MaxInt64, true, 1 << 63, true},
		{xsd.Integer, "-9223372036854775808"}:         {math.MinInt64, true, -1 << 63, true},
		{xsd.Integer, "9223372036854775808"}:          {0, false, 1 << 63, true},
		{xsd.Integer, "-0"}:                           {0, true, 0, true},
		{xsd.Decimal, "12.00"}:                        {12, true, 12, true},
		{xsd.Decimal, "12.5"}:                         {0, false, 12.5, true},
		{xsd.Decimal, "1" + strings.Repeat("0", 400)}: {0, false, math.Inf(1), true},
		{xsd.Float, "12"}:                             {0, false, 12, true},
		{xsd.Float, "-INF"}:                           {0, false, math.Inf(-1), true},
		{xsd.String, "12"}:                            {},
		{xsd.Boolean, "1"}:                            {},
		{xsd.Time, "12:00:00"}:                        {},
	} {
		v := parse(t, l.kind, l.text)
		n, isInt := v.Int64()
		f, number := v.Float64()
		if !isInt {
			n = 0
		}
		if got := (want{n, isInt, f, number}); got != w {
			t.Errorf("%s %.40s: %v, want %v", l.kind, l.text, got, w)
		}
	}
	for l, w := range map[literal][2]bool{{xsd.Boolean, "1"}: {true, true}, {xsd.Boolean, "false"}: {false, true}, {xsd.Integer, "1"}: {false, false}} {
		b, ok := parse(t, l.kind, l.text).Bool()
		if ok != w[1] || ok && b != w[0] {
			t.Errorf("%s %s: %t, %t, want %v", l.kind, l.text, b, ok, w)
		}
	}
}
