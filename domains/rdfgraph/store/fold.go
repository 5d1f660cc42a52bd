package store

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold reduces a text to what a search for names compares: its words in lower
// case, without accents, with one space between them. Letters, digits and the
// signs that belong to them make words; apostrophes are left out ("O'Brien" is
// "obrien"), all else separates. Folding a folded text changes nothing.
func Fold(text string) string {
	if isASCII(text) {
		return joinWords(text)
	}
	return joinWords(plainLetters(text))
}

// FoldLetters drops case and accents of letters as Fold does, and leaves all that is
// between words as it is.
func FoldLetters(text string) string {
	if isASCII(text) {
		return strings.ToLower(text)
	}
	return plainLetters(text)
}

func plainLetters(text string) string {
	text = norm.NFKD.String(strings.ToValidUTF8(text, " "))
	return norm.NFC.String(ligatures.Replace(strings.Map(plainLetter, text)))
}

// FoldLocal folds the local name of an IRI as people would type it: words begin
// at capitals ("ServiceActivation", "HTTPServer") and where digits begin or end
// ("CUST00094"); percent-encoding is undone.
func FoldLocal(local string) string {
	if plain, err := url.PathUnescape(local); err == nil {
		local = plain
	}
	var b strings.Builder
	runes := []rune(local)
	for i, r := range runes {
		if i > 0 && wordBegins(runes[i-1], r, i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return Fold(b.String())
}

func wordBegins(before, r rune, lowerFollows bool) bool {
	switch {
	case unicode.IsUpper(r):
		return unicode.IsLower(before) || unicode.IsNumber(before) || unicode.IsUpper(before) && lowerFollows
	case unicode.IsNumber(r):
		return unicode.IsLetter(before)
	case unicode.IsLetter(r):
		return unicode.IsNumber(before)
	}
	return false
}

// joinWords lower-cases ASCII letters, keeps word characters and puts one space
// between words.
func joinWords(text string) string {
	if isASCII(text) {
		return string(appendWords(make([]byte, 0, len(text)), text))
	}
	var b strings.Builder
	b.Grow(len(text))
	gap := false
	for _, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
		case r == '\'', r == '’', r == 'ʼ', r == '‘':
			continue
		case r < utf8.RuneSelf || !unicode.In(r, unicode.L, unicode.N, unicode.M):
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// appendWords is joinWords of an ASCII text, added to a buffer that is empty.
func appendWords(to []byte, text string) []byte {
	return appendSplit(to, text, func(int) bool { return false })
}

// appendLocalWords is FoldLocal of an ASCII text without percent-encoding, added to a
// buffer that is empty.
func appendLocalWords(to []byte, local string) []byte {
	return appendSplit(to, local, func(i int) bool {
		lowerFollows := i+1 < len(local) && 'a' <= local[i+1] && local[i+1] <= 'z'
		return i > 0 && wordBegins(rune(local[i-1]), rune(local[i]), lowerFollows)
	})
}

// appendSplit adds the words of an ASCII text; begins says where else than behind what
// is no letter and no digit a word begins.
func appendSplit(to []byte, text string, begins func(i int) bool) []byte {
	gap := false
	for i := range len(text) {
		c := text[i]
		gap = gap || begins(i)
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		case c == '\'':
			continue
		default:
			gap = true
			continue
		}
		if gap && len(to) > 0 {
			to = append(to, ' ')
		}
		gap = false
		to = append(to, c)
	}
	return to
}

// plainLetter folds the case of a letter of decomposed text, by way of the capital
// since some letters share one (σ and ς). It drops accents, Hebrew points and
// Arabic vowel signs, and the strokes of letters that Unicode does not decompose.
// Signs of other scripts carry meaning and stay.
func plainLetter(r rune) rune {
	switch {
	case 0x300 <= r && r <= 0x36F, 0x591 <= r && r <= 0x5C7, 0x64B <= r && r <= 0x65F, r == 0x670:
		return -1
	}
	r = unicode.ToLower(unicode.ToUpper(r))
	switch r {
	case 'ø':
		return 'o'
	case 'ł':
		return 'l'
	case 'đ', 'ð':
		return 'd'
	case 'ħ':
		return 'h'
	case 'ŧ':
		return 't'
	}
	return r
}

// ligatures spells out the letters that stand for two and that Unicode does not
// decompose.
var ligatures = strings.NewReplacer("æ", "ae", "œ", "oe", "ß", "ss")

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
