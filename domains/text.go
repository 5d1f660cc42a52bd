package domains

import "strings"

// Text is a string with its language tag; Lang is empty for untagged text.
type Text struct{ Value, Lang string }

// ChooseText picks the text to show by language: the first of langs that is
// met, then untagged text, then English, then what shares a language with one of langs
// and no more ("pt-PT" for "pt-BR"), then the first text there is. A preferred language
// is met by an equal tag first, then by the longest beginning of it (RFC 4647 §3.4:
// "zh-Hant" before "zh" for "zh-Hant-TW"), then by the shortest tag that extends it
// ("en-GB" for "en"). Within one language the earlier text wins. ok is false when texts is
// empty.
func ChooseText(texts []Text, langs []string) (text Text, ok bool) {
	if len(texts) == 0 {
		return Text{}, false
	}
	best, rank := 0, languageRank(texts[0].Lang, langs)
	for i := 1; i < len(texts) && rank > 0; i++ {
		if r := languageRank(texts[i].Lang, langs); r < rank {
			best, rank = i, r
		}
	}
	return texts[best], true
}

// LanguageRank says how well a language tag meets preferred languages, best
// first, as ChooseText has it: less is better. ok is false when it meets none.
func LanguageRank(lang string, langs []string) (rank int, ok bool) {
	rank = languageRank(lang, langs)
	return rank, rank < ranks*len(langs)
}

// ranks is how many ranks each preferred language has: one for an equal tag, and half of
// the others each for tags that it extends and that extend it, by the number of sub-tags
// between them.
const ranks = 2*mostSubTags + 1

// mostSubTags is how many sub-tags between two language tags count.
const mostSubTags = 15

// languageRank gives each preferred language its ranks. Untagged text, English, languages
// that are shared and all else follow.
func languageRank(lang string, langs []string) int {
	for i, want := range langs {
		switch {
		case strings.EqualFold(lang, want):
			return ranks * i
		case extendsTag(want, lang):
			return ranks*i + subTags(want, lang)
		case extendsTag(lang, want):
			return ranks*i + mostSubTags + subTags(lang, want)
		}
	}
	rank := ranks * len(langs)
	switch {
	case lang == "":
		return rank
	case strings.EqualFold(lang, "en"):
		return rank + 1
	case extendsTag(lang, "en"):
		return rank + 2
	}
	main, _, _ := strings.Cut(lang, "-")
	for _, want := range langs {
		if strings.EqualFold(main, want) || extendsTag(want, main) {
			return rank + 3
		}
	}
	return rank + 4
}

// extendsTag reports whether long is short with more sub-tags.
func extendsTag(long, short string) bool {
	return short != "" && len(long) > len(short) && long[len(short)] == '-' && strings.EqualFold(long[:len(short)], short)
}

// subTags counts the sub-tags by which one tag extends another.
func subTags(long, short string) int {
	return min(strings.Count(long[len(short):], "-"), mostSubTags)
}
