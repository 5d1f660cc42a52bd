package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// A tool's input is a struct of strings, ints, bools and string lists; a *bool tells
// false from absent. Its tags are the only place where an argument is described:
//
//	json      the argument's name
//	doc       what it is for; none for domain_name and cursor, which the
//	          instructions explain once for all tools
//	default   the value when it is absent
//	enum      the values allowed, separated by commas
//	min, max  bounds of a number; a number outside is clamped
//	required  "true" when the tool cannot do without it
//	narrow    how it makes a call smaller, for the answer to one that took too long
//
// Embedded structs are flattened.

// kind is what a parameter holds.
type kind string

const (
	kindText   kind = "string"
	kindNumber kind = "integer"
	kindTruth  kind = "boolean"
	kindList   kind = "array" // of strings
)

// param is one argument of a tool.
type param struct {
	name, doc, def string
	narrow         string
	kind           kind
	enum           []string
	min, max       int // numbers only
	required       bool
	index          []int // path of the struct field
}

// paramsOf reads the parameters from the tags of an input struct. It refuses what
// it does not understand: it runs when the program starts.
func paramsOf(t reflect.Type) ([]param, error) {
	var out []param
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		p := param{
			name: f.Tag.Get("json"), doc: f.Tag.Get("doc"), def: f.Tag.Get("default"),
			narrow: f.Tag.Get("narrow"), required: f.Tag.Get("required") == "true", index: f.Index,
		}
		if e := f.Tag.Get("enum"); e != "" {
			p.enum = strings.Split(e, ",")
		}
		switch f.Type {
		case reflect.TypeFor[string]():
			p.kind = kindText
		case reflect.TypeFor[bool](), reflect.TypeFor[*bool]():
			p.kind = kindTruth
		case reflect.TypeFor[[]string]():
			p.kind = kindList
		case reflect.TypeFor[int]():
			p.kind = kindNumber
			var errMin, errMax error
			p.min, errMin = strconv.Atoi(f.Tag.Get("min"))
			p.max, errMax = strconv.Atoi(f.Tag.Get("max"))
			if errMin != nil || errMax != nil || p.min > p.max {
				return nil, fmt.Errorf("argument %s: a number needs min and max", f.Name)
			}
		default:
			return nil, fmt.Errorf("argument %s: type %s is not supported", f.Name, f.Type)
		}
		if !toolName.MatchString(p.name) {
			return nil, fmt.Errorf("argument %s: the name %q must match %s", f.Name, p.name, toolName)
		}
		out = append(out, p)
	}
	return out, nil
}

// schemaOf is the flat JSON Schema of parameters, in their order: no references,
// no combinations, no type lists, because clients refuse those.
func schemaOf(params []param) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	var required []string
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%s", jsonText(p.name), p.schema())
		if p.required {
			required = append(required, p.name)
		}
	}
	b.WriteByte('}')
	if required != nil {
		fmt.Fprintf(&b, `,"required":%s`, jsonText(required))
	}
	b.WriteString(`,"additionalProperties":false}`)
	return b.Bytes()
}

// schema is the JSON Schema of one parameter.
func (p param) schema() string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"type":%q`, p.kind)
	if p.kind == kindList {
		b.WriteString(`,"items":{"type":"string"}`)
	}
	if p.doc != "" {
		b.WriteString(`,"description":` + jsonText(p.doc))
	}
	if p.enum != nil {
		b.WriteString(`,"enum":` + jsonText(p.enum))
	}
	if p.def != "" {
		b.WriteString(`,"default":`)
		if p.kind == kindText {
			b.WriteString(jsonText(p.def))
		} else {
			b.WriteString(p.def)
		}
	}
	if p.kind == kindNumber {
		fmt.Fprintf(&b, `,"minimum":%d,"maximum":%d`, p.min, p.max)
	}
	b.WriteByte('}')
	return b.String()
}

// jsonText is v as JSON, with '<', '>' and '&' as they are. It is used for values
// that always encode.
func jsonText(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
