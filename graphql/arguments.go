package graphql

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// mostPage is the greatest limit.
const mostPage = 1000

// given is the value of an argument, coerced: nil when it is not given or null, and has
// no default. Numbers of the document are json.Number.
func (d *document) given(f *ast.Field, name string) any {
	if a := f.Arguments.ForName(name); a != nil {
		if v, ok := d.plain(a.Value); ok && v != nil {
			return v
		}
	}
	if def := f.Definition.Arguments.ForName(name); def != nil && def.DefaultValue != nil {
		v, _ := d.plain(def.DefaultValue)
		return v
	}
	return nil
}

// plain is a value without variables. ok is false for a variable that has no value.
func (d *document) plain(v *ast.Value) (out any, ok bool) {
	switch v.Kind {
	case ast.Variable:
		out, ok = d.variables[v.Raw]
		return out, ok
	case ast.IntValue, ast.FloatValue:
		return json.Number(v.Raw), true
	case ast.BooleanValue:
		return v.Raw == "true", true
	case ast.NullValue:
		return nil, true
	case ast.ListValue:
		list := make([]any, 0, len(v.Children))
		for _, child := range v.Children {
			item, _ := d.plain(child.Value)
			list = append(list, item)
		}
		return list, true
	case ast.ObjectValue:
		object := make(map[string]any, len(v.Children))
		for _, child := range v.Children {
			if member, ok := d.plain(child.Value); ok {
				object[child.Name] = member
			}
		}
		return object, true
	}
	return v.Raw, true
}

// asList is a value where a list is wanted: one value stands for a list of it.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// asInt is a whole number, of the document or of a variable.
func asInt(v any) (n int, ok bool) {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.Atoi(string(v)); err == nil {
			return n, true
		}
		f, err := v.Float64()
		return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
	case int64:
		return int(v), true
	}
	return 0, false
}

// page is the part of a list that arguments ask for.
type page struct {
	search        string
	offset, limit int
}

// page reads the arguments limit, offset and search, of which a field may lack some.
func (x *execution) page(c *cell) (p page, fail *failure) {
	number := func(name string) int {
		v := x.doc.given(c.field, name)
		n, ok := asInt(v)
		if !ok && v != nil {
			return -1
		}
		return n
	}
	p.limit, p.offset = number("limit"), number("offset")
	p.search, _ = x.doc.given(c.field, "search").(string)
	if p.limit < 0 || p.limit > mostPage {
		further := "."
		if p.limit > 0 && c.field.Definition.Arguments.ForName("offset") != nil {
			further = ": read further entities with offset."
		}
		return p, &failure{message: fmt.Sprintf("limit must be 0 to %s, not %d%s", domains.Number(mostPage), p.limit, further)}
	}
	if p.offset < 0 {
		return p, &failure{message: fmt.Sprintf("offset must be 0 or more, not %d.", p.offset)}
	}
	return p, nil
}
