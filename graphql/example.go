package graphql

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// fallback is a query that every service answers.
const fallback = "{ __typename }"

// exampleLimit is how many items an example asks for.
const exampleLimit = 3

// Example is a query that is valid for the schema: a list with a limit where there is
// one, a few fields of its items, and one relation. With a type it reads that type, else
// the one that most relations lead to. It is empty when a type is named that no field of
// the root gives.
func (s *Schema) Example(typ string) string {
	root := s.types[s.Root()]
	if root == nil {
		return fallback
	}
	var best *ast.FieldDefinition
	score := 0
	for _, f := range root.Fields {
		if typ != "" && f.Type.Name() != typ {
			continue
		}
		if n := s.score(f); n > score || n == score && n > 0 && s.incoming[f.Type.Name()] > s.incoming[best.Type.Name()] {
			best, score = f, n
		}
	}
	switch {
	case best != nil:
		return "{ " + s.selection(best, true) + " }"
	case typ != "":
		return ""
	}
	return fallback
}

// score says how good a root field is as an example; 0 is not at all.
func (s *Schema) score(f *ast.FieldDefinition) int {
	n := 10
	for _, a := range f.Arguments {
		if !isRequired(a.Type, a.DefaultValue) {
			continue
		}
		if s.placeholder(a.Type) == "" {
			return 0
		}
		n = 1
	}
	target := s.types[f.Type.Name()]
	if target == nil || target.Kind == ast.Union {
		return n
	}
	n += 2
	if f.Type.Elem != nil {
		n += 4
	}
	if limitOf(f) != nil {
		n += 4
	}
	if s.relation(target) != nil {
		n += 2
	}
	if len(s.leaves(target)) > 1 {
		n++
	}
	return n
}

// selection is a field with its arguments and, for a type that has fields, some of
// them; deep adds a relation.
func (s *Schema) selection(f *ast.FieldDefinition, deep bool) string {
	var args []string
	for _, a := range f.Arguments {
		switch {
		case isRequired(a.Type, a.DefaultValue):
			args = append(args, a.Name+": "+s.placeholder(a.Type))
		case a == limitOf(f):
			args = append(args, fmt.Sprintf("%s: %d", a.Name, exampleLimit))
		}
	}
	out := f.Name
	if len(args) > 0 {
		out += "(" + strings.Join(args, ", ") + ")"
	}
	target := s.types[f.Type.Name()]
	if target == nil || !target.IsCompositeType() {
		return out
	}
	fields := telling(s.leaves(target))
	fields = fields[:min(len(fields), 3)]
	if len(fields) == 0 {
		fields = []string{"__typename"}
	}
	if relation := s.relation(target); deep && relation != nil {
		fields = append(fields, s.selection(relation, false))
	}
	return out + " { " + strings.Join(fields, " ") + " }"
}

// telling puts what every item has behind what tells one from another.
func telling(fields []string) []string {
	var out, behind []string
	for _, name := range fields {
		if name == "uri" || name == "types" {
			behind = append(behind, name)
		} else {
			out = append(out, name)
		}
	}
	return append(out, behind...)
}

// telling is the type among several that most relations lead to, the first by name among
// equals.
func (s *Schema) telling(types []string) string {
	return slices.MaxFunc(types, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.incoming[a], s.incoming[b]), cmp.Compare(b, a))
	})
}

// findIncoming counts the relations that lead to each type; those of one name count once,
// because types inherit them.
func (s *Schema) findIncoming() {
	s.incoming = map[string]int{}
	seen := map[[2]string]bool{}
	for _, name := range s.names {
		if s.isRoot(name) || s.types[name].Kind == ast.InputObject {
			continue
		}
		for _, f := range s.types[name].Fields {
			if to := [2]string{f.Name, f.Type.Name()}; !seen[to] {
				seen[to] = true
				s.incoming[to[1]]++
			}
		}
	}
}

// findExamples finds what examples show of each type: nothing that is deprecated.
func (s *Schema) findExamples() {
	s.values, s.relations = make(map[string][]string, len(s.types)), map[string]*ast.FieldDefinition{}
	for name, d := range s.types {
		for _, f := range d.Fields {
			if s.isValue(f) && f.Directives.ForName("deprecated") == nil {
				s.values[name] = append(s.values[name], f.Name)
			}
		}
	}
	for name, d := range s.types {
		for _, f := range d.Fields {
			if target := s.types[f.Type.Name()]; target != nil && target.IsCompositeType() && len(s.leaves(target)) > 0 && s.isFree(f) {
				s.relations[name] = f
				break
			}
		}
	}
}

// isValue reports whether a field is a value and needs no argument.
func (s *Schema) isValue(f *ast.FieldDefinition) bool {
	target := s.types[f.Type.Name()]
	return (built[f.Type.Name()] != "" || target != nil && target.IsLeafType()) && !strings.HasPrefix(f.Name, "__") && s.isFree(f)
}

// leaves are the fields of a type that are values and need no argument.
func (s *Schema) leaves(d *ast.Definition) []string { return s.values[d.Name] }

// relation is the first field of a type that leads to a type with values.
func (s *Schema) relation(d *ast.Definition) *ast.FieldDefinition { return s.relations[d.Name] }

// isFree reports whether a field needs no argument.
func (s *Schema) isFree(f *ast.FieldDefinition) bool {
	for _, a := range f.Arguments {
		if isRequired(a.Type, a.DefaultValue) {
			return false
		}
	}
	return true
}

// limitOf is the argument of a field that limits how many items come.
func limitOf(f *ast.FieldDefinition) *ast.ArgumentDefinition {
	for _, a := range f.Arguments {
		if (a.Name == "limit" || a.Name == "first") && a.Type.NamedType == "Int" {
			return a
		}
	}
	return nil
}

// placeholder is a value of a type; empty where none can be made up.
func (s *Schema) placeholder(t *ast.Type) string {
	if t.Elem != nil {
		if v := s.placeholder(t.Elem); v != "" {
			return "[" + v + "]"
		}
		return ""
	}
	switch t.NamedType {
	case "ID", "String":
		return `"…"`
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	}
	if d := s.types[t.NamedType]; d != nil && d.Kind == ast.Enum && len(d.EnumValues) > 0 {
		return d.EnumValues[0].Name
	}
	return ""
}

// orDots is a placeholder for a sentence.
func orDots(placeholder string) string { return cmp.Or(placeholder, "…") }
