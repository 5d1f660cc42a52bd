package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// GraphQLAnswer is the answer of a GraphQL service.
type GraphQLAnswer struct {
	// Data is a JSON object; nil when there is none.
	Data json.RawMessage
	// Errors are what the service says went wrong.
	Errors []GraphQLError
	// Faults say what is wrong with the query, where that was found out.
	Faults []string
	// Hints are sentences on what to try where nothing was found.
	Hints []string
	// Pages reports whether the list under a key of Data can be asked for in parts, with
	// limit and offset. nil means that none can.
	Pages func(key string) bool
}

// GraphQLError is an error in an answer of GraphQL.
type GraphQLError struct {
	Message string
	// Path says where in the data it happened: "customers.0.name"; may be empty.
	Path string
	// Place says where in the query: "line 1, column 15"; may be empty.
	Place string

	path, locations json.RawMessage // as they came; nil where there is none
}

// isOfQuery reports whether an error may be about the query as it is written: those that
// have a place in the data came while it was answered.
func (e GraphQLError) isOfQuery() bool { return e.Path == "" }

// ParseGraphQL reads an answer over HTTP. ok is false for what is no answer of GraphQL:
// it has neither data, which is an object or null, nor a list of errors.
func ParseGraphQL(body []byte) (a GraphQLAnswer, ok bool) {
	var whole map[string]json.RawMessage
	if json.Unmarshal(body, &whole) != nil {
		return a, false
	}
	data, hasData := whole["data"]
	if kindOf(data) == '{' {
		if all, _ := members(data); len(all) > 0 {
			a.Data = data
		}
	}
	raw, hasErrors := whole["errors"]
	for _, e := range elements(raw) {
		a.Errors = append(a.Errors, errorOf(e))
	}
	hasData = hasData && (kindOf(data) == '{' || kindOf(data) == 'n')
	return a, hasData || hasErrors && (kindOf(raw) == '[' || kindOf(raw) == 'n')
}

// Empty are the keys of the data that have nothing: null, an empty list, or the number 0.
func (a GraphQLAnswer) Empty() []string {
	var out []string
	all, _ := members(a.Data)
	for _, m := range all {
		if kind := kindOf(m.value); kind == 'n' || kind == '[' && len(elements(m.value)) == 0 || string(bytes.TrimSpace(m.value)) == "0" {
			out = append(out, m.name)
		}
	}
	return out
}

// errorOf reads one error; what has no message is shown as it is.
func errorOf(raw json.RawMessage) GraphQLError {
	var e struct {
		Message   any
		Path      []any
		Locations json.RawMessage
	}
	if json.Unmarshal(raw, &e) == nil {
		if message, ok := e.Message.(string); ok && strings.TrimSpace(message) != "" {
			out := GraphQLError{Message: message}
			var path []string
			for _, p := range e.Path {
				path = append(path, fmt.Sprint(p))
			}
			if out.Path = strings.Join(path, "."); out.Path != "" {
				out.path, _ = json.Marshal(e.Path) // what was read can be written
			}
			var places []struct{ Line, Column int }
			if json.Unmarshal(e.Locations, &places) == nil && len(places) > 0 && places[0].Line > 0 {
				out.Place = fmt.Sprintf("line %d, column %d", places[0].Line, places[0].Column)
				out.locations = e.Locations
			}
			return out
		}
	}
	return GraphQLError{Message: compactJSON(raw, longValue)}
}

const (
	// mostErrors is how many errors of an answer are shown.
	mostErrors = 5
	// mostMessage is the most code points of an error.
	mostMessage = 400
)

// bullets are the errors and faults of an answer, those that have room.
func (a GraphQLAnswer) bullets(heading string, room int) []string {
	lines := a.complaints(heading)
	for i, l := range lines {
		if room -= size(l) + 1; room < 0 {
			return lines[:max(i, 2)]
		}
	}
	return lines
}

func (a GraphQLAnswer) complaints(heading string) []string {
	lines := []string{heading}
	for _, e := range a.Errors[:min(mostErrors, len(a.Errors))] {
		line := "  • "
		if e.Place != "" && e.Path == "" {
			line += e.Place + ": "
		}
		line += shorten(oneLine(e.Message), mostMessage)
		if e.Path != "" {
			line += " (at " + shorten(oneLine(e.Path), 80) + ")"
		}
		lines = append(lines, line)
	}
	if more := len(a.Errors) - mostErrors; more > 0 {
		lines = append(lines, "  • … and "+count(more, "more error", "more errors"))
	}
	if len(a.Faults) > 0 {
		lines = append(lines, "What is wrong with the query, by the schema:")
		for _, f := range a.Faults[:min(mostErrors, len(a.Faults))] {
			lines = append(lines, "  • "+shorten(oneLine(f), 390))
		}
	}
	return lines
}

// GraphQLErrors is the answer of query_graphql when there are errors and no data.
func GraphQLErrors(f Frame, a GraphQLAnswer) string {
	text := strings.Join(a.bullets("GraphQL errors:", max(f.Budget, MinBudget)-100), "\n")
	if f.offers("get_graphql_schema") && (len(a.Faults) > 0 || slices.ContainsFunc(a.Errors, GraphQLError.isOfQuery)) {
		text += "\nget_graphql_schema shows which fields and arguments there are."
	}
	return shorten(text, max(f.Budget, MinBudget))
}

// GraphQLResult is the answer of query_graphql. Items of lists stay whole where they
// fit; there are no pages, and what was cut is told with what to ask instead.
func GraphQLResult(f Frame, a GraphQLAnswer) string {
	if len(a.Data) == 0 {
		doc := document{pageless: true, closing: []string{"GraphQL query returned no data."}}
		if f.offers("get_graphql_schema") {
			doc.closing = append(doc.closing, "get_graphql_schema shows which fields can be asked for.")
		}
		return doc.text(f)
	}
	doc := document{
		head:     []string{"GraphQL Result — " + oneLine(string(f.Source.Domain)), longRule, ""},
		pageless: true,
	}
	if len(a.Errors) > 0 {
		doc.closing = a.bullets("Warnings:", max(f.Budget, MinBudget)/3)
	}
	doc.closing = append(doc.closing, a.Hints[:min(mostErrors, len(a.Hints))]...)
	r := a.sections()
	doc.items = r.items
	doc.more = func(c cut) string {
		if c.next < 0 { // asked to measure, because this answer has nothing behind its items
			return strings.Repeat("x", mostLeft)
		}
		return shorten(r.left(c.next), mostLeft)
	}
	return doc.text(f)
}

// section is what one key of the data has.
type section struct {
	name string
	raw  json.RawMessage
	// list are the items of a list; first is the index of its first item in the answer,
	// items how many there are in it.
	list         []json.RawMessage
	first, items int
	isList       bool
}

// sections are the parts of a result.
type sections struct {
	all   []section
	pages func(string) bool
}

func (a GraphQLAnswer) sections() sections {
	s := sections{pages: a.Pages}
	all, _ := members(a.Data)
	index := 0
	for _, m := range all {
		sec := section{name: m.name, raw: m.value, first: index, items: 1}
		if kindOf(m.value) == '[' {
			sec.isList, sec.list = true, elements(m.value)
			sec.items = max(1, len(sec.list))
		}
		index += sec.items
		s.all = append(s.all, sec)
	}
	return s
}

// items yields the result item by item.
func (s sections) items(yield func(item) bool) {
	for _, sec := range s.all {
		for i := range sec.items {
			if !yield(sec.item(i)) {
				return
			}
		}
	}
}

// item is one item of a section.
func (s section) item(i int) item {
	name := shorten(oneLine(s.name), nameSize)
	heading := []string{name, dashes}
	var p printer
	switch {
	case s.isList && len(s.list) == 0:
		return item{lines: []string{name + " (0 results)", dashes}, spaced: true}
	case s.isList:
		heading[0] += " (" + count(len(s.list), "result", "results") + ")"
		if v := s.list[i]; kindOf(v) == '{' {
			p.object(v, 2, 0)
		} else {
			p.put(hang("  ", valueInLine(v))...)
		}
		if len(p.lines) == 0 {
			p.put("  -")
		}
		return item{heading: heading, lines: p.lines, spaced: true}
	case kindOf(s.raw) == '{':
		p.object(s.raw, 2, 0)
		return item{lines: append(heading, p.lines...), spaced: true, title: name}
	case kindOf(s.raw) == 'n':
		return item{lines: []string{name + ": (not found)"}, spaced: true}
	}
	return item{lines: hang(name+": ", plainValue(s.raw)), spaced: true}
}

// mostLeft is the most code points of the sentence about what was cut.
const mostLeft = 260

// left says what is not shown from an item on, and how to get it.
func (s sections) left(next int) string {
	var told []string
	how := "ask for fewer fields or fewer items"
	for _, sec := range s.all {
		name := shorten(oneLine(sec.name), 60)
		shown := next - sec.first
		switch {
		case shown >= sec.items:
			continue
		case len(told) > 0 && shown <= 0:
			return fmt.Sprintf("(Cut here: %s, and what follows is not shown. To see the rest, %s.)", told[0], how)
		case !sec.isList:
			told = append(told, name+" is not shown whole")
			continue
		}
		told = append(told, fmt.Sprintf("%s of %s of %s are shown", number(max(shown, 0)), count(sec.items, "result", "results"), name))
		if s.pages != nil && s.pages(sec.name) {
			how = "ask for fewer fields, or again with offset raised by " + number(max(shown, 0))
		}
	}
	if len(told) == 0 {
		return cutHere(cut{})
	}
	return fmt.Sprintf("(Cut here: %s. To see the rest, %s.)", told[0], how)
}
