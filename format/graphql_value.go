package format

import (
	"bytes"
	"encoding/json"
	"strings"
)

// What GraphQL answers is JSON of any shape. Objects become lines "name: value" with
// what is nested four spaces further in; nothing and empty lists are left out; numbers
// stand as they came.

const (
	// mostNesting is how deep objects are indented; what is deeper is compact JSON.
	mostNesting = 10
	// mostObject is the most code points that are written of one item of a list; it is
	// more than any answer has.
	mostObject = 2 * mostAnswer
)

// printer writes one item.
type printer struct {
	lines []string
	used  int
}

func (p *printer) full() bool { return p.used > mostObject }

func (p *printer) put(lines ...string) {
	p.lines = append(p.lines, lines...)
	p.used += textSize(lines)
}

// kindOf is the first character of a JSON value.
func kindOf(raw json.RawMessage) byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return 'n'
	}
	return raw[0]
}

// elements are the values of a JSON list.
func elements(raw json.RawMessage) []json.RawMessage {
	var out []json.RawMessage
	if json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}

// object writes the members of an object.
func (p *printer) object(raw json.RawMessage, indent, depth int) {
	all, _ := members(raw)
	for _, m := range all {
		if p.full() {
			return
		}
		p.member(m, indent, depth)
	}
}

// member writes one member of an object.
func (p *printer) member(m member, indent, depth int) {
	margin := strings.Repeat(" ", indent)
	name := margin + shorten(oneLine(m.name), nameSize)
	switch kindOf(m.value) {
	case 'n':
	case '{':
		if depth >= mostNesting {
			p.put(name + ": " + nestedJSON(m.value))
			return
		}
		p.put(name + ":")
		p.object(m.value, indent+4, depth+1)
	case '[':
		p.list(name, elements(m.value), indent, depth)
	default:
		p.put(hang(name+": ", plainValue(m.value))...)
	}
}

// list writes a list that a member has: on one line, unless there are objects in it.
func (p *printer) list(name string, list []json.RawMessage, indent, depth int) {
	objects := false
	for _, v := range list {
		objects = objects || kindOf(v) == '{'
	}
	switch {
	case len(list) == 0:
	case !objects || depth >= mostNesting:
		var texts []string
		room := mostObject - p.used
		for _, v := range list {
			text := oneLine(valueInLine(v))
			if room -= size(text); room < 0 {
				break
			}
			texts = append(texts, text)
		}
		p.put(name + ": " + strings.Join(texts, ", "))
	default:
		p.put(name + ":")
		margin := strings.Repeat(" ", indent+4)
		for i, v := range list {
			if p.full() {
				return
			}
			if i > 0 {
				p.put(margin + "---")
			}
			if kindOf(v) == '{' {
				p.object(v, indent+4, depth+1)
			} else {
				p.put(hang(margin, valueInLine(v))...)
			}
		}
	}
}

// plainValue is a value that is neither list nor object; texts keep their lines.
func plainValue(raw json.RawMessage) string {
	var text string
	if kindOf(raw) == '"' && json.Unmarshal(raw, &text) == nil && strings.TrimSpace(text) != "" {
		return Escape(strings.ReplaceAll(strings.TrimSpace(text), "\t", " "))
	}
	return jsonValue(raw)
}

// valueInLine is any value, what is nested as compact JSON.
func valueInLine(raw json.RawMessage) string {
	switch kindOf(raw) {
	case '{', '[':
		return nestedJSON(raw)
	}
	return plainValue(raw)
}

// nestedJSON is a list or object on one line.
func nestedJSON(raw json.RawMessage) string { return oneLine(compactJSON(raw, mostObject)) }
