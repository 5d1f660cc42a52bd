package store_test

import (
	"testing"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/rdfgraph/store"
)

func TestFold(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"Jacob  Martinez ", "jacob martinez"},
		{"Service_Activation via in_person", "service activation via in person"},
		{"Überprüfung", "uberprufung"},
		{"STRASSE", "strasse"}, {"Straße", "strasse"},
		{"Łódź", "lodz"}, {"Ærøskøbing", "aeroskobing"}, {"Cœur", "coeur"}, {"İstanbul", "istanbul"}, {"ŦĦĐ", "thd"},
		{"O'Brien", "obrien"}, {"O’Brien", "obrien"},
		{"ﬁnance ①", "finance 1"},
		{"Ὀδυσσεύς", "οδυσσευσ"},
		{"שָׁלוֹם", "שלום"}, {"مَرْحَبًا", "مرحبا"},
		{"हिन्दी", "हिन्दी"}, {"東京都", "東京都"}, {"한국어", "한국어"},
		{"***", ""}, {"", ""}, {"a\xffb", "a b"},
	} {
		if got := store.Fold(tc.text); got != tc.want {
			t.Errorf("Fold(%q) = %q, want %q", tc.text, got, tc.want)
		}
	}
}

func TestFoldLocal(t *testing.T) {
	for _, tc := range []struct{ local, want string }{
		{"hasInteraction", "has interaction"},
		{"ServiceActivation", "service activation"},
		{"HTTPServer", "http server"},
		{"CUST00094", "cust 00094"},
		{"3DModel", "3 d model"},
		{"order_line-item", "order line item"},
		{"Customer/42", "customer 42"},
		{"caf%C3%A9Noir", "cafe noir"},
		{"50%off", "50 off"},
		{"ÉcoleÉtat", "ecole etat"},
	} {
		if got := store.FoldLocal(tc.local); got != tc.want {
			t.Errorf("FoldLocal(%q) = %q, want %q", tc.local, got, tc.want)
		}
	}
}

// FuzzFold holds that a folded text is what folding leaves alone.
func FuzzFold(f *testing.F) {
	for _, s := range []string{"Jacob Martinez", "Ŧest ǅ ŉ ß", "İıſﬁ", "a\u0300\u0345ͅ", "\xff\xfe", "각ᆨ", "O'Brien’s"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := store.Fold(s)
		if twice := store.Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, and that folds to %q", s, once, twice)
		}
		if !utf8.ValidString(once) {
			t.Errorf("Fold(%q) is not UTF-8", s)
		}
		store.FoldLocal(s)
	})
}
