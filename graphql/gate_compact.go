package graphql

import (
	"strings"

	gqlast "github.com/graph-gophers/graphql-go/ast"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// typed is a schema as gqlparser has it, and what it defines in the order of the text.
type typed struct {
	schema     *ast.Schema
	types      []*ast.Definition
	directives []*ast.DirectiveDefinition
}

// chunk is about how many bytes of a schema are parsed at once. The parser makes some
// fifteen times as much of them, most of which is the same for field after field.
const chunk = 256 << 10

// parseTyped parses a schema with gqlparser. Fields that are inherited stand in the text
// once for each type that has them; those that are equal are kept once. The parts between
// definitions are parsed one after the other, so that never much more is held.
func parseTyped(sdl string) (*typed, error) {
	t, err := parseParts(parts(sdl, chunk))
	if err != nil { // in one piece, so that the places in errors are right
		return parseParts([]string{sdl})
	}
	return t, nil
}

func parseParts(parts []string) (*typed, error) {
	doc, err := parser.ParseSchema(validator.Prelude)
	if err != nil {
		return nil, err
	}
	all, prelude := interner{fields: map[string]*ast.FieldDefinition{}, types: map[string]*ast.Type{}}, *doc
	for _, text := range parts {
		part, err := parser.ParseSchema(&ast.Source{Input: text})
		if err != nil {
			return nil, err
		}
		all.document(part)
		doc.Merge(part)
	}
	t := &typed{types: doc.Definitions[len(prelude.Definitions):], directives: doc.Directives[len(prelude.Directives):]}
	t.schema, err = validator.ValidateSchemaDocument(doc)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// parts cuts a schema into pieces of at least so many bytes, where a line is nothing but
// a closing brace: between two definitions.
func parts(sdl string, size int) []string {
	var out []string
	from, at, inBlock := 0, 0, false
	for line := range strings.Lines(sdl) {
		at += len(line)
		switch {
		case inBlock || !strings.HasPrefix(line, "#"):
			if strings.Count(strings.ReplaceAll(line, `\"""`, ""), `"""`)%2 == 1 {
				inBlock = !inBlock
			}
		}
		if !inBlock && at-from >= size && strings.TrimRight(line, "\r\n") == "}" {
			out, from = append(out, sdl[from:at]), at
		}
	}
	if strings.TrimSpace(sdl[from:]) != "" || len(out) == 0 {
		out = append(out, sdl[from:])
	}
	return out
}

// interner keeps equal fields and types once.
type interner struct {
	fields map[string]*ast.FieldDefinition
	types  map[string]*ast.Type
	key    []byte
}

// document replaces what is equal to something before. Places within definitions are
// dropped: nothing tells them once a schema was found legal.
func (in *interner) document(doc *ast.SchemaDocument) {
	for _, list := range []ast.DefinitionList{doc.Definitions, doc.Extensions} {
		for _, d := range list {
			place := *d.Position // the parser's points into a token, which would stay too
			d.Position, d.TypePositions = &place, nil
			d.BeforeDescriptionComment, d.AfterDescriptionComment, d.EndOfDefinitionComment = nil, nil, nil
			for i, f := range d.Fields {
				d.Fields[i] = in.field(f, d.Position)
			}
		}
	}
}

// field is the first field that is equal to another.
func (in *interner) field(f *ast.FieldDefinition, place *ast.Position) *ast.FieldDefinition {
	in.key = in.key[:0]
	in.add(f.Name, f.Description, f.Type.String())
	in.value(f.DefaultValue)
	in.directives(f.Directives)
	for _, a := range f.Arguments {
		in.add(a.Name, a.Description, a.Type.String())
		in.value(a.DefaultValue)
		in.directives(a.Directives)
	}
	if same := in.fields[string(in.key)]; same != nil {
		return same
	}
	in.fields[string(in.key)] = f
	f.Position, f.BeforeDescriptionComment, f.AfterDescriptionComment = place, nil, nil
	f.Type = in.typ(f.Type)
	placeValue(f.DefaultValue, place)
	for _, a := range f.Arguments {
		a.Position, a.BeforeDescriptionComment, a.AfterDescriptionComment = place, nil, nil
		a.Type = in.typ(a.Type)
		placeValue(a.DefaultValue, place)
	}
	return f
}

// add appends texts to the key, each with an end that no text has.
func (in *interner) add(texts ...string) {
	for _, t := range texts {
		in.key = append(append(in.key, t...), 0xFF)
	}
}

func (in *interner) value(v *ast.Value) {
	if v != nil {
		in.add("=", written(v))
	}
}

func (in *interner) directives(list ast.DirectiveList) {
	for _, d := range list {
		in.add("@", d.Name)
		for _, a := range d.Arguments {
			in.add(a.Name)
			in.value(a.Value)
		}
	}
	in.key = append(in.key, 0xFE)
}

func (in *interner) typ(t *ast.Type) *ast.Type {
	name := t.String()
	if same := in.types[name]; same != nil {
		return same
	}
	for inner := t; inner != nil; inner = inner.Elem {
		inner.Position = nil
	}
	in.types[name] = t
	return t
}

func placeValue(v *ast.Value, place *ast.Position) {
	if v == nil {
		return
	}
	v.Position, v.Comment = place, nil
	for _, child := range v.Children {
		child.Position, child.Comment = place, nil
		placeValue(child.Value, place)
	}
}

// compactStrict keeps equal fields of graph-gophers' tree once.
func compactStrict(schema *gqlast.Schema) {
	fields, inputs := map[string]*gqlast.FieldDefinition{}, map[string]*gqlast.InputValueDefinition{}
	for _, t := range schema.Types {
		switch t := t.(type) {
		case *gqlast.ObjectTypeDefinition:
			compactFields(t.Fields, fields)
		case *gqlast.InterfaceTypeDefinition:
			compactFields(t.Fields, fields)
		case *gqlast.InputObject:
			for i, v := range t.Values {
				t.Values[i] = first(inputs, strictInput(nil, v), v)
			}
		}
	}
}

func compactFields(list gqlast.FieldsDefinition, all map[string]*gqlast.FieldDefinition) {
	for i, f := range list {
		key := append(append(append([]byte(f.Name), 0xFF), f.Desc...), 0xFF)
		key = append(append(key, f.Type.String()...), 0xFF)
		for _, a := range f.Arguments {
			key = strictInput(key, a)
		}
		list[i] = first(all, strictDirectives(key, f.Directives), f)
	}
}

// strictInput appends what an argument or a field of an input is made of.
func strictInput(key []byte, v *gqlast.InputValueDefinition) []byte {
	key = append(append(append(append(key, v.Name.Name...), 0xFF), v.Desc...), 0xFF)
	key = append(append(key, v.Type.String()...), 0xFF)
	if v.Default != nil {
		key = append(append(key, '='), v.Default.String()...)
	}
	return strictDirectives(key, v.Directives)
}

func strictDirectives(key []byte, list gqlast.DirectiveList) []byte {
	for _, d := range list {
		key = append(append(key, '@'), d.Name.Name...)
		for _, a := range d.Arguments {
			key = append(append(append(key, a.Name.Name...), 0xFF), a.Value.String()...)
		}
	}
	return append(key, 0xFE)
}

// first is what has a key already, or else what gets it.
func first[T any](all map[string]*T, key []byte, item *T) *T {
	if same := all[string(key)]; same != nil {
		return same
	}
	all[string(key)] = item
	return item
}
