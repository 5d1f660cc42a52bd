package domains

import "slices"

// Element is a kind of context that a class can have.
type Element string

// The context elements, in the order in which texts show them
// (OntoBricks contract 3.6).
const (
	ElementDataset           Element = "dataset"
	ElementBridges           Element = "bridges"
	ElementActions           Element = "actions"
	ElementBusinessRules     Element = "business_rules"
	ElementVirtualAttributes Element = "virtual_attributes"
)

// Elements lists the context elements in their order.
var Elements = []Element{ElementDataset, ElementBridges, ElementActions, ElementBusinessRules, ElementVirtualAttributes}

// Mode says how a context element may be used.
type Mode string

// The modes; the zero Mode means normal.
const (
	ModeNormal    Mode = "normal"
	ModePreferred Mode = "preferred" // hints tell the model to use the element
	ModeDisabled  Mode = "disabled"  // the element is withheld and its use refused
)

// RegistryTools are the tools that find and select domains, which no policy hides,
// and PolicyTools those that a policy can hide (OntoBricks contract 3.6). Names of
// both are known to policies whether or not this server has the tool.
var (
	RegistryTools = []string{"list_domains", "select_domain", "list_domain_versions", "get_design_status"}
	PolicyTools   = []string{
		"describe_ontology", "list_entity_types", "describe_entity", "get_status", "get_graphql_schema", "query_graphql",
		"get_entity_context", "compute_virtual_attributes", "invoke_entity_action", "run_entity_business_rule",
	}
)

// Policy says what may be seen of a domain through MCP. The zero Policy hides
// nothing.
type Policy struct {
	// DisabledTools are tool names in any order. Names of registry tools and
	// unknown names have no effect.
	DisabledTools []string
	// Context maps an element to its mode; an absent element is normal.
	Context map[Element]Mode
	// Closed are the endpoints that the domain's settings close.
	Closed []Endpoint
}

// Closes reports whether the policy closes an endpoint.
func (p Policy) Closes(e Endpoint) bool { return slices.Contains(p.Closed, e) }

// Hides reports whether the policy disables a tool by name. Whether that counts
// for a tool is decided by Decide.
func (p Policy) Hides(tool string) bool { return slices.Contains(p.DisabledTools, tool) }

// Mode is the mode of a context element.
func (p Policy) Mode(e Element) Mode {
	if m, ok := p.Context[e]; ok && m != "" {
		return m
	}
	return ModeNormal
}
