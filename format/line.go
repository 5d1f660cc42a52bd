package format

// Line is a text from a caller or from data for a place in a sentence: harmless, on
// one line, at most n code points; n is at least 1.
func Line(s string, n int) string { return shorten(oneLine(s), n) }

// Fit is a text of several lines, harmless and cut to at most n code points; n is at
// least 1.
func Fit(s string, n int) string { return shorten(Escape(s), n) }
