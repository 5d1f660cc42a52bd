package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Values that come as JSON (rows of datasets, results of functions) are written for
// people: texts plainly and on one line, truth values as yes and no, null as "-",
// numbers digit for digit as they came, and what is nested as compact JSON.

// mostRow is the most code points of a row; the columns beyond are counted.
const mostRow = 2_000

// jsonValue is one JSON value. What is no JSON is shown as it stands.
func jsonValue(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "-"
	}
	switch raw[0] {
	case 'n', 't', 'f':
		if word, ok := map[string]string{"null": "-", "true": "yes", "false": "no"}[string(raw)]; ok {
			return word
		}
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil {
			if text = oneLine(text); text == "" {
				return `""`
			}
			return shortValue(text)
		}
	case '{', '[':
		if json.Valid(raw) {
			return shortValue(oneLine(compactJSON(raw, 8*longValue)))
		}
	}
	return shortValue(oneLine(string(raw)))
}

// shortValue cuts a long value and says how long it is.
func shortValue(s string) string {
	if n := size(s); n > longValue {
		return fmt.Sprintf("%s (%s characters)", shorten(s, longValue), number(n))
	}
	return s
}

// member is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members are the members of a JSON object in their order; ok is false for what is no
// object.
func members(raw json.RawMessage) (out []member, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, false
		}
		m := member{name: fmt.Sprint(t)}
		if dec.Decode(&m.value) != nil {
			return nil, false
		}
		out = append(out, m)
	}
	_, err := dec.Token()
	return out, err == nil
}

// row writes a row of a table on one line, "a: 1  |  b: -". White space inside names
// and values is one space, so that no value can look like the next column.
func row(raw json.RawMessage) string {
	columns, ok := members(raw)
	switch {
	case !ok:
		return jsonValue(raw)
	case len(columns) == 0:
		return "-"
	}
	var b strings.Builder
	used := 0
	for i, c := range columns {
		text := shorten(oneLine(c.name), nameSize) + ": " + jsonValue(c.value)
		if i > 0 {
			if used+size(text) > mostRow {
				left := len(columns) - i
				return b.String() + "  |  … " + count(left, "more column", "more columns")
			}
			text = "  |  " + text
		}
		b.WriteString(text)
		used += size(text)
	}
	return b.String()
}

// compactJSON writes valid JSON without white space and without needless escapes, and
// stops after about most bytes.
func compactJSON(raw json.RawMessage, most int) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var b strings.Builder
	type level struct {
		object bool
		tokens int
	}
	var open []level
	for b.Len() <= most {
		t, err := dec.Token()
		if err != nil {
			break
		}
		if t == json.Delim('}') || t == json.Delim(']') {
			fmt.Fprint(&b, t)
			open = open[:len(open)-1]
			continue
		}
		if len(open) > 0 {
			top := &open[len(open)-1]
			switch {
			case top.object && top.tokens%2 == 1:
				b.WriteByte(':')
			case top.tokens > 0:
				b.WriteByte(',')
			}
			top.tokens++
		}
		switch t := t.(type) {
		case json.Delim:
			fmt.Fprint(&b, t)
			open = append(open, level{object: t == '{'})
		case string:
			b.WriteString(jsonString(t))
		case nil:
			b.WriteString("null")
		default: // a number or a truth value
			fmt.Fprint(&b, t)
		}
	}
	return b.String()
}

// jsonString is a text as JSON, with '<', '>' and '&' as they are.
func jsonString(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
