package domains

import (
	"context"
	"encoding/json"
	"fmt"
)

// Context tells what the classes of a domain have besides facts: rows of a dataset,
// bridges to other domains, functions to run. What the domain's policy disables is
// left out everywhere. All methods may be called concurrently.
type Context interface {
	// Classes lists the classes that have context, ordered by name, then IRI.
	Classes(ctx context.Context) ([]ClassContext, error)
	// Entity tells the context of one entity, by its IRI. An entity of no class with
	// context has an EntityContext without elements.
	Entity(ctx context.Context, iri string, o ContextOptions) (*EntityContext, error)
	// Compute computes the virtual attributes of one entity: those of the function with
	// that full name, or of all functions when it is empty. A function that fails has
	// its Error and hides no other.
	Compute(ctx context.Context, iri, function string) (*EntityContext, error)
}

// Actions runs the actions that classes declare. They write, or do something in the
// world: a call is never repeated.
type Actions interface {
	// Invoke runs the action with that full name on one entity, by its IRI.
	Invoke(ctx context.Context, iri, action string) (*ActionResult, error)
}

// Rules applies business rules. They write inferred facts to the graph: a call is
// never repeated.
type Rules interface {
	// Apply applies the rule with that name to one entity, by its IRI.
	Apply(ctx context.Context, iri, rule string) (*RuleResult, error)
}

// ContextOptions say what Context.Entity reads besides declarations.
type ContextOptions struct {
	// Rows is the most dataset rows to read, 1–20; 0 reads none.
	Rows int
	// FollowBridges looks for the entity in the target domains, BridgeDepth hops far
	// (1–5; 0 means 1).
	FollowBridges bool
	BridgeDepth   int
	// Compute computes virtual attributes.
	Compute bool
}

// ClassContext is what a class has besides facts. Elements that are not declared, or
// that policy disables, are empty.
type ClassContext struct {
	// Name is the class's name, IRI its IRI; either may be empty.
	Name, IRI string
	Dataset   *Dataset
	Bridges   []Bridge
	Actions   []Action
	Rules     []Rule
	// Functions compute the virtual attributes.
	Functions []Function
}

// IsEmpty reports whether there is no element at all.
func (c *ClassContext) IsEmpty() bool {
	return c.Dataset == nil && len(c.Bridges)+len(c.Actions)+len(c.Rules)+len(c.Functions) == 0
}

// Under is the context without the elements that a policy disables.
func (c ClassContext) Under(p Policy) ClassContext {
	for _, e := range Elements {
		if p.Mode(e) != ModeDisabled {
			continue
		}
		switch e {
		case ElementDataset:
			c.Dataset = nil
		case ElementBridges:
			c.Bridges = nil
		case ElementActions:
			c.Actions = nil
		case ElementBusinessRules:
			c.Rules = nil
		case ElementVirtualAttributes:
			c.Functions = nil
		}
	}
	return c
}

// Dataset is the table that a class comes from.
type Dataset struct {
	// FullName is catalog.schema.table; Key the column that holds local ids, empty when
	// none is configured.
	FullName, Key, Description string
	// Fetched is set when rows were asked for and could be looked for; Rows are JSON
	// objects with their members in the order of columns.
	Fetched bool
	Rows    []json.RawMessage
}

// Bridge leads from entities of a class to another domain.
type Bridge struct {
	Domain                                    Name
	DomainDescription, Class, ClassIRI, Label string
	// Followed is set when the target domain was looked into; Entities are what was
	// found there.
	Followed bool
	Entities []BridgeEntity
}

// BridgeEntity is a fact of an entity in a bridge's target domain. A back end that
// tells only which entity there is leaves Property and Object empty.
type BridgeEntity struct{ IRI, Property, Object string }

// Action is a function that acts on an entity.
type Action struct {
	// FullName is what Actions.Invoke takes; Function the name within its schema.
	FullName, Function, Description string
	ReturnsTable                    bool
}

// Rule is a business rule: what holds when Antecedent does (SWRL, human-readable
// syntax).
type Rule struct{ Name, Description, Antecedent, Consequent string }

// Function computes virtual attributes of an entity.
type Function struct {
	FullName, Function, Description string
	ReturnsTable                    bool
	Attributes                      []VirtualAttribute
	// Values is a JSON object, attribute name → value; nil or {} when nothing was
	// computed. Error says why a computation failed, Message what is to be known of
	// one that did not.
	Values         json.RawMessage
	Error, Message string
}

// VirtualAttribute is one value that a function computes. DataType may be empty.
type VirtualAttribute struct{ Name, Column, Label, DataType string }

// EntityContext is the context of one entity.
type EntityContext struct {
	// IRI is the entity's, LocalID what functions and rows are asked for.
	IRI, LocalID string
	// ClassContext is of the class that the entity belongs to; empty when none matches.
	ClassContext
	// Message is what is to be known of the whole, such as why rows could not be read.
	Message string
}

// ActionResult is what an action gave.
type ActionResult struct {
	Action, LocalID, Class string
	ReturnsTable           bool
	// Rows are JSON objects with their members in the order of columns.
	Rows []json.RawMessage
}

// RuleResult is what a business rule gave.
type RuleResult struct {
	Rule, LocalID, Class string
	// Inferred counts the facts that follow, Written those that were new and are now
	// in the graph.
	Inferred, Written int
	// Triples are the first of the inferred facts: subject, predicate, object as
	// written.
	Triples [][3]string
}

// elementNames are what texts call the elements (OntoBricks contract 3.6).
var elementNames = map[Element]string{
	ElementDataset: "Datasets", ElementBridges: "Bridges", ElementActions: "Actions",
	ElementBusinessRules: "Business rules", ElementVirtualAttributes: "Virtual attributes",
}

// DecideElement says whether a context element of a domain may be used, and if not,
// why, in words for the caller.
func DecideElement(e Element, d *Domain) (ok bool, reason string) {
	if d.Info.Policy.Mode(e) != ModeDisabled {
		return true, ""
	}
	return false, fmt.Sprintf("%s are disabled for domain '%s' by its MCP policy.", elementNames[e], d.Info.Name)
}
