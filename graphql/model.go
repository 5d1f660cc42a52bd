package graphql

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Model is a schema that was derived from an ontology, and what each name of it stands
// for. It is immutable and may be used concurrently.
type Model struct {
	// SDL is the schema as text.
	SDL string
	// Types are the types of classes, by name.
	Types []*Type
	// Notes say what of the ontology is not in the schema, and why. They stand at the
	// head of the SDL.
	Notes []string
	// Base is what ids are relative to: an entity whose IRI begins with it has the rest as
	// its id. Empty when ids are whole IRIs.
	Base string

	byName map[string]*Type // name → type
	roots  map[string]Root  // field of Query → what it reads
}

// The names of the schema's own types. DESIGN.md says which others are reserved.
const (
	queryType   = "Query"
	entityType  = "Entity"  // the interface of all entities
	untypedType = "Untyped" // entities of no class of the schema
)

// Type is the type of a class.
type Type struct {
	Name string
	// Class is the IRI of the class, Classes the class and all below it: whoever has one of
	// these is an entity of the type.
	Class   string
	Classes []string
	// One, All and Count are the fields of Query that read entities of the type.
	One, All, Count string
	// Filter and Order are the names of its inputs.
	Filter, Order string
	// Fields are the columns of the type in the order of the schema: values by name, then
	// relations by name; those of the interface Entity are left out. Types share columns, and
	// all columns of one name are one.
	Fields []*Column

	values int // of Fields; the relations follow them
}

// Column is a field that reads a property.
type Column struct {
	// Name is the name of the field.
	Name string
	// Steps are the properties that it reads, all of them.
	Steps []domains.Step
	// Scalar is the type of the field's values; None for a relation.
	Scalar Scalar
	// Target is the name of the type of a relation's entities: of a Type, or entityType.
	Target string
	// List is set where the field is a list; relations are always lists.
	List bool
	// Language is set where the field takes an argument lang.
	Language bool
}

// Scalar is a type of values.
type Scalar uint8

// The scalars, by the names that they have in a schema.
const (
	None Scalar = iota
	String
	Int
	Long
	Decimal
	Float
	Boolean
	Date
	DateTime
	Time
)

// String is the name of the scalar in a schema.
func (s Scalar) String() string {
	return [...]string{None: "", String: "String", Int: "Int", Long: "Long", Decimal: "Decimal", Float: "Float",
		Boolean: "Boolean", Date: "Date", DateTime: "DateTime", Time: "Time"}[s]
}

// RootKind is what a field of Query reads.
type RootKind uint8

// The kinds of fields of Query.
const (
	RootOne    RootKind = iota + 1 // one entity of a type by its id
	RootAll                        // entities of a type
	RootCount                      // how many there are
	RootEntity                     // one entity by its IRI
	RootSearch                     // entities by their names
)

// Root is a field of Query. Type is nil for RootEntity and RootSearch.
type Root struct {
	Kind RootKind
	Type *Type
}

// Type is the type with a name; nil when there is none.
func (m *Model) Type(name string) *Type { return m.byName[name] }

// Root is what a field of Query reads; ok is false for a name that is none.
func (m *Model) Root(field string) (r Root, ok bool) {
	r, ok = m.roots[field]
	return r, ok
}

// Column is the column of a field; nil when the type has none of that name.
func (t *Type) Column(field string) *Column {
	for _, part := range [][]*Column{t.Fields[:t.values], t.Fields[t.values:]} {
		i, ok := slices.BinarySearchFunc(part, field, func(c *Column, name string) int { return strings.Compare(c.Name, name) })
		if ok {
			return part[i]
		}
	}
	return nil
}
