package graphql

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// metaPlan says what is asked of the objects of one type of introspection. All of these
// types are concrete, so that a query has one plan for each place, made once, and not one
// for each object.
type metaPlan []metaField

// metaField is one key of an object.
type metaField struct {
	// key is the key with its quotes and colon.
	key string
	// write writes the value.
	write func(w *metaWriter, f *metaField, of any)
	// plan is what is asked of the value; nil for values that are no objects.
	plan metaPlan
	// all is set where deprecated members are asked for too.
	all bool
	// typename is the name of the type that the key is asked of.
	typename string
}

// plan is what is asked below a field, of a type of introspection.
func (d *document) plan(c collected, typ string) metaPlan {
	def := d.schema.Types[typ]
	keys := d.collect(c.subsets(), def)
	out := make(metaPlan, 0, len(keys))
	for _, k := range keys {
		f := metaField{key: string(append(appendString(nil, k.key), ':')), write: metaTables[typ][k.field.Name], typename: typ}
		if k.field.Name == "__typename" {
			f.write = (*metaWriter).typename
		}
		if of := def.Fields.ForName(k.field.Name); of != nil && f.write != nil {
			if target := d.schema.Types[of.Type.Name()]; target != nil && target.Kind == ast.Object {
				f.plan = d.plan(k, target.Name)
			}
			f.all, _ = d.argument(k.field, "includeDeprecated").(bool)
		}
		if f.write == nil { // not reached: the document is valid
			f.write = func(w *metaWriter, _ *metaField, _ any) { w.null() }
		}
		out = append(out, f)
	}
	return out
}

// argument is the value of an argument that is a constant or a variable; nil without one.
func (d *document) argument(f *ast.Field, name string) any {
	a := f.Arguments.ForName(name)
	switch {
	case a == nil || a.Value == nil:
		return nil
	case a.Value.Kind == ast.Variable:
		return d.variables[a.Value.Raw]
	}
	return untyped("", a.Value)
}

// metaWriter writes answers about a schema as JSON.
type metaWriter struct {
	schema *ast.Schema
	lists  *metaOrder
	b      []byte
	limit  int
	// full is set where the answer is larger than the limit; nothing is written any more.
	full bool
	// objects counts what was written. Tests read it.
	objects int
}

// leastRoom is about what an object takes.
const leastRoom = 4 << 10

func (w *metaWriter) null()         { w.b = append(w.b, "null"...) }
func (w *metaWriter) text(s string) { w.b = appendString(w.b, s) }

func (w *metaWriter) optional(s string) {
	if s == "" {
		w.null()
		return
	}
	w.text(s)
}

func (w *metaWriter) bool(is bool) {
	if is {
		w.b = append(w.b, "true"...)
	} else {
		w.b = append(w.b, "false"...)
	}
}

func (w *metaWriter) typename(f *metaField, _ any) { w.text(f.typename) }

// object writes what a plan asks of an object.
func (w *metaWriter) object(plan metaPlan, of any) {
	if w.full || len(w.b) > w.limit {
		w.full = true
		return
	}
	w.objects++
	if cap(w.b)-len(w.b) < leastRoom { // append would copy large answers five times
		w.b = slices.Grow(w.b, max(leastRoom*16, len(w.b)))
	}
	w.b = append(w.b, '{')
	for i := range plan {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		f := &plan[i]
		w.b = append(w.b, f.key...)
		f.write(w, f, of)
	}
	w.b = append(w.b, '}')
}

// each writes a list.
func each[T any](w *metaWriter, items []T, write func(T)) {
	w.b = append(w.b, '[')
	for i, item := range items {
		if w.full {
			return
		}
		if i > 0 {
			w.b = append(w.b, ',')
		}
		write(item)
	}
	w.b = append(w.b, ']')
}

// named writes a type that may be missing.
func (w *metaWriter) named(plan metaPlan, d *ast.Definition) {
	if d == nil {
		w.null()
		return
	}
	w.object(plan, d)
}

// reference writes the type of a field or an argument.
func (w *metaWriter) reference(plan metaPlan, t *ast.Type) {
	switch {
	case t.NonNull:
		w.object(plan, (*nonNull)(t))
	case t.Elem != nil:
		w.object(plan, (*listOf)(t))
	default:
		w.named(plan, w.schema.Types[t.NamedType])
	}
}

// nonNull and listOf are a type whose outermost part is that, whatever its mark says.
type (
	nonNull ast.Type
	listOf  ast.Type
)

// kept drops what is deprecated, unless it was asked for.
func kept[T any](f *metaField, list []T, directives func(T) ast.DirectiveList) []T {
	if f.all {
		return list
	}
	for i, item := range list {
		if _, is := deprecated(directives(item)); !is {
			continue
		}
		out := append([]T(nil), list[:i]...)
		for _, item := range list[i+1:] {
			if _, is := deprecated(directives(item)); !is {
				out = append(out, item)
			}
		}
		return out
	}
	return list
}

// deprecated is the reason that a directive @deprecated gives.
func deprecated(list ast.DirectiveList) (reason string, is bool) {
	if len(list) == 0 {
		return "", false
	}
	d := list.ForName("deprecated")
	if d == nil {
		return "", false
	}
	a := d.Arguments.ForName("reason")
	if a == nil {
		return "No longer supported", true
	}
	return a.Value.Raw, a.Value.Kind != ast.NullValue
}

func (w *metaWriter) reason(list ast.DirectiveList) {
	if reason, is := deprecated(list); is {
		w.text(reason)
		return
	}
	w.null()
}

func (w *metaWriter) isDeprecated(list ast.DirectiveList) {
	_, is := deprecated(list)
	w.bool(is)
}
