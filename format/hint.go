package format

import (
	"slices"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// hint says how a context element is used: in passing, and as a directive where the
// policy prefers the element. Both are the words of OntoBricks (contract 4.3, 4.4).
type hint struct {
	// tool is the one that the hint advises; empty for a tool that every domain has.
	tool               string
	neutral, directive string
	// aside is a last sentence that advises asideTool.
	aside, asideTool string
}

// Reach says how a caller can ask another domain.
type Reach uint8

// The ways to another domain.
const (
	// BySelection is for a session: select_domain.
	BySelection Reach = iota
	// ByArgument is for a caller whose selection nobody remembers: domain_name.
	ByArgument
	// ByAddress is for a connection that is fixed to one domain: another connection.
	ByAddress
)

// blockHints stand in describe_entity, below the facts of an entity.
var blockHints = map[domains.Element]hint{
	domains.ElementDataset: {
		tool:      "get_entity_context",
		neutral:   "call get_entity_context(fetch_dataset_rows=True) to retrieve rows",
		directive: "ALWAYS call get_entity_context(fetch_dataset_rows=True) to retrieve the rows before answering — this dataset is the authoritative source for this entity",
	},
	domains.ElementActions: {
		tool:      "invoke_entity_action",
		neutral:   "call invoke_entity_action(entity_uri, action) to run one",
		directive: "PREFER invoke_entity_action(entity_uri, action) over answering from the graph alone — these actions return live, authoritative results",
	},
	domains.ElementBusinessRules: {
		tool:      "run_entity_business_rule",
		neutral:   "call run_entity_business_rule(entity_uri, rule) to apply one (writes inferred facts to the graph)",
		directive: "when the user asks to apply or evaluate one of these rules, call run_entity_business_rule(entity_uri, rule) — it writes the inferred facts to the graph",
	},
	domains.ElementVirtualAttributes: {
		tool:      "compute_virtual_attributes",
		neutral:   "call compute_virtual_attributes(entity_uri) to compute their values",
		directive: "ALWAYS call compute_virtual_attributes(entity_uri) before answering — these values are not in the graph and are computed live",
	},
}

// entityHints stand in get_entity_context and compute_virtual_attributes; {id} is the
// entity's local id.
var entityHints = map[domains.Element]hint{
	domains.ElementActions: {
		tool:      "invoke_entity_action",
		neutral:   "call invoke_entity_action(entity_uri, action) with the entity's ID ('{id}')",
		directive: "PREFER running one of these actions over answering from the graph alone — call invoke_entity_action(entity_uri, action) with the entity's ID ('{id}')",
	},
	domains.ElementBusinessRules: {
		tool:      "run_entity_business_rule",
		neutral:   "call run_entity_business_rule(entity_uri, rule) to apply one (writes inferred facts to the graph)",
		directive: "when asked to apply a rule, call run_entity_business_rule(entity_uri, rule) — it writes the inferred facts to the graph",
	},
	domains.ElementVirtualAttributes: {
		tool:      "compute_virtual_attributes",
		neutral:   "call compute_virtual_attributes(entity_uri) to compute these values",
		directive: "ALWAYS call compute_virtual_attributes(entity_uri) before answering: these values are not stored in the graph and only a computation can produce them",
	},
}

// blockBridges are the hints below bridges in describe_entity, entityBridges those in
// get_entity_context. Other words than those of OntoBricks stand where nothing can be
// selected; {address} is where the target domain is served alone.
var (
	blockBridges = map[Reach]hint{
		BySelection: {
			neutral:   "to query the target domain, call select_domain(<target_domain>) then re-run describe_entity or GraphQL there.",
			directive: "ALWAYS follow these bridges before concluding: the answer likely spans the target domain. Call select_domain(<target_domain>) then re-run describe_entity or GraphQL there.",
			aside:     " get_entity_context(follow_bridges=True) only peeks — it does NOT switch the session.", asideTool: "get_entity_context",
		},
		ByArgument: {
			neutral:   "to query the target domain, re-run describe_entity or GraphQL with domain_name=<target_domain>.",
			directive: "ALWAYS follow these bridges before concluding: the answer likely spans the target domain. Re-run describe_entity or GraphQL with domain_name=<target_domain>.",
			aside:     " get_entity_context(follow_bridges=True) only peeks.", asideTool: "get_entity_context",
		},
		ByAddress: {
			neutral:   fixedHere,
			directive: "the answer likely spans the target domain, which this connection cannot query: use one to {address}, or say in your answer that it was not asked.",
			aside:     " get_entity_context(follow_bridges=True) peeks from here.", asideTool: "get_entity_context",
		},
	}
	entityBridges = map[Reach]hint{
		BySelection: {
			neutral:   "to actually query one of these targets, call select_domain(<target_domain>) then describe_entity / GraphQL there.",
			directive: "ALWAYS follow these bridges before concluding: call select_domain(<target_domain>) then describe_entity / GraphQL there.",
			aside:     " follow_bridges only peeks; it does not switch the session.", asideTool: "get_entity_context",
		},
		ByArgument: {
			neutral:   "to actually query one of these targets, call describe_entity / GraphQL with domain_name=<target_domain>.",
			directive: "ALWAYS follow these bridges before concluding: call describe_entity / GraphQL with domain_name=<target_domain>.",
			aside:     " follow_bridges only peeks.", asideTool: "get_entity_context",
		},
		ByAddress: {
			neutral:   fixedHere,
			directive: "the answer likely spans these targets, which this connection cannot query: use one to {address}, or say in your answer that they were not asked.",
			aside:     " follow_bridges peeks from here.", asideTool: "get_entity_context",
		},
	}
)

const fixedHere = "this connection is fixed to one domain; to query the target domain, use one to {address}."

// undescribed takes describe_entity out of the hints of bridges, for a server that has no
// such tool.
var undescribed = strings.NewReplacer("call describe_entity / GraphQL", "query it", "describe_entity / GraphQL", "query it")

// bridgeHint is the one of these hints that fits the caller.
func bridgeHint(f Frame, of map[Reach]hint) hint {
	h := of[f.Reach]
	address := strings.ReplaceAll(oneLine(f.Address), "{domain}", "<target_domain>")
	h.neutral = strings.ReplaceAll(h.neutral, "{address}", address)
	h.directive = strings.ReplaceAll(h.directive, "{address}", address)
	if slices.Contains(f.Off, "describe_entity") {
		h.neutral, h.directive = undescribed.Replace(h.neutral), undescribed.Replace(h.directive)
	}
	return h
}

// hints is the line that says how an element is used; none where the domain does not
// offer the tool.
func hints(indent string, f Frame, p domains.Policy, e domains.Element, h hint) []string {
	if h.tool != "" && !f.offers(h.tool) {
		return nil
	}
	text := h.neutral
	if p.Mode(e) == domains.ModePreferred {
		text = h.directive
	}
	if h.aside != "" && f.offers(h.asideTool) {
		text += h.aside
	}
	return []string{indent + "→ " + text}
}

// withID puts the entity's local id into hints.
func withID(lines []string, id string) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, strings.Replace(l, "{id}", exact(id), 1))
	}
	return out
}
