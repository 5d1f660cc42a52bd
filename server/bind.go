package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/format"
)

// bind fills the input struct that into points to from the arguments of a call,
// defaults first. It is lenient where the meaning is clear: absent, null and {} are
// the same, an argument that is null or empty text counts as absent, numbers and
// booleans may be text and the reverse, and arrays and objects may be their JSON
// text. Numbers out of range are clamped, which a note tells. What is wrong is a
// domains.ErrInvalid that names the valid ones.
func bind(tool string, params []param, raw json.RawMessage, into any) (notes []string, err error) {
	given, err := arguments(tool, params, raw)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, a := range given {
		if !slices.ContainsFunc(params, func(p param) bool { return p.name == a.name }) {
			unknown = append(unknown, a.name)
		}
	}
	if len(unknown) > 0 {
		return nil, unknownArgument(tool, params, slices.Min(unknown))
	}
	v := reflect.ValueOf(into).Elem()
	for i := range params {
		p := &params[i]
		field := v.FieldByIndex(p.index)
		note, present, err := p.set(field, valueOf(given, p.name))
		if err != nil {
			return nil, err
		}
		if note != "" {
			notes = append(notes, note)
		}
		if present {
			continue
		}
		if p.def != "" {
			if _, _, err := p.setText(field, nil, p.def); err != nil {
				return nil, err
			}
		}
	}
	return notes, nil
}

// givenArgument is one of a call, as it stands there.
type givenArgument struct {
	name  string
	value json.RawMessage
}

// valueOf is the value of the argument with a name; nil when there is none.
func valueOf(given []givenArgument, name string) json.RawMessage {
	for i := range given {
		if given[i].name == name {
			return given[i].value
		}
	}
	return nil
}

// arguments splits the arguments of a call, each name once, without those that are null.
func arguments(tool string, params []param, raw json.RawMessage) ([]givenArgument, error) {
	raw = bytes.TrimSpace(raw)
	if text, ok := unquote(raw); ok {
		raw = bytes.TrimSpace([]byte(text))
	}
	if len(raw) == 0 {
		return nil, nil
	}
	given := make([]givenArgument, 0, 4)
	put := func(name, value []byte) bool {
		if len(given) == mostArguments {
			return false
		}
		given = append(given, givenArgument{nameIn(params, name), value})
		return true
	}
	if !json.Valid(raw) || !members(raw, put) || givenTwice(given) {
		var members map[string]json.RawMessage // of members that stand twice it has the last
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, domains.Invalid(fmt.Sprintf("The arguments of %s must be a JSON object. %s", tool, validArguments(params)))
		}
		given = given[:0]
		for name, value := range members {
			given = append(given, givenArgument{name, value})
		}
	}
	return slices.DeleteFunc(given, func(a givenArgument) bool { return string(a.value) == "null" }), nil
}

// mostArguments are looked through, and not looked up.
const mostArguments = 32

// nameIn is a name as text: that of a parameter where there is one.
func nameIn(params []param, name []byte) string {
	for i := range params {
		if params[i].name == string(name) {
			return params[i].name
		}
	}
	return string(name)
}

func givenTwice(given []givenArgument) bool {
	for i := range given {
		if valueOf(given[:i], given[i].name) != nil {
			return true
		}
	}
	return false
}

func unknownArgument(tool string, params []param, name string) error {
	var names []string
	for _, p := range params {
		names = append(names, p.name)
	}
	message := fmt.Sprintf("Unknown argument '%s' of %s. ", shown(name), tool)
	if near := domains.Nearest(name, names, 1); len(near) > 0 {
		message += fmt.Sprintf("Did you mean '%s'? ", near[0])
	}
	return domains.Invalid(message + validArguments(params))
}

func validArguments(params []param) string {
	if len(params) == 0 {
		return "It takes no arguments."
	}
	var names []string
	for _, p := range params {
		names = append(names, p.name)
	}
	return "Valid arguments: " + strings.Join(names, ", ") + "."
}

// set puts an argument into its field. present is false when the argument is
// absent or empty.
func (p *param) set(field reflect.Value, raw json.RawMessage) (note string, present bool, err error) {
	if len(raw) == 0 {
		return "", false, nil
	}
	if p.kind == kindList {
		list, ok := asList(raw)
		if !ok {
			return "", false, p.wrong(raw, "an array of strings")
		}
		field.Set(reflect.ValueOf(list))
		return "", len(list) > 0, nil
	}
	text, ok := asText(raw)
	if !ok {
		return "", false, p.wrong(raw, map[kind]string{kindText: "text", kindNumber: "a whole number", kindTruth: "true or false"}[p.kind])
	}
	return p.setText(field, raw, text)
}

// setText is set for an argument that is no list, by its text; raw is for the words of an
// error.
func (p *param) setText(field reflect.Value, raw json.RawMessage, text string) (note string, present bool, err error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", false, nil
	}
	switch p.kind {
	case kindNumber:
		n, note, ok := p.number(text)
		if !ok {
			return "", false, p.wrong(raw, "a whole number")
		}
		field.SetInt(int64(n))
		return note, true, nil
	case kindTruth:
		truth, ok := asTruth(text)
		if !ok {
			return "", false, p.wrong(raw, "true or false")
		}
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.ValueOf(&truth))
		} else {
			field.SetBool(truth)
		}
		return "", true, nil
	}
	if p.enum != nil {
		i := slices.IndexFunc(p.enum, func(e string) bool { return strings.EqualFold(e, text) })
		if i < 0 {
			return "", false, p.wrong(raw, "one of "+strings.Join(p.enum, ", "))
		}
		text = p.enum[i]
	}
	field.SetString(text)
	return "", true, nil
}

// wrong says what an argument has to be.
func (p *param) wrong(raw json.RawMessage, want string) error {
	got := string(raw)
	if text, ok := unquote(raw); ok {
		got = text
	}
	return domains.Invalid(fmt.Sprintf("The argument '%s' must be %s, not '%s'.", p.name, want, shown(got)))
}

// number reads a whole number and clamps it, with a note when that changed it.
func (p *param) number(text string) (n int, note string, ok bool) {
	// A number too large for float64 becomes an infinity, which is clamped too.
	f, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(f) || (err != nil && !math.IsInf(f, 0)) || (!math.IsInf(f, 0) && f != math.Trunc(f)) {
		return 0, "", false
	}
	clamped := min(max(f, float64(p.min)), float64(p.max))
	if clamped != f {
		note = fmt.Sprintf("%s %s is out of range: %d was used (%d–%d).", p.name, shown(text), int(clamped), p.min, p.max)
	}
	return int(clamped), note, true
}

// unquote returns the text of a JSON string.
func unquote(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	if plain, ok := plainText(raw); ok {
		return string(plain), true
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// asText returns a JSON string's text, or a number or boolean as it was written.
func asText(raw json.RawMessage) (text string, ok bool) {
	if text, ok := unquote(raw); ok {
		return text, true
	}
	return string(raw), raw[0] != '{' && raw[0] != '['
}

// asTruth reads what models write for a boolean.
func asTruth(text string) (truth, ok bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "1":
		return true, true
	case "false", "no", "0":
		return false, true
	}
	return false, false
}

// asList reads an array of strings, the JSON text of one, or a single string.
// Empty strings are left out.
func asList(raw json.RawMessage) (list []string, ok bool) {
	if text, isText := unquote(raw); isText {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "[") {
			raw = json.RawMessage("[" + jsonText(text) + "]")
		} else {
			raw = json.RawMessage(text)
		}
	}
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	for _, item := range items {
		text, ok := asText(item)
		if !ok {
			return nil, false
		}
		if text = strings.TrimSpace(text); text != "" && text != "null" {
			list = append(list, text)
		}
	}
	return list, true
}

// shown makes text that came with a request safe and short enough to repeat; a domain's
// name of ours is never cut.
func shown(s string) string { return format.Line(s, 80) }
