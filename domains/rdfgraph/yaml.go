package rdfgraph

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/ontogate/ontogate/domains"
)

// Limits of a domain.yaml. The YAML parser's time grows with the square of the tokens,
// those of one line above all, so there is a limit on the marks that make them.
const (
	maxSettingsSize  = 64 << 10 // bytes
	maxSettingsDepth = 60       // nested lists and maps
	maxSettingsMarks = 8_000    // marks, as in isMark
	maxLineMarks     = 1_000    // those of one line
)

// fault is a problem of domain.yaml.
type fault struct {
	domains.Problem
	// path is the key that is at fault, as in decoder.places; empty for the file.
	path string
	// barring is set when what may be seen of the domain depends on what is
	// wrong; it must not be served then.
	barring bool
}

// place is where a value of domain.yaml is written.
type place struct{ line, column int }

// decoder fills settings from a syntax tree and collects what does not fit.
type decoder struct {
	faults []fault
	places map[string]place // path of a key ("labels[0]") → its place
}

// readSettings reads a domain.yaml and reports all its faults, in the order of the
// file. The settings that could be read are there beside them; ok is false when the
// file as a whole can't be read.
func readSettings(text []byte) (s settings, places map[string]place, faults []fault, ok bool) {
	d := &decoder{places: map[string]place{}}
	body, err := parseYAML(text)
	if err != nil {
		d.faults = append(d.faults, syntaxFault(err))
		return settings{}, d.places, d.faults, false
	}
	if body == nil {
		return settings{}, d.places, nil, true
	}
	if !isMapping(body) {
		d.fault(body, "", "a domain.yaml is a map of keys, such as name: customer360; found %s", describe(body))
		return settings{}, d.places, d.faults, false
	}
	d.decode(body, reflect.ValueOf(&s).Elem(), "")
	d.validate(&s)
	slices.SortStableFunc(d.faults, func(a, b fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return s, d.places, d.faults, true
}

// parseYAML returns the root of a YAML text; nil for an empty one.
func parseYAML(text []byte) (root ast.Node, err error) {
	if len(text) > maxSettingsSize {
		return nil, fmt.Errorf("the file is larger than %d KiB, which is the most that is read: shorten it, and keep what is not about how the domain is served in files of its own", maxSettingsSize>>10)
	}
	if err := checkMarks(text); err != nil {
		return nil, err
	}
	if depthOf(text) > maxSettingsDepth {
		return nil, fmt.Errorf("lists and maps are nested more than %d deep", maxSettingsDepth)
	}
	defer func() {
		if recover() != nil {
			root, err = nil, errors.New("the file is not YAML")
		}
	}()
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, err
	}
	var bodies []ast.Node
	for _, doc := range file.Docs {
		if doc.Body != nil && doc.Body.Type() != ast.NullType {
			bodies = append(bodies, doc.Body)
		}
	}
	switch len(bodies) {
	case 0:
		return nil, nil
	case 1:
		return bodies[0], nil
	}
	return nil, errors.New("the file holds several documents; write one")
}

// checkMarks refuses a text with so many marks that parsing it takes long.
func checkMarks(text []byte) error {
	all, inLine, line := 0, 0, 1
	for _, c := range text {
		switch {
		case c == '\n':
			inLine, line = 0, line+1
		case isMark(c):
			all, inLine = all+1, inLine+1
		}
		if inLine > maxLineMarks {
			return lineError{line, fmt.Sprintf("this line holds more than %d marks such as : , [ { and quotes, which is the most that is read: write one entry a line", maxLineMarks)}
		}
		if all > maxSettingsMarks {
			return lineError{line, fmt.Sprintf("up to here the file holds %d marks such as : , [ { and quotes, which is the most that is read: shorten it", maxSettingsMarks)}
		}
	}
	return nil
}

// lineError is what is wrong with a line of domain.yaml.
type lineError struct {
	line    int
	message string
}

func (e lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.message) }

// isMark reports whether a character may begin or end a token of YAML.
func isMark(c byte) bool { return strings.IndexByte("-?:,[]{}#&*!|>'\"%@`", c) >= 0 }

// depthOf is at least as deep as a parser would have to go: brackets, quoted ones
// too, and "-" and "?" in front of one another on a line.
func depthOf(text []byte) int {
	deepest, brackets, marks, lineStart := 0, 0, 0, true
	for _, c := range text {
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(0, brackets-1)
		case '\n':
			marks, lineStart = 0, true
			continue
		case '-', '?', ' ', '\t', ':', '!', '&':
			if lineStart && c != ' ' && c != '\t' {
				marks++
			}
			deepest = max(deepest, brackets+marks)
			continue
		}
		lineStart = false
		deepest = max(deepest, brackets)
	}
	return deepest
}

func syntaxFault(err error) fault {
	f := fault{Problem: domains.Problem{File: settingsFile, Message: err.Error()}, barring: true}
	var l lineError
	if errors.As(err, &l) {
		f.Message, f.Line, f.Column = l.message, l.line, 1
	}
	var y yaml.Error
	if errors.As(err, &y) {
		f.Message = y.GetMessage()
		if t := y.GetToken(); t != nil && t.Position != nil {
			f.Line, f.Column = t.Position.Line, t.Position.Column
		}
	}
	return f
}

// barringKeys decide what may be seen. A fault in one of them bars the domain: it
// must not be served more openly than its owner meant.
var barringKeys = []string{"publish", "active", "versions", "policy", "endpoints"}

// isBarring reports whether a fault at a path bars the domain. At the top, where the
// path is empty, each does: a key that is not understood there may have been one of
// those that decide, or have held one.
func isBarring(path string) bool {
	top, _, _ := strings.Cut(path, ".")
	return top == "" || slices.Contains(barringKeys, top)
}

func (d *decoder) fault(n ast.Node, path, format string, args ...any) {
	p := placeOf(n)
	d.faults = append(d.faults, fault{
		Problem: domains.Problem{File: settingsFile, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)},
		path:    path, barring: isBarring(path),
	})
}

// faultAt reports a fault of a value that has been decoded.
func (d *decoder) faultAt(path, format string, args ...any) {
	p := d.places[path]
	d.faults = append(d.faults, fault{
		Problem: domains.Problem{File: settingsFile, Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)},
		path:    path, barring: isBarring(path),
	})
}

func placeOf(n ast.Node) place {
	var t *token.Token
	if n != nil {
		t = n.GetToken()
	}
	if m, ok := n.(*ast.MappingValueNode); ok {
		t = m.Key.GetToken()
	}
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		t = m.Values[0].Key.GetToken()
	}
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}
