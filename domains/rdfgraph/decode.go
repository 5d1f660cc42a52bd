package rdfgraph

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/ontogate/ontogate/domains"
)

// decode fills v, a part of settings, from a node. It reports whether the node has
// the form that v needs; parts of it may be at fault all the same.
func (d *decoder) decode(n ast.Node, v reflect.Value, path string) bool {
	if n == nil || n.Type() == ast.NullType {
		return true // a key without a value is as good as absent
	}
	if _, seen := d.places[path]; !seen {
		d.places[path] = placeOf(n)
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		if !d.decode(n, p.Elem(), path) {
			return false
		}
		v.Set(p)
		return true
	case reflect.Struct:
		return d.decodeStruct(n, v, path)
	case reflect.Map:
		return d.decodeMap(n, v, path)
	case reflect.Slice:
		d.decodeList(n, v, path)
		return true
	case reflect.Bool:
		return d.decodeBool(n, v, path)
	}
	s, ok := scalar(n)
	if !ok {
		d.fault(n, path, "%s is text; found %s", path, describe(n))
		return false
	}
	v.SetString(s)
	return true
}

func (d *decoder) decodeStruct(n ast.Node, v reflect.Value, path string) bool {
	pairs, ok := d.pairs(n, path)
	if !ok {
		return false
	}
	keys := keysOf(v.Type())
	for _, p := range pairs {
		i := slices.Index(keys, p.key)
		if i < 0 {
			d.unknownKey(p.node, p.key, path, v.Type())
			continue
		}
		sub := join(path, p.key)
		d.places[sub] = placeOf(p.node)
		d.decode(p.node.Value, v.Field(i), sub)
	}
	return true
}

// maxHints is how many faults there may be before advice on a key is left out: nobody
// reads more, and to find what is alike takes time.
const maxHints = 100

// unknownKey reports a key that a structure does not have, with the key that may be
// meant: one alike, or, where the indentation was lost, one of a part of it.
func (d *decoder) unknownKey(n ast.Node, key, path string, in reflect.Type) {
	if len(d.faults) >= maxHints {
		d.fault(n, path, "unknown key %q in %s", key, cmp.Or(path, settingsFile))
		return
	}
	keys := keysOf(in)
	hint := ": the keys are " + strings.Join(keys, ", ")
	if near := domains.Nearest(key, keys, 1); len(near) > 0 {
		hint = fmt.Sprintf(": did you mean %q?", near[0])
	} else if part, ok := partWith(key, in); ok {
		hint = fmt.Sprintf(": did you mean the %q of %q? Write it below %s: and further in", key, part, part)
	}
	d.fault(n, path, "unknown key %q in %s%s", key, cmp.Or(path, settingsFile), hint)
}

// partWith finds the key of a structure whose value has a certain key itself.
func partWith(key string, t reflect.Type) (part string, ok bool) {
	for i, part := range keysOf(t) {
		if f := t.Field(i).Type; f.Kind() == reflect.Struct && slices.Contains(keysOf(f), key) {
			return part, true
		}
	}
	return "", false
}

func (d *decoder) decodeMap(n ast.Node, v reflect.Value, path string) bool {
	pairs, ok := d.pairs(n, path)
	if !ok {
		return false
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, p := range pairs {
		item := reflect.New(v.Type().Elem()).Elem()
		sub := join(path, p.key)
		d.places[sub] = placeOf(p.node)
		d.decode(p.node.Value, item, sub)
		v.SetMapIndex(reflect.ValueOf(p.key), item)
	}
	return true
}

// decodeList reads a list; a single value stands for a list of one. Items that are at
// fault are left out.
func (d *decoder) decodeList(n ast.Node, v reflect.Value, path string) {
	items := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		items = list.Values
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, len(items)))
	for i, item := range items {
		e := reflect.New(v.Type().Elem()).Elem()
		if d.decode(item, e, fmt.Sprintf("%s[%d]", path, i)) {
			v.Set(reflect.Append(v, e))
		}
	}
}

func (d *decoder) decodeBool(n ast.Node, v reflect.Value, path string) bool {
	s, ok := scalar(n)
	if ok {
		switch strings.ToLower(s) {
		case "true", "yes", "on":
			v.SetBool(true)
			return true
		case "false", "no", "off":
			v.SetBool(false)
			return true
		}
	}
	d.fault(n, path, "%s is true or false; found %s", path, describe(n))
	return false
}

// pair is a key of a map with its node, the value in it.
type pair struct {
	key  string
	node *ast.MappingValueNode
}

// pairs returns the keys of a map. Repeated keys are faults of the syntax.
func (d *decoder) pairs(n ast.Node, path string) ([]pair, bool) {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		d.fault(n, path, "%s is a map of keys; found %s", path, describe(n))
		return nil, false
	}
	out := make([]pair, 0, len(values))
	for _, v := range values {
		key, ok := scalar(v.Key)
		if !ok {
			d.fault(v, path, "a key is plain text and a colon; found %s", describe(v.Key))
			continue
		}
		out = append(out, pair{key, v})
	}
	return out, true
}

// scalar is the text of a plain value as it was written: 2 and 1.10 stay so.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.NullNode:
		return "", true
	}
	return "", false
}

func isMapping(n ast.Node) bool {
	return n.Type() == ast.MappingType || n.Type() == ast.MappingValueType
}

// describe names what stands in the place of something else.
func describe(n ast.Node) string {
	if n == nil {
		return "nothing"
	}
	if s, ok := scalar(n); ok {
		return fmt.Sprintf("%q", s)
	}
	switch n.Type() {
	case ast.MappingType, ast.MappingValueType:
		return "a map"
	case ast.SequenceType:
		return "a list"
	case ast.AliasType, ast.AnchorType, ast.MergeKeyType:
		return "an anchor or alias, which are not read here: write the value out"
	case ast.TagType:
		return "a tag, which is not read here: write the value alone"
	case ast.MappingKeyType:
		return "a \"?\", which is not read here: write the key and a colon"
	}
	return "something else"
}

func keysOf(t reflect.Type) []string {
	keys := make([]string, t.NumField())
	for i := range keys {
		keys[i] = t.Field(i).Tag.Get("yaml")
	}
	return keys
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
