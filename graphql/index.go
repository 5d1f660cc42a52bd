package graphql

import "github.com/vektah/gqlparser/v2/ast"

// Entry says of a type as much as fits a line.
type Entry struct {
	Name, Keyword string
	// Size counts its fields, or the values of an enum or the members of a union; 0 for
	// a scalar.
	Size int
	// Roots are the names of the fields of the root that give it.
	Roots []string
}

// Index has an entry for each type but the root of queries, by name.
func (s *Schema) Index() []Entry {
	roots := map[string][]string{}
	if root := s.types[s.Root()]; root != nil {
		for _, f := range root.Fields {
			roots[f.Type.Name()] = append(roots[f.Type.Name()], f.Name)
		}
	}
	out := make([]Entry, 0, len(s.names))
	for _, name := range s.names {
		if d := s.types[name]; name != s.Root() {
			out = append(out, Entry{Name: name, Keyword: keywords[d.Kind], Size: sizeOf(d), Roots: roots[name]})
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

// Answers maps the keys of an answer to a query to the fields of the root that they
// stand for. Fields of fragments are not among them; neither is anything of a query
// that cannot be read.
func Answers(query, operation string) map[string]string {
	out := map[string]string{}
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
			out[f.Alias] = f.Name
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
