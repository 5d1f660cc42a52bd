package xsd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// BenchmarkParse reads usual literals, and hostile ones of 1 MB: those in ns a byte.
func BenchmarkParse(b *testing.B) {
	const size = 1 << 20
	nines := strings.Repeat("9", size)
	for _, l := range []literal{
		{xsd.Integer, "42"}, {xsd.Decimal, "1299.95"}, {xsd.Float, "1e-30"}, {xsd.Date, "2024-02-29"}, {xsd.DateTime, "2024-02-29T12:00:00.5+01:00"},
		{xsd.Integer, nines}, {xsd.Decimal, "-0" + nines + "." + nines}, {xsd.Float, nines + "e-" + nines}, {xsd.DateTime, nines + "-12-31T23:00:00." + nines},
	} {
		name := l.text
		if len(name) > 40 {
			name = fmt.Sprintf("%dMB", len(name)>>20)
		}
		b.Run(l.kind.String()+"/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(l.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := xsd.Parse(l.kind, l.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompare compares values that only their ends tell apart.
func BenchmarkCompare(b *testing.B) {
	nines := strings.Repeat("9", 1<<20)
	for name, pair := range map[string][2]literal{
		"integers":       {{xsd.Integer, "123456"}, {xsd.Integer, "123457"}},
		"mixed":          {{xsd.Integer, "123456"}, {xsd.Float, "123457"}},
		"closeDoubles":   {{xsd.Decimal, "0.1"}, {xsd.Float, "0.1"}},
		"dateTimes":      {{xsd.DateTime, "2024-02-29T12:00:00Z"}, {xsd.DateTime, "2024-02-29T12:00:00.5Z"}},
		"integers1MB":    {{xsd.Integer, nines}, {xsd.Integer, nines[1:] + "8"}},
		"mixed1MB":       {{xsd.Integer, nines}, {xsd.Float, "1e300"}},
		"years1MB":       {{xsd.Date, nines + "-01-01"}, {xsd.Date, nines + "-01-02"}},
		"fraction1MBx10": {{xsd.Decimal, "0." + strings.Repeat(nines, 10)}, {xsd.Float, "1"}},
	} {
		v, w := parse(b, pair[0].kind, pair[0].text), parse(b, pair[1].kind, pair[1].text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Compare(w)
			}
		})
	}
}
