package xsd

import (
	"strconv"
	"strings"
)

// maxShown is how much of a text an Error shows, in bytes.
const maxShown = 80

// Error says that a text is not the lexical form of a value.
type Error struct {
	Kind   Kind
	Text   string // as it was given, whole
	Reason string // what is wrong with it or how to write it, without full stop
}

// Error is one line: "12.5" is no integer: write digits only, such as 12. Of a long text it
// shows the beginning.
func (e *Error) Error() string {
	text := e.Text
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	return strconv.Quote(text) + " is no " + e.Kind.String() + ": " + e.Reason
}
