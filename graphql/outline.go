package graphql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Outline is a schema without what it says again and again. It is GraphQL to read and no
// schema: it names inputs that it does not define.
type Outline struct {
	// Arguments are those that every relation takes, "(limit: Int = 50)", where all take the
	// same: the definitions leave them out. Empty otherwise.
	Arguments string
	// Definitions are the root of queries, the other types without descriptions of their
	// fields and without the fields of their interfaces, the inputs of one type as an
	// example, and on one line each the rest. The type of the pattern is whole.
	Definitions []Definition
}

// Essentials are the definitions as they stand but the inputs that differ from those of
// Pattern().Type in the type's name alone.
func (s *Schema) Essentials() []Definition {
	return slices.DeleteFunc(slices.Clone(s.definitions), func(d Definition) bool { return s.pattern.hides(d.Name) })
}

// mostOutlined is how many types with fields an outline is made of: the outline of more
// would fit no answer, and making it compares each type with all others.
const mostOutlined = 150

// Outline is the schema in short; ok is false for a schema too large for it.
func (s *Schema) Outline() (o Outline, ok bool) {
	w := outliner{s: s, lines: map[string][]string{}}
	for _, name := range s.names {
		if d := s.types[name]; d.Kind == ast.Object || d.Kind == ast.Interface {
			if len(w.lines) == mostOutlined {
				return o, false
			}
			for _, f := range d.Fields {
				w.lines[name] = append(w.lines[name], printed(f))
			}
		}
	}
	w.arguments = w.common()
	o.Arguments = w.arguments
	for _, d := range s.definitions {
		of := s.types[d.Name]
		if of == nil || d.Keyword == "directive" || d.Keyword == extendWord || s.pattern.hides(d.Name) || s.isRoot(d.Name) && d.Name != s.Root() {
			continue
		}
		d.Text = w.text(of)
		o.Definitions = append(o.Definitions, d)
	}
	return o, true
}

type outliner struct {
	s         *Schema
	arguments string
	lines     map[string][]string // type → its fields as they are written
}

// common are the arguments of the relations, if all have the same.
func (w outliner) common() string {
	found := ""
	for _, name := range w.s.names {
		if d := w.s.types[name]; w.s.isRoot(name) || d.Kind == ast.InputObject {
			continue
		}
		for _, f := range w.s.types[name].Fields {
			if !w.isRelation(f) {
				continue
			}
			args := argumentsOf(f)
			if args == "" || found != "" && found != args {
				return ""
			}
			found = args
		}
	}
	return found
}

func (w outliner) isRelation(f *ast.FieldDefinition) bool {
	to := w.s.types[f.Type.Name()]
	return to != nil && to.IsCompositeType()
}

// argumentsOf are the arguments of a field as they are written.
func argumentsOf(f *ast.FieldDefinition) string {
	return strings.TrimSuffix(strings.TrimPrefix(signature(f), f.Name), ": "+f.Type.String())
}

// text is a definition in short.
func (w outliner) text(d *ast.Definition) string {
	switch {
	case d.Name == w.s.Root():
		return w.root(d)
	case d.Kind == ast.Enum:
		return brief{of: d, fields: enumNames(d), oneLine: true}.text()
	case d.Kind == ast.InputObject && w.s.pattern != nil && slices.Contains(w.s.pattern.Inputs, d.Name):
		return w.example(d)
	case d.Kind == ast.InputObject:
		var fields []string
		for _, f := range d.Fields {
			fields = append(fields, printed(f))
		}
		return brief{of: d, fields: fields, oneLine: true}.text()
	}
	if d.Kind == ast.Object || d.Kind == ast.Interface {
		return w.object(d)
	}
	return brief{of: d}.text()
}

// root is the root of queries: the fields of one type for those of all.
func (w outliner) root(d *ast.Definition) string {
	b, p := brief{of: d}, w.s.pattern
	if p != nil {
		for _, f := range p.Fields {
			b.fields = append(b.fields, f.Signature)
		}
		others := slices.DeleteFunc(slices.Clone(p.Types), func(n string) bool { return n == p.Type })
		b.fields = append(b.fields, "# "+strings.Join(p.Names(), ", ")+" likewise for X = "+strings.Join(others, ", "))
	}
	for _, f := range d.Fields {
		if !p.Covers(w.s.owner(f)) {
			b.fields = append(b.fields, printed(f))
		}
	}
	return b.text()
}

// object is a type with fields, without those that its interfaces and another type have.
func (w outliner) object(d *ast.Definition) string {
	b := brief{of: d}
	told := map[string]bool{}
	for _, i := range d.Interfaces {
		if w.s.pattern != nil && d.Name == w.s.pattern.Type {
			break // the one that shows what types are like
		}
		for _, line := range w.lines[i] {
			told[line] = true
		}
	}
	if len(told) > 0 {
		b.note = "the fields of " + strings.Join(d.Interfaces, " and ")
	}
	if len(told) > 0 {
		if p := w.above(d, told); p != nil {
			b.note = "all fields of " + p.Name
			for _, line := range w.lines[p.Name] {
				told[line] = true
			}
		}
	}
	for i, f := range d.Fields {
		line := w.lines[d.Name][i]
		if told[line] {
			continue
		}
		if w.arguments != "" && w.isRelation(f) {
			line = f.Name + ": " + f.Type.String() + deprecation(f)
		}
		b.fields = append(b.fields, line)
	}
	if b.note != "" && len(b.fields) > 0 {
		b.note += ", and"
	}
	return b.text()
}

// leastShared is how many fields two types have to share for one to be told by the other.
const leastShared = 3

// above is the type with the most fields that are all fields of another too; nil when there
// is none that saves anything.
func (w outliner) above(d *ast.Definition, told map[string]bool) *ast.Definition {
	own := map[string]bool{}
	for _, line := range w.lines[d.Name] {
		own[line] = true
	}
	var best *ast.Definition
	for _, name := range w.s.names {
		of := w.s.types[name]
		if of == d || of.Kind != ast.Object || w.s.isRoot(name) || len(of.Fields) >= len(d.Fields) || best != nil && len(of.Fields) <= len(best.Fields) {
			continue
		}
		shared := 0
		for _, line := range w.lines[name] {
			if !own[line] {
				shared = 0
				break
			}
			if !told[line] {
				shared++
			}
		}
		if shared >= leastShared {
			best = of
		}
	}
	return best
}

// example is an input that stands for those of other types: of fields that differ in
// nothing but the name, one.
func (w outliner) example(d *ast.Definition) string {
	b, of := brief{of: d}, w.s.types[w.s.pattern.Type]
	shown := map[string]bool{}
	left := 0
	for _, f := range d.Fields {
		kind := f.Type.String()
		switch to := w.s.types[f.Type.Name()]; {
		case w.s.pattern.hides(f.Type.Name()), to == d && of != nil && of.Fields.ForName(f.Name) != nil:
			kind = "of a relation"
		case to == d, built[f.Type.Name()] != "":
			kind = f.Name // and, or, not; exists
		}
		if shown[kind] {
			left++
			continue
		}
		shown[kind] = true
		b.fields = append(b.fields, printed(f))
	}
	if left > 0 {
		b.rest = "… and " + inCounts(left, "more field", "more fields") + " of " + w.s.pattern.Type + ", likewise"
	}
	return b.text()
}
