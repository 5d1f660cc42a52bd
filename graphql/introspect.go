package graphql

import (
	"slices"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// Introspection answers are limited: a short query can ask for much of a large schema. The
// usual query of clients gives some ten times the text of the schema.
const (
	leastMeta = 16 << 20
	mostMeta  = 64 << 20
	metaTimes = 12
)

// metaSchema is a schema in the order in which graphql-js shows it.
type metaSchema struct {
	// limit is how many bytes the answers of one request may have.
	limit int
	// lists finds what is in which order, once.
	lists func() *metaOrder
}

// metaOrder are the parts of a schema in order.
type metaOrder struct {
	types      []*ast.Definition
	known      map[string]*ast.Definition
	possible   map[string][]*ast.Definition // interface or union → objects
	directives []*ast.DirectiveDefinition
}

func newMetaSchema(t *typed, size int) *metaSchema {
	m := &metaSchema{limit: min(max(leastMeta, metaTimes*size), mostMeta)}
	m.lists = sync.OnceValue(func() *metaOrder { return orderOf(t) })
	return m
}

// introspect appends the value of a field __schema or __type of Query. It was made when
// the request was let through.
func (d *document) introspect(b []byte, c collected) []byte {
	if answer, ok := d.meta[c.field]; ok {
		return append(b, answer...)
	}
	return append(b, "null"...)
}

// answerMeta answers what is asked about the schema. The fault says that it is too much.
func (d *document) answerMeta(m *metaSchema) *Fault {
	w := &metaWriter{schema: d.schema, lists: m.lists(), limit: m.limit}
	d.meta = map[*ast.Field][]byte{}
	for _, c := range d.collect([]ast.SelectionSet{d.operation.SelectionSet}, d.schema.Query) {
		if !isMeta(c.field) {
			continue
		}
		from := len(w.b)
		if c.field.Name == "__schema" {
			w.object(d.plan(c, "__Schema"), d.schema)
		} else {
			name, _ := d.argument(c.field, "name").(string)
			w.named(d.plan(c, "__Type"), w.lists.known[name])
		}
		if w.full {
			f := faultAt(c.field.Position, "The answer about the schema would be larger than %d MB: ask for less of it, or for types by their names with __type(name:).", m.limit>>20)
			return &f
		}
		d.meta[c.field] = w.b[from:len(w.b):len(w.b)]
	}
	return nil
}

// orderOf puts a schema in the order of graphql-js: types as they stand in the text, and
// after each the scalars that the language has and that nothing before it needed; then
// the types of introspection.
func orderOf(t *typed) *metaOrder {
	m := &metaOrder{known: map[string]*ast.Definition{}, possible: map[string][]*ast.Definition{}}
	o := orderer{schema: t.schema, out: m, defined: map[string]bool{}}
	for _, d := range t.types {
		o.defined[d.Name] = true
	}
	for _, d := range t.types {
		m.put(d)
		o.references(d)
	}
	for _, d := range t.directives {
		for _, a := range d.Arguments {
			o.visit(a.Type.Name())
		}
	}
	o.visit("__Schema")
	schema := t.schema
	for _, d := range m.types {
		for _, of := range schema.Implements[d.Name] {
			if d.Kind == ast.Object && of.Kind == ast.Interface {
				m.possible[of.Name] = append(m.possible[of.Name], d)
			}
		}
		for _, member := range d.Types {
			m.possible[d.Name] = append(m.possible[d.Name], schema.Types[member])
		}
	}
	m.directives = directivesOf(t)
	return m
}

func (m *metaOrder) put(d *ast.Definition) {
	m.types = append(m.types, d)
	m.known[d.Name] = d
}

// orderer walks the types that a type refers to, depth first.
type orderer struct {
	schema  *ast.Schema
	out     *metaOrder
	defined map[string]bool // types of the text, which have their own place
}

func (o *orderer) visit(name string) {
	if o.defined[name] || o.out.known[name] != nil {
		return
	}
	if d := o.schema.Types[name]; d != nil {
		o.out.put(d)
		o.references(d)
	}
}

func (o *orderer) references(d *ast.Definition) {
	for _, member := range d.Types {
		o.visit(member)
	}
	for _, of := range d.Interfaces {
		o.visit(of)
	}
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		o.visit(f.Type.Name())
		for _, a := range f.Arguments {
			o.visit(a.Type.Name())
		}
	}
}

// specified are the directives of the language, in the order of graphql-js.
var specified = []string{"include", "skip", "deprecated", "specifiedBy", "oneOf"}

// directivesOf are the directives of the text and then those of the language.
func directivesOf(t *typed) []*ast.DirectiveDefinition {
	out := slices.Clone(t.directives)
	for _, name := range specified {
		if d := t.schema.Directives[name]; d != nil && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}
