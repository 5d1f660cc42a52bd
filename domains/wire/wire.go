// Package wire holds the JSON structures of the OntoBricks REST interface
// (OntoBricks contract 1.1), for whoever speaks it: a client of a deployment, and
// our own handlers and resources. Fields that the contract sends as null are
// pointers; lists are never null.
package wire

import (
	"slices"
	"time"

	"github.com/ontogate/ontogate/domains"
)

// Scope names what an answer is about. These members are ours: the contract does
// not have them, and its clients ignore them.
type Scope struct {
	Domain  string `json:"domain"`
	Version string `json:"version"`
	// Degraded lists the sources that were left out, as file:line:column:
	// message; absent when there are none.
	Degraded []string `json:"degraded,omitempty"`
}

// NewScope names a domain.
func NewScope(d *domains.Domain) Scope {
	s := Scope{Domain: string(d.Info.Name), Version: d.Version}
	for _, p := range d.Problems {
		s.Degraded = append(s.Degraded, p.String())
	}
	return s
}

// Domains is the answer of GET /domains.
type Domains struct {
	Success bool         `json:"success"`
	Domains []DomainInfo `json:"domains"`
	Message *string      `json:"message"`
}

// DomainInfo is one entry of Domains.
type DomainInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// GraphBackend is "none" for a domain that is an ontology only.
	GraphBackend string `json:"graph_backend"`
	Policy       Policy `json:"mcp_policy"`
	HasGraph     bool   `json:"has_graph"`
	// Unavailable says why the domain cannot be used; ours, as Scope.
	Unavailable string `json:"unavailable,omitempty"`
}

// Policy is the policy of a domain; what is normal is absent, and so {} hides
// nothing (OntoBricks contract 3.6).
type Policy struct {
	DisabledTools []string                         `json:"disabled_tools,omitempty"`
	Context       map[domains.Element]domains.Mode `json:"context,omitempty"`
}

// The values of DomainInfo.GraphBackend that we send.
const (
	backendNone     = "none"
	backendEmbedded = "embedded"
)

// NewDomains lists domains in the order given.
func NewDomains(infos []domains.Info) Domains {
	out := Domains{Success: true, Domains: make([]DomainInfo, 0, len(infos))}
	for _, i := range infos {
		d := DomainInfo{
			Name: string(i.Name), Description: i.Description, HasGraph: i.HasGraph,
			GraphBackend: backendNone, Policy: NewPolicy(i.Policy), Unavailable: i.Unavailable,
		}
		if i.HasGraph {
			d.GraphBackend = backendEmbedded
		}
		out.Domains = append(out.Domains, d)
	}
	return out
}

// NewPolicy keeps what differs from normal, tool names sorted and once each.
func NewPolicy(p domains.Policy) Policy {
	var out Policy
	out.DisabledTools = slices.Compact(slices.Sorted(slices.Values(p.DisabledTools)))
	for _, e := range domains.Elements {
		if m := p.Mode(e); m != domains.ModeNormal {
			if out.Context == nil {
				out.Context = map[domains.Element]domains.Mode{}
			}
			out.Context[e] = m
		}
	}
	return out
}

// Status is the answer of GET /digitaltwin/status.
type Status struct {
	Success   bool    `json:"success"`
	ViewTable *string `json:"view_table"`
	GraphName *string `json:"graph_name"`
	HasData   bool    `json:"has_data"`
	Count     int     `json:"count"`
	// LastModified is an RFC 3339 time in UTC.
	LastModified *string `json:"last_modified"`
	Reason       *string `json:"reason"`
	Message      *string `json:"message"`
	Scope
}

// NewStatus is the status of a domain.
func NewStatus(s *domains.Status, in Scope) Status {
	out := Status{
		Success: true, ViewTable: nullable(s.View), GraphName: nullable(s.Graph),
		HasData: s.HasData, Count: s.Triples, Reason: nullable(s.Reason), Scope: in,
	}
	if !s.Modified.IsZero() {
		out.LastModified = nullable(s.Modified.UTC().Format(time.RFC3339))
	}
	return out
}

// Stats is the answer of GET /digitaltwin/stats.
type Stats struct {
	Success            bool    `json:"success"`
	TotalTriples       int     `json:"total_triples"`
	DistinctSubjects   int     `json:"distinct_subjects"`
	DistinctPredicates int     `json:"distinct_predicates"`
	EntityTypes        []Count `json:"entity_types"`
	TopPredicates      []Count `json:"top_predicates"`
	LabelCount         int     `json:"label_count"`
	TypeAssertionCount int     `json:"type_assertion_count"`
	RelationshipCount  int     `json:"relationship_count"`
	InferredTriples    int     `json:"inferred_triples"`
	Message            *string `json:"message"`
	Scope
}

// Count is how often a class or property is used.
type Count struct {
	URI   string `json:"uri"`
	Count int    `json:"count"`
}

// NewStats is the statistics of a domain's graph. Relationships are, as the contract
// has them, all triples that are neither types nor labels, and entity types those that
// have instances of their own.
func NewStats(s *domains.Stats, in Scope) Stats {
	return Stats{
		Success: true, TotalTriples: s.Triples, DistinctSubjects: s.Subjects, DistinctPredicates: s.Predicates,
		EntityTypes: counts(instantiated(s.Types)), TopPredicates: counts(s.Properties), LabelCount: s.Labels,
		TypeAssertionCount: s.TypeAssertions, RelationshipCount: s.Attributes + s.Relationships, InferredTriples: s.Inferred, Scope: in,
	}
}

// instantiated leaves out the classes that only have entities of classes below.
func instantiated(types []domains.Count) []domains.Count {
	return slices.DeleteFunc(slices.Clone(types), func(c domains.Count) bool { return c.Count == 0 })
}

func counts(in []domains.Count) []Count {
	out := make([]Count, 0, len(in))
	for _, c := range in {
		out = append(out, Count{URI: c.IRI, Count: c.Count})
	}
	return out
}

// nullable turns the empty string into null.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
