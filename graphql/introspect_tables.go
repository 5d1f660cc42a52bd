package graphql

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// metaTables maps a type of introspection and a field of it to what writes the field.
// The objects are: *ast.Schema; *ast.Definition, *nonNull or *listOf for __Type;
// *ast.FieldDefinition for __Field; metaInput for __InputValue;
// *ast.EnumValueDefinition and *ast.DirectiveDefinition.
var metaTables map[string]map[string]func(w *metaWriter, f *metaField, of any)

// The table refers to functions that use it in turn.
func init() {
	metaTables = map[string]map[string]func(w *metaWriter, f *metaField, of any){
		"__Schema":     schemaTable,
		"__Type":       typeTable,
		"__Field":      fieldTable,
		"__InputValue": inputTable,
		"__EnumValue":  enumTable,
		"__Directive":  directiveTable,
	}
}

// on is a writer for one type of objects.
func on[T any](write func(w *metaWriter, f *metaField, of T)) func(*metaWriter, *metaField, any) {
	return func(w *metaWriter, f *metaField, of any) { write(w, f, of.(T)) }
}

// ofNamed is a writer of __Type for which types without a name are null.
func ofNamed(write func(w *metaWriter, f *metaField, d *ast.Definition)) func(*metaWriter, *metaField, any) {
	return func(w *metaWriter, f *metaField, of any) {
		if d, ok := of.(*ast.Definition); ok {
			write(w, f, d)
			return
		}
		w.null()
	}
}

var schemaTable = map[string]func(*metaWriter, *metaField, any){
	"description": on(func(w *metaWriter, _ *metaField, s *ast.Schema) { w.optional(s.Description) }),
	"types": on(func(w *metaWriter, f *metaField, _ *ast.Schema) {
		each(w, w.lists.types, func(d *ast.Definition) { w.object(f.plan, d) })
	}),
	"queryType":        on(func(w *metaWriter, f *metaField, s *ast.Schema) { w.named(f.plan, s.Query) }),
	"mutationType":     on(func(w *metaWriter, f *metaField, s *ast.Schema) { w.named(f.plan, s.Mutation) }),
	"subscriptionType": on(func(w *metaWriter, f *metaField, s *ast.Schema) { w.named(f.plan, s.Subscription) }),
	"directives": on(func(w *metaWriter, f *metaField, _ *ast.Schema) {
		list := kept(f, w.lists.directives, func(d *ast.DirectiveDefinition) ast.DirectiveList { return d.Directives })
		each(w, list, func(d *ast.DirectiveDefinition) { w.object(f.plan, d) })
	}),
}

var typeTable = map[string]func(*metaWriter, *metaField, any){
	"kind": func(w *metaWriter, _ *metaField, of any) {
		switch of := of.(type) {
		case *nonNull:
			w.text("NON_NULL")
		case *listOf:
			w.text("LIST")
		case *ast.Definition:
			w.text(string(of.Kind))
		}
	},
	"name":        ofNamed(func(w *metaWriter, _ *metaField, d *ast.Definition) { w.text(d.Name) }),
	"description": ofNamed(func(w *metaWriter, _ *metaField, d *ast.Definition) { w.optional(d.Description) }),
	"specifiedByURL": ofNamed(func(w *metaWriter, _ *metaField, d *ast.Definition) {
		if by := d.Directives.ForName("specifiedBy"); by != nil && by.Arguments.ForName("url") != nil {
			w.text(by.Arguments.ForName("url").Value.Raw)
			return
		}
		w.null()
	}),
	"fields": ofNamed(func(w *metaWriter, f *metaField, d *ast.Definition) {
		if d.Kind != ast.Object && d.Kind != ast.Interface {
			w.null()
			return
		}
		list := kept(f, ownFields(d), func(d *ast.FieldDefinition) ast.DirectiveList { return d.Directives })
		each(w, list, func(d *ast.FieldDefinition) { w.object(f.plan, d) })
	}),
	"interfaces": ofNamed(func(w *metaWriter, f *metaField, d *ast.Definition) {
		if d.Kind != ast.Object && d.Kind != ast.Interface {
			w.null()
			return
		}
		each(w, d.Interfaces, func(name string) { w.named(f.plan, w.schema.Types[name]) })
	}),
	"possibleTypes": ofNamed(func(w *metaWriter, f *metaField, d *ast.Definition) {
		if !d.IsAbstractType() {
			w.null()
			return
		}
		each(w, w.lists.possible[d.Name], func(d *ast.Definition) { w.object(f.plan, d) })
	}),
	"enumValues": ofNamed(func(w *metaWriter, f *metaField, d *ast.Definition) {
		if d.Kind != ast.Enum {
			w.null()
			return
		}
		list := kept(f, d.EnumValues, func(d *ast.EnumValueDefinition) ast.DirectiveList { return d.Directives })
		each(w, list, func(d *ast.EnumValueDefinition) { w.object(f.plan, d) })
	}),
	"inputFields": ofNamed(func(w *metaWriter, f *metaField, d *ast.Definition) {
		if d.Kind != ast.InputObject {
			w.null()
			return
		}
		list := kept(f, d.Fields, func(d *ast.FieldDefinition) ast.DirectiveList { return d.Directives })
		each(w, list, func(d *ast.FieldDefinition) { w.object(f.plan, (*inputField)(d)) })
	}),
	"ofType": func(w *metaWriter, f *metaField, of any) {
		switch t := of.(type) {
		case *nonNull:
			if t.Elem != nil {
				w.object(f.plan, (*listOf)(t))
				return
			}
			w.named(f.plan, w.schema.Types[t.NamedType])
		case *listOf:
			w.reference(f.plan, t.Elem)
		default:
			w.null()
		}
	},
	"isOneOf": ofNamed(func(w *metaWriter, _ *metaField, d *ast.Definition) {
		if d.Kind != ast.InputObject {
			w.null()
			return
		}
		w.bool(d.Directives.ForName("oneOf") != nil)
	}),
}

// ownFields are the fields of a type, without those that Query has for introspection.
func ownFields(d *ast.Definition) ast.FieldList {
	fields := d.Fields
	for len(fields) > 0 && strings.HasPrefix(fields[len(fields)-1].Name, "__") {
		fields = fields[:len(fields)-1]
	}
	return fields
}

var fieldTable = map[string]func(*metaWriter, *metaField, any){
	"name":              on(func(w *metaWriter, _ *metaField, d *ast.FieldDefinition) { w.text(d.Name) }),
	"description":       on(func(w *metaWriter, _ *metaField, d *ast.FieldDefinition) { w.optional(d.Description) }),
	"args":              on(func(w *metaWriter, f *metaField, d *ast.FieldDefinition) { w.arguments(f, d.Arguments) }),
	"type":              on(func(w *metaWriter, f *metaField, d *ast.FieldDefinition) { w.reference(f.plan, d.Type) }),
	"isDeprecated":      on(func(w *metaWriter, _ *metaField, d *ast.FieldDefinition) { w.isDeprecated(d.Directives) }),
	"deprecationReason": on(func(w *metaWriter, _ *metaField, d *ast.FieldDefinition) { w.reason(d.Directives) }),
}

func (w *metaWriter) arguments(f *metaField, list ast.ArgumentDefinitionList) {
	list = kept(f, list, func(d *ast.ArgumentDefinition) ast.DirectiveList { return d.Directives })
	each(w, list, func(d *ast.ArgumentDefinition) { w.object(f.plan, d) })
}

// inputField is a field of an input object, which is an __InputValue and no __Field.
type inputField ast.FieldDefinition

// input is what arguments and fields of input objects have in common.
type input struct {
	name, description string
	typ               *ast.Type
	value             *ast.Value
	directives        ast.DirectiveList
}

// ofInput is a writer of __InputValue.
func ofInput(write func(w *metaWriter, f *metaField, in input)) func(*metaWriter, *metaField, any) {
	return func(w *metaWriter, f *metaField, of any) {
		switch d := of.(type) {
		case *ast.ArgumentDefinition:
			write(w, f, input{d.Name, d.Description, d.Type, d.DefaultValue, d.Directives})
		case *inputField:
			write(w, f, input{d.Name, d.Description, d.Type, d.DefaultValue, d.Directives})
		}
	}
}

var inputTable = map[string]func(*metaWriter, *metaField, any){
	"name":        ofInput(func(w *metaWriter, _ *metaField, in input) { w.text(in.name) }),
	"description": ofInput(func(w *metaWriter, _ *metaField, in input) { w.optional(in.description) }),
	"type":        ofInput(func(w *metaWriter, f *metaField, in input) { w.reference(f.plan, in.typ) }),
	"defaultValue": ofInput(func(w *metaWriter, _ *metaField, in input) {
		if in.value == nil {
			w.null()
			return
		}
		w.text(string(w.appendConstant(nil, in.typ, in.value)))
	}),
	"isDeprecated":      ofInput(func(w *metaWriter, _ *metaField, in input) { w.isDeprecated(in.directives) }),
	"deprecationReason": ofInput(func(w *metaWriter, _ *metaField, in input) { w.reason(in.directives) }),
}

var enumTable = map[string]func(*metaWriter, *metaField, any){
	"name":              on(func(w *metaWriter, _ *metaField, d *ast.EnumValueDefinition) { w.text(d.Name) }),
	"description":       on(func(w *metaWriter, _ *metaField, d *ast.EnumValueDefinition) { w.optional(d.Description) }),
	"isDeprecated":      on(func(w *metaWriter, _ *metaField, d *ast.EnumValueDefinition) { w.isDeprecated(d.Directives) }),
	"deprecationReason": on(func(w *metaWriter, _ *metaField, d *ast.EnumValueDefinition) { w.reason(d.Directives) }),
}

var directiveTable = map[string]func(*metaWriter, *metaField, any){
	"name":         on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) { w.text(d.Name) }),
	"description":  on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) { w.optional(d.Description) }),
	"isRepeatable": on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) { w.bool(d.IsRepeatable) }),
	"locations": on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) {
		each(w, d.Locations, func(at ast.DirectiveLocation) { w.text(string(at)) })
	}),
	"args":              on(func(w *metaWriter, f *metaField, d *ast.DirectiveDefinition) { w.arguments(f, d.Arguments) }),
	"isDeprecated":      on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) { w.isDeprecated(d.Directives) }),
	"deprecationReason": on(func(w *metaWriter, _ *metaField, d *ast.DirectiveDefinition) { w.reason(d.Directives) }),
}
