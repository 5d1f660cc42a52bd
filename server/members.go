package server

import "bytes"

// members gives the members of a JSON object that is known to be valid, by their names and
// as they stand. ok is false where raw is no object, or a name is written with escapes:
// then encoding/json has to read it. Unlike that it takes names exactly as they are
// written, and gives each member that stands twice twice.
func members(raw []byte, each func(name, value []byte) bool) (ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '{' {
		return false
	}
	for at := afterSpace(raw, 1); raw[at] != '}'; {
		end := afterString(raw, at)
		name := raw[at+1 : end-1]
		at = afterSpace(raw, afterSpace(raw, end)+1) // the colon
		end = afterValue(raw, at)
		if bytes.IndexByte(name, '\\') >= 0 || !each(name, raw[at:end]) {
			return false
		}
		if at = afterSpace(raw, end); raw[at] == ',' {
			at = afterSpace(raw, at+1)
		}
	}
	return true
}

// afterSpace is where the next token begins.
func afterSpace(raw []byte, at int) int {
	for raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\n' || raw[at] == '\r' {
		at++
	}
	return at
}

// afterString is where the string that begins at a place has ended.
func afterString(raw []byte, at int) int {
	for at++; raw[at] != '"'; at++ {
		if raw[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// afterValue is where the value of a member that begins at a place has ended.
func afterValue(raw []byte, at int) int {
	for depth := 0; ; {
		switch raw[at] {
		case '"':
			if at = afterString(raw, at); depth == 0 {
				return at
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return at // the end of the object, after a number or a word
			}
			if depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
		at++
	}
}

// plainText is the text of a JSON string, as it stands between its quotes. ok is false
// where it is no string, or one that has to be decoded.
func plainText(raw []byte) (text []byte, ok bool) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return nil, false
	}
	text = raw[1 : len(raw)-1]
	for _, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			return nil, false
		}
	}
	return text, true
}
