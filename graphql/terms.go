package graphql

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Term is something of a schema that can be looked for: a type, or a field of one or
// several types.
type Term struct {
	Name, Description string
	// Line is the field as it is written, or for a type its keyword and name.
	Line string
	// On are the types that have the field: those where it is described, then those with
	// fewest fields first, which tend to be above the others. Empty for a type.
	On []string
	// Roots are the names of the fields of the root that read a type.
	Roots []string
}

// Terms are all terms: types by name, each followed by the fields that it is the first to
// have. Fields that types inherit come once. The inputs of Pattern, which repeat the
// fields, are left out.
func (s *Schema) Terms() []Term {
	roots := map[string][]string{}
	if root := s.types[s.Root()]; root != nil {
		for _, f := range root.Fields {
			owner := cmp.Or(s.owner(f), f.Type.Name())
			roots[owner] = append(roots[owner], f.Name)
		}
	}
	types := slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return s.isRoot(n) || s.pattern.owns(n) })
	slices.SortStableFunc(types, func(a, b string) int { return cmp.Compare(sizeOf(s.types[a]), sizeOf(s.types[b])) })
	said := s.descriptions(types)
	type key struct{ line, description string }
	var out []Term
	at, described := map[key]int{}, map[key]int{} // index in out, how many of On describe it
	for _, name := range types {
		d := s.types[name]
		out = append(out, Term{Name: name, Description: d.Description, Line: keywords[d.Kind] + " " + name, Roots: roots[name]})
		for _, f := range fieldsToFind(d) {
			k := key{printed(f), f.Description}
			if all := said[k.line]; len(all) == 1 {
				k.description = all[0]
			}
			i, there := at[k]
			if !there {
				i = len(out)
				at[k] = i
				out = append(out, Term{Name: f.Name, Description: k.description, Line: k.line})
			}
			place := len(out[i].On)
			if f.Description != "" {
				place = described[k]
				described[k]++
			}
			out[i].On = slices.Insert(out[i].On, place, name)
		}
	}
	return out
}

// descriptions are what types say of their fields: field as it is written → its
// descriptions, each once. A type that inherits a field does not describe it again.
func (s *Schema) descriptions(types []string) map[string][]string {
	out := map[string][]string{}
	for _, name := range types {
		for _, f := range fieldsToFind(s.types[name]) {
			if f.Description == "" {
				continue
			}
			if line := printed(f); !slices.Contains(out[line], f.Description) {
				out[line] = append(out[line], f.Description)
			}
		}
	}
	return out
}

// fieldsToFind are the fields of a type; the values of an enum count as such.
func fieldsToFind(d *ast.Definition) ast.FieldList {
	if d.Kind != ast.Enum {
		return d.Fields
	}
	var out ast.FieldList
	for _, v := range d.EnumValues {
		out = append(out, &ast.FieldDefinition{Name: v.Name, Description: v.Description, Type: ast.NamedType(d.Name, nil), Directives: v.Directives})
	}
	return out
}
