package domains

import (
	"context"

	"github.com/ontogate/ontogate/domains/rdf"
	"github.com/ontogate/ontogate/domains/rdf/xsd"
)

// Columns reads the graph of a domain in batches: one call answers for all entities of
// a level of a GraphQL query. It sees entities as Facts does: IRIs that are one entity
// (SameEntity) are one Node, members of RDF lists are the values of the property that
// has the lists, also where it has several, and what owl:sameAs says of an entity itself
// is no fact. Members of a list in a list are those of the inner one, which is an entity.
//
// All methods may be called concurrently; equal questions get equal answers in equal
// order. Where an order is not named it is that of the IRIs shown. A method that reads
// more than a back end's limit fails with ErrLimit and a Message that says how to ask for
// less; all return soon after ctx ended, with its error.
type Columns interface {
	// Usage tells how the graph uses classes and properties. It is worked out once.
	Usage(ctx context.Context) (*Usage, error)
	// Nodes finds the entities that have these IRIs, one for each; 0 where none has it.
	// Every entity that Facts.Find finds by its IRI is found.
	Nodes(ctx context.Context, iris []string) ([]Node, error)
	// Local finds the entities of any of some classes whose local id (LocalID of one of
	// their IRIs) is equal to a text, at most 10. Without classes, those of any class.
	Local(ctx context.Context, classes []string, id string) ([]Node, error)
	// Select finds entities. Terms of the ontology are none.
	Select(ctx context.Context, s Selection) (*Selected, error)
	// Related lists the entities that relations lead to, for each node of from: all that
	// has an IRI, also what is only mentioned, which Facts.Find finds by its IRI alone.
	// Literals are passed over.
	Related(ctx context.Context, from []Node, r Relation) (Lists[Node], error)
	// Values lists the values that nodes have of properties, each once, for each node of
	// from at most limit: IRIs, then the IRIs that are made for blank nodes, then literals,
	// each in order. Entities come with the IRI that they are shown with; triple terms are
	// passed over. Steps that are inverse have no values.
	Values(ctx context.Context, from []Node, steps []Step, limit int) (Lists[rdf.Term], error)
	// IRIs are the IRIs that nodes are shown with.
	IRIs(ctx context.Context, of []Node) ([]string, error)
	// Labels are the labels of nodes in the best of some languages (see ChooseText); empty
	// for a node without one.
	Labels(ctx context.Context, of []Node, languages []string) ([]string, error)
	// Types lists the classes of nodes as Entity.Types has them: most specific first,
	// ties by IRI, without those that say nothing.
	Types(ctx context.Context, of []Node) (Lists[string], error)
}

// Node is the number of an entity within one Columns. 0 is no entity.
type Node uint32

// Lists holds a list for each node that was asked for: the i-th ends where Ends[i] says
// and begins where the one before ends.
type Lists[T any] struct {
	Ends  []int
	Items []T
}

// At is the i-th list. It must not be changed.
func (l Lists[T]) At(i int) []T {
	start := 0
	if i > 0 {
		start = l.Ends[i-1]
	}
	return l.Items[start:l.Ends[i]:l.Ends[i]]
}

// Append ends the list that is being made: what was added to Items since the last Append.
func (l *Lists[T]) Append() { l.Ends = append(l.Ends, len(l.Items)) }

// Step is a property followed in one direction.
type Step struct {
	Property string // IRI
	// Inverse leads from objects to subjects.
	Inverse bool
	// Literals passes over the values that are IRIs and blank nodes, in Values, conditions and
	// orders alike. With Inverse it leads to nothing.
	Literals bool
}

// Relation says what Columns.Related follows.
type Relation struct {
	// Steps are followed all; an entity reached by several comes once.
	Steps []Step
	// Text, when not empty, keeps the entities that have a name with it, as Query.Text
	// finds them, best first. The names of all that the steps lead to are read.
	Text string
	// Offset and Limit cut the list of each node; both are at least 0.
	Offset, Limit int
	// Most is how many entities are listed in all, at least 1: lists that would go beyond
	// it are cut or empty. The caller tells by the sum: it asks for one more than it wants.
	Most int
}

// Selection says which entities Columns.Select finds.
type Selection struct {
	// Classes are class IRIs; an entity with any of them is found. Sub-classes are the
	// caller's matter. Empty finds entities of every class and of none.
	Classes []string
	// Text, when not empty, is looked for in names as Query.Text is.
	Text string
	// Where, when not nil, has to hold too.
	Where *Condition
	// Order comes before the order by rank, which Text gives, and by IRI.
	Order []Order
	// Languages choose the labels that an Order by label compares.
	Languages []string
	// Offset and Limit cut the list; both are at least 0.
	Offset, Limit int
	// Count asks for Selected.Total.
	Count bool
}

// Selected is what Columns.Select found.
type Selected struct {
	Nodes []Node
	// Total counts all that fit, exactly. It is there when it was asked for.
	Total int
}

// Order orders entities by a value. Those without one come last in both directions.
type Order struct {
	// Steps lead to the value, of which the first by Kind counts; none stands for the label.
	// The value of an entity is its IRI, a String.
	Steps      []Step
	Kind       xsd.Kind
	Descending bool
}

// Op is what a Condition asks.
type Op uint8

// The kinds of conditions.
const (
	OpAnd    Op = iota + 1 // all Parts hold; without any it holds
	OpOr                   // one of Parts holds; without any it does not
	OpNot                  // the only one of Parts does not hold
	OpExists               // Steps lead to at least one value or, where inverse, entity
	OpValue                // a value that Steps lead to, as Values has it, passes Test
	OpLabel                // a label, in any language, passes Test
	OpSome                 // Steps lead to an entity for which the only one of Parts holds
	OpIs                   // the entity is one of Nodes
	OpTyped                // the entity has one of Classes
)

// Test compares a value with the Values of a Condition.
type Test uint8

// The tests. Literals whose text is not of the values' kind pass none of them. An entity
// is a String, the IRI that it is shown with.
const (
	TestEqual    Test = iota + 1 // equal to one of Values
	TestLess                     // before the only one of Values, as the other three
	TestAtMost                   //
	TestGreater                  //
	TestAtLeast                  //
	TestContains                 // holds the only one of Values, a string, when case and accents do not count
	TestStarts                   // begins with it, likewise
)

// Condition is something that holds of an entity or does not. The Op says which fields
// are used.
type Condition struct {
	Op      Op
	Parts   []Condition
	Steps   []Step
	Test    Test
	Values  []xsd.Value
	Nodes   []Node
	Classes []string
}

// Usage is how a graph uses the terms of its ontology.
type Usage struct {
	// Properties has an entry for each property in use that is not rdf:type, by IRI.
	Properties []PropertyUsage
}

// PropertyUsage is how a graph uses one property. Schema terms do not count as subjects.
type PropertyUsage struct {
	IRI string
	// Literals and Entities say of which kinds values are; an IRI that leads to no entity is
	// neither.
	Literals, Entities bool
	// Many is set where an entity has more than one value, unless these are texts of which
	// each is in another language or the only one in none. Where it is not set, and no value
	// has a language, Values has at most one value for each instance of a class, schema terms
	// that are instances included.
	Many bool
	// Languages is set where values have language tags.
	Languages bool
	// Datatypes are the datatypes of the literals, by IRI.
	Datatypes []string
	// Classes are classes of the entities that have it, by IRI, at most 100, most used first
	// when there are more.
	Classes []string
}
