package wire

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/ontogate/ontogate/domains"
)

// Where says which domain of which registry a request with a body is about; empty
// members are left out.
type Where struct {
	RegistryCatalog string `json:"registry_catalog,omitempty"`
	RegistrySchema  string `json:"registry_schema,omitempty"`
	RegistryVolume  string `json:"registry_volume,omitempty"`
	DomainName      string `json:"domain_name,omitempty"`
}

// ActionRequest is the body of POST /digitaltwin/nodes/action.
type ActionRequest struct {
	EntityURI string `json:"entity_uri"`
	Action    string `json:"action_full_name"`
	Where
}

// ActionResult is the answer to an ActionRequest.
type ActionResult struct {
	Success       bool              `json:"success"`
	EntityURI     string            `json:"entity_uri"`
	EntityLocalID string            `json:"entity_local_id"`
	ClassName     string            `json:"class_name,omitempty"`
	Action        string            `json:"action"`
	ReturnsTable  bool              `json:"returns_table"`
	Rows          []json.RawMessage `json:"rows"` // objects, members in column order
	Message       *string           `json:"message,omitempty"`
	Error         Fault             `json:"error,omitempty"`
}

// Result is the answer in the words of package domains, to the request that was sent.
func (r ActionResult) Result(q ActionRequest) *domains.ActionResult {
	return &domains.ActionResult{
		Action: cmp.Or(r.Action, q.Action), LocalID: cmp.Or(r.EntityLocalID, domains.LocalID(q.EntityURI)),
		Class: r.ClassName, ReturnsTable: r.ReturnsTable, Rows: r.Rows,
	}
}

// RuleRequest is the body of POST /digitaltwin/nodes/business-rule.
type RuleRequest struct {
	EntityURI string `json:"entity_uri"`
	Rule      string `json:"rule"`
	Where
}

// Number is a count that is also read from text and from null, as the contract's own
// client does.
type Number int

// UnmarshalJSON takes a whole number, with or without quotes.
func (n *Number) UnmarshalJSON(b []byte) error {
	s, quoted := text(b)
	switch {
	case quoted:
		b = []byte(strings.TrimSpace(s))
	case string(b) == "null":
		*n = 0
		return nil
	}
	return json.Unmarshal(b, (*int)(n))
}

// RuleResult is the answer to a RuleRequest. Triples are at most 200 of those inferred.
type RuleResult struct {
	Success           bool     `json:"success"`
	EntityURI         string   `json:"entity_uri"`
	EntityLocalID     string   `json:"entity_local_id"`
	ClassName         string   `json:"class_name,omitempty"`
	Rule              string   `json:"rule"`
	InferredCount     Number   `json:"inferred_count"`
	MaterializedCount Number   `json:"materialized_count"`
	Triples           []Triple `json:"triples"`
	Truncated         bool     `json:"truncated"`
	Message           *string  `json:"message,omitempty"`
	Error             Fault    `json:"error,omitempty"`
}

// Result is the answer in the words of package domains, to the request that was sent.
func (r RuleResult) Result(q RuleRequest) *domains.RuleResult {
	out := &domains.RuleResult{
		Rule: cmp.Or(r.Rule, q.Rule), LocalID: cmp.Or(r.EntityLocalID, domains.LocalID(q.EntityURI)),
		Class: r.ClassName, Inferred: int(r.InferredCount), Written: int(r.MaterializedCount),
	}
	for _, t := range r.Triples {
		out.Triples = append(out.Triples, [3]string{t.Subject, t.Predicate, t.Object})
	}
	return out
}
