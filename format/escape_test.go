package format_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/ontogate/ontogate/format"
)

func TestEscape(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain ascii", "plain ascii"},
		{"Société 漢字 🏳️‍🌈", "Société 漢字 🏳️‍🌈"}, // joiners and variation selectors stay
		{"a\r\nb\rc", "a\nb\nc"},
		{"bell\x07 tab\t nul\x00", `bell\u0007 tab\u0009 nul\u0000`},
		{"abc\u202egnp.exe", `abc\u202egnp.exe`},
		{"\u2066x\u2069\u200f\u061c", `\u2066x\u2069\u200f\u061c`},
		{"a\u2028b\u0085c", `a\u2028b\u0085c`},
		{"hid\u200bden\ufeff", `hid\u200bden\ufeff`},
		{"tag\U000E0041", `tag\U000e0041`},
		{"soft\u00adfill\u3164braille\u2800sel\U000E0101", `soft\u00adfill\u3164braille\u2800sel\U000e0101`},
		{"\u0600\u06dd stay", "\u0600\u06dd stay"}, // format characters that are seen
		{"bad\xffutf8", "bad\ufffdutf8"},
	} {
		if got := format.Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// FuzzEscape: what comes out is valid, holds nothing hidden, and escaping it again
// changes nothing.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a\r\n\rb", "\u202e\x00\xff", `\u202e`, "\U000E0001漢", "\r\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := format.Escape(s)
		if !utf8.ValidString(out) {
			t.Errorf("Escape(%q) = %q is not valid UTF-8", s, out)
		}
		if i := strings.IndexFunc(out, func(r rune) bool {
			return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
		}); i >= 0 {
			t.Errorf("Escape(%q) = %q holds a control character at %d", s, out, i)
		}
		if again := format.Escape(out); again != out {
			t.Errorf("Escape(%q) = %q, and escaped again %q", s, out, again)
		}
	})
}
