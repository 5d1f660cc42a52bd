package xsd_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// TestParse holds what is read of each kind, and its canonical text: examples of XML
// Schema 1.1 Part 2, section 3.3, and what lies at their edges.
func TestParse(t *testing.T) {
	for kind, texts := range map[xsd.Kind][][2]string{
		xsd.String:  {{"", ""}, {" a ", " a "}, {"\x00", "\x00"}},
		xsd.Boolean: {{"true", "true"}, {"1", "true"}, {"false", "false"}, {"0", "false"}, {"\t true\n", "true"}},
		xsd.Integer: {
			{"1", "1"}, {"0", "0"}, {"12678967543233", "12678967543233"}, {"+100000", "100000"}, {"-1", "-1"}, {"-0", "0"}, {"+0", "0"},
			{"007", "7"}, {"-007", "-7"}, {"+007", "7"}, {"000", "0"}, {" 3 ", "3"}, {"12345678901234567890", "12345678901234567890"},
		},
		xsd.Decimal: {
			{"-1.23", "-1.23"}, {"12678967.543233", "12678967.543233"}, {"+100000.00", "100000"}, {"210", "210"}, {"210.", "210"}, {".5", "0.5"},
			{"-.50", "-0.5"}, {"0.0", "0"}, {"-0.0", "0"}, {"007.10", "7.1"}, {"+1.0", "1"}, {"-1.0", "-1"}, {"+1.5", "1.5"}, {"00.50", "0.5"},
			{"-12.", "-12"}, {"100", "100"}, {"-100.010", "-100.01"},
		},
		xsd.Float: {
			{"-1E4", "-10000"}, {"1267.43233E12", "1267432330000000"}, {"12.78e-2", "0.1278"}, {"12", "12"}, {"-0", "-0"}, {"0", "0"}, {"INF", "INF"},
			{"+INF", "INF"}, {"-INF", "-INF"}, {"NaN", "NaN"}, {"1e-30", "1e-30"}, {".5E+1", "5"}, {"5.", "5"}, {"+1.", "1"}, {"0.1", "0.1"},
			{"1e21", "1e+21"}, {"1e20", "100000000000000000000"}, {"0.000001", "0.000001"}, {"1e-7", "1e-7"}, {"1.5e-10", "1.5e-10"},
			{"5e-324", "5e-324"}, {"1e-400", "0"}, {"-1e-400", "-0"}, {"1e400", "INF"}, {"-1e400", "-INF"}, {"1e99999999999999999999", "INF"},
			{"1e-99999999999999999999", "0"}, {"0e99999999999999999999", "0"}, {"9007199254740993", "9007199254740992"},
			{"1" + strings.Repeat("0", 200_000) + "e-200000", "1"}, {"0." + strings.Repeat("0", 199_999) + "15e200000", "1.5"},
			{"9007199254740993." + strings.Repeat("0", 10_000) + "1", "9007199254740994"},
		},
		xsd.Date: {
			{"2002-09-24", "2002-09-24"}, {"2002-09-24Z", "2002-09-24Z"}, {"2002-09-24-06:00", "2002-09-24-06:00"}, {"2002-09-24+00:00", "2002-09-24Z"},
			{"2002-09-24-00:00", "2002-09-24Z"}, {"2000-02-29", "2000-02-29"}, {"2024-02-29", "2024-02-29"}, {"0000-02-29", "0000-02-29"},
			{"-0004-02-29", "-0004-02-29"}, {"-0000-01-01", "0000-01-01"}, {"-0001-12-31", "-0001-12-31"}, {"12024-01-01", "12024-01-01"},
			{"2002-10-10+13:00", "2002-10-10+13:00"}, {"2002-10-10+14:00", "2002-10-10+14:00"}, {"2002-10-10-14:00", "2002-10-10-14:00"},
			{strings.Repeat("9", 30) + "6-02-29", strings.Repeat("9", 30) + "6-02-29"},
		},
		xsd.DateTime: {
			{"2002-10-10T12:00:00-05:00", "2002-10-10T12:00:00-05:00"}, {"2002-10-10T17:00:00Z", "2002-10-10T17:00:00Z"}, {"2002-10-10T12:00:00", "2002-10-10T12:00:00"},
			{"2000-01-15T24:00:00", "2000-01-16T00:00:00"}, {"1999-12-31T24:00:00", "2000-01-01T00:00:00"}, {"1999-12-31T24:00:00.000Z", "2000-01-01T00:00:00Z"},
			{"2000-02-29T24:00:00", "2000-03-01T00:00:00"}, {"1900-02-28T24:00:00+01:00", "1900-03-01T00:00:00+01:00"}, {"9999-12-31T24:00:00", "10000-01-01T00:00:00"},
			{"-0001-12-31T24:00:00", "0000-01-01T00:00:00"}, {"-10000-12-31T24:00:00", "-9999-01-01T00:00:00"},
			{"2002-10-10T12:00:00.500", "2002-10-10T12:00:00.5"}, {"2002-10-10T12:00:00.0", "2002-10-10T12:00:00"}, {"2002-10-10T12:00:00.1234567890123", "2002-10-10T12:00:00.1234567890123"},
		},
		xsd.Time: {
			{"13:20:00-05:00", "13:20:00-05:00"}, {"13:20:30.5555", "13:20:30.5555"}, {"13:20:00Z", "13:20:00Z"}, {"24:00:00", "00:00:00"}, {"00:00:00+00:00", "00:00:00Z"},
			{" 12:00:00.10 ", "12:00:00.1"},
		},
	} {
		for _, text := range texts {
			v, err := xsd.Parse(kind, text[0])
			if err != nil {
				t.Errorf("Parse(%s, %.60q): %v", kind, text[0], err)
			} else if v.String() != text[1] || v.Kind() != kind {
				t.Errorf("Parse(%s, %.60q) = %s %.60q, want %.60q", kind, text[0], v.Kind(), v, text[1])
			}
		}
	}
}

// TestParseRefuses holds what is not read.
func TestParseRefuses(t *testing.T) {
	for kind, texts := range map[xsd.Kind][]string{
		xsd.Boolean: {"", "True", "TRUE", "yes", "01", "t"},
		xsd.Integer: {"", "+", "-", "1.0", "1.", "1e3", "--1", "0x10", "1_000", "1 000", "٣", "NaN", "1/"},
		xsd.Decimal: {"", ".", "-.", "1e3", "1.2.3", "INF", "1,5", "+-1", "1.5E0"},
		xsd.Float:   {"", ".", "e5", "1e", "1e+", "1e1.5", "inf", "Inf", "-NaN", "+NaN", "nan", "Infinity", "0x1p-2", "1_0", "1f", "++1", "1e5 5", "INFINITY", "-"},
		xsd.Date: {
			"", "2002-9-24", "02-09-24", "2002-02-29", "1900-02-29", "2002-13-01", "2002-00-01", "2002-01-00", "2002-04-31", "02002-01-01", "+2002-01-01",
			"2002-01-01T00:00:00", "2002-01-01+14:01", "2002-01-01-15:00", "2002-01-01+1:00", "2002-01-01+13:60", "2002-01-01z", "2002-01-01+", "2002/01/01", "-2002-01", "20020101",
		},
		xsd.DateTime: {
			"2002-10-10", "2002-10-10T12:00", "2002-10-10 12:00:00", "2002-10-10T24:00:01", "2002-10-10T24:01:00", "2002-10-10T24:00:00.1", "2002-10-10T25:00:00",
			"2002-10-10T12:60:00", "2002-10-10T12:00:60", "2002-10-10T12:00:00.", "2002-10-10T12:00:00.Z", "2002-10-10T12:00:00,5", "2002-10-10t12:00:00Z", "2002-10-10T", "2002-10-10T12:00:00ZZ",
		},
		xsd.Time: {"", "12:00", "24:00:01", "12:00:00+14:30", "12:00:00.", "1:00:00", "-12:00:00", "T12:00:00"},
		99:       {"", "a"},
	} {
		for _, text := range texts {
			v, err := xsd.Parse(kind, text)
			var e *xsd.Error
			if !errors.As(err, &e) {
				t.Errorf("Parse(%s, %q) = %q, %v, want an *Error", kind, text, v, err)
			} else if e.Kind != kind || e.Text != text || e.Reason == "" || v != (xsd.Value{}) {
				t.Errorf("Parse(%s, %q) = %v, %#v", kind, text, v, e)
			}
		}
	}
}

// TestError holds the words of an error: short, whatever the literal.
func TestError(t *testing.T) {
	for text, want := range map[string]string{
		"12.5":                   `"12.5" is no integer: write digits only, such as 12 or -3`,
		"a\n" + "b":              `"a\nb" is no integer: write digits only, such as 12 or -3`,
		strings.Repeat("é", 999): `"` + strings.Repeat("é", 40) + `…" is no integer: write digits only, such as 12 or -3`,
	} {
		_, err := xsd.Parse(xsd.Integer, text)
		if err == nil || err.Error() != want {
			t.Errorf("Parse(integer, %.20q): %v, want %s", text, err, want)
		}
	}
}

// TestKindOf holds the kinds of datatypes.
func TestKindOf(t *testing.T) {
	const ns = "http://www.w3.org/2001/XMLSchema#"
	for datatype, want := range map[string]xsd.Kind{
		"": xsd.String, "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString": xsd.String, ns + "string": xsd.String, ns + "anyURI": xsd.String,
		ns + "boolean": xsd.Boolean, ns + "integer": xsd.Integer, ns + "unsignedByte": xsd.Integer, ns + "nonNegativeInteger": xsd.Integer,
		ns + "decimal": xsd.Decimal, ns + "float": xsd.Float, ns + "double": xsd.Float, ns + "date": xsd.Date, ns + "dateTime": xsd.DateTime,
		ns + "dateTimeStamp": xsd.DateTime, ns + "time": xsd.Time,
	} {
		if k, ok := xsd.KindOf(datatype); k != want || !ok {
			t.Errorf("KindOf(%s) = %s, %t, want %s", datatype, k, ok, want)
		}
	}
	for _, datatype := range []string{ns + "duration", ns + "gYear", ns + "hexBinary", ns, ns + "Integer", "integer", "https://schema.org/Text", "http://www.w3.org/1999/02/22-rdf-syntax-ns#HTML"} {
		if k, ok := xsd.KindOf(datatype); k != xsd.String || ok {
			t.Errorf("KindOf(%s) = %s, %t, want string, false", datatype, k, ok)
		}
	}
}
