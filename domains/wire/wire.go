// Package wire holds the JSON structures of the OntoBricks REST interface
// (OntoBricks contract 1.1 and 2.1), for whoever speaks it: a client of a deployment,
// and our own handlers and resources. Fields that the contract sends as null are
// pointers; lists are never null.
//
// NewX makes what is sent of the vocabulary of package domains; methods of what was
// received give that vocabulary back. Reading tolerates what older versions leave out
// (section 0).
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

// Domain is the status in the words of package domains.
func (s Status) Status() *domains.Status {
	out := &domains.Status{
		View: orEmpty(s.ViewTable), Graph: orEmpty(s.GraphName), HasData: s.HasData, Triples: s.Count,
		Reason: orEmpty(s.Reason), Modified: moment(orEmpty(s.LastModified)),
	}
	for _, d := range s.Degraded {
		out.Problems = append(out.Problems, domains.Problem{Message: d})
	}
	return out
}

// moment reads a time as services write it, with or without a zone; without one it is
// UTC. What is no time is the zero Time.
func moment(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
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
	// What follows is ours: Entities counts each once whatever number of IRIs it has,
	// Attributes the texts among the relationships, and BroaderTypes are the classes that
	// have entities by the classes below them alone.
	Entities     int     `json:"entities,omitempty"`
	Attributes   *int    `json:"attributes,omitempty"`
	BroaderTypes []Count `json:"broader_types,omitempty"`
}

// Count is how often a class or property is used.
type Count struct {
	URI   string `json:"uri"`
	Count int    `json:"count"`
	// Below is ours: how many entities a class and those below it have, each once; absent
	// where that is no other number.
	Below int `json:"below,omitempty"`
}

// NewStats is the statistics of a domain's graph. Relationships are, as the contract
// has them, all triples that are neither types nor labels, and entity types those that
// have instances of their own.
func NewStats(s *domains.Stats, in Scope) Stats {
	out := Stats{
		Success: true, TotalTriples: s.Triples, DistinctSubjects: s.Subjects, DistinctPredicates: s.Predicates,
		EntityTypes: counts(instantiated(s.Types)), TopPredicates: counts(s.Properties), LabelCount: s.Labels,
		TypeAssertionCount: s.TypeAssertions, RelationshipCount: s.Attributes + s.Relationships, InferredTriples: s.Inferred, Scope: in,
		Entities: s.Entities,
	}
	if !s.AttributesUnknown {
		out.Attributes = &s.Attributes
	}
	for _, c := range s.Types {
		if c.Count == 0 {
			out.BroaderTypes = append(out.BroaderTypes, Count{URI: c.IRI, Below: c.Below})
		}
	}
	return out
}

// Stats is the statistics of a graph that an Ontogate tells, in the words of package
// domains: types by count, then by IRI.
func (s Stats) Stats() *domains.Stats {
	out := &domains.Stats{
		Triples: s.TotalTriples, Subjects: s.DistinctSubjects, Predicates: s.DistinctPredicates, Entities: s.Entities, Labels: s.LabelCount,
		TypeAssertions: s.TypeAssertionCount, Relationships: s.RelationshipCount, AttributesUnknown: s.Attributes == nil, Inferred: s.InferredTriples,
	}
	if s.Attributes != nil {
		out.Attributes = *s.Attributes
		out.Relationships -= out.Attributes
	}
	for _, c := range slices.Concat(s.EntityTypes, s.BroaderTypes) {
		out.Types = append(out.Types, domains.Count{IRI: c.URI, Count: c.Count, Below: c.Below})
	}
	for _, c := range s.TopPredicates {
		out.Properties = append(out.Properties, domains.Count{IRI: c.URI, Count: c.Count, Below: c.Below})
	}
	return out
}

// instantiated leaves out the classes that only have entities of classes below.
func instantiated(types []domains.Count) []domains.Count {
	return slices.DeleteFunc(slices.Clone(types), func(c domains.Count) bool { return c.Count == 0 })
}

func counts(in []domains.Count) []Count {
	out := make([]Count, 0, len(in))
	for _, c := range in {
		out = append(out, Count{URI: c.IRI, Count: c.Count, Below: c.Below})
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
