package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Projection is a part of a schema.
type Projection struct {
	// Definitions are the fields of the root that give the types asked for, those types,
	// and then what they lead to, each in order.
	Definitions []Definition
	// Missing are the types that the definitions name and that are not among them, in
	// order.
	Missing []string
}

// Project is the part of a schema around some types: they, the types that their fields
// lead to, and all inputs and enums that any of their arguments need. Names that are no
// types are passed over. The root of queries may be asked for too: it is whole then, and
// what it leads to is not looked for.
func (s *Schema) Project(names []string) Projection {
	asked, whole := map[string]bool{}, false
	for _, n := range names {
		switch {
		case s.types[n] == nil:
		case n == s.Root():
			whole = true
		default:
			asked[n] = true
		}
	}
	linked := map[string]bool{}
	for n := range asked {
		for _, to := range s.links(s.types[n]) {
			linked[to] = true
		}
	}
	root := s.rootOf(asked)
	if root.Name != "" {
		for _, f := range s.types[root.Name].Fields {
			if asked[f.Type.Name()] {
				s.needs(f, linked)
			}
		}
	}
	for n := range linked {
		if asked[n] || s.isRoot(n) {
			delete(linked, n)
		}
	}
	// An input is of no use without those inside it.
	for queue := sortedKeys(linked); len(queue) > 0; queue = queue[1:] {
		for _, to := range s.links(s.types[queue[0]]) {
			if d := s.types[to]; d != nil && d.IsInputType() && !linked[to] && !asked[to] {
				linked[to] = true
				queue = append(queue, to)
			}
		}
	}
	var p Projection
	if whole {
		p.Definitions = s.those(map[string]bool{s.Root(): true})
	} else if root.Name != "" {
		p.Definitions = append(p.Definitions, root)
	}
	p.Definitions = append(p.Definitions, s.those(asked)...)
	p.Definitions = append(p.Definitions, s.those(linked)...)
	p.Missing = s.missing(asked, linked)
	return p
}

// those are the definitions of types, extensions included.
func (s *Schema) those(types map[string]bool) []Definition {
	var out []Definition
	for _, d := range s.definitions {
		if d.Keyword != "directive" && types[d.Name] {
			out = append(out, d)
		}
	}
	return out
}

// rootOf is the root of queries with the fields that give some types; its name is empty
// when there are none.
func (s *Schema) rootOf(types map[string]bool) Definition {
	root := s.types[s.Root()]
	if root == nil {
		return Definition{}
	}
	var lines []string
	for _, f := range root.Fields {
		if types[f.Type.Name()] {
			lines = append(lines, "  "+signature(f))
		}
	}
	if len(lines) == 0 {
		return Definition{}
	}
	return Definition{
		Name: root.Name, Keyword: "type",
		Text: "type " + root.Name + " {\n" + strings.Join(lines, "\n") + "\n}",
	}
}

// links are the names of the types that a type names.
func (s *Schema) links(d *ast.Definition) []string {
	if d == nil {
		return nil
	}
	found := map[string]bool{}
	for _, f := range d.Fields {
		s.note(f.Type.Name(), found)
		s.needs(f, found)
	}
	for _, list := range [][]string{d.Interfaces, d.Types} {
		for _, n := range list {
			s.note(n, found)
		}
	}
	return sortedKeys(found)
}

// needs notes the types of a field's arguments.
func (s *Schema) needs(f *ast.FieldDefinition, found map[string]bool) {
	for _, a := range f.Arguments {
		s.note(a.Type.Name(), found)
	}
}

// note notes a type that the schema defines.
func (s *Schema) note(name string, found map[string]bool) {
	if s.types[name] != nil {
		found[name] = true
	}
}

// missing are the types that shown ones name and that are not shown.
func (s *Schema) missing(shown ...map[string]bool) []string {
	found := map[string]bool{}
	for _, types := range shown {
		for n := range types {
			for _, to := range s.links(s.types[n]) {
				if !slices.ContainsFunc(shown, func(t map[string]bool) bool { return t[to] }) {
					found[to] = true
				}
			}
		}
	}
	return sortedKeys(found)
}
