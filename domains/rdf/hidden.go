package rdf

import "unicode"

// Hidden reports whether a character is not seen, or changes how its neighbours are
// seen: bytes can be smuggled to a reader in such characters, and so whatever shows
// text from data writes them as escapes. The end of a line is left to the caller;
// joiners and the selectors of the basic plane are left alone, since scripts and emoji
// need them.
func Hidden(r rune) bool {
	switch { // most text, without a look at the tables
	case ' ' <= r && r <= '~', 0xAE <= r && r < 0x34F, 0x350 <= r && r < 0x600, 0x3165 <= r && r < 0xD800:
		return false
	}
	switch r {
	case '\n', 0x200C, 0x200D:
		return false
	case 0x2028, 0x2029, 0x2800: // line and paragraph separator, the empty Braille pattern
		return true
	}
	switch {
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r) // those are seen
	}
	return 0xE0100 <= r && r <= 0xE01EF // selectors of the supplementary plane
}
