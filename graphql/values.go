package graphql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/ontogate/ontogate/domains"
)

// written is a value as GraphQL writes it.
func written(v *ast.Value) string {
	var parts []string
	switch v.Kind {
	case ast.Variable:
		return "$" + v.Raw
	case ast.StringValue, ast.BlockValue:
		return text(v.Raw)
	case ast.ListValue:
		for _, c := range v.Children {
			parts = append(parts, written(c.Value))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case ast.ObjectValue:
		for _, c := range v.Children {
			parts = append(parts, c.Name+": "+written(c.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.Raw
}

// text is a string as GraphQL writes it. JSON strings are GraphQL strings too.
func text(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSpace(b.String())
}

// built maps the scalars that every schema has to what a value must be.
var built = map[string]string{
	"Int": "a whole number of 32 bits", "Float": "a number", "String": "a text in double quotes",
	"Boolean": "true or false", "ID": "a text in double quotes or a whole number",
}

// value checks a value of a query against the type that its place wants. what names the
// place.
func (c *checker) value(what string, t *ast.Type, v *ast.Value) {
	switch {
	case c.full():
		return
	case v.Kind == ast.Variable:
		c.variableFits(what, t, v)
		return
	case v.Kind == ast.NullValue:
		if t.NonNull {
			c.add(v.Position, "%s is %s and must not be null: give a value, or leave it out if it has a default.", what, t)
		}
		return
	case t.Elem != nil && v.Kind == ast.ListValue:
		for _, child := range v.Children {
			c.value(what, t.Elem, child.Value)
		}
		return
	case t.Elem != nil: // one value stands for a list of it
		c.value(what, t.Elem, v)
		return
	}
	d := c.schema.types[t.NamedType]
	switch {
	case built[t.NamedType] != "":
		if !fits(t.NamedType, v) {
			c.add(v.Position, "%s is %s: it must be %s, not %s.", what, t, built[t.NamedType], shorten(written(v)))
		}
	case d == nil || d.Kind == ast.Scalar: // a scalar of the service's own takes what it likes
	case d.Kind == ast.Enum:
		if v.Kind != ast.EnumValue || d.EnumValues.ForName(v.Raw) == nil {
			c.add(v.Position, "%s is %s: it must be one of %s, not %s.", what, t, listed(enumNames(d)), shorten(written(v)))
		}
	case d.Kind == ast.InputObject && v.Kind != ast.ObjectValue:
		c.add(v.Position, "%s is %s: it must be an object such as %s.", what, t, sample(d))
	case d.Kind == ast.InputObject:
		c.object(d, v)
	}
}

// object checks the fields of an input object.
func (c *checker) object(d *ast.Definition, v *ast.Value) {
	for _, child := range v.Children {
		f := d.Fields.ForName(child.Name)
		if f == nil {
			c.add(child.Position, "%s has no field '%s'. %s", d.Name, shorten(child.Name), instead(child.Name, fieldNames(d.Fields), "Its fields"))
			c.uses(child.Value)
			continue
		}
		place := *f.Type
		if f.DefaultValue != nil && child.Value.Kind == ast.Variable {
			place.NonNull = false // the default stands in for a variable that is not given
		}
		c.value(d.Name+"."+f.Name, &place, child.Value)
	}
	for _, f := range d.Fields {
		if isRequired(f.Type, f.DefaultValue) && v.Children.ForName(f.Name) == nil {
			c.add(v.Position, "%s needs the field %s: %s.", d.Name, f.Name, f.Type)
		}
	}
}

// fits reports whether a value of a query suits a built-in scalar.
func fits(scalar string, v *ast.Value) bool {
	switch scalar {
	case "Int":
		n, err := strconv.ParseInt(v.Raw, 10, 64)
		return v.Kind == ast.IntValue && err == nil && n >= math.MinInt32 && n <= math.MaxInt32
	case "Float":
		return v.Kind == ast.IntValue || v.Kind == ast.FloatValue
	case "Boolean":
		return v.Kind == ast.BooleanValue
	case "ID":
		return v.Kind == ast.StringValue || v.Kind == ast.BlockValue || v.Kind == ast.IntValue
	}
	return v.Kind == ast.StringValue || v.Kind == ast.BlockValue
}

// given checks a variable's value, as JSON has it, against its type.
func (c *checker) given(what string, t *ast.Type, v any, pos *ast.Position) {
	if c.full() {
		return
	}
	list, isList := v.([]any)
	switch {
	case v == nil:
		if t.NonNull {
			c.add(pos, "%s is %s and must not be null.", what, t)
		}
		return
	case t.Elem != nil && isList:
		for _, item := range list {
			c.given(what, t.Elem, item, pos)
		}
		return
	case t.Elem != nil:
		c.given(what, t.Elem, v, pos)
		return
	}
	d := c.schema.types[t.NamedType]
	switch {
	case built[t.NamedType] != "":
		if !suits(t.NamedType, v) {
			c.add(pos, "%s is %s: its value must be %s, not %s.", what, t, built[t.NamedType], shorten(fmt.Sprint(v)))
		}
	case d == nil || d.Kind == ast.Scalar:
	case d.Kind == ast.Enum:
		if name, ok := v.(string); !ok || d.EnumValues.ForName(name) == nil {
			c.add(pos, "%s is %s: its value must be one of %s, not %s.", what, t, listed(enumNames(d)), shorten(fmt.Sprint(v)))
		}
	case d.Kind == ast.InputObject:
		c.givenObject(what, d, v, pos)
	}
}

// givenObject checks an input object that a variable has.
func (c *checker) givenObject(what string, d *ast.Definition, v any, pos *ast.Position) {
	object, ok := v.(map[string]any)
	if !ok {
		c.add(pos, "%s is %s: its value must be an object such as %s.", what, d.Name, sample(d))
		return
	}
	for _, name := range sortedKeys(object) {
		f := d.Fields.ForName(name)
		if f == nil {
			c.add(pos, "%s has no field '%s'. %s", d.Name, shorten(name), instead(name, fieldNames(d.Fields), "Its fields"))
			continue
		}
		c.given(d.Name+"."+f.Name, f.Type, object[name], pos)
	}
	for _, f := range d.Fields {
		if _, there := object[f.Name]; !there && isRequired(f.Type, f.DefaultValue) {
			c.add(pos, "%s needs the field %s: %s.", d.Name, f.Name, f.Type)
		}
	}
}

// suits reports whether a value of JSON suits a built-in scalar.
func suits(scalar string, v any) bool {
	switch v := v.(type) {
	case string:
		return scalar == "String" || scalar == "ID"
	case bool:
		return scalar == "Boolean"
	case json.Number:
		f, err := v.Float64()
		whole := err == nil && f == math.Trunc(f)
		switch scalar {
		case "Int":
			return whole && f >= math.MinInt32 && f <= math.MaxInt32
		case "ID":
			return whole
		}
		return scalar == "Float" && err == nil
	}
	return false
}

// sample shows the fields that an input object needs, or its first one.
func sample(d *ast.Definition) string {
	var parts []string
	for _, f := range d.Fields {
		if isRequired(f.Type, f.DefaultValue) {
			parts = append(parts, f.Name+": "+f.Type.String())
		}
	}
	if len(parts) == 0 && len(d.Fields) > 0 {
		parts = []string{d.Fields[0].Name + ": " + d.Fields[0].Type.String()}
	}
	return "{" + strings.Join(parts[:min(len(parts), mostListed)], ", ") + "}"
}

func enumNames(d *ast.Definition) []string {
	var out []string
	for _, v := range d.EnumValues {
		out = append(out, v.Name)
	}
	return out
}

func fieldNames(fields ast.FieldList) []string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Name)
	}
	return out
}

// instead says which names can be used for one that does not exist: the nearest, or
// else those there are, under a heading.
func instead(name string, names []string, heading string) string {
	if near := domains.Nearest(shorten(name), names, mostNear); len(near) > 0 {
		return "Did you mean " + oneOf(near) + "?"
	}
	if len(names) == 0 {
		return "It has none."
	}
	return heading + ": " + listed(names) + "."
}

// listed joins names, the first ones of a long list.
func listed(names []string) string {
	if more := len(names) - mostListed; more > 1 {
		return strings.Join(names[:mostListed], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, ", ")
}

// oneOf joins names in quotes: 'a', 'b' or 'c'.
func oneOf(names []string) string {
	quoted := make([]string, 0, len(names))
	for _, n := range names {
		quoted = append(quoted, "'"+n+"'")
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
