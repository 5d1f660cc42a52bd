package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// param is a parameter of an endpoint: of its query, or a member of its body.
type param struct {
	name string
	// older are names by which it is known too.
	older   []string
	kind    kind
	doc     string
	example string
	// required parameters are refused when they are missing.
	required bool
	// otherwise is the value of one that is not given: text, number or true/false as JSON
	// has it; empty is none.
	otherwise string
	// low and high bound a number, where bounded is set; one beyond them is refused, or
	// brought within them where clamped is set.
	bounded, clamped bool
	low, high        int
	// values are those that it may have; nil is any.
	values []string
}

// kind is the type of a parameter.
type kind uint8

const (
	text kind = iota
	number
	flag
)

// value is a parameter that was read.
type value struct {
	text   string
	number int
	flag   bool
	given  bool
}

// read reads the parameters of a request. Those that are not known are ignored, as the
// framework of OntoBricks ignores them; of one that comes several times the last counts.
func (q *asked) read(r Request) error {
	q.values = map[string]value{}
	given := func(name string) (any, bool) {
		v := r.Query[name]
		if len(v) == 0 {
			return nil, false
		}
		return v[len(v)-1], true
	}
	in := "query"
	if q.endpoint.method == "POST" {
		members, err := bodyOf(r.Body)
		if err != nil {
			return err
		}
		in, given = "body", func(name string) (any, bool) {
			v, ok := members[name]
			return v, ok && (v != nil || q.endpoint.param(name).required)
		}
		if q.endpoint.body != nil {
			q.body = q.endpoint.body()
			if err := json.Unmarshal(r.Body, q.body); err != nil {
				return wrongBody(err)
			}
		}
	}
	var faults []Fault
	for _, p := range q.endpoint.params {
		v, fault := p.read(in, given)
		if fault != nil {
			faults = append(faults, *fault)
		}
		q.values[p.name] = v
	}
	return unprocessable(faults)
}

// bodyOf are the members of a body.
func bodyOf(body []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var all any
	if !json.Valid(body) || d.Decode(&all) != nil {
		return nil, unprocessable([]Fault{{"json_invalid", []string{"body", "0"}, "JSON decode error", map[string]any{}}})
	}
	members, ok := all.(map[string]any)
	if !ok {
		return nil, unprocessable([]Fault{{"model_attributes_type", []string{"body"}, "Input should be a valid dictionary or object to extract fields from", all}})
	}
	return members, nil
}

// wrongBody is the refusal of a body whose members have other types.
func wrongBody(err error) error {
	f := Fault{Type: "type_error", Loc: []string{"body"}, Msg: "Input should be of another type"}
	if of, ok := err.(*json.UnmarshalTypeError); ok {
		f.Loc = append([]string{"body"}, strings.Split(of.Field, ".")...)
		f.Msg = fmt.Sprintf("Input should be a valid %s", jsonName(of.Type.Kind()))
	}
	return unprocessable([]Fault{f})
}

// read reads one parameter.
func (p param) read(in string, given func(string) (any, bool)) (value, *Fault) {
	at := p.name
	raw, ok := given(at)
	for i := 0; !ok && i < len(p.older); i++ {
		at = p.older[i]
		raw, ok = given(at)
	}
	fault := func(kind, msg string) *Fault { return &Fault{kind, []string{in, at}, msg, raw} }
	if !ok {
		if p.required {
			at = p.name
			return value{}, fault("missing", "Field required")
		}
		return p.usual(), nil
	}
	v := value{given: true}
	switch p.kind {
	case number:
		n, ok := wholeNumber(raw)
		if !ok {
			return value{}, fault("int_parsing", "Input should be a valid integer, unable to parse string as an integer")
		}
		switch {
		case !p.bounded:
		case p.clamped:
			n = min(max(n, p.low), p.high)
		case n < p.low:
			return value{}, fault("greater_than_equal", fmt.Sprintf("Input should be greater than or equal to %d", p.low))
		case n > p.high:
			return value{}, fault("less_than_equal", fmt.Sprintf("Input should be less than or equal to %d", p.high))
		}
		v.number = n
	case flag:
		on, ok := trueOrFalse(raw)
		if !ok {
			return value{}, fault("bool_parsing", "Input should be a valid boolean, unable to interpret input")
		}
		v.flag = on
	default:
		s, ok := raw.(string)
		if !ok {
			return value{}, fault("string_type", "Input should be a valid string")
		}
		v.text = s
	}
	return v, nil
}

// usual is the value of a parameter that is not given.
func (p param) usual() value {
	v := value{text: p.otherwise}
	v.number, _ = strconv.Atoi(p.otherwise)
	v.flag = p.otherwise == "true"
	return v
}

// wholeNumber reads a number of a query or a body. One that is too large for any bound is
// the largest there is.
func wholeNumber(raw any) (n int, ok bool) {
	s := ""
	switch v := raw.(type) {
	case string:
		s = strings.TrimSpace(v)
	case json.Number:
		s = v.String()
	default:
		return 0, false
	}
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || len(s)-len(digits) > 1 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	switch {
	case err == nil:
		return n, true
	case s[0] == '-':
		return math.MinInt, true
	}
	return math.MaxInt, true
}

// trueOrFalse reads what the framework of OntoBricks takes for a truth value.
func trueOrFalse(raw any) (on, ok bool) {
	switch v := raw.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(v) {
		case "true", "1", "yes", "on", "t", "y":
			return true, true
		case "false", "0", "no", "off", "f", "n":
			return false, true
		}
	case json.Number:
		return v == "1", v == "0" || v == "1"
	}
	return false, false
}

// value is a parameter of the request. Reading one that the table does not have is a fault
// of ours.
func (q *asked) value(name string) value {
	v, ok := q.values[name]
	if !ok {
		panic("api: " + q.endpoint.path + " has no parameter " + name)
	}
	return v
}

func (q *asked) text(name string) string { return q.value(name).text }
func (q *asked) number(name string) int  { return q.value(name).number }
func (q *asked) flag(name string) bool   { return q.value(name).flag }

// jsonName is what JSON calls a type of Go.
func jsonName(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64, reflect.Uint8, reflect.Uint32:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.String:
		return "string"
	}
	return "object"
}
