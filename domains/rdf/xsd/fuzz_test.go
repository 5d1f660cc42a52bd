package xsd_test

import (
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// seeds are texts with something to get wrong.
var seeds = []literal{
	{xsd.String, " a"}, {xsd.Boolean, "1"}, {xsd.Integer, "-007"}, {xsd.Integer, "9007199254740993"}, {xsd.Decimal, "+.50"}, {xsd.Decimal, "0.1"},
	{xsd.Float, "0.1"}, {xsd.Float, "NaN"}, {xsd.Float, "-1e-7"}, {xsd.Float, "1" + strings.Repeat("0", 310) + "e-310"}, {xsd.Float, "9007199254740993"},
	{xsd.Date, "-0004-02-29+14:00"}, {xsd.Date, "99999999999999999999-12-31-14:00"}, {xsd.DateTime, "-0001-12-31T24:00:00-00:00"},
	{xsd.DateTime, "2000-01-01T00:00:00.10+01:00"}, {xsd.DateTime, "999999999999999999-12-31T23:59:59.9-01:00"}, {xsd.Time, "24:00:00"}, {xsd.Time, "00:00:00.5+05:00"},
}

// FuzzParse holds that no text makes Parse panic, and that the canonical text of a value
// is read as the same value with the same text.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(uint8(s.kind), s.text)
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		k := xsd.Kind(kind % 9)
		v, err := xsd.Parse(k, text)
		if err != nil {
			if len(err.Error()) > 600 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		w, err := xsd.Parse(k, v.String())
		if err != nil {
			t.Fatalf("the canonical text %q of %q is not read: %v", v, text, err)
		}
		if v != w || v.Equal(w) != (v.String() != "NaN" || k == xsd.String) {
			t.Errorf("%q is %#v, its canonical text %#v", text, v, w)
		}
	})
}

// FuzzCompare holds that the order is one: the same from both sides, transitive, and
// there for all values of a kind except NaN, and for all numbers.
func FuzzCompare(f *testing.F) {
	for i, a := range seeds {
		b, c := seeds[(i+1)%len(seeds)], seeds[(i+2)%len(seeds)]
		f.Add(uint8(a.kind), a.text, uint8(b.kind), b.text, uint8(c.kind), c.text)
	}
	f.Fuzz(func(t *testing.T, k uint8, a string, l uint8, b string, m uint8, c string) {
		var values [3]xsd.Value
		for i, x := range []literal{{xsd.Kind(k % 8), a}, {xsd.Kind(l % 8), b}, {xsd.Kind(m % 8), c}} {
			v, err := xsd.Parse(x.kind, x.text)
			if err != nil {
				return
			}
			values[i] = v
		}
		checkOrder(t, values)
	})
}

// checkOrder checks what holds of the order of any three values.
func checkOrder(t *testing.T, values [3]xsd.Value) {
	t.Helper()
	var orders [3][3]int
	var ok [3][3]bool
	for i, v := range values {
		for j, w := range values {
			orders[i][j], ok[i][j] = v.Compare(w)
			orders[i][j] = sign(orders[i][j])
			numbers := isNumber(v) && isNumber(w)
			nan := isNumber(v) && v.String() == "NaN" || isNumber(w) && w.String() == "NaN"
			if want := (v.Kind() == w.Kind() || numbers) && !nan; ok[i][j] != want {
				t.Errorf("%s %q and %s %q are comparable: %t", v.Kind(), v, w.Kind(), w, !want)
			}
		}
	}
	for i, v := range values {
		for j, w := range values {
			if ok[i][j] && orders[i][j] != -orders[j][i] {
				t.Errorf("%s %q compared with %s %q: %d, and %d from the other side", v.Kind(), v, w.Kind(), w, orders[i][j], orders[j][i])
			}
			for k := range values {
				if ok[i][j] && ok[j][k] && orders[i][j] <= 0 && orders[j][k] <= 0 && (orders[i][k] > 0 || orders[i][k] == 0 && orders[i][j]+orders[j][k] < 0) {
					t.Errorf("%v: %q ≤ %q ≤ %q, but not the first and the last", orders, v, w, values[k])
				}
			}
		}
	}
}

func isNumber(v xsd.Value) bool { _, ok := v.Float64(); return ok }
