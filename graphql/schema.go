package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/ontogate/ontogate/domains"
)

// Schema is a schema as a service prints it. It is not validated: what other servers
// print has to be readable here even where it is not quite legal.
type Schema struct {
	definitions []Definition
	// types maps a name to its type, extensions included; names has the names sorted.
	types map[string]*ast.Definition
	names []string
	// directives are the names of directives that the schema defines, marks what it defines.
	directives map[string]bool
	marks      map[string]*ast.DirectiveDefinition
	// roots maps a kind of operation to the name of its root type.
	roots map[Kind]string
	// values maps a type to the names of its fields that are values and need no argument,
	// and relations to its first field that leads to a type with values. Both are found
	// once: looked for whenever they are needed, a field within a field within a field, a
	// schema of 13 kB took half a minute.
	values    map[string][]string
	relations map[string]*ast.FieldDefinition
	// incoming counts the relations that lead to a type.
	incoming map[string]int
	pattern  *Pattern
}

// Definition is one definition of a schema.
type Definition struct {
	// Name is the name of a type or directive; empty for the definition of the schema
	// itself.
	Name string
	// Keyword is what the definition begins with: type, enum, input, directive, …;
	// "extend" for all extensions.
	Keyword string
	// Description is what the schema says of it; may be empty.
	Description string
	// Text is the definition as it stands in the SDL, with its description.
	Text string
}

// Field is a field of a type.
type Field struct {
	Name, Description string
	Args              []Argument
	// Type is the type as written, Of the type's name without lists and marks:
	// "[Order!]" and "Order".
	Type, Of string
	// List is set where the field has a list.
	List bool
	// Signature is the field on one line, without descriptions.
	Signature string
}

// Argument is an argument of a field.
type Argument struct {
	Name, Type, Of string
	// Required is set where the argument may neither be left out nor be null.
	Required bool
}

// maxSDL is the most bytes of a schema: about that of 10,000 classes.
const maxSDL = 16 << 20

// ParseSDL reads a schema. The error is a *Fault.
func ParseSDL(text string) (*Schema, error) {
	if len(text) > maxSDL {
		return nil, &Fault{Message: "the schema is too large to be read"}
	}
	src := &ast.Source{Input: text}
	doc, err := parser.ParseSchema(src)
	if err != nil {
		return nil, faultOf(err)
	}
	s := &Schema{types: map[string]*ast.Definition{}, directives: map[string]bool{}, marks: map[string]*ast.DirectiveDefinition{}, roots: map[Kind]string{}}
	for _, d := range doc.Definitions {
		if s.types[d.Name] == nil {
			s.types[d.Name] = d
		}
	}
	for _, d := range doc.Extensions {
		s.extend(d)
	}
	for name := range s.types {
		s.names = append(s.names, name)
	}
	slices.Sort(s.names)
	for _, d := range doc.Directives {
		s.directives[d.Name], s.marks[d.Name] = true, d
	}
	s.findRoots(doc)
	s.findExamples()
	s.findIncoming()
	s.pattern = s.findPattern()
	s.definitions, err = s.cut(src, doc)
	return s, err
}

// extend adds an extension to the type that it extends. The definition is the parser's,
// which nobody else has; a copy for each of many extensions would be quadratic.
func (s *Schema) extend(d *ast.Definition) {
	base := s.types[d.Name]
	if base == nil {
		s.types[d.Name] = d
		return
	}
	base.Interfaces = append(base.Interfaces, d.Interfaces...)
	base.Fields = append(base.Fields, d.Fields...)
	base.Types = append(base.Types, d.Types...)
	base.EnumValues = append(base.EnumValues, d.EnumValues...)
}

// findRoots finds the root types: those that the schema definition names, or else
// those with the usual names.
func (s *Schema) findRoots(doc *ast.SchemaDocument) {
	for _, list := range []ast.SchemaDefinitionList{doc.Schema, doc.SchemaExtension} {
		for _, d := range list {
			for _, o := range d.OperationTypes {
				s.roots[Kind(o.Operation)] = o.Type
			}
		}
	}
	if len(doc.Schema) > 0 {
		return
	}
	for kind, name := range map[Kind]string{Query: "Query", Mutation: "Mutation", Subscription: "Subscription"} {
		if s.types[name] != nil {
			s.roots[kind] = name
		}
	}
}

// Definitions are all definitions: that of the schema itself, the root of queries, the
// types that have fields or members, inputs, enums, scalars and directives, each kind by
// name and a type followed by its extensions.
func (s *Schema) Definitions() []Definition { return s.definitions }

// Root is the name of the type of queries; empty when there is none.
func (s *Schema) Root() string { return s.roots[Query] }

// Types are the names of all types but the roots, in order.
func (s *Schema) Types() []string {
	return slices.DeleteFunc(slices.Clone(s.names), s.isRoot)
}

func (s *Schema) isRoot(name string) bool {
	for _, root := range s.roots {
		if root == name {
			return true
		}
	}
	return false
}

// Fields are the fields of a type in the order of the schema; none for a type that has
// no fields or does not exist.
func (s *Schema) Fields(name string) []Field {
	d := s.types[name]
	if d == nil {
		return nil
	}
	out := make([]Field, 0, len(d.Fields))
	for _, f := range d.Fields {
		out = append(out, fieldOf(f))
	}
	return out
}

// Returning are the fields of the root of queries that give a type.
func (s *Schema) Returning(name string) []Field {
	var out []Field
	if root := s.types[s.Root()]; root != nil {
		for _, f := range root.Fields {
			if f.Type.Name() == name {
				out = append(out, fieldOf(f))
			}
		}
	}
	return out
}

// Named finds a type by its name, whatever its case. When there is none, near are
// names that may have been meant.
func (s *Schema) Named(name string) (found string, near []string, ok bool) {
	if s.types[name] != nil {
		return name, nil, true
	}
	for _, n := range s.names {
		if strings.EqualFold(n, name) {
			return n, nil, true
		}
	}
	return "", domains.Nearest(shorten(name), s.names, mostNear), false
}

// fieldOf is a field without what the parser needs.
func fieldOf(f *ast.FieldDefinition) Field {
	out := Field{
		Name: f.Name, Description: f.Description, Type: f.Type.String(), Of: f.Type.Name(),
		List: f.Type.Elem != nil, Signature: signature(f),
	}
	for _, a := range f.Arguments {
		out.Args = append(out.Args, Argument{
			Name: a.Name, Type: a.Type.String(), Of: a.Type.Name(), Required: isRequired(a.Type, a.DefaultValue),
		})
	}
	return out
}

func isRequired(t *ast.Type, def *ast.Value) bool { return t.NonNull && def == nil }

// signature is a field on one line: its arguments with defaults, and its type.
func signature(f *ast.FieldDefinition) string {
	var b strings.Builder
	b.WriteString(f.Name)
	for i, a := range f.Arguments {
		if i == 0 {
			b.WriteByte('(')
		} else {
			b.WriteString(", ")
		}
		b.WriteString(a.Name + ": " + a.Type.String())
		if a.DefaultValue != nil {
			b.WriteString(" = " + written(a.DefaultValue))
		}
	}
	if len(f.Arguments) > 0 {
		b.WriteByte(')')
	}
	b.WriteString(": " + f.Type.String())
	return b.String()
}
