package domains

import (
	"cmp"
	"slices"
	"strings"
)

// Text is a string with its language tag; Lang is empty for untagged text.
type Text struct{ Value, Lang string }

// ChooseText picks the text to show by language: the first of langs that is
// met, then untagged text, then English, then the first text there is. A
// preferred language is met by an equal tag first and then by one that extends
// it or that it extends ("en" and "en-GB" meet each other; RFC 4647 §3). Within
// one language the earlier text wins. ok is false when texts is empty.
func ChooseText(texts []Text, langs []string) (text Text, ok bool) {
	if len(texts) == 0 {
		return Text{}, false
	}
	return slices.MinFunc(texts, func(a, b Text) int {
		return cmp.Compare(languageRank(a.Lang, langs), languageRank(b.Lang, langs))
	}), true
}

// LanguageRank says how well a language tag meets preferred languages, best
// first, as ChooseText has it: less is better. ok is false when it meets none.
func LanguageRank(lang string, langs []string) (rank int, ok bool) {
	rank = languageRank(lang, langs)
	return rank, rank < 2*len(langs)
}

// languageRank gives each preferred language two ranks, for an equal tag and for
// one that extends it or that it extends. Untagged text, English and all else
// follow.
func languageRank(lang string, langs []string) int {
	for i, want := range langs {
		switch {
		case strings.EqualFold(lang, want):
			return 2 * i
		case extendsTag(lang, want) || extendsTag(want, lang):
			return 2*i + 1
		}
	}
	rank := 2 * len(langs)
	switch {
	case lang == "":
		return rank
	case strings.EqualFold(lang, "en"):
		return rank + 1
	case extendsTag(lang, "en"):
		return rank + 2
	}
	return rank + 3
}

// extendsTag reports whether long is short with more sub-tags.
func extendsTag(long, short string) bool {
	return short != "" && len(long) > len(short) && long[len(short)] == '-' && strings.EqualFold(long[:len(short)], short)
}
