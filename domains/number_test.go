package domains_test

import (
	"testing"

	"github.com/ontogate/ontogate/domains"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 999: "999", 1000: "1,000", -1: "-1", -999: "-999", -1000: "-1,000", 1234567: "1,234,567",
		-1234567: "-1,234,567",
	} {
		if got := domains.Number(n); got != want {
			t.Errorf("Number(%d) = %s, want %s", n, got, want)
		}
	}
}
