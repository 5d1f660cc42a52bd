package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ontogate/ontogate/domains"
	"github.com/ontogate/ontogate/domains/wire"
)

// comesBack compares what was sent with what is read of it.
func comesBack(t *testing.T, what string, sent, read any) {
	t.Helper()
	if diff := cmp.Diff(sent, read); diff != "" {
		t.Errorf("%s (-sent +read):\n%s", what, diff)
	}
}

// wholeContext has every element, with everything that can be told of it.
func wholeContext() domains.ClassContext {
	return domains.ClassContext{
		Name: "Customer", IRI: "https://e/Customer",
		Dataset: &domains.Dataset{FullName: "a.b.customers", Key: "id", Description: "All \"of\" them"},
		Bridges: []domains.Bridge{{Domain: "finance", DomainDescription: "D", Class: "Contract", ClassIRI: "https://e/Contract", Label: "Owns"}},
		Actions: []domains.Action{{FullName: "a.b.risk", Function: "risk", Description: "R", ReturnsTable: true}, {FullName: "a.b.ping", Function: "ping"}},
		Rules:   []domains.Rule{{Name: "Vip", Description: "V", Antecedent: "A(?x)", Consequent: "B(?x)"}},
		Functions: []domains.Function{{
			FullName: "a.b.value", Function: "value", Description: "F", ReturnsTable: true,
			Attributes: []domains.VirtualAttribute{{Name: "score", Column: "s", Label: "Score", DataType: "DOUBLE"}, {Name: "rank", Column: "r", Label: "Rank"}},
		}},
	}
}

// TestContextComesBack holds that the context of classes and of entities is read as it was
// sent, with rows, entities and values as they are written, and with none of them.
func TestContextComesBack(t *testing.T) {
	classes := []domains.ClassContext{wholeContext(), {Name: "Order", IRI: "https://e/Order", Dataset: &domains.Dataset{FullName: "a.b.orders"}}}
	comesBack(t, "classes", classes, through(t, wire.NewClasses("d", classes)).List())

	declared := &domains.EntityContext{IRI: "https://e/Customer/C1", LocalID: "C1", ClassContext: wholeContext()}
	comesBack(t, "declared", declared, through(t, wire.NewNodeContext(declared, false)).Context(declared.IRI, false, false))

	asked := &domains.EntityContext{IRI: declared.IRI, LocalID: "C1", ClassContext: wholeContext(), Message: "m"}
	asked.Dataset.Fetched, asked.Dataset.Rows = true, []json.RawMessage{json.RawMessage(`{"z":1.10,"a":12345678901234567890}`)}
	asked.Bridges[0].Followed, asked.Bridges[0].Entities = true, []domains.BridgeEntity{{IRI: "https://e/Contract/C1", Property: "https://e/p", Object: "o"}, {IRI: "https://e/Contract/C2"}}
	asked.Functions[0].Values = json.RawMessage(`{"score":0.50,"rank":null}`)
	asked.Functions = append(asked.Functions,
		domains.Function{FullName: "a.b.none", Function: "none", Values: json.RawMessage(`{}`), Message: "No row returned for this entity"},
		domains.Function{FullName: "a.b.fails", Function: "fails", Values: json.RawMessage(`{}`), Error: "denied"})
	comesBack(t, "asked for", asked, through(t, wire.NewNodeContext(asked, true)).Context(asked.IRI, true, true))

	computed := &domains.EntityContext{IRI: asked.IRI, LocalID: "C1", Message: "m", ClassContext: domains.ClassContext{Name: asked.Name, IRI: asked.ClassContext.IRI, Functions: asked.Functions}}
	comesBack(t, "computed", computed, through(t, wire.NewVirtualAttributes(asked)).Context(asked.IRI, false, false))

	bare := &domains.EntityContext{IRI: "https://e/Thing/1", LocalID: "1"}
	comesBack(t, "of no class", bare, through(t, wire.NewNodeContext(bare, true)).Context(bare.IRI, true, true))

	asked.Dataset.Rows, asked.Bridges[0].Entities = []json.RawMessage{}, nil
	comesBack(t, "looked for and not found", asked, through(t, wire.NewNodeContext(asked, true)).Context(asked.IRI, true, true))
	asked.Dataset.Key, asked.Dataset.Fetched, asked.Dataset.Rows = "", false, nil
	told := through(t, wire.NewNodeContext(asked, true))
	if comesBack(t, "without a key", asked, told.Context(asked.IRI, true, true)); !told.Dataset.KeyColumnMissing {
		t.Error("that the key column is missing is not told")
	}
}

// TestResultsComeBack holds it for what actions and business rules gave.
func TestResultsComeBack(t *testing.T) {
	const iri = "https://e/Customer/C1"
	for _, rows := range [][]json.RawMessage{{json.RawMessage(`{"b":1.0,"a":[2]}`), json.RawMessage(`{"result":null}`)}, {}} {
		a := &domains.ActionResult{Action: "a.b.risk", LocalID: "C1", Class: "Customer", ReturnsTable: true, Rows: rows}
		comesBack(t, "action", a, through(t, wire.NewActionResult(iri, a)).Result(wire.ActionRequest{}))
	}
	for inferred, truncated := range map[int]bool{1: false, 3: true} {
		r := &domains.RuleResult{Rule: "Vip", LocalID: "C1", Class: "Customer", Inferred: inferred, Written: 1, Triples: [][3]string{{"s", "p", "o"}}}
		told := through(t, wire.NewRuleResult(iri, r))
		if comesBack(t, "rule", r, told.Result(wire.RuleRequest{})); told.Truncated != truncated {
			t.Errorf("%d facts of which one is told: truncated is %v", inferred, told.Truncated)
		}
	}
}

// TestDomainsStateComesBack holds it for versions and design. Which version is served is
// not told by OntoBricks: its clients take the highest that is PUBLISHED.
func TestDomainsStateComesBack(t *testing.T) {
	versions := []domains.Version{{Name: "10", State: "DRAFT", Latest: true}, {Name: "9.1", State: domains.StatePublished, Active: true}, {Name: "2", State: domains.StatePublished}, {Name: "1", State: "IN-REVIEW"}}
	told := through(t, wire.NewVersions("d", versions))
	if comesBack(t, "versions", versions, told.List()); told.LatestVersion != "10" {
		t.Errorf("the latest version is %q", told.LatestVersion)
	}
	d := &domains.Design{
		Ontology: &domains.DesignOntology{Ready: true, HasOWL: true, Classes: 3, Properties: 4}, Metadata: &domains.DesignMetadata{Ready: true, Tables: 2},
		Assignment: &domains.DesignAssignment{ClassesTotal: 3, ClassesUsed: 2, PropertiesTotal: 9, PropertiesUsed: 4, Percent: 50, Status: "in_progress", HasR2RML: true},
		BuildReady: true, Message: "m",
	}
	comesBack(t, "design", d, through(t, wire.NewDesign("d", d, "https://e/")).Design())
}
