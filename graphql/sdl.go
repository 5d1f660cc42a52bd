package graphql

import (
	"context"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// reservedTypes are the names that no class has in a schema: those of the specification,
// of this schema, and of what programs for GraphQL expect.
var reservedTypes = []string{
	"Query", "Mutation", "Subscription", "PageInfo", "Node", "Direction",
	"String", "ID", "Int", "Float", "Boolean", "Long", "Decimal", "Date", "DateTime", "Time",
	entityType, untypedType, entityType + "Filter", untypedType + "Filter", "IDFilter",
	"StringFilter", "IntFilter", "LongFilter", "DecimalFilter", "FloatFilter", "BooleanFilter", "DateFilter", "DateTimeFilter", "TimeFilter",
}

// reservedFields are the names that no property has: the fields of Entity, and the
// members of filters and orders that are no properties.
var reservedFields = []string{"id", "uri", "types", "label", "and", "or", "not", "exists"}

// entityFields are the fields of the interface Entity, as every type has them.
const entityFields = `  id: String!
  uri: String!
  types: [String!]!
  label(lang: String): String
`

// columnText is what a column is in each kind of type.
type columnText struct {
	description string // with its line ends; empty for none
	field       string
	filter      string
	order       string // empty for a relation
}

// sdl writes a schema. It prints as graphql-js does, so that what a client prints of the
// schema can be compared with it.
type sdl struct {
	strings.Builder
	b *deriver
}

// write writes the schema, its notes before it.
func (b *deriver) write(ctx context.Context) {
	w := &sdl{b: b}
	for _, d := range b.drafts {
		d.text = b.textOf(d)
	}
	texts := b.describedFields()
	w.Grow(b.size(texts))
	for _, n := range b.model.Notes {
		w.line("# ", n)
	}
	w.schema()
	w.query()
	w.entity()
	byColumn := make(map[*Column]*draft, len(b.drafts))
	for _, d := range b.drafts {
		byColumn[d.Column] = d
	}
	untyped := false
	for i, t := range b.model.Types {
		if ctx.Err() != nil {
			return
		}
		if !untyped && t.Name > untypedType {
			w.untyped()
			untyped = true
		}
		w.object(t, byColumn, b.own[i], texts)
	}
	if !untyped {
		w.untyped()
	}
	for _, t := range b.model.Types {
		w.filter(t, byColumn)
		w.order(t, byColumn)
	}
	w.shared()
	b.model.SDL = w.String()
}

// textOf writes a column.
func (b *deriver) textOf(d *draft) columnText {
	c := d.Column
	t := columnText{description: descriptionOf(b.describe(d.property, c), "  ")}
	args, typ := "", c.Scalar.String()
	switch {
	case c.Scalar == None:
		args, typ = "(limit: Int = 50, offset: Int = 0, search: String)", c.Target
	case c.Language:
		args = "(lang: String)"
	}
	if c.List {
		typ = "[" + typ + "]"
	}
	t.field = "  " + c.Name + args + ": " + typ + b.deprecated(d.property.IRI, d.property.Deprecated) + "\n"
	switch {
	case c.Scalar != None:
		t.filter = "  " + c.Name + ": " + c.Scalar.String() + "Filter\n"
		t.order = "  " + c.Name + ": Direction\n"
	case c.Target == entityType:
		t.filter = "  " + c.Name + ": " + entityType + "Filter\n"
	default:
		t.filter = "  " + c.Name + ": " + b.model.byName[c.Target].Filter + "\n"
	}
	return t
}

// detail says which fields have their descriptions.
type detail uint8

const (
	describeAll detail = iota
	describeOwn        // those that are not inherited
	describeNone
)

// describedFields decides which fields are described.
func (b *deriver) describedFields() detail {
	all, own := 0, 0
	size := make(map[*Column]int, len(b.drafts))
	for _, d := range b.drafts {
		size[d.Column] = len(d.text.description)
	}
	for i, t := range b.model.Types {
		for k, c := range t.Fields {
			all += size[c]
			if b.own[i][k] {
				own += size[c]
			}
		}
	}
	switch {
	case all <= b.limits.texts:
		return describeAll
	case own <= b.limits.texts:
		b.note("Inherited fields are described at the types that they are inherited from alone, since the schema would be too large.")
		return describeOwn
	}
	b.note("Fields are not described, since the schema would be too large.")
	return describeNone
}

// size is about how long the schema becomes.
func (b *deriver) size(texts detail) int {
	n := 4096 + 1200*len(b.model.Types)
	for _, t := range b.model.Types {
		n += len(t.Fields) * 110
	}
	if texts != describeNone {
		n += b.limits.texts / 2
	}
	return n
}

func (w *sdl) line(parts ...string) {
	for _, p := range parts {
		w.WriteString(p)
	}
	w.WriteByte('\n')
}

// schema writes what the schema is.
func (w *sdl) schema() {
	b := w.b
	text := b.Name
	if t, ok := domains.ChooseText(b.said.labels, b.Languages); ok && foldName(t.Value) != foldName(b.Name) {
		text = joinText(text, t.Value)
	}
	if t, ok := domains.ChooseText(b.said.comments, b.Languages); ok {
		text = joinText(text, t.Value)
	}
	w.WriteString(descriptionOf(clean(text, maxDescription), ""))
	w.WriteString("schema {\n  query: Query\n}\n")
}

// queryText describes Query. What lang means stands here once and not at each field.
const queryText = "For each type X: allX lists its entities, x finds one by its id, countX counts them. " +
	"With lang, a field has only texts in that language, while label falls back to another."

// query writes the root.
func (w *sdl) query() {
	w.WriteString("\n" + descriptionOf(queryText, ""))
	w.line("type Query {")
	for _, t := range w.b.model.Types {
		c := w.b.Ontology.Class(t.Class)
		deprecated := w.b.deprecated(c.IRI, c.Deprecated)
		w.line("  ", t.All, "(limit: Int = 50, offset: Int = 0, search: String, where: ", t.Filter, ", orderBy: [", t.Order, "!]): [", t.Name, "!]!", deprecated)
		w.line("  ", t.One, "(id: String!): ", t.Name, deprecated)
		w.line("  ", t.Count, "(search: String, where: ", t.Filter, "): Int!", deprecated)
	}
	if len(w.b.model.Types) > 0 {
		w.WriteByte('\n')
	}
	w.WriteString(descriptionOf("The entity that has an IRI or an id, as the most specific type that the schema has for it.", "  "))
	w.line("  entity(uri: String!): Entity")
	w.WriteByte('\n')
	w.WriteString(descriptionOf("Entities of all types by their names, best first.", "  "))
	w.line("  search(text: String!, limit: Int = 20): [Entity!]!")
	w.line("}")
}

// entity writes the interface of all entities.
func (w *sdl) entity() {
	w.WriteString("\n" + descriptionOf("What every entity has.", ""))
	w.line("interface Entity {")
	for i, f := range []struct{ text, field string }{
		{w.idText(), "id: String!"},
		{"The IRI.", "uri: String!"},
		{"The IRIs of its classes, most specific first.", "types: [String!]!"},
		{"Its name in a language, or else in the best one that there is.", "label(lang: String): String"},
	} {
		if i > 0 {
			w.WriteByte('\n')
		}
		w.WriteString(descriptionOf(f.text, "  "))
		w.line("  ", f.field)
	}
	w.line("}")
}

func (w *sdl) idText() string {
	if base := w.b.model.Base; base != "" {
		return clean("The IRI without "+base+", or the whole IRI where it does not begin so.", maxDescription)
	}
	return "The IRI."
}

func (w *sdl) untyped() {
	w.WriteString("\n" + descriptionOf("An entity of no class that has a type here.", ""))
	w.WriteString("type Untyped implements Entity {\n" + entityFields + "}\n")
}

// object writes the type of a class.
func (w *sdl) object(t *Type, drafts map[*Column]*draft, own []bool, texts detail) {
	c := w.b.Ontology.Class(t.Class)
	w.WriteString("\n" + descriptionOf(w.b.explain(t.Name, c.IRI, c.Labels, c.Comments), ""))
	w.WriteString("type " + t.Name + " implements Entity {\n" + entityFields)
	for i, c := range t.Fields {
		d := drafts[c]
		if d.text.description != "" && (texts == describeAll || texts == describeOwn && own[i]) {
			w.WriteByte('\n')
			w.WriteString(d.text.description)
		}
		w.WriteString(d.text.field)
	}
	w.WriteString("}\n")
}

// filter writes the filter of a type.
func (w *sdl) filter(t *Type, drafts map[*Column]*draft) {
	w.line("\ninput ", t.Filter, " {")
	w.line("  and: [", t.Filter, "!]")
	w.line("  or: [", t.Filter, "!]")
	w.line("  not: ", t.Filter)
	w.WriteString("  exists: Boolean\n  id: IDFilter\n  label: StringFilter\n")
	for _, c := range t.Fields {
		w.WriteString(drafts[c].text.filter)
	}
	w.WriteString("}\n")
}

// order writes the order of a type.
func (w *sdl) order(t *Type, drafts map[*Column]*draft) {
	w.line("\ninput ", t.Order, " {")
	w.WriteString("  label: Direction\n")
	for _, c := range t.Fields[:t.values] {
		w.WriteString(drafts[c].text.order)
	}
	w.WriteString("}\n")
}

// scalars of the schema's own, with their specifications and JSON forms.
var ownScalars = []struct {
	scalar          Scalar
	specified, text string
}{
	{Long, "https://www.w3.org/TR/xmlschema11-2/#integer", "A whole number of any size. In JSON a number within ±9007199254740991, else a string; both are taken."},
	{Decimal, "https://www.w3.org/TR/xmlschema11-2/#decimal", "A decimal number, exact. In JSON a string; numbers are taken too."},
	{Date, "https://www.w3.org/TR/xmlschema11-2/#date", "A day, with or without time zone. In JSON a string such as \"2024-05-31\"."},
	{DateTime, "https://www.w3.org/TR/xmlschema11-2/#dateTime", "A moment, with or without time zone. In JSON a string such as \"2024-05-31T12:30:00Z\"."},
	{Time, "https://www.w3.org/TR/xmlschema11-2/#time", "A time of day, with or without time zone. In JSON a string such as \"12:30:00\"."},
}

// shared writes what types share, as far as it is used.
func (w *sdl) shared() {
	used := map[Scalar]bool{}
	entities := false
	for _, t := range w.b.model.Types {
		for _, c := range t.Fields {
			used[c.Scalar] = true
			entities = entities || c.Target == entityType
		}
	}
	if len(w.b.model.Types) == 0 {
		return
	}
	if entities {
		w.WriteString("\ninput EntityFilter {\n  and: [EntityFilter!]\n  or: [EntityFilter!]\n  not: EntityFilter\n" +
			"  exists: Boolean\n  id: IDFilter\n  label: StringFilter\n}\n")
	}
	w.WriteString("\n" + descriptionOf("Ids or IRIs of entities.", "") + "input IDFilter {\n  eq: String\n  in: [String!]\n}\n")
	used[String] = true // labels
	for s := String; s <= Time; s++ {
		if used[s] {
			w.scalarFilter(s.String(), s)
		}
	}
	w.WriteString("\n" + descriptionOf("Entities without a value come last in both.", "") + "enum Direction {\n  ASC\n  DESC\n}\n")
	for _, s := range ownScalars {
		if used[s.scalar] {
			w.WriteString("\n" + descriptionOf(s.text, ""))
			w.line("scalar ", s.scalar.String(), ` @specifiedBy(url: "`, s.specified, `")`)
		}
	}
}

// scalarFilter writes the filter of a scalar.
func (w *sdl) scalarFilter(name string, s Scalar) {
	members := []string{"lt", "le", "gt", "ge"}
	switch s {
	case String:
		members = []string{"contains", "startsWith"}
	case Boolean:
		members = nil
	}
	w.line("\ninput ", name, "Filter {")
	for _, m := range slices.Concat([]string{"eq", "ne", "in"}, members) {
		if m == "in" {
			w.line("  in: [", name, "!]")
		} else {
			w.line("  ", m, ": ", name)
		}
	}
	w.WriteString("  exists: Boolean\n}\n")
}
