package graphql

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// Pattern is what the fields of the root have in common: most types are read with
// fields that differ in the type's name alone.
type Pattern struct {
	// Type is the type that stands for the others, and Fields its fields of the root.
	Type   string
	Fields []Field
	// Written are the fields with X for the type's name, and x for it with a small first
	// letter: "allX(limit: Int = 50): [X!]!".
	Written []string
	// Types are all types of the pattern, by name.
	Types []string
	// Inputs are the inputs that belong to a type of the pattern, by the arguments of its
	// fields: those of Type, and Written with X.
	Inputs, InputsWritten []string
	// Others are the inputs that belong to the other types, by name.
	Others []string
}

// Covers reports whether a type is read as the pattern says.
func (p *Pattern) Covers(typ string) bool {
	if p == nil {
		return false
	}
	_, found := slices.BinarySearch(p.Types, typ)
	return found
}

// hides reports whether an input is one of Others.
func (p *Pattern) hides(input string) bool {
	if p == nil {
		return false
	}
	_, found := slices.BinarySearch(p.Others, input)
	return found
}

// owns reports whether an input belongs to a type of the pattern.
func (p *Pattern) owns(input string) bool {
	return p.hides(input) || p != nil && slices.Contains(p.Inputs, input)
}

// Names are the names of the pattern's fields with X: "allX, x, countX".
func (p *Pattern) Names() []string {
	var out []string
	for _, w := range p.Written {
		name, _, _ := strings.Cut(w, "(")
		name, _, _ = strings.Cut(name, ":")
		out = append(out, name)
	}
	return out
}

// leastPattern is how many types have to be alike to be told together.
const leastPattern = 3

// Pattern is the pattern of most types; nil when fewer than three are alike.
func (s *Schema) Pattern() *Pattern { return s.pattern }

// findPattern finds what the fields of the root have in common.
func (s *Schema) findPattern() *Pattern {
	root := s.types[s.Root()]
	if root == nil {
		return nil
	}
	owned := map[string]ast.FieldList{} // type → its fields of the root
	for _, f := range root.Fields {
		if owner := s.owner(f); owner != "" {
			owned[owner] = append(owned[owner], f)
		}
	}
	alike := map[string][]string{} // what the fields have in common → types
	best := ""
	for _, name := range sortedKeys(owned) {
		key := strings.Join(writtenFor(name, owned[name]), "\n")
		if alike[key] = append(alike[key], name); len(alike[key]) > len(alike[best]) {
			best = key
		}
	}
	if len(alike[best]) < leastPattern {
		return nil
	}
	p := &Pattern{Types: alike[best], Written: strings.Split(best, "\n")}
	p.Type = s.telling(p.Types)
	for _, f := range owned[p.Type] {
		p.Fields = append(p.Fields, fieldOf(f))
	}
	p.Inputs = s.inputsOf(p.Type, owned[p.Type])
	for _, in := range p.Inputs {
		p.InputsWritten = append(p.InputsWritten, "X"+strings.TrimPrefix(in, p.Type))
	}
	for _, name := range p.Types {
		if name != p.Type {
			p.Others = append(p.Others, s.inputsOf(name, owned[name])...)
		}
	}
	slices.Sort(p.Others)
	return p
}

// owner is the type whose name a field of the root carries: that which it gives, or, for
// one that gives a value, that at the end of its name; empty when there is none.
func (s *Schema) owner(f *ast.FieldDefinition) string {
	of := f.Type.Name()
	if d := s.types[of]; d != nil && d.IsCompositeType() {
		if strings.Contains(f.Name, of) || strings.HasPrefix(f.Name, small(of)) {
			return of
		}
		return ""
	}
	for i := 1; i < len(f.Name); i++ {
		if d := s.types[f.Name[i:]]; d != nil && d.IsCompositeType() {
			return d.Name
		}
	}
	return ""
}

// inputsOf are the inputs of fields that carry a type's name.
func (s *Schema) inputsOf(typ string, fields ast.FieldList) []string {
	var out []string
	for _, f := range fields {
		for _, a := range f.Arguments {
			in := a.Type.Name()
			if d := s.types[in]; d != nil && d.Kind == ast.InputObject && strings.HasPrefix(in, typ) && !slices.Contains(out, in) {
				out = append(out, in)
			}
		}
	}
	return out
}

// writtenFor are fields with X for a type's name.
func writtenFor(typ string, fields ast.FieldList) []string {
	var out []string
	for _, f := range fields {
		g := *f
		if rest, ok := strings.CutPrefix(f.Name, small(typ)); ok {
			g.Name = "x" + rest
		} else {
			g.Name = strings.Replace(f.Name, typ, "X", 1)
		}
		g.Type = withX(f.Type, typ)
		g.Arguments = nil
		for _, a := range f.Arguments {
			b := *a
			b.Type = withX(a.Type, typ)
			g.Arguments = append(g.Arguments, &b)
		}
		out = append(out, signature(&g))
	}
	return out
}

// withX is a type with X for a name at its beginning.
func withX(t *ast.Type, typ string) *ast.Type {
	u := *t
	if t.Elem != nil {
		u.Elem = withX(t.Elem, typ)
	} else if rest, ok := strings.CutPrefix(t.NamedType, typ); ok {
		u.NamedType = "X" + rest
	}
	return &u
}

// small is a name with a small first letter.
func small(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}
