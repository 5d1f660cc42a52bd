package wire

import (
	"encoding/json"

	"github.com/ontogate/ontogate/domains"
)

// NewVersions lists versions, newest first, of which there is at least one.
func NewVersions(name domains.Name, list []domains.Version) Versions {
	out := Versions{Success: true, DomainName: string(name), Versions: make([]Version, 0, len(list))}
	for _, v := range list {
		if v.Latest {
			out.LatestVersion = v.Name
		}
		out.Versions = append(out.Versions, Version{Version: v.Name, IsLatest: v.Latest, Status: v.State, IsPublished: v.State == domains.StatePublished})
	}
	return out
}

// NewDesign is the design status of a domain with a base IRI. Properties in use are told
// as relationships, since the vocabulary does not tell them from attributes.
func NewDesign(name domains.Name, d *domains.Design, base string) Design {
	out := Design{
		Success: true, DomainName: string(name), BuildReady: d.BuildReady, Message: nullable(d.Message),
		Ontology: &DesignOntology{}, Metadata: &DesignMetadata{}, Assignment: &DesignAssignment{},
	}
	if o := d.Ontology; o != nil {
		*out.Ontology = DesignOntology{Ready: o.Ready, BaseURI: nullable(base), ClassCount: o.Classes, PropertyCount: o.Properties, HasOWL: o.HasOWL}
	}
	if m := d.Metadata; m != nil {
		*out.Metadata = DesignMetadata{Ready: m.Ready, TableCount: m.Tables}
	}
	if a := d.Assignment; a != nil {
		*out.Assignment = DesignAssignment{
			Ready: a.Status == "complete", EntityTotal: a.ClassesTotal, EntityMapped: a.ClassesUsed,
			RelationshipTotal: a.PropertiesTotal, RelationshipMapped: a.PropertiesUsed,
			ProgressPercent: a.Percent, Status: a.Status, HasR2RML: a.HasR2RML,
		}
	}
	return out
}

// NewOntology is an ontology with its Turtle.
func NewOntology(o *domains.Ontology, turtle string) Ontology {
	return Ontology{
		Success: true, Format: "turtle", Content: turtle, BaseURI: nullable(o.Base),
		ClassCount: len(o.Classes), PropertyCount: len(o.Properties),
	}
}

// NewClasses lists the context of classes in the order given.
func NewClasses(name domains.Name, list []domains.ClassContext) Classes {
	out := Classes{Success: true, DomainName: string(name), Classes: make([]Class, 0, len(list))}
	for _, c := range list {
		out.Classes = append(out.Classes, Class{
			Name: c.Name, URI: c.IRI, Dataset: newDataset(c.Dataset, false), Bridges: orNone(newBridges(c.Bridges)),
			Actions: orNone(newActions(c.Actions)), BusinessRules: orNone(newRules(c.Rules)), VirtualAttributes: orNone(newFunctions(c.Functions)),
		})
	}
	return out
}

// NewNodeContext is the context of an entity, of which rows were asked for or not.
func NewNodeContext(e *domains.EntityContext, rows bool) NodeContext {
	return NodeContext{
		Success: true, EntityURI: e.IRI, EntityLocalID: e.LocalID, ClassName: e.Name, ClassURI: e.ClassContext.IRI, Dataset: newDataset(e.Dataset, rows),
		Bridges: newBridges(e.Bridges), Actions: newActions(e.Actions), BusinessRules: newRules(e.Rules),
		VirtualAttributes: newFunctions(e.Functions), Message: nullable(e.Message),
	}
}

// NewVirtualAttributes is what was computed of an entity.
func NewVirtualAttributes(e *domains.EntityContext) NodeContext {
	return NodeContext{
		Success: true, EntityURI: e.IRI, EntityLocalID: e.LocalID, ClassName: e.Name, ClassURI: e.ClassContext.IRI,
		VirtualAttributes: newFunctions(e.Functions), Message: nullable(e.Message),
	}
}

// NewActionResult is what an action gave that ran on the entity with an IRI.
func NewActionResult(iri string, r *domains.ActionResult) ActionResult {
	return ActionResult{
		Success: true, EntityURI: iri, EntityLocalID: r.LocalID, ClassName: r.Class, Action: r.Action,
		ReturnsTable: r.ReturnsTable, Rows: orNone(r.Rows),
	}
}

// NewRuleResult is what a business rule gave for the entity with an IRI.
func NewRuleResult(iri string, r *domains.RuleResult) RuleResult {
	out := RuleResult{
		Success: true, EntityURI: iri, EntityLocalID: r.LocalID, ClassName: r.Class, Rule: r.Rule,
		InferredCount: Number(r.Inferred), MaterializedCount: Number(r.Written), Triples: []Triple{},
		Truncated: len(r.Triples) < r.Inferred,
	}
	for _, t := range r.Triples {
		out.Triples = append(out.Triples, Triple{Subject: t[0], Predicate: t[1], Object: t[2]})
	}
	return out
}

// orNone is a list that is not null.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func newDataset(d *domains.Dataset, rows bool) *Dataset {
	if d == nil {
		return nil
	}
	out := &Dataset{FullName: d.FullName, KeyColumn: d.Key, Description: d.Description, KeyColumnMissing: rows && d.Key == ""}
	if d.Fetched {
		out.Rows = orNone(d.Rows)
	}
	return out
}

func newBridges(in []domains.Bridge) []Bridge {
	var out []Bridge
	for _, b := range in {
		bridge := Bridge{
			TargetDomain: string(b.Domain), TargetDomainDescription: b.DomainDescription,
			TargetClassName: b.Class, TargetClassURI: b.ClassIRI, Label: b.Label,
		}
		if b.Followed {
			bridge.Entities = []BridgeEntity{}
			for _, e := range b.Entities {
				bridge.Entities = append(bridge.Entities, BridgeEntity{URI: e.IRI, Predicate: e.Property, Object: e.Object})
			}
		}
		out = append(out, bridge)
	}
	return out
}

func newActions(in []domains.Action) []Action {
	var out []Action
	for _, a := range in {
		out = append(out, Action(a))
	}
	return out
}

func newRules(in []domains.Rule) []Rule {
	var out []Rule
	for _, r := range in {
		out = append(out, Rule(r))
	}
	return out
}

func newFunctions(in []domains.Function) []Function {
	var out []Function
	for _, f := range in {
		function := Function{
			FullName: f.FullName, Function: f.Function, Description: f.Description, ReturnsTable: f.ReturnsTable,
			Attributes: []VirtualAttribute{}, Error: Fault(f.Error), Message: nullable(f.Message),
		}
		for _, a := range f.Attributes {
			function.Attributes = append(function.Attributes, VirtualAttribute(a))
		}
		if len(f.Values) > 0 {
			function.Values = json.RawMessage(f.Values)
		}
		out = append(out, function)
	}
	return out
}
