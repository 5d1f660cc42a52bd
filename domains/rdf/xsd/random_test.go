package xsd_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// TestOrderOfRandomValues holds the order over values that lie close to one another.
func TestOrderOfRandomValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, family := range []func(*rand.Rand) literal{randomNumber, randomDateTime, randomDate, randomTime} {
		for range 20_000 {
			var values [3]xsd.Value
			for i := range values {
				l := family(r)
				values[i] = parse(t, l.kind, l.text)
			}
			checkOrder(t, values)
			if t.Failed() {
				return
			}
		}
	}
}

// pick is one of some texts.
func pick(r *rand.Rand, texts ...string) string { return texts[r.IntN(len(texts))] }

func randomNumber(r *rand.Rand) literal {
	whole := pick(r, "", "-") + pick(r, "0", "1", "10", "9007199254740992", "9007199254740993", "9007199254740994", strings.Repeat("9", 30), "1"+strings.Repeat("0", 309))
	fraction := pick(r, "", ".0", ".5", ".1", ".1000000000000000055511151231257827021181583404541015625", ".10000000000000001", "."+strings.Repeat("0", 320)+"3")
	switch r.IntN(4) {
	case 0:
		return literal{xsd.Integer, whole}
	case 1:
		return literal{xsd.Decimal, whole + fraction}
	case 2:
		return literal{xsd.Float, whole + fraction + pick(r, "", "e0", "e-1", "e1", "e-310", "E300")}
	}
	return literal{xsd.Float, pick(r, "INF", "-INF", "NaN", "5e-324", "-0")}
}

func randomZone(r *rand.Rand) string {
	return pick(r, "", "Z", "+00:00", "+01:00", "-01:00", "+14:00", "-14:00", "+05:30")
}

func randomDay(r *rand.Rand) string {
	year := pick(r, "0000", "0001", "-0001", "1999", "2000", "9999", "10000", "-9999", "-10000", "999999999999999999", "1000000000000000000", "-1000000000000000000", "99999999999999999999", "100000000000000000000", "-99999999999999999999", "-100000000000000000000")
	return year + pick(r, "-01-01", "-01-02", "-12-31", "-12-30", "-02-28", "-03-01")
}

func randomDate(r *rand.Rand) literal { return literal{xsd.Date, randomDay(r) + randomZone(r)} }

func randomHour(r *rand.Rand) string {
	return pick(r, "00:00:00", "24:00:00", "23:59:59.5", "23:00:00", "01:00:00.50", "01:00:00", fmt.Sprintf("%02d:%02d:%02d", r.IntN(24), r.IntN(60), r.IntN(60)))
}

func randomTime(r *rand.Rand) literal { return literal{xsd.Time, randomHour(r) + randomZone(r)} }

func randomDateTime(r *rand.Rand) literal {
	return literal{xsd.DateTime, randomDay(r) + "T" + randomHour(r) + randomZone(r)}
}
