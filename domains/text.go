package domains

import "strings"

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
	for _, want := range langs {
		if t, ok := inLanguage(texts, want); ok {
			return t, true
		}
	}
	if t, ok := inLanguage(texts, ""); ok {
		return t, true
	}
	if t, ok := inLanguage(texts, "en"); ok {
		return t, true
	}
	return texts[0], true
}

func inLanguage(texts []Text, want string) (Text, bool) {
	for _, t := range texts {
		if strings.EqualFold(t.Lang, want) {
			return t, true
		}
	}
	if want == "" {
		return Text{}, false
	}
	for _, t := range texts {
		if extendsTag(t.Lang, want) || extendsTag(want, t.Lang) {
			return t, true
		}
	}
	return Text{}, false
}

// extendsTag reports whether long is short with more sub-tags.
func extendsTag(long, short string) bool {
	return short != "" && len(long) > len(short) && long[len(short)] == '-' && strings.EqualFold(long[:len(short)], short)
}
