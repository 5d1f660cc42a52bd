package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// schemas makes JSON Schemas of Go types as encoding/json writes them.
type schemas struct{ all object } // name → schema

// of is a reference to the schema of a value's type.
func (s *schemas) of(v any) object { return s.schema(reflect.TypeOf(v)) }

// inline is the schema of a structure itself.
func (s *schemas) inline(v any) object {
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return s.structure(t)
}

var raw = reflect.TypeFor[json.RawMessage]()

func (s *schemas) schema(t reflect.Type) object {
	if t == raw {
		return object{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(s.schema(t.Elem()))
	case reflect.Struct:
		if _, ok := s.all[t.Name()]; !ok {
			s.all[t.Name()] = object{} // a structure may hold itself
			s.all[t.Name()] = s.structure(t)
		}
		return reference(t.Name())
	case reflect.Slice, reflect.Array:
		return object{"type": "array", "items": s.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.schema(t.Elem())}
	case reflect.Interface:
		return object{}
	}
	return object{"type": jsonName(t.Kind())}
}

// orNull is a schema that null fits too.
func orNull(of object) object {
	if kind, ok := of["type"].(string); ok {
		of["type"] = []string{kind, "null"}
		return of
	}
	return object{"anyOf": []object{of, {"type": "null"}}}
}

// structure is the schema of a structure. Members that may be left out are not required;
// others that it does not have are not there.
func (s *schemas) structure(t reflect.Type) object {
	members, needed := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || f.Anonymous && name == "" || name == "-" || slices.ContainsFunc(f.Index, func(i int) bool { return i < 0 }) {
			continue
		}
		if name == "" {
			name = f.Name
		}
		optional := strings.Contains(options, "omit")
		schema := s.schema(f.Type)
		if f.Type.Kind() == reflect.Pointer && optional {
			schema = s.schema(f.Type.Elem()) // it is left out rather than null
		}
		if members[name] = schema; !optional {
			needed = append(needed, name)
		}
	}
	slices.Sort(needed)
	return object{"type": "object", "properties": members, "required": needed, "additionalProperties": false}
}
