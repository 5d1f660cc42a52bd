package rdf

// Classes of ASCII characters, as bits. Characters beyond ASCII belong to the
// classes that the comment says.
const (
	iriChar      uint8 = 1 << iota // may be in IRIREF as it is; beyond ASCII: all
	nameStart                      // PN_CHARS_BASE; beyond ASCII: isNameStart
	nameChar                       // PN_CHARS; beyond ASCII: isNameChar
	localChar                      // PN_CHARS or ":"
	digitChar                      // 0 to 9
	hexChar                        // 0 to 9, A to F, a to f
	plainChar                      // may be in a string as it is, quotes apart; beyond ASCII: all
	localEscaped                   // may follow "\" in a local name (PN_LOCAL_ESC)
)

// classes maps a byte to its classes (RDF 1.1 Turtle §6.5).
var classes = classesOfBytes()

func classesOfBytes() (t [256]uint8) {
	add := func(class uint8, from, to int) {
		for c := from; c <= to; c++ {
			t[c] |= class
		}
	}
	add(iriChar, 0x21, 0xFF)
	for _, c := range []byte(`<>"{}|^` + "`\\") {
		t[c] &^= iriChar
	}
	add(nameStart|nameChar|localChar, 'A', 'Z')
	add(nameStart|nameChar|localChar, 'a', 'z')
	add(nameChar|localChar|digitChar|hexChar, '0', '9')
	add(nameChar|localChar, '_', '_')
	add(nameChar|localChar, '-', '-')
	add(localChar, ':', ':')
	add(hexChar, 'A', 'F')
	add(hexChar, 'a', 'f')
	add(plainChar, 0, 0xFF)
	for _, c := range []byte("\"'\\\n\r") {
		t[c] &^= plainChar
	}
	for _, c := range []byte("_~.-!$&'()*+,;=/?#@%") {
		t[c] |= localEscaped
	}
	return t
}

// isNameStart reports whether a character may begin a name (PN_CHARS_BASE).
func isNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return r >= 0 && classes[r]&nameStart != 0
	case r <= 0x2FF:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7
	case r <= 0x1FFF:
		return r >= 0x370 && r != 0x37E
	case r <= 0x218F:
		return r == 0x200C || r == 0x200D || r >= 0x2070
	case r <= 0x2FEF:
		return r >= 0x2C00
	case r <= 0xD7FF:
		return r >= 0x3001
	case r <= 0xFFFD:
		return r >= 0xFDF0 || r >= 0xF900 && r <= 0xFDCF
	}
	return r >= 0x10000 && r <= 0xEFFFF
}

// isNameChar reports whether a character may be inside a name (PN_CHARS).
func isNameChar(r rune) bool {
	if r < 0x80 {
		return r >= 0 && classes[r]&nameChar != 0
	}
	return isNameStart(r) || r == 0xB7 || r >= 0x300 && r <= 0x36F || r == 0x203F || r == 0x2040
}
