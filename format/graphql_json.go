package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ontogate/ontogate/domains/rdf"
)

// GraphQLJSON is the answer of query_graphql as JSON: data and errors as GraphQL has them,
// without white space, and the members domain, version and degraded where there are data. It is valid JSON, cut
// where it has to be: lists after a whole item, objects after a whole member. The member
// left_out then says what is not there and how to get it.
func GraphQLJSON(f Frame, a GraphQLAnswer) string {
	budget := max(f.Budget, MinBudget)
	var o jsonObject
	tail := a.jsonTail(f, budget)
	if len(a.Data) == 0 {
		o.add("data", "null")
		return o.text(tail)
	}
	room := budget - tail.size() - len(`{"data":,}`)
	if data, ok := compactWithin(a.Data, room); ok {
		o.add("data", data)
		return o.text(tail)
	}
	c := cutter{pages: a.Pages}
	room -= mostLeftOut
	o.add("data", c.value(a.Data, room, nil))
	o.add("left_out", jsonString(c.told()))
	return o.text(tail)
}

// jsonTail is what stands behind the data.
func (a GraphQLAnswer) jsonTail(f Frame, budget int) jsonObject {
	var o jsonObject
	if len(a.Errors) > 0 {
		var errors []string
		room := budget / 3
		for _, e := range a.Errors[:min(mostErrors, len(a.Errors))] {
			var one jsonObject
			one.add("message", jsonString(shorten(oneLine(e.Message), mostMessage)))
			if len(e.path) > 0 {
				one.add("path", compactJSON(e.path, 2*longValue))
			}
			if len(e.locations) > 0 {
				one.add("locations", compactJSON(e.locations, 2*longValue))
			}
			text := one.text(jsonObject{})
			if room -= size(text) + 1; room < 0 && len(errors) > 0 {
				break
			}
			errors = append(errors, text)
		}
		if more := len(a.Errors) - len(errors); more > 0 {
			errors = append(errors, `{"message":`+jsonString("… and "+count(more, "more error", "more errors"))+"}")
		}
		o.add("errors", "["+strings.Join(errors, ",")+"]")
	}
	for _, list := range []struct {
		name  string
		texts []string
	}{{"faults", a.Faults}, {"hints", a.Hints}, {"notes", f.Notes}} {
		var texts []string
		for _, t := range list.texts[:min(mostErrors, len(list.texts))] {
			texts = append(texts, jsonString(shorten(oneLine(t), mostMessage)))
		}
		if len(texts) > 0 && size(strings.Join(texts, ",")) < budget/4 {
			o.add(list.name, "["+strings.Join(texts, ",")+"]")
		}
	}
	if len(a.Data) == 0 && len(a.Errors) > 0 {
		return o // a refusal says nothing of the domain
	}
	for _, m := range [][2]string{{"domain", string(f.Source.Domain)}, {"version", f.Source.Version}, {"degraded", f.Source.Degraded}} {
		if m[1] != "" {
			o.add(m[0], jsonString(shorten(oneLine(m[1]), 250)))
		}
	}
	return o
}

// jsonObject is an object while it is written.
type jsonObject struct{ members []string }

func (o *jsonObject) add(name, value string) {
	o.members = append(o.members, visibleJSON(jsonString(name))+":"+value)
}

func (o jsonObject) size() int { return size(strings.Join(o.members, ",")) }

func (o jsonObject) text(tail jsonObject) string {
	return "{" + strings.Join(append(o.members, tail.members...), ",") + "}"
}

// compactWithin is a value without white space, if it has at most room code points. What is not
// printed is escaped: outside of texts it is not found in JSON.
func compactWithin(raw json.RawMessage, room int) (text string, ok bool) {
	most := 4 * max(room, 0) // bytes: no code point has more
	if text = compactJSON(raw, most); len(text) > most {
		return "", false
	}
	text = visibleJSON(text)
	return text, size(text) <= room
}

// visibleJSON escapes what is not seen in the texts of JSON.
func visibleJSON(s string) string {
	if !strings.ContainsFunc(s, special) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == utf8.RuneError || !rdf.Hidden(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

const (
	// mostLeftOut is room for the member left_out.
	mostLeftOut = 320
	// mostPlaces is how many places are named where something is left out.
	mostPlaces = 2
	// mostCuts is how deep a value is cut: what is deeper is left out whole.
	mostCuts = 10
)

// cutter cuts values, and remembers where.
type cutter struct {
	pages  func(string) bool
	places []string
	more   int
	// next says how to go on, where a list of the root was cut that has pages.
	next string
}

func (c *cutter) note(path []string, what string) {
	if len(c.places) == mostPlaces {
		c.more++
		return
	}
	name := strings.Join(path, ".")
	c.places = append(c.places, shorten(oneLine(name), 60)+": "+what)
}

// told says what was cut, and what to do about it.
func (c *cutter) told() string {
	text := strings.Join(c.places, "; ")
	if c.more > 0 {
		text += fmt.Sprintf("; and %s", count(c.more, "more place", "more places"))
	}
	return text + ". To see the rest, ask for fewer fields or fewer items" + c.next + "."
}

// value is a value in at most room code points, or in a few more where there is no room
// for anything.
func (c *cutter) value(raw json.RawMessage, room int, path []string) string {
	if text, ok := compactWithin(raw, room); ok {
		return text
	}
	switch kind := kindOf(raw); {
	case len(path) > mostCuts:
	case kind == '[':
		return c.list(raw, room, path)
	case kind == '{':
		return c.object(raw, room, path)
	}
	c.note(path, "too long")
	return "null"
}

func (c *cutter) list(raw json.RawMessage, room int, path []string) string {
	var kept []string
	room -= len("[]")
	all := elements(raw)
	for i, v := range all {
		if text, ok := compactWithin(v, room-1); ok {
			kept, room = append(kept, text), room-size(text)-1
			continue
		}
		if i == 0 && (kindOf(v) == '{' || kindOf(v) == '[') && room > mostLeftOut {
			c.note(path, "the first of "+number(len(all))+", and not whole")
			kept = append(kept, (&cutter{}).value(v, room, path))
			break
		}
		c.note(path, number(i)+" of "+number(len(all)))
		if len(path) == 1 && c.pages != nil && c.pages(path[0]) {
			c.next = ", or again with offset raised by " + number(i)
		}
		break
	}
	return "[" + strings.Join(kept, ",") + "]"
}

func (c *cutter) object(raw json.RawMessage, room int, path []string) string {
	var o jsonObject
	room -= len("{}")
	all, _ := members(raw)
	for i, m := range all {
		name := size(visibleJSON(jsonString(m.name))) + 2
		at := append(path[:len(path):len(path)], m.name)
		if text, ok := compactWithin(m.value, room-name); ok {
			o.add(m.name, text)
			room -= name + size(text)
			continue
		}
		if kind := kindOf(m.value); room > name+len("null") && (kind == '{' || kind == '[') {
			text := c.value(m.value, room-name, at)
			o.add(m.name, text)
			room -= name + size(text)
		} else {
			c.note(at, "not shown")
		}
		for _, rest := range all[i+1:] {
			c.note(append(path[:len(path):len(path)], rest.name), "not shown")
		}
		break
	}
	return o.text(jsonObject{})
}
