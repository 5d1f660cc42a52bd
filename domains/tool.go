package domains

import (
	"fmt"
	"slices"
)

// ToolKind separates the tools that work without a domain from those that need
// one.
type ToolKind uint8

// The kinds of tools.
const (
	// RegistryTool works before a domain is selected and is never hidden.
	RegistryTool ToolKind = iota + 1
	// DomainTool needs a domain; policy can hide it.
	DomainTool
)

// Tool is what a right is decided about. Server-side details such as schemas
// are kept elsewhere.
type Tool struct {
	Name string
	Kind ToolKind
	// Need reports whether a domain has the abilities that the tool uses; nil
	// needs nothing.
	Need func(*Domain) bool
	// Needs names the ability that Need asks for besides a graph, as it stands in "the
	// domain does not have …": "a GraphQL service". Empty names none.
	Needs string
	// Writes marks a tool that changes something; Element is the context element that
	// it uses, empty for none.
	Writes  bool
	Element Element
}

// Decide says whether a tool may be used on a domain, and if not, why, in words
// for the caller. It is the only place where a tool is allowed or refused: lists
// and calls both ask it. A registry tool is always allowed. d may be nil only for
// registry tools.
func Decide(t Tool, d *Domain) (ok bool, reason string) {
	if t.Kind == RegistryTool {
		return true, ""
	}
	switch {
	case slices.Contains(d.Off, t.Name):
		return false, fmt.Sprintf("The tool '%s' is not available: this server was started without it (--disable-tools).", t.Name)
	case d.Info.Policy.Hides(t.Name):
		return false, fmt.Sprintf("The tool '%s' is not available for domain '%s' — its MCP policy does not expose it.", t.Name, d.Info.Name)
	case t.Need == nil || t.Need(d):
		return true, ""
	case t.Writes && d.ReadOnly:
		return false, fmt.Sprintf("The tool '%s' is not available: this server is read-only, and the tool writes.", t.Name)
	case d.Facts == nil:
		reason = fmt.Sprintf("The tool '%s' is not available for domain '%s' — it is published with an ontology only (no graph).", t.Name, d.Info.Name)
		if !d.withholds("describe_ontology") {
			reason += " Use describe_ontology to read its structure."
		}
		return false, reason
	case t.Needs != "":
		return false, fmt.Sprintf("The tool '%s' is not available for domain '%s' — the domain does not have %s.", t.Name, d.Info.Name, t.Needs)
	}
	return false, fmt.Sprintf("The tool '%s' is not available for domain '%s' — the domain does not offer what it needs.", t.Name, d.Info.Name)
}

// NeedsFacts is the Need of tools that read the graph.
func NeedsFacts(d *Domain) bool { return d.Facts != nil }

// NeedsGraphQL is the Need of tools that use the domain's GraphQL service. A service
// without a graph has nothing to tell an agent (OntoBricks contract 3.6, has_graph);
// programs may ask it all the same.
func NeedsGraphQL(d *Domain) bool { return (d.GraphQL != nil || d.Columns != nil) && d.Facts != nil }

// NeedsContext is the Need of tools that read what classes have besides facts.
func NeedsContext(d *Domain) bool { return d.Context != nil }

// NeedsFunctions is the Need of tools that compute virtual attributes.
func NeedsFunctions(d *Domain) bool { return d.Context != nil && !d.ComputesNothing }

// NeedsActions is the Need of tools that run actions.
func NeedsActions(d *Domain) bool { return d.Actions != nil }

// NeedsRules is the Need of tools that apply business rules.
func NeedsRules(d *Domain) bool { return d.Rules != nil }
