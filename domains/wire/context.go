package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Classes is the answer of GET /domain/classes: what classes have besides facts.
type Classes struct {
	Success    bool    `json:"success"`
	DomainName string  `json:"domain_name"`
	Classes    []Class `json:"classes"`
	Message    *string `json:"message,omitempty"`
}

// Class is one entry of Classes.
type Class struct {
	Name              string     `json:"name"`
	URI               string     `json:"uri"`
	Dataset           *Dataset   `json:"dataset,omitempty"`
	Bridges           []Bridge   `json:"bridges"`
	Actions           []Action   `json:"actions"`
	BusinessRules     []Rule     `json:"business_rules"`
	VirtualAttributes []Function `json:"virtualAttributes"`
}

// NodeContext is the answer of GET /digitaltwin/nodes/context, and with no more than
// VirtualAttributes that of GET /digitaltwin/nodes/virtual-attributes. What the class
// does not have is absent; an entity of no class has its own members only.
type NodeContext struct {
	Success           bool       `json:"success"`
	EntityURI         string     `json:"entity_uri"`
	EntityLocalID     string     `json:"entity_local_id"`
	ClassName         string     `json:"class_name,omitempty"`
	ClassURI          string     `json:"class_uri,omitempty"` // ours
	Dataset           *Dataset   `json:"dataset,omitempty"`
	Bridges           []Bridge   `json:"bridges,omitempty"`
	Actions           []Action   `json:"actions,omitempty"`
	BusinessRules     []Rule     `json:"business_rules,omitempty"`
	VirtualAttributes []Function `json:"virtual_attributes,omitempty"`
	Message           *string    `json:"message,omitempty"`
	Error             Fault      `json:"error,omitempty"`
}

// Dataset is the table of a class. Rows is nil where none were looked for.
type Dataset struct {
	FullName         string            `json:"fullName"`
	KeyColumn        string            `json:"key_column,omitempty"`
	KeyColumnMissing bool              `json:"key_column_missing,omitempty"`
	Description      string            `json:"description,omitempty"`
	Rows             []json.RawMessage `json:"rows,omitzero"` // objects, members in column order
}

// Bridge leads to another domain. Entities is nil where none were looked for.
type Bridge struct {
	TargetDomain            string         `json:"target_domain"`
	TargetProject           string         `json:"target_project,omitempty"` // older name of TargetDomain
	TargetDomainDescription string         `json:"target_domain_description"`
	TargetClassName         string         `json:"target_class_name"`
	TargetClassURI          string         `json:"target_class_uri"`
	Label                   string         `json:"label"`
	Entities                []BridgeEntity `json:"entities,omitzero"`
}

// BridgeEntity is a fact of an entity in the target domain.
type BridgeEntity struct {
	URI       string `json:"uri"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
}

// Action is a function that acts on an entity.
type Action struct {
	FullName     string `json:"fullName"`
	Function     string `json:"function"`
	Description  string `json:"description,omitempty"`
	ReturnsTable bool   `json:"returns_table"`
}

// Rule is a business rule.
type Rule struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Antecedent  string `json:"antecedent"`
	Consequent  string `json:"consequent"`
}

// Function is a function that computes virtual attributes. Values is an object,
// attribute name → value; nil where nothing was computed.
type Function struct {
	FullName     string             `json:"fullName"`
	Function     string             `json:"function"`
	Description  string             `json:"description,omitempty"`
	ReturnsTable bool               `json:"returns_table"`
	Attributes   []VirtualAttribute `json:"attributes"`
	Values       json.RawMessage    `json:"values,omitempty"`
	Error        Fault              `json:"error,omitempty"`
	Message      *string            `json:"message,omitempty"`
}

// VirtualAttribute is one value that a function computes.
type VirtualAttribute struct {
	Name     string `json:"name"`
	Column   string `json:"column"`
	Label    string `json:"label"`
	DataType string `json:"dataType,omitempty"`
}

// Fault is the text of a fault. What is received and is no text is none.
type Fault string

// UnmarshalJSON never fails.
func (f *Fault) UnmarshalJSON(b []byte) error {
	s, _ := text(b)
	*f = Fault(s)
	return nil
}

// List is the classes that have context in the words of package domains, by name, then
// IRI.
func (c Classes) List() []domains.ClassContext {
	out := make([]domains.ClassContext, 0, len(c.Classes))
	for _, in := range c.Classes {
		class := domains.ClassContext{
			Name: in.Name, IRI: in.URI, Dataset: in.Dataset.dataset(false), Bridges: bridges(in.Bridges, false),
			Actions: actions(in.Actions), Rules: rules(in.BusinessRules), Functions: functions(in.VirtualAttributes),
		}
		if !class.IsEmpty() {
			out = append(out, class)
		}
	}
	slices.SortStableFunc(out, func(a, b domains.ClassContext) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.IRI, b.IRI))
	})
	return out
}

// Context is the context of the entity with an IRI in the words of package domains.
// rows and followed say whether rows and the entities behind bridges were asked for.
func (n NodeContext) Context(iri string, rows, followed bool) *domains.EntityContext {
	return &domains.EntityContext{
		IRI: cmp.Or(n.EntityURI, iri), LocalID: cmp.Or(n.EntityLocalID, domains.LocalID(iri)),
		ClassContext: domains.ClassContext{
			Name: n.ClassName, IRI: n.ClassURI, Dataset: n.Dataset.dataset(rows), Bridges: bridges(n.Bridges, followed),
			Actions: actions(n.Actions), Rules: rules(n.BusinessRules), Functions: functions(n.VirtualAttributes),
		},
		Message: orEmpty(n.Message),
	}
}

// dataset is nil for a dataset of which nothing is told.
func (d *Dataset) dataset(rows bool) *domains.Dataset {
	if d == nil || d.FullName == "" && d.KeyColumn == "" && d.Description == "" {
		return nil
	}
	out := &domains.Dataset{FullName: d.FullName, Key: d.KeyColumn, Description: d.Description}
	if rows && d.Rows != nil && !d.KeyColumnMissing {
		out.Fetched, out.Rows = true, d.Rows
	}
	return out
}

// bridges leaves out those that lead nowhere, and facts of entities that are not told.
func bridges(in []Bridge, followed bool) []domains.Bridge {
	var out []domains.Bridge
	for _, b := range in {
		target := cmp.Or(b.TargetDomain, b.TargetProject)
		if target == "" {
			continue
		}
		bridge := domains.Bridge{
			Domain: domains.Name(target), DomainDescription: b.TargetDomainDescription,
			Class: b.TargetClassName, ClassIRI: b.TargetClassURI, Label: b.Label, Followed: followed && b.Entities != nil,
		}
		if bridge.Followed {
			for _, e := range b.Entities {
				if e.URI != "" {
					bridge.Entities = append(bridge.Entities, domains.BridgeEntity{IRI: e.URI, Property: e.Predicate, Object: e.Object})
				}
			}
		}
		out = append(out, bridge)
	}
	return out
}

// actions leaves out those that cannot be named in a call.
func actions(in []Action) []domains.Action {
	var out []domains.Action
	for _, a := range in {
		if a.FullName != "" {
			out = append(out, domains.Action{
				FullName: a.FullName, Function: cmp.Or(a.Function, functionName(a.FullName)),
				Description: a.Description, ReturnsTable: a.ReturnsTable,
			})
		}
	}
	return out
}

// rules leaves out those that cannot be named in a call.
func rules(in []Rule) []domains.Rule {
	var out []domains.Rule
	for _, r := range in {
		if r.Name != "" {
			out = append(out, domains.Rule(r))
		}
	}
	return out
}

// functions leaves out those that cannot be named in a call.
func functions(in []Function) []domains.Function {
	var out []domains.Function
	for _, f := range in {
		if f.FullName == "" {
			continue
		}
		function := domains.Function{
			FullName: f.FullName, Function: cmp.Or(f.Function, functionName(f.FullName)),
			Description: f.Description, ReturnsTable: f.ReturnsTable,
			Error: string(f.Error), Message: orEmpty(f.Message),
		}
		if len(f.Values) > 0 && f.Values[0] == '{' {
			function.Values = f.Values
		}
		for _, a := range f.Attributes {
			if a.Name != "" {
				function.Attributes = append(function.Attributes, domains.VirtualAttribute(a))
			}
		}
		out = append(out, function)
	}
	return out
}

// functionName is the last part of catalog.schema.function.
func functionName(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }
