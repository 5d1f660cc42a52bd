package domains_test

import (
	"strings"
	"testing"

	"github.com/ontogate/ontogate/domains"
)

// TestLanguagesAreLookedUp holds how tags with sub-tags meet each other: available tags
// and wanted ones, in order, and the tag of the text that is shown ("-" for none).
func TestLanguagesAreLookedUp(t *testing.T) {
	for _, row := range []struct{ available, wanted, want string }{
		{"en-gb de", "en", "en-gb"},                     // the only English, as in skos/subtag
		{"en-GB en", "en", "en"},                        // no sub-tag before some
		{"en-GB en", "en-US", "en"},                     // looked up by its beginning
		{"fr en-GB en-US", "en-US", "en-US"},            // as in FIBO
		{"fr en-GB", "en-US", "en-GB"},                  // English anyway
		{"zh zh-Hant zh-Hans", "zh-Hant-TW", "zh-Hant"}, // the longest beginning
		{"zh-Hant-TW zh-Hant", "zh", "zh-Hant"},         // the shortest extension
		{"- en fr", "fr-CA", "fr"},
		{"- en fr", "de", "-"}, // untagged before English
		{"se sv fi en", "fi sv", "fi"},
		{"se sv en", "fi sv", "sv"}, // the next of the domain's languages
		{"se sv en", "fi", "en"},    // English before any
		{"se sv", "fi", "se"},       // any
		{"en pt-PT", "pt-BR", "en"}, // another country's language is not what was asked for
		{"fr pt-PT", "pt-BR", "pt-PT"},
		{"fr pt", "PT-br", "pt"},
		{"enx - ", "en", "-"}, // a tag that only begins alike
		{"fr x-en", "en", "fr"},
		{"de - en", "", "-"},
	} {
		var texts []domains.Text
		for _, lang := range strings.Fields(row.available) {
			texts = append(texts, domains.Text{Value: lang, Lang: strings.TrimSuffix(lang, "-")})
		}
		got, ok := domains.ChooseText(texts, strings.Fields(row.wanted))
		if !ok || got.Value != row.want {
			t.Errorf("of %s for %q: %q, want %q", row.available, row.wanted, got.Value, row.want)
		}
	}
}
