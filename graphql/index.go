package graphql

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Entry says of a type as much as fits a line.
type Entry struct {
	Name, Keyword string
	// Size counts its fields, or the values of an enum or the members of a union; 0 for
	// a scalar.
	Size int
	// Roots are the names of the fields of the root that give it; none for a type that
	// Pattern covers.
	Roots []string
	// Description is the beginning of what the schema says of it.
	Description string
}

// Index has an entry for each type but the root of queries: those with fields or members
// by name, then inputs but those that say what Pattern says, enums and scalars.
func (s *Schema) Index() []Entry {
	roots := map[string][]string{}
	if root := s.types[s.Root()]; root != nil {
		for _, f := range root.Fields {
			roots[f.Type.Name()] = append(roots[f.Type.Name()], f.Name)
		}
	}
	out := make([]Entry, 0, len(s.names))
	for _, name := range s.names {
		d := s.types[name]
		if name == s.Root() || s.pattern.hides(name) {
			continue
		}
		e := Entry{Name: name, Keyword: keywords[d.Kind], Size: sizeOf(d), Description: about(d.Description)}
		if !s.pattern.Covers(name) {
			e.Roots = roots[name]
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int {
		return cmp.Compare(rankOf(s.types[a.Name].Kind), rankOf(s.types[b.Name].Kind))
	})
	return out
}

// RootFields are the fields of the root of queries but those that Pattern tells.
func (s *Schema) RootFields() []Field {
	var out []Field
	if root := s.types[s.Root()]; root != nil {
		for _, f := range root.Fields {
			if !s.pattern.Covers(s.owner(f)) {
				out = append(out, fieldOf(f))
			}
		}
	}
	return out
}

func sizeOf(d *ast.Definition) int {
	switch d.Kind {
	case ast.Enum:
		return len(d.EnumValues)
	case ast.Union:
		return len(d.Types)
	}
	return len(d.Fields)
}

// Answer is what a key of an answer stands for.
type Answer struct {
	// Field is the field of the root, Args its arguments as they are written.
	Field string
	Args  map[string]string
	// Members are the names in those arguments that are objects, in their order.
	Members map[string][]string
}

// Answers maps the keys of an answer to a query to the fields of the root that they
// stand for. Fields of fragments are not among them; neither is anything of a query
// that cannot be read.
func Answers(query, operation string) map[string]Answer {
	out := map[string]Answer{}
	doc, fault := parse(query)
	if fault != nil {
		return out
	}
	c := checker{doc: doc}
	o := c.chosen(operation)
	if o == nil {
		return out
	}
	for _, s := range o.SelectionSet {
		if f, ok := s.(*ast.Field); ok {
			a := Answer{Field: f.Name, Args: map[string]string{}, Members: map[string][]string{}}
			for _, arg := range f.Arguments {
				a.Args[arg.Name] = written(arg.Value)
				if arg.Value.Kind == ast.ObjectValue {
					for _, m := range arg.Value.Children {
						a.Members[arg.Name] = append(a.Members[arg.Name], m.Name)
					}
				}
			}
			out[f.Alias] = a
		}
	}
	return out
}

// Pages reports whether a field of the root takes a limit and an offset.
func (s *Schema) Pages(field string) bool {
	root := s.types[s.Root()]
	if root == nil {
		return false
	}
	f := root.Fields.ForName(field)
	return f != nil && f.Arguments.ForName("limit") != nil && f.Arguments.ForName("offset") != nil
}

// Writes reports whether the schema has mutations or subscriptions.
func (s *Schema) Writes() bool { return s.roots[Mutation] != "" || s.roots[Subscription] != "" }
