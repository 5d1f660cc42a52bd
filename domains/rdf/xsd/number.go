package xsd

import (
	"cmp"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// The reasons for which texts are no numbers.
const (
	notInteger = "write digits only, such as 12 or -3"
	notDecimal = "write digits with at most one point, such as 12 or -0.5, and no exponent"
	notFloat   = "write a number such as 12, -0.5 or 1e-30, or INF, -INF or NaN"
)

// numeral is a number without exponent: the digits before the point and after it.
type numeral struct {
	negative        bool
	whole, fraction string
	rest            string // what comes after it
	point           bool
}

// scanNumeral splits a text; of whole and fraction both may be empty.
func scanNumeral(text string) (n numeral) {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		n.negative = text[0] == '-'
		text = text[1:]
	}
	n.whole, text = digits(text)
	if text != "" && text[0] == '.' {
		n.point = true
		n.fraction, text = digits(text[1:])
	}
	n.rest = text
	return n
}

// digits splits a text after its leading decimal digits.
func digits(text string) (run, rest string) {
	i := 0
	for i < len(text) && text[i]-'0' <= 9 {
		i++
	}
	return text[:i], text[i:]
}

// parseDecimal reads a decimal (3.3.3) or an integer (3.4.13).
func parseDecimal(k Kind, text string) (v Value, reason string) {
	n := scanNumeral(text)
	good := n.rest == "" && n.whole+n.fraction != ""
	switch {
	case k == Integer && (!good || n.point):
		return v, notInteger
	case !good:
		return v, notDecimal
	}
	v = Value{kind: k, text: n.canonical(text)}
	if small, ok := shortInteger(v.text); ok {
		v.second, v.bits = isSmall, uint64(small)
	}
	return v, ""
}

// isSmall is the second of an Integer or Decimal whose value bits holds.
const isSmall = 1

// shortInteger is the value of the canonical text of a whole number with at most 18
// digits. It is for speed: such numbers are most of all, and are compared often.
func shortInteger(text string) (n int64, ok bool) {
	run := strings.TrimPrefix(text, "-")
	if len(run) > 18 {
		return 0, false
	}
	for i := range len(run) {
		if run[i] == '.' {
			return 0, false
		}
		n = n*10 + int64(run[i]-'0')
	}
	if len(run) < len(text) {
		n = -n
	}
	return n, true
}

// canonical is the canonical text of a number that was read from a text: a part of that
// text where it can be.
func (n numeral) canonical(text string) string {
	whole := strings.TrimLeft(n.whole, "0")
	fraction := strings.TrimRight(n.fraction, "0")
	switch {
	case whole == "" && fraction == "":
		return "0"
	case !n.negative && fraction == "":
		return whole
	case len(whole) > 0 && len(whole) == len(n.whole) && text[0] != '+':
		return strings.TrimSuffix(text[:len(text)-len(n.fraction)+len(fraction)], ".")
	}
	out := make([]byte, 0, len(text)+1)
	if n.negative {
		out = append(out, '-')
	}
	if whole == "" {
		whole = "0"
	}
	out = append(out, whole...)
	if fraction != "" {
		out = append(append(out, '.'), fraction...)
	}
	return string(out)
}

// smallInteger is the value of the canonical text of a whole number that 64 bits hold.
func smallInteger(text string) (n int64, ok bool) {
	const longest = len("-9223372036854775808")
	if len(text) > longest {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// parseFloat reads a double (3.3.5, also for float, 3.3.4).
func parseFloat(text string) (v Value, reason string) {
	switch text {
	case "INF", "+INF":
		return floatValue(math.Inf(1)), ""
	case "-INF":
		return floatValue(math.Inf(-1)), ""
	case "NaN":
		return floatValue(math.NaN()), ""
	}
	n := scanNumeral(text)
	if n.whole == "" && n.fraction == "" {
		return v, notFloat
	}
	exponent := n.rest
	if exponent != "" {
		if exponent[0] != 'e' && exponent[0] != 'E' {
			return v, notFloat
		}
		e := scanNumeral(exponent[1:])
		if e.whole == "" || e.point || e.rest != "" {
			return v, notFloat
		}
	}
	return floatValue(n.float(text)), ""
}

// floatValue is the value of a float.
func floatValue(f float64) Value {
	v := Value{kind: Float, bits: math.Float64bits(f)}
	switch a := math.Abs(f); {
	case math.IsNaN(f):
		v.text = "NaN"
	case math.IsInf(f, 1):
		v.text = "INF"
	case math.IsInf(f, -1):
		v.text = "-INF"
	case a != 0 && (a < 1e-6 || a >= 1e21):
		v.text = shortExponent(strconv.FormatFloat(f, 'e', -1, 64))
	default:
		v.text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return v
}

// shortExponent takes the zero out of 1e-07.
func shortExponent(text string) string {
	if i := len(text) - 2; i > 2 && text[i] == '0' && text[i-2] == 'e' {
		return text[:i] + text[i+1:]
	}
	return text
}

const (
	// safeLength is how long a text may be for strconv.ParseFloat to read it exactly: it
	// stops reading an exponent at five digits, which many digits could make up for.
	safeLength = 300
	// maxDigits is how many digits decide which double is nearest; beyond them it only
	// matters whether there is one that is not 0. 767 are enough.
	maxDigits = 800
)

// float is the double nearest to a number that was read from a text, with the exponent
// that n.rest holds.
func (n numeral) float(text string) float64 {
	if len(text) > safeLength {
		text = n.shortened()
	}
	f, _ := strconv.ParseFloat(text, 64) // the error says that it is infinite
	return f
}

// shortened is a short text of a number to which the same double is nearest.
func (n numeral) shortened() string {
	exponent := 0
	if n.rest != "" {
		e := scanNumeral(n.rest[1:])
		exponent = clamp(strings.TrimLeft(e.whole, "0"))
		if e.negative {
			exponent = -exponent
		}
	}
	out := make([]byte, 0, maxDigits+24)
	if n.negative {
		out = append(out, '-')
	}
	start := len(out)
	more := false // a digit that is not 0 was passed over
	exponent += len(n.whole)
	add := func(text string) {
		if len(out) == start {
			short := strings.TrimLeft(text, "0")
			exponent -= len(text) - len(short)
			text = short
		}
		room := min(len(text), maxDigits-(len(out)-start))
		out = append(out, text[:room]...)
		more = more || strings.Trim(text[room:], "0") != ""
	}
	out = append(out, "0."...)
	start = len(out)
	add(n.whole)
	add(n.fraction)
	if more {
		out = append(out, '1')
	}
	if len(out) == start {
		return string(append(out, '0'))
	}
	return string(strconv.AppendInt(append(out, 'e'), int64(max(-9999, min(9999, exponent))), 10))
}

// clamp is the value of digits without leading zeros, at most a number that no text's
// length reaches.
func clamp(digits string) int {
	const most = 1 << (bits.UintSize - 3)
	if n, err := strconv.Atoi(digits); err == nil && n < most {
		return n
	}
	if digits == "" {
		return 0
	}
	return most
}

// nearest is the double nearest to a number whose canonical text is given.
func nearest(text string) float64 { return scanNumeral(text).float(text) }

// compareNumbers compares two numbers, exactly. ok is false for NaN.
func compareNumbers(v, w Value) (order int, ok bool) {
	switch {
	case v.kind != Float && w.kind != Float && v.second == isSmall && w.second == isSmall:
		return cmp.Compare(int64(v.bits), int64(w.bits)), true
	case v.kind == Float && w.kind == Float:
		f, g := math.Float64frombits(v.bits), math.Float64frombits(w.bits)
		return cmp.Compare(f, g), !math.IsNaN(f) && !math.IsNaN(g)
	case v.kind == Float:
		order, ok = compareFloat(math.Float64frombits(v.bits), w.text)
		return order, ok
	case w.kind == Float:
		order, ok = compareFloat(math.Float64frombits(w.bits), v.text)
		return -order, ok
	}
	return compareDecimals(v.text, w.text), true
}

// compareFloat compares a double with the canonical text of a decimal. Which double is
// nearest to the decimal decides, unless it is the same one: rounding keeps the order.
func compareFloat(f float64, decimal string) (order int, ok bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case math.IsInf(f, 0):
		return cmp.Compare(f, 0), true
	}
	if g := nearest(decimal); f != g {
		return cmp.Compare(f, g), true
	}
	const places = 1074 // no double has more
	exact := strconv.FormatFloat(f, 'f', places, 64)
	return compareDecimals(scanNumeral(exact).canonical(exact), decimal), true
}

// compareDecimals compares two canonical texts of decimals.
func compareDecimals(a, b string) int {
	aLess, bLess := a[0] == '-', b[0] == '-'
	switch {
	case aLess && bLess:
		return compareMagnitudes(b[1:], a[1:])
	case aLess:
		return -1
	case bLess:
		return 1
	}
	return compareMagnitudes(a, b)
}

// compareMagnitudes compares two canonical texts of decimals without sign.
func compareMagnitudes(a, b string) int {
	aWhole, aFraction, _ := strings.Cut(a, ".")
	bWhole, bFraction, _ := strings.Cut(b, ".")
	return cmp.Or(
		cmp.Compare(len(aWhole), len(bWhole)),
		strings.Compare(aWhole, bWhole),
		strings.Compare(aFraction, bFraction), // the longer is greater: it has no zeros at its end
	)
}
