package graphql

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Fault is one thing that is wrong with a query, its variables or a schema.
type Fault struct {
	// Line and Column count from 1; 0 where the fault has no place in the text.
	Line, Column int
	// Message is a sentence for whoever wrote the text, with what can be used instead.
	Message string
}

// Error is the fault with its place: "line 1, column 3: …".
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d, column %d: %s", f.Line, f.Column, f.Message)
}

// faultOf is an error of the parser as a fault.
func faultOf(err error) *Fault {
	var of *gqlerror.Error
	if !errors.As(err, &of) {
		return &Fault{Message: sentence(err.Error())}
	}
	f := &Fault{Message: "Syntax error: " + sentence(of.Message)}
	if len(of.Locations) > 0 {
		f.Line, f.Column = of.Locations[0].Line, of.Locations[0].Column
	}
	return f
}

// faultAt is a fault at a place.
func faultAt(pos *ast.Position, format string, args ...any) Fault {
	f := Fault{Message: fmt.Sprintf(format, args...)}
	if pos != nil {
		f.Line, f.Column = pos.Line, pos.Column
	}
	if f.Column < 1 && pos != nil && pos.Src != nil { // a block string: the parser counts from its last line
		f.Line, f.Column = placeOf(pos.Src.Input, pos.Start)
	}
	return f
}

// placeOf is the line and column of a code point.
func placeOf(text string, at int) (line, column int) {
	line, column = 1, 1
	var last rune
	for _, r := range text {
		if at--; at < 0 {
			break
		}
		switch {
		case r == '\n' && last == '\r': // one end of line (GraphQL §2.1.2)
		case r == '\n' || r == '\r':
			line, column = line+1, 1
		default:
			column++
		}
		last = r
	}
	return line, column
}

// sentence ends a message with a full stop; a long one is cut.
func sentence(s string) string {
	s = strings.TrimRight(s, ".")
	if utf8.RuneCountInString(s) > mostSentence {
		s = string([]rune(s)[:mostSentence]) + "…"
	}
	return s + "."
}

const (
	// mostSentence and mostName are the most code points of a message of the parser and
	// of a name that is repeated.
	mostSentence, mostName = 200, 60
	// mostNear is how many names are suggested, mostListed how many are listed when none
	// is near.
	mostNear, mostListed = 3, 12
)

// shorten makes a name from a query short enough to repeat.
func shorten(s string) string {
	if len(s) <= mostName || utf8.RuneCountInString(s) <= mostName {
		return s
	}
	return string([]rune(s)[:mostName-1]) + "…"
}
