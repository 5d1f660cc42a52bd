package graphql

import (
	"cmp"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// Projection is a part of a schema that is a schema itself: every type that it names is
// defined in it. Whatever is valid for it is valid for the whole.
type Projection struct {
	// Definitions are the fields of the root that give the types asked for, those types as
	// they stand, and then what they lead to, each in order.
	Definitions []Definition
	// Shortened are the types that are shown with some of their fields only, by name. A
	// comment in each says so.
	Shortened []string
}

// Detail says how much a projection shows of the types that those asked for lead to.
type Detail uint8

// The details of projections.
const (
	// ShowValues shows their fields that are values.
	ShowValues Detail = iota
	// ShowLeast shows no more than makes them legal.
	ShowLeast
)

// Project is the part of a schema around some types: they, the inputs of their fields'
// arguments, and of all other types that these name as much as the detail says. Names that
// are no types are passed over. The root of queries may be asked for too.
func (s *Schema) Project(names []string, detail Detail) Projection {
	p := projection{s: s, detail: detail, asked: map[string]bool{}, whole: map[string]bool{}, part: map[string]ast.FieldList{}, near: map[string]bool{}, directives: map[string]bool{}}
	for _, n := range names {
		if s.types[n] != nil {
			p.asked[n] = true
		}
	}
	if len(p.asked) == 0 {
		return Projection{}
	}
	root := p.rootFields()
	for _, f := range root {
		p.field(f, true)
	}
	for _, n := range sortedKeys(p.asked) {
		p.show(n)
	}
	for len(p.queue) > 0 {
		n := p.queue[0]
		p.queue = p.queue[1:]
		p.shorten(n)
	}
	return p.result(root)
}

// projection is a Projection while it is made. Each type gets into the queue once.
type projection struct {
	s      *Schema
	detail Detail
	asked  map[string]bool
	// whole are types that are shown as they stand, part those that are shown with some
	// fields, and queue those of part whose fields were not chosen yet.
	whole map[string]bool
	part  map[string]ast.FieldList
	queue []string
	// near are the inputs of arguments that are shown.
	near, directives map[string]bool
}

// rootFields are the fields of the root that read the types asked for; none where the
// root is asked for itself.
func (p *projection) rootFields() ast.FieldList {
	root := p.s.types[p.s.Root()]
	if root == nil || p.asked[root.Name] {
		return nil
	}
	var out ast.FieldList
	for _, f := range root.Fields {
		if p.asked[f.Type.Name()] || p.asked[p.s.owner(f)] {
			out = append(out, f)
		}
	}
	return out
}

// show shows a type as it stands.
func (p *projection) show(name string) {
	if p.whole[name] {
		return
	}
	p.whole[name] = true
	d := p.s.types[name]
	p.marks(d.Directives)
	for _, f := range d.Fields {
		p.field(f, d.Kind != ast.InputObject)
		p.marks(f.Directives)
		for _, a := range f.Arguments {
			p.marks(a.Directives)
		}
	}
	for _, v := range d.EnumValues {
		p.marks(v.Directives)
	}
	for _, list := range [][]string{d.Interfaces, d.Types} {
		for _, n := range list {
			p.want(n)
		}
	}
}

// field notes the types that a field names. The inputs of its arguments are shown as they
// stand, unless the field is only part of something.
func (p *projection) field(f *ast.FieldDefinition, whole bool) {
	p.want(f.Type.Name())
	for _, a := range f.Arguments {
		name := a.Type.Name()
		if d := p.s.types[name]; d != nil && whole {
			p.near[name] = true
			p.show(name)
		} else {
			p.want(name)
		}
	}
}

// marks notes the directives that the schema defines.
func (p *projection) marks(list ast.DirectiveList) {
	for _, m := range list {
		if d := p.s.marks[m.Name]; d != nil && !p.directives[m.Name] {
			p.directives[m.Name] = true
			for _, a := range d.Arguments {
				p.want(a.Type.Name())
			}
		}
	}
}

// want notes that a type has to be defined.
func (p *projection) want(name string) {
	d := p.s.types[name]
	if d == nil || p.whole[name] || p.asked[name] {
		return
	}
	if _, there := p.part[name]; there {
		return
	}
	if d.IsLeafType() || d.Kind == ast.Union || p.s.isClosed(d) {
		p.show(name)
		return
	}
	p.part[name] = nil
	p.queue = append(p.queue, name)
}

// isClosed reports whether an input needs no other input but itself and those that need
// none.
func (s *Schema) isClosed(d *ast.Definition) bool {
	return d.Kind == ast.InputObject && !slices.ContainsFunc(d.Fields, func(f *ast.FieldDefinition) bool {
		to := s.types[f.Type.Name()]
		return to != nil && to != d && !to.IsLeafType() && !s.isFlat(to)
	})
}

// isFlat reports whether an input has nothing but values.
func (s *Schema) isFlat(d *ast.Definition) bool {
	return d.Kind == ast.InputObject && !slices.ContainsFunc(d.Fields, func(f *ast.FieldDefinition) bool {
		to := s.types[f.Type.Name()]
		return to != nil && !to.IsLeafType()
	})
}

// shorten chooses the fields of a type of part. When all are chosen, it is shown as it
// stands.
func (p *projection) shorten(name string) {
	if p.whole[name] {
		delete(p.part, name)
		return
	}
	d := p.s.types[name]
	must := map[string]bool{}
	for _, i := range d.Interfaces {
		if of := p.s.types[i]; of != nil {
			for _, f := range of.Fields {
				must[f.Name] = true
			}
		}
	}
	kept := ast.FieldList{}
	for _, f := range d.Fields {
		if must[f.Name] || d.Kind == ast.InputObject && isRequired(f.Type, f.DefaultValue) || p.isSmall(d, f) {
			kept = append(kept, f)
		}
	}
	switch {
	case p.detail == ShowLeast && len(must) > 0:
		kept = slices.DeleteFunc(kept, func(f *ast.FieldDefinition) bool { return !must[f.Name] })
	case p.detail == ShowLeast, p.s.pattern.owns(name):
		kept = p.least(d, kept)
	}
	if len(kept) == 0 && len(d.Fields) > 0 {
		kept = d.Fields[:1]
	}
	if len(kept) == len(d.Fields) {
		delete(p.part, name)
		p.show(name)
		return
	}
	p.part[name] = kept
	for _, f := range kept {
		p.field(f, false)
	}
	for _, i := range d.Interfaces {
		p.want(i)
	}
}

// least keeps of fields those that an input requires, else one.
func (p *projection) least(d *ast.Definition, kept ast.FieldList) ast.FieldList {
	out := ast.FieldList{}
	for _, f := range kept {
		if d.Kind == ast.InputObject && isRequired(f.Type, f.DefaultValue) {
			out = append(out, f)
		}
	}
	if len(out) == 0 && len(kept) > 0 {
		i := max(0, slices.IndexFunc(kept, func(f *ast.FieldDefinition) bool { return p.s.types[f.Type.Name()] == nil }))
		out = kept[i : i+1]
	}
	return out
}

// isSmall reports whether a field leads to values alone.
func (p *projection) isSmall(d *ast.Definition, f *ast.FieldDefinition) bool {
	to := p.s.types[f.Type.Name()]
	switch {
	case to == nil, to.IsLeafType():
		return true
	case d.Kind == ast.InputObject:
		return to == d || p.s.isFlat(to)
	}
	return false
}

// result puts the definitions in order.
func (p *projection) result(root ast.FieldList) Projection {
	var out Projection
	name := p.s.Root()
	if name != "" && name != "Query" && (p.asked[name] || len(root) > 0) {
		out.Definitions = append(out.Definitions, Definition{Keyword: "schema", Text: "schema { query: " + name + " }"})
	}
	if len(root) > 0 {
		b := brief{of: &ast.Definition{Kind: ast.Object, Name: name}}
		for _, f := range root {
			b.fields = append(b.fields, printed(f))
		}
		if more := len(p.s.types[name].Fields) - len(root); more > 0 {
			b.rest = "… and " + inCounts(more, "field", "fields") + " of other types"
		}
		out.Definitions = append(out.Definitions, Definition{Name: name, Keyword: "type", Text: b.text()})
	}
	place := func(name string) int {
		switch {
		case p.asked[name]:
			return 0
		case p.near[name]:
			return 1
		}
		return 2
	}
	var others []Definition
	for _, d := range p.s.definitions {
		kept, part := p.part[d.Name]
		switch {
		case d.Keyword == "directive", len(root) > 0 && d.Name == name:
		case p.whole[d.Name]:
			others = append(others, d)
		case part && d.Keyword != extendWord:
			d.Text = p.partOf(d.Name, kept)
			others = append(others, d)
			out.Shortened = append(out.Shortened, d.Name)
		}
	}
	slices.SortStableFunc(others, func(a, b Definition) int { return cmp.Compare(place(a.Name), place(b.Name)) })
	out.Definitions = append(out.Definitions, others...)
	for _, d := range p.s.definitions {
		if d.Keyword == "directive" && p.directives[d.Name] {
			out.Definitions = append(out.Definitions, d)
		}
	}
	slices.Sort(out.Shortened)
	return out
}

// partOf is a type with some of its fields.
func (p *projection) partOf(name string, kept ast.FieldList) string {
	d := p.s.types[name]
	b := brief{of: d, rest: "… and " + inCounts(len(d.Fields)-len(kept), "more field", "more fields")}
	for _, f := range kept {
		b.fields = append(b.fields, printed(f))
	}
	return b.text()
}
